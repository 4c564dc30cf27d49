//! Everything that has to pass before a change lands.
use std::time::Instant;

use crate::no_alloc;
use crate::python;
use crate::run::{Result, cargo, root, run};
use crate::wasm;

/// Run every check, in the order in which failures are cheapest to find.
pub(crate) fn all() -> Result<()> {
    let checks: [(&str, fn() -> Result<()>); 10] = [
        ("format", format),
        ("lints", lints),
        ("documentation", documentation),
        ("Rust tests", rust_tests),
        ("examples", examples),
        ("single precision", single_precision),
        ("a program without an allocator", no_alloc::build_and_run),
        ("WebAssembly", wasm::build_and_run),
        ("Python package", python_tests),
        ("quick conformance", quick_conformance),
    ];
    let start = Instant::now();
    for (name, check) in checks {
        println!("\n== {name}");
        let begin = Instant::now();
        check().map_err(|e| format!("{name}: {e}"))?;
        println!("== {name}: passed in {:.0} s", begin.elapsed().as_secs_f64());
    }
    println!("\nall checks passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn format() -> Result<()> {
    run(cargo().args(["fmt", "--all", "--", "--check"]))?;
    for example in ["examples/no_alloc/Cargo.toml", "examples/web/Cargo.toml"] {
        run(cargo().args(["fmt", "--manifest-path", example, "--", "--check"]))?;
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
    run(cargo().args(["test", "--workspace", "--quiet"]))?;
    // bit-identical results do not depend on optimization: the fingerprints hold in both profiles
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
