//! Converts models between text, binary and readable dumps.
use std::io::Write;
use std::path::Path;

use ferrodyn::{Error, LoadOptions, Model, Spec};

use super::dump::dump;
use super::{Result, is_binary, load, print_warnings};

/// What a model can be written as, by the ending of the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Mjcf,
    Binary,
    Dump,
}

impl Format {
    fn of(path: &Path) -> Result<Format> {
        match path.extension().and_then(|e| e.to_str()) {
            Some("xml" | "mjcf") => Ok(Format::Mjcf),
            Some("fdb") => Ok(Format::Binary),
            Some("txt") => Ok(Format::Dump),
            Some("urdf") => Err("URDF can be read but not written".into()),
            _ => {
                let message = "the output ends in .xml (MJCF), .fdb (binary) or .txt (all arrays)";
                Err(format!("{}: {message}", path.display()).into())
            }
        }
    }
}

/// Compile a model and write it in the format that the output's name asks for.
pub(crate) fn compile(out: &mut dyn Write, input: &Path, output: &Path) -> Result<()> {
    let format = Format::of(output)?;
    if format == Format::Mjcf {
        if is_binary(input) {
            let reason = "a binary model cannot be written as MJCF: it does not hold the elements \
                          of its text";
            return Err(format!("{}: {reason}", input.display()).into());
        }
        let spec = Spec::from_xml_path(input, &LoadOptions::default()).map_err(Error::from)?;
        print_warnings(&Model::from_spec(&spec).map_err(Error::from)?);
        spec.save_xml(output).map_err(|source| file_error(output, source))?;
    } else {
        let model = load(input)?;
        print_warnings(&model);
        match format {
            Format::Dump => {
                std::fs::write(output, dump(&model)).map_err(|source| file_error(output, source))?
            }
            _ => model.save_binary(output)?,
        }
    }
    writeln!(out, "{}: {} bytes", output.display(), std::fs::metadata(output)?.len())?;
    Ok(())
}

fn file_error(path: &Path, source: std::io::Error) -> Error {
    Error::File { path: path.to_owned(), source }
}
