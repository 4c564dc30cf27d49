//! Pairs of bodies that may touch: sweep and prune.
use ferrodyn_math::{Mat3, Real, Vec3};
use ferrodyn_model::{DisableBit, EnableBit, GeomType, Model};

use crate::World;
use crate::sleep::{ASLEEP, AWAKE, Bodies, some_asleep};

/// The box around the bounding spheres of a body's geoms, in the axes of the sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    body: u32,
    low: Vec3,
    high: Vec3,
}

/// One end of an extent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    value: f32,
    /// Twice the extent's number, plus one for the upper end.
    which: u32,
}

/// Fill the list of body pairs, sorted and without repetition.
pub(super) fn broadphase(m: &Model, d: &mut World<'_>) {
    d.collision.body_pairs.clear();
    if all_at_rest(m, d) {
        return;
    }
    always_colliding(m, d);
    if let Some(axes) = principal_axes(m, d) {
        sweep(m, d, &axes);
    }
    d.collision.body_pairs.sort_unstable();
    d.collision.body_pairs.dedup();
}

/// Is no body awake that collides? What sleeps touches neither what sleeps nor what is fixed.
fn all_at_rest(m: &Model, d: &World<'_>) -> bool {
    let bodies = Bodies::awake(m, d);
    bodies.listed()
        && !(0..bodies.count).any(|k| {
            let b = bodies.get(d.body_awake_ind, k);
            d.body_awake[b] == AWAKE && can_collide(m, b)
        })
}

/// Has the body geoms that collide?
fn can_collide(m: &Model, b: usize) -> bool {
    m.body_contype[b] != 0 || m.body_conaffinity[b] != 0
}

fn compatible(m: &Model, b1: usize, b2: usize) -> bool {
    m.body_contype[b1] & m.body_conaffinity[b2] != 0
        || m.body_contype[b2] & m.body_conaffinity[b1] != 0
}

/// What decides whether two bodies are tested at all.
struct Filter {
    parents: bool,
    sleep: bool,
}

impl Filter {
    fn new(m: &Model, d: &World<'_>) -> Filter {
        Filter { parents: !m.opt.disabled(DisableBit::FilterParent), sleep: some_asleep(m, d.head) }
    }

    fn asleep(&self, d: &World<'_>, b: usize) -> bool {
        self.sleep && d.body_awake[b] == ASLEEP
    }

    /// Are the bodies welded together, parent and child, or both at rest?
    fn rejects(&self, m: &Model, b1: usize, asleep1: bool, b2: usize, asleep2: bool) -> bool {
        let weld = |b: usize| m.body_weldid[b] as usize;
        let weld_parent = |b: usize| weld(m.body_parentid[weld(b)] as usize);
        let (w1, w2) = (weld(b1), weld(b2));
        w1 == w2
            || asleep1 && asleep2
            || asleep1 && w2 == 0
            || asleep2 && w1 == 0
            || self.parents
                && w1 != 0
                && w2 != 0
                && (w1 == weld_parent(b2) || w2 == weld_parent(b1))
    }
}

fn add_pair(m: &Model, d: &mut World<'_>, b1: usize, b2: usize) {
    if compatible(m, b1, b2) {
        d.collision.body_pairs.push((b1.min(b2) as u64) << 32 | b1.max(b2) as u64);
    }
}

/// The world, and static bodies with planes, are paired with every body.
fn always_colliding(m: &Model, d: &mut World<'_>) {
    let filter = Filter::new(m, d);
    for b1 in (0..m.nbody).filter(|b| can_collide(m, *b)) {
        let has_plane = || {
            let start = m.body_geomadr[b1].max(0) as usize;
            let types = &m.geom_type[start..start + m.body_geomnum[b1] as usize];
            types.contains(&(GeomType::Plane as i32))
        };
        if !(b1 == 0 && m.body_geomnum[0] > 0 || m.body_weldid[b1] == 0 && has_plane()) {
            continue;
        }
        for b2 in (0..m.nbody).filter(|b| can_collide(m, *b)) {
            let asleep2 = filter.asleep(d, b2);
            if !filter.rejects(m, b1, true, b2, asleep2) {
                add_pair(m, d, b1, b2);
            }
        }
    }
}

