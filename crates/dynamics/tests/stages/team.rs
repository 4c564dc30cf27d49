//! Steps by teams of lanes: the same bits as the plain step, in whatever order the lanes run.
use ferrodyn::dynamics::data::{Capacity, FixedLayout};
use ferrodyn::dynamics::divergence::DivergencePolicy;
use ferrodyn::dynamics::hooks::NoHooks;
use ferrodyn::dynamics::plugin::Plugins;
use ferrodyn::dynamics::step::step_world;
use ferrodyn::dynamics::{OwnedWorld, StepError, StepReport, World, team};
use ferrodyn::math::{Alone, Team};
use ferrodyn::{Cone, Integrator, JacobianType, ModelArrays as Model, Solver};
use ferrodyn_testing::{Reversed, Shuffled, load, repository};

/// A world in memory of its own, with room for so many contacts and rows.
struct Memory {
    layout: FixedLayout,
    block: Vec<u64>,
    stack: Vec<u64>,
    plugins: Plugins,
}

impl Memory {
    fn new(m: &Model, capacity: Capacity) -> Memory {
        let layout = FixedLayout::new(m, capacity);
        let (mut block, mut stack) = (vec![0; layout.words()], vec![0; layout.stack_words()]);
        let plugins = OwnedWorld::new(m).plugins().clone();
        layout.make(m, &mut block, &mut stack, &plugins).unwrap();
        Memory { layout, block, stack, plugins }
    }

    fn world(&mut self) -> World<'_> {
        self.layout.view(&mut self.block, &mut self.stack, &self.plugins).unwrap()
    }

    /// Move the world somewhere else, in a way that depends on the step.
    fn disturb(&mut self, step: usize) {
        let d = self.world();
        for (i, ctrl) in d.ctrl.iter_mut().enumerate() {
            *ctrl = ferrodyn::math::sin((3 * step + 5 * i) as ferrodyn::math::Real * 0.1);
        }
    }
}

/// All of a world's memory after each of some steps.
fn trajectory(
    m: &Model,
    capacity: Capacity,
    steps: usize,
    mut step: impl FnMut(&mut Memory) -> Result<StepReport, StepError>,
) -> Vec<(Result<StepReport, StepError>, Vec<u64>)> {
    let mut memory = Memory::new(m, capacity);
    (0..steps)
        .map(|i| {
            memory.disturb(i);
            (step(&mut memory), memory.block.clone())
        })
        .collect()
}

/// The room that the world needs, with a little more of everything.
fn capacity(m: &Model, steps: usize) -> Option<Capacity> {
    let mut grown = OwnedWorld::try_new(m).ok()?;
    for _ in 0..steps {
        ferrodyn::dynamics::step(m, &mut grown).ok()?;
    }
    let Capacity { contacts, rows, jacobian, projected, records, pairs } =
        Capacity::of(&grown.view_mut());
    let most = |n: usize| 2 * n + 20;
    Some(Capacity {
        contacts: most(contacts),
        rows: most(rows),
        jacobian: most(jacobian) + 20 * m.nv,
        projected: if projected > 0 { most(rows) * most(rows) } else { 0 },
        records: records.max(200),
        pairs: most(pairs),
    })
}

/// One step, group by group, each with a view of its own: what lanes see that waited during the group before.
fn step_by_groups<T: Team>(t: &T, m: &Model, memory: &mut Memory) -> Result<StepReport, StepError> {
    let report = team::begin(t, m, &mut memory.world())?;
    let groups: [Group<T>; 9] = [
        |t, m, d| team::position(t, m, d),
        |t, m, d| team::contacts(t, m, d),
        |t, m, d| team::rows(t, m, d),
        |t, m, d| team::position_sensors(t, m, d),
        |t, m, d| team::velocity(t, m, d),
        |t, m, d| team::velocity_sensors(t, m, d),
        |t, m, d| team::forces(t, m, d),
        |t, m, d| team::solve(t, m, d),
        |t, m, d| team::acceleration_sensors(t, m, d),
    ];
    let outcome = groups.iter().try_for_each(|group| group(t, m, &mut memory.world()));
    let outcome = outcome.and_then(|()| {
        let accepted = team::accept(t, m, &mut memory.world())?;
        assert_eq!(accepted, None);
        if m.integrator() == Integrator::Rk4 {
            step_by_parts(t, m, memory, &groups)?;
        } else {
            team::accelerate(t, m, &mut memory.world())?;
        }
        assert!(!team::settle(t, m, &mut memory.world())?);
        team::advance(t, m, &mut memory.world());
        Ok(())
    });
    team::end(t, m, &mut memory.world(), report, outcome)
}

