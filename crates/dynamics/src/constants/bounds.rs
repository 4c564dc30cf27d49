//! Bounds of geoms, and of the trees of boxes over them.
use alloc::{vec, vec::Vec};

use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::{GeomType, Model};

/// Smallest and largest coordinates.
type Bounds = [Vec3; 2];

/// The bounds of nothing, which grow with what is added.
const EMPTY: Bounds = [Vec3([Real::MAX; 3]), Vec3([Real::MIN; 3])];

fn enlarge(bounds: &mut Bounds, [low, high]: &Bounds) {
    for i in 0..3 {
        bounds[0][i] = bounds[0][i].min(low[i]);
        bounds[1][i] = bounds[1][i].max(high[i]);
    }
}

/// Derive what collision detection knows of sizes and places of geoms: bounding spheres and boxes of primitive shapes, margins of bodies, the
/// boxes in the trees of bodies. Bounds of meshes, height fields and distance fields stay: those follow from their assets.
///
/// Call it after editing `geom_size`, `geom_pos`, `geom_quat`, `geom_margin`, `body_ipos` or `body_iquat` of a compiled model. Which geoms are
/// next to each other in a tree stays as well; that costs time where they have moved far, and changes no contact.
pub fn set_bounds(m: &mut Model) {
    for g in 0..m.ngeom {
        if let Some((radius, half)) = primitive(m.geom_kind(g), m.geom_size[g]) {
            m.geom_rbound[g] = radius;
            m.geom_aabb[g] = [0.0, 0.0, 0.0, half[0], half[1], half[2]];
        }
    }
    for b in 0..m.nbody {
        let geoms = m.body_geoms(b);
        if !geoms.is_empty() {
            m.body_margin[b] = m.geom_margin[geoms].iter().fold(0.0, |most: Real, &x| most.max(x));
        }
        set_tree(m, b);
    }
}

/// Radius of the bounding sphere and half sizes of the box of a shape that is all in its size.
fn primitive(kind: Option<GeomType>, size: Vec3) -> Option<(Real, [Real; 3])> {
    let Vec3([a, b, c]) = size;
    Some(match kind? {
        GeomType::Sphere => (a, [a; 3]),
        GeomType::Capsule => (a + b, [a, a, a + b]),
        GeomType::Cylinder => (ferrodyn_math::sqrt(a * a + b * b), [a, a, b]),
        GeomType::Ellipsoid => (a.max(b).max(c), [a, b, c]),
        GeomType::Box => (ferrodyn_math::sqrt(a * a + b * b + c * c), [a, b, c]),
        _ => return None,
    })
}

/// The boxes in the tree of a body: each the smallest around what is below it, in the axes of the body's inertia.
fn set_tree(m: &mut Model, b: usize) {
    let Ok(first) = usize::try_from(m.body_bvhadr[b]) else { return };
    let nodes = first..first + m.body_bvhnum[b] as usize;
    let mut bounds: Vec<Bounds> = vec![EMPTY; nodes.len()];
    // children come after their parents
    for node in nodes.rev() {
        let i = node - first;
        // an inner node of a fused body can have the number of a geom too: leaves are told by their children
        match m.bvh_child[node].map(usize::try_from) {
            [Ok(left), Ok(right)] => {
                for below in [bounds[left], bounds[right]] {
                    enlarge(&mut bounds[i], &below);
                }
            }
            _ => bounds[i] = geom_bounds(m, b, m.bvh_nodeid[node].max(0) as usize),
        }
        let [mut min, mut max] = bounds[i];
        // flat sides are made a little thick, so that a ray in their plane meets them
        for k in 0..3 {
            if (min[k] - max[k]).abs() < FLAT {
                min[k] -= FLAT;
                max[k] += FLAT;
            }
        }
        m.bvh_aabb[node] = core::array::from_fn(|k| match k {
            0..3 => (max[k] + min[k]) / 2.0,
            _ => (max[k - 3] - min[k - 3]) / 2.0,
        });
    }
}

/// Sides thinner than this are flat, in m; MuJoCo's `mjEPS`.
const FLAT: Real = 1e-14;

/// The bounds of a geom in the axes of its body's inertia.
fn geom_bounds(m: &Model, b: usize, geom: usize) -> Bounds {
    let aabb = m.geom_aabb[geom];
    let inverse = m.body_iquat[b].conjugate();
    let offset = m.geom_pos[geom] - m.body_ipos[b];
    let mut bounds = EMPTY;
    for corner in 0..8 {
        let vertex = Vec3(core::array::from_fn(|i| {
            if corner & (1 << i) == 0 { aabb[i] - aabb[i + 3] } else { aabb[i] + aabb[i + 3] }
        }));
        let moved = m.geom_quat[geom].rotate(vertex) + offset;
        let local = inverse.rotate(moved);
        enlarge(&mut bounds, &[local, local]);
    }
    bounds
}
