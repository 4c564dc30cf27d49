//! From the crate of kernels to the code of modules.
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::LLVM_VARIABLE;
use super::kernels::KERNELS;
use super::sources::Hash;
use super::text::{stable_names, without_traps};
use super::tools::{Tools, nightly, output};
use crate::run::{Result, root, run};

const TARGET: &str = "nvptx64-nvidia-cuda";
/// Options of the compiler: bitcode as it comes from the sources, since modules are optimized one by one. Immediate aborts leave out
/// the messages of panics.
const CARGO: [&str; 2] = ["-Zbuild-std=core", "-Zpanic-immediate-abort"];
const RUSTC: [&str; 2] = ["-Zunstable-options", "-Cno-prepopulate-passes"];
const OPTIMIZE: &str = "-passes=default<O3>,globaldce";
const ASSEMBLE: [&str; 2] = ["-O3", "-v"];

/// A build of the kernels.
pub(crate) struct Kind {
    /// The beginning of names of its archives.
    pub(crate) name: &'static str,
    /// Features of the crate of kernels.
    features: &'static [&'static str],
    /// How far LLVM contracts products and sums: 0 not at all.
    fma_level: &'static str,
    /// Whether indices are checked; where they are not, what would panic is taken for impossible.
    checked: bool,
}

/// The bits of the processor.
pub(crate) const EXACT: Kind =
    Kind { name: "exact", features: &[], fma_level: "0", checked: false };
/// The same with bounds checks, for development.
pub(crate) const CHECKED: Kind =
    Kind { name: "checked", features: &[], fma_level: "0", checked: true };

/// A compiled module.
#[derive(Clone)]
pub(crate) struct Module {
    pub(crate) name: &'static str,
    pub(crate) kernels: &'static [&'static str],
    pub(crate) cubin: PathBuf,
    /// What the assembler said about it.
    pub(crate) log: String,
}

/// How a build is made, as far as it is not in the sources.
pub(crate) fn recipe(kind: &Kind) -> String {
    format!(
        "{CARGO:?} {RUSTC:?} {OPTIMIZE} {ASSEMBLE:?} {:?} {} {}",
        kind.features, kind.fma_level, kind.checked
    )
}

/// Compile the modules with these names for an architecture.
pub(crate) fn modules(
    tools: &Tools,
    arch: &str,
    kind: &Kind,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<Module>> {
    let folder = root().join("target/gpu").join(arch);
    let bitcode = bitcode(tools, arch, kind, &folder)?;
    let job = Job { tools, arch, kind, folder: folder.join(kind.name), bitcode: &bitcode };
    fs::create_dir_all(&job.folder)?;
    let rows = KERNELS.iter().enumerate().filter(|(_, (name, _))| wanted(name));
    // those that take longest stand in the middle of the table, and must not come last
    let mut queue: Vec<_> = rows.map(|(place, (name, kernels))| (place, *name, *kernels)).collect();
    queue.sort_by_key(|(_, name, _)| std::cmp::Reverse(super::budget::bytes(name)));
    let queue = Mutex::new(VecDeque::from(queue));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let work = || {
        let mut done = Vec::new();
        while let Some((place, name, kernels)) = next() {
            // an error goes to another thread as text
            done.push((place, job.module(name, kernels).map_err(|e| format!("{name}: {e}"))));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let own = |thread: thread::ScopedJoinHandle<'_, Vec<_>>| thread.join();
        threads.into_iter().map(own).collect::<thread::Result<Vec<_>>>()
    })
    .map_err(|_| "a thread that compiles modules panicked")?
    .concat();
    done.sort_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, module)| module).collect::<std::result::Result<_, _>>()?)
}

/// All kernels as bitcode that is not optimized.
fn bitcode(tools: &Tools, arch: &str, kind: &Kind, folder: &Path) -> Result<PathBuf> {
    let target = folder.join("cargo");
    let flags = [&format!("-Ctarget-cpu={arch}"), RUSTC[0], RUSTC[1]].join("\x1f");
    run(nightly("cargo")
        .args(["rustc", "--release", "--locked", "--quiet", "--target", TARGET])
        .args(CARGO)
        .args(["--manifest-path", "crates/gpu/kernels/Cargo.toml", "--target-dir"])
        .arg(&target)
        .arg(format!("--features={}", kind.features.join(",")))
        .env("CARGO_ENCODED_RUSTFLAGS", flags)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_TARGET_NVPTX64_NVIDIA_CUDA_LINKER", std::env::current_exe()?)
        .env(LLVM_VARIABLE, &tools.llvm)
        .current_dir(root()))?;
    Ok(target.join(TARGET).join("release/ferrodyn_gpu_kernels.ptx"))
}

