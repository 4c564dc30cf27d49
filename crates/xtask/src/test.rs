//! Everything that has to pass before a change lands.
//!
//! The checks are two rows that run side by side, since most of either is a chain of crates that keeps one core busy: the one builds in the
//! profile of development, the other one in that of releases, so that neither waits for the other's files.
use std::fs::{self, File};
use std::process::{Child, Command};
use std::time::Instant;

use crate::gpu;
use crate::no_alloc;
use crate::python;
use crate::run::{Result, cargo, root, run};
use crate::wasm;

/// Name and function of a check.
type Check = (&'static str, fn() -> Result<()>);

/// Checks of the profile of development, in the order in which failures are cheapest to find.
const DEVELOPMENT: [Check; 7] = [
    ("format", format),
    ("gpu kernels", gpu::check),
    ("lints", lints),
    ("documentation", documentation),
    ("Rust tests", rust_tests),
    ("examples", examples),
    ("single precision", single_precision),
];
/// Checks of the profile of releases.
const RELEASE: [Check; 5] = [
    ("Python package", python_tests),
    ("quick conformance", quick_conformance),
    ("determinism", determinism),
    ("a program without an allocator", no_alloc::build_and_run),
    ("WebAssembly", wasm::build_and_run),
];

/// Run every check.
pub(crate) fn all() -> Result<()> {
    let start = Instant::now();
    let mut other = Beside::start()?;
    let outcome = in_order(&DEVELOPMENT);
    if outcome.is_err() {
        other.process.kill()?;
    }
    // what the other row printed comes after what this one did
    let succeeded = other.process.wait()?.success();
    print!("{}", fs::read_to_string(&other.output)?);
    outcome?;
    if !succeeded {
        return Err("a check of the release builds failed".into());
    }
    println!("\nall checks passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Run the checks of release builds alone.
pub(crate) fn release() -> Result<()> {
    in_order(&RELEASE)
}

/// The row of release builds, a process of its own.
struct Beside {
    process: Child,
    output: std::path::PathBuf,
}

impl Beside {
    fn start() -> Result<Beside> {
        fs::create_dir_all(root().join("target"))?;
        let output = root().join("target/test-release.txt");
        let file = File::create(&output)?;
        let process = Command::new(std::env::current_exe()?)
            .arg("test-release")
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()?;
        Ok(Beside { process, output })
    }
}

/// Run checks one after the other, and tell how long each takes.
fn in_order(checks: &[Check]) -> Result<()> {
    for (name, check) in checks {
        println!("\n== {name}");
        let begin = Instant::now();
        check().map_err(|e| format!("{name}: {e}"))?;
        println!("== {name}: passed in {:.0} s", begin.elapsed().as_secs_f64());
    }
    Ok(())
}

fn format() -> Result<()> {
    run(cargo().args(["fmt", "--all", "--", "--check"]))?;
    // those that are no members of the workspace
    for manifest in
        ["examples/no_alloc/Cargo.toml", "examples/web/Cargo.toml", "crates/gpu/kernels/Cargo.toml"]
    {
        run(cargo().args(["fmt", "--manifest-path", manifest, "--", "--check"]))?;
    }
    Ok(())
}

fn lints() -> Result<()> {
    run(cargo().args(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))
}

fn documentation() -> Result<()> {
    run(cargo()
        .args(["doc", "--workspace", "--no-deps", "--quiet"])
        .env("RUSTDOCFLAGS", "-D warnings"))
}

fn rust_tests() -> Result<()> {
    run(cargo().args(["test", "--workspace", "--quiet"]))
}

/// Bit-identical results do not depend on optimization: the fingerprints hold in both profiles.
fn determinism() -> Result<()> {
    run(cargo().args([
        "test",
        "--package",
        "ferrodyn",
        "--release",
        "--quiet",
        "--test",
        "determinism",
    ]))
}

/// Run every example of the facade; each one checks what it shows.
fn examples() -> Result<()> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root().join("crates/ferrodyn/examples"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().map(|name| name.to_owned()));
        }
    }
    names.sort();
    if names.is_empty() {
        return Err("there are no examples".into());
    }
    for name in names {
        println!("-- {}", name.to_string_lossy());
        run(cargo().args(["run", "--quiet", "--package", "ferrodyn", "--example"]).arg(&name))?;
    }
    Ok(())
}

/// Lints and tests of the build in which reals have four bytes. Their tolerances follow the precision. Tests of the
/// facade run that hold for any rounding; the others compare with digits that single precision does not have. Tests of the stages
/// leave those out by themselves.
fn single_precision() -> Result<()> {
    const STEP: [&str; 10] = [
        "--package",
        "ferrodyn-math",
        "--package",
        "ferrodyn-model",
        "--package",
        "ferrodyn-collision",
        "--package",
        "ferrodyn-soft",
        "--package",
        "ferrodyn-dynamics",
    ];
    const FACADE: [&str; 6] = ["--test", "golden", "--test", "physics", "--test", "allocation"];
    let features = ["--quiet", "--features", "ferrodyn-dynamics/f32"];
    run(cargo()
        .args(["clippy", "--all-targets"])
        .args(STEP)
        .args(features)
        .args(["--", "-D", "warnings"]))?;
    run(cargo().arg("test").args(STEP).args(features))?;
    let facade = ["--quiet", "--package", "ferrodyn", "--features", "f32"];
    run(cargo().arg("clippy").args(facade).args(FACADE).args(["--", "-D", "warnings"]))?;
    run(cargo().arg("test").args(facade).args(FACADE))
}

fn python_tests() -> Result<()> {
    python::with_wheel()?.run(["-m", "pytest", "-q", "crates/python/tests", "conformance/tests"])
}

fn quick_conformance() -> Result<()> {
    let script = root().join("conformance/conform.py");
    let python = python::with_oracle()?;
    run(python.command().arg(&script).arg("--quick"))?;
    // the comparison itself: engines that are wrong on purpose must fail
    run(python.command().arg(&script).args(["--quick", "--faults", "--level", "L3"]))?;
    let pairs = root().join("conformance/pairs.py");
    run(python.command().arg(&pairs).args(["--quick", "--limits"]))
}
