//! Moves parts of the tree: attachment of other models, frames, bodies that become frames.

use ferrodyn_model::ObjType;

use super::add::Place;
use super::id::{BodyId, FrameId, Id, SiteId};
use super::{EditError, WORLD};
use crate::attach::{Namespace, Part};
use crate::keywords::AngleUnit;
use crate::orientation::orientation;
use crate::schema::{FrameAttrs, GeomAttrs};
use crate::spec::{BodySpec, Element, FrameSpec, JointSpec, Spec};
use crate::values::RawQuat;

impl Spec {
    /// Attaches a body of a model, with everything in it, to a body or frame of this one. Names get
    /// a prefix and a suffix. See [`attach`](Self::attach).
    pub fn attach_body(
        &mut self,
        place: impl Into<Place>,
        child: &Spec,
        body: BodyId,
        prefix: &str,
        suffix: &str,
    ) -> Result<BodyId, EditError> {
        let part = Some((ObjType::Body, body.number()));
        let (number, _) = self.attach_any(place, child, part, prefix, suffix)?;
        Ok(Id::new(number))
    }

    /// Attaches a frame of a model, with everything in it, to a body or frame of this one.
    pub fn attach_frame(
        &mut self,
        place: impl Into<Place>,
        child: &Spec,
        frame: FrameId,
        prefix: &str,
        suffix: &str,
    ) -> Result<FrameId, EditError> {
        let part = Some((ObjType::Frame, frame.number()));
        let (number, _) = self.attach_any(place, child, part, prefix, suffix)?;
        Ok(Id::new(number))
    }

    /// Attaches all of a model to a body or frame of this one; the result is the frame that holds
    /// it.
    ///
    /// ```
    /// use ferrodyn_mjcf::{BodyAttrs, FrameAttrs, Spec, WORLD};
    ///
    /// let mut wheel = Spec::new();
    /// wheel.add_body(WORLD, "wheel", BodyAttrs::default())?;
    /// let mut cart = Spec::new();
    /// for (side, y) in [("left_", -1.0), ("right_", 1.0)] {
    ///     let axle = cart.add_frame(WORLD, "", FrameAttrs::default().pos([0.0, y, 0.0]))?;
    ///     cart.attach_spec(axle, &wheel, side, "")?;
    /// }
    /// assert!(cart.find::<ferrodyn_mjcf::BodySpec>("left_wheel").is_some());
    /// # Ok::<(), ferrodyn_mjcf::EditError>(())
    /// ```
    pub fn attach_spec(
        &mut self,
        place: impl Into<Place>,
        child: &Spec,
        prefix: &str,
        suffix: &str,
    ) -> Result<FrameId, EditError> {
        let (number, _) = self.attach_any(place, child, None, prefix, suffix)?;
        Ok(Id::new(number))
    }

    /// Attaches a body or a frame of a model, by its number, or all of it. The result is the number
    /// of the new body or frame, and pairs of the numbers that elements had and have.
    pub fn attach_any(
        &mut self,
        place: impl Into<Place>,
        child: &Spec,
        part: Option<(ObjType, u32)>,
        prefix: &str,
        suffix: &str,
    ) -> Result<(u32, Vec<(u32, u32)>), EditError> {
        let (body, frame) = self.resolve(place.into())?;
        let child = child.in_order();
        let part = match part {
            None => Part::World,
            Some((ObjType::Frame, uid)) => Part::Frame(child.index(FrameId::new(uid))?),
            Some((_, uid)) if uid == WORLD.number() => {
                return Err(EditError::World("cannot be attached as a body"));
            }
            Some((_, uid)) => Part::Body(child.index(BodyId::new(uid))?),
        };
        let namespace = Namespace { prefix, suffix };
        let (index, pairs) = self.attach_part(body, frame, &child, part, namespace)?;
        let number = match part {
            Part::Body(_) => self.bodies[index].uid,
            _ => self.frames[index].uid,
        };
        Ok((number, pairs))
    }

    /// Adds a frame with the pose of a site, which parts can be attached to.
    pub fn frame_at_site(&mut self, site: SiteId) -> Result<FrameId, EditError> {
        let site = self.get(site)?;
        let compiler = self.compiler_of(site.origin);
        let degree = compiler.angle != Some(AngleUnit::Radian);
        let sequence = compiler.or_default().eulerseq();
        let quat = orientation(degree, &sequence, &site.attr.quat, &site.attr.alt)
            .map_err(|e| EditError::Refused(e.to_owned()))?;
        let attr = FrameAttrs { pos: site.attr.pos, quat: Some(RawQuat(quat)), alt: None };
        let (body, parent) = (site.body, site.frame);
        Ok(self.push(FrameSpec { body, parent, attr, ..FrameSpec::default() }))
    }

