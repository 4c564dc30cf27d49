//! A part of the tree that is copied somewhere else.

use super::{AttachError, Namespace, Part};
use crate::error::Span;
use crate::schema::{CameraAttrs, GeomAttrs, LightAttrs, SiteAttrs};
use crate::spec::{BodySpec, Element, FrameSpec, JointSpec, Spec};

/// Where a part is put.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement<'a> {
    /// The body that it hangs on.
    pub(crate) body: usize,
    /// The frame of that body that it lies in.
    pub(crate) frame: Option<usize>,
    pub(crate) namespace: Namespace<'a>,
    /// Whether it comes from another model, with its own assets and default classes.
    pub(crate) foreign: bool,
    /// The origin here of each origin there; empty where they are the same.
    pub(crate) origins: &'a [usize],
}

impl Placement<'_> {
    pub(super) fn origin(&self, origin: usize) -> usize {
        self.origins.get(origin).copied().unwrap_or(origin)
    }

    /// The name of an asset or default class.
    fn rename_asset(&self, name: &mut Option<String>) {
        if self.foreign {
            self.namespace.rename_option(name);
        }
    }
}

/// Elements of the tree with indices of their own: body 0 stands for what the part hangs on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subtree {
    bodies: Vec<BodySpec>,
    frames: Vec<FrameSpec>,
    joints: Vec<Element<JointSpec>>,
    geoms: Vec<Element<GeomAttrs>>,
    sites: Vec<Element<SiteAttrs>>,
    cameras: Vec<Element<CameraAttrs>>,
    lights: Vec<Element<LightAttrs>>,
    /// Whether the part is a frame; its first frame is then the one that is placed.
    framed: bool,
}

impl Subtree {
    /// A copy of a part of a model.
    pub(super) fn of(spec: &Spec, part: Part) -> Result<Self, AttachError> {
        let missing = || AttachError(String::from("the part does not exist"));
        // which bodies and frames belong to it
        let mut bodies = vec![false; spec.bodies.len()];
        let mut frames = vec![false; spec.frames.len()];
        let (root, framed) = match part {
            Part::World => (0, true),
            Part::Body(b) => {
                *bodies.get_mut(b).ok_or_else(missing)? = true;
                (spec.bodies[b].parent, false)
            }
            Part::Frame(f) => (spec.frames.get(f).ok_or_else(missing)?.body, true),
        };
        let in_part = |frame: Option<usize>, frames: &[bool]| match part {
            Part::World => true,
            Part::Body(_) => false,
            Part::Frame(f) => frame.is_some_and(|i| i == f || frames[i]),
        };
        for (i, frame) in spec.frames.iter().enumerate() {
            if frame.body == root {
                frames[i] = in_part(Some(i), &frames) || in_part(frame.parent, &frames);
            }
        }
        for (i, body) in spec.bodies.iter().enumerate().skip(1) {
            bodies[i] |=
                bodies[body.parent] || (body.parent == root && in_part(body.frame, &frames));
        }
        bodies[0] = false;
        for (i, frame) in spec.frames.iter().enumerate() {
            frames[i] |= bodies[frame.body];
        }

        let number = |flags: &[bool], first: usize| -> Vec<Option<usize>> {
            let mut next = first;
            let count = |&flag: &bool| {
                flag.then(|| {
                    next += 1;
                    next - 1
                })
            };
            flags.iter().map(count).collect()
        };
        // the world has no frame of its own: one is made for it
        let extra = usize::from(part == Part::World);
        let (body_ids, frame_ids) = (number(&bodies, 1), number(&frames, extra));
        let mut out = Self { framed, ..Self::default() };
        if part == Part::World {
            out.frames.push(FrameSpec::default());
        }
        let frame_of = |frame: Option<usize>, body: usize| match frame {
            Some(f) => frame_ids[f],
            None if part == Part::World && body == 0 => Some(0),
            None => None,
        };
        for (i, body) in spec.bodies.iter().enumerate().filter(|(i, _)| bodies[*i]) {
            let top = part == Part::Body(i);
            let frame = if top { None } else { frame_of(body.frame, body.parent) };
            let parent = body_ids[body.parent].unwrap_or(0);
            out.bodies.push(BodySpec { parent, frame, ..body.clone() });
        }
        for (i, frame) in spec.frames.iter().enumerate().filter(|(i, _)| frames[*i]) {
            let top = part == Part::Frame(i);
            let parent = if top { None } else { frame_of(frame.parent, frame.body) };
            let body = body_ids[frame.body].unwrap_or(0);
            out.frames.push(FrameSpec { body, parent, ..frame.clone() });
        }
        macro_rules! elements {
            ($($list:ident)*) => {$(
                for element in &spec.$list {
                    let inside = bodies[element.body]
                        || (element.body == root && in_part(element.frame, &frames));
                    if inside {
                        let body = body_ids[element.body].unwrap_or(0);
                        let frame = frame_of(element.frame, element.body);
                        out.$list.push(Element { body, frame, ..element.clone() });
                    }
                }
            )*};
        }
        elements!(joints geoms sites cameras lights);
        Ok(out)
    }