type Group<T> = fn(&T, &Model, &mut World<'_>) -> Result<(), StepError>;

/// The later stages of Runge-Kutta, group by group.
fn step_by_parts<T: Team>(
    t: &T,
    m: &Model,
    memory: &mut Memory,
    groups: &[Group<T>],
) -> Result<(), StepError> {
    use team::RungeKutta::{Add, Begin, End, GoTo};
    team::runge_kutta_part(t, m, &mut memory.world(), Begin);
    for stage in 0..3 {
        team::runge_kutta_part(t, m, &mut memory.world(), GoTo(stage));
        // without the sensors
        for group in [0, 1, 2, 4, 6, 7] {
            groups[group](t, m, &mut memory.world())?;
        }
        team::runge_kutta_part(t, m, &mut memory.world(), Add(stage));
    }
    team::runge_kutta_part(t, m, &mut memory.world(), End);
    Ok(())
}

/// Steps by several teams leave the very memory of plain steps.
#[track_caller]
fn check_same_memory(m: &Model, what: &str, capacity: Capacity, steps: usize) {
    let plain =
        trajectory(m, capacity, steps, |memory| step_world(m, &mut memory.world(), &mut NoHooks));
    let shuffled = Shuffled::default();
    for (team, stepped) in [
        ("alone", trajectory(m, capacity, steps, |w| team::step(&Alone, m, &mut w.world()))),
        ("reversed", trajectory(m, capacity, steps, |w| team::step(&Reversed, m, &mut w.world()))),
        ("shuffled", trajectory(m, capacity, steps, |w| team::step(&shuffled, m, &mut w.world()))),
    ] {
        for (step, (found, expected)) in stepped.iter().zip(&plain).enumerate() {
            assert_eq!(found.0, expected.0, "{what}, {team}, step {step}");
            let word = found.1.iter().zip(&expected.1).position(|(a, b)| a != b);
            assert_eq!(word, None, "{what}, {team}, step {step}");
        }
    }
}

/// Every model of the small collection that loads, and is not too large.
fn each_model(mut check: impl FnMut(&str, &Model)) {
    for folder in ["conformance/models", "conformance/models/kinds"] {
        let mut files: Vec<_> = std::fs::read_dir(repository(folder))
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        for path in files {
            let Ok(m) = ferrodyn::Model::from_xml_path(&path) else { continue };
            // large flexes take long, and deformable bodies are not for teams
            if m.nflex > 0 && m.nv + m.nflexvert > 240 || m.nsoft > 0 {
                continue;
            }
            check(&path.file_name().unwrap().to_string_lossy(), &m);
        }
    }
}

#[test]
fn a_team_leaves_the_memory_of_a_plain_step_with_models_of_all_kinds() {
    let (mut checked, mut with_rows) = (0, 0);
    each_model(|name, m| {
        let Some(capacity) = capacity(m, 20) else { return };
        check_same_memory(m, name, capacity, 12);
        checked += 1;
        with_rows += usize::from(capacity.rows > 20);
    });
    assert!(checked > 100 && with_rows > 50, "{checked} models, {with_rows} of them with rows");
}

/// Boxes, a capsule and a sphere on a floor and on each other, an arm with limits and friction, driven.
const MIXED: &str = r#"<mujoco>
  <default><geom friction="0.8 0.02 0.01"/></default>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos=".02 0 .298"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos=".01 .02 .45"><freejoint/><geom type="capsule" size=".05 .1" euler="0 90 0"/></body>
    <body pos=".5 0 .049"><freejoint/><geom type="sphere" size=".05" condim="6"/></body>
    <body pos="-.5 0 .5">
      <joint name="a" axis="0 1 0" range="-30 30" limited="true" frictionloss=".1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body pos=".3 0 0"><joint name="b" axis="0 1 0" damping=".1" range="-20 20" limited="true"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
    </body>
  </worldbody>
  <equality><joint joint1="a" joint2="b" polycoef="0 .5 0 0 0"/></equality>
  <actuator><motor joint="a" gear="3"/><motor joint="b"/></actuator>
</mujoco>"#;

#[test]
fn every_solver_cone_jacobian_and_integrator_has_the_same_memory() {
    let base = Model::clone(&load(MIXED));
    for solver in [Solver::Newton, Solver::Cg, Solver::Pgs] {
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            for jacobian in [JacobianType::Dense, JacobianType::Sparse] {
                for noslip in [0, 3] {
                    let mut m = base.clone();
                    m.opt.solver = solver as i32;
                    m.opt.cone = cone as i32;
                    m.opt.jacobian = jacobian as i32;
                    m.opt.noslip_iterations = noslip;
                    let what = format!("{solver:?} {cone:?} {jacobian:?} {noslip}");
                    let capacity = Capacity::new(&m, 60, 250);
                    check_same_memory(&m, &what, capacity, 12);
                }
            }
        }
    }
    for integrator in [Integrator::Rk4, Integrator::Implicit, Integrator::ImplicitFast] {
        let mut m = base.clone();
        m.opt.integrator = integrator as i32;
        check_same_memory(&m, &format!("{integrator:?}"), Capacity::new(&m, 60, 250), 12);
    }
}