/// Axes in which the geoms of moving bodies are spread, as rows; none without such geoms.
fn principal_axes(m: &Model, d: &World<'_>) -> Option<Mat3> {
    let centers = || (0..m.ngeom).filter(|g| m.geom_bodyid[*g] != 0).map(|g| d.geom_xpos[g]);
    let count = centers().count();
    if count == 0 {
        return None;
    }
    let inv = 1.0 / count as Real;
    let mean = centers().fold(Vec3::ZERO, |sum, x| sum + x) * inv;
    let mut covariance = Mat3::default();
    for x in centers() {
        let dif = x - mean;
        for i in 0..9 {
            covariance[i] += dif[i / 3] * dif[i % 3];
        }
    }
    Some(Mat3(covariance.0.map(|c| c * inv)).eigen_symmetric().1.to_mat())
}

fn extent(m: &Model, d: &World<'_>, body: usize, axes: &Mat3) -> Extent {
    let mut low = Vec3::new(Real::MAX, Real::MAX, Real::MAX);
    let mut high = -low;
    let start = m.body_geomadr[body].max(0) as usize;
    for g in start..start + m.body_geomnum[body] as usize {
        let margin = if m.opt.enabled(EnableBit::Override) {
            0.5 * m.opt.o_margin
        } else {
            m.geom_margin[g]
        };
        for j in 0..3 {
            let center = d.geom_xpos[g].dot(axes.row(j));
            low[j] = low[j].min(center - m.geom_rbound[g] - margin);
            high[j] = high[j].max(center + m.geom_rbound[g] + margin);
        }
    }
    Extent { body: body as u32, low, high }
}

/// Sort by value, ends at the same place by number: by insertion while that is quick.
fn sort_ends(ends: &mut [Ends]) {
    let order = |a: &Ends, b: &Ends| a.value.total_cmp(&b.value).then(a.which.cmp(&b.which));
    let mut moves = 8 * ends.len();
    for i in 1..ends.len() {
        let end = ends[i];
        let mut at = i;
        while at > 0 && order(&ends[at - 1], &end).is_gt() {
            ends[at] = ends[at - 1];
            at -= 1;
        }
        ends[at] = end;
        moves = match moves.checked_sub(i - at) {
            Some(left) => left,
            None => return ends.sort_unstable_by(order),
        };
    }
}

/// Sweep along the first axis and compare extents that overlap on it.
fn sweep(m: &Model, d: &mut World<'_>, axes: &Mat3) {
    let filter = Filter::new(m, d);
    let mut extents = core::mem::take(&mut d.collision.extents);
    let mut ends = core::mem::take(&mut d.collision.ends);
    let mut active = core::mem::take(&mut d.collision.active);
    extents.clear();
    extents.extend((1..m.nbody).filter(|b| can_collide(m, *b)).map(|b| extent(m, d, b, axes)));
    // the order of the last sweep is a good start for this one
    if ends.len() != 2 * extents.len() {
        ends.clear();
        ends.extend((0..2 * extents.len() as u32).map(|which| Ends { value: 0.0, which }));
    }
    for end in &mut ends {
        let extent = &extents[end.which as usize / 2];
        end.value = if end.which & 1 == 0 { extent.low[0] } else { extent.high[0] } as f32;
    }
    sort_ends(&mut ends);

    let (y, z) = (1, 2);
    active.clear();
    for end in &ends {
        let this = end.which / 2;
        if end.which & 1 == 1 {
            active.retain(|i| *i != this);
            continue;
        }
        let a = &extents[this as usize];
        for &other in &active {
            let b = &extents[other as usize];
            if a.low[y] > b.high[y]
                || b.low[y] > a.high[y]
                || a.low[z] > b.high[z]
                || b.low[z] > a.high[z]
            {
                continue;
            }
            let (b1, b2) = (a.body as usize, b.body as usize);
            let (asleep1, asleep2) = (filter.asleep(d, b1), filter.asleep(d, b2));
            if !filter.rejects(m, b1, asleep1, b2, asleep2) {
                add_pair(m, d, b1, b2);
            }
        }
        active.push(this);
    }
    d.collision.extents = extents;
    d.collision.ends = ends;
    d.collision.active = active;
}