/// What all modules of a build have in common.
struct Job<'a> {
    tools: &'a Tools,
    arch: &'a str,
    kind: &'a Kind,
    folder: PathBuf,
    bitcode: &'a Path,
}

impl Job<'_> {
    /// Compile a module; what is there already and would be the same stays.
    fn module(&self, name: &'static str, kernels: &'static [&'static str]) -> Result<Module> {
        let start = Instant::now();
        let file = |extension: &str| self.folder.join(format!("{name}.{extension}"));
        let [ptx, cubin, log] = ["ptx", "cubin", "log"].map(file);
        let key = Hash::new()
            .add(&fs::read(self.bitcode)?)
            .add(kernels.join(",").as_bytes())
            .add(recipe(self.kind).as_bytes())
            .add(self.tools.rustc.as_bytes());
        let mut made = once(&ptx, &key, |to| self.compile(name, kernels, to))?;
        let registers = format!("-maxrregcount={}", super::budget::registers(name));
        let key = Hash::new()
            .add(&fs::read(&ptx)?)
            .add(format!("{} {ASSEMBLE:?} {registers}", self.arch).as_bytes())
            .add(self.tools.ptxas_version.as_bytes());
        made |= once(&cubin, &key, |to| {
            let mut assemble = Command::new(&self.tools.ptxas);
            assemble.arg(format!("-arch={}", self.arch)).args(ASSEMBLE).arg(&registers);
            Ok(fs::write(&log, output(assemble.arg("-o").arg(to).arg(&ptx))?)?)
        })?;
        if made {
            let seconds = start.elapsed().as_secs_f64();
            println!("{} {} {name}: made in {seconds:.0} s", self.kind.name, self.arch);
        }
        Ok(Module { name, kernels, cubin, log: fs::read_to_string(log)? })
    }

    /// Compile kernels to PTX.
    fn compile(&self, name: &str, kernels: &[&str], ptx: &Path) -> Result<()> {
        let scratch = |extension: &str| self.folder.join(format!("{name}.{extension}"));
        let [alone, text, small] = ["alone.bc", "alone.ll", "optimized.bc"].map(scratch);
        let cpu = format!("-mcpu={}", self.arch);
        let opt = |passes: &str, from: &Path, to: &Path| {
            let mut opt = self.tools.llvm("opt");
            opt.args([&cpu, passes]).arg("-o").arg(to).arg(from);
            opt
        };
        // the kernels of this module, and what they call
        output(
            opt("-passes=internalize,globaldce", self.bitcode, &alone)
                .arg(format!("--internalize-public-api-list={}", kernels.join(","))),
        )?;
        if !self.kind.checked {
            output(self.tools.llvm("llvm-dis").arg("-o").arg(&text).arg(&alone))?;
            let (without, count) = without_traps(&fs::read_to_string(&text)?);
            if count == 0 {
                return Err(
                    "nothing aborts: this compiler writes bounds checks in another way".into()
                );
            }
            fs::write(&text, without)?;
            output(self.tools.llvm("llvm-as").arg("-o").arg(&alone).arg(&text))?;
        }
        output(&mut opt(OPTIMIZE, &alone, &small))?;
        let contraction = format!("-nvptx-fma-level={}", self.kind.fma_level);
        output(
            self.tools.llvm("llc").args(["-O3", &cpu, &contraction]).arg("-o").arg(ptx).arg(&small),
        )?;
        fs::write(ptx, stable_names(&fs::read_to_string(ptx)?))?;
        for path in [alone, text, small] {
            if path.exists() {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// Make a file, unless it was made from the same things before; whether it was made. An interrupted run leaves nothing behind that counts.
fn once(path: &Path, key: &Hash, make: impl FnOnce(&Path) -> Result<()>) -> Result<bool> {
    let stamp = path.with_added_extension("key");
    if path.exists() && fs::read_to_string(&stamp).is_ok_and(|old| old == key.text()) {
        return Ok(false);
    }
    if stamp.exists() {
        fs::remove_file(&stamp)?;
    }
    make(path)?;
    fs::write(stamp, key.text())?;
    Ok(true)
}
