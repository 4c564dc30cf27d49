//! The contacts of one element, or one vertex, of a flex: with a geom, with another element, with a vertex.
//!
//! Elements of dimension 1 are capsules, those of dimension 2 triangles and those of dimension 3 tetrahedra, each with the radius of the flex. Capsules,
//! and triangles with simple geoms, have methods of their own; all else goes to the convex method. Elements do not collide with what moves with one of
//! their vertices.
use ferrodyn_collision::{
    ContactPoint, Convex, ConvexShape, Element, Pose, Triangle, box_triangle, boxes_apart,
    capsule_box, capsule_capsule, capsule_triangle, convex_element, height_field_element,
    sphere_capsule, sphere_outside_box, sphere_triangle, surface_normal,
};
use ferrodyn_math::{Quat, Real, Vec3};
use ferrodyn_model::{DisableBit, GeomType, Model, Storage};

use super::geom::{convex_shape, height_field, mesh_shape, pose};
use super::narrow::{Narrow, add_contacts};
use super::params::{ContactParams, Side, Surface, pair_margin};
use crate::World;

/// Where a vertex is, by its number in the flex.
fn vertex(m: &Model<impl Storage>, d: &World<'_>, f: usize, v: i32) -> Vec3 {
    d.flexvert_xpos[m.flex_vertices(f).start + v as usize]
}

/// The box around an element.
fn bounds<'a>(m: &Model<impl Storage>, d: &'a World<'_>, f: usize, e: usize) -> &'a [Real; 6] {
    &d.flexelem_aabb[m.flex_elements(f).start + e]
}

/// The middle of the box around an element.
fn center(m: &Model<impl Storage>, d: &World<'_>, f: usize, e: usize) -> Vec3 {
    Vec3::from_slice(&bounds(m, d, f, e)[..3])
}

/// An element as a capsule: where it is, radius and half length. MuJoCo: `mj_makeCapsule`.
fn capsule(m: &Model<impl Storage>, d: &World<'_>, f: usize, e: usize) -> (Pose, [Real; 2]) {
    let ends = m.flex_element(f, e);
    let (a, b) = (vertex(m, d, f, ends[0]), vertex(m, d, f, ends[1]));
    let (axis, length) = (a - b).normalize();
    let pose = Pose { pos: (a + b) * 0.5, mat: Quat::from_z_to(axis).to_mat() };
    (pose, [m.flex_radius[f], 0.5 * length])
}

/// An element as a triangle.
fn triangle(m: &Model<impl Storage>, d: &World<'_>, f: usize, e: usize) -> Triangle {
    let corners = m.flex_element(f, e);
    Triangle {
        corners: core::array::from_fn(|i| vertex(m, d, f, corners[i])),
        radius: m.flex_radius[f],
    }
}

/// An element as a convex shape, grown by half of the margin. MuJoCo: `mjc_flexSupport`.
#[inline]
fn element(m: &Model<impl Storage>, d: &World<'_>, f: usize, e: usize, margin: Real) -> Element {
    let ids = m.flex_element(f, e);
    let vertices = &d.flexvert_xpos[m.flex_vertices(f)];
    let mut corners = [Vec3::ZERO; 4];
    for (corner, id) in corners.iter_mut().zip(ids) {
        *corner = vertices[*id as usize];
    }
    Element { corners, count: ids.len(), radius: m.flex_radius[f] + 0.5 * margin }
}

/// The same at its place, ready to be searched.
#[inline]
fn convex(
    m: &Model<impl Storage>,
    d: &World<'_>,
    f: usize,
    e: usize,
    margin: Real,
) -> Convex<'static> {
    placed(element(m, d, f, e, margin), center(m, d, f, e))
}

/// An element with the middle of its box.
#[inline]
fn placed(element: Element, center: Vec3) -> Convex<'static> {
    Convex::new(ConvexShape::Element(element), Pose::at(center), 0.0)
}

/// Vertices of a flex against a plane. MuJoCo: `mj_collidePlaneFlex`.
pub(super) fn collide_plane(m: &Model<impl Storage>, d: &mut World<'_>, g: usize, f: usize) {
    let radius = m.flex_radius[f];
    let Pose { pos, mat } = pose(d, g);
    let normal = mat.column(2);
    let margin = pair_margin(m, m.geom_margin[g] + m.flex_margin[f]);
    let params = ContactParams::mixed(&Surface::of_geom(m, g), &Surface::of_flex(m, f), margin);
    for (i, v) in m.flex_vertices(f).enumerate() {
        let vertex = d.flexvert_xpos[v];
        let height = (vertex - pos).dot(normal);
        if height > margin + radius {
            continue;
        }
        let dist = height - radius;
        let point = vertex.add_scaled(normal, -dist * 0.5 - radius);
        let point = ContactPoint::new(dist, point, normal);
        if point.is_finite() {
            add_contacts(m, d, &[point], [Side::geom(g), Side::vertex(f, i)], &params);
        }
    }
}

