//! What stands in for the linker of kernels.
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Result, run};

/// Options of the linker that have a value, which is of no interest here.
const WITH_VALUE: [&str; 5] =
    ["--export-symbol", "--target", "--target-cpu", "--target-feature", "--optimization"];

/// Put what the compiler made of all crates into one file of bitcode, and no more: the compiler's own linker for this target optimizes everything
/// together with all its kernels, which takes several times as long and leaves no place to take bounds checks out.
pub(crate) fn link(llvm: &Path, args: impl IntoIterator<Item = String>) -> Result<()> {
    let (inputs, output) = read(args)?;
    let scratch = output.with_extension("objects");
    let mut link = Command::new(llvm.join("llvm-link"));
    link.arg("-o").arg(&output);
    for (number, input) in inputs.iter().enumerate() {
        if input.extension() != Some(OsStr::new("rlib")) {
            link.arg(input);
            continue;
        }
        let folder = scratch.join(number.to_string());
        fs::create_dir_all(&folder)?;
        run(Command::new(llvm.join("llvm-ar")).arg("x").arg(input).current_dir(&folder))?;
        link.args(objects(&folder)?);
    }
    run(&mut link)?;
    if scratch.exists() {
        fs::remove_dir_all(scratch)?;
    }
    Ok(())
}

/// What to link, and into which file.
fn read(args: impl IntoIterator<Item = String>) -> Result<(Vec<PathBuf>, PathBuf)> {
    let mut inputs = Vec::new();
    let mut output = None;
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        if arg == "-o" {
            output = args.next().map(PathBuf::from);
        } else if WITH_VALUE.contains(&arg.as_str()) {
            args.next();
        } else if [".o", ".rlib", ".bc"].iter().any(|end| arg.ends_with(end)) {
            inputs.push(std::path::absolute(arg)?);
        }
    }
    Ok((inputs, output.ok_or("the linker was called without a file to write")?))
}

/// The objects in a folder, in the order of their names.
fn objects(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut objects = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new("o")) {
            objects.push(path);
        }
    }
    objects.sort();
    Ok(objects)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_inputs_and_output() {
        let args = ["--target-cpu", "x.o", "/a.o", "-o", "/out", "--debug", "/b.rlib"];
        let (inputs, output) = read(args.map(String::from)).unwrap();
        assert_eq!(inputs, ["/a.o", "/b.rlib"].map(PathBuf::from));
        assert_eq!(output, PathBuf::from("/out"));
        assert!(read(["/a.o".to_owned()]).is_err());
    }
}
