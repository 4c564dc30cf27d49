//! The rigid bodies that deformable ones touch, while these move through the substeps of a step.
//!
//! A rigid body has a twist `V` about the centre of mass of its tree. It grows with the acceleration that the constraint solver found, `V̇ = J q̈`, and
//! with impulses. An impulse with the wrench `W` on body `s` changes the velocity of every body `t` of the same tree,
//!
//! ```text
//! ΔV_t = J_t M⁻¹ J_sᵀ W
//! ```
//!
//! a 6×6 matrix for each pair of touched bodies of a tree, made once in a step. The sums of all wrenches go back through `Jᵀ` as generalized force.
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::sparse::solve_ldl_rows;
use ferrodyn_math::{Real, Spatial, Stack, StackFull, Vec3};
use ferrodyn_model::{Model, Storage};

use super::DeformableContact;
use super::detect::Motion;
use crate::World;
use crate::position::chain::{dof_chain, point_velocity};
use crate::position::inertia::pattern;

/// A body that moves, and is touched.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Touched {
    /// The body, the topmost of those that cannot move against it.
    body: usize,
    /// Its row of responses.
    first: usize,
    count: usize,
    center: Vec3,
    velocity: Spatial,
    acceleration: Spatial,
    /// How far it has moved, as a twist.
    moved: Spatial,
    /// All impulses so far.
    wrench: Spatial,
    /// Makes the size a multiple of eight bytes in single precision too.
    unused: Real,
}

/// What an impulse on one body does to another one of its tree.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Response {
    to: usize,
    matrix: [Spatial; 6],
}

/// All bodies that are touched.
pub(super) struct Rigid<'a> {
    /// Number of each body among those that are touched, -1 for others.
    slot: &'a mut [i32],
    touched: &'a mut [Touched],
    responses: &'a mut [Response],
}

/// The motion of a body per unit of each degree of freedom that moves it, times its rate.
fn twist(m: &Model<impl Storage>, cdof: &[Spatial], rates: &[Real], b: usize) -> Spatial {
    let mut sum = Spatial::ZERO;
    for i in dof_chain(m, b) {
        sum.add_scaled(&cdof[i], rates[i]);
    }
    sum
}

/// The rows of `M` of the tree of a body; none where it does not move.
fn tree_dofs(m: &Model<impl Storage>, b: usize) -> Option<core::ops::Range<usize>> {
    let tree = usize::try_from(m.body_treeid[b]).ok()?;
    let first = m.tree_dofadr[tree] as usize;
    Some(first..first + m.tree_dofnum[tree] as usize)
}

impl<'a> Rigid<'a> {
    /// The bodies of some contacts, that are awake and can move.
    pub(super) fn new(
        m: &Model<impl Storage>,
        d: &World<'_>,
        contacts: &[DeformableContact],
        stack: &mut Stack<'a>,
    ) -> Result<Rigid<'a>, StackFull> {
        let slot: &mut [i32] = stack.take(m.nbody)?;
        slot.fill(-1);
        for contact in contacts {
            let b = m.body_weld(m.geom_body(contact.geom_idx as usize));
            let awake = usize::try_from(m.body_treeid[b]).is_ok_and(|tree| d.tree_awake[tree] != 0);
            if awake && dof_chain(m, b).next().is_some() {
                slot[b] = 0;
            }
        }
        // in the order of bodies, so that those of a tree follow each other
        let mut count = 0;
        for slot in slot.iter_mut().filter(|slot| **slot == 0) {
            *slot = count;
            count += 1;
        }
        let touched: &mut [Touched] = stack.take_zeroed(count as usize)?;
        for b in 0..m.nbody {
            if let Ok(k) = usize::try_from(slot[b]) {
                touched[k].body = b;
                touched[k].center = d.subtree_com[m.body_root(b)];
                touched[k].velocity = twist(m, d.cdof, d.qvel, b);
                touched[k].acceleration = twist(m, d.cdof, d.qacc, b);
            }
        }
        // rows of responses: all touched bodies of the same tree
        let same = |touched: &[Touched], s: usize, t: usize| {
            m.body_treeid[touched[s].body] == m.body_treeid[touched[t].body]
        };
        let mut total = 0;
        for s in 0..touched.len() {
            let number = (0..touched.len()).filter(|t| same(touched, s, *t)).count();
            (touched[s].first, touched[s].count) = (total, number);
            total += number;
        }
        let responses: &mut [Response] = stack.take_zeroed(total)?;
        let column: &mut [Real] = stack.scope().take(m.nv)?;
        for s in 0..touched.len() {
            let row = touched[s].first..touched[s].first + touched[s].count;
            let others = (0..touched.len()).filter(|t| same(touched, s, *t));
            for (response, t) in responses[row.clone()].iter_mut().zip(others) {
                response.to = t;
            }
            fill_responses(m, d, touched, s, &mut responses[row], column);
        }
        Ok(Rigid { slot, touched, responses })
    }

    /// The number of a geom's body, if it moves.
    pub(super) fn slot(&self, m: &Model<impl Storage>, geom: usize) -> Option<usize> {
        usize::try_from(self.slot[m.body_weld(m.geom_body(geom))]).ok()
    }

    /// From the centre to which motions refer.
    pub(super) fn offset(&self, slot: usize, point: Vec3) -> Vec3 {
        point - self.touched[slot].center
    }

    /// Velocity at an offset.
    #[inline]
    pub(super) fn velocity(&self, slot: usize, offset: Vec3) -> Vec3 {
        point_velocity(&self.touched[slot].velocity, offset)
    }

    /// Displacement so far at an offset.
    #[inline]
    pub(super) fn moved(&self, slot: usize, offset: Vec3) -> Vec3 {
        point_velocity(&self.touched[slot].moved, offset)
    }

    /// Inverse mass along a direction at an offset: `nᵀ J M⁻¹ Jᵀ n`.
    pub(super) fn inverse_mass(&self, slot: usize, offset: Vec3, direction: Vec3) -> Real {
        let wrench = Spatial::new(offset.cross(direction), direction);
        let body = &self.touched[slot];
        let row = &self.responses[body.first..body.first + body.count];
        let own = row.iter().find(|response| response.to == slot);
        own.map_or(0.0, |response| apply(&response.matrix, &wrench).dot(&wrench).max(0.0))
    }

    /// An impulse at an offset.
    #[inline]
    pub(super) fn push(&mut self, slot: usize, offset: Vec3, impulse: Vec3) {
        let wrench = Spatial::new(offset.cross(impulse), impulse);
        let body = &mut self.touched[slot];
        body.wrench += wrench;
        for response in &self.responses[body.first..body.first + body.count] {
            self.touched[response.to].velocity += apply(&response.matrix, &wrench);
        }
    }

    /// A substep begins: velocities grow with the acceleration of the step.
    pub(super) fn accelerate(&mut self, dt: Real) {
        for body in self.touched.iter_mut() {
            body.velocity.add_scaled(&body.acceleration, dt);
        }
    }

    /// A substep ends.
    pub(super) fn advance(&mut self, dt: Real) {
        for body in self.touched.iter_mut() {
            body.moved.add_scaled(&body.velocity, dt);
        }
    }

    /// The next deformable body begins where this one began; what was pushed so far stays.
    pub(super) fn rewind(&mut self, time: Real) {
        for body in self.touched.iter_mut() {
            body.velocity.add_scaled(&body.acceleration, -time);
            body.moved = Spatial::ZERO;
        }
    }

    /// All impulses as a generalized force over a time.
    pub(super) fn force(
        &self,
        m: &Model<impl Storage>,
        cdof: &[Spatial],
        time: Real,
        qfrc: &mut [Real],
    ) {
        for body in self.touched.iter() {
            for i in dof_chain(m, body.body) {
                qfrc[i] += cdof[i].dot(&body.wrench) / time;
            }
        }
    }
}