/// A geom that is no plane against an element. MuJoCo: `mj_collideGeomElem`.
pub(super) fn collide_geom(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    g: usize,
    f: usize,
    e: usize,
) {
    let margin = pair_margin(m, m.geom_margin[g] + m.flex_margin[f]);
    // where trees have not done so
    if m.opt.disabled(DisableBit::Midphase) {
        let reach = m.geom_rbound[g] + margin;
        if sphere_outside_box(d.geom_xpos[g], reach, bounds(m, d, f, e)) {
            return;
        }
    }
    // one of its vertices moves with the geom
    let first = m.flex_vertices(f).start;
    let corners = m.flex_element(f, e);
    if corners.iter().any(|v| m.flex_vertbodyid[first + *v as usize] == m.geom_bodyid[g]) {
        return;
    }
    geom_points(m, d, memory, g, f, e, margin);
    if !memory.points.is_empty() {
        let params = ContactParams::mixed(&Surface::of_geom(m, g), &Surface::of_flex(m, f), margin);
        add_contacts(m, d, memory.points, [Side::geom(g), Side::element(f, e)], &params);
    }
}

/// Find the points of a geom and an element.
fn geom_points(
    m: &Model<impl Storage>,
    d: &World<'_>,
    memory: &mut Narrow<'_>,
    g: usize,
    f: usize,
    e: usize,
    margin: Real,
) {
    let Narrow { points: out, solver } = memory;
    out.clear();
    let (Some(kind), Some(solver)) = (m.geom_kind(g), solver) else { return };
    let (pose, size) = (&pose(d, g), m.geom_size[g]);
    match (m.flex_dim[f], kind) {
        (1, GeomType::Sphere) => {
            let (at, [radius, half]) = capsule(m, d, f, e);
            sphere_capsule(pose, size[0], &at, radius, half, margin, out);
        }
        (1, GeomType::Capsule) => {
            let (at, sizes) = capsule(m, d, f, e);
            capsule_capsule(pose, [size[0], size[1]], &at, sizes, margin, out);
        }
        (1, GeomType::Box) => {
            let (at, [radius, half]) = capsule(m, d, f, e);
            capsule_box(&at, radius, half, pose, size, margin, out);
            // the box is the first side of the contact
            out.iter_mut().for_each(|point| point.normal = point.normal * -1.0);
        }
        (_, GeomType::Hfield) => {
            if let Some(field) = height_field(m, g) {
                let (shape, center) = (element(m, d, f, e, margin), center(m, d, f, e));
                height_field_element(solver, &field, pose, &shape, center, margin, out);
            }
        }
        (2, GeomType::Sphere) => {
            sphere_triangle(pose.pos, size[0], &triangle(m, d, f, e), margin, out);
        }
        (2, GeomType::Box) => box_triangle(pose, size, &triangle(m, d, f, e), margin, out),
        (2, GeomType::Capsule) => {
            capsule_triangle(pose, [size[0], size[1]], &triangle(m, d, f, e), margin, out);
        }
        (dim, kind) => {
            // of a distance field it is the mesh that elements meet
            let shape = match kind {
                GeomType::Sdf => mesh_shape(m, g).map(ConvexShape::Mesh),
                _ => convex_shape(m, g),
            };
            let Some(shape) = shape else { return };
            let other = &mut convex(m, d, f, e, margin);
            convex_element(solver, margin, &mut Convex::new(shape, *pose, margin), other, out);
            if dim == 2 {
                for point in out.iter_mut() {
                    let exact = surface_normal(&shape, pose, point.pos, point.normal);
                    point.normal = exact.unwrap_or(point.normal);
                }
            }
        }
    }
    out.retain(|point| point.is_finite());
}

/// Two elements, of two flexes or of one, unless their boxes are apart or they have a body in common. MuJoCo: `mj_collideElems`.
pub(super) fn collide_elements(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    [f1, e1]: [usize; 2],
    [f2, e2]: [usize; 2],
) {
    let margin = element_margin(m, f1, f2);
    if !boxes_apart(bounds(m, d, f1, e1), bounds(m, d, f2, e2), margin)
        && !share_body(&corner_bodies(m, f1, e1), &corner_bodies(m, f2, e2))
    {
        touch_elements(m, d, memory, [f1, e1], [f2, e2]);
    }
}

/// Distance at which two elements touch. Within a flex there is neither margin nor gap, since neighbours would always be within them.
fn element_margin(m: &Model<impl Storage>, f1: usize, f2: usize) -> Real {
    if f1 == f2 { 0.0 } else { pair_margin(m, m.flex_margin[f1] + m.flex_margin[f2]) }
}

