//! Analytic derivative of the smooth forces by velocity.
//!
//! `qDeriv = ∂(f_actuator + f_passive - f_bias)/∂v`, an `nv`×`nv` matrix in the pattern of both triangles of `M`. All
//! parts but bias and fluids are sums of `b jᵀ j`: a force `b (j v)` along a row `j` (the moment of an actuator, the
//! Jacobian of a tendon or of a flex edge, one degree of freedom) with slope `b`. The implicit integrators subtract `h qDeriv` from the
//! inertia.
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use ferrodyn_math::{Mask, Number, Real};
use ferrodyn_model::{BiasType, DisableBit, DynType, GainType, Model, ObjType, Storage};

use super::bias::subtract_bias_derivative;
use super::flex::each_edge_damper;
#[cfg(feature = "alloc")]
use crate::OwnedWorld;
use crate::data::Lane;
use crate::derivative::fluid::add_fluid_derivative;
use crate::force::actuation::{is_disabled, last_activation, next_activation};
use crate::force::fluid::has_fluid;
use crate::force::gain::law_of_gain;
use crate::force::muscle::muscle_gain_vel;
use crate::force::passive::add_but;
use crate::hooks::{Hooks, NoHooks};
use crate::position::tendon::tendon_row;
use crate::sleep::{awake_dofs, is_asleep, rows_of, some_asleep};
use crate::{StepError, World};

/// Compute `qDeriv`: the derivative of actuator, passive and bias forces by velocity.
///
/// Without `with_bias` the Coriolis and centrifugal terms are left out, and the result is symmetric.
/// Like MuJoCo's, the matrix has no entries for pairs of degrees of freedom of which neither moves
/// the other, which tendons and actuators across branches would have. MuJoCo: `mjd_smooth_vel`.
pub fn smooth_vel_derivative<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &mut World<'_, T>,
    with_bias: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    for run in awake_dofs(m, d.head, d.dof_awake_ind) {
        // what sleeps keeps its rows
        d.qDeriv[rows_of(&run, &m.D_rowadr, &m.D_rownnz)].fill(T::of(0.0));
    }
    actuator_derivative(m, d, hooks);
    add_passive_derivative(m, d);
    match d.alone() {
        Some(d) if with_bias => subtract_bias_derivative(m, d),
        _ => Ok(()),
    }
}

/// Fill `qDeriv` with the derivative of all smooth forces by velocity, at the state of the last
/// `forward` or `step`.
#[cfg(feature = "alloc")]
pub fn smooth_velocity_derivative(m: &Model, data: &mut OwnedWorld) -> Result<(), StepError> {
    if !data.fits(m) {
        return Err(StepError::ModelMismatch);
    }
    smooth_vel_derivative(m, &mut data.view_mut(), true, &mut NoHooks)
}

/// `qDeriv` as a dense row-major matrix.
#[cfg(feature = "alloc")]
pub fn dense_derivative(m: &Model<impl Storage>, d: &World<'_>) -> Vec<Real> {
    let mut dense = vec![0.0; m.nv * m.nv];
    for i in 0..m.nv {
        let start = m.D_rowadr[i] as usize;
        for k in start..start + m.D_rownnz[i] as usize {
            dense[i * m.nv + m.D_colind[k] as usize] = d.qDeriv[k];
        }
    }
    dense
}

/// The exact derivative as a dense row-major matrix, with the entries that `qDeriv` has no place for.
#[cfg(feature = "alloc")]
pub(super) fn exact_derivative(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
) -> Result<Vec<Real>, StepError> {
    // what fits the pattern
    d.qDeriv.fill(0.0);
    if !m.opt.disabled(DisableBit::Damper) {
        add_joint_damping(m, d);
    }
    subtract_bias_derivative(m, d)?;
    let mut dense = dense_derivative(m, d);
    // what may not: every pair of degrees of freedom of a row
    let mut add = |row: Row<'_>, b: Real| {
        for (i, left) in row.entries() {
            for (j, right) in row.entries() {
                dense[i * m.nv + j] += right * (left * b);
            }
        }
    };
    if !m.opt.disabled(DisableBit::Actuation) {
        each_actuator(m, d, &mut NoHooks, |_, row, slope| add(row, slope));
    }
    if !m.opt.disabled(DisableBit::Damper) {
        each_edge_damper(m, d, |_, row, b| add(row, -b));
        each_damper(m, d, |_, row, b| add(row, -b));
    }
    Ok(dense)
}

