//! The contacts of one pair of geoms.
//!
//! Bounding spheres rule out what is far apart. Then each pair of kinds has its method ([`collide_shapes`]): closed forms for
//! most primitive pairs, the convex method for meshes, ellipsoids and cylinders, and methods of their own for height fields and
//! distance fields. The points that come back get the parameters of both geoms (`params.rs`).
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::cell::Cell;

use ferrodyn_collision::{
    ContactPoint, ContactPoints, Convex, ConvexPair, ConvexSolver, MAX_POINTS, Pose, box_box,
    capsule_box, capsule_capsule, convex_convex, height_field_convex, plane_box, plane_capsule,
    plane_cylinder, plane_ellipsoid, plane_mesh, plane_sphere, sdf_sdf, sphere_box, sphere_capsule,
    sphere_cylinder, sphere_sphere, spheres_apart,
};
use ferrodyn_math::{Mat3, Real, Stack, StackFull, words_of};
use ferrodyn_model::{Contact, EnableBit, GeomType, Model, Storage};

use super::geom::{convex_settings, convex_shape, height_field, mesh_shape, pose};
use super::params::{ContactParams, Side, Surface, pair_margin};
use super::separation::separation;
use super::{Tested, sdf};
use crate::data::work::WorkSizes;
use crate::hooks::Hooks;
use crate::sleep::AWAKE;
use crate::{StepError, World};

/// Memory for the points of one pair of geoms after the other.
pub(super) struct Narrow<'s> {
    pub(super) points: &'s mut ContactPoints,
    /// None where the model has no pairs that need it.
    pub(super) solver: Option<ConvexSolver<'s>>,
}

/// Whether the model has geoms that are only met by the convex method, or flexes. All pairs without one of them have a method of their own.
pub(super) fn needs_solver(m: &Model<impl Storage>) -> bool {
    use GeomType::{Cylinder, Ellipsoid, Hfield, Mesh};
    const KINDS: u32 =
        1 << Hfield as u32 | 1 << Ellipsoid as u32 | 1 << Cylinder as u32 | 1 << Mesh as u32;
    m.flex_count() > 0 || m.geom_type.iter().any(|kind| KINDS >> (*kind as u32 & 31) & 1 != 0)
}

/// Words of memory for the points of a pair.
const POINTS_WORDS: usize = words_of::<ContactPoints>(1);

/// Words of memory for contacts.
pub(super) fn words(m: &Model<impl Storage>, solver: bool) -> usize {
    if solver { distance_words(m) } else { POINTS_WORDS }
}

/// Words of memory for distances, for which boxes need the convex method too.
pub(crate) fn distance_words(m: &Model<impl Storage>) -> usize {
    ConvexSolver::words(&convex_settings(m)) + POINTS_WORDS
}

impl<'s> Narrow<'s> {
    pub(super) fn new(
        m: &Model<impl Storage>,
        stack: &mut Stack<'s>,
        solver: bool,
    ) -> Result<Self, StackFull> {
        let solver =
            if solver { Some(ConvexSolver::new(stack, convex_settings(m))?) } else { None };
        let points: &mut ContactPoints = &mut stack.take(1)?[0];
        points.clear();
        Ok(Narrow { points, solver })
    }
}

/// Are the bounding spheres of two geoms, or a plane and a sphere, farther apart than a margin?
/// MuJoCo: `mj_filterSphere`, with `planeGeomDist`.
pub(super) fn spheres_reject(
    m: &Model<impl Storage>,
    d: &World<'_>,
    g1: usize,
    g2: usize,
    margin: Real,
) -> bool {
    let (r1, r2) = (m.geom_rbound[g1], m.geom_rbound[g2]);
    if r1 > 0.0 && r2 > 0.0 {
        return spheres_apart(d.geom_xpos[g1], d.geom_xpos[g2], r1 + r2 + margin);
    }
    let above = |plane: usize, other: usize| {
        m.geom_kind(plane) == Some(GeomType::Plane)
            && m.geom_rbound[other] > 0.0
            && (d.geom_xpos[other] - d.geom_xpos[plane]).dot(d.geom_xmat[plane].column(2))
                > margin + m.geom_rbound[other]
    };
    above(g1, g2) || above(g2, g1)
}

/// Contacts of an explicit pair.
pub(super) fn collide_pair(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    pair: usize,
) {
    let (g1, g2) = (m.pair_geom1[pair] as usize, m.pair_geom2[pair] as usize);
    if m.opt.enabled(EnableBit::Sleep) {
        let awake = |g: usize| d.body_awake[m.geom_body(g)] == AWAKE;
        if !awake(g1) && !awake(g2) {
            return;
        }
    }
    let (g1, g2) = by_type(m, g1, g2);
    let margin = pair_margin(m, m.pair_margin[pair]);
    if find_points(m, d, memory, g1, g2, margin) {
        let sides = [g1, g2].map(Side::geom);
        add_contacts(m, d, memory.points, sides, &ContactParams::of_pair(m, pair, margin));
    }
}