impl Motion for Rigid<'_> {
    const NEXT: bool = true;

    fn displacement(&self, m: &Model<impl Storage>, body: usize, point: Vec3) -> Option<Vec3> {
        let body = m.body_weld(body);
        match usize::try_from(self.slot[body]) {
            Ok(slot) => Some(self.moved(slot, self.offset(slot, point))),
            // what does not move has not moved; what does, and was not near before, is seen in the next step
            Err(_) => (m.body_treeid[body] < 0).then_some(Vec3::ZERO),
        }
    }
}

/// `Σ columns · entries`.
#[inline]
fn apply(columns: &[Spatial; 6], entries: &Spatial) -> Spatial {
    let mut sum = Spatial::ZERO;
    for (column, entry) in columns.iter().zip(entries.0) {
        sum.add_scaled(column, entry);
    }
    sum
}

/// What unit wrenches on a body do to all others of its row: `J_t M⁻¹ J_sᵀ`, column by column.
fn fill_responses(
    m: &Model<impl Storage>,
    d: &World<'_>,
    touched: &[Touched],
    s: usize,
    row: &mut [Response],
    column: &mut [Real],
) {
    let Some(dofs) = tree_dofs(m, touched[s].body) else { return };
    for k in 0..6 {
        // M⁻¹ J_sᵀ e_k, within the tree
        column[dofs.clone()].fill(0.0);
        for i in dof_chain(m, touched[s].body) {
            column[i] = d.cdof[i][k];
        }
        solve_ldl_rows(column, d.qLD, d.qLDiagInv, &pattern(m), &m.dof_simplenum, dofs.clone());
        for response in row.iter_mut() {
            response.matrix[k] = twist(m, d.cdof, column, touched[response.to].body);
        }
    }
}

/// Inverse mass of a body at a point along a direction, `nᵀ J M⁻¹ Jᵀ n`, in 1/kg; zero for what does not move. `column` is memory of `nv` numbers.
pub fn compute_rigid_inv_mass_at_point(
    m: &Model<impl Storage>,
    d: &World<'_>,
    body: usize,
    point: Vec3,
    direction: Vec3,
    column: &mut [Real],
) -> Real {
    let Some(dofs) = tree_dofs(m, m.body_weld(body)) else { return 0.0 };
    let offset = point - d.subtree_com[m.body_root(body)];
    let along = |i: usize| point_velocity(&d.cdof[i], offset).dot(direction);
    column[dofs.clone()].fill(0.0);
    for i in dof_chain(m, body) {
        column[i] = along(i);
    }
    solve_ldl_rows(column, d.qLD, d.qLDiagInv, &pattern(m), &m.dof_simplenum, dofs);
    dof_chain(m, body).map(|i| along(i) * column[i]).sum()
}
