//! The kernels of `crates/gpu`, from their sources to the archives that come with the crate.
mod archive;
mod budget;
mod compile;
#[path = "../../../gpu/src/kernels.rs"]
mod kernels;
mod link;
mod sources;
mod text;
mod tools;

use std::fs;
use std::time::Instant;

use compile::{CHECKED, EXACT, Kind};
pub(crate) use link::link;
pub(crate) use sources::check;
use tools::Tools;

use crate::run::{Result, root};

/// Architectures with an archive; later ones of the same generation run it, too.
const ARCHS: [&str; 3] = ["sm_80", "sm_90", "sm_100"];
/// Where this is set, this program was called as the linker of kernels; it names the folder of LLVM's programs.
pub(crate) const LLVM_VARIABLE: &str = "FERRODYN_GPU_LLVM";

/// What to build.
#[derive(Debug, Default, PartialEq)]
struct Options {
    archs: Vec<String>,
    modules: Vec<String>,
    checked: bool,
}

impl Options {
    fn read(args: &[String]) -> Result<Options> {
        let mut options = Options::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match (arg.as_str(), args.as_slice().first()) {
                ("--checked", _) => {
                    options.checked = true;
                    continue;
                }
                ("--arch", Some(arch)) if ARCHS.contains(&arch.as_str()) => {
                    options.archs.push(arch.clone());
                }
                ("--module", Some(name)) if kernels::KERNELS.iter().any(|row| row.0 == name) => {
                    options.modules.push(name.clone());
                }
                ("--arch", _) => return Err(format!("--arch takes one of {ARCHS:?}").into()),
                ("--module", _) => {
                    let known = kernels::KERNELS.map(|row| row.0);
                    return Err(format!("--module takes one of {known:?}").into());
                }
                _ => return Err(format!("unknown argument '{arg}'").into()),
            }
            args.next();
        }
        if options.archs.is_empty() {
            options.archs = ARCHS.map(str::to_owned).to_vec();
        }
        Ok(options)
    }
}

/// Build kernels, check what they take, and write their archives.
pub(crate) fn build(args: &[String]) -> Result<()> {
    let options = Options::read(args)?;
    let tools = Tools::find()?;
    let sources = sources::hash()?;
    for arch in &options.archs {
        let start = Instant::now();
        if make(&tools, arch, &EXACT, &options)? {
            if sources::hash()? != sources {
                return Err("sources changed while they were compiled: run cargo xtask gpu".into());
            }
            sources::record(arch, &sources, &tools.describe())?;
        }
        if options.checked {
            make(&tools, arch, &CHECKED, &options)?;
        }
        println!("{arch}: {:.0} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Build a kind of kernels for an architecture; whether there is an archive of them now, and not a few modules alone.
fn make(tools: &Tools, arch: &str, kind: &Kind, options: &Options) -> Result<bool> {
    let wanted = |name: &str| {
        options.modules.is_empty() || options.modules.iter().any(|module| module == name)
    };
    let modules = compile::modules(tools, arch, kind, wanted)?;
    let comes_along = kind.name == EXACT.name;
    budget::check(&format!("{} {arch}", kind.name), &modules, comes_along)?;
    if !options.modules.is_empty() {
        return Ok(false);
    }
    let path = if comes_along {
        archive::path(arch)
    } else {
        root().join("target/gpu").join(archive::name(kind, arch))
    };
    fs::create_dir_all(path.parent().unwrap_or(&path))?;
    let bytes = archive::write(&path, &modules)?;
    println!("{}: {bytes} bytes", path.strip_prefix(root()).unwrap_or(&path).display());
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_arguments() {
        let read = |text: &str| {
            Options::read(&text.split_whitespace().map(String::from).collect::<Vec<_>>())
        };
        assert_eq!(read("").unwrap().archs, ARCHS);
        let options = read("--arch sm_90 --checked --module step --module rows").unwrap();
        assert_eq!((options.archs.as_slice(), options.checked), (&["sm_90".to_owned()][..], true));
        assert_eq!(options.modules, ["step", "rows"]);
        for wrong in ["--arch", "--arch sm_1", "--module", "--module x", "sm_90"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
