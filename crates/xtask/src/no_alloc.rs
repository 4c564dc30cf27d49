//! A program that steps a world without an allocator.
use std::fs;

use crate::run::{Result, cargo, root, run};

/// Compile a model, build the program that holds it, and run it.
pub(crate) fn build_and_run() -> Result<()> {
    let folder = root().join("target/no-alloc");
    fs::create_dir_all(&folder)?;
    let image = folder.join("humanoid.fdb");
    run(cargo()
        .args(["run", "--quiet", "--package", "ferrodyn-cli", "--", "compile"])
        .arg("benches/models/humanoid.xml")
        .arg(&image))?;
    let program = |task: &str| {
        let mut command = cargo();
        command
            .args([task, "--release", "--locked", "--quiet"])
            .args(["--manifest-path", "examples/no_alloc/Cargo.toml"])
            .arg("--target-dir")
            .arg(&folder)
            .env("FERRODYN_IMAGE", &image);
        command
    };
    run(program("clippy").args(["--", "-D", "warnings"]))?;
    // its exit code says whether the state has the right bits
    run(&mut program("run"))
}
