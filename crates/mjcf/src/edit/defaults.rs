//! Default classes: what an element gets from its class, and how a class changes.

use std::borrow::Cow;

use ferrodyn_model::ObjType;

use super::attribute::{Attributed, field_error};
use super::id::{Id, with_item};
use super::{EditError, Value};
use crate::defaults::DefaultResolver;
use crate::error::Span;
use crate::schema::*;
use crate::spec::*;

/// Takes away the attributes that are the same without them.
fn drop_same<A: Attributes>(own: &mut A, class: &A) {
    let whole = own.over(class);
    for field in A::FIELDS {
        let inherited = class.field(field);
        if inherited.as_ref().is_some_and(Option::is_some) && whole.field(field) == inherited {
            // the table has the field, and no value always fits
            let _ = own.set_field(field, None);
        }
    }
}

impl Spec {
    /// An error where no default class has the name.
    pub(super) fn known_class(&self, class: &str) -> Result<(), EditError> {
        if class == MAIN_CLASS || self.defaults.iter().any(|block| block.class == class) {
            return Ok(());
        }
        Err(EditError::UnknownClass(class.to_owned()))
    }

    /// The names of all default classes, the main class first.
    pub fn classes(&self) -> Vec<&str> {
        let mut names = vec![MAIN_CLASS];
        for block in &self.defaults {
            if !names.contains(&block.class.as_str()) {
                names.push(&block.class);
            }
        }
        names
    }

    /// The default class in effect in a body, or in a frame of it.
    pub(super) fn class_around(&self, body: usize, frame: Option<usize>) -> &str {
        let (mut body, mut frame) = (body, frame);
        // no chain of parents is longer than there are bodies and frames
        for _ in 0..=self.bodies.len() + self.frames.len() {
            if let Some(f) = frame.and_then(|f| self.frames.get(f)) {
                if let Some(class) = &f.childclass {
                    return class;
                }
                frame = f.parent;
                continue;
            }
            let Some(b) = self.bodies.get(body) else { break };
            if let Some(class) = &b.childclass {
                return class;
            }
            if body == 0 {
                break;
            }
            (body, frame) = (b.parent, b.frame);
        }
        MAIN_CLASS
    }

    /// The default class of an element: its own, or that of its body or frame.
    pub fn class_of(&self, kind: ObjType, uid: u32) -> Result<&str, EditError> {
        with_item!(kind, E => Ok(self.get(Id::<E>::new(uid))?.class_in(self)), Err(EditError::Gone))
    }

    /// Names the default class of an element; for a body or frame, that of what will be put into it:
    /// what lies in it keeps its class.
    pub fn set_class(&mut self, kind: ObjType, uid: u32, class: &str) -> Result<(), EditError> {
        self.known_class(class)?;
        let before = self.class_of(kind, uid)?.to_owned();
        match kind {
            ObjType::Body => {
                let body = self.index(Id::<BodySpec>::new(uid))?;
                self.pin_class(&before, |b, frame| b == body && frame.is_none());
            }
            ObjType::Frame => {
                let index = self.index(Id::<FrameSpec>::new(uid))?;
                self.pin_class(&before, |_, frame| frame == Some(index));
            }
            _ => {}
        }
        let class = class.to_owned();
        with_item!(
            kind,
            E => {
                self.get_mut(Id::<E>::new(uid))?.set_class(class);
                Ok(())
            },
            Err(EditError::Gone)
        )
    }

    /// Names the default class of an element as MuJoCo's `mjs_setDefault` does: the attributes keep
    /// the values that they have.
    pub fn set_class_only(
        &mut self,
        kind: ObjType,
        uid: u32,
        class: &str,
    ) -> Result<(), EditError> {
        self.known_class(class)?;
        with_item!(kind, E => self.keep_values::<E>(uid, class)?, return Err(EditError::Gone));
        self.set_class(kind, uid, class)
    }

