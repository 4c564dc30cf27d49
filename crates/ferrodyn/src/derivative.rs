//! Derivatives of a step, for linearization, optimal control and estimation.
//!
//! One step takes the state `x = (dq, q̇, act)` and the controls `u` to `x⁺`, and
//! `δx⁺ = A δx + B δu`. Configurations are perturbed and compared in their tangent space, so `x` has
//! `2 nv + na` elements: a free joint counts six, not seven. There are four ways to a derivative, each
//! of which can be used by itself:
//!
//! - [`mjd_transition_fd`]: finite differences for all columns, as MuJoCo's `mjd_transitionFD`. Works with
//!   every integrator; stages whose input does not change are skipped.
//! - [`mjd_smooth_vel`]: the analytic derivative of all smooth forces by velocity, in `qDeriv`.
//! - [`integration_derivative`](ferrodyn_dynamics::derivative::integration_derivative) and
//!   [`mjd_quat_integrate`]: how the next configuration follows configuration and velocity.
//! - [`mjd_transition_hybrid`]: columns of velocities, activations and controls in closed form, the
//!   others by differences. Where contacts, limits and other constraints act, their forces are differentiated
//!   at the solution of the solver; where that is not possible (PGS, noslip, a solver that stopped
//!   early, muscles, fluids, plugins) those columns are differences too.
//!
//! [`mjd_inverse_fd`] differentiates inverse dynamics, [`mjd_sub_quat`] the difference of two rotations;
//! [`mjd_transition_fd_with`] takes differences of a step with hooks.
//!
//! [`mjd_transition`] and [`Data::transition_derivatives`](crate::Data::transition_derivatives) choose: hybrid
//! if [`DerivativeConfig::use_analytical`] is set and the integrator is not Runge-Kutta.
//!
//! ```
//! use ferrodyn::derivative::{max_relative_error, mjd_transition_fd, mjd_transition_hybrid};
//! use ferrodyn::DerivativeConfig;
//! let model = ferrodyn::load_model(
//!     "<mujoco><worldbody><body><joint axis='0 1 0' damping='.1'/>
//!      <geom type='capsule' fromto='0 0 0 0 0 -1' size='.02'/></body></worldbody></mujoco>",
//! )?;
//! let mut data = model.make_data();
//! data.qpos_mut()[0] = 0.5;
//! let config = DerivativeConfig::new(1e-6, true)?;
//! let differences = mjd_transition_fd(&model, &data, &config)?;
//! let hybrid = mjd_transition_hybrid(&model, &data, &config)?;
//! assert!(max_relative_error(&differences.a, &hybrid.a, 1e-10, 2).0 < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
use ferrodyn_dynamics::derivative::{
    Baseline, Column, DifferenceOptions, Remainder, Worker, analytic_columns,
};
pub use ferrodyn_dynamics::derivative::{
    InverseMatrices, InverseOutputs, smooth_velocity_derivative as mjd_smooth_vel,
    sub_quat_derivative as mjd_sub_quat,
};
use ferrodyn_dynamics::hooks::Hooks;
use ferrodyn_dynamics::{OwnedWorld, StepError};
use ferrodyn_math::{Mat3, Real, Vec3};
use ferrodyn_model::{Integrator, Model};

use crate::parallel;

/// The largest perturbation that is accepted.
const MAX_EPS: Real = 1e-2;
/// Entries smaller than this are compared as if they had this size.
const VALIDATION_FLOOR: Real = 1e-10;

/// The derivative of one step: row-major matrices and their sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionMatrices {
    /// Next state by state, `states`×`states`.
    pub a: Vec<Real>,
    /// Next state by controls, `states`×`controls`.
    pub b: Vec<Real>,
    /// Sensors by state, `sensors`×`states`, where asked for.
    pub c: Option<Vec<Real>>,
    /// Sensors by controls, `sensors`×`controls`, where asked for.
    pub d: Option<Vec<Real>>,
    /// Number of elements of the state, `2 nv + na`.
    pub states: usize,
    /// Number of controls, `nu`.
    pub controls: usize,
    /// Number of sensor values, `nsensordata`.
    pub sensors: usize,
}

/// How a derivative is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DerivativeConfig {
    /// Size of the perturbations.
    pub eps: Real,
    /// Differences between both sides: twice the work, and an error of second order.
    pub centered: bool,
    /// Use closed forms where there are any.
    pub use_analytical: bool,
    /// Differentiate sensors too. Sensors have no closed forms: all columns are differences then.
    pub sensors: bool,
    /// Number of threads that share the columns; the result does not depend on it. Without the feature `threads` there is one.
    pub threads: usize,
}

