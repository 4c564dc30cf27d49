//! Forces of contacts, read from the constraint rows.
use ferrodyn_math::Real;
use ferrodyn_model::{Cone, Contact, Model};

use crate::World;

/// Force and torque of contact `i` in its own frame, normal first; zero where it exerts none.
///
/// The force acts on the second geom, its opposite on the first one.
pub fn contact_force(m: &Model, d: &World<'_>, i: usize) -> [Real; 6] {
    d.work.contact.get(i).map_or([0.0; 6], |contact| wrench(m, &d.work.efc_force, contact))
}

fn wrench(m: &Model, efc_force: &[Real], contact: &Contact) -> [Real; 6] {
    let mut result = [0.0; 6];
    let rows = usize::try_from(contact.efc_address).ok().and_then(|adr| efc_force.get(adr..));
    let Some(rows) = rows else { return result };
    let dim = (contact.dim.max(1) as usize).min(6);
    if m.opt.cone != Cone::Pyramidal as i32 || dim == 1 {
        for (r, f) in result[..dim].iter_mut().zip(rows) {
            *r = *f;
        }
        return result;
    }
    // every edge of the pyramid pushes along the normal, opposite edges along a tangent
    for (k, pair) in rows.chunks_exact(2).take(dim - 1).enumerate() {
        result[0] += pair[0];
        result[0] += pair[1];
        result[k + 1] = (pair[0] - pair[1]) * contact.friction[k];
    }
    result
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
