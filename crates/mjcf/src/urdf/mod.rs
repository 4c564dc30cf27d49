//! Reads URDF, the model language of ROS, into a [`Spec`], by MuJoCo's rules.
//!
//! Links become bodies, and each lies in the frame of the joint above it. Unless the model says
//! otherwise, bodies that cannot move are fused into their parents and visual geometry is left out.
//! A block `<mujoco>` may hold the sections `<compiler>`, `<option>` and `<size>`. What URDF has
//! and MuJoCo does not (`<transmission>`, `<gazebo>`, `<mimic>`, ...) is ignored.

mod geometry;
mod joint;
mod link;
mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::error::{DiagnosticKind, MjcfError, Sink};
use crate::keywords::AngleUnit;
use crate::options::LoadOptions;
use crate::parse;
use crate::spec::{BodySpec, JointSpec, Spec};
use crate::xml::{Document, NodeId, Source};

/// The root element of a URDF model.
pub(crate) const ROOT: &str = "robot";

impl Spec {
    /// Reads a URDF model from a file. [`Spec::from_xml_path`] reads URDF too: it goes by the root
    /// element.
    pub fn from_urdf_path(path: &Path, options: &LoadOptions) -> Result<Self, MjcfError> {
        Self::read(Source::Path(path), options, Some(ROOT))
    }

    /// Reads a URDF model from a text.
    ///
    /// ```
    /// use ferrodyn_mjcf::{LoadOptions, Spec};
    /// let text = r#"<robot name="r"><link name="a"><collision>
    ///     <geometry><sphere radius="0.1"/></geometry></collision></link></robot>"#;
    /// let spec = Spec::from_urdf_str(text, &LoadOptions::default())?;
    /// assert_eq!(spec.bodies[1].name, "a");
    /// # Ok::<(), ferrodyn_mjcf::MjcfError>(())
    /// ```
    pub fn from_urdf_str(text: &str, options: &LoadOptions) -> Result<Self, MjcfError> {
        Self::read(Source::Text(text), options, Some(ROOT))
    }
}

impl Default for JointSpec {
    fn default() -> Self {
        Self::Joint(Box::default())
    }
}

/// Reads a model whose root element is `<robot>`.
pub(crate) fn parse(document: &Document, options: &LoadOptions, sink: &mut Sink) -> Spec {
    let mut urdf = Urdf {
        document,
        sink,
        spec: Spec::default(),
        links: BTreeMap::new(),
        colors: BTreeMap::new(),
        geom_names: BTreeSet::new(),
        joint_names: BTreeSet::new(),
        mesh_scales: BTreeMap::new(),
        discard_visual: true,
    };
    urdf.settings(options);
    urdf.robot();
    urdf.spec
}

/// The work in progress.
struct Urdf<'a> {
    document: &'a Document,
    sink: &'a mut Sink,
    spec: Spec,
    /// The body of every link that is in the tree.
    links: BTreeMap<&'a str, usize>,
    /// Colours of the materials that have one.
    colors: BTreeMap<&'a str, [f32; 4]>,
    geom_names: BTreeSet<String>,
    joint_names: BTreeSet<String>,
    /// The scales of the meshes that come from files of one name.
    mesh_scales: BTreeMap<String, Vec<[f64; 3]>>,
    discard_visual: bool,
}

impl<'a> Urdf<'a> {
    /// The settings of the block `<mujoco>`, over the defaults for URDF.
    fn settings(&mut self, options: &LoadOptions) {
        let block = self.child(0, "mujoco");
        self.spec = parse::settings(self.document, block, options, self.sink);
        let compiler = &mut self.spec.compiler;
        compiler.strippath.get_or_insert(true);
        compiler.fusestatic.get_or_insert(true);
        self.discard_visual = *compiler.discardvisual.get_or_insert(true);
        compiler.angle = Some(AngleUnit::Radian);
        self.spec.model_name = self.document.nodes[0].attr("name").map(|a| a.value.clone());
    }

    /// The elements of the model with this name, in the order of the text.
    fn elements(&self, name: &str) -> Vec<NodeId> {
        let children = self.document.nodes[0].children.iter().copied();
        children.filter(|&c| self.document.nodes[c].name == name).collect()
    }

    fn robot(&mut self) {
        self.materials();
        let links = self.elements("link");
        let joints = self.elements("joint");
        self.tree(&links, &joints);
        for id in links {
            self.link(id);
        }
        for id in joints {
            self.joint(id);
        }
    }

    /// Materials with a name and a colour, wherever they stand; of several, the first counts.
    fn materials(&mut self) {
        for (id, node) in self.document.nodes.iter().enumerate() {
            if node.name != "material" {
                continue;
            }
            if let Some(name) = node.attr("name")
                && !self.colors.contains_key(name.value.as_str())
                && let Some(color) = self.child(id, "color")
                && let Some(rgba) = self.required(color, "rgba")
            {
                self.colors.insert(&name.value, rgba);
            }
        }
    }

    /// Makes the bodies: each link under the parent that a joint gives it, children in the order
    /// of their joints. The link `world` is the world itself.
    fn tree(&mut self, links: &[NodeId], joints: &[NodeId]) {
        let document = self.document;
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, &id) in links.iter().enumerate() {
            let Some(name) = self.required_text(id, "name") else { continue };
            if numbers.insert(name, i).is_some() {
                let node = &document.nodes[id];
                let message = format!("another link has the name '{name}'");
                self.sink.error(node.problem(DiagnosticKind::DuplicateName, message));
            }
        }
        let mut parents: Vec<Option<usize>> = vec![None; links.len()];
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
        for &id in joints {
            let ends = ["parent", "child"].map(|end| {
                let element = self.required_child(id, end)?;
                let name = self.required_text(element, "link")?;
                let found = numbers.get(name).copied();
                if found.is_none() {
                    let message = format!("there is no link '{name}'");
                    let node = &document.nodes[element];
                    let problem = node.problem(DiagnosticKind::Reference, message);
                    self.sink.error(problem.suggest(name, numbers.keys().copied()));
                }
                found
            });
            let [Some(parent), Some(child)] = ends else { continue };
            if parents[child].is_some() {
                let message = "the child link of this joint has another parent already";
                self.sink.error(document.nodes[id].problem(DiagnosticKind::Conflict, message));
                continue;
            }
            parents[child] = Some(parent);
            children[parent].push(child);
        }

        // depth first, without recursion; a link is added where its parent is in the tree
        let mut pending: Vec<usize> =
            (0..links.len()).filter(|&i| parents[i].is_none()).rev().collect();
        let mut bodies: Vec<Option<usize>> = vec![None; links.len()];
        while let Some(i) = pending.pop() {
            let node = &document.nodes[links[i]];
            let Some(name) = node.attr("name").map(|a| a.value.as_str()) else { continue };
            let parent = parents[i].and_then(|p| bodies[p]).unwrap_or(0);
            let body = if name == "world" {
                0
            } else {
                let name = name.to_owned();
                let body = BodySpec { name, span: node.span, parent, ..BodySpec::default() };
                self.spec.bodies.push(body);
                self.spec.bodies.len() - 1
            };
            bodies[i] = Some(body);
            self.links.insert(name, body);
            pending.extend(children[i].iter().rev());
        }
        for (i, &id) in links.iter().enumerate() {
            if bodies[i].is_none() && document.nodes[id].attr("name").is_some() {
                let message = "the joints above this link form a loop";
                self.sink.error(document.nodes[id].problem(DiagnosticKind::Conflict, message));
            }
        }
    }
}
