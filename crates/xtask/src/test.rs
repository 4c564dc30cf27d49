//! Everything that has to pass before a change lands.
use std::time::Instant;

use crate::python;
use crate::run::{Result, cargo, root, run};
use crate::wasm;

/// Run every check, in the order in which failures are cheapest to find.
pub(crate) fn all() -> Result<()> {
    let checks: [(&str, fn() -> Result<()>); 7] = [
        ("format", format),
        ("lints", lints),
        ("documentation", documentation),
        ("Rust tests", rust_tests),
        ("WebAssembly build", wasm::build),
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
    run(cargo().args(["fmt", "--all", "--", "--check"]))
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
