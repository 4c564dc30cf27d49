//! Running other programs.
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

/// The result of a task.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).map_or_else(PathBuf::new, PathBuf::from)
}

/// The cargo that runs this task.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Run a command; a failure names it.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .map_err(|e| format!("cannot run {}: {e}", command.get_program().to_string_lossy()))?;
    if status.success() { Ok(()) } else { Err(format!("failed: {}", describe(command)).into()) }
}

/// Run a command quietly; true when it succeeded.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|out| out.status.success())
}

/// The command line of a command.
fn describe(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}