impl Default for DerivativeConfig {
    fn default() -> DerivativeConfig {
        DerivativeConfig {
            eps: 1e-6,
            centered: true,
            use_analytical: true,
            sensors: false,
            threads: 1,
        }
    }
}

impl DerivativeConfig {
    /// A configuration with perturbations of size `eps`, which is positive and at most 0.01.
    pub fn new(eps: Real, centered: bool) -> Result<DerivativeConfig, DerivativeError> {
        let config = DerivativeConfig { eps, centered, ..DerivativeConfig::default() };
        config.check()?;
        Ok(config)
    }

    /// This configuration with closed forms on or off.
    pub fn analytical(self, use_analytical: bool) -> DerivativeConfig {
        DerivativeConfig { use_analytical, ..self }
    }

    /// This configuration with sensors or without.
    pub fn with_sensors(self, sensors: bool) -> DerivativeConfig {
        DerivativeConfig { sensors, ..self }
    }

    /// This configuration on a number of threads.
    pub fn with_threads(self, threads: usize) -> DerivativeConfig {
        DerivativeConfig { threads, ..self }
    }

    fn differences(&self, model: &Model) -> DifferenceOptions {
        let sensors = self.sensors && model.nsensordata > 0;
        DifferenceOptions { eps: self.eps, centered: self.centered, sensors }
    }

    fn check(&self) -> Result<(), DerivativeError> {
        if self.eps > 0.0 && self.eps <= MAX_EPS {
            Ok(())
        } else {
            Err(DerivativeError::Eps(self.eps))
        }
    }
}

/// Why a derivative could not be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DerivativeError {
    /// The perturbation is not a positive number of at most 0.01.
    #[error("the perturbation {0} is not in (0, {MAX_EPS}]")]
    Eps(Real),
    /// A perturbed step could not be made.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// The derivative of a step in the way that the configuration and the integrator suggest.
pub fn mjd_transition(
    model: &Model,
    data: &OwnedWorld,
    config: &DerivativeConfig,
) -> Result<TransitionMatrices, DerivativeError> {
    if config.use_analytical && model.opt.integrator != Integrator::Rk4 as i32 {
        mjd_transition_hybrid(model, data, config)
    } else {
        mjd_transition_fd(model, data, config)
    }
}

/// The derivative of a step by finite differences.
///
/// A control that would leave its range is perturbed to one side only; where it is outside already, nothing
/// follows it.
pub fn mjd_transition_fd(
    model: &Model,
    data: &OwnedWorld,
    config: &DerivativeConfig,
) -> Result<TransitionMatrices, DerivativeError> {
    transition(model, data, config, false)
}

/// The derivative by finite differences of a step that calls hooks, one column after the other.
///
/// A hook that sets controls takes part in the step, so its law is part of `A`; controls that it overwrites have no
/// effect. The steps are made with `data` itself, which hooks may know by other ways, and which is put back as it was.
///
/// ```
/// use ferrodyn::derivative::mjd_transition_fd_with;
/// use ferrodyn::{Callbacks, DerivativeConfig};
/// let model = ferrodyn::load_model(
///     "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody><body><joint type='slide'/>
///      <geom size='.1' mass='1'/></body></worldbody></mujoco>",
/// )?;
/// let mut spring = Callbacks::new().passive(|_, d| {
///     let force = -100.0 * d.qpos[0];
///     d.qfrc_passive_mut()[0] += force;
/// });
/// let mut data = model.make_data();
/// let config = DerivativeConfig::default();
/// let matrices = mjd_transition_fd_with(&model, &mut data, &config, &mut spring)?;
/// // v⁺ = v − h k q / m
/// assert!((matrices.a[2] + 1.0).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mjd_transition_fd_with(
    model: &Model,
    data: &mut OwnedWorld,
    config: &DerivativeConfig,
    hooks: &mut dyn Hooks,
) -> Result<TransitionMatrices, DerivativeError> {
    config.check()?;
    let before = data.clone();
    let mut columns = Columns::new(model, config.sensors);
    let result = differences_with(model, data, config.differences(model), hooks, &mut columns);
    data.copy_from(&before);
    result?;
    Ok(columns.matrices())
}

fn differences_with(
    m: &Model,
    data: &mut OwnedWorld,
    options: DifferenceOptions,
    hooks: &mut dyn Hooks,
    out: &mut Columns<'_>,
) -> Result<(), StepError> {
    let base = Baseline::new(m, data, options, Some(&mut *hooks))?;
    let mut worker = Worker::new(&base, None);
    let (view, hooks) = (&mut data.view_mut(), &mut Some(hooks));
    for column in Column::all(m) {
        let (state, sensor) = out.both(column);
        worker.column(m, view, column, state, sensor, hooks)?;
    }
    Ok(())
}

