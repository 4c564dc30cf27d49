//! Adds elements.

use ferrodyn_model::{EqualityType, ObjType, SensorType};

use super::id::{
    ActuatorId, BodyId, CameraId, EqualityId, ExcludeId, FlexId, FrameId, GeomId, HfieldId,
    InstanceId, Item, JointId, KeyId, LightId, MaterialId, MeshId, NumericId, PairId, SensorId,
    SiteId, SkinId, TendonId, TextId, TextureId, TupleId,
};
use super::{EditError, Id};
use crate::error::Span;
use crate::schema::{
    ActuatorAttrs, ActuatorKind, BodyAttrs, CameraAttrs, ElementAttrs, EqualityAttrs, ExcludeAttrs,
    FrameAttrs, FreeJointAttrs, GeomAttrs, HfieldAttrs, InertialAttrs, JointAttrs, KeyAttrs,
    LightAttrs, MaterialAttrs, MeshAttrs, NumericAttrs, PairAttrs, SensorAttrs, SiteAttrs,
    SkinAttrs, TendonAttrs, TextAttrs, TextureAttrs,
};
use crate::spec::{
    ActuatorSpec, BodySpec, DefaultBlock, Element, EqualitySpec, FlexSpec, FrameSpec, InertialSpec,
    JointSpec, MAIN_CLASS, MaterialSpec, Object, PluginInstance, SensorSpec, SkinSpec, Spec,
    TendonSpec, TupleElement, Wrap, WrapSpec,
};

/// Where something is put: into a body, or into a frame of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A body.
    Body(BodyId),
    /// A frame, and the body that it belongs to.
    Frame(FrameId),
}

impl From<BodyId> for Place {
    fn from(body: BodyId) -> Self {
        Self::Body(body)
    }
}

impl From<FrameId> for Place {
    fn from(frame: FrameId) -> Self {
        Self::Frame(frame)
    }
}

