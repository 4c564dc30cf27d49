//! The compiled kernels that come with this crate.
use std::io::Read;

use flate2::read::GzDecoder;

/// Kernels of an architecture, compressed: modules one after the other, each as the length of its name, its name, its length and its bytes.
/// `cargo xtask gpu` writes them.
const ARCHIVES: [(i32, i32, &[u8]); 1] = [(9, 0, include_bytes!("../modules/exact_sm_90.gz"))];

/// Compute capabilities for which there are kernels.
pub(crate) fn known() -> String {
    ARCHIVES.map(|(major, minor, _)| format!("{major}.{minor}")).join(", ")
}

/// The modules for a compute capability: those of the same major number and at most the same minor one run.
pub(crate) fn modules(major: i32, minor: i32) -> Option<Vec<(String, Vec<u8>)>> {
    let fits =
        |(own_major, own_minor, _): &&(i32, i32, &[u8])| *own_major == major && *own_minor <= minor;
    let (_, _, bytes) = ARCHIVES.iter().filter(fits).max_by_key(|(_, own_minor, _)| *own_minor)?;
    let mut plain = Vec::new();
    GzDecoder::new(*bytes).read_to_end(&mut plain).ok()?;
    parse(&plain)
}

fn parse(mut rest: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
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
