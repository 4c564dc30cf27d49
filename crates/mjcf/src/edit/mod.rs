//! Makes and changes a specification in place.
//!
//! Elements are referred to by handles ([`Id`]) that stay valid while others come and go. What lies
//! in a body keeps the order in which it was added; the compiler puts bodies in the order of the
//! tree itself.

mod add;
mod attribute;
mod carry;
mod defaults;
mod dynamic;
mod flex;
mod id;
mod order;
mod parts;
mod reference;
mod remove;
mod value;

pub use add::Place;
pub use carry::StateMap;
pub use id::*;
pub use reference::{EqualityReference, SensorReference, Transmission};
pub(crate) use value::Dynamic;
pub use value::Value;

use crate::attach::AttachError;
use crate::spec::{BodySpec, Spec};

/// Why a specification could not be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The handle belongs to no element: it was removed, or is one of another specification.
    #[error("the element does not exist any more")]
    Gone,
    /// The world cannot be removed, moved, or have joints.
    #[error("the world {0}")]
    World(&'static str),
    /// Another element of the type has the name.
    #[error("repeated name '{0}'")]
    NameTaken(String),
    /// No default class has the name.
    #[error("unknown default class '{0}'")]
    UnknownClass(String),
    /// The attribute does not exist.
    #[error("there is no attribute '{0}'")]
    UnknownAttribute(String),
    /// The value of an attribute has the wrong type or the wrong number of parts.
    #[error("'{0}' cannot have this value")]
    Value(String),
    /// A frame belongs to another body than what is put into it.
    #[error("frame and element have mismatched parents")]
    MismatchedParents,
    /// Something that cannot be done.
    #[error("{0}")]
    Refused(String),
    /// A part could not be attached.
    #[error(transparent)]
    Attach(#[from] AttachError),
}

impl Default for Spec {
    /// An empty model: the world, with nothing in it.
    fn default() -> Self {
        let world = BodySpec { name: String::from("world"), uid: 1, ..BodySpec::default() };
        Self {
            model_name: None,
            compiler: Default::default(),
            lengthrange: Default::default(),
            option: Default::default(),
            flags: Default::default(),
            size: Default::default(),
            statistic: Default::default(),
            visual: Default::default(),
            defaults: Vec::new(),
            bodies: vec![world],
            frames: Vec::new(),
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
            meshes: Vec::new(),
            skins: Vec::new(),
            hfields: Vec::new(),
            textures: Vec::new(),
            materials: Vec::new(),
            flexes: Vec::new(),
            softs: Vec::new(),
            pairs: Vec::new(),
            excludes: Vec::new(),
            equalities: Vec::new(),
            tendons: Vec::new(),
            actuators: Vec::new(),
            sensors: Vec::new(),
            plugins: Vec::new(),
            instances: Vec::new(),
            numerics: Vec::new(),
            texts: Vec::new(),
            tuples: Vec::new(),
            keys: Vec::new(),
            pending_keys: Vec::new(),
            files: Vec::new(),
            warnings: Vec::new(),
            directory: String::new(),
            attached: Vec::new(),
            options: Default::default(),
            next_uid: 2,
        }
    }
}

impl Spec {
    /// An empty model, to be filled in place.
    ///
    /// Attributes are set one after the other; what is not set comes from the default class of the
    /// element, or is what MuJoCo starts from. Elements refer to others by name.
    ///
    /// ```
    /// use ferrodyn_mjcf::{
    ///     ActuatorAttrs, ActuatorKind, BodyAttrs, GeomAttrs, JointAttrs, SensorAttrs, Spec, WORLD,
    /// };
    /// use ferrodyn_model::{GeomType, SensorType};
    ///
    /// let mut spec = Spec::new();
    /// spec.option = spec.option.timestep(0.001);
    /// let bob = spec.add_body(WORLD, "bob", BodyAttrs::default().pos([0.0, 0.0, 1.0]))?;
    /// spec.add_joint(bob, "pivot", JointAttrs::default().axis([0.0, 1.0, 0.0]).damping(0.01))?;
    /// let rod = GeomAttrs::default()
    ///     .kind(GeomType::Capsule)
    ///     .fromto([0.0, 0.0, 0.0, 0.5, 0.0, 0.0])
    ///     .size([0.02]);
    /// let rod = spec.add_geom(bob, "rod", rod)?;
    /// let motor = ActuatorAttrs::default().joint("pivot").gear([2.0]);
    /// spec.add_actuator("motor", ActuatorKind::Motor, motor);
    /// let angle = SensorAttrs::default().joint("pivot");
    /// spec.add_sensor("angle", SensorType::JointPos, angle);
    ///
    /// // elements can be changed and removed later
    /// spec.get_mut(rod)?.attr.density = Some(500.0);
    /// let model = spec.compile()?.model;
    /// assert_eq!((model.nv, model.nu, model.nsensor), (1, 1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }
}
