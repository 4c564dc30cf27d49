//! Constants of the laws of flexes beyond MuJoCo's: hinges between triangles, elements at rest.
//!
//! How many there are follows from the laws that the flexes choose, so that the arrays are made here, and have the right length whenever
//! [`set_const`](super::set_const) was called after a choice.
use alloc::vec::Vec;

use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::{FlexBendingType, FlexElasticityType, Model};
use ferrodyn_soft::material::bridson::Hinge;
use ferrodyn_soft::material::neo_hookean::Rest;

use crate::World;
use crate::force::material::{corners, hinge_vertices};

/// Can a flex have laws of its own? Rigid ones do not deform, and interpolated vertices are not moved one by one.
fn deforms(m: &Model, f: usize) -> bool {
    m.flex_dim[f] >= 2 && m.flex_rigid[f] == 0 && m.flex_interp[f] == 0
}

/// Make the arrays of hinges and of elements at rest, with the hinges' vertices and edges.
pub(super) fn set_sizes(m: &mut Model) {
    let (mut vertices, mut edges, mut elements) = (Vec::new(), Vec::new(), 0);
    for f in 0..m.nflex {
        (m.flex_hingeadr[f], m.flex_hingenum[f], m.flex_restadr[f]) = (-1, 0, -1);
        if m.bending_model(f) == Some(FlexBendingType::Bridson)
            && deforms(m, f)
            && m.flex_dim[f] == 2
        {
            let first = vertices.len();
            add_hinges(m, f, &mut vertices, &mut edges);
            if vertices.len() > first {
                m.flex_hingeadr[f] = first as i32;
                m.flex_hingenum[f] = (vertices.len() - first) as i32;
            }
        }
        if m.elasticity_model(f) == Some(FlexElasticityType::NeoHookean) && deforms(m, f) {
            m.flex_restadr[f] = elements as i32;
            elements += m.flex_elements(f).len();
        }
    }
    m.sizes.nflexhinge = vertices.len();
    m.sizes.nflexrest = elements;
    m.flexhinge_angle0 = alloc::vec![0.0; vertices.len()].into();
    m.flexhinge_vert = vertices.into();
    m.flexhinge_edge = edges.into();
    m.flexrest_inverse = alloc::vec![Default::default(); elements].into();
    m.flexrest_volume = alloc::vec![0.0; elements].into();
}

/// The hinges of a flex: edges between two triangles, with the vertices opposite to them; in the order of the edges.
fn add_hinges(m: &Model, f: usize, vertices: &mut Vec<[i32; 4]>, edges: &mut Vec<[i32; 5]>) {
    // triangles of each edge: the edge k of a triangle is opposite to its corner k
    let first = m.flex_elemedgeadr[f] as usize;
    let mut sides: Vec<Vec<[usize; 2]>> = alloc::vec![Vec::new(); m.flex_edges(f).len()];
    for t in 0..m.flex_elements(f).len() {
        for k in 0..3 {
            sides[m.flex_elemedge[first + 3 * t + k] as usize].push([t, k]);
        }
    }
    for (e, sides) in sides.iter().enumerate() {
        // of more than two triangles at an edge the first two count, as in MuJoCo's bending
        let [[t0, k0], [t1, k1], ..] = sides[..] else { continue };
        let (corner0, corner1) = (m.flex_element(f, t0), m.flex_element(f, t1));
        // the edge as the first triangle goes along it
        let ends = [corner0[(k0 + 1) % 3], corner0[(k0 + 2) % 3]];
        let opposite = [corner0[k0], corner1[k1]];
        // the edge of a triangle from one of the ends to the opposite vertex lies opposite to the other end
        let side = |t: usize, corners: &[i32], end: i32| {
            let k = corners.iter().position(|c| *c == end).unwrap_or(0);
            m.flex_elemedge[first + 3 * t + k]
        };
        vertices.push([ends[0], ends[1], opposite[0], opposite[1]]);
        edges.push([
            e as i32,
            side(t0, corner0, ends[1]),
            side(t1, corner1, ends[1]),
            side(t0, corner0, ends[0]),
            side(t1, corner1, ends[0]),
        ]);
    }
}

/// Angles and elements at `qpos0`. What has no area or volume gets numbers that are not finite.
pub(super) fn set_rest(m: &mut Model, d: &World<'_>) {
    let place = |m: &Model, v: usize| -> Vec3 {
        let body = m.flex_vertbodyid[v].max(0) as usize;
        d.xpos[body] + &d.xmat[body] * m.flex_vert[v]
    };
    for f in 0..m.nflex {
        for hinge in m.flex_hinges(f) {
            let vertices = hinge_vertices(m, f, hinge).map(|v| place(m, v));
            m.flexhinge_angle0[hinge] = Hinge::new(vertices).map_or(Real::NAN, |h| h.angle);
        }
        if m.flex_hingenum[f] > 0 && m.flex_bend_stiffness[f] < 0.0 {
            m.flex_bend_stiffness[f] = plate_stiffness(m, f, place);
        }
        let Ok(first) = usize::try_from(m.flex_restadr[f]) else { continue };
        for t in 0..m.flex_elements(f).len() {
            let rest = if m.flex_dim[f] == 2 {
                let corners = corners::<3>(m, f, t).map(|v| place(m, v));
                Rest::triangle(corners, m.flex_thickness[f])
            } else {
                Rest::tetrahedron(corners::<4>(m, f, t).map(|v| place(m, v)))
            };
            m.flexrest_volume[first + t] = rest.map_or(Real::NAN, |rest| rest.volume);
            if let Some(rest) = rest {
                m.flexrest_inverse[first + t] = rest.inverse;
            }
        }
    }
}

/// The stiffness of hinges with which a flex bends as a plate of its material, `E t³ / (12 (1 - ν²))` times `3 |e|² / A` (edge, area of both triangles), the
/// factor of Grinspun and others' "Discrete shells" (2003), in the mean over all hinges.
fn plate_stiffness(m: &Model, f: usize, place: impl Fn(&Model, usize) -> Vec3) -> Real {
    let (young, poisson, thickness) =
        (m.flex_young[f], m.flex_poisson[f], m.flex_thickness[f].max(0.0));
    let plate = young * thickness * thickness * thickness / (12.0 * (1.0 - poisson * poisson));
    let factor = |hinge: usize| {
        let [x0, x1, x2, x3] = hinge_vertices(m, f, hinge).map(|v| place(m, v));
        let edge = x1 - x0;
        let area = 0.5 * (edge.cross(x2 - x0).norm() + edge.cross(x3 - x0).norm());
        3.0 * edge.dot(edge) / area
    };
    let hinges = m.flex_hinges(f);
    let count = hinges.len() as Real;
    plate * hinges.map(factor).sum::<Real>() / count
}