    /// Takes the newest elements out of a model: everything that was added since `marks`. They hang
    /// on `body`; the first frame among them is the one that is placed.
    pub(crate) fn take(spec: &mut Spec, marks: &Marks, body: usize) -> Self {
        let mut part = Self {
            bodies: spec.bodies.split_off(marks.bodies),
            frames: spec.frames.split_off(marks.frames),
            joints: spec.joints.split_off(marks.joints),
            geoms: spec.geoms.split_off(marks.geoms),
            sites: spec.sites.split_off(marks.sites),
            cameras: spec.cameras.split_off(marks.cameras),
            lights: spec.lights.split_off(marks.lights),
            framed: true,
        };
        let body_id = |b: usize| if b == body { 0 } else { b + 1 - marks.bodies };
        let frame_id = |f: Option<usize>| f.map(|f| f - marks.frames);
        for (i, frame) in part.frames.iter_mut().enumerate() {
            frame.body = body_id(frame.body);
            frame.parent = if i == 0 { None } else { frame_id(frame.parent) };
        }
        for body in &mut part.bodies {
            body.parent = body_id(body.parent);
            body.frame = frame_id(body.frame);
        }
        macro_rules! elements {
            ($($list:ident)*) => {$(
                for element in &mut part.$list {
                    element.body = body_id(element.body);
                    element.frame = frame_id(element.frame);
                }
            )*};
        }
        elements!(joints geoms sites cameras lights);
        part
    }

    /// How many elements it has.
    pub(crate) fn len(&self) -> usize {
        self.bodies.len()
            + self.frames.len()
            + self.joints.len()
            + self.geoms.len()
            + self.sites.len()
            + self.cameras.len()
            + self.lights.len()
    }

    /// Forgets what keyframes say about its elements, which goes with the first copy.
    pub(crate) fn forget_keyframes(&mut self) {
        self.bodies.iter_mut().for_each(|b| b.saved.clear());
        self.joints.iter_mut().for_each(|j| j.saved.clear());
    }

    /// The frame that is placed.
    pub(crate) fn frame_mut(&mut self) -> &mut FrameSpec {
        &mut self.frames[0]
    }

