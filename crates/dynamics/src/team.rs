//! A step taken by a team of lanes: the stages of [`forward`](mod@crate::forward) in groups, and how they follow each other.
//!
//! [`step`] is [`step_world`](crate::step_world) without hooks, with the same bits, for any [`Team`]. Its groups are functions of their own, so that a
//! GPU can make a kernel of each. A stage that has no form for a team yet is run by one lane (`t.once`), while the others wait.
//!
//! ```text
//!   begin ─▶ position ─▶ contacts ─▶ rows ─▶ velocity ─▶ forces ─▶ solve ─▶ accept ─▶ accelerate ─▶ settle ─▶ advance ─▶ end
//!               ▲                              ▲                              │                       │
//!               │ where the world was reset    └── where trees fell asleep ───│───────────────────────┘
//!               └─────────────────────────────────────────────────────────────┘
//! ```
//!
//! Sensors of a stage come after it, where they are wanted. With Runge-Kutta, [`runge_kutta_part`] and more evaluations of the stages take the place of
//! `accelerate`.
//!
//! Every lane calls these functions with a [`World`] of its own, or all of them with one: slices of the same memory. Fields of a view are exchanged within
//! `once` alone. Whatever a step changes lies behind the slices, in the
//! memory that all lanes see: the numbers of contacts and rows in the header, room and memory of searches at the beginning of the block. The slices
//! themselves are at the end of every group what they were at its beginning, so that lanes that waited while one of them worked see the same as that one.
//! This holds in worlds of a fixed size ([`FixedLayout`](crate::data::FixedLayout)), whose blocks do not grow. Outcomes are values of verbs, and all lanes take the
//! same way after them.
//!
//! ```
//! use ferrodyn_dynamics::data::{Capacity, FixedLayout};
//! use ferrodyn_dynamics::{plugin::Plugins, team};
//! use ferrodyn_math::Alone;
//! # use ferrodyn_model::{Model, Sizes};
//! # let mut model = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
//! # model.body_mocapid[0] = -1;
//! # model.body_treeid[0] = -1;
//! let layout = FixedLayout::new(&model, Capacity::new(&model, 50, 200));
//! let (mut block, mut stack) = (vec![0; layout.words()], vec![0; layout.stack_words()]);
//! let plugins = Plugins::default();
//! let mut world = layout.make(&model, &mut block, &mut stack, &plugins)?;
//! let report = team::step(&Alone, &model, &mut world)?;
//! assert_eq!((world.head.time, report.divergence), (model.opt.timestep, None));
//! # Ok::<(), ferrodyn_dynamics::StepError>(())
//! ```
use ferrodyn_math::{Real, Team};
use ferrodyn_model::{EnableBit, Integrator, Model, Stage, Storage};

use crate::constraint::{island, make_constraint, project_constraint, reference_constraint};
use crate::contact::collision;
use crate::divergence::freeze::keep_state;
use crate::divergence::{DivergedQuantity, Divergence, check};
use crate::force::{bias, fwd_acceleration, fwd_actuation, passive};
use crate::forward::{fwd_kinematics, position_energy, velocity_energy};
use crate::hooks::NoHooks;
use crate::integrate::advance::{self, Rates, move_state};
use crate::integrate::{rk4, step_acceleration};
use crate::inverse::compare_fwd_inv;
use crate::position::{factor_m, make_m, tendon, transmission};
use crate::sensor::{sensor_acc, sensor_pos, sensor_vel};
use crate::sleep::{has_tendon_equality, update_sleep, wake_contacts, wake_equalities};
use crate::solver::{fwd_constraint, fwd_constraint_by, suits_team};
use crate::step::{check_state, check_supported, end_guarded, may_be_taken_back};
use crate::velocity::{actuator_velocity, com_vel, flex_velocity, tendon_velocity};
use crate::{StepError, StepReport, World};

/// A whole step. MuJoCo: `mj_step`.
pub fn step<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<StepReport, StepError> {
    let mut report = begin(t, m, d)?;
    let outcome = if report.is_frozen() { Ok(()) } else { middle(t, m, d, &mut report) };
    end(t, m, d, report, outcome)
}

/// All of a step between [`begin`] and [`end`].
fn middle<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
    report: &mut StepReport,
) -> Result<(), StepError> {
    forward(t, m, d, true)?;
    if let Some(divergence) = accept(t, m, d)? {
        report.divergence.get_or_insert(divergence);
        if divergence.was_frozen {
            return Ok(());
        }
        if divergence.was_reset {
            forward(t, m, d, true)?;
        }
    }
    if !m.only_rigid() && m.opt.enabled(EnableBit::FwdInv) {
        t.once(|| compare_fwd_inv(m, d))?;
    }
    if m.integrator() == Integrator::Rk4 {
        runge_kutta(t, m, d)?;
    } else {
        report.indefinite = report.indefinite.or(accelerate(t, m, d)?);
    }
    if settle(t, m, d)? {
        forward_asleep(t, m, d)?;
    }
    advance(t, m, d);
    Ok(())
}

