//! Development tasks, run as `cargo xtask TASK`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

mod call_graph;
mod dist;
mod gpu;
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
            precision, WebAssembly, the Python wheel and its tests, the quick conformance set
  test-release  those of its checks alone that build releases; `test` runs them beside the others
  conform   compare with MuJoCo; flags are passed on (try: cargo xtask conform --help); with --single
            a wheel in single precision, which is measured, not judged
  golden    write the golden data of conformance/models from MuJoCo
  bench     speed beside MuJoCo in one run, as a ratio; --instructions, --stages; --document writes docs/performance.md
  bench-growth  what a step costs as models grow, beside MuJoCo; --svg FOLDER, --document
  bench-stages  time of collision detection and of the constraint solver, beside MuJoCo
  bench-derivatives  time of the derivative of a step, beside MuJoCo
  bench-integrators  what a step costs with each integrator, relative to Euler, beside MuJoCo
  rollout-tests  MuJoCo's own tests of rollouts, run against this engine
  ecosystem  tests with packages that are too heavy for every run: rollouts on a Ray cluster of two machines
  pairs     contacts of random pairs of geoms, beside MuJoCo
  bench-batch  batches of a thousand worlds, beside MuJoCo's rollouts and the batches of its newest release
  bench-rollout  rollouts of a thousand worlds, beside MuJoCo's
  bench-memory  memory of a thousand worlds, beside MuJoCo
  bench-load  time and memory of loading the models of a folder and of making worlds, beside MuJoCo; --document
  no-alloc  build and run a program that steps a humanoid without an allocator; read from disassemblies what
            its step and those of simulations call
  wasm      build the engine for WebAssembly, and run a humanoid from MJCF text under Node
  bench-vector-env  steps per second of Gymnasium's vector environments, beside MuJoCo and EnvPool
  gpu       build the kernels of crates/gpu and check what they take; --arch sm_90, --module NAME: those alone; --checked: also
            an archive with bounds checks, in target/gpu, which FERRODYN_GPU_KERNELS=PATH loads
  wheel     build the Python package into the private environment (.venv)
  dist      build the command into target/dist, for every processor and for those with AVX2
";

/// Run a script of the repository with the arguments of the command line.
fn script(python: python::Python, path: &str, args: &[String]) -> Result<()> {
    run::run(python.command().arg(root().join(path)).args(args))
}

fn dispatch(task: &str, args: &[String]) -> Result<()> {
    match task {
        "test" => test::all(),
        "test-release" => test::release(),
        "conform" if args.iter().any(|arg| arg == "--single") => {
            let (python, folder) = python::with_single_wheel()?;
            let script = root().join("conformance/conform.py");
            run::run(python.command().env("PYTHONPATH", folder).arg(script).args(args))
        }
        "conform" => script(python::for_conformance()?, "conformance/conform.py", args),
        "golden" => script(python::with_oracle()?, "conformance/golden.py", args),
        "ecosystem" => {
            python::for_ecosystem()?.run(["-m", "pytest", "-q", "crates/python/ecosystem"])
        }
        "pairs" => script(python::with_wheel()?, "conformance/pairs.py", args),
        "rollout-tests" => script(python::with_wheel()?, "conformance/rollout_tests.py", args),
        "bench" => script(python::for_benchmarks()?, "benches/compare.py", args),
        "bench-growth" => script(python::for_benchmarks()?, "benches/growth.py", args),
        "bench-load" => script(python::with_wheel()?, "benches/load.py", args),
        "bench-stages" => script(python::with_wheel()?, "benches/stages.py", args),
        "bench-derivatives" => script(python::with_wheel()?, "benches/derivatives.py", args),
        "bench-integrators" => script(python::with_wheel()?, "benches/integrators.py", args),
        "bench-batch" => script(python::for_benchmarks()?, "benches/batch.py", args),
        "bench-rollout" => script(python::with_wheel()?, "benches/rollout.py", args),
        "bench-memory" => script(python::with_wheel()?, "benches/memory.py", args),
        "no-alloc" => no_alloc::build_and_run(),
        "wasm" => wasm::build_and_run(),
        "dist" => dist::build(),
        "gpu" => gpu::build(args),
        "bench-vector-env" => script(python::for_vector_envs()?, "benches/vector_env.py", args),
        "wheel" => python::with_wheel().map(|_| ()),
        _ => Err(format!("unknown task '{task}'\n\n{HELP}").into()),
    }
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    if let Some(llvm) = std::env::var_os(gpu::LLVM_VARIABLE) {
        return finish("gpu linker", gpu::link(llvm.as_ref(), args));
    }
    let Some(task) = args.next() else {
        print!("{HELP}");
        return ExitCode::FAILURE;
    };
    let rest: Vec<String> = args.collect();
    finish(&task, dispatch(&task, &rest))
}

/// The exit code of a task, whose error is printed.
fn finish(task: &str, outcome: Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("xtask {task}: {e}");
            ExitCode::FAILURE
        }
    }
}