    /// Takes away what elements say although their class says the same.
    pub(crate) fn drop_inherited(&mut self) {
        let old = self.clone();
        let resolver = DefaultResolver::new(&old);
        self.drop_inherited_of::<Element<GeomAttrs>>(&old, &resolver);
        self.drop_inherited_of::<Element<SiteAttrs>>(&old, &resolver);
        self.drop_inherited_of::<Element<CameraAttrs>>(&old, &resolver);
        self.drop_inherited_of::<Element<LightAttrs>>(&old, &resolver);
        self.drop_inherited_of::<Object<MeshAttrs>>(&old, &resolver);
        self.drop_inherited_of::<Object<MaterialSpec>>(&old, &resolver);
        self.drop_inherited_of::<Object<PairAttrs>>(&old, &resolver);
        self.drop_inherited_of::<Object<EqualitySpec>>(&old, &resolver);
        self.drop_inherited_of::<Object<TendonSpec>>(&old, &resolver);
        for (joint, source) in self.joints.iter_mut().zip(&old.joints) {
            // a free joint has no class
            if let JointSpec::Joint(attr) = &mut joint.attr {
                drop_same(&mut **attr, &resolver.get_defaults(source.class_in(&old)).joint);
            }
        }
    }

    fn drop_inherited_of<E: Attributed>(&mut self, old: &Self, resolver: &DefaultResolver) {
        for (item, source) in E::list_mut(self).iter_mut().zip(E::list(old)) {
            let class = E::of_class(resolver.get_defaults(source.class_in(old)));
            if let (Some(class), Some(own)) = (class, item.own_mut()) {
                drop_same(own, &*class);
            }
        }
    }

    /// States the values that would change with another class.
    fn keep_values<E: Attributed>(&mut self, uid: u32, class: &str) -> Result<(), EditError> {
        let id = Id::<E>::new(uid);
        let resolver = DefaultResolver::new(self);
        let old = self.get(id)?.class_in(self);
        let attrs = [old, class].map(|c| E::of_class(resolver.get_defaults(c)));
        let [Some(before), Some(after)] = attrs else { return Ok(()) };
        let mut kept = Vec::new();
        for &field in E::Attrs::FIELDS {
            if before.field(field) != after.field(field)
                && let Ok(value) = self.attribute(E::KIND, uid, field)
                && value.is_given()
            {
                kept.push((field, value));
            }
        }
        for (field, value) in kept {
            self.set_attribute(E::KIND, uid, field, Some(value))?;
        }
        Ok(())
    }

    /// States the class of what lies directly in a place and names none.
    fn pin_class(&mut self, class: &str, inside: impl Fn(usize, Option<usize>) -> bool) {
        let pin = |slot: &mut Option<String>| {
            slot.get_or_insert_with(|| class.to_owned());
        };
        for body in self.bodies.iter_mut().skip(1).filter(|b| inside(b.parent, b.frame)) {
            pin(&mut body.childclass);
        }
        for frame in self.frames.iter_mut().filter(|f| inside(f.body, f.parent)) {
            pin(&mut frame.childclass);
        }
        macro_rules! elements {
            ($($list:ident)*) => {$(
                for element in self.$list.iter_mut().filter(|e| inside(e.body, e.frame)) {
                    pin(&mut element.class);
                }
            )*};
        }
        elements!(joints geoms sites cameras lights);
    }

    /// What a default class says about an attribute, or what MuJoCo starts from.
    pub fn default_attribute(
        &self,
        class: &str,
        kind: ObjType,
        field: &str,
    ) -> Result<Value, EditError> {
        self.known_class(class)?;
        let unknown = || EditError::UnknownAttribute(field.to_owned());
        let resolver = DefaultResolver::new(self);
        let values = resolver.get_defaults(class);
        with_item!(
            kind,
            E => {
                let attrs = E::of_class(values).ok_or_else(unknown)?.over(&Attributes::defaults());
                attrs.field(field).flatten().ok_or_else(unknown)
            },
            Err(unknown())
        )
    }

