//! Removes elements.

use super::id::{BodyId, FrameId, Item};
use super::{EditError, Id, WORLD};
use crate::attach::{NameLookup, keep_own, remove_dangling};
use crate::spec::{BodySpec, Element, FrameSpec, Object, Spec};

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
