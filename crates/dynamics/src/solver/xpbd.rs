//! Contacts by extended position-based dynamics (Macklin, Müller, Chentanez 2016), in generalized coordinates and in substeps: an extension.
//!
//! # The method
//! A time step `h` is cut into `n` substeps `δ = h/n`. In each of them every constraint has a multiplier `λ = δ² f`, and is visited several
//! times; with the row `J`, its position `C` at the beginning of the substep and its velocity `v = J q̇` at the end of it, as known so far,
//!
//! ```text
//! Δλ = (-k (C + δ v) - b v - R λ/δ²) / (R/δ² + (k δ + b) w/δ),    w = J M⁻¹ Jᵀ,    q̇ += M⁻¹ Jᵀ Δλ/δ
//! ```
//!
//! This is the method's `Δλ = (-C - α̃ λ - γ δ v) / ((1 + γ) w + α̃)` with the compliance `α = R/k` and the damping `γ = b/(k δ)`, times `k`; `k`, `b` and `R` are
//! those that `solref` and `solimp` give the row for the other solvers. So at rest a contact is as deep as theirs. What only pushes has `λ ≥ 0`. Friction
//! stops all motion along the contact (no compliance) as far as Coulomb's cone `|λₜ/μ| ≤ λₙ` allows, whatever `opt.cone` says: it is always round.
//! The force of a step is the mean over its substeps, and acceleration follows from it, so that everything after the solver stays as it is.
//!
//! The update of `q̇` is made in the coordinates `y` with `M = Lᵀ D L`, `y = D^½ L q̇`, where the row is `B = J L⁻¹ D^(-½)`: then `w = B Bᵀ`, `y += Bᵀ Δλ/δ`, and `B`
//! has entries only at the ancestors of those of `J`.
//!
//! # Its limits
//! Rows and contact points are those of the beginning of the step: substeps sharpen the forces, not the geometry. The sweeps are of
//! Gauss-Seidel's kind, which need many iterations for tall stacks and large ratios of masses. Figures beside Newton's, from
//! `cargo run --example xpbd_heap` (a development build, 4 substeps of 8 sweeps where nothing else is said):
//!
//! | | Newton | XPBD |
//! |---|---|---|
//! | heap of 18 boxes: a step | 181 µs | 428 µs |
//! | ... deepest contact after 2 s | 0.40 mm | 0.46 mm |
//! | ... fastest motion after 2 s | 1.2e-3 | 9.5e-5 |
//! | 3 boxes on top of each other: the topmost sinks | 0.87 mm | 0.80 mm, with 32 sweeps 0.87 mm |
//! | 10 boxes: the topmost sinks, and still moves after 1 s | 6.10 mm, 1e-3 | 5.86 mm, 2e-2; with 32 sweeps 5.74 mm, 1e-2 |
//! | slope of 20°, friction 0.5: creeps | 1.8e-3 m/s | 7e-7 m/s |
//! | slope of 20°, friction 0.2: acceleration off by | 6.4 % | 0.00 % |
//!
//! (Newton's friction errors are those of soft pyramidal cones, which `impratio` and elliptic cones make smaller.) A perfectly aligned stack, whose contacts of edges come
//! and go, may sway and fall from about seven boxes on.
//!
//! It has no residual, so that derivatives are left to differences.
use ferrodyn_math::{MIN_VAL, Real, Stack, StackFull, dot, norm, sort_by, sqrt};
use ferrodyn_model::{ConstraintState, ConstraintType, DisableBit, Model, Storage};

use super::dual::finish;
use super::row_cost;
use crate::World;
use crate::constraint::mul_jac_vec;
use crate::constraint::project::{each_entry, each_new_ancestor};
use crate::data::memory::frame;

/// No axis yet.
const NONE: usize = usize::MAX;

frame! {
    /// Axes: one for every row, but for the edges of a pyramid, which become a normal and tangents.
    struct Memory(nv, rows, entries) {
        /// `B`, row by row.
        start: slice usize = rows + 1,
        columns: list usize = entries,
        values: list Real = entries,
        dense: zeros Real = nv,
        mark: slice usize = nv,
        /// `y`: what the multipliers have done to the velocity so far.
        motion: zeros Real = nv,
        /// What each axis is.
        axis: slice AxisBits = rows,
        /// Position at the beginning of the substep, velocity and acceleration without multipliers, weight.
        state: zeros [Real; 4] = rows,
        /// `k`, `b`, `R` (zero: rigid).
        law: zeros [Real; 3] = rows,
        /// The multiplier of the substep.
        lambda: zeros Real = rows,
        /// The sum over substeps.
        total: zeros Real = rows,
        /// `J q̈ - aref` of the rows.
        jar: slice Real = rows,
    }
}

