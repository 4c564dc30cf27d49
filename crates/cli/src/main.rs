//! The `ferrodyn` command.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

mod commands;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Simulate articulated bodies: MuJoCo's models and MuJoCo's numbers, in Rust.
///
/// Without a command, a humanoid that is built in swings from its pelvis for ten seconds.
#[derive(Parser)]
#[command(name = "ferrodyn", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate the built-in humanoid for ten seconds and print a summary
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
    /// Compile a model and write it as MJCF (.xml), binary (.fdb) or a listing of all arrays (.txt)
    Compile {
        /// MJCF or URDF file, or binary model ending in .fdb
        input: PathBuf,
        /// File to write; its ending chooses the format
        output: PathBuf,
    },
}

fn main() -> ExitCode {
    let result = match Cli::parse().command.unwrap_or(Command::Demo) {
        Command::Demo => commands::demo(),
        Command::Info { model } => commands::info(&model),
        Command::Check { models } => commands::check(&models),
        Command::Run { model, time, key, csv } => {
            commands::run(&model, time, key.as_deref(), csv.as_deref())
        }
        Command::Testspeed { model, nstep, no_constraints } => {
            commands::testspeed(&model, nstep, no_constraints)
        }
        Command::Compile { input, output } => commands::compile(&input, &output),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
