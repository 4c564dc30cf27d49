//! Worlds that go abreast: the bits, the results and the outcome of each are those that it has alone.
use ferrodyn::dynamics::divergence::DivergencePolicy;
use ferrodyn::dynamics::integrate::integrate_pos;
use ferrodyn::dynamics::lanes::{Group, supports};
use ferrodyn::dynamics::{OwnedWorld, data, step};
use ferrodyn::math::{Real, Vec3, by_precision, double};
use ferrodyn::{DisableBit, Integrator, Model, ModelArrays, StateBit};
use ferrodyn_testing::{load, repository};

const STATE: i32 = StateBit::Integration as i32;

/// Numbers between -1 and 1 that look like chance.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> Real {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f64 / f64::from(1 << 23) - 1.0) as Real
    }

    fn fill(&mut self, numbers: &mut [Real], size: Real) {
        numbers.iter_mut().for_each(|x| *x = size * self.next());
    }
}

/// A world in a state that is nothing special, and none of the others has.
fn somewhere(m: &ModelArrays, chance: &mut Chance) -> OwnedWorld {
    let mut world = OwnedWorld::new(m);
    let mut direction = vec![0.0; m.nv];
    chance.fill(&mut direction, 0.3);
    integrate_pos(m, world.qpos_mut(), &direction, 1.0);
    chance.fill(world.qvel_mut(), 0.5);
    chance.fill(world.act_mut(), 0.2);
    chance.fill(world.ctrl_mut(), 0.7);
    // one world in two is pushed
    if chance.next() > 0.0 {
        chance.fill(world.qfrc_applied_mut(), 0.1);
        chance.fill(world.xfrc_applied_mut().as_flattened_mut(), 0.1);
    }
    if m.neq > 0 && chance.next() > 0.0 {
        world.eq_active_mut()[0] ^= 1;
    }
    world
}

fn state_of(m: &ModelArrays, world: &OwnedWorld) -> Vec<Real> {
    data::get_state(m, world, STATE).unwrap()
}

fn bits(numbers: &[Real]) -> Vec<u64> {
    numbers.iter().map(|x| double(*x).to_bits()).collect()
}

/// Every array whose bytes differ.
fn different(found: &OwnedWorld, expected: &OwnedWorld) -> Vec<String> {
    let arrays = found.arrays().into_iter().zip(expected.arrays());
    let mut names: Vec<String> =
        arrays.filter(|(a, b)| a.bytes != b.bytes).map(|(a, _)| a.info.name.to_string()).collect();
    let (ours, theirs) = (found.work(), expected.work());
    if ours.contact != theirs.contact {
        names.push("contact".into());
    }
    let work = ours.arrays().into_iter().zip(theirs.arrays());
    names.extend(work.filter(|(a, b)| a.1 != b.1).map(|(a, _)| a.0.name.to_string()));
    if found.header() != expected.header() {
        names.push("header".into());
    }
    names
}

/// Step worlds alone and in a group, with other controls in each world and call; compare states after each call, and all results of the last.
#[track_caller]
fn compare<const K: usize>(name: &str, m: &ModelArrays, mut alone: Vec<OwnedWorld>) {
    let mut group = Group::<K>::new(m).unwrap();
    let mut chance = Chance(7);
    for (k, world) in alone.iter().enumerate() {
        group.load(k, &state_of(m, world)).unwrap();
    }
    let mut ctrl = vec![0.0; m.nu];
    // as many steps as there can be contacts in, and calls of one step
    for (call, steps) in [1, 40, 1, 25, 2].into_iter().enumerate() {
        for (k, world) in alone.iter_mut().enumerate() {
            chance.fill(&mut ctrl, 1.5);
            world.ctrl_mut().copy_from_slice(&ctrl);
            group.set_ctrl(k, &ctrl);
        }
        let complete = call % 2 == 0;
        group.step(m, steps, complete).unwrap();
        for (k, world) in alone.iter_mut().enumerate() {
            let outcome = step::step_n(m, world, steps, None);
            let place = format!("{name}, {} worlds, world {k}, call {call}", Group::<K>::WORLDS);
            assert_eq!(format!("{:?}", group.outcome(k)), format!("{outcome:?}"), "{place}");
            let mut state = state_of(m, world);
            let expected = bits(&state);
            group.store(k, &mut state).unwrap();
            assert_eq!(bits(&state), expected, "state of {place}");
            if complete && outcome.is_ok() {
                let found = different(group.results(k), world);
                assert!(found.is_empty(), "{place}: {found:?}");
            }
        }
    }
}

