//! What a deformable body is: vertices with mass, and what holds them together.
//!
//! A [`Shape`] is what stays the same (masses, constraints, material), and can be shared; positions, velocities, forces and flags of the vertices
//! are the state. [`Cloth`], [`SoftBody`] and [`CapsuleChain`] make shapes from triangles, tetrahedra and points.
mod chain;
mod cloth;
mod material;
mod mesh;
mod shape;
mod soft_body;
mod state;

use alloc::boxed::Box;
use core::fmt::Debug;

use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{Real, Vec3};

pub use chain::{CapsuleChain, ChainConfig};
pub use cloth::{Cloth, ClothConfig};
pub use material::{Material, MaterialPreset};
pub use shape::Shape;
pub use soft_body::{SoftBody, SoftBodyConfig};

/// What is known about a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct VertexFlags(u32);

impl VertexFlags {
    /// It touched a geom when contacts were last looked for.
    pub const COLLIDING: VertexFlags = VertexFlags(1);

    /// Are all of these set?
    pub fn contains(self, flags: VertexFlags) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// Set these, or clear them.
    pub fn set(&mut self, flags: VertexFlags, on: bool) {
        self.0 = if on { self.0 | flags.0 } else { self.0 & !flags.0 };
    }
}

/// The state of a body beside its shape, for a step.
#[derive(Debug)]
pub struct BodyMut<'a> {
    /// What stays the same.
    pub shape: &'a Shape,
    /// Positions, in m.
    pub positions: &'a mut [Vec3],
    /// Velocities, in m/s.
    pub velocities: &'a mut [Vec3],
    /// Forces from outside, in N.
    pub forces: &'a mut [Vec3],
    /// What is known about each vertex.
    pub flags: &'a mut [VertexFlags],
}

/// How far around its vertices a body touches others, in m, where it does not say so itself.
pub const DEFAULT_MARGIN: Real = 0.005;

/// A body of vertices that constraints hold together.
///
/// ```
/// use ferrodyn_math::Vec3;
/// use ferrodyn_soft::{CapsuleChain, ChainConfig, DeformableBody};
/// let mut rope = CapsuleChain::line(Vec3::ZERO, Vec3::X, 10, ChainConfig::rope())?;
/// rope.velocities_mut().fill(Vec3::Z);
/// let copy = rope.clone_box();
/// assert_eq!((copy.positions().len(), copy.velocities()[3]), (11, Vec3::Z));
/// assert_eq!(copy.collision_margin(), ChainConfig::rope().radius);
/// # Ok::<(), ferrodyn_soft::SoftError>(())
/// ```
pub trait DeformableBody: Debug {
    /// What stays the same.
    fn shape(&self) -> &Shape;
    /// Positions of the vertices, in m.
    fn positions(&self) -> &[Vec3];
    /// Velocities of the vertices, in m/s.
    fn velocities(&self) -> &[Vec3];
    /// Forces from outside on the vertices, in N; they stay until they are cleared.
    fn forces(&self) -> &[Vec3];
    /// What is known about each vertex.
    fn vertex_flags(&self) -> &[VertexFlags];
    /// Everything at once, mutable but for the shape.
    fn split_mut(&mut self) -> BodyMut<'_>;
    /// A copy.
    fn clone_box(&self) -> Box<dyn DeformableBody + Send + Sync>;

    /// Positions of the vertices, mutable.
    fn positions_mut(&mut self) -> &mut [Vec3] {
        self.split_mut().positions
    }

    /// Velocities of the vertices, mutable.
    fn velocities_mut(&mut self) -> &mut [Vec3] {
        self.split_mut().velocities
    }

    /// Forces from outside, mutable.
    fn forces_mut(&mut self) -> &mut [Vec3] {
        self.split_mut().forces
    }

    /// What is known about each vertex, mutable.
    fn vertex_flags_mut(&mut self) -> &mut [VertexFlags] {
        self.split_mut().flags
    }

    /// Inverse masses of the vertices, in 1/kg; zero is pinned.
    fn inverse_masses(&self) -> &[Real] {
        self.shape().inverse_masses()
    }

    /// What it is made of.
    fn material(&self) -> &Material {
        self.shape().material()
    }

    /// How far around its vertices it touches others, in m.
    fn collision_margin(&self) -> Real {
        self.shape().margin()
    }

    /// Take all forces from outside away.
    fn clear_forces(&mut self) {
        self.forces_mut().fill(Vec3::ZERO);
    }
}
