//! One function per command.
mod batch;
mod check;
mod convert;
mod demo;
mod dump;
mod info;
mod run;
mod testspeed;

use std::path::Path;

use ferrodyn::{Error, Model};

pub(crate) use batch::{BatchArgs, batch};
pub(crate) use check::check;
pub(crate) use convert::compile;
pub(crate) use demo::demo;
pub(crate) use info::info;
pub(crate) use run::run;
pub(crate) use testspeed::testspeed;

/// The result of a command.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Is the file a binary model, by the ending of its name?
fn is_binary(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "fdb")
}

/// Load a model by the ending of its name: `.fdb` is binary, everything else MJCF or URDF.
fn load(path: &Path) -> Result<Model> {
    if is_binary(path) {
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
