//! What stays the same of all deformable bodies of a world.
use alloc::sync::Arc;
use alloc::vec::Vec;

use ferrodyn_math::{Real, Vec3, words_of};
use ferrodyn_soft::{Shape, SolverConfig, VertexFlags};

/// A body that was registered.
#[derive(Clone, Debug)]
pub(crate) struct SceneBody {
    pub(crate) shape: Arc<Shape>,
    pub(crate) config: SolverConfig,
    /// First vertex among those of all bodies.
    pub(crate) first: usize,
    /// Bits of contact types and affinities, as those of geoms.
    pub(crate) contype: i32,
    pub(crate) conaffinity: i32,
    /// Positions and velocities when it was registered, which a reset returns to.
    pub(crate) positions: Arc<[Vec3]>,
    pub(crate) velocities: Arc<[Vec3]>,
}

impl SceneBody {
    /// Its vertices among those of all bodies.
    pub(crate) fn vertices(&self) -> core::ops::Range<usize> {
        self.first..self.first + self.positions.len()
    }
}

/// What stays the same of all deformable bodies of a world; worlds share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) bodies: Vec<SceneBody>,
    /// Degrees of freedom of the rigid bodies.
    pub(crate) nv: usize,
}

impl Scene {
    /// Number of vertices of all bodies.
    pub(crate) fn vertex_count(&self) -> usize {
        self.bodies.last().map_or(0, |body| body.vertices().end)
    }

    /// Words of eight bytes of the state.
    pub(crate) fn words(&self) -> usize {
        let count = self.vertex_count();
        words_of::<super::state::SoftHead>(1)
            + 5 * words_of::<Vec3>(count)
            + words_of::<VertexFlags>(count)
            + words_of::<u32>(self.bodies.len())
            + words_of::<Real>(self.nv)
    }

    /// Does a state of one fit the other?
    pub(crate) fn fits(&self, other: &Scene) -> bool {
        self.nv == other.nv
            && self.bodies.len() == other.bodies.len()
            && self.bodies.iter().zip(&other.bodies).all(|(a, b)| {
                a.positions.len() == b.positions.len()
                    && (Arc::ptr_eq(&a.shape, &b.shape) || a.shape == b.shape)
            })
    }
}