/// Both widths; fewer worlds than there are lanes, too.
#[track_caller]
fn compare_widths(name: &str, m: &ModelArrays) {
    let worlds = |count: usize| {
        let mut chance = Chance(count as u64);
        (0..count).map(|_| somewhere(m, &mut chance)).collect::<Vec<_>>()
    };
    compare::<1>(name, m, worlds(4));
    compare::<2>(name, m, worlds(7));
}

/// The models of a folder that can be read and grouped.
fn models(folder: &str) -> Vec<(String, Model)> {
    let mut files: Vec<_> = std::fs::read_dir(repository(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "xml"))
        .collect();
    files.sort();
    files
        .into_iter()
        .filter_map(|path| {
            let model = Model::from_xml_path(&path).ok()?;
            let groups = supports(&*model).is_ok() && OwnedWorld::try_new(&model).is_ok();
            groups.then(|| (path.file_stem().unwrap().to_string_lossy().into_owned(), model))
        })
        .collect()
}

#[test]
fn worlds_of_all_models_have_the_bits_that_they_have_alone() {
    let mut count = 0;
    for folder in ["conformance/models", "benches/models"] {
        for (name, model) in models(folder) {
            compare_widths(&name, &model);
            count += 1;
        }
    }
    assert!(count >= 60, "only {count} models have worlds that can go abreast");
}

/// Joints of all kinds, contacts, limits, tendons and actuators of all kinds that go abreast.
const ALL: &str = "<mujoco>
  <option timestep='.005'/>
  <default><joint damping='.1' armature='.01'/><geom friction='.8'/></default>
  <worldbody>
    <geom type='plane' size='2 2 .1'/>
    <camera pos='0 -2 1' mode='targetbody' target='ball'/>
    <light pos='0 0 3' mode='trackcom'/>
    <body name='ball' pos='0 0 .4'>
      <freejoint/>
      <geom type='capsule' size='.05 .1' mass='1'/>
      <body pos='.1 0 0'>
        <joint name='swing' type='ball' stiffness='2' springref='0' range='0 40' limited='true'/>
        <geom type='box' size='.05 .03 .03' mass='.3'/>
        <camera mode='track' pos='0 0 1'/>
      </body>
    </body>
    <body pos='1 0 .6' gravcomp='.5'>
      <joint name='a' axis='0 1 0' range='-20 20' limited='true' stiffness='3' springref='10'/>
      <geom type='capsule' fromto='0 0 0 .2 0 0' size='.03' mass='.5'/>
      <body pos='.2 0 0'>
        <joint name='b' axis='0 1 0' frictionloss='.05'/>
        <joint name='c' type='slide' axis='1 0 0' range='-.05 .05' limited='true' actuatorfrcrange='-1 1'/>
        <geom type='capsule' fromto='0 0 0 .2 0 0' size='.03' mass='.5'/>
        <site name='tip' pos='.2 0 0'/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name='pair' limited='true' range='-.3 .3' springlength='-.1 .1' stiffness='5' damping='.2' actuatorfrclimited='true' actuatorfrcrange='-.6 .6'>
      <joint joint='a' coef='1'/><joint joint='b' coef='-.5'/>
    </fixed>
    <fixed name='heavy' armature='.02'><joint joint='b' coef='1'/><joint joint='c' coef='2'/></fixed>
  </tendon>
  <equality><joint joint1='a' joint2='b' polycoef='0 .5 0 0 0' active='false'/></equality>
  <actuator>
    <motor joint='a' gear='2' ctrllimited='true' ctrlrange='-1 1'/>
    <position joint='b' kp='5' kv='.3' forcelimited='true' forcerange='-.4 .4'/>
    <velocity joint='c' kv='3'/>
    <general joint='swing' gear='0 1 0' dyntype='filter' dynprm='.1' gainprm='.4'/>
    <general jointinparent='swing' gear='1 0 0' dyntype='filterexact' dynprm='.05' actearly='true'/>
    <intvelocity joint='b' kp='3' actrange='-.3 .3'/>
    <motor tendon='pair' gear='.7'/>
    <general tendon='pair' gaintype='affine' gainprm='1 .5 .2'/>
  </actuator>
  <sensor><accelerometer site='tip'/><actuatorfrc actuator='a'/><clock/><tendonpos tendon='pair'/></sensor>