/// Contacts of two geoms, unless they are an explicit pair that was tested already. MuJoCo: `mj_collideGeomPair`,
/// `mj_collideGeoms`.
pub(super) fn collide_untested<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    g1: usize,
    g2: usize,
    tested: Tested,
    hooks: &mut impl Hooks<S>,
) {
    if tested.contains(m, g1, g2) {
        return;
    }
    let (g1, g2) = by_type(m, g1, g2);
    if m.geom_type[g2] <= GeomType::Hfield as i32 {
        // neither planes nor height fields collide with each other
        return;
    }
    let answer = d.with_hooks(hooks, |hooks, d| hooks.contact_filter(m, d, g1, g2)).flatten();
    // MuJoCo: `filterBitmask`
    let masked = || {
        m.geom_contype[g1] & m.geom_conaffinity[g2] == 0
            && m.geom_contype[g2] & m.geom_conaffinity[g1] == 0
    };
    if answer.unwrap_or_else(masked) {
        return;
    }
    let margin = pair_margin(m, m.geom_margin[g1] + m.geom_margin[g2]);
    if find_points(m, d, memory, g1, g2, margin) {
        add_geom_contacts(m, d, memory.points, g1, g2, margin);
    }
}

/// The contacts of two geoms at the poses of the last forward computation, as a step would make them if nothing
/// filtered them out: neither masks, exclusions and bodies nor flags. `margin` replaces the sum of their margins. The
/// contacts of the world stay as they are.
#[cfg(feature = "alloc")]
pub fn geom_contacts(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    geom1: usize,
    geom2: usize,
    margin: Option<Real>,
) -> Result<Vec<Contact>, StepError> {
    let (g1, g2) = by_type(m, geom1, geom2);
    let own = pair_margin(m, m.geom_margin[g1] + m.geom_margin[g2]);
    let margin = margin.unwrap_or(own);
    let solver = needs_solver(m);
    d.with_stack(words(m, solver), |d, mut stack| {
        let memory = &mut Narrow::new(m, &mut stack, solver)?;
        let before = d.ncon();
        d.reserve(&WorkSizes { ncon: before + MAX_POINTS, ..WorkSizes::default() })?;
        if g1 != g2 && find_points(m, d, memory, g1, g2, margin) {
            add_geom_contacts(m, d, memory.points, g1, g2, margin);
        }
        let contacts = d.work.contact[before..d.ncon()].to_vec();
        d.head.ncon = before as i32;
        Ok(contacts)
    })?
}

/// The geom with the lower type first.
fn by_type(m: &Model<impl Storage>, g1: usize, g2: usize) -> (usize, usize) {
    if m.geom_type[g1] > m.geom_type[g2] { (g2, g1) } else { (g1, g2) }
}

/// Find the points of two geoms in order of type; are there any?
fn find_points(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    g1: usize,
    g2: usize,
    margin: Real,
) -> bool {
    if spheres_reject(m, d, g1, g2, margin) {
        return false;
    }
    collide_shapes(m, d, memory, g1, g2, margin);
    !memory.points.is_empty()
}

/// Make room for so many contacts at least, here and not after all were counted, so that a filter is asked once for each pair.
/// This doubles the room, so that it is made a few times only.
fn make_room(d: &mut World<'_>, count: usize) {
    // any small number: it grows
    const FIRST_ROOM: usize = 8;
    let room = d.work.contact.len();
    if count > room {
        let ncon = count.max(2 * room).max(FIRST_ROOM);
        // an error is found again when all contacts are counted
        let _ = d.reserve(&WorkSizes { ncon, ..WorkSizes::default() });
    }
}

/// Append the points of two geoms to the contacts of the world, with the parameters of both.
fn add_geom_contacts(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    points: &[ContactPoint],
    g1: usize,
    g2: usize,
    margin: Real,
) {
    let params = ContactParams::mixed(&Surface::of_geom(m, g1), &Surface::of_geom(m, g2), margin);
    add_contacts(m, d, points, [g1, g2].map(Side::geom), &params);
}

