//! The objects of the tree, compiled: numbers ready for the model, still in double precision.

use ferrodyn_model::{GeomType, JointType};

use crate::bvh::Bvh;
use crate::pose::{Pose, V3};

/// A compiled body.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// Index in the specification.
    pub(super) source: usize,
    pub(super) parent: usize,
    pub(super) plugin: Option<usize>,
    pub(super) pose: Pose,
    /// The pose in the world before anything moves.
    pub(super) world: Pose,
    /// Frame of the principal axes.
    pub(super) inertial: Pose,
    pub(super) mass: f64,
    pub(super) inertia: V3,
    /// The topmost ancestor that this body is fixed to.
    pub(super) weld: usize,
    pub(super) dofnum: usize,
    pub(super) contype: i32,
    pub(super) conaffinity: i32,
    pub(super) margin: f64,
    pub(super) bvh: Bvh,
}

/// A compiled joint.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) kind: JointType,
    pub(super) limited: bool,
    pub(super) actfrclimited: bool,
    pub(super) pos: V3,
    pub(super) axis: V3,
    pub(super) range: [f64; 2],
    pub(super) reference: f64,
    pub(super) springref: f64,
}

/// A compiled geom.
#[derive(Clone, Debug)]
pub(super) struct Geom {
    pub(super) kind: GeomType,
    pub(super) pose: Pose,
    pub(super) size: V3,
    pub(super) aabb: [f64; 6],
    pub(super) mass: f64,
    pub(super) inertia: V3,
    pub(super) fluid: [f64; 12],
    pub(super) group: i32,
    pub(super) contype: i32,
    pub(super) conaffinity: i32,
    pub(super) margin: f64,
    /// Radius of the bounding sphere; 0 for planes.
    pub(super) rbound: f64,
    /// Mesh or height field.
    pub(super) data: Option<usize>,
    pub(super) material: Option<usize>,
    pub(super) plugin: Option<usize>,
}

/// A compiled site.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) kind: GeomType,
    pub(super) pose: Pose,
    pub(super) size: V3,
    pub(super) material: Option<usize>,
}

/// A compiled camera.
#[derive(Clone, Debug)]
pub(super) struct Camera {
    pub(super) pose: Pose,
    pub(super) target: Option<usize>,
    pub(super) fovy: f64,
    pub(super) resolution: [i32; 2],
    pub(super) intrinsic: [f32; 4],
}

/// A compiled light.
#[derive(Clone, Debug)]
pub(super) struct Light {
    pub(super) pos: V3,
    pub(super) dir: V3,
    pub(super) target: Option<usize>,
    pub(super) texture: Option<usize>,
}

/// Everything in the tree, in the order of the model.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    pub(super) bodies: Vec<Body>,
    pub(super) joints: Vec<Joint>,
    pub(super) geoms: Vec<Geom>,
    pub(super) sites: Vec<Site>,
    pub(super) cameras: Vec<Camera>,
    pub(super) lights: Vec<Light>,
}