</mujoco>";

/// [`ALL`], with the names of actuators that its sensors ask for.
fn all() -> Model {
    load(&ALL.replacen("<motor joint='a'", "<motor name='a' joint='a'", 1))
}

#[test]
fn every_integrator_and_both_kinds_of_matrices() {
    for integrator in [
        Integrator::Euler,
        Integrator::Rk4,
        Integrator::Implicit,
        Integrator::ImplicitFast,
        Integrator::ImplicitSpringDamper,
    ] {
        for jacobian in [0, 1] {
            let mut model = all();
            model.edit(|m| {
                m.opt.integrator = integrator as i32;
                m.opt.jacobian = jacobian;
            });
            compare_widths(&format!("{integrator:?}, matrices {jacobian}"), &model);
        }
    }
}

/// A force of zero adds no zeros, which would change the sign of others: in worlds at rest only.
#[test]
fn sums_to_which_nothing_is_added_keep_their_signs() {
    for jacobian in ["dense", "sparse"] {
        let model = load(&format!(
            "<mujoco><option jacobian='{jacobian}' gravity='0 0 0'/><worldbody>
               <body><joint name='a' axis='0 1 0' stiffness='2'/><geom size='.1' pos='.2 0 0'/>
                 <body pos='.5 0 0'><joint name='b' axis='0 1 0' stiffness='1'/><geom size='.1' pos='.2 0 0'/></body></body>
             </worldbody>
             <tendon><fixed springlength='-.2 .2' stiffness='3' damping='.1'>
               <joint joint='a' coef='1'/><joint joint='b' coef='2'/></fixed></tendon></mujoco>"
        ));
        let mut worlds: Vec<_> = (0..4).map(|_| OwnedWorld::new(&model)).collect();
        worlds[1].qpos_mut().fill(0.5);
        worlds[2].qvel_mut().fill(0.5);
        compare::<1>(jacobian, &model, worlds.clone());
        // such a sign is there to be lost
        step::step(&model, &mut worlds[0]).unwrap();
        assert!(worlds[0].qfrc_spring()[0].is_sign_negative(), "{:?}", worlds[0].qfrc_spring());
    }
}

#[test]
fn a_fluid_with_wind_around_boxes_and_ellipsoids() {
    for shape in ["none", "ellipsoid"] {
        for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::Implicit] {
            let text =
                ALL.replacen("<geom friction", &format!("<geom fluidshape='{shape}' friction"), 1);
            let mut model =
                load(&text.replacen("<motor joint='a'", "<motor name='a' joint='a'", 1));
            model.edit(|m| {
                m.opt.integrator = integrator as i32;
                (m.opt.density, m.opt.viscosity) = (30.0, 0.2);
                m.opt.wind = Vec3::new(0.5, -0.2, 0.1);
            });
            compare_widths(&format!("{shape}, {integrator:?}"), &model);
            // a fluid asks for the poses of geoms, also where nothing touches
            model.edit(|m| m.opt.disableflags |= DisableBit::Contact as i32);
            compare_widths(&format!("{shape}, {integrator:?}, no contacts"), &model);
        }
    }
}

#[test]
fn settings_that_switch_parts_off() {
    for bit in 0..19 {
        let mut model = all();
        model.edit(|m| m.opt.disableflags |= 1 << bit);
        compare_widths(&format!("without feature {bit}"), &model);
    }
    for solver in 0..3 {
        let mut model = all();
        model.edit(|m| m.opt.solver = solver);
        compare_widths(&format!("solver {solver}"), &model);
    }
}

