//! The engine in WebAssembly, from MJCF text to a state.
use std::path::Path;
use std::process::Command;

use crate::run::{Result, cargo, root, run, succeeds};

const TARGET: &str = "wasm32-unknown-unknown";

/// Build the module of `examples/web`, which has the facade without disk and threads in it, and run it under Node: a humanoid is loaded
/// from text and must come to the same state as in every other build.
pub(crate) fn build_and_run() -> Result<()> {
    add_target()?;
    let folder = root().join("target/web");
    let module = |task: &str| {
        let mut command = cargo();
        command
            .args([task, "--release", "--locked", "--quiet", "--target", TARGET])
            .args(["--manifest-path", "examples/web/Cargo.toml"])
            .arg("--target-dir")
            .arg(&folder)
            // of the crates of the engine, too, as they are without disk and threads; with vector instructions, which every
            // browser has had for years and which change no bit
            .env("RUSTFLAGS", "-D warnings -C target-feature=+simd128");
        command
    };
    run(module("clippy").args(["--", "-D", "warnings"]))?;
    run(&mut module("build"))?;
    run(node()?
        .arg("examples/web/run.mjs")
        .arg(folder.join(TARGET).join("release/web.wasm"))
        .arg("benches/models/humanoid.xml")
        .current_dir(root()))
}

/// Have the libraries of the target, from rustup if the toolchain came without them.
fn add_target() -> Result<()> {
    let out = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    if out.is_ok_and(|out| Path::new(String::from_utf8_lossy(&out.stdout).trim()).exists()) {
        return Ok(());
    }
    run(Command::new("rustup").args(["target", "add", TARGET]))
        .map_err(|e| format!("the toolchain has no libraries for {TARGET}: {e}").into())
}

/// The command that runs JavaScript; it is installed where there is none.
fn node() -> Result<Command> {
    let is_there = || succeeds(Command::new("node").arg("--version"));
    if !is_there() {
        // the lists of a fresh machine may be empty or old
        succeeds(Command::new("apt-get").arg("update"));
        let install = ["install", "--yes", "--no-install-recommends", "nodejs"];
        run(Command::new("apt-get").args(install)).map_err(|e| format!("Node is missing: {e}"))?;
    }
    Ok(Command::new("node"))
}
