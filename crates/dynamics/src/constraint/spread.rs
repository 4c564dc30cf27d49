//! The Jacobian of a contact whose point moves with any number of bodies: an element of a flex, or one that is interpolated.
//!
//! The two sides move apart with `v = Σ wᵢ vᵢ(p)`, where the shares of the first side are negative; so every degree of freedom moves the point by the sum
//! over the bodies that it moves.
use ferrodyn_math::{List, Spatial};
use ferrodyn_model::{Contact, Model, Storage};

use super::sides::{Share, shares};
use crate::World;
use crate::position::chain::{dof_chain, point_jacobian};

/// List the degrees of freedom that move the point of a contact, ascending, and add up in `motion`, one for each of all degrees of freedom, how each moves
/// it: rotation and translation. MuJoCo: `mj_jacSum`, whose rotations, with a sparse Jacobian, are partly what was in memory before.
pub(crate) fn spread_motion(
    m: &Model<impl Storage>,
    d: &World<'_>,
    contact: &Contact,
    chain: &mut List<'_, usize>,
    motion: &mut [Spatial],
) {
    chain.clear();
    for Share { body, weight } in shares(m, d, contact, [-1.0, 1.0]).iter() {
        for dof in dof_chain(m, body) {
            let lin = point_jacobian(m, d, dof, contact.pos, body);
            let of_body = Spatial::new(d.cdof[dof].rot(), lin);
            if let Err(place) = chain.binary_search(&dof) {
                // one that no body before had
                chain.push(dof);
                chain[place..].rotate_right(1);
                motion[dof] = Spatial::ZERO;
            }
            motion[dof].add_scaled(&of_body, weight);
        }
    }
}
