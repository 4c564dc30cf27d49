//! The sides of a contact: the bodies it pushes on, and the share of each.
//!
//! A contact acts at one point. On the side of a geom, or of a vertex of a flex, that point belongs to one body, whose share is 1. The point of an
//! element of a flex moves with the bodies of its vertices, `v = Σ wᵢ vᵢ(p)` with `Σ wᵢ = 1`, and each of them takes its share of the force; that of
//! an interpolated flex moves with those of its nodes. Everything that asks whom a contact touches asks here, and here `geom` is read, not
//! MuJoCo's deprecated `geom1` and `geom2`; what is neither a geom nor a flex of the model has no bodies.
use ferrodyn_math::{MIN_VAL, Real, Vec3};
use ferrodyn_model::{Contact, Model, Storage};

use crate::World;
use crate::position::flex::{MOST_NODES, basis};

/// A body on one side of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Share {
    pub(crate) body: usize,
    /// Part of the motion of the contact point that the body makes.
    pub(crate) weight: Real,
}

/// All bodies of a contact with their shares, those of the first side first.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    list: [Share; 2 * MOST_NODES],
    count: usize,
}

impl Shares {
    fn push(&mut self, body: usize, weight: Real) {
        self.list[self.count] = Share { body, weight };
        self.count += 1;
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Share> + '_ {
        self.list[..self.count].iter().copied()
    }
}

/// Shares below this are left out. MuJoCo's number, in `mj_vertBodyWeight`.
const MIN_SHARE: Real = 1e-5;

/// The body of the geom on one side of a contact; none where that is a flex.
#[inline]
pub(crate) fn geom_body(m: &Model<impl Storage>, contact: &Contact, side: usize) -> Option<usize> {
    let geom = usize::try_from(contact.geom[side]).ok()?;
    m.geom_bodyid.get(geom).map(|b| *b as usize)
}

/// The bodies of a contact of two geoms.
#[inline]
pub(crate) fn geom_bodies(m: &Model<impl Storage>, contact: &Contact) -> Option<[usize; 2]> {
    Some([geom_body(m, contact, 0)?, geom_body(m, contact, 1)?])
}

/// The body on one side of a contact, where it is one: that of a geom, or of a vertex of a flex that is not interpolated.
#[inline]
fn side_body(m: &Model<impl Storage>, contact: &Contact, side: usize) -> Option<usize> {
    if contact.geom[side] >= 0 {
        return geom_body(m, contact, side);
    }
    let (flex, vertex) = flex_vertex(m, contact, side)?;
    let body = usize::try_from(m.flex_vertbodyid[vertex]).ok()?;
    (m.flex_interp[flex] == 0).then_some(body)
}

/// The flex of a side and the vertex at which it touches, if it does so at one.
fn flex_vertex(m: &Model<impl Storage>, contact: &Contact, side: usize) -> Option<(usize, usize)> {
    let flex = usize::try_from(contact.flex[side]).ok().filter(|f| *f < m.flex_count())?;
    let vertex = usize::try_from(contact.vert[side]).ok()?;
    let vertices = m.flex_vertices(flex);
    (vertex < vertices.len()).then(|| (flex, vertices.start + vertex))
}

/// The two bodies of a contact that has one on each side.
#[inline]
pub(crate) fn body_pair(m: &Model<impl Storage>, contact: &Contact) -> Option<[usize; 2]> {
    Some([side_body(m, contact, 0)?, side_body(m, contact, 1)?])
}

