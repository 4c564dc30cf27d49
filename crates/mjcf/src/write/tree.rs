//! Writes the kinematic tree: rebuilds the nesting of bodies and frames from flat lists.
//!
//! The order of a model comes from the order of the elements of each type within a body. A frame
//! whose elements are separated by others of their type is therefore written more than once.

use super::xml::{Entry, Xml};
use super::{entries, named, write_plugin};
use crate::spec::{BodySpec, Element, FrameSpec, JointSpec, Object, SoftSpec, Spec};

/// Types of elements within a body, in the order in which they are written; bodies and frames, which
/// have content of their own, come last.
const JOINT: usize = 0;
const GEOM: usize = 1;
const SITE: usize = 2;
const CAMERA: usize = 3;
const LIGHT: usize = 4;
const BODY: usize = 5;
const FRAME: usize = 6;
const TYPES: usize = 7;

/// What lies in one body, by type, and how much of it is written.
#[derive(Clone, Debug, Default)]
struct Content {
    lists: [Vec<usize>; TYPES],
    written: [usize; TYPES],
}

impl Content {
    /// The next element of a type.
    fn next(&self, kind: usize) -> Option<usize> {
        self.lists[kind].get(self.written[kind]).copied()
    }
}

/// An open body, or a frame of it.
#[derive(Clone, Copy, Debug)]
struct Level {
    body: usize,
    frame: Option<usize>,
}

/// The work in progress.
struct TreeWriter<'a> {
    spec: &'a Spec,
    xml: &'a mut Xml,
    contents: Vec<Content>,
    /// Frames that were written once already.
    begun: Vec<bool>,
}

/// Writes the section `<worldbody>`.
pub(super) fn write_tree(xml: &mut Xml, spec: &Spec) {
    let mut contents = vec![Content::default(); spec.bodies.len()];
    macro_rules! collect {
        ($($list:ident $kind:ident),*) => {$(
            for (i, element) in spec.$list.iter().enumerate() {
                if let Some(content) = contents.get_mut(element.body) {
                    content.lists[$kind].push(i);
                }
            }
        )*};
    }
    collect!(joints JOINT, geoms GEOM, sites SITE, cameras CAMERA, lights LIGHT, frames FRAME);
    for (i, body) in spec.bodies.iter().enumerate().skip(1) {
        if let Some(content) = contents.get_mut(body.parent) {
            content.lists[BODY].push(i);
        }
    }
    let begun = vec![false; spec.frames.len()];
    TreeWriter { spec, xml, contents, begun }.run();
}

