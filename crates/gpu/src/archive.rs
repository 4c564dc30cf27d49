//! The compiled kernels that come with this crate.
use std::io::Read;
use std::path::Path;

use lzma_rust2::LzmaReader;

use crate::GpuError;
use crate::kernels::KERNELS;

/// Names an archive to take in place of those that come with this crate, for development: kernels with bounds checks, or such as are being tried.
const VARIABLE: &str = "FERRODYN_GPU_KERNELS";
/// Thousand bytes that reading an archive may take: those of the encoder's window, and some.
const MOST_MEMORY: u32 = 64 * 1024;

/// Kernels of an architecture, compressed: modules one after the other, each as the length of its name, its name, its length and its bytes.
/// `cargo xtask gpu` writes them.
const ARCHIVES: [(i32, i32, &[u8]); 3] = [
    (8, 0, include_bytes!("../modules/exact_sm_80.lzma")),
    (9, 0, include_bytes!("../modules/exact_sm_90.lzma")),
    (10, 0, include_bytes!("../modules/exact_sm_100.lzma")),
];

/// Names and code of modules.
type Modules = Vec<(String, Vec<u8>)>;

/// Compute capabilities for which there are kernels.
pub(crate) fn known() -> String {
    ARCHIVES.map(|(major, minor, _)| format!("{major}.{minor}")).join(", ")
}

/// The modules for a compute capability: those of the same major number and at most the same minor one run.
pub(crate) fn modules(major: i32, minor: i32) -> Result<Option<Modules>, GpuError> {
    if let Some(path) = std::env::var_os(VARIABLE) {
        return from_file(path.as_ref()).map(Some);
    }
    let fits =
        |(own_major, own_minor, _): &&(i32, i32, &[u8])| *own_major == major && *own_minor <= minor;
    let own = ARCHIVES.iter().filter(fits).max_by_key(|(_, own_minor, _)| *own_minor);
    Ok(own.and_then(|(_, _, bytes)| unpack(bytes)))
}

/// The modules of an archive in a file.
fn from_file(path: &Path) -> Result<Modules, GpuError> {
    let failed = |message| GpuError::Archive { path: path.display().to_string(), message };
    let bytes = std::fs::read(path).map_err(|e| failed(e.to_string()))?;
    unpack(&bytes).ok_or_else(|| failed("not an archive of all kernels".into()))
}

/// The modules of an archive that has all of them.
fn unpack(bytes: &[u8]) -> Option<Modules> {
    let mut plain = Vec::new();
    LzmaReader::new_mem_limit(bytes, MOST_MEMORY, None).ok()?.read_to_end(&mut plain).ok()?;
    let modules = parse(&plain)?;
    let has = |wanted: &str| modules.iter().any(|(name, _)| name == wanted);
    KERNELS.iter().all(|(name, _)| has(name)).then_some(modules)
}

fn parse(mut rest: &[u8]) -> Option<Modules> {
    let mut modules = Vec::new();
    while !rest.is_empty() {
        let name = take_block(&mut rest)?;
        let code = take_block(&mut rest)?;
        modules.push((String::from_utf8(name.to_vec()).ok()?, code.to_vec()));
    }
    Some(modules)
}

/// A block of bytes after its length.
fn take_block<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, tail) = rest.split_first_chunk::<8>()?;
    let (block, tail) =
        tail.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    *rest = tail;
    Some(block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::step_stages;
    use crate::device::Stage;

    /// Does a module have a kernel? Its code is a section with its name.
    fn has_kernel(code: &[u8], name: &str) -> bool {
        let section = format!(".text.{name}\0");
        code.windows(section.len()).any(|bytes| bytes == section.as_bytes())
    }

    #[test]
    fn every_archive_has_every_kernel_in_its_module() {
        for (major, minor, _) in ARCHIVES {
            let modules = modules(major, minor).unwrap().expect("an archive that can be read");
            let names: Vec<&str> = modules.iter().map(|(name, _)| name.as_str()).collect();
            for (module, kernels) in KERNELS {
                let place = names.iter().position(|name| *name == module).expect(module);
                let code = &modules[place].1;
                assert!(code.starts_with(b"\x7fELF"), "{module} of {major}.{minor}");
                for kernel in kernels {
                    assert!(has_kernel(code, kernel), "{module} of {major}.{minor}: {kernel}");
                }
            }
            assert_eq!(names.len(), KERNELS.len(), "{names:?}");
        }
    }

    #[test]
    fn every_stage_of_a_step_is_a_kernel() {
        let known = |name: &str| KERNELS.iter().any(|(_, names)| names.contains(&name));
        for model in ["hand", "sensors", "integrator_rk4"] {
            for stage in step_stages(&ferrodyn_testing::conformance_model(model)) {
                let name = match stage {
                    Stage::Kernel(name) => name,
                    Stage::Sensors(_) => "sensors",
                    Stage::RungeKutta(_) => "runge_kutta",
                };
                assert!(known(name), "{name}");
            }
        }
    }

    #[test]
    fn kernels_are_for_the_same_major_number_and_no_later_minor_one() {
        let has = |major, minor| modules(major, minor).unwrap().is_some();
        assert!(has(9, 0));
        assert!(has(9, 7), "a later one of the same family");
        assert!(!has(7, 5) && !has(1000, 0));
        assert!(known().contains("9.0"));
    }

    #[test]
    fn what_is_no_archive_is_refused() {
        assert_eq!(unpack(b"no archive of kernels"), None);
        let missing = from_file(Path::new("missing.lzma")).unwrap_err();
        assert!(missing.to_string().starts_with("missing.lzma: "));
    }

    #[test]
    fn archives_that_are_cut_off_have_no_modules() {
        let block = |bytes: &[u8]| [&(bytes.len() as u64).to_le_bytes(), bytes].concat();
        let whole = [block(b"step"), block(b"code"), block(b"rows"), block(b"")].concat();
        let modules = [("step".to_owned(), b"code".to_vec()), ("rows".to_owned(), Vec::new())];
        assert_eq!(parse(&whole), Some(modules.to_vec()));
        assert_eq!(parse(&[]), Some(Vec::new()));
        let first = block(b"step").len() + block(b"code").len();
        for length in (1..whole.len()).filter(|length| *length != first) {
            assert_eq!(parse(&whole[..length]), None, "{length} bytes");
        }
    }
}
