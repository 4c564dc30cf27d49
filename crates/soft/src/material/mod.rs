//! Laws of materials: what one element, or one hinge between two triangles, does to its vertices.
//!
//! | law | what it resists | energy |
//! |---|---|---|
//! | [`bridson`] | a change of the angle between two triangles | `½ k (θ - θ₀)²` |
//! | [`neo_hookean`] | a change of the shape of a triangle or tetrahedron | `V₀ W(F)` |
//!
//! Each law gives its energy, the forces on the vertices, and its stiffness (the derivative of the forces by the vertices, with the opposite
//! sign) as a sum of terms `λ w wᵀ` with `λ ≥ 0`: integrators that are implicit in them then have a positive definite matrix.
pub mod bridson;
pub mod neo_hookean;
mod stretches;