/// Functions that add an element with nothing but attributes to the end of a list.
macro_rules! objects {
    ($($(#[$doc:meta])* $add:ident($attrs:ty) -> $id:ty;)*) => {$(
        $(#[$doc])*
        pub fn $add(&mut self, name: &str, attrs: $attrs) -> $id {
            self.push(object(name, attrs))
        }
    )*};
}

/// Functions that add an element to a body or frame.
macro_rules! elements {
    ($($(#[$doc:meta])* $add:ident($attrs:ty) -> $id:ty;)*) => {$(
        $(#[$doc])*
        pub fn $add(
            &mut self,
            place: impl Into<Place>,
            name: &str,
            attrs: $attrs,
        ) -> Result<$id, EditError> {
            self.add_element(place.into(), name, attrs)
        }
    )*};
}

impl Spec {
    /// The indices of a place: its body, and its frame.
    pub(super) fn resolve(&self, place: Place) -> Result<(usize, Option<usize>), EditError> {
        match place {
            Place::Body(body) => Ok((self.index(body)?, None)),
            Place::Frame(frame) => {
                let frame = self.index(frame)?;
                Ok((self.frames[frame].body, Some(frame)))
            }
        }
    }

    fn add_element<A>(
        &mut self,
        place: Place,
        name: &str,
        attr: A,
    ) -> Result<Id<Element<A>>, EditError>
    where
        Element<A>: Item,
    {
        let (body, frame) = self.resolve(place)?;
        Ok(self.push(Element {
            name: name.to_owned(),
            class: None,
            span: Span::default(),
            body,
            frame,
            origin: 0,
            attr,
            plugin: None,
            saved: Vec::new(),
            uid: 0,
        }))
    }

    /// Adds a body to a body or frame.
    pub fn add_body(
        &mut self,
        place: impl Into<Place>,
        name: &str,
        attr: BodyAttrs,
    ) -> Result<BodyId, EditError> {
        let (parent, frame) = self.resolve(place.into())?;
        let name = name.to_owned();
        Ok(self.push(BodySpec { name, parent, frame, attr, ..BodySpec::default() }))
    }

    /// States the inertia of a body, in place of that of its geoms.
    pub fn set_inertial(&mut self, body: BodyId, attr: InertialAttrs) -> Result<(), EditError> {
        let body = self.get_mut(body)?;
        body.inertial = Some(InertialSpec { span: Span::default(), attr });
        Ok(())
    }

    /// Adds a frame to a body or to another frame.
    pub fn add_frame(
        &mut self,
        place: impl Into<Place>,
        name: &str,
        attr: FrameAttrs,
    ) -> Result<FrameId, EditError> {
        let (body, parent) = self.resolve(place.into())?;
        let name = name.to_owned();
        Ok(self.push(FrameSpec { name, body, parent, attr, ..FrameSpec::default() }))
    }

    /// Adds a joint.
    pub fn add_joint(
        &mut self,
        place: impl Into<Place>,
        name: &str,
        attrs: JointAttrs,
    ) -> Result<JointId, EditError> {
        self.add_any_joint(place.into(), name, JointSpec::Joint(Box::new(attrs)))
    }

    /// Adds a joint that lets a body move freely; it has no defaults.
    pub fn add_freejoint(
        &mut self,
        place: impl Into<Place>,
        name: &str,
        attrs: FreeJointAttrs,
    ) -> Result<JointId, EditError> {
        self.add_any_joint(place.into(), name, JointSpec::Free(attrs))
    }

    fn add_any_joint(
        &mut self,
        place: Place,
        name: &str,
        attr: JointSpec,
    ) -> Result<JointId, EditError> {
        if self.resolve(place)?.0 == 0 {
            return Err(EditError::World("has no joints"));
        }
        self.add_element(place, name, attr)
    }

    elements! {
        /// Adds a geom.
        add_geom(GeomAttrs) -> GeomId;
        /// Adds a site.
        add_site(SiteAttrs) -> SiteId;
        /// Adds a camera.
        add_camera(CameraAttrs) -> CameraId;
        /// Adds a light.
        add_light(LightAttrs) -> LightId;
    }

    objects! {
        /// Adds a mesh.
        add_mesh(MeshAttrs) -> MeshId;
        /// Adds a height field.
        add_hfield(HfieldAttrs) -> HfieldId;
        /// Adds a texture.
        add_texture(TextureAttrs) -> TextureId;
        /// Adds a contact pair.
        add_pair(PairAttrs) -> PairId;
        /// Excludes the contacts of two bodies.
        add_exclude(ExcludeAttrs) -> ExcludeId;
        /// Adds custom numbers.
        add_numeric(NumericAttrs) -> NumericId;
        /// Adds a custom text.
        add_text(TextAttrs) -> TextId;
        /// Adds a keyframe.
        add_key(KeyAttrs) -> KeyId;
    }

    /// Adds a skin.
    pub fn add_skin(&mut self, name: &str, attr: SkinAttrs) -> SkinId {
        self.push(object(name, SkinSpec { attr, bones: Vec::new() }))
    }

    /// Adds a material.
    pub fn add_material(&mut self, name: &str, attr: MaterialAttrs) -> MaterialId {
        self.push(object(name, MaterialSpec { attr, layers: Vec::new() }))
    }

    /// Adds an instance of a plugin, which elements then refer to by name.
    pub fn add_plugin_instance<'n>(
        &mut self,
        name: &str,
        plugin: &str,
        config: impl IntoIterator<Item = (&'n str, &'n str)>,
    ) -> InstanceId {
        let text = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
        let config = config.into_iter().map(text).collect();
        self.push(object(name, PluginInstance { plugin: plugin.to_owned(), config }))
    }

    /// Adds a flex: its vertices, elements and their bodies.
    ///
    /// ```
    /// use ferrodyn_mjcf::{FlexAttrs, FlexSpec, NameList, Spec};
    ///
    /// let mut spec = Spec::new();
    /// let mut flex = FlexSpec::default();
    /// flex.attr = FlexAttrs::default()
    ///     .body(NameList(vec![String::from("world")]))
    ///     .vertex([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
    ///     .element([0, 1, 2]);
    /// spec.add_flex("patch", flex);
    /// assert_eq!(spec.compile()?.model.nflexedge, 3);
    /// # Ok::<(), ferrodyn_mjcf::MjcfError>(())
    /// ```
    pub fn add_flex(&mut self, name: &str, flex: FlexSpec) -> FlexId {
        self.push(object(name, flex))
    }

    /// Adds an equality constraint.
    pub fn add_equality(
        &mut self,
        name: &str,
        kind: EqualityType,
        attr: EqualityAttrs,
    ) -> EqualityId {
        self.push(object(name, EqualitySpec { kind, attr }))
    }

    /// Adds a tendon along a path: joints for a fixed tendon, otherwise sites, geoms and pulleys.
    pub fn add_tendon(
        &mut self,
        name: &str,
        attr: TendonAttrs,
        path: impl IntoIterator<Item = Wrap>,
    ) -> TendonId {
        let path: Vec<WrapSpec> =
            path.into_iter().map(|part| WrapSpec { span: Span::default(), part }).collect();
        let spatial = !path.iter().any(|w| matches!(w.part, Wrap::Joint { .. }));
        self.push(object(name, TendonSpec { spatial, attr, path }))
    }

    /// Adds an actuator.
    pub fn add_actuator(
        &mut self,
        name: &str,
        kind: ActuatorKind,
        attr: ActuatorAttrs,
    ) -> ActuatorId {
        self.push(object(name, ActuatorSpec { kind, attr }))
    }

    /// Adds a sensor.
    pub fn add_sensor(&mut self, name: &str, kind: SensorType, attr: SensorAttrs) -> SensorId {
        self.push(object(name, SensorSpec { kind, attr }))
    }

    /// Adds a tuple of objects, each with its type, its name and a number.
    pub fn add_tuple<'n>(
        &mut self,
        name: &str,
        objects: impl IntoIterator<Item = (ObjType, &'n str, f64)>,
    ) -> TupleId {
        self.push(object(name, tuple_elements(objects)))
    }

    /// Changes the objects of a tuple.
    pub fn set_tuple<'n>(
        &mut self,
        id: TupleId,
        objects: impl IntoIterator<Item = (ObjType, &'n str, f64)>,
    ) -> Result<(), EditError> {
        self.get_mut(id)?.attr = tuple_elements(objects);
        Ok(())
    }

    /// Adds a part to the path of a tendon. A tendon with joints is a fixed one.
    pub fn extend_path(&mut self, id: TendonId, part: Wrap) -> Result<(), EditError> {
        let tendon = &mut self.get_mut(id)?.attr;
        tendon.spatial = !matches!(part, Wrap::Joint { .. });
        tendon.path.push(WrapSpec { span: Span::default(), part });
        Ok(())
    }

    /// Adds a default class, which starts as a copy of another.
    pub fn add_default(&mut self, class: &str, parent: &str) -> Result<(), EditError> {
        if class == MAIN_CLASS || self.defaults.iter().any(|block| block.class == class) {
            return Err(EditError::NameTaken(class.to_owned()));
        }
        self.known_class(parent)?;
        self.defaults.push(DefaultBlock {
            class: class.to_owned(),
            parent: Some(parent.to_owned()),
            ..DefaultBlock::default()
        });
        Ok(())
    }

    /// Declares a plugin that elements use.
    pub fn activate_plugin(&mut self, name: &str) {
        if !self.plugins.iter().any(|plugin| plugin == name) {
            self.plugins.push(name.to_owned());
        }
    }
}

fn tuple_elements<'n>(
    objects: impl IntoIterator<Item = (ObjType, &'n str, f64)>,
) -> Vec<TupleElement> {
    let element = |(kind, name, prm): (ObjType, &str, f64)| TupleElement {
        span: Span::default(),
        attr: ElementAttrs::default().objtype(kind).objname(name).prm(prm),
    };
    objects.into_iter().map(element).collect()
}

fn object<A>(name: &str, attr: A) -> Object<A> {
    Object {
        name: name.to_owned(),
        class: None,
        span: Span::default(),
        origin: 0,
        attr,
        plugin: None,
        saved: Vec::new(),
        uid: 0,
    }
}
