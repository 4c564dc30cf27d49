//! Development tasks, run as `cargo xtask TASK`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

mod call_graph;
mod no_alloc;
mod python;
mod run;
mod test;
mod wasm;

use std::process::ExitCode;

use run::{Result, root};

const HELP: &str = "\
cargo xtask TASK

  test      everything that has to pass: format, lints, documentation, Rust tests, those of single
            precision, the WebAssembly build, the Python wheel and its tests, the quick conformance set
  conform   compare with MuJoCo; flags are passed on (try: cargo xtask conform --help); with --single
            a wheel in single precision, which is measured, not judged
  golden    write the golden data of conformance/models from MuJoCo
  bench     speed beside MuJoCo in one run, as a ratio
  bench-stages  time of collision detection and of the constraint solver, beside MuJoCo
  bench-derivatives  time of the derivative of a step, beside MuJoCo
  bench-integrators  what a step costs with each integrator, relative to Euler, beside MuJoCo
  pairs     contacts of random pairs of geoms, beside MuJoCo
  bench-load  time and memory of loading the models of a folder, beside MuJoCo
  no-alloc  build and run a program that steps a humanoid without an allocator
  wasm      build the crates of the step for WebAssembly
  wheel     build the Python package into the private environment (.venv)
";

fn dispatch(task: &str, args: &[String]) -> Result<()> {
    match task {
        "test" => test::all(),
        "conform" if args.iter().any(|arg| arg == "--single") => {
            let (python, folder) = python::with_single_wheel()?;
            let script = root().join("conformance/conform.py");
            run::run(python.command().env("PYTHONPATH", folder).arg(script).args(args))
        }
        "conform" => {
            let python = python::for_conformance()?;
            let script = root().join("conformance/conform.py");
            python.run([script.as_os_str()].into_iter().chain(args.iter().map(AsRef::as_ref)))
        }
        "golden" => {
            let script = root().join("conformance/golden.py");
            python::with_oracle()?
                .run([script.as_os_str()].into_iter().chain(args.iter().map(AsRef::as_ref)))
        }
        "bench" => {
            let script = root().join("benches/compare.py");
            python::for_benchmarks()?
                .run([script.as_os_str()].into_iter().chain(args.iter().map(AsRef::as_ref)))
        }
        "bench-load" => {
            let script = root().join("benches/load.py");
            python::with_wheel()?
                .run([script.as_os_str()].into_iter().chain(args.iter().map(AsRef::as_ref)))
        }
        "bench-stages" => {
            let script = root().join("benches/stages.py");
            python::with_wheel()?
                .run([script.as_os_str()].into_iter().chain(args.iter().map(AsRef::as_ref)))
        }
        "bench-derivatives" => {
            let script = root().join("benches/derivatives.py");
            python::with_wheel()?
                .run([script.as_os_str()].into_iter().chain(args.iter().map(AsRef::as_ref)))
        }
        "bench-integrators" => {
            let script = root().join("benches/integrators.py");
            python::with_wheel()?
                .run([script.as_os_str()].into_iter().chain(args.iter().map(AsRef::as_ref)))
        }
        "pairs" => {
            let script = root().join("conformance/pairs.py");
            python::with_wheel()?
                .run([script.as_os_str()].into_iter().chain(args.iter().map(AsRef::as_ref)))
        }
        "no-alloc" => no_alloc::build_and_run(),
        "wasm" => wasm::build(),
        "wheel" => python::with_wheel().map(|_| ()),
        _ => Err(format!("unknown task '{task}'\n\n{HELP}").into()),
    }
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let Some(task) = args.next() else {
        print!("{HELP}");
        return ExitCode::FAILURE;
    };
    let rest: Vec<String> = args.collect();
    match dispatch(&task, &rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("xtask {task}: {e}");
            ExitCode::FAILURE
        }
    }
}
