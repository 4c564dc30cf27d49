//! Collision detection: which geoms touch, and where; distances between geoms, and rays.
//!
//! Pairs of bodies come from the broadphase, pairs of geoms from their bounding-volume trees;
//! explicit pairs of the model are put between them in the order of their bodies.
mod broadphase;
mod distance;
mod geom;
mod midphase;
mod narrow;
mod params;
mod ray;
mod sdf;

use alloc::vec::Vec;

use ferrodyn_collision::{ContactPoints, ConvexSolver};
use ferrodyn_model::{DisableBit, Model};

use crate::work::WorkSizes;
use crate::{StepError, World};
use broadphase::Ends;

pub use distance::geom_distance;
pub use narrow::geom_contacts;
pub use ray::{RayError, RayFilter, RayHit, multi_ray, ray, ray_geom, ray_hfield, ray_mesh};
pub(crate) use sdf::tactile_field;

/// Working memory of collision detection; grows with what it sees.
#[derive(Clone, Debug)]
pub struct CollisionMemory {
    /// Pairs of bodies: the lower one in the upper half of the number.
    body_pairs: Vec<u64>,
    /// Bodies that can collide, and their extents.
    extents: Vec<broadphase::Extent>,
    /// Both ends of all extents along one axis.
    ends: Vec<Ends>,
    /// Extents that the sweep is inside of.
    active: Vec<u32>,
    /// Pairs of tree nodes still to be tested.
    nodes: Vec<(u32, u32)>,
    /// Contacts of one pair of bodies by the geoms they belong to.
    order: Vec<(i32, i32, u32)>,
    points: ContactPoints,
    solver: ConvexSolver,
    /// The shapes of plugins.
    shapes: sdf::Shapes,
    /// The geoms as seen from the origin of rays.
    views: Vec<ray::View>,
}

impl CollisionMemory {
    pub(crate) fn new() -> CollisionMemory {
        CollisionMemory {
            body_pairs: Vec::new(),
            extents: Vec::new(),
            ends: Vec::new(),
            active: Vec::new(),
            nodes: Vec::new(),
            order: Vec::new(),
            points: ContactPoints::new(),
            solver: ConvexSolver::new(),
            shapes: sdf::Shapes::default(),
            views: Vec::new(),
        }
    }
}

/// What to leave out among the geoms of two bodies: explicit pairs that were already tested.
#[derive(Clone, Copy)]
struct Tested {
    from: usize,
    to: usize,
}

impl Tested {
    fn contains(&self, m: &Model, g1: usize, g2: usize) -> bool {
        (self.from..self.to).any(|k| {
            let pair = (m.pair_geom1[k] as usize, m.pair_geom2[k] as usize);
            pair == (g1, g2) || pair == (g2, g1)
        })
    }
}

/// Both bodies in one number, as explicit pairs and exclusions store them.
fn signature(b1: u32, b2: u32) -> u32 {
    (b1 << 16).wrapping_add(b2)
}

/// Find all contacts. A filter of contacts is asked again where there was no room for all.
pub fn collision(m: &Model, d: &mut World<'_>) -> Result<(), StepError> {
    find_contacts(m, d);
    let need = WorkSizes { ncon: d.head.ncon as usize, ..WorkSizes::default() };
    if d.room.missing(&need).is_some() {
        d.head.ncon = 0;
        d.reserve(&need)?;
        find_contacts(m, d);
    }
    Ok(())
}

/// Write all contacts that there is room for, and count all.
fn find_contacts(m: &Model, d: &mut World<'_>) {
    d.head.ncon = 0;
    if m.vis.global.bvactive != 0 {
        d.bvh_active.fill(0);
    }
    if m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact) || m.nbody < 2
    {
        return;
    }

    d.collision.shapes.update(m);
    broadphase::broadphase(m, d);
    let body_pairs = core::mem::take(&mut d.collision.body_pairs);
    let mut next_pair = 0;
    for &pair in &body_pairs {
        let (b1, b2) = ((pair >> 32) as u32, pair as u32);
        let signature = signature(b1, b2);
        let first_pair = next_pair;
        while next_pair < m.npair && m.pair_signature[next_pair] as u32 <= signature {
            narrow::collide_pair(m, d, next_pair);
            next_pair += 1;
        }
        if m.exclude_signature.iter().any(|s| *s as u32 == signature) {
            continue;
        }
        let tested = Tested { from: first_pair, to: next_pair };
        collide_bodies(m, d, b1 as usize, b2 as usize, tested);
    }
    d.collision.body_pairs = body_pairs;
    for pair in next_pair..m.npair {
        narrow::collide_pair(m, d, pair);
    }
}

/// The geoms of two bodies against each other.
fn collide_bodies(m: &Model, d: &mut World<'_>, b1: usize, b2: usize, tested: Tested) {
    let trees = m.body_bvhadr[b1] >= 0 && m.body_bvhadr[b2] >= 0;
    let single = m.body_geomnum[b1] == 1 && m.body_geomnum[b2] == 1;
    if !single && trees && !m.opt.disabled(DisableBit::Midphase) {
        midphase::collide_trees(m, d, b1, b2, tested);
        return;
    }
    let geoms = |b: usize| {
        let start = m.body_geomadr[b] as usize;
        start..start + m.body_geomnum[b] as usize
    };
    for g1 in geoms(b1) {
        for g2 in geoms(b2) {
            narrow::collide_untested(m, d, g1, g2, tested);
        }
    }
}