/// A sparse row: columns, ascending, and values.
#[derive(Clone, Copy)]
pub(super) struct Row<'a, T = Real> {
    pub(super) columns: &'a [u32],
    pub(super) values: &'a [T],
}

impl<T: Number> Row<'_, T> {
    #[inline]
    fn entries(&self) -> impl Iterator<Item = (usize, T)> {
        self.columns.iter().zip(self.values).map(|(column, value)| (*column as usize, *value))
    }
}

/// Add the derivative of passive forces to `qDeriv`: dampers of joints, flex edges and tendons, and fluids. MuJoCo: `mjd_passive_vel`.
pub fn add_passive_derivative<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    let dampers = !m.opt.disabled(DisableBit::Damper);
    // fluids act as long as passive forces do at all
    let in_fluid = (dampers || !m.opt.disabled(DisableBit::Spring)) && has_fluid(m);
    if let Some(d) = d.alone().filter(|_| in_fluid) {
        add_fluid_derivative(m, d);
    }
    if dampers {
        add_joint_damping(m, d);
        if let Some(d) = d.alone() {
            each_edge_damper(m, d, |d, row, b| add_outer(m, d, row, -b));
        }
        each_damper(m, d, |d, row, b| add_outer(m, d, row, T::of(-b)));
    }
}

/// `-B` on the diagonal.
fn add_joint_damping<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    for i in awake_dofs(m, d.head, d.dof_awake_ind).flatten() {
        d.qDeriv[(m.D_rowadr[i] + m.D_diag[i]) as usize] -= T::of(m.dof_damping[i]);
    }
}

/// Add the derivative of actuator forces to `qDeriv`. MuJoCo: `mjd_actuator_vel`.
pub fn add_actuator_derivative(m: &Model<impl Storage>, d: &mut World<'_>) {
    actuator_derivative(m, d, &mut NoHooks);
}

fn actuator_derivative<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &mut World<'_, T>,
    hooks: &mut impl Hooks<S>,
) {
    if !m.opt.disabled(DisableBit::Actuation) {
        each_actuator(m, d, hooks, |d, row, slope| add_outer(m, d, row, slope));
    }
}

/// `qDeriv += b Jᵀ J` for one row of a Jacobian.
fn add_outer<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>, row: Row<'_, T>, b: T) {
    let zero = T::of(0.0);
    for (i, left) in row.entries() {
        let none = left.equal(zero) | b.equal(zero);
        if none.all() {
            continue;
        }
        let start = m.D_rowadr[i] as usize;
        let columns = &m.D_colind[start..start + m.D_rownnz[i] as usize];
        // both are sorted: one pass, and entries that are not in the pattern are dropped
        let mut places = columns.iter().zip(&mut d.qDeriv[start..]);
        let mut place = places.next();
        for (j, right) in row.entries() {
            while place.as_ref().is_some_and(|(column, _)| (**column as usize) < j) {
                place = places.next();
            }
            match &mut place {
                Some((column, entry)) if **column as usize == j => {
                    add_but(none, &mut **entry, right * (left * b));
                }
                Some(_) => {}
                // columns of other branches, after all of these
                None => break,
            }
        }
    }
}

/// Is the force of an actuator at its limit, so that it does not follow its input?
pub(super) fn is_saturated<T: Lane>(
    m: &Model<impl Storage>,
    d: &World<'_, T>,
    i: usize,
) -> T::Mask {
    let [low, high] = m.actuator_forcerange[i].map(T::of);
    let force = d.actuator_force[i];
    let at_end = force.less(low) | force.equal(low) | force.greater(high) | force.equal(high);
    T::Mask::of(m.actuator_forcelimited[i] != 0) & at_end
}

/// Derivative of the gain of an actuator by its velocity.
pub(super) fn gain_slope(m: &Model<impl Storage>, d: &World<'_>, i: usize) -> Real {
    let prm = &m.actuator_gainprm[i];
    match m.gain_kind(i) {
        Some(GainType::Affine) => prm[2],
        Some(GainType::Muscle) => muscle_gain_vel(
            d.actuator_length[i],
            d.actuator_velocity[i],
            &m.actuator_lengthrange[i],
            m.actuator_acc0[i],
            prm,
        ),
        // a hook's gain is not known
        Some(GainType::Fixed | GainType::User) | None => 0.0,
    }
}