#[test]
fn groups_need_nothing_that_a_view_keeps() {
    let base = Model::clone(&load(MIXED));
    for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::ImplicitFast] {
        let mut m = base.clone();
        m.opt.integrator = integrator as i32;
        let capacity = Capacity::new(&m, 60, 250);
        let plain = trajectory(&m, capacity, 20, |memory| {
            step_world(&m, &mut memory.world(), &mut NoHooks)
        });
        let grouped = trajectory(&m, capacity, 20, |memory| step_by_groups(&Reversed, &m, memory));
        assert!(plain == grouped, "{integrator:?}");
    }
}

/// Steps of a model as one of rigid bodies alone leave the memory of plain steps; is it one?
#[track_caller]
fn check_rigid(m: &Model, what: &str, capacity: Capacity) -> bool {
    let Ok(rigid) = m.rigid() else { return false };
    let plain = trajectory(m, capacity, 8, |w| step_world(m, &mut w.world(), &mut NoHooks));
    let shuffled = Shuffled::default();
    let stepped = trajectory(m, capacity, 8, |w| team::step(&shuffled, &rigid, &mut w.world()));
    assert!(stepped == plain, "{what}");
    true
}

#[test]
fn a_model_of_rigid_bodies_alone_steps_as_any_other() {
    let (mut rigid, mut others) = (0, 0);
    each_model(|name, m| {
        let Some(capacity) = capacity(m, 20) else { return };
        *if check_rigid(m, name, capacity) { &mut rigid } else { &mut others } += 1;
    });
    assert!(rigid > 100 && others > 5, "{rigid} models, {others} with more than rigid bodies");
    // every solver, where there are rows
    for solver in [Solver::Newton, Solver::Cg, Solver::Pgs] {
        let mut m = Model::clone(&load(MIXED));
        m.opt.solver = solver as i32;
        assert!(check_rigid(&m, &format!("{solver:?}"), Capacity::new(&m, 60, 250)));
    }
}

#[test]
fn a_divergence_of_rigid_bodies_is_an_error_whatever_the_policy() {
    let m = Model::clone(&load(MIXED));
    let mut memory = Memory::new(&m, Capacity::new(&m, 60, 250));
    let mut d = memory.world();
    d.set_divergence_policy(DivergencePolicy::AsMuJoCo);
    d.qfrc_applied[0] = 1e30;
    let outcome = team::step(&Reversed, &m.rigid().unwrap(), &mut d);
    assert!(matches!(outcome, Err(StepError::Diverged(_))), "{outcome:?}");
}

#[test]
fn a_team_takes_back_what_finds_no_room() {
    let m = Model::clone(&load(MIXED));
    let capacity = Capacity::new(&m, 8, 250);
    check_same_memory(&m, "eight contacts", capacity, 5);
    let mut memory = Memory::new(&m, capacity);
    let before = memory.world().qpos.to_vec();
    let outcome = team::step(&Reversed, &m, &mut memory.world());
    assert!(matches!(outcome, Err(StepError::NoRoom { what: "contacts", .. })), "{outcome:?}");
    assert_eq!(memory.world().qpos, before);
}

#[test]
fn a_world_that_diverges_does_so_in_a_team() {
    let mut m = Model::clone(&load(MIXED));
    let capacity = Capacity::new(&m, 60, 250);
    // of an acceleration, and at the beginning of a step of a velocity
    for quantity in ["qacc", "qvel"] {
        for policy in
            [DivergencePolicy::AsMuJoCo, DivergencePolicy::Error, DivergencePolicy::Freeze]
        {
            let run = |step: &dyn Fn(&mut World<'_>) -> Result<StepReport, StepError>| {
                let mut memory = Memory::new(&m, capacity);
                let mut d = memory.world();
                d.set_divergence_policy(policy);
                step(&mut d).unwrap();
                if quantity == "qacc" {
                    d.qfrc_applied[0] = 1e30;
                } else {
                    d.qvel[2] = ferrodyn::math::Real::NAN;
                }
                (step(&mut d), memory.block)
            };
            let plain = run(&|d| step_world(&m, d, &mut NoHooks));
            assert!(plain.0.is_err() || plain.0.unwrap().divergence.is_some());
            let team = run(&|d| team::step(&Reversed, &m, d));
            // numbers that are none differ from themselves
            assert_eq!(format!("{:?}", team.0), format!("{:?}", plain.0), "{quantity} {policy:?}");
            assert!(team.1 == plain.1, "{quantity} {policy:?}");
        }
    }
    // a model that cannot be stepped
    m.opt.integrator = 17;
    let mut memory = Memory::new(&load(MIXED), capacity);
    let outcome = team::step(&Alone, &m, &mut memory.world());
    assert_eq!(outcome, Err(StepError::InvalidIntegrator(17)));
}
