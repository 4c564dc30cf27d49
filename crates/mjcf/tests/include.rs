//! Included files: where they are looked for, and what is refused.

use std::fs;
use std::path::PathBuf;

use ferrodyn_mjcf::{Compiled, DiagnosticKind, LoadOptions, MjcfError, Spec};

/// A directory of files that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str, files: &[(&str, &str)]) -> Self {
        let root = std::env::temp_dir().join(format!("ferrodyn-{test}-{}", std::process::id()));
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(root)
    }

    fn load(&self, name: &str, options: &LoadOptions) -> Result<Compiled, MjcfError> {
        Spec::from_xml_path(&self.0.join(name), options)?.compile()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const BODY: &str = "<any><body name='b'><geom size='1'/></body></any>";

fn including(file: &str) -> String {
    format!("<mujoco><worldbody><include file='{file}'/></worldbody></mujoco>")
}

#[test]
fn the_content_of_a_file_stands_in_place_of_its_include() {
    let folder = Folder::new(
        "place",
        &[
            (
                "m.xml",
                "<mujoco><include file='o.xml'/><worldbody><body name='a'/><include file='s/b.xml'/><body name='c'/></worldbody></mujoco>",
            ),
            ("o.xml", "<mujoco model='not this'><option timestep='0.5'/></mujoco>"),
            ("s/b.xml", "<any><body name='b'><include file='leaf.xml'/></body></any>"),
            ("s/leaf.xml", "<any><site name='leaf'/></any>"),
        ],
    );
    let model = folder.load("m.xml", &LoadOptions::default()).unwrap().model;
    let names = String::from_utf8(model.names.to_vec()).unwrap();
    assert_eq!(names, "MuJoCo Model\0world\0a\0b\0c\0leaf\0");
    assert_eq!(model.opt.timestep, 0.5);
}

#[test]
fn repeats_and_cycles_are_refused() {
    let folder = Folder::new(
        "cycle",
        &[
            ("b.xml", BODY),
            (
                "twice.xml",
                "<mujoco><worldbody><include file='b.xml'/><include file='./b.xml'/></worldbody></mujoco>",
            ),
            ("self.xml", &including("self.xml")),
            ("ring.xml", &including("s/one.xml")),
            ("s/one.xml", "<any><site/><include file='two.xml'/></any>"),
            ("s/two.xml", "<any><site/><include file='one.xml'/></any>"),
        ],
    );
    for name in ["twice.xml", "self.xml", "ring.xml"] {
        let error = folder.load(name, &LoadOptions::default()).unwrap_err();
        assert_eq!(error.diagnostics[0].kind, DiagnosticKind::Conflict, "{name}: {error}");
    }
}

#[test]
fn a_problem_in_an_included_file_names_that_file() {
    let folder = Folder::new(
        "position",
        &[("m.xml", &including("b.xml")), ("b.xml", "<any>\n<bod/></any>")],
    );
    let error = folder.load("m.xml", &LoadOptions::default()).unwrap_err();
    let d = &error.diagnostics[0];
    assert!(d.file.ends_with("b.xml"), "{d}");
    assert_eq!((d.line, d.column), (2, 1));
    assert_eq!(d.suggestion.as_deref(), Some("body"));
}

#[test]
fn what_cannot_be_included_is_reported_at_the_include() {
    let folder = Folder::new(
        "missing",
        &[
            ("missing.xml", &including("nothing.xml")),
            ("empty.xml", &including("e.xml")),
            ("e.xml", ""),
            ("hollow.xml", &including("h.xml")),
            ("h.xml", "<any/>"),
            ("children.xml", "<mujoco><include file='e.xml'><a/></include></mujoco>"),
            ("nameless.xml", "<mujoco><include/></mujoco>"),
        ],
    );
    for name in ["missing.xml", "empty.xml", "hollow.xml", "children.xml", "nameless.xml"] {
        let error = folder.load(name, &LoadOptions::default()).unwrap_err();
        assert_eq!(error.diagnostics.len(), 1, "{name}: {error}");
    }
    assert!(folder.load("absent.xml", &LoadOptions::default()).is_err());
}

#[test]
fn an_include_contains_nothing_but_white_space() {
    let options = LoadOptions::default().with_asset("b.xml", BODY.as_bytes());
    let text = |inner: &str| {
        format!("<mujoco><worldbody><include file='b.xml'>{inner}</include></worldbody></mujoco>")
    };
    assert_eq!(Spec::from_xml_str(&text(" \n "), &options).unwrap().bodies[1].name, "b");
    for inner in ["<site/>", "<!-- c -->", "text", "<![CDATA[]]>"] {
        let error = Spec::from_xml_str(&text(inner), &options).unwrap_err();
        assert_eq!(error.diagnostics[0].kind, DiagnosticKind::Conflict, "{inner}");
    }
}

#[test]
fn what_is_odd_about_an_included_file_names_that_file() {
    let part = b"\xef\xbb\xbf<any xmlns='urn:a'>\n<body name='b'pos='0 0 1'/></any> <other/>";
    let options = LoadOptions::default().with_asset("b.xml", part.as_slice());
    let compiled = Spec::from_xml_str(&including("b.xml"), &options).unwrap().compile().unwrap();
    let warnings: Vec<String> = compiled.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "b.xml:2:15: <body>: white space is missing before an attribute",
            "b.xml:2:35: <other>: another root element is ignored",
        ]
    );
    assert_eq!(compiled.model.body_pos[1].0, [0.0, 0.0, 1.0]);
}

#[test]
fn files_in_memory_are_found_by_name() {
    let options = LoadOptions::default()
        .with_asset("parts/b.xml", BODY.as_bytes())
        .with_asset("parts/c.xml", b"<any><include file='b.xml'/></any>".as_slice());
    for file in ["parts/b.xml", "./parts/b.xml", "parts/c.xml"] {
        let spec = Spec::from_xml_str(&including(file), &options).unwrap();
        assert_eq!(spec.bodies[1].name, "b", "{file}");
    }
}

#[test]
fn strangers_read_nothing_outside_their_directory() {
    let folder = Folder::new(
        "confined",
        &[
            ("secret.xml", BODY),
            ("jail/m.xml", &including("../secret.xml")),
            ("jail/ok.xml", &including("b.xml")),
            ("jail/b.xml", BODY),
        ],
    );
    let trusted = LoadOptions::default();
    let untrusted = LoadOptions::untrusted();
    assert!(folder.load("jail/m.xml", &trusted).is_ok());
    assert!(folder.load("jail/ok.xml", &untrusted).is_ok());
    let error = folder.load("jail/m.xml", &untrusted).unwrap_err();
    assert_eq!(error.diagnostics[0].kind, DiagnosticKind::File);

    // a text without a file reads no files at all, unless a root is given
    let absolute = folder.0.join("jail/b.xml");
    let text = including(&absolute.to_string_lossy());
    assert!(Spec::from_xml_str(&text, &trusted).is_ok());
    assert!(Spec::from_xml_str(&text, &untrusted).is_err());
    assert!(Spec::from_xml_str(&text, &LoadOptions::untrusted().with_root(&folder.0)).is_ok());
}

#[test]
fn a_flag_from_an_included_file_has_no_effect() {
    let options = LoadOptions::default()
        .with_asset("f.xml", b"<any><flag gravity='disable'/></any>".as_slice());
    let text = "<mujoco><option><include file='f.xml'/></option></mujoco>";
    let compiled = Spec::from_xml_str(text, &options).unwrap().compile().unwrap();
    assert_eq!(compiled.model.opt.disableflags, 0);
    assert_eq!(compiled.warnings.len(), 1);
}
