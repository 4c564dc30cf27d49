//! XML as people write it: what MuJoCo's reader tolerates is read as MuJoCo reads it, with a warning; what it refuses is
//! refused, with its place.
//!
//! The cases are in `xml_as_written.json`, where every character stands for one byte, and
//! `crates/python/tests/test_xml.py` gives them to MuJoCo too.

use std::time::{Duration, Instant};

use ferrodyn_mjcf::{Diagnostic, DiagnosticKind, LoadOptions, MjcfError, Spec, compile_text};
use serde_json::Value;

/// Loads a text that need not be UTF-8, as a file. The result has the names of the model.
fn load(bytes: &[u8], test: &str) -> Result<(String, Vec<Diagnostic>), MjcfError> {
    let path = std::env::temp_dir().join(format!("ferrodyn-{test}-{}.xml", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let compiled = Spec::from_xml_path(&path, &LoadOptions::default()).and_then(|s| s.compile());
    std::fs::remove_file(&path).unwrap();
    compiled.map(|c| (String::from_utf8(c.model.names.to_vec()).unwrap(), c.warnings))
}

/// A diagnostic without the name of its file.
fn placed(diagnostic: &Diagnostic) -> String {
    let text = diagnostic.to_string();
    let place = format!("{}:", diagnostic.file);
    text.strip_prefix(&place).map_or(text.clone(), str::to_owned)
}

#[test]
fn every_case_of_the_table_is_read_or_refused_as_it_says() {
    let table = include_str!("xml_as_written.json");
    let cases: Vec<Value> = serde_json::from_str(table).unwrap();
    let mut wrong = Vec::new();
    for case in &cases {
        let text = case["text"].as_str().unwrap();
        let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
        let found = match load(&bytes, "case") {
            Ok((names, warnings)) => {
                let warnings: Vec<String> = warnings.iter().map(placed).collect();
                let names: Vec<&str> = names.trim_end_matches('\0').split('\0').collect();
                (Value::from(names), Value::from(warnings), Value::Null)
            }
            Err(error) => (Value::Null, Value::Null, Value::from(placed(&error.diagnostics[0]))),
        };
        let expected = |key: &str| case.get(key).cloned().unwrap_or(Value::Null);
        if found != (expected("names"), expected("warnings"), expected("error")) {
            wrong.push(format!("{}: {found:?}", case["what"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_element_with_content_counts_as_one_level_more() {
    let nested = |n: usize, inner: &str| {
        format!("<mujoco>{}{inner}{}</mujoco>", "<default>".repeat(n), "</default>".repeat(n))
    };
    // the limit is that of the reader: what the language says of such defaults does not matter here
    let is_too_deep = |text: &str| {
        let error = compile_text(text).unwrap_err();
        error.diagnostics.iter().any(|d| d.kind == DiagnosticKind::Budget)
    };
    assert!(!is_too_deep(&nested(497, "<geom/>")));
    assert!(is_too_deep(&nested(497, "<geom></geom>")));
    assert!(is_too_deep(&nested(498, "")));
}

#[test]
fn a_prefix_is_declared_at_the_root() {
    let solver = r#"<option ferrodyn:solver="CGStrict"/>"#;
    assert!(compile_text(&format!("<mujoco xmlns:ferrodyn='a'>{solver}</mujoco>")).is_ok());
    let error = compile_text(&format!("<mujoco>{solver}</mujoco>")).unwrap_err();
    let d = &error.diagnostics[0];
    assert_eq!((d.kind, d.line, d.column), (DiagnosticKind::Syntax, 1, 17));
    assert_eq!(error.diagnostics.len(), 1, "{error}");
}

#[test]
fn texts_that_are_made_to_be_slow_are_not() {
    const N: usize = 1 << 20;
    let many = |piece: &str| piece.repeat(N / piece.len());
    let names: String = (0..N / 16).map(|i| format!(" a{i}='1'")).collect();
    let hostile = [
        // character references that all look for the same semicolon, or for none
        format!("<mujoco model='{}'/>", many("&#")),
        format!("<mujoco model='{}z{};'/>", many("&#"), many("0")),
        format!("<mujoco model='{}z{};'/>", many("&#x"), many("f")),
        format!("<mujoco model='{};'/>", many("&#1")),
        format!("<mujoco model='&lt;{}'/>", many("& ")),
        // attributes that must be compared with each other
        format!("<mujoco{names}/>"),
        // ends that nearly come
        format!("<mujoco><!--{}--></mujoco>", many("-- ->")),
        format!("<mujoco><![CDATA[{}]]></mujoco>", many("]]")),
        format!("<mujoco>{}", many("<!--")),
        // warnings without number, each within an element with a long name
        format!("<mujoco><{0}>{1}</{0}></mujoco>", many("a"), many("b<c/>")),
        format!("<mujoco>{}</mujoco>", many("\u{1}")),
        // nesting
        many("<a>"),
        many("</a>"),
        many("< "),
        format!("<mujoco>{}", many("<a></a>")),
    ];
    for text in hostile {
        let start = Instant::now();
        let _ = Spec::from_xml_str(&text, &LoadOptions::untrusted());
        // linear work takes well below a second, even without optimization; quadratic work takes hours
        let took = start.elapsed();
        let begin: String = text.chars().take(60).collect();
        assert!(took < Duration::from_secs(20), "{begin}: {took:?}");
    }
}
