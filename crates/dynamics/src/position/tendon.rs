//! Lengths, paths and Jacobians of tendons.
//!
//! A fixed tendon is a weighted sum of joint positions. A spatial one is a chain of straight pieces between sites, bent
//! around spheres and cylinders and divided by pulleys. The Jacobian of a piece is the unit vector along it times the
//! difference of the point Jacobians of its ends; where the path lies on an obstacle the ends slide without changing the
//! length to first order, so that the obstacle counts as a body that holds the touching points.
use ferrodyn_math::{Mask, Real, Vec3, sort_by};
use ferrodyn_model::{Model, Storage, WrapType};

use crate::World;
use crate::data::Lane;
use crate::position::chain::{merged_chain, point_jacobian};
use crate::position::wrap::{Obstacle, wrap};
use crate::sleep::{ASLEEP, some_asleep, tendon_state};

/// A row of a Jacobian while it is summed up: values, a mark where there is one, and a list of the marked ones.
struct Row<'a> {
    values: &'a mut [Real],
    marks: &'a mut [i32],
    columns: &'a mut [u32],
    count: usize,
}

impl Row<'_> {
    #[inline]
    fn add(&mut self, dof: usize, value: Real) {
        if self.marks[dof] == 0 {
            self.marks[dof] = 1;
            self.columns[self.count] = dof as u32;
            self.count += 1;
        }
        self.values[dof] += value;
    }

    /// Hand out the entries in ascending order, and leave the row empty.
    fn drain(&mut self, mut entry: impl FnMut(usize, Real)) {
        let columns = &mut self.columns[..self.count];
        // each body of the path adds an ascending run
        sort_by(columns, |a, b| a < b);
        for dof in columns.iter().map(|dof| *dof as usize) {
            entry(dof, core::mem::take(&mut self.values[dof]));
            self.marks[dof] = 0;
        }
        self.count = 0;
    }
}

/// Compute length, path and Jacobian of every tendon; those of sleeping tendons are zero. MuJoCo: `mj_tendon`.
pub fn tendon<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    if m.ntendon == 0 {
        return;
    }
    let nv = m.nv;
    let sparse = m.is_sparse();
    let zero = T::of(0.0);
    d.ten_length.fill(zero);
    if sparse {
        // where rows of spatial tendons are summed up
        d.scratch.dof_a.fill(zero);
        d.scratch.dof_count.fill(0);
    } else {
        // rows are summed in their places
        d.ten_J.fill(zero);
    }
    let filtered = some_asleep(m, d.head);
    let (mut point, mut entry) = (0, 0);
    for t in 0..m.ntendon {
        if filtered && d.alone().is_some_and(|d| tendon_state(m, d, t) == ASLEEP) {
            if sparse {
                d.ten_J_rownnz[t] = 0;
                // `mj_tendon` lets the next row begin where this one begins, wherever that was when it was last awake
                entry = (d.ten_J_rowadr[t].max(0) as usize).min((t + 1) * nv);
            }
            continue;
        }
        d.ten_wrapadr[t] = point as i32;
        let first = m.tendon_adr[t] as usize;
        let is_fixed = m.wrap_type[first] == WrapType::Joint as i32;
        if is_fixed {
            d.ten_wrapnum[t] = 0;
            if sparse {
                // few joints: their row is written as it stands
                d.ten_J_rowadr[t] = entry as i32;
                d.ten_J_rownnz[t] = fixed_sparse(m, d, t, entry) as i32;
                entry += d.ten_J_rownnz[t] as usize;
            } else {
                fixed(m, d, t);
            }
            continue;
        }
        if let Some(d) = d.alone() {
            spatial_row(m, d, t, &mut point, &mut entry);
            d.ten_wrapnum[t] = point as i32 - d.ten_wrapadr[t];
        }
    }
}

/// Length, path and row of a spatial tendon; `entry` is the next one of sparse rows.
#[inline(always)]
fn spatial_row(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    t: usize,
    point: &mut usize,
    entry: &mut usize,
) {
    let nv = m.nv;
    if !m.is_sparse() {
        let jacobian = core::mem::take(&mut d.ten_J);
        let own = &mut jacobian[t * nv..][..nv];
        spatial(m, d, t, point, &mut |dof, value| own[dof] += value);
        d.ten_J = jacobian;
        return;
    }
    let values = core::mem::take(&mut d.scratch.dof_a);
    let marks = core::mem::take(&mut d.scratch.dof_count);
    let columns = core::mem::take(&mut d.scratch.row_columns);
    let mut row = Row { values, marks, columns, count: 0 };
    spatial(m, d, t, point, &mut |dof, value| row.add(dof, value));
    // what was touched, in ascending order
    d.ten_J_rowadr[t] = *entry as i32;
    row.drain(|dof, value| {
        d.ten_J[*entry] = value;
        d.ten_J_colind[*entry] = dof as i32;
        *entry += 1;
    });
    d.ten_J_rownnz[t] = *entry as i32 - d.ten_J_rowadr[t];
    d.scratch.dof_a = row.values;
    d.scratch.dof_count = row.marks;
    d.scratch.row_columns = row.columns;
}

