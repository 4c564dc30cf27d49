//! The files that a model refers to.

use std::collections::BTreeSet;

use crate::error::Sink;
use crate::options::LoadOptions;
use crate::path;
use crate::xml::{Limits, Node, read_tree};

/// The attributes of `<texture>` that name files.
const IMAGES: [&str; 7] =
    ["file", "fileright", "fileup", "fileleft", "filedown", "filefront", "fileback"];

/// The files that a model in a file needs, itself the first: what it includes, the models that it attaches, meshes,
/// textures and height fields, and the same of each file of the model language. Whether assets exist is not looked at.
///
/// A file of the model language that cannot be read is an error, in words.
pub fn dependencies(filename: &str, options: &LoadOptions) -> Result<Vec<String>, String> {
    let mut found = Found { names: Vec::new(), seen: BTreeSet::new(), models: Vec::new() };
    found.add_model(filename.to_owned());
    let mut bytes_left = options.budget.xml_bytes;
    while let Some(name) = found.models.pop() {
        let problem =
            |e: &dyn core::fmt::Display| format!("Problem reading XML file '{name}': {e}");
        let size = std::fs::metadata(&name).map_err(|e| problem(&e))?.len();
        bytes_left = usize::try_from(size)
            .ok()
            .and_then(|size| bytes_left.checked_sub(size))
            .ok_or_else(|| problem(&"the file is too large"))?;
        let text = std::fs::read(&name).map_err(|e| problem(&e))?;
        let budget = &options.budget;
        let limits = Limits { elements: budget.elements, depth: budget.depth };
        // what is odd about a file is said when it is loaded
        let elements = read_tree(&text, 0, limits, &mut Sink::default())
            .map_err(|e| problem(&e.finish(&[])))?;
        let nodes: Vec<&Node> = elements.iter().map(|e| &e.node).collect();
        found.scan(path::directory(&name), &nodes);
    }
    Ok(found.names)
}

struct Found {
    names: Vec<String>,
    seen: BTreeSet<String>,
    /// Files of the model language that are not read yet.
    models: Vec<String>,
}

impl Found {
    fn add(&mut self, name: String) -> bool {
        let new = self.seen.insert(name.clone());
        if new {
            self.names.push(name);
        }
        new
    }

    fn add_model(&mut self, name: String) {
        if self.add(name.clone()) {
            self.models.push(name);
        }
    }

    /// Looks at all elements of a file that lies in a directory.
    fn scan(&mut self, directory: &str, nodes: &[&Node]) {
        let text = |node: &'_ Node, name: &str| node.attr(name).map(|a| a.value.clone());
        // the last compiler element that has the attribute counts
        let setting = |name: &str| {
            let compilers = nodes.iter().filter(|node| node.name == "compiler");
            compilers.filter_map(|node| text(node, name)).next_back()
        };
        let assets = setting("assetdir");
        let meshes = setting("meshdir").or_else(|| assets.clone()).unwrap_or_default();
        let textures = setting("texturedir").or_else(|| assets.clone()).unwrap_or_default();
        let assets = assets.unwrap_or_default();
        for node in nodes {
            let (names, within): (&[&str], _) = match node.name.as_str() {
                "include" | "model" => (&["file"], None),
                "mesh" | "flexcomp" | "skin" => (&["file"], Some(&meshes)),
                "hfield" => (&["file"], Some(&assets)),
                "texture" => (&IMAGES, Some(&textures)),
                _ => continue,
            };
            for file in names.iter().filter_map(|name| text(node, name)) {
                match within {
                    None => self.add_model(path::join(directory, &file)),
                    Some(within) => {
                        self.add(path::join(directory, &path::join(within, &file)));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Budget;

    #[test]
    fn files_are_named_once_and_cycles_end() {
        let directory = std::env::temp_dir().join(format!("ferrodyn-deps-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let main = directory.join("main.xml").to_string_lossy().into_owned();
        let text = r#"<mujoco><compiler meshdir="m"/><include file="main.xml"/><asset>
            <mesh file="a.obj"/><mesh file="a.obj"name="b"/><hfield file="h.png"/></asset></mujoco>"#;
        std::fs::write(&main, text).unwrap();
        let found = dependencies(&main, &LoadOptions::default());
        let small = Budget { xml_bytes: 10, ..Budget::default() };
        let refused = dependencies(&main, &LoadOptions { budget: small, ..LoadOptions::default() });
        std::fs::remove_dir_all(&directory).unwrap();
        let base = path::directory(&main);
        assert_eq!(found.unwrap(), ["main.xml", "m/a.obj", "h.png"].map(|f| format!("{base}{f}")));
        assert!(refused.unwrap_err().contains("too large"));
        assert!(dependencies(&main, &LoadOptions::default()).is_err());
    }
}