    /// Changes what a default class says. As in MuJoCo, what was made before the change keeps the
    /// values it had: elements of the class, and classes that started from it.
    pub fn set_default_attribute(
        &mut self,
        class: &str,
        kind: ObjType,
        field: &str,
        value: Option<Value>,
    ) -> Result<(), EditError> {
        self.known_class(class)?;
        with_item!(
            kind,
            E => self.change_default::<E>(class, field, value),
            Err(EditError::UnknownAttribute(field.to_owned()))
        )
    }

    fn change_default<E: Attributed>(
        &mut self,
        class: &str,
        field: &str,
        value: Option<Value>,
    ) -> Result<(), EditError> {
        let unknown = || EditError::UnknownAttribute(field.to_owned());
        let resolver = DefaultResolver::new(self);
        let before = E::of_class(resolver.get_defaults(class)).ok_or_else(unknown)?;
        let old = before.over(&Attributes::defaults()).field(field).flatten();
        // elements keep what they had
        let members: Vec<Id<E>> = self
            .ids::<E>()
            .filter(|id| self.get(*id).is_ok_and(|e| e.class_in(self) == class))
            .collect();
        for id in members {
            let kept = self.effective(id)?.field(field).flatten();
            if kept.as_ref().is_some_and(Value::is_given) {
                self.set_attribute(E::KIND, id.number(), field, kept)?;
            }
        }
        let place = match self.defaults.iter().rposition(|block| block.class == class) {
            Some(place) => place,
            None => {
                self.defaults.push(DefaultBlock { class: class.to_owned(), ..Default::default() });
                self.defaults.len() - 1
            }
        };
        // so do the classes that start from this one later
        for i in place + 1..self.defaults.len() {
            let heir = self.defaults[i].parent.as_deref() == Some(class);
            if heir && old.as_ref().is_some_and(Value::is_given) {
                let attrs = E::of_block(&mut self.defaults[i]).ok_or_else(unknown)?;
                if attrs.field(field) == Some(None) {
                    attrs.set_field(field, old.clone()).map_err(|e| field_error(e, field))?;
                }
            }
        }
        let attrs = E::of_block(&mut self.defaults[place]).ok_or_else(unknown)?;
        attrs.set_field(field, value).map_err(|e| field_error(e, field))
    }
}

/// The attributes of one type of element in a default block, made where there are none.
macro_rules! block_attrs {
    ($block:expr, $variant:ident) => {{
        let block: &mut DefaultBlock = $block;
        let found =
            block.elements.iter().rposition(|e| matches!(e.attr, DefaultAttrs::$variant(..)));
        let place = found.unwrap_or_else(|| {
            let attr = DefaultAttrs::$variant(Default::default());
            block.elements.push(DefaultElement { span: Span::default(), attr });
            block.elements.len() - 1
        });
        match &mut block.elements[place].attr {
            DefaultAttrs::$variant(attrs) => Some(&mut **attrs),
            _ => None,
        }
    }};
}
pub(super) use block_attrs;

/// The attributes of actuators in a default block: those of a general actuator at its end.
pub(super) fn actuator_attrs(block: &mut DefaultBlock) -> Option<&mut ActuatorAttrs> {
    let general =
        |e: &DefaultElement| matches!(e.attr, DefaultAttrs::Actuator(ActuatorKind::General, _));
    let any = |e: &DefaultElement| matches!(e.attr, DefaultAttrs::Actuator(..));
    let last = block.elements.iter().rposition(any).filter(|&i| general(&block.elements[i]));
    let place = last.unwrap_or_else(|| {
        let attr = DefaultAttrs::Actuator(ActuatorKind::General, Box::default());
        block.elements.push(DefaultElement { span: Span::default(), attr });
        block.elements.len() - 1
    });
    match &mut block.elements[place].attr {
        DefaultAttrs::Actuator(_, attrs) => Some(attrs),
        _ => None,
    }
}

/// What a class says about one type of element.
pub(super) type ClassAttrs<'a, A> = Option<Cow<'a, A>>;
