//! Models on the edge: the state stays finite where it does in MuJoCo; a report says what diverged.
use ferrodyn::{Cone, ConstraintType, Data, DivergedQuantity, Model, Solver};
use ferrodyn_testing::{benchmark_model, load};

/// Run with every solver and cone, from all joints at `start`. None of these worlds diverges in MuJoCo 3.5.0, and none may here.
fn run_all(model: &Model, start: Option<f64>, steps: usize, solvers: &[Solver]) -> Vec<Data> {
    let mut all = Vec::new();
    for solver in solvers {
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            let mut model = model.clone();
            model.edit(|m| {
                m.opt.solver = *solver as i32;
                m.opt.cone = cone as i32;
            });
            let mut data = model.make_data();
            if let Some(angle) = start {
                data.qpos_mut().fill(angle);
            }
            let report = data.step_n(&model, steps).unwrap();
            assert_eq!(report.divergence, None, "{solver:?} {cone:?}");
            assert!(data.qpos().iter().chain(data.qvel()).all(|x| x.is_finite()));
            all.push(data);
        }
    }
    all
}

const SOLVERS: [Solver; 3] = [Solver::Pgs, Solver::Cg, Solver::Newton];

fn assert_calm(all: &[Data]) {
    for data in all {
        assert!(data.qvel().iter().all(|v| v.abs() < 100.0));
    }
}

#[test]
fn a_chain_of_almost_no_mass_carries_a_load() {
    let mut xml = String::from("<mujoco><worldbody>");
    for _ in 0..10 {
        xml += "<body pos='0 0 -.1'><joint axis='0 1 0' range='-30 30'/>\
                <inertial pos='0 0 -.05' mass='1e-6' diaginertia='1e-9 1e-9 1e-9'/>";
    }
    xml += "<body pos='0 0 -.1'><joint axis='0 1 0'/><geom size='.05' mass='10'/></body>";
    xml += &"</body>".repeat(10);
    let model = load(&(xml + "</worldbody></mujoco>"));
    // straight it hangs still
    for data in run_all(&model, None, 300, &SOLVERS) {
        assert!(data.qvel().iter().all(|v| v.abs() < 1e-9), "{:?}", data.qvel());
    }
    // bent, the links whip about under the load, a million times heavier: chaos, but not at first
    for data in run_all(&model, Some(0.05), 20, &SOLVERS) {
        for (found, expected) in data.qpos().iter().zip(WHIPPED) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }
}

// MuJoCo 3.5.0, after 20 steps; started 1e-13 away it ends 1e-8 away
const WHIPPED: [f64; 11] = [
    0.18044059877949217,
    0.005967085420974136,
    0.011273557940876061,
    0.01784802131934683,
    0.03152409501273068,
    0.04804559555899189,
    0.03451205537148992,
    0.01896262143213057,
    0.011994062799787996,
    0.006040436830340301,
    0.18339186953383946,
];

#[test]
fn redundant_constraints_are_shared() {
    let model = load(
        "<mujoco><worldbody><body name='a' pos='0 0 1'><freejoint/><geom size='.1'/></body>\
         <body name='b' pos='.3 0 1'><freejoint/><geom size='.1'/></body></worldbody>\
         <equality><weld body1='a'/><weld body1='a'/><connect body1='a' anchor='0 0 0'/><weld body1='a' body2='b'/>\
         <weld body1='b' body2='a'/><connect body1='b' anchor='0 0 0'/></equality></mujoco>",
    );
    let all = run_all(&model, None, 300, &SOLVERS);
    assert_calm(&all);
    for data in &all {
        assert!((data.qpos()[2] - 1.0).abs() < 0.01, "{:?}", data.qpos());
    }
}

#[test]
fn friction_may_be_very_much_harder_than_the_normal_force() {
    let model = load(
        "<mujoco><option impratio='1e5'/><worldbody><geom type='plane' size='1 1 .1'/>\
         <body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>\
         <body pos='.02 0 .3' euler='0 0 30'><freejoint/><geom type='box' size='.1 .1 .1' condim='6'/></body>\
         </worldbody></mujoco>",
    );
    assert_calm(&run_all(&model, None, 300, &SOLVERS));
}

#[test]
fn large_steps_stay_finite() {
    let mut model = benchmark_model("humanoid");
    model.edit(|m| m.opt.timestep = 0.05);
    assert_calm(&run_all(&model, None, 200, &SOLVERS));
}

#[test]
fn a_thousand_contacts_carry_one_body() {
    let mut xml = String::from(
        "<mujoco><worldbody><geom type='plane' size='9 9 .1'/><body pos='0 0 .1'><freejoint/>",
    );
    for i in 0..1000 {
        let (x, y) = (0.2 * f64::from(i % 32), 0.2 * f64::from(i / 32));
        xml += &format!("<geom size='.1' pos='{x} {y} -.001' mass='.01'/>");
    }
    let model = load(&(xml + "</body></worldbody></mujoco>"));
    // the dual solver keeps a matrix of all rows: too much for a test
    let all = run_all(&model, None, 20, &[Solver::Cg, Solver::Newton]);
    assert_calm(&all);
    for data in &all {
        assert_eq!(data.contacts().len(), 1000);
        let weight: f64 = 1000.0 * 0.01 * 9.81;
        assert!(data.qfrc_constraint()[2] > 0.5 * weight);
    }
}

#[test]
fn a_divergence_names_number_body_and_the_strongest_constraint() {
    // a spring-like constraint that no explicit step can follow
    let model = load(
        "<mujoco><option timestep='.05'><flag autoreset='disable' refsafe='disable'/></option><worldbody>\
         <body name='still' pos='9 0 0'><joint damping='1'/><geom size='.1'/></body>\
         <body name='wild'><freejoint/><geom size='.1'/></body></worldbody>\
         <equality><connect name='quiet' body1='still' anchor='0 0 0' active='false'/>\
         <connect body1='wild' anchor='.5 0 0' solref='-1e9 -1'/></equality></mujoco>",
    );
    let mut data = model.make_data();
    data.qvel_mut()[3] = 1.0;
    let divergence = data.step_n(&model, 200).unwrap().divergence.expect("a divergence");
    assert_eq!(divergence.body, 2);
    assert!(!divergence.was_reset);
    assert!(matches!(divergence.quantity, DivergedQuantity::Qacc | DivergedQuantity::Qvel));
    let row = divergence.constraint.expect("a row");
    assert_eq!((row.kind, row.id), (ConstraintType::Equality, 1));
    assert!(row.force.abs() > 1e3 || row.force.is_nan());
    let text = divergence.to_string();
    assert!(text.contains("body 2") && text.contains("Equality 1"), "{text}");
}
