//! What `conformance/CRITERIA.md` names exists: files, test functions, models and tasks.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of every Rust and Python file below a folder, under its path from the root.
fn sources(folder: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(root().join(folder)).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            sources(&name, found);
        } else if name.ends_with(".rs") || name.ends_with(".py") {
            found.insert(name, fs::read_to_string(entry.path()).expect("text"));
        }
    }
}

/// Whether a file has a test of this name.
fn has_test(text: &str, name: &str) -> bool {
    let rust = text.split("#[test]").skip(1).any(|rest| {
        let item = rest.split_once("fn ").map_or("", |(_, item)| item);
        item.starts_with(&format!("{name}(")) || item.starts_with(&format!("{name}<"))
    });
    // Python, and the tests of a property
    rust || text.contains(&format!("\ndef {name}("))
        || text.contains("proptest!") && text.contains(&format!("fn {name}("))
}

/// The parts of a line between back quotes.
fn quoted(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

fn is_function(word: &str) -> bool {
    word.contains('_')
        && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// What is wrong with the references of the document.
fn problems(document: &str) -> Vec<String> {
    let mut files = BTreeMap::new();
    sources("crates", &mut files);
    sources("conformance/tests", &mut files);
    let help = fs::read_to_string(root().join("crates/xtask/src/main.rs")).expect("the tasks");
    let mut problems = Vec::new();
    // the file or folder that a section names for all of its tests
    let mut of_section = Vec::new();
    for (number, line) in document.lines().enumerate() {
        let mut complain = |what: String| problems.push(format!("line {}: {what}", number + 1));
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        let text = if line.starts_with('|') { cells[cells.len() - 1] } else { line };
        let mut current: Vec<&String> = of_section.clone();
        for part in quoted(text) {
            let (file, function) =
                part.split_once(": ").map_or((part, None), |(f, n)| (f, Some(n)));
            if let Some(task) = part.strip_prefix("cargo xtask ") {
                let task = task.split(' ').next().unwrap_or("");
                if !help.contains(&format!("\"{task}\" =>")) {
                    complain(format!("there is no task {task}"));
                }
            } else if file.ends_with(".rs") || file.ends_with(".py") {
                current = files
                    .keys()
                    .filter(|path| path.ends_with(&format!("/{file}")) || *path == file)
                    .collect();
                // a test file comes before a module of the same name
                if current.iter().any(|path| path.contains("/tests/")) {
                    current.retain(|path| path.contains("/tests/"));
                }
                match (current.len(), function) {
                    (0, _) => complain(format!("there is no file {file}")),
                    (2.., _) => complain(format!("{file} may be any of {current:?}")),
                    (_, Some(name)) if !has_test(&files[current[0]], name) => {
                        complain(format!("{file} has no test {name}"));
                    }
                    _ => {}
                }
            } else if file.contains("/tests/") {
                of_section =
                    files.keys().filter(|path| path.contains(&format!("/{file}/"))).collect();
            } else if let Some(model) = part.strip_suffix(".xml") {
                let path =
                    format!("conformance/models/{}.xml", model.rsplit('/').next().unwrap_or(""));
                if !root().join(&path).exists() {
                    complain(format!("there is no model {path}"));
                }
            } else if line.starts_with('|')
                && is_function(part)
                && !current.iter().any(|path| has_test(&files[*path], part))
                // fields of the model are words with underscores too
                && !["qacc_warmstart"].contains(&part)
            {
                complain(format!("{current:?} have no test {part}"));
            }
        }
        if line.starts_with("## ") {
            of_section.clear();
        }
    }
    problems
}

#[test]
fn every_test_that_a_criterion_names_exists() {
    let document = fs::read_to_string(root().join("conformance/CRITERIA.md")).expect("CRITERIA.md");
    let found = problems(&document);
    assert!(found.is_empty(), "{}", found.join("\n"));
    // and the document was read: it names hundreds
    assert!(document.lines().filter(|line| line.starts_with('|')).count() > 200);
}

#[test]
fn references_to_nothing_are_found() {
    let rows = [
        ("| 1 | x | `ferrodyn/tests/names.rs: no_such_test` |", "has no test no_such_test"),
        ("| 1 | x | `ferrodyn/tests/nowhere.rs` |", "no file ferrodyn/tests/nowhere.rs"),
        ("| 1 | x | `names.rs: flags_become_bits`, `and_no_other` |", "no test and_no_other"),
        ("| 1 | x | golden states of `nothing.xml` |", "no model conformance/models/nothing.xml"),
        ("| 1 | x | `cargo xtask dance` |", "no task dance"),
        // a helper is no test
        ("| 1 | x | `position/tendon.rs: straight_and_wrapped` |", "has no test straight_and"),
    ];
    for (row, expected) in rows {
        let found = problems(row);
        assert_eq!(found.len(), 1, "{row}: {found:?}");
        assert!(found[0].contains(expected), "{row}: {found:?}");
    }
    let good = "| 1 | x | `names.rs: flags_become_bits`, golden states of `adhesion.xml`; `cargo xtask bench` |";
    assert_eq!(problems(good), Vec::<String>::new());
}
