//! A program that steps a world without an allocator, and what steps call.
use std::fs;
use std::process::Command;

use crate::call_graph::CallGraph;
use crate::run::{Result, cargo, root, run};

/// The crates whose functions a step is made of.
const STEP: [&str; 4] =
    ["ferrodyn_dynamics", "ferrodyn_soft", "ferrodyn_collision", "ferrodyn_math"];
/// Bytes that a function of a step may take of the stack: a page, so that many threads can have small stacks.
const LARGEST_FRAME: usize = 4096;

/// Compile a model, build the program that holds it, run it, and look at what it calls.
pub(crate) fn build_and_run() -> Result<()> {
    let folder = root().join("target/no-alloc");
    fs::create_dir_all(&folder)?;
    let image = folder.join("humanoid.fdb");
    run(cargo()
        .args(["run", "--quiet", "--package", "ferrodyn-cli", "--", "compile"])
        .arg("benches/models/humanoid.xml")
        .arg(&image))?;
    let target = host_target()?;
    let program = |task: &str| {
        let mut command = cargo();
        command
            .args([task, "--release", "--locked", "--quiet", "--target", &target])
            .args(["--manifest-path", "examples/no_alloc/Cargo.toml"])
            .arg("--target-dir")
            .arg(&folder)
            .env("FERRODYN_IMAGE", &image)
            // so that a disassembly names what is called
            .env("RUSTFLAGS", "-C relocation-model=static");
        command
    };
    run(program("clippy").args(["--", "-D", "warnings"]))?;
    // its exit code says whether the state has the right bits
    run(&mut program("run"))?;
    if !target.starts_with("x86_64") {
        println!("calls and stack frames are read from x86-64 programs only");
        return Ok(());
    }
    let graph = CallGraph::read(&folder.join(target).join("release/no-alloc"))?;
    let ((frame, name), _) = graph.check("main", &STEP, LARGEST_FRAME)?;
    println!("no recursion, no trait objects; the largest stack frame has {frame} bytes: {name}");
    read_simulations()
}

/// Look at what the steps of simulations of exchangeable parts call: MuJoCo's parts, and others. They are in an example, since a `Sim` owns memory.
fn read_simulations() -> Result<()> {
    run(cargo().args(["build", "--release", "--locked", "--quiet"]).args([
        "--package",
        "ferrodyn",
        "--example",
        "sim_builder",
    ]))?;
    let graph = CallGraph::read(&root().join("target/release/examples/sim_builder"))?;
    let ours = [&STEP[..], &["ferrodyn", "sim_builder"]].concat();
    for step in ["sim_builder::step_mujoco", "sim_builder::step_others"] {
        let ((frame, _), count) = graph.check(step, &ours, LARGEST_FRAME)?;
        println!(
            "{step}: none in {count} functions either; the largest stack frame has {frame} bytes"
        );
    }
    Ok(())
}

/// The target of this machine's compiler.
fn host_target() -> Result<String> {
    let out = Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8(out.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc does not name its host")?.to_owned())
}