    /// This specification with its tree in order.
    fn in_order(&self) -> std::borrow::Cow<'_, Self> {
        let mut spec = std::borrow::Cow::Borrowed(self);
        if !self.is_ordered() {
            spec.to_mut().put_in_order();
        }
        spec
    }

    /// The body that an element belongs to; for a body, its parent.
    pub fn parent_of(&self, kind: ObjType, uid: u32) -> Result<BodyId, EditError> {
        let (body, _) = self.place_of(kind, uid)?;
        Ok(Id::new(self.bodies.get(body).ok_or(EditError::Gone)?.uid))
    }

    /// The innermost frame around an element.
    pub fn frame_of(&self, kind: ObjType, uid: u32) -> Result<Option<FrameId>, EditError> {
        let (_, frame) = self.place_of(kind, uid)?;
        Ok(frame.and_then(|f| self.frames.get(f)).map(|f| Id::new(f.uid)))
    }

    pub(super) fn place_of(
        &self,
        kind: ObjType,
        uid: u32,
    ) -> Result<(usize, Option<usize>), EditError> {
        macro_rules! element {
            ($attr:ty) => {{
                let element = self.get(Id::<Element<$attr>>::new(uid))?;
                Ok((element.body, element.frame))
            }};
        }
        match kind {
            ObjType::Body => {
                let body = self.get(Id::<BodySpec>::new(uid))?;
                Ok((body.parent, body.frame))
            }
            ObjType::Frame => {
                let frame = self.get(Id::<FrameSpec>::new(uid))?;
                Ok((frame.body, frame.parent))
            }
            ObjType::Joint => element!(JointSpec),
            ObjType::Geom => element!(GeomAttrs),
            ObjType::Site => element!(crate::schema::SiteAttrs),
            ObjType::Camera => element!(crate::schema::CameraAttrs),
            ObjType::Light => element!(crate::schema::LightAttrs),
            _ => Err(EditError::Gone),
        }
    }

    /// Puts an element into a frame of the body that it belongs to.
    pub fn set_frame(&mut self, kind: ObjType, uid: u32, frame: FrameId) -> Result<(), EditError> {
        let target = self.index(frame)?;
        if self.place_of(kind, uid)?.0 != self.frames[target].body {
            return Err(EditError::MismatchedParents);
        }
        macro_rules! element {
            ($attr:ty) => {
                self.get_mut(Id::<Element<$attr>>::new(uid))?.frame = Some(target)
            };
        }
        match kind {
            ObjType::Body => self.get_mut(Id::<BodySpec>::new(uid))?.frame = Some(target),
            ObjType::Frame => {
                // a frame does not contain itself
                let own = self.index(Id::<FrameSpec>::new(uid))?;
                let mut outer = Some(target);
                while let Some(f) = outer {
                    if f == own {
                        return Err(EditError::Refused(String::from(
                            "a frame cannot contain itself",
                        )));
                    }
                    outer = self.frames[f].parent;
                }
                self.frames[own].parent = Some(target);
            }
            ObjType::Joint => element!(JointSpec),
            ObjType::Geom => element!(GeomAttrs),
            ObjType::Site => element!(crate::schema::SiteAttrs),
            ObjType::Camera => element!(crate::schema::CameraAttrs),
            ObjType::Light => element!(crate::schema::LightAttrs),
            _ => return Err(EditError::Gone),
        }
        Ok(())
    }

    /// Turns a body into a frame of its parent: what lay in the body lies in the frame. The inertia
    /// that the body states is lost.
    pub fn body_to_frame(&mut self, body: BodyId) -> Result<FrameId, EditError> {
        if body == WORLD {
            return Err(EditError::World("cannot become a frame"));
        }
        let index = self.index(body)?;
        let old = self.bodies[index].clone();
        let attr = FrameAttrs { pos: old.attr.pos, quat: old.attr.quat, alt: old.attr.alt };
        let (parent, outer) = (old.parent, old.frame);
        // what lies in the body keeps its class
        let childclass = Some(self.class_around(index, None).to_owned());
        let frame = self.push(FrameSpec {
            body: parent,
            parent: outer,
            attr,
            childclass,
            ..FrameSpec::default()
        });
        let new = self.index(frame)?;
        for inner in &mut self.bodies {
            if inner.parent == index && inner.uid != old.uid {
                inner.parent = parent;
                inner.frame = inner.frame.or(Some(new));
            }
        }
        for inner in &mut self.frames {
            if inner.body == index {
                inner.body = parent;
                inner.parent = inner.parent.or(Some(new));
            }
        }
        macro_rules! elements {
            ($($list:ident)*) => {$(
                // they come after what the parent has
                let (mut moved, mut rest) = (Vec::new(), Vec::new());
                for mut element in self.$list.drain(..) {
                    if element.body == index {
                        element.body = parent;
                        element.frame = element.frame.or(Some(new));
                        moved.push(element);
                    } else {
                        rest.push(element);
                    }
                }
                rest.extend(moved);
                self.$list = rest;
            )*};
        }
        elements!(joints geoms sites cameras lights);
        let bodies: Vec<usize> = (0..self.bodies.len()).filter(|&b| b != index).collect();
        let frames: Vec<usize> = (0..self.frames.len()).collect();
        self.keep(&bodies, &frames);
        Ok(frame)
    }
}
