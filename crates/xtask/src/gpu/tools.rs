//! The programs that make kernels: a nightly compiler with its LLVM, and NVIDIA's assembler.
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::python;
use crate::run::{Result, run, succeeds};

/// The toolchain: kernels need a target that has no compiled libraries, and the ABI of kernels, which is not stable.
const TOOLCHAIN: &str = "nightly";

/// Where the programs are, and which releases they have.
pub(crate) struct Tools {
    /// Folder of LLVM's programs.
    pub(crate) llvm: PathBuf,
    /// The compiler's description of itself.
    pub(crate) rustc: String,
    /// NVIDIA's assembler.
    pub(crate) ptxas: PathBuf,
    /// Its description of itself.
    pub(crate) ptxas_version: String,
}

impl Tools {
    /// Find the programs; what is missing is installed.
    pub(crate) fn find() -> Result<Tools> {
        if !succeeds(Command::new("rustup").arg("--version")) {
            return Err("rustup is missing: kernels need a nightly toolchain".into());
        }
        if !succeeds(nightly("rustc").arg("-vV")) {
            let install = ["toolchain", "install", TOOLCHAIN, "--profile", "minimal"];
            run(Command::new("rustup").args(install))?;
        }
        let rustc = output(nightly("rustc").arg("-vV"))?;
        let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
        let host = host.ok_or("rustc does not name its host")?;
        let sysroot = output(nightly("rustc").args(["--print", "sysroot"]))?;
        let libraries = Path::new(sysroot.trim()).join("lib/rustlib");
        let llvm = libraries.join(host).join("bin");
        if !llvm.join("llc").exists() || !libraries.join("src/rust/library/core").exists() {
            let add = ["component", "add", "--toolchain", TOOLCHAIN, "rust-src", "llvm-tools"];
            run(Command::new("rustup").args(add))?;
        }
        let ptxas = python::with_ptxas()?;
        let ptxas_version = output(Command::new(&ptxas).arg("--version"))?;
        Ok(Tools { llvm, rustc, ptxas, ptxas_version })
    }

    /// One of LLVM's programs.
    pub(crate) fn llvm(&self, name: &str) -> Command {
        Command::new(self.llvm.join(name))
    }

    /// Which releases made an archive, in one line.
    pub(crate) fn describe(&self) -> String {
        let rustc = self.rustc.lines().next().unwrap_or("rustc");
        let release = self.ptxas_version.split_whitespace().find(|word| word.starts_with('V'));
        format!("{rustc}, ptxas {}", release.unwrap_or("?").trim_start_matches('V'))
    }
}

/// A program of the nightly toolchain.
pub(crate) fn nightly(program: &str) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", TOOLCHAIN, program]);
    // those of the toolchain that runs this task
    command.env_remove("RUSTC").env_remove("CARGO");
    command
}

/// Run a program, and return what it prints; where it fails, that is the error.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command.output().map_err(|e| format!("cannot run {name}: {e}"))?;
    let mut text = String::from_utf8_lossy(&out.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&out.stderr));
    if !out.status.success() {
        // it may have been ended from outside, and then says nothing
        return Err(format!("{name} failed, {}\n{text}", out.status).into());
    }
    Ok(text)
}
