//! Tests of the stages lie by the names of their sources.
use std::fs;
use std::path::{Path, PathBuf};

/// Every file below a folder, by its path from there.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(next) = pending.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                pending.push(path);
            } else {
                found.push(path.strip_prefix(folder).expect("below it").to_owned());
            }
        }
    }
    found
}

#[test]
fn every_file_of_tests_is_named_as_the_source_that_it_tests() {
    let dynamics = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dynamics");
    let (source, tests) = (dynamics.join("src"), dynamics.join("tests/stages"));
    let found = files(&tests);
    assert!(found.len() > 60, "only {} files", found.len());
    let astray: Vec<_> = found
        .into_iter()
        // the list of modules, models that several files use, and what goes through several stages
        .filter(|path| !["main.rs", "support.rs"].iter().any(|name| path == Path::new(name)))
        .filter(|path| !path.starts_with("forward"))
        .filter(|path| !source.join(path).exists())
        .collect();
    assert!(astray.is_empty(), "no source has these paths: {astray:?}");
}

#[test]
fn every_folder_of_stages_has_tests() {
    let dynamics = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dynamics");
    for entry in fs::read_dir(dynamics.join("src")).expect("sources") {
        let entry = entry.expect("an entry");
        let tests = dynamics.join("tests/stages").join(entry.file_name());
        assert!(!entry.path().is_dir() || tests.is_dir(), "no tests in {}", tests.display());
    }
}
