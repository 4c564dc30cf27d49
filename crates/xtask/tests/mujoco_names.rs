//! Every simulation function of MuJoCo leads to the one that does its work here: its name stands in the documentation.
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Names of the functions `mj_*` and `mjd_*` that `mujoco.h` of MuJoCo 3.5.0 declares, one in a line.
const FUNCTIONS: &str = include_str!("mujoco_functions.txt");

/// Functions that no documentation has to name, by the reason why.
const EXCEPTIONS: [(&str, &str); 9] = [
    (
        "the language: `Spec` reads, edits, compiles and writes models (crate `ferrodyn-mjcf`)",
        "mj_copyBack mj_copySpec mj_deleteSpec mj_freeLastXML mj_makeSpec mj_parse mj_parseXML mj_parseXMLString mj_printSchema \
         mj_saveXML mj_saveXMLString",
    ),
    (
        "files in memory are `LoadOptions::assets`",
        "mj_addBufferVFS mj_addFileVFS mj_defaultVFS mj_deleteFileVFS mj_deleteVFS mj_mountVFS mj_unmountVFS",
    ),
    (
        "the cache of assets is part of the language",
        "mj_clearCache mj_getCache mj_getCacheCapacity mj_getCacheSize mj_setCacheCapacity",
    ),
    (
        "owners of memory: `Clone`, `Drop`, `to_bytes().len()`",
        "mj_copyModel mj_deleteData mj_deleteModel mj_sizeModel",
    ),
    (
        "temporary memory is a stack of slices (`World::with_stack`)",
        "mj_stackAllocByte mj_stackAllocInt",
    ),
    (
        "printing",
        "mj_printData mj_printFormattedData mj_printFormattedModel mj_printFormattedScene mj_printModel mj_printScene",
    ),
    ("plugins in C", "mj_loadAllPluginLibraries mj_loadPluginLibrary"),
    ("hooks are arguments, errors and warnings are values", "mj_resetCallbacks mj_warning"),
    (
        "functions of the Python package by this name",
        "mj_addM mj_copyState mj_extractState mj_getTotalmass mj_version mj_versionString",
    ),
];

/// Add every word of the documentation of the Rust files below a folder. The names of documents that only look like MuJoCo's
/// (`ferrodyn/src/names.rs`) do not count.
fn documented(folder: &Path, words: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            documented(&path, words);
        } else if path.extension().is_some_and(|e| e == "rs")
            && !path.ends_with("ferrodyn/src/names.rs")
        {
            let text = fs::read_to_string(path).expect("text");
            let lines = text.lines().map(str::trim_start);
            for line in lines.filter(|line| line.starts_with("///") || line.starts_with("//!")) {
                let parts = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                words.extend(parts.map(str::to_owned));
            }
        }
    }
}

/// Words of the documentation of all crates but the Python module, whose functions have MuJoCo's names themselves.
fn words() -> BTreeSet<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut words = BTreeSet::new();
    for name in ["math", "model", "collision", "dynamics", "mjcf", "ferrodyn"] {
        documented(&crates.join(name).join("src"), &mut words);
    }
    words
}

#[test]
fn every_simulation_function_of_mujoco_is_named_where_its_work_is_done() {
    let words = words();
    let exceptions: BTreeSet<&str> =
        EXCEPTIONS.iter().flat_map(|(_, names)| names.split_whitespace()).collect();
    let missing: Vec<&str> = FUNCTIONS
        .lines()
        .filter(|name| !words.contains(*name) && !exceptions.contains(name))
        .collect();
    assert!(missing.is_empty(), "no documentation names {missing:?}");
}

#[test]
fn exceptions_are_functions_of_mujoco_that_nothing_documents() {
    let (words, functions) = (words(), FUNCTIONS.lines().collect::<BTreeSet<_>>());
    for (reason, names) in EXCEPTIONS {
        for name in names.split_whitespace() {
            assert!(functions.contains(name), "{name} ({reason}) is no function of MuJoCo");
            assert!(!words.contains(name), "{name} is documented, and needs no exception");
        }
    }
}