/// A fixed tendon: a weighted sum of joint positions. Its dense row is zero before.
fn fixed<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>, t: usize) {
    let row = &mut d.ten_J[t * m.nv..][..m.nv];
    let mut length = T::of(0.0);
    for w in m.tendon_path(t) {
        let joint = m.wrap_objid[w] as usize;
        length += T::of(m.wrap_prm[w]) * d.qpos[m.joint_qpos(joint)];
        // a joint that is listed twice counts once where rows are dense: `mj_tendon` sets the entry there, and adds to it in
        // sparse rows. A sum of one: -0 becomes 0
        row[m.joint_dof(joint)] = T::of(0.0 + m.wrap_prm[w]);
    }
    d.ten_length[t] = length;
}

/// A fixed tendon, its row from `start` on: sorted by degree of freedom, those of one joint summed up. The number of entries is returned.
fn fixed_sparse<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    t: usize,
    start: usize,
) -> usize {
    let mut end = start;
    for w in m.tendon_path(t) {
        let joint = m.wrap_objid[w] as usize;
        d.ten_length[t] += T::of(m.wrap_prm[w]) * d.qpos[m.joint_qpos(joint)];
        let dof = m.joint_dof(joint) as i32;
        // its place among those before it
        let mut place = end;
        while place > start && d.ten_J_colind[place - 1] > dof {
            place -= 1;
        }
        if place > start && d.ten_J_colind[place - 1] == dof {
            d.ten_J[place - 1] += T::of(m.wrap_prm[w]);
            continue;
        }
        d.ten_J.copy_within(place..end, place + 1);
        d.ten_J_colind.copy_within(place..end, place + 1);
        // a sum of one: -0 becomes 0
        d.ten_J[place] = T::of(0.0 + m.wrap_prm[w]);
        d.ten_J_colind[place] = dof;
        end += 1;
    }
    end - start
}

/// Points of a path between two sites, with the bodies that they are fixed to.
struct Segment {
    points: [Vec3; 4],
    bodies: [usize; 4],
    /// Number of points: two, or four if the path touches an obstacle.
    count: usize,
}

/// A spatial tendon: straight lines between sites, around spheres and cylinders. `add` takes what each degree of freedom adds to its length.
fn spatial(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    t: usize,
    point: &mut usize,
    add: &mut impl FnMut(usize, Real),
) {
    let first = m.tendon_adr[t] as usize;
    let last = first + m.tendon_num[t] as usize - 1;
    let kind = |w: usize| m.wrap_type[w];
    let is_pulley = |w: usize| kind(w) == WrapType::Pulley as i32;
    let mut divisor: Real = 1.0;
    let mut w = first;
    while w < last {
        if is_pulley(w) || is_pulley(w + 1) {
            if is_pulley(w) {
                divisor = m.wrap_prm[w];
                put_point(d, point, Vec3::default(), -2);
            }
            w += 1;
            continue;
        }
        let obstacle =
            kind(w + 1) == WrapType::Sphere as i32 || kind(w + 1) == WrapType::Cylinder as i32;
        let next = if obstacle { w + 2 } else { w + 1 };
        let ends = [m.wrap_objid[w] as usize, m.wrap_objid[next] as usize];
        let geom = obstacle.then(|| m.wrap_objid[w + 1] as usize);
        let (segment, arc) = segment(m, d, ends, geom, w + 1);
        let p = &segment.points;
        d.ten_length[t] += if segment.count == 2 {
            (p[0] - p[1]).norm() / divisor
        } else {
            ((p[0] - p[1]).norm() + arc + (p[2] - p[3]).norm()) / divisor
        };
        add_moments(m, d, &segment, divisor, add);

        put_point(d, point, p[0], -1);
        if segment.count == 4 {
            let geom = geom.map_or(-1, |g| g as i32);
            put_point(d, point, p[1], geom);
            put_point(d, point, p[2], geom);
        }
        w = next;
        if w == last || is_pulley(w + 1) {
            put_point(d, point, d.site_xpos[ends[1]], -1);
        }
    }
}

/// The path from one site to the next, and its length on an obstacle.
#[inline(always)]
fn segment(
    m: &Model<impl Storage>,
    d: &World<'_>,
    sites: [usize; 2],
    geom: Option<usize>,
    wrap_index: usize,
) -> (Segment, Real) {
    let [x0, x1] = sites.map(|s| d.site_xpos[s]);
    let [b0, b1] = sites.map(|s| m.site_body(s));
    let wrapped = geom.and_then(|g| {
        let obstacle = Obstacle {
            pos: d.geom_xpos[g],
            mat: &d.geom_xmat[g],
            radius: m.geom_size[g][0],
            cylinder: m.wrap_kind(wrap_index) == Some(WrapType::Cylinder),
        };
        let side = m.wrap_prm[wrap_index];
        let side = (side >= 0.0).then(|| d.site_xpos[side as usize]);
        wrap([x0, x1], &obstacle, side).map(|wrapped| (wrapped, m.geom_body(g)))
    });
    match wrapped {
        None => {
            let none = Vec3::default();
            (Segment { points: [x0, x1, none, none], bodies: [b0, b1, 0, 0], count: 2 }, 0.0)
        }
        Some((wrapped, body)) => {
            let [p, q] = wrapped.points;
            let segment =
                Segment { points: [x0, p, q, x1], bodies: [b0, body, body, b1], count: 4 };
            (segment, wrapped.length)
        }
    }
}

