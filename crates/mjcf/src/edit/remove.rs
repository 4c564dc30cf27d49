//! Removes elements.

use ferrodyn_model::ObjType;

use super::id::{BodyId, FrameId, Item};
use super::{EditError, Id, WORLD};
use crate::attach::{NameLookup, keep_own, remove_dangling};
use crate::spec::{BodySpec, Element, FrameSpec, MAIN_CLASS, Object, Spec};

/// The types of elements that have a default class of their own.
const CLASSED: [ObjType; 11] = [
    ObjType::Joint,
    ObjType::Geom,
    ObjType::Site,
    ObjType::Camera,
    ObjType::Light,
    ObjType::Mesh,
    ObjType::Material,
    ObjType::Pair,
    ObjType::Equality,
    ObjType::Tendon,
    ObjType::Actuator,
];

/// A type of element that can be removed by itself. What refers to the element stays, and no
/// longer compiles.
pub trait Removable: Item {}

impl<A> Removable for Element<A> where Element<A>: Item {}
impl<A> Removable for Object<A> where Object<A>: Item {}

impl Spec {
    /// Removes an element. What refers to it stays. See [`remove_body`](Self::remove_body) and
    /// [`remove_frame`](Self::remove_frame) for those.
    pub fn remove<E: Removable>(&mut self, id: Id<E>) -> Result<(), EditError> {
        let index = self.index(id)?;
        E::list_mut(self).remove(index);
        Ok(())
    }

    /// Removes a body with everything in it and everything that refers to it: contact pairs,
    /// exclusions, tendons, equality constraints, actuators and sensors. Keyframes keep what they
    /// say about the rest.
    pub fn remove_body(&mut self, body: BodyId) -> Result<(), EditError> {
        if body == WORLD {
            return Err(EditError::World("cannot be removed"));
        }
        self.index(body)?;
        if !self.is_ordered() {
            self.put_in_order();
        }
        keep_own(self)?;
        let before = NameLookup::of(self);
        let removed = self.subtree(self.index(body)?);
        let bodies: Vec<usize> = (0..self.bodies.len()).filter(|&b| !removed[b]).collect();
        let kept = |f: &usize| !removed[self.frames[*f].body];
        let frames: Vec<usize> = (0..self.frames.len()).filter(kept).collect();
        self.keep(&bodies, &frames);
        remove_dangling(self, &before);
        Ok(())
    }

    /// Removes a frame. What lies in it moves to the frame or body around it, and keeps the pose
    /// that it has in there.
    pub fn remove_frame(&mut self, frame: FrameId) -> Result<(), EditError> {
        let index = self.index(frame)?;
        let outer = self.frames[index].parent;
        let leave = |inner: &mut Option<usize>| {
            if *inner == Some(index) {
                *inner = outer;
            }
        };
        self.bodies.iter_mut().for_each(|b: &mut BodySpec| leave(&mut b.frame));
        self.frames.iter_mut().for_each(|f: &mut FrameSpec| leave(&mut f.parent));
        self.joints.iter_mut().for_each(|e| leave(&mut e.frame));
        self.geoms.iter_mut().for_each(|e| leave(&mut e.frame));
        self.sites.iter_mut().for_each(|e| leave(&mut e.frame));
        self.cameras.iter_mut().for_each(|e| leave(&mut e.frame));
        self.lights.iter_mut().for_each(|e| leave(&mut e.frame));
        let bodies: Vec<usize> = (0..self.bodies.len()).collect();
        let frames: Vec<usize> = (0..self.frames.len()).filter(|&f| f != index).collect();
        self.keep(&bodies, &frames);
        Ok(())
    }

    /// Removes a default class and those that descend from it. Elements of these classes keep the values
    /// that they have and go to the main class, which cannot be removed.
    pub fn remove_default(&mut self, class: &str) -> Result<(), EditError> {
        if class == MAIN_CLASS {
            let message = "cannot remove the global default ('main')";
            return Err(EditError::Refused(message.to_owned()));
        }
        self.known_class(class)?;
        // parents come before what descends from them
        let mut removed = vec![class.to_owned()];
        for block in &self.defaults {
            let descends = block.parent.as_ref().is_some_and(|parent| removed.contains(parent));
            if descends && !removed.contains(&block.class) {
                removed.push(block.class.clone());
            }
        }
        for kind in CLASSED {
            for uid in self.numbers(kind) {
                let of = self.class_of(kind, uid)?;
                if removed.iter().any(|class| class == of) {
                    self.set_class_only(kind, uid, MAIN_CLASS)?;
                }
            }
        }
        let gone = |class: &mut String| removed.contains(class);
        self.bodies.iter_mut().for_each(|b| drop(b.childclass.take_if(gone)));
        self.frames.iter_mut().for_each(|f| drop(f.childclass.take_if(gone)));
        self.defaults.retain(|block| !removed.contains(&block.class));
        Ok(())
    }

    /// Which bodies belong to the subtree of a body, in a specification whose parents come before
    /// their children.
    fn subtree(&self, root: usize) -> Vec<bool> {
        let mut inside = vec![false; self.bodies.len()];
        inside[root] = true;
        for (i, body) in self.bodies.iter().enumerate().skip(root + 1) {
            inside[i] = inside[body.parent];
        }
        inside
    }
}
