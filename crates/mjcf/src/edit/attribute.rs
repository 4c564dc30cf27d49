//! Attributes by name: what an element says itself, what its class says, what MuJoCo starts from.

use std::borrow::Cow;

use ferrodyn_model::{JointType, ObjType};

use super::defaults::{ClassAttrs, actuator_attrs, block_attrs};
use super::id::{Id, Item, with_item};
use super::{EditError, Value};
use crate::defaults::{ClassDefaults, DefaultResolver};
use crate::error::Span;
use crate::schema::*;
use crate::spec::*;

/// The fields of a body that belong to its inertia begin with this.
const INERTIAL: &str = "inertial.";

impl Value {
    /// Whether a value says something: not a number, or a list that begins with one, means unset.
    pub(super) fn is_given(&self) -> bool {
        match self {
            Self::Real(x) => !x.is_nan(),
            Self::Reals(list) => list.first().is_none_or(|x| !x.is_nan()),
            _ => true,
        }
    }
}

/// An element with attributes.
pub(crate) trait Attributed: Item {
    /// The attributes.
    type Attrs: Attributes + 'static;
    /// What the element says itself.
    fn own(&self) -> Cow<'_, Self::Attrs>;
    /// What the element says itself, to change it.
    fn own_mut(&mut self) -> Option<&mut Self::Attrs>;
    /// The default class in effect.
    fn class_in<'a>(&'a self, spec: &'a Spec) -> &'a str;
    /// Names a default class.
    fn set_class(&mut self, class: String);
    /// What a class says; none for elements without defaults.
    fn of_class(_class: &ClassDefaults) -> ClassAttrs<'_, Self::Attrs> {
        None
    }
    /// What a default block says, to change it.
    fn of_block(_block: &mut DefaultBlock) -> Option<&mut Self::Attrs> {
        None
    }
}

pub(super) fn field_error(error: FieldError, field: &str) -> EditError {
    match error {
        FieldError::Unknown => EditError::UnknownAttribute(field.to_owned()),
        FieldError::Type => EditError::Value(field.to_owned()),
    }
}

/// Elements of bodies whose attributes are nothing else.
macro_rules! tree_elements {
    ($($attrs:ident $variant:ident $member:ident;)*) => {$(
        impl Attributed for Element<$attrs> {
            type Attrs = $attrs;
            fn own(&self) -> Cow<'_, $attrs> {
                Cow::Borrowed(&self.attr)
            }
            fn own_mut(&mut self) -> Option<&mut $attrs> {
                Some(&mut self.attr)
            }
            fn class_in<'a>(&'a self, spec: &'a Spec) -> &'a str {
                self.class.as_deref().unwrap_or_else(|| spec.class_around(self.body, self.frame))
            }
            fn set_class(&mut self, class: String) {
                self.class = Some(class);
            }
            fn of_class(class: &ClassDefaults) -> ClassAttrs<'_, $attrs> {
                Some(Cow::Borrowed(&class.$member))
            }
            fn of_block(block: &mut DefaultBlock) -> Option<&mut $attrs> {
                block_attrs!(block, $variant)
            }
        }
    )*};
}

tree_elements! {
    GeomAttrs Geom geom;
    SiteAttrs Site site;
    CameraAttrs Camera camera;
    LightAttrs Light light;
}

/// Elements outside the tree; some have defaults.
macro_rules! outer_elements {
    ($($object:ty, $attrs:ident, $member:ident, ($($path:ident)?) $(, $variant:ident)?;)*) => {$(
        impl Attributed for Object<$object> {
            type Attrs = $attrs;
            fn own(&self) -> Cow<'_, $attrs> {
                Cow::Borrowed(&self.attr$(.$path)?)
            }
            fn own_mut(&mut self) -> Option<&mut $attrs> {
                Some(&mut self.attr$(.$path)?)
            }
            fn class_in<'a>(&'a self, _spec: &'a Spec) -> &'a str {
                self.class_name()
            }
            fn set_class(&mut self, class: String) {
                self.class = Some(class);
            }
            $(
                fn of_class(class: &ClassDefaults) -> ClassAttrs<'_, $attrs> {
                    Some(Cow::Borrowed(&class.$member))
                }
                fn of_block(block: &mut DefaultBlock) -> Option<&mut $attrs> {
                    outer_elements!(@block block $variant)
                }
            )?
        }
    )*};
    (@block $block:ident Material) => {
        block_material($block)
    };
    (@block $block:ident $variant:ident) => {
        block_attrs!($block, $variant)
    };
}

