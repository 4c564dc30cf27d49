//! The sides of a contact: the bodies it pushes on, and the share of each.
//!
//! A contact acts at one point. On the side of a geom that point belongs to one body, whose share is 1: all sides that
//! there are. (The point of a deformable surface would move with several bodies, `v = Σ wᵢ vᵢ(p)` with `Σ wᵢ = 1`, and
//! each of them would take its share of the force.) Everything that asks whom a contact touches asks here, and here `geom`
//! is read, not MuJoCo's deprecated `geom1` and `geom2`; what is no geom of the model has no bodies.
use ferrodyn_math::Real;
use ferrodyn_model::{Contact, Model, Storage};

/// A body on one side of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share {
    pub(crate) body: usize,
    /// Part of the motion of the contact point that the body makes; those of a side add up to 1.
    pub(crate) weight: Real,
}

/// The body on one side of a contact; `None` where that side is no geom.
#[inline]
pub(crate) fn side_body(m: &Model<impl Storage>, contact: &Contact, side: usize) -> Option<usize> {
    let geom = usize::try_from(contact.geom[side]).ok()?;
    m.geom_bodyid.get(geom).map(|b| *b as usize)
}

/// The two bodies of a contact that has one on each side; `None` where a side is no geom.
#[inline]
pub(crate) fn body_pair(m: &Model<impl Storage>, contact: &Contact) -> Option<[usize; 2]> {
    Some([side_body(m, contact, 0)?, side_body(m, contact, 1)?])
}

/// All bodies of a contact with their shares, those of the first side first.
pub(crate) fn shares(m: &Model<impl Storage>, contact: &Contact) -> impl Iterator<Item = Share> {
    body_pair(m, contact).into_iter().flatten().map(|body| Share { body, weight: 1.0 })
}

/// Inverse weights of a contact, of translation and of rotation: those of its bodies by their shares.
pub(crate) fn inverse_weights(m: &Model<impl Storage>, contact: &Contact) -> [Real; 2] {
    let mut sum = [0.0; 2];
    for Share { body, weight } in shares(m, contact) {
        for (sum, inverse) in sum.iter_mut().zip(&m.body_invweight0[body]) {
            *sum += inverse * weight;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;
    use ferrodyn_model::Sizes;

    #[test]
    fn a_contact_of_geoms_has_one_body_on_each_side() {
        let mut m = Model::zeroed(Sizes { nbody: 3, ngeom: 2, ..Sizes::default() });
        m.geom_bodyid.copy_from_slice(&[0, 2]);
        m.body_invweight0.copy_from_slice(&[[0.5, 5.0], [1.0, 10.0], [2.0, 20.0]]);
        let contact = |geom| Contact { geom, ..Zeroable::zeroed() };
        assert_eq!(body_pair(&m, &contact([0, 1])), Some([0, 2]));
        let turned = contact([1, 0]);
        let mut both = shares(&m, &turned);
        assert!([2, 0].into_iter().all(|body| both.next() == Some(Share { body, weight: 1.0 })));
        assert_eq!(both.next(), None);
        assert_eq!(inverse_weights(&m, &contact([0, 1])), [2.5, 25.0]);
    }

    #[test]
    fn a_side_that_is_no_geom_has_no_bodies() {
        let mut m = Model::zeroed(Sizes { nbody: 1, ngeom: 2, ..Sizes::default() });
        m.body_invweight0[0] = [1.0; 2];
        for geom in [[-1, 0], [0, -1], [0, 7]] {
            let contact = Contact { geom, ..Zeroable::zeroed() };
            assert_eq!(body_pair(&m, &contact), None);
            assert_eq!(shares(&m, &contact).count(), 0);
            assert_eq!(inverse_weights(&m, &contact), [0.0; 2]);
            // the other side is a geom all the same
            let known = geom.map(|g| (g == 0).then_some(0));
            assert_eq!([0, 1].map(|side| side_body(&m, &contact, side)), known);
        }
    }
}