    /// Names of the elements, with their types and places.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&'static str, &str, Span)> {
        let bodies = self.bodies.iter().map(|b| ("body", b.name.as_str(), b.span));
        let frames = self.frames.iter().map(|f| ("frame", f.name.as_str(), f.span));
        let joints = self.joints.iter().map(|e| ("joint", e.name.as_str(), e.span));
        let geoms = self.geoms.iter().map(|e| ("geom", e.name.as_str(), e.span));
        let sites = self.sites.iter().map(|e| ("site", e.name.as_str(), e.span));
        let cameras = self.cameras.iter().map(|e| ("camera", e.name.as_str(), e.span));
        let lights = self.lights.iter().map(|e| ("light", e.name.as_str(), e.span));
        let all = bodies.chain(frames).chain(joints).chain(geoms).chain(sites);
        all.chain(cameras).chain(lights).filter(|(_, name, _)| !name.is_empty())
    }

    /// Copies the part into a model; `class` is the default class around it where it comes from.
    /// Returns the index of the new body or frame.
    pub(crate) fn place(&self, spec: &mut Spec, at: &Placement<'_>, class: &str) -> usize {
        let ns = &at.namespace;
        let (first_body, first_frame) = (spec.bodies.len(), spec.frames.len());
        let body_id = |b: usize| if b == 0 { at.body } else { first_body + b - 1 };
        let frame_id = |f: Option<usize>| f.map(|f| first_frame + f);
        // what the part inherits where it comes from is stated where it begins
        let begins = |own: &Option<String>| match own {
            None if at.foreign => Some(class.to_owned()),
            None => None,
            Some(own) => Some(own.clone()),
        };
        for (i, frame) in self.frames.iter().enumerate() {
            let top = self.framed && i == 0;
            let mut new = frame.clone();
            new.body = body_id(frame.body);
            new.parent = if top { at.frame } else { frame_id(frame.parent) };
            new.origin = at.origin(frame.origin);
            ns.rename(&mut new.name);
            at.rename_asset(&mut new.childclass);
            if top {
                new.childclass = begins(&new.childclass);
            }
            spec.frames.push(new);
        }
        for (i, body) in self.bodies.iter().enumerate() {
            let top = !self.framed && i == 0;
            let mut new = body.clone();
            new.parent = body_id(body.parent);
            new.frame = if top { at.frame } else { frame_id(body.frame) };
            new.origin = at.origin(body.origin);
            ns.rename(&mut new.name);
            at.rename_asset(&mut new.childclass);
            if top {
                new.childclass = begins(&new.childclass);
            }
            rename_plugin(&mut new.plugin, ns);
            spec.bodies.push(new);
        }
        macro_rules! elements {
            ($($list:ident ($($change:expr)?);)*) => {$(
                for element in &self.$list {
                    let mut new = element.clone();
                    new.body = body_id(element.body);
                    new.frame = frame_id(element.frame);
                    new.origin = at.origin(element.origin);
                    ns.rename(&mut new.name);
                    at.rename_asset(&mut new.class);
                    rename_plugin(&mut new.plugin, ns);
                    $($change(&mut new.attr);)?
                    spec.$list.push(new);
                }
            )*};
        }
        elements! {
            joints ();
            geoms (|a: &mut GeomAttrs| {
                at.rename_asset(&mut a.material);
                at.rename_asset(&mut a.mesh);
                at.rename_asset(&mut a.hfield);
            });
            sites (|a: &mut SiteAttrs| at.rename_asset(&mut a.material));
            cameras (|a: &mut CameraAttrs| ns.rename_option(&mut a.target));
            lights (|a: &mut LightAttrs| {
                ns.rename_option(&mut a.target);
                ns.rename_option(&mut a.texture);
            });
        }
        if self.framed { first_frame } else { first_body }
    }
}

/// A plugin instance that is named moves with the part.
pub(super) fn rename_plugin(plugin: &mut Option<Box<crate::spec::PluginSpec>>, ns: &Namespace<'_>) {
    if let Some(plugin) = plugin {
        ns.rename(&mut plugin.instance);
    }
}

/// How many elements a model has, to find out later which are new.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    bodies: usize,
    frames: usize,
    joints: usize,
    geoms: usize,
    sites: usize,
    cameras: usize,
    lights: usize,
}

impl Marks {
    pub(crate) fn new(spec: &Spec) -> Self {
        Self {
            bodies: spec.bodies.len(),
            frames: spec.frames.len(),
            joints: spec.joints.len(),
            geoms: spec.geoms.len(),
            sites: spec.sites.len(),
            cameras: spec.cameras.len(),
            lights: spec.lights.len(),
        }
    }

    /// Names of the elements that are newer, with their types and places.
    pub(crate) fn names_since(&self, spec: &Spec) -> Vec<(&'static str, String, Span)> {
        let mut names = Vec::new();
        let mut add = |kind, name: &String, span| {
            if !name.is_empty() {
                names.push((kind, name.clone(), span));
            }
        };
        spec.bodies[self.bodies..].iter().for_each(|b| add("body", &b.name, b.span));
        spec.frames[self.frames..].iter().for_each(|f| add("frame", &f.name, f.span));
        spec.joints[self.joints..].iter().for_each(|e| add("joint", &e.name, e.span));
        spec.geoms[self.geoms..].iter().for_each(|e| add("geom", &e.name, e.span));
        spec.sites[self.sites..].iter().for_each(|e| add("site", &e.name, e.span));
        spec.cameras[self.cameras..].iter().for_each(|e| add("camera", &e.name, e.span));
        spec.lights[self.lights..].iter().for_each(|e| add("light", &e.name, e.span));
        names
    }
}