/// A world that diverges, and how: a number of its state, or one so large that its acceleration becomes bad.
#[test]
fn a_world_that_diverges_touches_no_other_and_tells_what_it_tells_alone() {
    for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::ImplicitFast] {
        for policy in
            [DivergencePolicy::AsMuJoCo, DivergencePolicy::Error, DivergencePolicy::Freeze]
        {
            let large = by_precision(1e9, 1e9);
            for (size, at_position) in [(Real::NAN, true), (Real::NAN, false), (large, false)] {
                let mut model = all();
                model.edit(|m| m.opt.integrator = integrator as i32);
                let mut group = Group::<1>::new(&model).unwrap();
                group.set_divergence_policy(policy);
                let mut chance = Chance(3);
                let mut alone: Vec<_> = (0..4).map(|_| somewhere(&model, &mut chance)).collect();
                for world in &mut alone {
                    world.set_divergence_policy(policy);
                }
                let bad = &mut alone[2];
                if at_position {
                    bad.qpos_mut()[1] = size
                } else {
                    bad.qvel_mut()[3] = size
                };
                for (k, world) in alone.iter_mut().enumerate() {
                    group.load(k, &state_of(&model, world)).unwrap();
                }
                group.step(&model, 12, true).unwrap();
                for (k, world) in alone.iter_mut().enumerate() {
                    let outcome = step::step_n(&model, world, 12, None);
                    let place = format!("{integrator:?}, {policy:?}, {size}, world {k}");
                    assert_eq!(
                        format!("{:?}", group.outcome(k)),
                        format!("{outcome:?}"),
                        "{place}"
                    );
                    let told = !outcome.is_ok_and(|report| report.divergence.is_none());
                    assert_eq!(told, k == 2, "{place}: {outcome:?}");
                    let mut state = state_of(&model, world);
                    let expected = bits(&state);
                    group.store(k, &mut state).unwrap();
                    assert_eq!(bits(&state), expected, "{place}");
                }
            }
        }
    }
}

#[test]
fn a_bad_control_counts_in_its_world_alone() {
    let model = all();
    let mut group = Group::<1>::new(&model).unwrap();
    let mut chance = Chance(5);
    let mut alone: Vec<_> = (0..4).map(|_| somewhere(&model, &mut chance)).collect();
    alone[1].ctrl_mut()[3] = Real::NAN;
    for (k, world) in alone.iter_mut().enumerate() {
        group.load(k, &state_of(&model, world)).unwrap();
    }
    group.step(&model, 5, true).unwrap();
    for (k, world) in alone.iter_mut().enumerate() {
        step::step_n(&model, world, 5, None).unwrap();
        assert_eq!(group.results(k).qpos(), world.qpos(), "world {k}");
        assert_eq!(group.results(k).header().warning, world.header().warning, "world {k}");
    }
}

#[test]
fn a_group_can_be_given_to_a_thread() {
    fn is_send<T: Send>() {}
    is_send::<Group<1>>();
}

#[test]
fn what_worlds_do_not_share_is_refused_with_a_reason() {
    let text = |option: &str, rest: &str| {
        format!(
            "<mujoco><option {option}/><worldbody><body><joint name='j'/><geom size='.1'/><site name='s'/><site name='t' pos='0 0 1'/></body></worldbody>{rest}</mujoco>"
        )
    };
    for (option, rest, reason) in [
        ("density='1' integrator='implicitfast'", "", "a fluid"),
        ("", "<actuator><muscle joint='j' lengthrange='0 1'/></actuator>", "muscles"),
        ("", "<actuator><motor site='s'/></actuator>", "sites"),
        ("", "<tendon><spatial><site site='s'/><site site='t'/></spatial></tendon>", "spatial"),
    ] {
        let refused = supports(&*load(&text(option, rest))).unwrap_err().to_string();
        assert!(refused.contains(reason), "{refused}");
    }
    assert!(supports(&*load(&text("", ""))).is_ok());
}
