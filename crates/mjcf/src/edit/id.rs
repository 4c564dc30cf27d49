//! Handles: how a program refers to the elements of a specification while it changes.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use ferrodyn_model::ObjType;

use super::EditError;
use crate::schema::{
    CameraAttrs, ExcludeAttrs, GeomAttrs, HfieldAttrs, KeyAttrs, LightAttrs, MeshAttrs,
    NumericAttrs, PairAttrs, SiteAttrs, TextAttrs, TextureAttrs,
};
use crate::spec::{
    ActuatorSpec, BodySpec, Element, EqualitySpec, FlexSpec, FrameSpec, JointSpec, MaterialSpec,
    Object, PluginInstance, SensorSpec, SkinSpec, Spec, TendonSpec, TupleElement,
};

/// A handle of an element. It stays valid while other elements are added and removed, and in
/// clones of the specification; it is never given to another element.
pub struct Id<E> {
    uid: u32,
    element: PhantomData<fn() -> E>,
}

impl<E> Id<E> {
    pub(crate) const fn new(uid: u32) -> Self {
        Self { uid, element: PhantomData }
    }

    /// The handle of the element with a number, if there is one.
    pub const fn from_number(number: u32) -> Self {
        Self::new(number)
    }

    /// The number of the element, which no other element of the specification has.
    pub fn number(self) -> u32 {
        self.uid
    }
}

impl<E> Clone for Id<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Id<E> {}

impl<E> PartialEq for Id<E> {
    fn eq(&self, other: &Self) -> bool {
        self.uid == other.uid
    }
}

impl<E> Eq for Id<E> {}

impl<E> Hash for Id<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.uid.hash(state);
    }
}

impl<E> fmt::Debug for Id<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Id({})", self.uid)
    }
}

/// Marks a number as one of another model.
const FOREIGN: u32 = 1 << 31;

mod sealed {
    pub trait Sealed {}
}

/// A type of element that a specification has a list of.
pub trait Item: sealed::Sealed + Clone + 'static {
    /// The type of object that it becomes.
    const KIND: ObjType;
    /// All elements of this type.
    fn list(spec: &Spec) -> &Vec<Self>;
    /// All elements of this type, to change them.
    fn list_mut(spec: &mut Spec) -> &mut Vec<Self>;
    /// The name; empty when it has none.
    fn name(&self) -> &str;
    /// Gives it a name.
    fn set_name(&mut self, name: &str);
    /// Its number, 0 where it has none yet.
    #[doc(hidden)]
    fn uid(&self) -> u32;
    /// Gives it a number.
    #[doc(hidden)]
    fn set_uid(&mut self, uid: u32);
}