/// The contacts of two elements that [`collide_elements`] does not rule out.
pub(super) fn touch_elements(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    [f1, e1]: [usize; 2],
    [f2, e2]: [usize; 2],
) {
    let margin = element_margin(m, f1, f2);
    let Narrow { points: out, solver } = memory;
    out.clear();
    if m.flex_dim[f1] == 1 && m.flex_dim[f2] == 1 {
        let (a, b) = (capsule(m, d, f1, e1), capsule(m, d, f2, e2));
        capsule_capsule(&a.0, a.1, &b.0, b.1, margin, out);
    } else if let Some(solver) = solver {
        let (a, b) = (element(m, d, f1, e1, margin), element(m, d, f2, e2, margin));
        if a.is_apart(&b, separation_slack(m, &a)) {
            return;
        }
        let (a, b) = (&mut placed(a, center(m, d, f1, e1)), &mut placed(b, center(m, d, f2, e2)));
        convex_element(solver, margin, a, b, out);
    }
    out.retain(|point| point.is_finite());
    if out.is_empty() {
        return;
    }
    let params = ContactParams::mixed(&Surface::of_flex(m, f1), &Surface::of_flex(m, f2), margin);
    let params = if f1 == f2 { params.within(0.0) } else { params };
    add_contacts(m, d, out, [Side::element(f1, e1), Side::element(f2, e2)], &params);
}

/// A distance at which a search finds no contact, whatever its rounding: ten times what it takes for touching, and more than what coordinates of this size
/// are rounded by.
fn separation_slack(m: &Model<impl Storage>, element: &Element) -> Real {
    const ROUNDING: Real = 1e3 * Real::EPSILON;
    let [x, y, z] = element.corners[0].0;
    10.0 * m.opt.ccd_tolerance + ROUNDING * (x.abs() + y.abs() + z.abs())
}

/// Have two elements vertices on the same body? Asked with the [`corner_bodies`] of both.
#[inline]
pub(super) fn share_body(a: &[i32; 4], b: &[i32; 4]) -> bool {
    // all are compared at once; where there is no body, there is none in common
    a.iter().fold(false, |any, body| {
        any | b.iter().fold(false, |any, other| any | (*body >= 0) & (other == body))
    })
}

/// The bodies of the corners of an element: -1 where there is no corner, and for vertices that nodes carry.
#[inline]
pub(super) fn corner_bodies(m: &Model<impl Storage>, f: usize, e: usize) -> [i32; 4] {
    let of_vertex = &m.flex_vertbodyid[m.flex_vertices(f)];
    let mut bodies = [-1; 4];
    for (body, v) in bodies.iter_mut().zip(m.flex_element(f, e)) {
        *body = of_vertex[*v as usize];
    }
    bodies
}

/// An element and a vertex of the same flex, without margin. MuJoCo: `mj_collideElemVert`.
pub(super) fn collide_vertex(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    f: usize,
    e: usize,
    v: usize,
) {
    let radius = m.flex_radius[f];
    let place = vertex(m, d, f, v as i32);
    let reach = pair_margin(m, m.flex_margin[f]) + radius;
    if sphere_outside_box(place, reach, bounds(m, d, f, e)) {
        return;
    }
    let Narrow { points: out, solver } = memory;
    out.clear();
    match m.flex_dim[f] {
        1 => {
            let (at, [other, half]) = capsule(m, d, f, e);
            sphere_capsule(&Pose::at(place), radius, &at, other, half, 0.0, out);
        }
        2 => sphere_triangle(place, radius, &triangle(m, d, f, e), 0.0, out),
        _ => {
            let Some(solver) = solver else { return };
            let ball = Element { corners: [place; 4], count: 1, radius };
            let mut ball = Convex::new(ConvexShape::Element(ball), Pose::at(place), 0.0);
            convex_element(solver, 0.0, &mut ball, &mut convex(m, d, f, e, 0.0), out);
        }
    }
    out.retain(|point| point.is_finite());
    if !out.is_empty() {
        let flex = Surface::of_flex(m, f);
        let params = ContactParams::mixed(&flex, &flex, 0.0).within(0.0);
        add_contacts(m, d, out, [Side::vertex(f, v), Side::element(f, e)], &params);
    }
}

/// The faces of a tetrahedron, each with the corner that it lies opposite of; seen from that corner, they go round clockwise.
const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [1, 3, 2, 0]];

/// Corners of tetrahedra that come through the face opposite of them, without friction. MuJoCo: `planeVertex`, in `mj_collideFlexInternal`.
pub(super) fn collide_inverted(m: &Model<impl Storage>, d: &mut World<'_>, f: usize) {
    let thickness = 2.0 * m.flex_radius[f];
    let flex = Surface::of_flex(m, f);
    let params = ContactParams::mixed(&flex, &flex, 0.0).within(0.0).frictionless();
    for e in 0..m.flex_elements(f).len() {
        let corners = m.flex_element(f, e);
        for face in FACES {
            let [a, b, c, opposite] = face.map(|i| vertex(m, d, f, corners[i]));
            let normal = (b - a).cross(c - a).normalize().0;
            // the corner is on the negative side of the face
            let height = (opposite - a).dot(normal);
            if height <= -thickness {
                continue;
            }
            let pos = opposite.add_scaled(normal, -0.5 * height);
            let point = ContactPoint::new(-height - thickness, pos, normal * -1.0);
            let sides = [Side::element(f, e), Side::vertex(f, corners[face[3]] as usize)];
            if point.is_finite() {
                add_contacts(m, d, &[point], sides, &params);
            }
        }
    }
}