/// Compute everything at the present state, without moving it. MuJoCo: `mj_forward`.
pub fn forward<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
    sensors: bool,
) -> Result<(), StepError> {
    position(t, m, d)?;
    contacts(t, m, d)?;
    rows(t, m, d)?;
    if sensors {
        position_sensors(t, m, d)?;
    }
    forward_from_velocity(t, m, d, sensors)
}

/// The stages after those of the configuration.
fn forward_from_velocity<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
    sensors: bool,
) -> Result<(), StepError> {
    velocity(t, m, d)?;
    if sensors {
        velocity_sensors(t, m, d)?;
    }
    forces(t, m, d)?;
    solve(t, m, d)?;
    if sensors {
        acceleration_sensors(t, m, d)?;
    }
    Ok(())
}

/// Check model and state, and keep the state where the step may be taken back; a step that the report calls frozen goes on with [`end`].
pub fn begin<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<StepReport, StepError> {
    check_supported(m, d.sizes)?;
    if m.nsoft > 0 {
        return Err(StepError::Unsupported("a deformable body, by a team"));
    }
    let (report, outcome) = t.once(|| {
        if may_be_taken_back(d) {
            keep_state(d);
        }
        let mut report = StepReport::default();
        let outcome = check_state(m, d, &mut report).map(|_| ());
        (report, outcome)
    });
    match outcome {
        Ok(()) => Ok(report),
        Err(_) => end(t, m, d, report, outcome),
    }
}

/// What follows from the configuration alone: poses, tendons, inertia and its factor. MuJoCo: the beginning of `mj_fwdPosition`.
pub fn position<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    t.once(|| {
        d.head.flg_energypos = 0;
        fwd_kinematics(m, d);
        make_m(m, d);
        factor_m(m, d);
    });
    Ok(())
}

/// Contacts; once more where one of them wakes trees. MuJoCo: `mj_collision`.
pub fn contacts<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    let mut touched = false;
    loop {
        t.once(|| collision(m, d, &mut NoHooks))?;
        if touched {
            break;
        }
        touched = t.once(|| wake_contacts(m, d));
        if !touched {
            break;
        }
    }
    // rows of tendons need the lengths of those that were asleep
    t.once(|| {
        let pulled = wake_equalities(m, d)?;
        if (touched || pulled) && has_tendon_equality(m, d) {
            tendon(m, d);
        }
        Ok(())
    })
}

/// Constraint rows, islands, and what follows from them. MuJoCo: the end of `mj_fwdPosition`.
pub fn rows<S: Storage>(t: &impl Team, m: &Model<S>, d: &mut World<'_>) -> Result<(), StepError> {
    t.once(|| make_constraint(m, d))?;
    t.once(|| island(m, d))?;
    t.once(|| transmission(m, d));
    t.once(|| project_constraint(m, d))
}

/// Sensors of the configuration. MuJoCo: `mj_sensorPos`.
pub fn position_sensors<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    t.once(|| sensor_pos(m, d, &mut NoHooks))
}

/// Potential energy, and what velocity adds: rates, passive and bias forces, accelerations that rows ask for. MuJoCo: `mj_fwdVelocity`.
pub fn velocity<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    t.once(|| {
        position_energy(m, d);
        d.head.flg_subtreevel = 0;
        d.head.flg_energyvel = 0;
        flex_velocity(m, d);
        tendon_velocity(m, d);
        actuator_velocity(m, d);
        com_vel(m, d);
        passive(m, d, &mut NoHooks);
        reference_constraint(m, d);
        bias(m, d);
    });
    Ok(())
}

/// Sensors of velocity. MuJoCo: `mj_sensorVel`.
pub fn velocity_sensors<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    t.once(|| sensor_vel(m, d, &mut NoHooks))
}

/// Kinetic energy, forces of actuators, and the acceleration without constraints. MuJoCo: `mj_fwdActuation`, `mj_fwdAcceleration`.
pub fn forces<S: Storage>(t: &impl Team, m: &Model<S>, d: &mut World<'_>) -> Result<(), StepError> {
    t.once(|| {
        velocity_energy(m, d);
        fwd_actuation(m, d, &mut NoHooks);
        fwd_acceleration(m, d);
    });
    Ok(())
}

/// Forces of constraints, and the acceleration with them. MuJoCo: `mj_fwdConstraint`.
pub fn solve<S: Storage>(t: &impl Team, m: &Model<S>, d: &mut World<'_>) -> Result<(), StepError> {
    if solve_shared(t, m, d)? { Ok(()) } else { t.once(|| fwd_constraint(m, d)) }
}