fn block_material(block: &mut DefaultBlock) -> Option<&mut MaterialAttrs> {
    let is_material = |e: &DefaultElement| matches!(e.attr, DefaultAttrs::Material(_));
    let place = block.elements.iter().rposition(is_material).unwrap_or_else(|| {
        let attr = DefaultAttrs::Material(MaterialSpec::default());
        block.elements.push(DefaultElement { span: Span::default(), attr });
        block.elements.len() - 1
    });
    match &mut block.elements[place].attr {
        DefaultAttrs::Material(material) => Some(&mut material.attr),
        _ => None,
    }
}

outer_elements! {
    MeshAttrs, MeshAttrs, mesh, (), Mesh;
    SkinSpec, SkinAttrs, skin, (attr);
    HfieldAttrs, HfieldAttrs, hfield, ();
    TextureAttrs, TextureAttrs, texture, ();
    MaterialSpec, MaterialAttrs, material, (attr), Material;
    FlexSpec, FlexSpec, flex, ();
    PairAttrs, PairAttrs, pair, (), Pair;
    ExcludeAttrs, ExcludeAttrs, exclude, ();
    EqualitySpec, EqualityAttrs, equality, (attr), Equality;
    TendonSpec, TendonAttrs, tendon, (attr), Tendon;
    SensorSpec, SensorAttrs, sensor, (attr);
    NumericAttrs, NumericAttrs, numeric, ();
    TextAttrs, TextAttrs, text, ();
    KeyAttrs, KeyAttrs, key, ();
}

impl Attributed for Object<ActuatorSpec> {
    type Attrs = ActuatorAttrs;
    fn own(&self) -> Cow<'_, ActuatorAttrs> {
        Cow::Borrowed(&self.attr.attr)
    }
    fn own_mut(&mut self) -> Option<&mut ActuatorAttrs> {
        Some(&mut self.attr.attr)
    }
    fn class_in<'a>(&'a self, _spec: &'a Spec) -> &'a str {
        self.class_name()
    }
    fn set_class(&mut self, class: String) {
        self.class = Some(class);
    }
    fn of_class(class: &ClassDefaults) -> ClassAttrs<'_, ActuatorAttrs> {
        Some(Cow::Owned(class.actuator.as_general()))
    }
    fn of_block(block: &mut DefaultBlock) -> Option<&mut ActuatorAttrs> {
        actuator_attrs(block)
    }
}

impl Attributed for Element<JointSpec> {
    type Attrs = JointAttrs;
    fn own(&self) -> Cow<'_, JointAttrs> {
        match &self.attr {
            JointSpec::Joint(attrs) => Cow::Borrowed(attrs),
            // nothing of it comes from a class
            JointSpec::Free(free) => {
                let own = JointAttrs { group: free.group, ..JointAttrs::default() };
                Cow::Owned(own.kind(JointType::Free).over(&JointAttrs::defaults()))
            }
        }
    }
    fn own_mut(&mut self) -> Option<&mut JointAttrs> {
        if let JointSpec::Free(_) = &self.attr {
            self.attr = JointSpec::Joint(Box::new(self.own().into_owned()));
        }
        match &mut self.attr {
            JointSpec::Joint(attrs) => Some(attrs),
            JointSpec::Free(_) => None,
        }
    }
    fn class_in<'a>(&'a self, spec: &'a Spec) -> &'a str {
        self.class.as_deref().unwrap_or_else(|| spec.class_around(self.body, self.frame))
    }
    fn set_class(&mut self, class: String) {
        self.class = Some(class);
    }
    fn of_class(class: &ClassDefaults) -> ClassAttrs<'_, JointAttrs> {
        Some(Cow::Borrowed(&class.joint))
    }
    fn of_block(block: &mut DefaultBlock) -> Option<&mut JointAttrs> {
        block_attrs!(block, Joint)
    }
}

/// Bodies and frames, whose class is that of what lies in them.
macro_rules! containers {
    ($($item:ident $attrs:ident ($around:ident $inner:ident);)*) => {$(
        impl Attributed for $item {
            type Attrs = $attrs;
            fn own(&self) -> Cow<'_, $attrs> {
                Cow::Borrowed(&self.attr)
            }
            fn own_mut(&mut self) -> Option<&mut $attrs> {
                Some(&mut self.attr)
            }
            fn class_in<'a>(&'a self, spec: &'a Spec) -> &'a str {
                match &self.childclass {
                    Some(class) => class,
                    None => spec.class_around(self.$around, self.$inner),
                }
            }
            fn set_class(&mut self, class: String) {
                self.childclass = Some(class);
            }
        }
    )*};
}