/// Derivative of the force of an actuator by its velocity, `gain' · input + bias'`; none where the force is at its limit.
fn velocity_slope<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &World<'_, T>,
    i: usize,
    hooks: &mut impl Hooks<S>,
) -> T {
    if is_disabled(m, i) {
        return T::of(0.0);
    }
    let saturated = is_saturated(m, d, i);
    if saturated.all() {
        return T::of(0.0);
    }
    T::choose(saturated, || T::of(0.0), || slope_within_limits(m, d, i, hooks))
}

/// [`velocity_slope`] of a force that is not at its limit.
#[inline(always)]
fn slope_within_limits<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &World<'_, T>,
    i: usize,
    hooks: &mut impl Hooks<S>,
) -> T {
    let slope = match m.bias_kind(i) {
        Some(BiasType::Affine) => m.actuator_biasprm[i][2],
        // the passive force of a muscle depends on its length alone
        Some(BiasType::None | BiasType::Muscle | BiasType::User) | None => 0.0,
    };
    let (gain_slope, times_input) = match m.gain_kind(i) {
        Some(GainType::User) => {
            match T::alone_ref(d).and_then(|d| law_of_gain(m, d, i, d.ctrl[i], hooks)) {
                Some(gain) => (gain.by_velocity, gain.times_input),
                // a callback's gain is not known
                None => (0.0, true),
            }
        }
        Some(GainType::Affine) => (m.actuator_gainprm[i][2], true),
        _ => (T::alone_ref(d).map_or(0.0, |d| gain_slope(m, d, i)), true),
    };
    if !times_input {
        return T::of(slope + gain_slope);
    }
    // the input matters only where the gain follows velocity
    if gain_slope == 0.0 {
        return T::of(slope);
    }
    // the input that the gain multiplies: the activation, the next one where it acts early, or the control
    let input = match last_activation(m, i) {
        Some(adr) if m.dynamics_kind(i) != Some(DynType::None) => {
            if m.actuator_actearly[i] != 0 {
                next_activation(m, d, i, adr, d.act_dot[adr])
            } else {
                d.act[adr]
            }
        }
        _ => d.ctrl[i],
    };
    T::of(slope) + T::of(gain_slope) * input
}

/// Call a function with the moment row and the slope of every actuator whose force depends on velocity.
fn each_actuator<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &mut World<'_, T>,
    hooks: &mut impl Hooks<S>,
    mut call: impl FnMut(&mut World<'_, T>, Row<'_, T>, T),
) {
    // the row is copied out, since the world changes under the call
    let columns = core::mem::take(&mut d.scratch.row_columns);
    let values = core::mem::take(&mut d.scratch.row_values);
    let filtered = some_asleep(m, d.head);
    for i in 0..m.nu {
        if filtered && d.alone().is_some_and(|d| is_asleep(m, d, ObjType::Actuator, i)) {
            continue;
        }
        let slope = velocity_slope(m, d, i, hooks);
        if !slope.equal(T::of(0.0)).all() {
            // the moment of the actuator, as a row
            let start = d.moment_rowadr[i] as usize;
            let count = d.moment_rownnz[i] as usize;
            for k in 0..count {
                columns[k] = d.moment_colind[start + k] as u32;
            }
            values[..count].copy_from_slice(&d.actuator_moment[start..start + count]);
            call(d, Row { columns: &columns[..count], values: &values[..count] }, slope);
        }
    }
    d.scratch.row_columns = columns;
    d.scratch.row_values = values;
}

/// Call a function with the Jacobian row and the damping of every damped tendon.
fn each_damper<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    mut call: impl FnMut(&mut World<'_, T>, Row<'_, T>, Real),
) {
    let columns = core::mem::take(&mut d.scratch.row_columns);
    let values = core::mem::take(&mut d.scratch.row_values);
    for t in 0..m.ntendon {
        // a damper's force is -b times the rate of its tendon's length
        if m.tendon_damping[t] != 0.0 {
            let mut count = 0;
            for (column, value) in tendon_row(m, d, t) {
                (columns[count], values[count]) = (column as u32, value);
                count += 1;
            }
            let row = Row { columns: &columns[..count], values: &values[..count] };
            call(d, row, m.tendon_damping[t]);
        }
    }
    d.scratch.row_columns = columns;
    d.scratch.row_values = values;
}