/// All bodies of a contact with their shares; the bodies of both sides are told apart by `signs`. MuJoCo: `mj_contactJacobian`.
pub(crate) fn shares(
    m: &Model<impl Storage>,
    d: &World<'_>,
    contact: &Contact,
    signs: [Real; 2],
) -> Shares {
    let mut shares = Shares { list: [Share::default(); 2 * MOST_NODES], count: 0 };
    for (side, sign) in signs.into_iter().enumerate() {
        if let Ok(geom) = usize::try_from(contact.geom[side]) {
            if let Some(body) = m.geom_bodyid.get(geom) {
                shares.push(*body as usize, sign);
            }
            continue;
        }
        let Some(flex) = usize::try_from(contact.flex[side]).ok().filter(|f| *f < m.flex_count())
        else {
            continue;
        };
        // the vertices that the point moves with
        let (mut vertices, mut weights, mut count) = ([0; 4], [0.0; 4], 0);
        if let Some((_, vertex)) = flex_vertex(m, contact, side) {
            (vertices[0], weights[0], count) = (vertex, sign, 1);
        } else if let Ok(element) = usize::try_from(contact.elem[side]) {
            let other = contact.vert[1 - side];
            count = element_weights(
                m,
                d,
                flex,
                element,
                other,
                contact.pos,
                &mut vertices,
                &mut weights,
            );
            weights.iter_mut().for_each(|w| *w *= sign);
        }
        if m.flex_interp[flex] == 0 {
            for (vertex, weight) in vertices.iter().zip(weights).take(count) {
                shares.push(m.flex_vertbodyid[*vertex] as usize, weight);
            }
        } else if count > 0 {
            // the place in the box of the flex. As in MuJoCo it has the sign of the side, which is lost for the nodes
            let mut place = Vec3::ZERO;
            for (vertex, weight) in vertices.iter().zip(weights).take(count) {
                place = place.add_scaled(m.flex_vert0[*vertex], weight);
            }
            for (i, node) in m.flex_nodes(flex).enumerate() {
                let weight = basis(place, i, m.flex_interp[flex]);
                if weight >= MIN_SHARE {
                    shares.push(m.flex_nodebodyid[node] as usize, weight);
                }
            }
        }
    }
    shares
}

/// The vertices of an element and their weights at a point, by inverse distance; the vertex `other`, which the element touches, is left out where
/// it is one of its own. MuJoCo: `mj_elemBodyWeight`.
fn element_weights(
    m: &Model<impl Storage>,
    d: &World<'_>,
    flex: usize,
    element: usize,
    other: i32,
    point: Vec3,
    vertices: &mut [usize; 4],
    weights: &mut [Real; 4],
) -> usize {
    let first = m.flex_vertices(flex).start;
    let mut count = 0;
    for corner in m.flex_element(flex, element).iter().filter(|corner| **corner != other) {
        let vertex = first + *corner as usize;
        let distance = (point - d.flexvert_xpos[vertex]).norm();
        vertices[count] = vertex;
        weights[count] = 1.0 / if distance > MIN_VAL { distance } else { MIN_VAL };
        count += 1;
    }
    let sum: Real = weights[..count].iter().fold(0.0, |sum, w| sum + w);
    weights[..count].iter_mut().for_each(|w| *w *= 1.0 / sum);
    count
}

/// Inverse weights of a contact, of translation and of rotation: those of its bodies by their shares.
pub(crate) fn inverse_weights(
    m: &Model<impl Storage>,
    d: &World<'_>,
    contact: &Contact,
) -> [Real; 2] {
    if let Some([b0, b1]) = body_pair(m, contact) {
        let [w0, w1] = [b0, b1].map(|b| m.body_invweight0[b]);
        return [w0[0] + w1[0], w0[1] + w1[1]];
    }
    let mut sum = [0.0; 2];
    for Share { body, weight } in shares(m, d, contact, [1.0; 2]).iter() {
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
        m.body_treeid.fill(-1);
        m.body_mocapid.fill(-1);
        m.body_invweight0.copy_from_slice(&[[0.5, 5.0], [1.0, 10.0], [2.0, 20.0]]);
        let contact = |geom| Contact { geom, ..Zeroable::zeroed() };
        assert_eq!(body_pair(&m, &contact([0, 1])), Some([0, 2]));
        let mut data = crate::OwnedWorld::new(&m);
        let d = &data.view_mut();
        let turned = shares(&m, d, &contact([1, 0]), [-1.0, 1.0]);
        let expected = [Share { body: 2, weight: -1.0 }, Share { body: 0, weight: 1.0 }];
        assert!(turned.iter().eq(expected));
        assert_eq!(inverse_weights(&m, d, &contact([0, 1])), [2.5, 25.0]);
    }

    #[test]
    fn a_side_that_is_no_geom_has_no_bodies() {
        let mut m = Model::zeroed(Sizes { nbody: 1, ngeom: 2, ..Sizes::default() });
        m.body_invweight0[0] = [1.0; 2];
        for geom in [[-1, 0], [0, -1], [0, 7]] {
            let contact = Contact { geom, ..Zeroable::zeroed() };
            assert_eq!(body_pair(&m, &contact), None);
            // the other side is a geom all the same
            let known = geom.map(|g| (g == 0).then_some(0));
            assert_eq!([0, 1].map(|side| side_body(&m, &contact, side)), known);
        }
    }
}
