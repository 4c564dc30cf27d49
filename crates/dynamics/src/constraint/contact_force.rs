//! Forces of contacts, read from the constraint rows.
use ferrodyn_math::Real;
use ferrodyn_model::{Cone, Contact, Model, Storage};

use crate::World;

/// Force and torque of contact `i` in its own frame, normal first; zero where it exerts none.
///
/// The force acts on the second geom, its opposite on the first one. MuJoCo: `mj_contactForce`.
pub fn contact_force(m: &Model<impl Storage>, d: &World<'_>, i: usize) -> [Real; 6] {
    let contact = d.work.contact[..d.ncon()].get(i);
    contact.map_or([0.0; 6], |contact| wrench(m, &d.work.efc_force[..d.nefc()], contact))
}

fn wrench(m: &Model<impl Storage>, efc_force: &[Real], contact: &Contact) -> [Real; 6] {
    let mut result = [0.0; 6];
    let rows = usize::try_from(contact.efc_address).ok().and_then(|adr| efc_force.get(adr..));
    let Some(rows) = rows else { return result };
    let dim = (contact.dim.max(1) as usize).min(6);
    if m.cone() != Cone::Pyramidal || dim == 1 {
        for (r, f) in result[..dim].iter_mut().zip(rows) {
            *r = *f;
        }
        return result;
    }
    decode_pyramid(&mut result[..dim], rows, &contact.friction[..dim - 1]);
    result
}

/// The force of a contact, normal first, from the forces of the edges of its pyramid. Every edge pushes along
/// the normal, opposite edges along a tangent: `f₀ = Σ (p₂ₖ + p₂ₖ₊₁)`, `fₖ₊₁ = (p₂ₖ - p₂ₖ₊₁) μₖ`.
///
/// There are as many tangents as friction coefficients `mu`; what the arrays have beyond is left alone.
/// MuJoCo: `mju_decodePyramid`.
///
/// ```
/// let mut force = [0.0; 2];
/// ferrodyn_dynamics::query::decode_pyramid(&mut force, &[3.0, 1.0], &[0.5]);
/// assert_eq!(force, [4.0, 1.0]);
/// ```
pub fn decode_pyramid(force: &mut [Real], pyramid: &[Real], mu: &[Real]) {
    let Some((normal, tangents)) = force.split_first_mut() else { return };
    *normal = 0.0;
    for ((pair, mu), tangent) in pyramid.chunks_exact(2).zip(mu).zip(tangents) {
        *normal += pair[0];
        *normal += pair[1];
        *tangent = (pair[0] - pair[1]) * mu;
    }
}

/// Forces of the edges of a pyramid from the force of a contact, normal first: the normal force is shared evenly
/// among the pairs of edges, and each pair makes its tangent as far as it can. MuJoCo: `mju_encodePyramid`.
///
/// ```
/// let mut pyramid = [0.0; 2];
/// ferrodyn_dynamics::query::encode_pyramid(&mut pyramid, &[4.0, 1.0], &[0.5]);
/// assert_eq!(pyramid, [3.0, 1.0]);
/// ```
pub fn encode_pyramid(pyramid: &mut [Real], force: &[Real], mu: &[Real]) {
    let Some((normal, tangents)) = force.split_first() else { return };
    let share = normal / mu.len() as Real;
    for ((pair, mu), tangent) in pyramid.chunks_exact_mut(2).zip(mu).zip(tangents) {
        let tangential = tangent / mu;
        let difference = if share <= tangential { share } else { tangential };
        pair[0] = 0.5 * (share + difference);
        pair[1] = 0.5 * (share - difference);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;
    use ferrodyn_model::Sizes;

    #[test]
    fn pyramids_are_decoded_and_elliptic_cones_read_as_they_are() {
        let mut m = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
        let friction = [0.5, 0.25, 0.0, 0.0, 0.0];
        let contact = Contact { dim: 3, efc_address: 1, friction, ..Contact::zeroed() };
        let force = [9.0, 1.0, 2.0, 3.0, 5.0];
        m.opt.cone = Cone::Pyramidal as i32;
        assert_eq!(wrench(&m, &force, &contact), [11.0, -0.5, -0.5, 0.0, 0.0, 0.0]);
        m.opt.cone = Cone::Elliptic as i32;
        assert_eq!(wrench(&m, &force, &contact), [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
        m.opt.cone = Cone::Pyramidal as i32;
        let normal = Contact { dim: 1, ..contact };
        assert_eq!(wrench(&m, &force, &normal), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_contact_without_rows_exerts_no_force() {
        let m = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
        for efc_address in [-1, 7] {
            let contact = Contact { dim: 3, efc_address, ..Contact::zeroed() };
            assert_eq!(wrench(&m, &[1.0], &contact), [0.0; 6]);
        }
    }
}