/// The derivative of a step with closed forms where there are any.
pub fn mjd_transition_hybrid(
    model: &Model,
    data: &OwnedWorld,
    config: &DerivativeConfig,
) -> Result<TransitionMatrices, DerivativeError> {
    transition(model, data, config, true)
}

fn transition(
    m: &Model,
    data: &OwnedWorld,
    config: &DerivativeConfig,
    analytical: bool,
) -> Result<TransitionMatrices, DerivativeError> {
    config.check()?;
    let options = config.differences(m);
    let mut world = data.clone();
    let base = Baseline::new(m, &mut world, options, None)?;
    let mut columns = Columns::new(m, config.sensors);
    let left = if analytical && !options.sensors {
        analytic_columns(m, &mut world, &base, |column, values| {
            columns.state(column).copy_from_slice(values);
        })?
    } else {
        Remainder { columns: Column::all(m).collect(), solution: None }
    };
    differences(m, world, &base, &left, config.threads, &mut columns)?;
    Ok(columns.matrices())
}

/// Columns of state and sensors, one after the other: those of the state, then those of the controls.
struct Columns<'m> {
    model: &'m Model,
    states: usize,
    sensors: Option<usize>,
    by_input: Vec<Real>,
    sensors_by_input: Vec<Real>,
}

impl Columns<'_> {
    fn new(model: &Model, with_sensors: bool) -> Columns<'_> {
        let states = 2 * model.nv + model.na;
        let sensors = with_sensors.then_some(model.nsensordata);
        let inputs = states + model.nu;
        Columns {
            model,
            states,
            sensors,
            by_input: vec![0.0; states * inputs],
            sensors_by_input: vec![0.0; sensors.unwrap_or(0) * inputs],
        }
    }

    fn index(&self, column: Column) -> usize {
        match column {
            Column::Control(i) => self.states + i,
            _ => column.state_index(self.model).unwrap_or(0),
        }
    }

    fn state(&mut self, column: Column) -> &mut [Real] {
        self.both(column).0
    }

    fn sensor(&mut self, column: Column) -> &mut [Real] {
        self.both(column).1
    }

    fn both(&mut self, column: Column) -> (&mut [Real], &mut [Real]) {
        let (index, count) = (self.index(column), self.sensors.unwrap_or(0));
        (
            &mut self.by_input[index * self.states..][..self.states],
            &mut self.sensors_by_input[index * count..][..count],
        )
    }

    fn matrices(self) -> TransitionMatrices {
        let (states, controls) = (self.states, self.model.nu);
        let (a, b) = self.by_input.split_at(states * states);
        let sensors = self.sensors.unwrap_or(0);
        let (c, d) = self.sensors_by_input.split_at(states * sensors);
        let wanted = self.sensors.is_some();
        TransitionMatrices {
            a: transposed(a, states, states),
            b: transposed(b, controls, states),
            c: wanted.then(|| transposed(c, states, sensors)),
            d: wanted.then(|| transposed(d, controls, sensors)),
            states,
            controls,
            sensors: self.model.nsensordata,
        }
    }
}

fn transposed(mat: &[Real], rows: usize, cols: usize) -> Vec<Real> {
    (0..rows * cols).map(|i| mat[i % rows * cols + i / rows]).collect()
}

/// Columns of one thread, in the order of its list.
struct Share {
    states: Vec<Real>,
    sensors: Vec<Real>,
}

/// Compute columns by differences, shared among threads; the first one works on `world` itself.
fn differences(
    m: &Model,
    world: OwnedWorld,
    base: &Baseline,
    left: &Remainder,
    threads: usize,
    out: &mut Columns<'_>,
) -> Result<(), StepError> {
    let list = &left.columns;
    let count = parallel::available(threads).clamp(1, list.len().max(1));
    // neighbours cost the same: every thread gets every so-manyth column
    let lists: Vec<Vec<Column>> =
        (0..count).map(|t| list.iter().copied().skip(t).step_by(count).collect()).collect();
    let (states, sensors) = (out.states, if base.options.sensors { m.nsensordata } else { 0 });
    let work = |list: &[Column], world: &mut OwnedWorld| -> Result<Share, StepError> {
        let mut share = Share {
            states: vec![0.0; list.len() * states],
            sensors: vec![0.0; list.len() * sensors],
        };
        let mut worker = Worker::new(base, left.solution.as_ref());
        let view = &mut world.view_mut();
        for (k, column) in list.iter().enumerate() {
            let state = &mut share.states[k * states..(k + 1) * states];
            let sensor = &mut share.sensors[k * sensors..(k + 1) * sensors];
            worker.column(m, view, *column, state, sensor, &mut None)?;
        }
        Ok(share)
    };
    let copies: Vec<OwnedWorld> = (1..count).map(|_| world.clone()).collect();
    let worlds = std::iter::once(world).chain(copies);
    let shares =
        parallel::map(lists.iter().zip(worlds).collect(), |(list, mut w)| work(list, &mut w));
    for (list, share) in lists.iter().zip(shares) {
        let share = share?;
        for (k, column) in list.iter().enumerate() {
            out.state(*column).copy_from_slice(&share.states[k * states..(k + 1) * states]);
            if sensors > 0 {
                let values = &share.sensors[k * sensors..(k + 1) * sensors];
                out.sensor(*column).copy_from_slice(values);
            }
        }
    }
    Ok(())
}