containers! {
    BodySpec BodyAttrs (parent frame);
    FrameSpec FrameAttrs (body parent);
}

/// The attributes of an element that has none.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoAttrs;

impl Attributes for NoAttrs {
    const ROWS: &'static [Row] = &[];
    const FIELDS: &'static [&'static str] = &[];
    fn set(&mut self, _name: &str, _text: &str) -> Result<(), SetError> {
        Err(SetError::Unknown)
    }
    fn over(&self, _default: &Self) -> Self {
        Self
    }
    fn defaults() -> Self {
        Self
    }
    fn field(&self, _field: &str) -> Option<Option<Value>> {
        None
    }
    fn set_field(&mut self, _field: &str, _value: Option<Value>) -> Result<(), FieldError> {
        Err(FieldError::Unknown)
    }
    fn entries(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// Elements that no attribute describes.
macro_rules! without_attributes {
    ($($object:ty)*) => {$(
        impl Attributed for Object<$object> {
            type Attrs = NoAttrs;
            fn own(&self) -> Cow<'_, NoAttrs> {
                Cow::Owned(NoAttrs)
            }
            fn own_mut(&mut self) -> Option<&mut NoAttrs> {
                None
            }
            fn class_in<'a>(&'a self, _spec: &'a Spec) -> &'a str {
                self.class_name()
            }
            fn set_class(&mut self, class: String) {
                self.class = Some(class);
            }
        }
    )*};
}

without_attributes!(PluginInstance Vec<TupleElement>);

impl Spec {
    /// The attributes of an element with everything applied: its own over those of its class over
    /// what MuJoCo starts from.
    pub(super) fn effective<E: Attributed>(&self, id: Id<E>) -> Result<E::Attrs, EditError> {
        let item = self.get(id)?;
        let resolver = DefaultResolver::new(self);
        let class = resolver.get_defaults(item.class_in(self));
        let own = item.own().into_owned();
        let over_class = match E::of_class(class) {
            Some(class) => own.over(&class),
            None => own,
        };
        Ok(over_class.over(&Attributes::defaults()))
    }

    /// The attributes of an actuator as those of a general one, with its class applied.
    fn general_actuator(&self, uid: u32) -> Result<ActuatorAttrs, EditError> {
        let item = self.get(Id::<Object<ActuatorSpec>>::new(uid))?;
        let resolver = DefaultResolver::new(self);
        let values = resolver.apply_to_actuator(item.class_name(), &item.attr);
        let values = values.map_err(EditError::Refused)?;
        let own = &item.attr.attr;
        Ok(ActuatorAttrs {
            lengthrange: Some(own.or_default().lengthrange()),
            inheritrange: own.inheritrange.or(Some(values.inheritrange)),
            joint: own.joint.clone(),
            jointinparent: own.jointinparent.clone(),
            tendon: own.tendon.clone(),
            slidersite: own.slidersite.clone(),
            cranksite: own.cranksite.clone(),
            site: own.site.clone(),
            refsite: own.refsite.clone(),
            body: own.body.clone(),
            ..values.as_general()
        })
    }

    /// The same, but only where it differs from what the class says.
    fn differing_actuator(&self, uid: u32) -> Result<ActuatorAttrs, EditError> {
        let mut attrs = self.general_actuator(uid)?;
        let class = self.class_of(ObjType::Actuator, uid)?;
        let class = DefaultResolver::new(self).get_defaults(class).actuator.as_general();
        for name in ActuatorAttrs::FIELDS {
            if attrs.field(name) == class.field(name) {
                attrs.set_field(name, None).map_err(|e| field_error(e, name))?;
            }
        }
        attrs.lengthrange = attrs.lengthrange.filter(|range| *range != [0.0; 2]);
        Ok(attrs)
    }

