//! Deformable bodies in a world: contacts with rigid geoms, forces both ways, and their own steps.
//!
//! What a body is and how it moves by itself is in the crate `ferrodyn-soft`; here it meets the rest of the world. None of it is MuJoCo's.
//!
//! # The way of a step
//! 1. `detect`: vertices near geoms become contacts, at the present positions ([`mj_deformable_collision`], after the collision
//!    of geoms).
//! 2. `solve`: all substeps of every body, with its contacts, from the present state, into arrays of their own
//!    ([`solve_deformable_contacts`], after the constraint solver). What the bodies do to the rigid ones is a generalized force, which is added to
//!    `qfrc_constraint`; where there are constraint rows, they are solved once more with it.
//! 3. `step`: what was computed becomes the state ([`mj_deformable_step`], at the end of every integrator, once).
//!
//! So `forward` moves nothing and gives the same twice, and Runge-Kutta, whose later stages use the force of the first, applies it once.
//!
//! # Contacts
//! A vertex is a mass point, and a contact one row along the normal and two across it. In each substep, after the constraints of the body,
//! every contact is solved once in order, as an impulse on the vertex and the opposite one on the rigid body:
//!
//! ```text
//! λ = max(0, (erp · depth / dt - v_n) / w)       w = 1/m + nᵀ J M⁻¹ Jᵀ n
//! |λ_t| ≤ μ λ                                    friction, in the tangent plane
//! ```
//!
//! with the velocities that both sides have at that moment (`rigid`): the rigid side goes along with its acceleration and with all impulses so far,
//! through `M⁻¹`, the joints of its tree included. What one side gets the other loses, to the last bits.
//!
//! # Limits
//! Bodies do not touch each other or themselves, only their vertices touch geoms, and a vertex has no spin, so that torsional and
//! rolling friction act on none. A geom of a body that was not near when the step began is seen in the next one. Inverse dynamics knows no
//! deformable bodies.
mod contact;
mod detect;
mod from_model;
mod owned;
mod rigid;
mod scene;
mod solve;
mod state;
mod step;

pub use contact::DeformableContact;
pub use detect::{collide_vertex_geom, mj_deformable_collision};
pub use from_model::check_model;
pub(crate) use from_model::register_all;
pub(crate) use owned::OwnedSoft;
pub use owned::{Deformable, DeformableMut};
pub use rigid::compute_rigid_inv_mass_at_point;
pub(crate) use scene::Scene;
pub use solve::{compute_erp, solve_deformable_contacts};
pub(crate) use state::Soft;
pub use step::mj_deformable_step;
pub(crate) use step::{body_of, find_bad, find_diverged, reset_soft, stay_where_bad, take_back};