/// Append the points that were found to the contacts of the world.
pub(super) fn add_contacts(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    points: &[ContactPoint],
    sides: [Side; 2],
    params: &ContactParams,
) {
    let first = d.head.ncon as usize;
    d.head.ncon += points.len() as i32;
    make_room(d, first + points.len());
    // where a world cannot grow, contacts past its end are only counted
    let Some(contacts) = d.work.contact.get_mut(first..first + points.len()) else { return };
    contacts.fill(params.contact(m, sides));
    let mut last: Option<(&ContactPoint, Mat3)> = None;
    for (contact, point) in contacts.iter_mut().zip(points) {
        contact.dist = point.dist;
        contact.pos = point.pos;
        contact.exclude = i32::from(point.dist >= contact.includemargin);
        contact.frame = match last {
            Some((other, frame))
                if other.normal == point.normal && other.tangent == point.tangent =>
            {
                frame
            }
            _ => point.frame(),
        };
        last = Some((point, contact.frame));
    }
}

/// Fill the list of points of two geoms, the lower type first. Pairs without a method give none.
pub(super) fn collide_shapes(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    g1: usize,
    g2: usize,
    margin: Real,
) {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Hfield, Mesh, Plane, Sphere};
    let Narrow { points: out, solver } = memory;
    out.clear();
    let (Ok(t1), Ok(t2)) =
        (GeomType::try_from(m.geom_type[g1]), GeomType::try_from(m.geom_type[g2]))
    else {
        return;
    };
    let (p1, p2) = (&pose(d, g1), &pose(d, g2));
    let (s1, s2) = (m.geom_size[g1], m.geom_size[g2]);
    if !m.only_rigid() && t2 == GeomType::Sdf && t1 != Plane && t1 != Hfield {
        let mark = m.vis.global.bvactive != 0;
        if mark && t1 == Mesh {
            // the rays that feel it leave marks that are not kept
            d.marks_changed();
        }
        let marks = mark.then(|| Cell::from_mut(&mut *d.bvh_active).as_slice_of_cells());
        let side = |g, pose: &Pose| sdf::side(m, d.plugins, g, *pose, marks);
        if let (Some(a), Some(b)) = (side(g1, p1), side(g2, p2)) {
            sdf_sdf(&a, &b, sdf::settings(m), out);
        }
        out.retain(|point| point.is_finite());
        return;
    }
    match (t1, t2) {
        (Plane, Sphere) => plane_sphere(p1, p2.pos, s2[0], margin, out),
        (Plane, Capsule) => plane_capsule(p1, p2, s2[0], s2[1], margin, out),
        (Plane, Cylinder) => plane_cylinder(p1, p2, s2[0], s2[1], margin, out),
        (Plane, Ellipsoid) => plane_ellipsoid(p1, p2, s2, margin, out),
        (Plane, Box) => plane_box(p1, p2, s2, margin, out),
        (Plane, Mesh | GeomType::Sdf) => {
            if let Some(mesh) = mesh_shape(m, g2) {
                plane_mesh(p1, p2, &mesh, m.geom_rbound[g2], margin, out);
            }
        }
        (Sphere, Sphere) => sphere_sphere(p1, s1[0], p2, s2[0], margin, out),
        (Sphere, Capsule) => sphere_capsule(p1, s1[0], p2, s2[0], s2[1], margin, out),
        (Sphere, Cylinder) => sphere_cylinder(p1, s1[0], p2, s2[0], s2[1], margin, out),
        (Sphere, Box) => sphere_box(p1.pos, s1[0], p2, s2, margin, out),
        (Capsule, Capsule) => {
            capsule_capsule(p1, [s1[0], s1[1]], p2, [s2[0], s2[1]], margin, out);
        }
        (Capsule, Box) => capsule_box(p1, s1[0], s1[1], p2, s2, margin, out),
        (Box, Box) => box_box(p1, s1, p2, s2, margin, out),
        (Hfield, _) => {
            if let (Some(solver), Some(field), Some(shape)) =
                (solver, height_field(m, g1), convex_shape(m, g2))
            {
                let radius = m.geom_rbound[g2];
                height_field_convex(solver, &field, p1, shape, p2, radius, margin, out);
            }
        }
        _ => {
            if let (Some(solver), Some(a), Some(b)) =
                (solver, convex_shape(m, g1), convex_shape(m, g2))
            {
                let pair = ConvexPair {
                    margin,
                    multi: m.opt.enabled(EnableBit::MultiCcd),
                    radius: m.geom_rbound[g1].min(m.geom_rbound[g2]),
                };
                let mut a = Convex::new(a, *p1, margin);
                let mut b = Convex::new(b, *p2, margin);
                let known = separation(d.separations, g1, g2);
                convex_convex(solver, &pair, &mut a, &mut b, known, out);
            }
        }
    }
    out.retain(|point| point.is_finite());
}
