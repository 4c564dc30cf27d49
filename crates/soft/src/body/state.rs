//! The state of a body that owns its arrays, and the trait for those that have one.
use alloc::vec;
use alloc::vec::Vec;

use ferrodyn_math::Vec3;

use super::{BodyMut, Shape, VertexFlags};

/// A shape with a state.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) shape: Shape,
    pub(super) positions: Vec<Vec3>,
    pub(super) velocities: Vec<Vec3>,
    pub(super) forces: Vec<Vec3>,
    pub(super) flags: Vec<VertexFlags>,
}

impl Parts {
    /// At rest.
    pub(super) fn new(shape: Shape, positions: Vec<Vec3>) -> Parts {
        let count = positions.len();
        Parts {
            shape,
            positions,
            velocities: vec![Vec3::ZERO; count],
            forces: vec![Vec3::ZERO; count],
            flags: vec![VertexFlags::default(); count],
        }
    }

    pub(super) fn split_mut(&mut self) -> BodyMut<'_> {
        BodyMut {
            shape: &self.shape,
            positions: &mut self.positions,
            velocities: &mut self.velocities,
            forces: &mut self.forces,
            flags: &mut self.flags,
        }
    }
}

/// Implements [`DeformableBody`](super::DeformableBody) for a struct with `parts`.
macro_rules! deformable {
    ($body:ident) => {
        impl $crate::DeformableBody for $body {
            fn shape(&self) -> &$crate::Shape {
                &self.parts.shape
            }
            fn positions(&self) -> &[ferrodyn_math::Vec3] {
                &self.parts.positions
            }
            fn velocities(&self) -> &[ferrodyn_math::Vec3] {
                &self.parts.velocities
            }
            fn forces(&self) -> &[ferrodyn_math::Vec3] {
                &self.parts.forces
            }
            fn vertex_flags(&self) -> &[$crate::VertexFlags] {
                &self.parts.flags
            }
            fn split_mut(&mut self) -> $crate::body::BodyMut<'_> {
                self.parts.split_mut()
            }
            fn clone_box(&self) -> alloc::boxed::Box<dyn $crate::DeformableBody + Send + Sync> {
                alloc::boxed::Box::new(self.clone())
            }
        }

        impl $body {
            /// Add a constraint to those that the shape made.
            pub fn add_constraint(
                &mut self,
                constraint: $crate::Constraint,
            ) -> Result<(), $crate::SoftError> {
                self.parts.shape.add_constraint(constraint)
            }
        }
    };
}
pub(super) use deformable;
