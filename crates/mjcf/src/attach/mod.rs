//! Puts a part of a model into a model: replication, and attachment of another model.
//!
//! The elements of the tree are copied with new names; so are the elements outside the tree that
//! refer to them, such as sensors, whose references follow the new names.

mod keyframes;
mod references;
mod subtree;

pub use keyframes::{PendingKey, SavedState};
pub(crate) use keyframes::{keep_own, key_problem};
pub(crate) use references::{NameLookup, copy_referring, referenced, remove_dangling};
pub(crate) use subtree::{Marks, Placement, Subtree};

use crate::defaults::Scopes;
use crate::error::Span;
use crate::spec::{DefaultBlock, FrameSpec, MAIN_CLASS, Object, Origin, Spec};

/// What is put before and after the names of a part.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Namespace<'a> {
    pub(crate) prefix: &'a str,
    pub(crate) suffix: &'a str,
}

impl Namespace<'_> {
    /// A name within the namespace; no name stays no name.
    pub(crate) fn name(&self, name: &str) -> String {
        if name.is_empty() {
            return String::new();
        }
        format!("{}{name}{}", self.prefix, self.suffix)
    }

    pub(crate) fn rename(&self, name: &mut String) {
        *name = self.name(name);
    }

    pub(crate) fn rename_option(&self, name: &mut Option<String>) {
        if let Some(name) = name {
            self.rename(name);
        }
    }
}

/// Why a part could not be attached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AttachError(pub String);

/// What of a model is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Everything in the world.
    World,
    /// A body, by index, with everything in it.
    Body(usize),
    /// What lies in a frame, by index, and the frame itself.
    Frame(usize),
}

impl Spec {
    /// Attaches a part of another model in a body, or in a frame of that body. Names get a prefix
    /// and a suffix; elements outside the tree that refer to the part come with it, as do assets,
    /// default classes and keyframes. Returns the index of the body or frame that was added.
    ///
    /// ```
    /// use ferrodyn_mjcf::{LoadOptions, Part, Spec};
    /// let options = LoadOptions::default();
    /// let arm = Spec::from_xml_str(
    ///     r#"<mujoco><worldbody><body name="arm"><geom size="1"/></body></worldbody></mujoco>"#,
    ///     &options,
    /// )?;
    /// let mut scene = Spec::default();
    /// scene.attach(0, None, &arm, Part::Body(1), "left/", "").unwrap();
    /// assert_eq!(scene.bodies[1].name, "left/arm");
    /// # Ok::<(), ferrodyn_mjcf::MjcfError>(())
    /// ```
    pub fn attach(
        &mut self,
        body: usize,
        frame: Option<usize>,
        child: &Spec,
        part: Part,
        prefix: &str,
        suffix: &str,
    ) -> Result<usize, AttachError> {
        let namespace = Namespace { prefix, suffix };
        self.attach_part(body, frame, child, part, namespace).map(|(added, _)| added)
    }

    /// Attaches a part; also tells which numbers of the other model became which of this one.
    pub(crate) fn attach_part(
        &mut self,
        body: usize,
        frame: Option<usize>,
        child: &Spec,
        part: Part,
        namespace: Namespace<'_>,
    ) -> Result<(usize, Vec<(u32, u32)>), AttachError> {
        if let Some(soft) = child.softs.first() {
            let name = &soft.name;
            let message =
                format!("the model has the deformable body '{name}', which cannot be attached");
            return Err(AttachError(message));
        }
        let mut child = child.clone();
        child.forget_numbers();
        child.name_assets();
        keyframes::store(&mut child, self, &namespace)?;
        let origins = self.adopt_origins(&child);
        let subtree = Subtree::of(&child, part)?;
        let placement = Placement { body, frame, namespace, foreign: true, origins: &origins };
        self.adopt_defaults(&child.defaults, &namespace);
        let scopes = Scopes::new(&child);
        let class = match part {
            Part::World => MAIN_CLASS.to_owned(),
            Part::Body(b) => {
                let body = &child.bodies[b];
                scopes.around(body.parent, body.frame).to_owned()
            }
            Part::Frame(f) => {
                scopes.around(child.frames[f].body, child.frames[f].parent).to_owned()
            }
        };
        let added = subtree.place(self, &placement, &namespace.name(&class));
        self.adopt_objects(&mut child, &placement);
        Ok((added, self.number()))
    }

    /// Assets without names are named after their files, so that a prefix can be put before them.
    fn name_assets(&mut self) {
        fn name<A>(objects: &mut [Object<A>], file: impl Fn(&A) -> Option<&str>) {
            for object in objects.iter_mut().filter(|o| o.name.is_empty()) {
                if let Some(file) = file(&object.attr) {
                    object.name = crate::path::stem(crate::path::file_name(file)).to_owned();
                }
            }
        }
        name(&mut self.meshes, |a| a.file.as_deref());
        name(&mut self.skins, |a| a.attr.file.as_deref());
        name(&mut self.hfields, |a| a.file.as_deref());
        name(&mut self.textures, |a| a.file.as_deref());
    }

    /// Takes over the settings of another model and of what was attached to it; the result maps
    /// its origins to those here.
    fn adopt_origins(&mut self, child: &Spec) -> Vec<usize> {
        (0..=child.attached.len())
            .map(|origin| {
                let compiler = child.compiler_of(origin).clone();
                let directory = child.directory_of(origin).to_owned();
                let same = |o: &Origin| o.compiler == compiler && o.directory == directory;
                if let Some(i) = self.attached.iter().position(same) {
                    return i + 1;
                }
                self.attached.push(Origin { compiler, directory });
                self.attached.len()
            })
            .collect()
    }

    /// Takes over default classes. They come before all others, where the main class is still as
    /// it was born: an attached class does not inherit from the main class of this model.
    fn adopt_defaults(&mut self, defaults: &[DefaultBlock], namespace: &Namespace<'_>) {
        let main = namespace.name(MAIN_CLASS);
        if self.defaults.iter().any(|block| block.class == main) {
            return;
        }
        let mut blocks = vec![DefaultBlock {
            class: main.clone(),
            parent: Some(MAIN_CLASS.to_owned()),
            ..DefaultBlock::default()
        }];
        for block in defaults {
            let mut block = block.clone();
            block.class = namespace.name(&block.class);
            // a block of the main class continues it
            block.parent = Some(block.parent.map_or(main.clone(), |p| namespace.name(&p)));
            for element in &mut block.elements {
                references::rename_default(&mut element.attr, namespace);
            }
            blocks.push(block);
        }
        self.defaults.splice(0..0, blocks);
    }

    /// Copies what lies outside the tree of another model: assets and custom data all, and what
    /// refers to objects where those were attached.
    fn adopt_objects(&mut self, child: &mut Spec, placement: &Placement<'_>) {
        references::adopt_assets(self, child, placement);
        let mut names = NameLookup::of(self);
        references::adopt_skins(self, child, placement, &names);
        copy_referring(self, Some(child), placement, &mut names);
        for plugin in &child.plugins {
            if !self.plugins.contains(plugin) {
                self.plugins.push(plugin.clone());
            }
        }
        for instance in &child.instances {
            let name = placement.namespace.name(&instance.name);
            if !self.instances.iter().any(|i| i.name == name) {
                self.instances.push(Object { name, ..instance.clone() });
            }
        }
    }

    /// Adds a frame to a body.
    pub(crate) fn push_frame(&mut self, body: usize, parent: Option<usize>, span: Span) -> usize {
        self.frames.push(FrameSpec { body, parent, span, ..FrameSpec::default() });
        self.frames.len() - 1
    }
}
