//! Reports what is wrong with models.
use std::io::Write;
use std::path::PathBuf;

use super::{Result, load, print_warnings};

/// Report every error and warning of some models, each with its place.
pub(crate) fn check(out: &mut dyn Write, paths: &[PathBuf]) -> Result<()> {
    let mut failed = 0;
    for path in paths {
        match load(path) {
            Ok(model) => {
                print_warnings(&model);
                writeln!(out, "{}: ok", path.display())?;
            }
            Err(error) => {
                eprintln!("{error}");
                failed += 1;
            }
        }
    }
    match (failed, paths.len()) {
        (0, _) => Ok(()),
        (_, 1) => Err("the model has errors".into()),
        (failed, total) => Err(format!("{failed} of {total} models have errors").into()),
    }
}