/// Add the change of length with each degree of freedom: the difference of the velocities of
/// consecutive points, along the line between them.
#[inline(always)]
fn add_moments(
    m: &Model<impl Storage>,
    d: &World<'_>,
    segment: &Segment,
    divisor: Real,
    add: &mut impl FnMut(usize, Real),
) {
    for k in 0..segment.count - 1 {
        let (b0, b1) = (segment.bodies[k], segment.bodies[k + 1]);
        if b0 == b1 {
            continue;
        }
        let (p0, p1) = (segment.points[k], segment.points[k + 1]);
        let direction = (p1 - p0).normalize().0;
        for (dof, in0, in1) in merged_chain(m, b0, b1) {
            let velocity = |moves: bool, p: Vec3, b: usize| {
                if moves { point_jacobian(m, d, dof, p, b) } else { Vec3::default() }
            };
            let difference = velocity(in1, p1, b1) - velocity(in0, p0, b0);
            add(dof, difference.dot(direction) * (1.0 / divisor));
        }
    }
}

/// Write one point of the path. Two points share a row of the arrays.
fn put_point(d: &mut World<'_>, point: &mut usize, pos: Vec3, object: i32) {
    let (row, half) = (*point / 2, *point % 2);
    // three numbers, one by one: the compiler does not know how long a slice from `half` on is, and would call a function
    let to = &mut d.wrap_xpos[row];
    for (k, x) in pos.0.into_iter().enumerate() {
        to[3 * half + k] = x;
    }
    d.wrap_obj[row][half] = object;
    *point += 1;
}

/// Is there nothing but zeros? Asked of parameters that few models use, many at a time.
pub(crate) fn all_zero(values: &[Real]) -> bool {
    values.iter().fold(true, |zero, x| zero & (*x == 0.0))
}

/// The entries of the Jacobian of a tendon: degrees of freedom and values.
pub(crate) fn tendon_row<'a, T: Lane>(
    m: &'a Model<impl Storage>,
    d: &'a World<'_, T>,
    t: usize,
) -> impl Iterator<Item = (usize, T)> + 'a {
    let sparse = m.is_sparse();
    let (start, count) = if sparse {
        (d.ten_J_rowadr[t] as usize, d.ten_J_rownnz[t] as usize)
    } else {
        (t * m.nv, m.nv)
    };
    (start..start + count).map(move |adr| {
        let dof = if sparse { d.ten_J_colind[adr] as usize } else { adr - start };
        (dof, d.ten_J[adr])
    })
}

/// The degrees of freedom of a fixed tendon of one or two joints, in any order, and how many: all that its dense row has entries for. None for
/// other tendons.
///
/// A product with the row then has two terms, whose sum does not depend on their order, and zeros.
#[inline(always)]
pub(crate) fn one_or_two_dofs(m: &Model<impl Storage>, t: usize) -> Option<([usize; 2], usize)> {
    let path = m.tendon_path(t);
    if path.is_empty() || path.len() > 2 || m.wrap_type[path.start] != WrapType::Joint as i32 {
        return None;
    }
    let [first, last] = [path.start, path.end - 1].map(|w| m.joint_dof(m.wrap_objid[w] as usize));
    Some(([first, last], if first == last { 1 } else { 2 }))
}

/// Add the inertia of tendons to the inertia matrix: `M += armature Jᵀ J`. MuJoCo: `mj_tendonArmature`.
pub(crate) fn tendon_armature<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    if all_zero(&m.tendon_armature) {
        return;
    }
    for t in 0..m.ntendon {
        let armature = m.tendon_armature[t];
        if armature == 0.0 {
            continue;
        }
        let dense = core::mem::take(&mut d.scratch.dof_a);
        dense.fill(T::of(0.0));
        for (dof, value) in tendon_row(m, d, t) {
            dense[dof] = value;
        }
        // rows of fixed tendons, which all worlds of a model share, have their zeros in the same places
        for i in (0..m.nv).filter(|&i| !dense[i].equal(T::of(0.0)).all()) {
            let start = m.M_rowadr[i] as usize;
            for adr in start..start + m.M_rownnz[i] as usize {
                d.M[adr] += T::of(armature) * dense[i] * dense[m.M_colind[adr] as usize];
            }
        }
        d.scratch.dof_a = dense;
    }
}