/// [`solve`] of problems that lanes can share, which those of most robots are; was this one? The forces of others are to be computed by one lane:
/// [`solve_alone`].
pub fn solve_shared<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<bool, StepError> {
    let suits = suits_team(m, d);
    if suits {
        fwd_constraint_by(t, m, d)?;
    }
    Ok(suits)
}

/// [`solve`] of problems that [`solve_shared`] leaves alone.
pub fn solve_alone<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    if suits_team(m, d) { Ok(()) } else { t.once(|| fwd_constraint(m, d)) }
}

/// Sensors of accelerations and forces. MuJoCo: `mj_sensorAcc`.
pub fn acceleration_sensors<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    t.once(|| {
        d.head.flg_rnepost = 0;
        sensor_acc(m, d, &mut NoHooks)
    })
}

/// Check the acceleration. After a divergence that reset the world, everything is to be computed once more before the step goes on; one that
/// froze it ends the step. MuJoCo: `mj_checkAcc`.
pub fn accept<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<Option<Divergence>, StepError> {
    t.once(|| check(m, d, DivergedQuantity::Qacc))
}

/// The acceleration with which the integrator moves the state; returns the first pivot of `implicitfast` that is not positive, if any: see
/// [`StepReport::indefinite`].
pub fn accelerate<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<Option<usize>, StepError> {
    t.once(|| step_acceleration(m, d, Stage::None, &mut NoHooks))
}

/// What changes before velocities do: histories, activations, trees that fall asleep. Did some? Then [`forward_asleep`] comes before
/// [`advance`].
pub fn settle<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<bool, StepError> {
    t.once(|| {
        let memory = core::mem::take(&mut d.scratch.runge_kutta);
        let outcome = advance::settle(m, d, &rates(m, memory));
        d.scratch.runge_kutta = memory;
        outcome
    })
}

/// With what a step moves the state: what is in the world, or what the stages of Runge-Kutta left in their memory.
fn rates<'a, S: Storage>(m: &Model<S>, memory: &'a [Real]) -> Rates<'a> {
    if m.integrator() == Integrator::Rk4 { rk4::mean_rates(m, memory) } else { Rates::OfTheStep }
}

/// A part of a step by Runge-Kutta, between [`accept`] and [`settle`], that is no stage of [`forward`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RungeKutta {
    /// Keep the state and the rates at the beginning.
    Begin,
    /// Go to the state of the second, third or fourth evaluation (0, 1, 2), which [`forward`] without sensors follows.
    GoTo(usize),
    /// Add what it came to.
    Add(usize),
    /// Go back to the beginning, with the mean rates.
    End,
}

/// Take a part of a step by Runge-Kutta, in a world of a fixed size.
pub fn runge_kutta_part<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
    part: RungeKutta,
) {
    t.once(|| {
        let memory = core::mem::take(&mut d.scratch.runge_kutta);
        // worlds of a fixed size keep the state before a step
        let time = d.scratch.before[0];
        match part {
            RungeKutta::Begin => rk4::begin(m, d, memory),
            RungeKutta::GoTo(stage) => rk4::go_to(m, d, memory, stage, time),
            RungeKutta::Add(stage) => rk4::add(m, d, memory, stage),
            RungeKutta::End => rk4::end(m, d, memory, time),
        }
        d.scratch.runge_kutta = memory;
    });
}

/// What depends on velocity, with the trees at rest that just fell asleep.
pub fn forward_asleep<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    forward_from_velocity(t, m, d, true)?;
    t.once(|| update_sleep(m, d));
    Ok(())
}

/// Velocity, position and time move. MuJoCo: the end of `mj_advance`.
pub fn advance<S: Storage>(t: &impl Team, m: &Model<S>, d: &mut World<'_>) {
    t.once(|| {
        let memory = core::mem::take(&mut d.scratch.runge_kutta);
        move_state(m, d, &rates(m, memory));
        d.scratch.runge_kutta = memory;
    });
}

/// The stages of a step by Runge-Kutta, whose first one is there.
fn runge_kutta<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    let memory = core::mem::take(&mut d.scratch.runge_kutta);
    let outcome = rk4::stages(t, m, d, memory, |d| forward(t, m, d, false));
    d.scratch.runge_kutta = memory;
    outcome
}

/// The end of a step, however it went: where it failed or is to be taken back, the state before it is there again. The report and the outcome are
/// those of the groups before; the report of the step comes back.
pub fn end<S: Storage>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_>,
    report: StepReport,
    outcome: Result<(), StepError>,
) -> Result<StepReport, StepError> {
    t.once(|| {
        let mut report = report;
        if may_be_taken_back(d) {
            end_guarded(m, d, &mut report, outcome)?;
        } else {
            outcome?;
        }
        Ok(report)
    })
}
