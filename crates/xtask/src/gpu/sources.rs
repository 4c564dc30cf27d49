//! Which sources the kernels were made from.
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::{ARCHS, EXACT, archive, compile};
use crate::run::{Result, root};

/// Crates that kernels are made of.
const CRATES: [&str; 6] = [
    "crates/math",
    "crates/model",
    "crates/collision",
    "crates/soft",
    "crates/dynamics",
    "crates/gpu/kernels",
];
/// Files beside those of the crates: which kernels are in which module, and which releases of other crates they are made with.
const FILES: [&str; 2] = ["crates/gpu/src/kernels.rs", "crates/gpu/kernels/Cargo.lock"];
/// Where it is written, beside the archives.
const RECORD: &str = "crates/gpu/modules/SOURCES";
const HEAD: &str = "\
# Written by `cargo xtask gpu`: archives, the sources they were made from, the bytes they have, what made them.";

/// 64 bits that tell contents apart: FNV-1a.
pub(crate) struct Hash(u64);

impl Hash {
    /// The hash of nothing.
    pub(crate) fn new() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    /// Go on with a piece of content. Where it ends counts.
    pub(crate) fn add(mut self, bytes: &[u8]) -> Hash {
        for byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self
    }

    /// As text.
    pub(crate) fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

/// The hash of what kernels are made from: sources without their tests and comments, by their paths in the repository, and how they are compiled.
pub(crate) fn hash() -> Result<String> {
    let mut files: Vec<PathBuf> = FILES.map(PathBuf::from).to_vec();
    for name in CRATES {
        files.push(Path::new(name).join("Cargo.toml"));
        find_sources(&Path::new(name).join("src"), &mut files)?;
    }
    let mut files = files
        .into_iter()
        .map(|path| (path.to_string_lossy().replace('\\', "/"), path))
        .collect::<Vec<_>>();
    files.sort();
    let mut hash = Hash::new().add(compile::recipe(&EXACT).as_bytes());
    for (name, path) in files {
        let text = fs::read_to_string(root().join(&path)).map_err(|e| format!("{name}: {e}"))?;
        hash = hash.add(name.as_bytes());
        for line in relevant(&text) {
            hash = hash.add(line.as_bytes());
        }
    }
    Ok(hash.text())
}

/// Add all sources of a folder of the repository, with their paths in it.
fn find_sources(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(root().join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            find_sources(&path, files)?;
        } else if path.extension() == Some(OsStr::new("rs"))
            && path.file_name() != Some(OsStr::new("tests.rs"))
        {
            files.push(path);
        }
    }
    Ok(())
}

/// The lines of a source that a kernel can depend on: neither empty ones nor comments, nor items at the margin that are for tests alone.
fn relevant(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut in_test = false;
    for line in text.lines() {
        if in_test {
            // the formatter puts the end of an item at the margin
            let at_margin = !line.starts_with(char::is_whitespace);
            in_test = !(at_margin && (line.ends_with('}') || line.ends_with(';')));
            continue;
        }
        in_test = line == "#[cfg(test)]";
        if !in_test && !line.trim().is_empty() && !line.trim_start().starts_with("//") {
            lines.push(line);
        }
    }
    lines
}

/// What is written of an archive.
fn line(name: &str, sources: &str, bytes: &[u8], tools: &str) -> String {
    format!("{name} {sources} {} {tools}", Hash::new().add(bytes).text())
}

/// Write down what an archive was made from.
pub(crate) fn record(arch: &str, sources: &str, tools: &str) -> Result<()> {
    let path = root().join(RECORD);
    let name = archive::name(&EXACT, arch);
    let old = fs::read_to_string(&path).unwrap_or_default();
    let others = old.lines().filter(|line| !line.starts_with('#'));
    let mut lines: Vec<String> =
        others.filter(|line| line.split(' ').next() != Some(&name)).map(str::to_owned).collect();
    lines.push(line(&name, sources, &fs::read(archive::path(arch))?, tools));
    lines.sort();
    Ok(fs::write(path, format!("{HEAD}\n{}\n", lines.join("\n")))?)
}

/// Check that all archives are there and were made from the sources as they are.
pub(crate) fn check() -> Result<()> {
    let sources = hash()?;
    let record = fs::read_to_string(root().join(RECORD)).unwrap_or_default();
    for arch in ARCHS {
        let name = archive::name(&EXACT, arch);
        let bytes = fs::read(archive::path(arch))
            .map_err(|e| format!("{name}: {e}: run cargo xtask gpu"))?;
        let wanted = line(&name, &sources, &bytes, "");
        if !record.lines().any(|line| line.starts_with(&wanted)) {
            return Err(format!(
                "{name}: the kernels were made from other sources: run cargo xtask gpu"
            )
            .into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_comments_do_not_count() {
        let text = "//! Doc\nuse a;\n\n#[cfg(test)]\nmod samples;\nfn f() {\n    // why\n    g();\n}\n\n\
                    #[cfg(test)]\nmod tests {\n    fn t() {\n    }\n}\nfn h() {}\n";
        assert_eq!(relevant(text), ["use a;", "fn f() {", "    g();", "}", "fn h() {}"]);
        assert_eq!(relevant(&text.replace('\n', "\r\n")), relevant(text));
    }

    #[test]
    fn the_hash_tells_where_pieces_end() {
        let of = |a: &str, b: &str| Hash::new().add(a.as_bytes()).add(b.as_bytes()).text();
        assert_ne!(of("ab", "c"), of("a", "bc"));
        assert_eq!(of("ab", "c").len(), 16);
    }

    #[test]
    fn sources_are_found() {
        let mut files = Vec::new();
        find_sources(Path::new("crates/dynamics/src"), &mut files).unwrap();
        assert!(files.contains(&PathBuf::from("crates/dynamics/src/step/mod.rs")));
        assert_eq!(hash().unwrap(), hash().unwrap());
    }
}