/// An axis: `[kind, row, second row, number of tangents that follow]`.
type AxisBits = [u32; 4];

/// Takes any force.
const HOLDS: u32 = 0;
/// Takes a force up to the loss of its row.
const SLIPS: u32 = 1;
/// Only pushes.
const PUSHES: u32 = 2;
/// A direction of friction of the axis before.
const TANGENT: u32 = 3;

/// Words of temporary memory for so many rows with so many entries of `B`, counted twice for pyramids.
pub(super) fn words(nv: usize, rows: usize, entries: usize) -> usize {
    Memory::words(nv, rows, 2 * entries)
}

/// How an axis is made of two rows.
fn parts(d: &World<'_>, axis: AxisBits, place: usize) -> [(usize, Real); 2] {
    let [kind, row, other, _] = axis;
    let (row, other) = (row as usize, other as usize);
    if row == other {
        return [(row, 1.0), (row, 0.0)];
    }
    // edges n ± μ t: half the sum is the normal, half the difference the tangent, times μ
    if kind == TANGENT {
        let mu = d.work.contact[d.work.efc_id[row] as usize].friction[place];
        let share = 0.5 / mu.max(MIN_VAL);
        [(row, share), (other, -share)]
    } else {
        [(row, 0.5), (other, 0.5)]
    }
}

/// Solve all constraints, for `efc_force`, `qfrc_constraint` and `qacc`.
pub(super) fn solve(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    mut stack: Stack<'_>,
) -> Result<(), StackFull> {
    let (rows, nv) = (d.nefc(), m.nv);
    let entries = count(m, d, stack.scope())?;
    let mut memory = Memory::take(&mut stack, nv, rows, 2 * entries)?;
    let axes = classify(d, memory.axis);
    let memory = &mut memory;
    make_axes(m, d, memory, axes);
    guess(m, d, memory, axes);

    let substeps = m.opt.xpbd_substeps.max(1);
    let sweeps = m.opt.xpbd_iterations.max(1);
    let step = m.opt.timestep / substeps as Real;
    for substep in 0..substeps {
        // the acceleration without constraints goes on; the multipliers of the last substep are the first guess of this one
        for i in 0..axes {
            memory.state[i][1] += step * memory.state[i][2];
            add_motion(memory, i, memory.lambda[i] / step);
        }
        for _ in 0..sweeps {
            sweep(d, memory, axes, step);
        }
        for i in 0..axes {
            memory.state[i][0] += step * velocity(memory, i);
            memory.total[i] += memory.lambda[i];
        }
        d.head.solver_niter[0] = (substep + 1) * sweeps;
    }
    spread(m, d, memory, axes, step);
    finish(m, d);
    Ok(())
}

/// Number of entries of `B` for all rows, at most.
fn count(m: &Model<impl Storage>, d: &World<'_>, mut stack: Stack<'_>) -> Result<usize, StackFull> {
    let mark = stack.take::<usize>(m.nv)?;
    mark.fill(NONE);
    let mut entries = 0;
    for row in 0..d.nefc() {
        each_entry(m, d, row, |column, _| {
            each_new_ancestor(m, mark, row, column, |_| entries += 1);
        });
    }
    Ok(entries)
}

/// What the rows are; the number of axes.
fn classify(d: &World<'_>, axis: &mut [AxisBits]) -> usize {
    let (ne, nf) = (d.head.ne as usize, d.head.nf as usize);
    let mut put = 0;
    let mut add = |bits: AxisBits| {
        axis[put] = bits;
        put += 1;
    };
    let mut row = 0;
    while row < d.nefc() {
        let kind = ConstraintType::try_from(d.work.efc_type[row]);
        let dim = |d: &World<'_>| d.work.contact[d.work.efc_id[row] as usize].dim as usize;
        let at = row as u32;
        match kind {
            Ok(ConstraintType::ContactElliptic) => {
                let tangents = dim(d) - 1;
                add([PUSHES, at, at, tangents as u32]);
                for k in 1..=tangents as u32 {
                    add([TANGENT, at + k, at + k, 0]);
                }
                row += 1 + tangents;
            }
            Ok(ConstraintType::ContactPyramidal) => {
                let tangents = dim(d) - 1;
                add([PUSHES, at, at + 1, tangents as u32]);
                for k in 0..tangents as u32 {
                    add([TANGENT, at + 2 * k, at + 2 * k + 1, 0]);
                }
                row += 2 * tangents;
            }
            _ => {
                let kind = if row < ne {
                    HOLDS
                } else if row < ne + nf {
                    SLIPS
                } else {
                    PUSHES
                };
                add([kind, at, at, 0]);
                row += 1;
            }
        }
    }
    put
}