    /// The value of an attribute: that of the element, of its class, or what MuJoCo starts from.
    /// Attributes have the names of the fields of the structs that hold them; those of the inertia
    /// of a body begin with `inertial.`. Numbers that are not set are not a number.
    ///
    /// ```
    /// use ferrodyn_mjcf::{GeomAttrs, Spec, Value, WORLD};
    /// use ferrodyn_model::ObjType;
    ///
    /// let mut spec = Spec::new();
    /// let ball = spec.add_geom(WORLD, "ball", GeomAttrs::default())?;
    /// let density = spec.attribute(ObjType::Geom, ball.number(), "density")?;
    /// assert_eq!(density, Value::Real(1000.0));
    /// # Ok::<(), ferrodyn_mjcf::EditError>(())
    /// ```
    pub fn attribute(&self, kind: ObjType, uid: u32, field: &str) -> Result<Value, EditError> {
        let unknown = || EditError::UnknownAttribute(field.to_owned());
        if kind == ObjType::Actuator {
            let attrs = self.general_actuator(uid)?;
            return attrs.field(field).flatten().ok_or_else(unknown);
        }
        if kind == ObjType::Body
            && let Some(field) = field.strip_prefix(INERTIAL)
        {
            let body = self.get(Id::<BodySpec>::new(uid))?;
            let own = body.inertial.as_ref().map(|i| i.attr.clone()).unwrap_or_default();
            return own.over(&InertialAttrs::defaults()).field(field).flatten().ok_or_else(unknown);
        }
        if kind == ObjType::Joint && field == "align" {
            let joint = self.get(Id::<Element<JointSpec>>::new(uid))?;
            let align = match &joint.attr {
                JointSpec::Free(free) => free.or_default().align(),
                JointSpec::Joint(_) => FreeJointAttrs::default().or_default().align(),
            };
            return Ok(Value::Int(align as i64));
        }
        with_item!(
            kind,
            E => self.effective(Id::<E>::new(uid))?.field(field).flatten().ok_or_else(unknown),
            Err(EditError::Gone)
        )
    }

    /// Sets an attribute of an element, or takes it away. See [`attribute`](Self::attribute).
    pub fn set_attribute(
        &mut self,
        kind: ObjType,
        uid: u32,
        field: &str,
        value: Option<Value>,
    ) -> Result<(), EditError> {
        let value = value.filter(Value::is_given);
        let error = |e| field_error(e, field);
        match kind {
            ObjType::Actuator => {
                let id = Id::<Object<ActuatorSpec>>::new(uid);
                if !matches!(self.get(id)?.attr.kind, ActuatorKind::General | ActuatorKind::Plugin)
                {
                    let attr = self.differing_actuator(uid)?;
                    self.get_mut(id)?.attr = ActuatorSpec { kind: ActuatorKind::General, attr };
                }
                self.get_mut(id)?.attr.attr.set_field(field, value).map_err(error)
            }
            ObjType::Body if field.starts_with(INERTIAL) => {
                if uid == super::WORLD.number() {
                    return Err(EditError::World("has no inertia"));
                }
                let body = self.get_mut(Id::<BodySpec>::new(uid))?;
                let inertial = body.inertial.get_or_insert_with(InertialSpec::default);
                inertial.attr.set_field(&field[INERTIAL.len()..], value).map_err(error)
            }
            ObjType::Joint => self.set_joint_attribute(uid, field, value),
            _ => with_item!(
                kind,
                E => {
                    let item = self.get_mut(Id::<E>::new(uid))?;
                    let own = item.own_mut().ok_or(FieldError::Unknown);
                    own.and_then(|own| own.set_field(field, value)).map_err(error)
                },
                Err(EditError::Gone)
            ),
        }
    }

    fn set_joint_attribute(
        &mut self,
        uid: u32,
        field: &str,
        value: Option<Value>,
    ) -> Result<(), EditError> {
        let joint = self.get_mut(Id::<Element<JointSpec>>::new(uid))?;
        let error = |e| field_error(e, field);
        if let JointSpec::Free(free) = &mut joint.attr
            && matches!(field, "align" | "group")
        {
            return free.set_field(field, value).map_err(error);
        }
        if field != "align" {
            let own = joint.own_mut().ok_or(FieldError::Unknown);
            return own.and_then(|own| own.set_field(field, value)).map_err(error);
        }
        // only the element of a free joint has an alignment
        let JointSpec::Joint(attrs) = &joint.attr else { return Err(EditError::Gone) };
        let mut free = FreeJointAttrs { group: attrs.group, ..FreeJointAttrs::default() };
        free.set_field(field, value).map_err(error)?;
        let rest = JointAttrs { kind: None, group: None, ..(**attrs).clone() };
        if attrs.kind != Some(JointType::Free) || rest != JointAttrs::default() {
            let message = "only a free joint without other attributes can be aligned";
            return Err(EditError::Refused(message.to_owned()));
        }
        joint.attr = JointSpec::Free(free);
        Ok(())
    }
}
