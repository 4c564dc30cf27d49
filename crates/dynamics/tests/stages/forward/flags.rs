//! The flags of `<option>`: each switches its stage off or on, at the next step.
use ferrodyn::{Data, DisableBit, Model, Solver, load_model};
use ferrodyn_testing::{forward, load, run};

fn with_flags(flags: &str, body: &str) -> Model {
    load(&format!("<mujoco><option><flag {flags}/></option>{body}</mujoco>"))
}

const BALL: &str = "<worldbody><geom type='plane' size='1 1 1'/>\
    <body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody>";

#[test]
fn without_flags_nothing_is_disabled_or_enabled() {
    let model = load("<mujoco/>");
    assert_eq!((model.opt.disableflags, model.opt.enableflags), (0, 0));
    let model = with_flags("contact='enable' energy='disable'", "");
    assert_eq!((model.opt.disableflags, model.opt.enableflags), (0, 0));
}

#[test]
fn every_attribute_sets_its_bit() {
    let disable = [
        "constraint",
        "equality",
        "frictionloss",
        "limit",
        "contact",
        "spring",
        "damper",
        "gravity",
        "clampctrl",
        "warmstart",
        "filterparent",
        "actuation",
        "refsafe",
        "sensor",
        "midphase",
        "eulerdamp",
        "autoreset",
        "nativeccd",
        "island",
    ];
    for (bit, name) in disable.iter().enumerate() {
        let model = with_flags(&format!("{name}='disable'"), "");
        assert_eq!(model.opt.disableflags, 1 << bit, "{name}");
    }
    let enable = ["override", "energy", "fwdinv", "invdiscrete", "multiccd", "sleep"];
    for (bit, name) in enable.iter().enumerate() {
        let model = with_flags(&format!("{name}='enable'"), "");
        assert_eq!(model.opt.enableflags, 1 << bit, "{name}");
    }
}

#[test]
fn a_flag_that_mujoco_does_not_have_is_refused() {
    let error =
        load_model("<mujoco><option><flag passive='disable'/></option></mujoco>").unwrap_err();
    assert_eq!(error.diagnostics[0].line, 1, "{error}");
}

#[test]
fn without_contacts_a_ball_falls_through_the_floor() {
    let data = run(&with_flags("contact='disable'", BALL), 100);
    assert_eq!(data.header().ncon, 0);
    assert!(data.qpos()[2] < 0.0);
    assert_eq!(run(&with_flags("", BALL), 100).header().ncon, 1);
}

#[test]
fn without_gravity_a_free_body_stays_put() {
    let model = with_flags("gravity='disable' contact='disable'", BALL);
    let data = run(&model, 100);
    assert_eq!(data.qpos(), &*model.qpos0);
}

#[test]
fn without_limits_a_hinge_passes_its_range() {
    let hinge = "<worldbody><body><joint axis='0 1 0' range='0 90'/><geom type='capsule' fromto='0 0 0 .5 0 0' size='.05'/></body></worldbody>\
        <compiler autolimits='true'/>";
    let turned = |flags: &str| {
        let model = with_flags(flags, hinge);
        let mut data = model.make_data();
        data.qvel_mut()[0] = 10.0;
        data.step_n(&model, 200).unwrap();
        data.qpos()[0].to_degrees()
    };
    assert!(turned("limit='disable'") > 120.0);
    assert!(turned("") < 100.0);
}

#[test]
fn without_equality_welded_bodies_separate() {
    let bodies = "<worldbody><body name='a' pos='0 0 1'><freejoint/><geom size='.1'/></body>\
        <body name='b' pos='0 1 1'><joint name='s' type='slide' axis='0 0 1'/><joint name='t' type='slide' axis='1 0 0'/><geom size='.1'/></body>\
        </worldbody><tendon><fixed name='u'><joint joint='s' coef='1'/></fixed><fixed name='v'><joint joint='t' coef='1'/></fixed></tendon>";
    for equality in [
        "<weld body1='a'/>",
        "<connect body1='a' anchor='0 0 0'/>",
        "<joint joint1='s'/>",
        "<tendon tendon1='u' tendon2='v'/>",
    ] {
        let xml = format!("{bodies}<equality>{equality}</equality>");
        assert_eq!(run(&with_flags("equality='disable'", &xml), 10).header().nefc, 0);
        let fallen = |data: &Data| [data.qpos()[2] - 1.0, data.qpos()[7]].map(|z| z < -0.1);
        assert_eq!(fallen(&run(&with_flags("equality='disable'", &xml), 100)), [true; 2]);
        let held = run(&with_flags("", &xml), 100);
        assert!(held.header().ne > 0);
        assert_ne!(fallen(&held), [true; 2], "{equality}");
    }
}

const SPRING: &str = "<worldbody><body><joint type='slide' stiffness='100' damping='10'/><geom size='.1' mass='1' pos='0 0 0'/></body></worldbody>";