impl TreeWriter<'_> {
    /// Writes the world and everything in it, without recursion.
    fn run(mut self) {
        let Some(world) = self.spec.bodies.first() else { return };
        self.xml.begin("worldbody", &[]);
        self.body_content(world);
        let mut open = vec![Level { body: 0, frame: None }];
        while let Some(&level) = open.last() {
            for kind in JOINT..BODY {
                self.elements(kind, level);
            }
            if let Some(body) = self.contents[level.body].next(BODY)
                && self.spec.bodies[body].frame == level.frame
            {
                self.contents[level.body].written[BODY] += 1;
                self.begin_body(&self.spec.bodies[body]);
                open.push(Level { body, frame: None });
            } else if let Some(frame) = self.next_frame(level) {
                let first = !core::mem::replace(&mut self.begun[frame], true);
                self.begin_frame(&self.spec.frames[frame], first);
                open.push(Level { body: level.body, frame: Some(frame) });
            } else {
                open.pop();
                if open.is_empty() { self.xml.end_section() } else { self.xml.end() }
            }
        }
    }

    /// The frame around an element, or around a frame.
    fn frame_of(&self, kind: usize, index: usize) -> Option<usize> {
        let spec = self.spec;
        match kind {
            JOINT => spec.joints[index].frame,
            GEOM => spec.geoms[index].frame,
            SITE => spec.sites[index].frame,
            CAMERA => spec.cameras[index].frame,
            LIGHT => spec.lights[index].frame,
            BODY => spec.bodies[index].frame,
            _ => spec.frames[index].parent,
        }
    }

    /// Writes the elements of a type that come next and lie here.
    fn elements(&mut self, kind: usize, level: Level) {
        while let Some(index) = self.contents[level.body].next(kind) {
            if self.frame_of(kind, index) != level.frame {
                return;
            }
            self.contents[level.body].written[kind] += 1;
            self.element(kind, index);
        }
    }

    /// The frame within this level that something which comes next lies in.
    fn next_frame(&mut self, level: Level) -> Option<usize> {
        let mut found: Option<usize> = None;
        let content = &mut self.contents[level.body];
        while content.next(FRAME).is_some_and(|f| self.begun[f]) {
            content.written[FRAME] += 1;
        }
        for kind in 0..TYPES {
            let Some(index) = self.contents[level.body].next(kind) else { continue };
            let around = if kind == FRAME { Some(index) } else { self.frame_of(kind, index) };
            if let Some(frame) = around.and_then(|f| self.outermost(f, level.frame)) {
                found = Some(found.map_or(frame, |f| f.min(frame)));
            }
        }
        found
    }

    /// The frame that contains `frame`, or is it, and lies directly in `outer`.
    fn outermost(&self, frame: usize, outer: Option<usize>) -> Option<usize> {
        let mut frame = frame;
        for _ in 0..self.spec.frames.len() {
            match self.spec.frames[frame].parent {
                parent if parent == outer => return Some(frame),
                Some(parent) => frame = parent,
                None => return None,
            }
        }
        None
    }

    fn begin_body(&mut self, body: &BodySpec) {
        let mut attributes = named(&body.name);
        attributes.extend(body.childclass.clone().map(|c| ("childclass", c)));
        attributes.extend(entries(&body.attr));
        self.xml.begin("body", &attributes);
        self.body_content(body);
    }

    /// The inertia and the plugin of a body.
    fn body_content(&mut self, body: &BodySpec) {
        if let Some(inertial) = &body.inertial {
            self.xml.element("inertial", &entries(&inertial.attr));
        }
        write_plugin(self.xml, &body.plugin);
        let world = self.spec.bodies.first().is_some_and(|first| core::ptr::eq(first, body));
        let own = |soft: &&Object<SoftSpec>| {
            if world { soft.attr.body == "world" } else { soft.attr.body == body.name }
        };
        for soft in self.spec.softs.iter().filter(own) {
            self.soft(soft);
        }
    }

    /// A deformable body with a solver of its own, as listed points and elements.
    fn soft(&mut self, object: &Object<SoftSpec>) {
        let mut attributes = named(&object.name);
        attributes.extend(entries(&object.attr.attr));
        self.xml.begin("flexcomp", &attributes);
        for (name, attributes) in [
            ("contact", entries(&object.attr.contact)),
            ("elasticity", entries(&object.attr.elasticity)),
            ("pin", entries(&object.attr.pin)),
        ] {
            if !attributes.is_empty() {
                self.xml.element(name, &attributes);
            }
        }
        self.xml.end();
    }

    fn begin_frame(&mut self, frame: &FrameSpec, first: bool) {
        let mut attributes = if first { named(&frame.name) } else { Vec::new() };
        attributes.extend(frame.childclass.clone().map(|c| ("childclass", c)));
        attributes.extend(entries(&frame.attr));
        self.xml.begin("frame", &attributes);
    }

    fn element(&mut self, kind: usize, index: usize) {
        let spec = self.spec;
        match kind {
            JOINT => {
                let joint = &spec.joints[index];
                match &joint.attr {
                    JointSpec::Joint(attr) => self.write("joint", joint, entries(&**attr)),
                    JointSpec::Free(attr) => self.write("freejoint", joint, entries(attr)),
                }
            }
            GEOM => self.write("geom", &spec.geoms[index], entries(&spec.geoms[index].attr)),
            SITE => self.write("site", &spec.sites[index], entries(&spec.sites[index].attr)),
            CAMERA => {
                let camera = &spec.cameras[index];
                self.write("camera", camera, entries(&camera.attr));
            }
            _ => self.write("light", &spec.lights[index], entries(&spec.lights[index].attr)),
        }
    }

    fn write<A>(&mut self, name: &'static str, element: &Element<A>, own: Vec<Entry>) {
        let mut attributes = named(&element.name);
        if name != "freejoint" {
            attributes.extend(element.class.clone().map(|c| ("class", c)));
        }
        attributes.extend(own);
        self.xml.begin(name, &attributes);
        write_plugin(self.xml, &element.plugin);
        self.xml.end();
    }
}
