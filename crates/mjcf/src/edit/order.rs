//! Puts the tree in the order that the compiler needs: parents before children, each body followed
//! by its descendants.

use std::borrow::Cow;

use super::reference::servo;
use crate::error::{DiagnosticKind, MjcfError, Problem};
use crate::spec::Spec;

impl Spec {
    /// The bodies in the order of the tree, by index. Bodies that do not hang on the world are left
    /// out.
    pub fn tree_order(&self) -> Vec<usize> {
        let mut children = vec![Vec::new(); self.bodies.len()];
        for (i, body) in self.bodies.iter().enumerate().skip(1) {
            if let Some(list) = children.get_mut(body.parent) {
                list.push(i);
            }
        }
        let mut order = Vec::with_capacity(self.bodies.len());
        let mut stack = if self.bodies.is_empty() { Vec::new() } else { vec![0] };
        while let Some(body) = stack.pop() {
            order.push(body);
            stack.extend(children[body].iter().rev());
        }
        order
    }

    /// Frames with outer ones before inner ones, by index; frames in a circle are left out.
    fn frame_order(&self) -> Vec<usize> {
        let mut placed = vec![false; self.frames.len()];
        let mut order = Vec::with_capacity(self.frames.len());
        loop {
            let before = order.len();
            for (i, frame) in self.frames.iter().enumerate() {
                let ready = frame.parent.is_none_or(|p| placed.get(p) == Some(&true));
                if !placed[i] && ready {
                    placed[i] = true;
                    order.push(i);
                }
            }
            if order.len() == before {
                return order;
            }
        }
    }

    /// Whether every index leads somewhere, and no body or frame contains itself.
    fn is_tree(&self) -> bool {
        let (nbody, nframe) = (self.bodies.len(), self.frames.len());
        let place = |body: usize, frame: Option<usize>| {
            body < nbody && frame.is_none_or(|f| f < nframe && self.frames[f].body == body)
        };
        macro_rules! placed {
            ($($list:ident)*) => { $(self.$list.iter().all(|e| place(e.body, e.frame)))&&* };
        }
        nbody > 0
            && self.bodies.iter().skip(1).all(|b| place(b.parent, b.frame))
            && self.frames.iter().all(|f| place(f.body, f.parent))
            && placed!(joints geoms sites cameras lights)
            && self.tree_order().len() == nbody
            && self.frame_order().len() == nframe
    }

    /// The specification as the compiler needs it: a copy where something has to change.
    pub(crate) fn prepared(&self) -> Result<Cow<'_, Self>, MjcfError> {
        if !self.is_tree() {
            let message = "an element refers to a body or frame that does not exist";
            let problem = Problem::new(DiagnosticKind::Model, message);
            return Err(MjcfError { diagnostics: vec![problem.finish(&self.files)], omitted: 0 });
        }
        let mut spec = Cow::Borrowed(self);
        if !self.is_ordered() {
            spec.to_mut().put_in_order();
        }
        // an inertia without a position is that of the geoms
        let unplaced = |b: &crate::spec::BodySpec| {
            b.inertial.as_ref().is_some_and(|inertial| inertial.attr.pos.is_none())
        };
        if self.bodies.iter().any(unplaced) {
            for body in spec.to_mut().bodies.iter_mut().filter(|b| unplaced(b)) {
                body.inertial = None;
            }
        }
        if self.actuators.iter().any(|a| servo(&a.attr).is_some()) {
            for actuator in &mut spec.to_mut().actuators {
                if let Some(servo) = servo(&actuator.attr) {
                    actuator.attr = servo;
                }
            }
        }
        // custom numbers without a size are as many as there are
        if self.numerics.iter().any(|n| n.attr.size.is_none_or(|size| size == 0)) {
            for numeric in &mut spec.to_mut().numerics {
                if numeric.attr.size.is_none_or(|size| size == 0) {
                    let count = numeric.attr.data.as_ref().map_or(0, Vec::len);
                    numeric.attr.size = i32::try_from(count).ok();
                }
            }
        }
        Ok(spec)
    }

    /// Whether bodies and frames are in the order of the tree.
    pub(super) fn is_ordered(&self) -> bool {
        let in_order = |order: Vec<usize>| order.iter().enumerate().all(|(i, &o)| i == o);
        let outer_first =
            self.frames.iter().enumerate().all(|(i, f)| f.parent.is_none_or(|p| p < i));
        outer_first && in_order(self.tree_order())
    }

    /// Puts bodies and frames in the order of the tree.
    pub(super) fn put_in_order(&mut self) {
        let (bodies, frames) = (self.tree_order(), self.frame_order());
        self.keep(&bodies, &frames);
    }

    /// Keeps these bodies and frames in this order, and what lies in them.
    pub(super) fn keep(&mut self, bodies: &[usize], frames: &[usize]) {
        let number = |order: &[usize], count: usize| {
            let mut new = vec![None; count];
            for (i, &old) in order.iter().enumerate() {
                new[old] = Some(i);
            }
            new
        };
        let body_of = number(bodies, self.bodies.len());
        let frame_of = number(frames, self.frames.len());
        let frame_id = |frame: Option<usize>| frame.and_then(|f| frame_of[f]);
        self.bodies = bodies.iter().map(|&b| self.bodies[b].clone()).collect();
        for body in &mut self.bodies {
            body.parent = body_of[body.parent].unwrap_or(0);
            body.frame = frame_id(body.frame);
        }
        self.frames = frames.iter().map(|&f| self.frames[f].clone()).collect();
        for frame in &mut self.frames {
            frame.body = body_of[frame.body].unwrap_or(0);
            frame.parent = frame_id(frame.parent);
        }
        macro_rules! elements {
            ($($list:ident)*) => {$(
                self.$list.retain(|e| body_of[e.body].is_some());
                for element in &mut self.$list {
                    element.body = body_of[element.body].unwrap_or(0);
                    element.frame = frame_id(element.frame);
                }
            )*};
        }
        elements!(joints geoms sites cameras lights);
    }
}