#[test]
fn springs_and_dampers_are_switched_apart() {
    let forces = |flags: &str| {
        let model = with_flags(flags, SPRING);
        let mut data = model.make_data();
        data.qpos_mut()[0] = 0.1;
        data.qvel_mut()[0] = 0.2;
        data.forward(&model).unwrap();
        (data.qfrc_spring()[0], data.qfrc_damper()[0])
    };
    assert_eq!(forces(""), (-10.0, -2.0));
    assert_eq!(forces("spring='disable'"), (0.0, -2.0));
    assert_eq!(forces("damper='disable'"), (-10.0, 0.0));
    assert_eq!(forces("spring='disable' damper='disable'"), (0.0, 0.0));
}

const DRIVEN: &str = "<worldbody><body><joint name='j' type='slide'/><geom size='.1'/></body></worldbody>\
    <actuator><motor joint='j'/></actuator><sensor><jointpos joint='j'/></sensor>";

#[test]
fn without_actuation_controls_have_no_effect() {
    let moved = |flags: &str| {
        let model = with_flags(&format!("gravity='disable' {flags}"), DRIVEN);
        let mut data = model.make_data();
        data.ctrl_mut()[0] = 1.0;
        data.step_n(&model, 10).unwrap();
        (data.qpos()[0], data.actuator_force()[0])
    };
    assert_eq!(moved("actuation='disable'"), (0.0, 0.0));
    assert!(moved("").0 > 0.0);
}

#[test]
fn without_sensors_their_values_stay() {
    let model = with_flags("sensor='disable'", DRIVEN);
    let mut data = model.make_data();
    data.qpos_mut()[0] = 0.3;
    data.view_mut().sensordata[0] = 7.0;
    data.forward(&model).unwrap();
    assert_eq!(data.sensordata(), [7.0]);
    data.forward(&with_flags("", DRIVEN)).unwrap();
    assert_eq!(data.sensordata(), [0.3]);
}

/// Three boxes on top of each other, with a solver that takes many iterations.
fn stack(warmstart: &str) -> Model {
    let mut xml = String::from("<worldbody><geom type='plane' size='1 1 .1' friction='.5'/>");
    for i in 0..3 {
        let (x, y, z) = (0.003 * i as f64, 0.002 * i as f64, 0.0499 + 0.0998 * i as f64);
        xml += &format!(
            "<body pos='{x} {y} {z}'><freejoint/><geom type='box' size='.05 .05 .05' mass='1' friction='.5'/></body>"
        );
    }
    let mut model = with_flags(&format!("warmstart='{warmstart}'"), &(xml + "</worldbody>"));
    model.edit(|m| {
        m.opt.solver = Solver::Cg as i32;
        m.opt.tolerance = 1e-10;
        m.opt.iterations = 500;
    });
    model
}

#[test]
fn without_warm_start_every_step_begins_cold() {
    let iterations = |warmstart: &str| {
        let model = stack(warmstart);
        let mut data = model.make_data();
        let each = (0..8).map(|_| {
            data.step(&model).unwrap();
            data.header().solver_niter.iter().sum::<i32>()
        });
        each.collect::<Vec<_>>()
    };
    // MuJoCo 3.5.0
    assert_eq!(iterations("enable"), [16, 23, 15, 13, 14, 13, 14, 13]);
    assert_eq!(iterations("disable"), [56, 58, 63, 64, 63, 64, 62, 52]);
    // what the last step left behind plays no part
    let from = |warmstart: &str, acceleration: f64| {
        let model = stack(warmstart);
        let mut data = run(&model, 8);
        data.qacc_warmstart_mut().fill(acceleration);
        data.forward(&model).unwrap();
        (data.header().solver_niter, data.qacc().to_vec())
    };
    assert_eq!(from("disable", 0.0), from("disable", -9.0));
    assert_ne!(from("enable", 0.0), from("enable", -9.0));
}

#[test]
fn without_constraints_only_smooth_forces_act() {
    let model = with_flags("constraint='disable'", BALL);
    let data = forward(&model);
    assert_eq!((data.header().ncon, data.header().nefc), (0, 0));
    assert!(data.qfrc_constraint().iter().all(|f| *f == 0.0));
    assert_eq!(data.qacc(), data.qacc_smooth());
}

#[test]
fn flags_can_change_between_steps() {
    let mut model = with_flags("", BALL);
    let mut data = run(&model, 50);
    assert_eq!(data.header().ncon, 1);
    model.edit(|m| m.opt.disableflags |= DisableBit::Contact as i32);
    data.step(&model).unwrap();
    assert_eq!(data.header().ncon, 0);
    assert!((data.qacc()[2] + 9.81).abs() < 1e-9);
    model.edit(|m| m.opt.disableflags = 0);
    data.step(&model).unwrap();
    assert_eq!(data.header().ncon, 1);
}