macro_rules! items {
    ($($(#[$doc:meta])* $id:ident = $type:ty, $kind:ident, $list:ident;)*) => {
        $(
            $(#[$doc])*
            pub type $id = Id<$type>;

            impl sealed::Sealed for $type {}

            impl Item for $type {
                const KIND: ObjType = ObjType::$kind;
                fn list(spec: &Spec) -> &Vec<Self> {
                    &spec.$list
                }
                fn list_mut(spec: &mut Spec) -> &mut Vec<Self> {
                    &mut spec.$list
                }
                fn name(&self) -> &str {
                    &self.name
                }
                fn set_name(&mut self, name: &str) {
                    name.clone_into(&mut self.name);
                }
                fn uid(&self) -> u32 {
                    self.uid
                }
                fn set_uid(&mut self, uid: u32) {
                    self.uid = uid;
                }
            }
        )*

        impl Spec {
            /// Gives elements without a number one. The result pairs the numbers that elements of
            /// another model had with those they have now.
            pub(crate) fn number(&mut self) -> Vec<(u32, u32)> {
                let mut pairs = Vec::new();
                $(
                    for item in &mut self.$list {
                        if item.uid == 0 || item.uid & FOREIGN != 0 {
                            if item.uid != 0 {
                                pairs.push((item.uid & !FOREIGN, self.next_uid));
                            }
                            item.uid = self.next_uid;
                            self.next_uid += 1;
                        }
                    }
                )*
                pairs
            }

            /// Marks the numbers of all elements: they are about to join another model.
            pub(crate) fn forget_numbers(&mut self) {
                $(self.$list.iter_mut().for_each(|item| item.uid |= FOREIGN);)*
            }
        }

        /// Runs code with the element type that belongs to a type of object.
        macro_rules! with_item {
            ($value:expr, $name:ident => $body:expr, $other:expr) => {
                match $value {
                    $(ferrodyn_model::ObjType::$kind => {
                        type $name = $type;
                        $body
                    })*
                    _ => $other,
                }
            };
        }
        pub(crate) use with_item;
    };
}

items! {
    /// A handle of a body.
    BodyId = BodySpec, Body, bodies;
    /// A handle of a frame.
    FrameId = FrameSpec, Frame, frames;
    /// A handle of a joint.
    JointId = Element<JointSpec>, Joint, joints;
    /// A handle of a geom.
    GeomId = Element<GeomAttrs>, Geom, geoms;
    /// A handle of a site.
    SiteId = Element<SiteAttrs>, Site, sites;
    /// A handle of a camera.
    CameraId = Element<CameraAttrs>, Camera, cameras;
    /// A handle of a light.
    LightId = Element<LightAttrs>, Light, lights;
    /// A handle of a flex.
    FlexId = Object<FlexSpec>, Flex, flexes;
    /// A handle of a mesh.
    MeshId = Object<MeshAttrs>, Mesh, meshes;
    /// A handle of a skin.
    SkinId = Object<SkinSpec>, Skin, skins;
    /// A handle of a height field.
    HfieldId = Object<HfieldAttrs>, Hfield, hfields;
    /// A handle of a texture.
    TextureId = Object<TextureAttrs>, Texture, textures;
    /// A handle of a material.
    MaterialId = Object<MaterialSpec>, Material, materials;
    /// A handle of a contact pair.
    PairId = Object<PairAttrs>, Pair, pairs;
    /// A handle of an exclusion.
    ExcludeId = Object<ExcludeAttrs>, Exclude, excludes;
    /// A handle of an equality constraint.
    EqualityId = Object<EqualitySpec>, Equality, equalities;
    /// A handle of a tendon.
    TendonId = Object<TendonSpec>, Tendon, tendons;
    /// A handle of an actuator.
    ActuatorId = Object<ActuatorSpec>, Actuator, actuators;
    /// A handle of a sensor.
    SensorId = Object<SensorSpec>, Sensor, sensors;
    /// A handle of a plugin instance.
    InstanceId = Object<PluginInstance>, Plugin, instances;
    /// A handle of custom numbers.
    NumericId = Object<NumericAttrs>, Numeric, numerics;
    /// A handle of a custom text.
    TextId = Object<TextAttrs>, Text, texts;
    /// A handle of a tuple.
    TupleId = Object<Vec<TupleElement>>, Tuple, tuples;
    /// A handle of a keyframe.
    KeyId = Object<KeyAttrs>, Key, keys;
}

/// The world.
pub const WORLD: BodyId = Id::new(1);

impl Spec {
    /// The place of an element in its list.
    pub fn index<E: Item>(&self, id: Id<E>) -> Result<usize, EditError> {
        let list = E::list(self);
        // numbers grow along the list, unless the tree was put in order
        match list.binary_search_by_key(&id.uid, E::uid) {
            Ok(index) => Some(index),
            Err(_) => list.iter().position(|item| item.uid() == id.uid),
        }
        .ok_or(EditError::Gone)
    }

    /// An element.
    pub fn get<E: Item>(&self, id: Id<E>) -> Result<&E, EditError> {
        Ok(&E::list(self)[self.index(id)?])
    }

    /// An element, to change it.
    pub fn get_mut<E: Item>(&mut self, id: Id<E>) -> Result<&mut E, EditError> {
        let index = self.index(id)?;
        Ok(&mut E::list_mut(self)[index])
    }

    /// The element with a name; no element has an empty one.
    pub fn find<E: Item>(&self, name: &str) -> Option<Id<E>> {
        let named = |item: &&E| !name.is_empty() && item.name() == name;
        E::list(self).iter().find(named).map(|item| Id::new(item.uid()))
    }

    /// The handles of all elements of a type, in the order of its list.
    pub fn ids<E: Item>(&self) -> impl Iterator<Item = Id<E>> {
        E::list(self).iter().map(|item| Id::new(item.uid()))
    }

    /// Gives an element another name. What refers to it by name keeps the old one.
    pub fn rename<E: Item>(&mut self, id: Id<E>, name: &str) -> Result<(), EditError> {
        let index = self.index(id)?;
        let taken = |(i, item): (usize, &E)| i != index && item.name() == name;
        if !name.is_empty() && E::list(self).iter().enumerate().any(taken) {
            return Err(EditError::NameTaken(name.to_owned()));
        }
        E::list_mut(self)[index].set_name(name);
        Ok(())
    }

    /// Adds an element to the end of its list.
    pub(crate) fn push<E: Item>(&mut self, mut item: E) -> Id<E> {
        let uid = self.next_uid;
        self.next_uid += 1;
        item.set_uid(uid);
        E::list_mut(self).push(item);
        Id::new(uid)
    }
}
