//! Archives of compiled kernels.
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use lzma_rust2::{LzmaOptions, LzmaWriter};

use super::compile::{Kind, Module};
use crate::run::{Result, root};

/// Name of the archive of a build.
pub(crate) fn name(kind: &Kind, arch: &str) -> String {
    format!("{}_{arch}.lzma", kind.name)
}

/// Where the archive lies that comes with the crate.
pub(crate) fn path(arch: &str) -> PathBuf {
    root().join("crates/gpu/modules").join(name(&super::EXACT, arch))
}

/// Write modules into an archive: one after the other, each as the length of its name, its name, its length and its bytes, compressed.
pub(crate) fn write(path: &Path, modules: &[Module]) -> Result<u64> {
    let mut plain = Vec::new();
    for module in modules {
        let code = fs::read(&module.cubin)?;
        for block in [module.name.as_bytes(), &code] {
            plain.extend_from_slice(&(block.len() as u64).to_le_bytes());
            plain.extend_from_slice(block);
        }
    }
    let packed = pack(&plain)?;
    fs::write(path, &packed)?;
    Ok(packed.len() as u64)
}

/// Compress; the same bytes every time.
fn pack(plain: &[u8]) -> Result<Vec<u8>> {
    let mut options = LzmaOptions::with_preset(9);
    // instructions have sixteen bytes: the place in one tells more about a byte than the byte before it
    (options.lc, options.lp, options.pb) = (0, 4, 4);
    options.nice_len = 273;
    options.depth_limit = 512;
    options.dict_size = 1 << 24;
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, Some(plain.len() as u64))?;
    writer.write_all(plain)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let plain: Vec<u8> = (0..100_000_u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
        let packed = pack(&plain).unwrap();
        assert_eq!(packed, pack(&plain).unwrap());
        let mut back = Vec::new();
        let mut reader = lzma_rust2::LzmaReader::new_mem_limit(&packed[..], 1 << 16, None).unwrap();
        reader.read_to_end(&mut back).unwrap();
        assert_eq!(back, plain);
    }
}