/// `B`, and where each axis is, how it moves and by which law.
fn make_axes(m: &Model<impl Storage>, d: &World<'_>, memory: &mut Memory<'_>, axes: usize) {
    memory.mark.fill(NONE);
    let mut place = 0;
    for i in 0..axes {
        let axis = memory.axis[i];
        place = if axis[0] == TANGENT { place + 1 } else { 0 };
        let parts = parts(d, axis, place.max(1) - 1);
        half_row(m, d, memory, i, &parts);

        let w = &d.work;
        // a sum over the parts, which one row is most often alone
        let [(first, share), (second, other)] = parts;
        let sum = |at_first: Real, at_second: Real| share * at_first + other * at_second;
        let values = &memory.values[memory.start[i]..];
        let row = axis[1] as usize;
        memory.state[i] = [
            w.efc_pos[row] - w.efc_margin[row],
            sum(w.efc_vel[first], w.efc_vel[second]),
            // b = J q̈₀ - aref
            sum(w.efc_b[first] + w.efc_aref[first], w.efc_b[second] + w.efc_aref[second]),
            dot(values, values),
        ];
        // friction is rigid; the edges of a pyramid resist together
        let edges = if axis[1] == axis[2] { 1.0 } else { 2.0 * axis[3] as Real };
        let [k, b, impedance, _] = w.efc_KBIP[row];
        let is_friction = axis[0] == TANGENT || axis[0] == SLIPS;
        memory.law[i] =
            if is_friction { [0.0, 1.0, 0.0] } else { [k * impedance, b, w.efc_R[row] / edges] };
    }
    memory.start[axes] = memory.columns.len();
}

/// The row of `B` of an axis: `D^(-½) L⁻ᵀ` times the sum of its parts.
fn half_row(
    m: &Model<impl Storage>,
    d: &World<'_>,
    memory: &mut Memory<'_>,
    i: usize,
    parts: &[(usize, Real); 2],
) {
    let Memory { start, columns, values, dense, mark, .. } = memory;
    start[i] = columns.len();
    for (row, share) in parts.iter().filter(|(_, share)| *share != 0.0) {
        each_entry(m, d, *row, |column, value| {
            dense[column] += share * value;
            each_new_ancestor(m, mark, i, column, |dof| columns.extend([dof]));
        });
    }
    let columns = &mut columns[start[i]..];
    sort_by(columns, |a, b| a < b);
    // from the last degree of freedom to the root
    for &dof in columns.iter().rev() {
        let x = dense[dof];
        if x != 0.0 {
            let adr = m.M_rowadr[dof] as usize;
            for k in adr..adr + m.M_rownnz[dof] as usize - 1 {
                dense[m.M_colind[k] as usize] -= d.qLD[k] * x;
            }
        }
    }
    for &dof in columns.iter() {
        let diagonal = (m.M_rowadr[dof] + m.M_rownnz[dof] - 1) as usize;
        values.extend([dense[dof] * (1.0 / sqrt(d.qLD[diagonal]))]);
        dense[dof] = 0.0;
    }
}

/// First multipliers: those of the forces that the rows would have at the last acceleration, as the other solvers begin.
fn guess(m: &Model<impl Storage>, d: &mut World<'_>, memory: &mut Memory<'_>, axes: usize) {
    let rows = d.nefc();
    d.work.efc_force[..rows].fill(0.0);
    if m.opt.disabled(DisableBit::Warmstart) {
        return;
    }
    mul_jac_vec(m, &d.work, memory.jar, d.qacc_warmstart);
    for (x, aref) in memory.jar.iter_mut().zip(&*d.work.efc_aref) {
        *x -= aref;
    }
    row_cost(d, memory.jar, false);
    let step = m.opt.timestep / m.opt.xpbd_substeps.max(1) as Real;
    // normals and what stands alone; friction begins with none
    for i in (0..axes).filter(|&i| memory.axis[i][0] != TANGENT) {
        let [_, row, other, tangents] = memory.axis[i];
        let count = if row == other { 1 } else { 2 * tangents as usize };
        let force: Real = d.work.efc_force[row as usize..][..count].iter().sum();
        memory.lambda[i] = force * step * step;
    }
}

