//! The `ferrodyn` command.
#![allow(clippy::print_stderr, reason = "a command-line program")]

mod commands;
mod wide;

use std::io::{BufWriter, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Simulate articulated bodies: MuJoCo's models and MuJoCo's numbers, in Rust.
///
/// Without a command, a humanoid that is built in falls to the ground and comes to rest.
#[derive(Parser)]
#[command(name = "ferrodyn", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Let the built-in humanoid fall for ten seconds and print a summary
    Demo,
    /// Print sizes, the tree of bodies and warnings
    Info {
        /// MJCF or URDF file, or binary model ending in .fdb
        model: PathBuf,
    },
    /// Report every error and warning of models; the exit code is 1 when there is an error
    Check {
        /// MJCF or URDF files, or binary models ending in .fdb
        #[arg(required = true)]
        models: Vec<PathBuf>,
    },
    /// Simulate a model from its reference pose and print the final state
    Run {
        /// MJCF or URDF file, or binary model ending in .fdb
        model: PathBuf,
        /// Simulated time in seconds
        #[arg(long, default_value_t = 10.0)]
        time: f64,
        /// Start from this keyframe (name or number)
        #[arg(long)]
        key: Option<String>,
        /// Write time, qpos and qvel of every step to this file
        #[arg(long, value_name = "FILE")]
        csv: Option<PathBuf>,
    },
    /// Measure steps per second
    Testspeed {
        /// MJCF or URDF file, or binary model ending in .fdb
        model: PathBuf,
        /// Number of steps
        #[arg(long, default_value_t = 10_000)]
        nstep: usize,
        /// Switch constraints off
        #[arg(long)]
        no_constraints: bool,
    },
    /// Step many worlds of a model at once, on all cores
    Batch(commands::BatchArgs),
    /// Compile a model and write it as MJCF (.xml), binary (.fdb) or a listing of all arrays (.txt)
    Compile {
        /// MJCF or URDF file, or binary model ending in .fdb
        input: PathBuf,
        /// File to write; its ending chooses the format
        output: PathBuf,
    },
}

fn main() -> ExitCode {
    wide::go_on_with_wider_instructions();
    let command = Cli::parse().command.unwrap_or(Command::Demo);
    let mut out = BufWriter::new(std::io::stdout().lock());
    match execute(command, &mut out).and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            // what was printed before belongs before the error
            out.flush().ok();
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command, out: &mut dyn Write) -> commands::Result<()> {
    match command {
        Command::Demo => commands::demo(out),
        Command::Info { model } => commands::info(out, &model),
        Command::Check { models } => commands::check(out, &models),
        Command::Run { model, time, key, csv } => {
            commands::run(out, &model, time, key.as_deref(), csv.as_deref())
        }
        Command::Testspeed { model, nstep, no_constraints } => {
            commands::testspeed(out, &model, nstep, no_constraints)
        }
        Command::Batch(args) => commands::batch(out, &args),
        Command::Compile { input, output } => commands::compile(out, &input, &output),
    }
}

/// Did the reader of the output leave, as `head` does when it has seen enough?
fn is_closed_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
}
