//! Soft matter of the Ferrodyn physics engine, beyond MuJoCo's.
//!
//! [`material`] holds laws of elasticity and bending: pure functions of the places of a few vertices. The stages of a step, in the
//! crate `ferrodyn-dynamics`, apply them to the flexes of a model.
//!
//! Deformable bodies are no flexes: cloth, tetrahedra and chains of capsules, stepped by extended position-based dynamics (XPBD).
//! [`body`] holds what a body is, [`xpbd`] how it moves. A body can be stepped by itself, or be registered on a world, where it
//! touches rigid geoms.
//!
//! ```
//! use ferrodyn_math::Vec3;
//! use ferrodyn_soft::{Cloth, ClothConfig, DeformableBody, SolverConfig, XpbdSolver};
//!
//! // a square metre of cotton that hangs from two corners
//! let mut config = ClothConfig::cotton();
//! config.pinned = vec![0, 9];
//! let mut cloth = Cloth::grid([10, 10], [1.0 / 9.0; 2], Vec3::ZERO, config)?;
//! let mut solver = XpbdSolver::new(SolverConfig::realtime())?;
//! for _ in 0..60 {
//!     solver.step(&mut cloth, Vec3::new(0.0, 0.0, -9.81), 1.0 / 60.0)?;
//! }
//! assert_eq!(cloth.positions()[0], Vec3::ZERO);
//! assert!(cloth.positions()[99][2] < -0.3);
//! # Ok::<(), ferrodyn_soft::SoftError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
pub mod body;
#[cfg(feature = "alloc")]
mod error;
pub mod material;
#[cfg(feature = "alloc")]
pub mod xpbd;

#[cfg(feature = "alloc")]
pub use body::{
    CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableBody, Material, MaterialPreset, Shape,
    SoftBody, SoftBodyConfig, VertexFlags,
};
#[cfg(feature = "alloc")]
pub use error::SoftError;
#[cfg(feature = "alloc")]
pub use xpbd::{
    BendingConstraint, CollisionConstraint, Constraint, ConstraintType, DistanceConstraint,
    FlexEdgeConstraint, FlexEdgeKind, SolverConfig, VolumeConstraint, XpbdSolver,
};