/// Velocity along an axis.
#[inline]
fn velocity(memory: &Memory<'_>, i: usize) -> Real {
    let range = memory.start[i]..memory.start[i + 1];
    let mut sum = memory.state[i][1];
    for (column, value) in memory.columns[range.clone()].iter().zip(&memory.values[range]) {
        sum += memory.motion[*column] * value;
    }
    sum
}

/// `y += Bᵀ impulse`.
#[inline]
fn add_motion(memory: &mut Memory<'_>, i: usize, impulse: Real) {
    if impulse == 0.0 {
        return;
    }
    let range = memory.start[i]..memory.start[i + 1];
    for (column, value) in memory.columns[range.clone()].iter().zip(&memory.values[range]) {
        memory.motion[*column] += value * impulse;
    }
}

/// Change the multiplier of an axis to a new value.
#[inline]
fn set(memory: &mut Memory<'_>, i: usize, lambda: Real, step: Real) {
    let change = lambda - memory.lambda[i];
    memory.lambda[i] = lambda;
    add_motion(memory, i, change / step);
}

/// Visit every axis once.
fn sweep(d: &World<'_>, memory: &mut Memory<'_>, axes: usize, step: Real) {
    for i in 0..axes {
        let [kind, row, _, tangents] = memory.axis[i];
        // friction comes with its normal
        if kind == TANGENT {
            continue;
        }
        let [place, _, _, weight] = memory.state[i];
        let [k, b, r] = memory.law[i];
        let v = velocity(memory, i);
        let old = memory.lambda[i];
        let divisor = r / (step * step) + (k * step + b) * weight / step;
        let wanted = -k * (place + step * v) - b * v - r * old / (step * step);
        // an axis that nothing moves has neither weight nor force
        let new = if weight > MIN_VAL && divisor > 0.0 { old + wanted / divisor } else { 0.0 };
        let new = match kind {
            SLIPS => {
                let loss = d.work.efc_frictionloss[row as usize] * step * step;
                new.clamp(-loss, loss)
            }
            PUSHES => new.max(0.0),
            _ => new,
        };
        set(memory, i, new, step);
        if tangents > 0 {
            friction(d, memory, i, tangents as usize, step);
        }
    }
}

/// Friction of the contact whose normal is axis `i`: the tangents are stopped one after the other, then brought back into the cone.
fn friction(d: &World<'_>, memory: &mut Memory<'_>, i: usize, tangents: usize, step: Real) {
    let contact = &d.work.contact[d.work.efc_id[memory.axis[i][1] as usize] as usize];
    let normal = memory.lambda[i];
    let mut scaled = [0.0; 5];
    for k in 0..tangents {
        let (at, mu) = (i + 1 + k, contact.friction[k].max(MIN_VAL));
        let weight = memory.state[at][3];
        if weight > MIN_VAL && normal > 0.0 {
            let v = velocity(memory, at);
            set(memory, at, memory.lambda[at] - v * step / weight, step);
        } else {
            set(memory, at, 0.0, step);
        }
        scaled[k] = memory.lambda[at] / mu;
    }
    let length = norm(&scaled[..tangents]);
    if length > normal {
        for k in 0..tangents {
            let at = i + 1 + k;
            set(memory, at, memory.lambda[at] * (normal / length), step);
        }
    }
}

/// Forces and states of the rows, from the mean of the multipliers.
fn spread(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Memory<'_>,
    axes: usize,
    step: Real,
) {
    let scale = 1.0 / (step * m.opt.timestep);
    let mut i = 0;
    while i < axes {
        let [kind, row, other, tangents] = memory.axis[i];
        let (row, tangents) = (row as usize, tangents as usize);
        let force = memory.total[i] * scale;
        let state = if kind == PUSHES && force == 0.0 {
            ConstraintState::Satisfied
        } else {
            ConstraintState::Quadratic
        } as i32;
        let count = if row == other as usize { 1 + tangents } else { 2 * tangents };
        d.work.efc_state[row..row + count].fill(state);
        d.work.efc_force[row] = force;
        for k in 0..tangents {
            let tangent = memory.total[i + 1 + k] * scale;
            if row == other as usize {
                d.work.efc_force[row + 1 + k] = tangent;
            } else {
                // two edges of a pyramid: an equal share of the normal force, and their difference is friction
                let mu = d.work.contact[d.work.efc_id[row] as usize].friction[k].max(MIN_VAL);
                let (share, half) = (force / (2 * tangents) as Real, 0.5 * tangent / mu);
                d.work.efc_force[row + 2 * k] = share + half;
                d.work.efc_force[row + 2 * k + 1] = share - half;
            }
        }
        i += 1 + tangents;
    }
}
