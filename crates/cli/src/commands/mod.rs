//! One function per command.
mod demo;
mod info;
mod run;
mod testspeed;

use std::path::Path;

use ferrodyn::{Error, Model};

pub(crate) use demo::demo;
pub(crate) use info::info;
pub(crate) use run::run;
pub(crate) use testspeed::testspeed;

/// The result of a command.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Load a model by the ending of its name: `.fdb` is binary, everything else MJCF.
fn load(path: &Path) -> Result<Model> {
    if path.extension().is_some_and(|e| e == "fdb") {
        Ok(Model::from_binary_path(path)?)
    } else {
        Ok(Model::from_xml_path(path).map_err(Error::from)?)
    }
}

/// Print what the compiler warned about.
fn print_warnings(model: &Model) {
    for warning in model.warnings() {
        eprintln!("warning: {warning}");
    }
}

/// Report every error of a model.
pub(crate) fn check(path: &Path) -> Result<()> {
    let model = load(path)?;
    print_warnings(&model);
    println!("{}: ok", path.display());
    Ok(())
}

/// Compile a model to the binary format.
pub(crate) fn compile(input: &Path, output: &Path) -> Result<()> {
    let model = load(input)?;
    print_warnings(&model);
    model.save_binary(output)?;
    println!("{}: {} bytes", output.display(), std::fs::metadata(output)?.len());
    Ok(())
}