/// Derivatives of inverse dynamics (`qfrc_inverse` at `qpos`, `qvel` and `qacc`) by forward differences.
///
/// ```
/// use ferrodyn::derivative::{InverseOutputs, mjd_inverse_fd};
/// let model = ferrodyn::load_model(
///     "<mujoco><worldbody><body><joint type='slide'/><geom size='.1' mass='2'/></body></worldbody></mujoco>",
/// )?;
/// let data = model.make_data();
/// let wanted = InverseOutputs { acceleration: true, ..InverseOutputs::default() };
/// let matrices = mjd_inverse_fd(&model, &data, 1e-6, &wanted)?;
/// assert!((matrices.force_acceleration[0] - 2.0).abs() < 1e-8); // f = m a
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mjd_inverse_fd(
    model: &Model,
    data: &OwnedWorld,
    eps: Real,
    wanted: &InverseOutputs,
) -> Result<InverseMatrices, DerivativeError> {
    DerivativeConfig::new(eps, false)?;
    let mut world = data.clone();
    Ok(ferrodyn_dynamics::derivative::inverse_derivatives(model, &mut world, eps, wanted, None)?)
}

/// Derivatives of `quat ⊕ h ω` by the quaternion and by `ω`, in the tangent spaces.
///
/// MuJoCo's `mjd_quatIntegrate` gives the second one by `h ω`: it has no factor `h`.
pub fn mjd_quat_integrate(omega: Vec3, h: Real) -> (Mat3, Mat3) {
    let (by_quat, mut by_omega) =
        ferrodyn_dynamics::derivative::quat_integrate_derivative(omega, h);
    by_omega.0.iter_mut().for_each(|x| *x *= h);
    (by_quat, by_omega)
}

/// The largest difference of two matrices with so many columns, relative to the larger of both entries and
/// `floor`, and its row and column.
pub fn max_relative_error(
    a: &[Real],
    b: &[Real],
    floor: Real,
    columns: usize,
) -> (Real, (usize, usize)) {
    let mut worst = (0.0, (0, 0));
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        let error = (a - b).abs() / a.abs().max(b.abs()).max(floor);
        if error > worst.0 || error.is_nan() {
            worst = (error, (i / columns.max(1), i % columns.max(1)));
        }
    }
    worst
}

/// The largest relative errors of `A` and `B` between the hybrid derivative and centred differences.
///
/// Entries are compared one by one. Those below a millionth of the largest one count as that large: what
/// differences say about them is rounding.
pub fn validate_analytical_vs_fd(
    model: &Model,
    data: &OwnedWorld,
) -> Result<(Real, Real), DerivativeError> {
    let config = DerivativeConfig::default();
    let hybrid = mjd_transition_hybrid(model, data, &config)?;
    let differences = mjd_transition_fd(model, data, &config)?;
    let error = |a: &[Real], b: &[Real], columns: usize| {
        let largest = a.iter().chain(b).fold(0.0, |x: Real, y| x.max(y.abs()));
        max_relative_error(a, b, VALIDATION_FLOOR.max(1e-6 * largest), columns).0
    };
    Ok((
        error(&hybrid.a, &differences.a, hybrid.states),
        error(&hybrid.b, &differences.b, hybrid.controls),
    ))
}

/// Do centred differences with perturbations `eps` and `eps / 10` agree on `A` to a tolerance, relative to its
/// largest entry?
pub fn fd_convergence_check(
    model: &Model,
    data: &OwnedWorld,
    eps: Real,
    tolerance: Real,
) -> Result<bool, DerivativeError> {
    let coarse = mjd_transition_fd(model, data, &DerivativeConfig::new(eps, true)?)?;
    let fine = mjd_transition_fd(model, data, &DerivativeConfig::new(eps / 10.0, true)?)?;
    let largest = fine.a.iter().fold(0.0, |x: Real, y| x.max(y.abs()));
    let error = coarse.a.iter().zip(&fine.a).fold(0.0, |x: Real, (a, b)| x.max((a - b).abs()));
    Ok(error <= tolerance * largest)
}
