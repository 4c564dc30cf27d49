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
const ARCHIVES: [(i32, i32, &[u8]); 1] = [(9, 0, include_bytes!("../modules/exact_sm_90.lzma"))];

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

    #[test]
    fn archives_have_all_modules() {
        for (major, minor, bytes) in ARCHIVES {
            let modules = unpack(bytes).unwrap();
            let names: Vec<_> = modules.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, KERNELS.map(|(name, _)| name), "{major}.{minor}");
            assert!(modules.iter().all(|(_, code)| code.starts_with(b"\x7fELF")));
        }
    }

    #[test]
    fn what_is_no_archive_is_refused() {
        assert_eq!(unpack(b"no archive of kernels"), None);
        let missing = from_file(Path::new("missing.lzma")).unwrap_err();
        assert!(missing.to_string().starts_with("missing.lzma: "));
    }
}
