//! Friction without slip, after each of the solvers.
use ferrodyn::math::{Real, by_precision};
use ferrodyn::{Cone, ConstraintType, Data, DisableBit, Model, Solver};
use ferrodyn_testing::{close, load, run};

const SOLVERS: [Solver; 3] = [Solver::Pgs, Solver::Cg, Solver::Newton];

/// A box that rests on a slope of 20 degrees.
fn slope(solver: Solver, cone: Cone, noslip: i32) -> Model {
    let angle = 20f64.to_radians();
    let gravity = (9.81 * angle.sin(), -9.81 * angle.cos());
    let mut model = load(&format!(
        "<mujoco><option gravity='{} 0 {}'/><worldbody><geom type='plane' size='9 9 .1'/>\
         <body pos='0 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body></worldbody></mujoco>",
        gravity.0, gravity.1
    ));
    model.edit(|m| {
        m.opt.solver = solver as i32;
        m.opt.cone = cone as i32;
        m.opt.noslip_iterations = noslip;
        m.opt.iterations = 500;
        m.opt.tolerance = 1e-10;
    });
    model
}

/// How far the box slid in a second.
fn slip(solver: Solver, cone: Cone, noslip: i32) -> f64 {
    let model = slope(solver, cone, noslip);
    let data = run(&model, 500);
    data.qpos()[0]
}

#[test]
fn slip_is_reduced_after_every_solver_and_with_both_cones() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        for solver in SOLVERS {
            let (with, without) = (slip(solver, cone, 20), slip(solver, cone, 0));
            assert!(without > 5e-4, "{solver:?} {cone:?}: {without}");
            assert!(with.abs() < 0.1 * without, "{solver:?} {cone:?}: {with} {without}");
        }
    }
}

#[test]
fn slips_equal_the_oracles() {
    for (solver, cone, noslip, expected) in SLIPS {
        let found = slip(solver, cone, noslip);
        // where the sweeps do not have the last word, the solvers stop at their tolerance
        let tolerance = if noslip > 0 { 1e-15 } else { 1e-10 };
        assert!(
            (found - expected).abs() < tolerance,
            "{solver:?} {cone:?} {noslip}: {found} {expected}"
        );
    }
}

/// Contacts, a joint limit and dry friction, solved with and without the last pass.
fn forces(solver: Solver, cone: Cone, noslip: i32) -> (Model, Data) {
    let mut model = load(
        "<mujoco><worldbody><geom type='plane' size='9 9 .1' friction='.7'/>\
         <body pos='0 0 .099'><freejoint/><geom type='box' size='.1 .1 .1' mass='1' condim='4'/></body>\
         <body pos='1 0 .099'><freejoint/><geom size='.1' mass='1' condim='6' friction='1 .01 .01'/></body>\
         <body pos='2 0 1'><joint axis='0 1 0' range='-10 10' frictionloss='.3'/>\
         <geom type='capsule' size='.05' fromto='0 0 0 .5 0 0'/><body pos='.5 0 0'><joint axis='0 1 0' frictionloss='50'/>\
         <geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/></body></body></worldbody></mujoco>",
    );
    model.edit(|m| {
        m.opt.solver = solver as i32;
        m.opt.cone = cone as i32;
        m.opt.noslip_iterations = noslip;
        m.opt.noslip_tolerance = 0.0;
        m.opt.iterations = 1000;
        m.opt.tolerance = 1e-14;
        m.opt.disableflags |= DisableBit::Island as i32;
    });
    let mut data = model.make_data();
    data.qpos_mut()[14] = 0.2;
    data.qvel_mut()[0] = 0.1;
    data.qvel_mut()[6] = 0.4;
    data.qfrc_applied_mut()[1] = 1.0;
    data.forward(&model).unwrap();
    (model, data)
}

/// Rows that are dry friction.
fn is_dry_friction(kind: i32) -> bool {
    kind == ConstraintType::FrictionDof as i32
}

#[test]
fn normal_forces_and_limits_stay_as_they_are() {
    for solver in SOLVERS {
        // where noslip follows, Newton's method keeps MuJoCo's order of operations: the last digits differ
        let same = |a: Real, b: Real| match solver {
            Solver::Newton => close(a, b, by_precision(1e-11, 1e-3) * a.abs()),
            _ => assert_eq!(a, b),
        };
        let before = forces(solver, Cone::Elliptic, 0).1;
        let after = forces(solver, Cone::Elliptic, 50).1;
        let (a, b) = (before.work(), after.work());
        let mut limits = 0;
        for i in 0..a.efc_force.len() {
            if a.efc_type[i] == ConstraintType::LimitJoint as i32 {
                same(a.efc_force[i], b.efc_force[i]);
                limits += 1;
            }
        }
        assert_eq!(limits, 1);
        for contact in before.contacts() {
            let normal = contact.efc_address as usize;
            same(a.efc_force[normal], b.efc_force[normal]);
            // while friction is found anew
            let tangents = normal + 1..normal + contact.dim as usize;
            assert_ne!(a.efc_force[tangents.clone()], b.efc_force[tangents], "{solver:?}");
        }
        // with pyramids the sum of opposing edges is the normal force
        let before = forces(solver, Cone::Pyramidal, 0).1;
        let after = forces(solver, Cone::Pyramidal, 50).1;
        for contact in before.contacts() {
            let first = contact.efc_address as usize;
            for k in (first..first + 2 * (contact.dim as usize - 1)).step_by(2) {
                let sum = |d: &Data| d.work().efc_force[k] + d.work().efc_force[k + 1];
                assert!((sum(&before) - sum(&after)).abs() < 1e-12 * (1.0 + sum(&before)));
            }
        }
    }
}

#[test]
fn friction_stays_within_its_bounds() {
    for (solver, cone) in SOLVERS.iter().flat_map(|s| [(*s, Cone::Elliptic), (*s, Cone::Pyramidal)])
    {
        let (_, data) = forces(solver, cone, 50);
        let w = data.work();
        for i in 0..w.efc_force.len() {
            if is_dry_friction(w.efc_type[i]) {
                assert!(w.efc_force[i].abs() <= w.efc_frictionloss[i]);
            }
        }
        for contact in data.contacts() {
            let f = &w.efc_force[contact.efc_address as usize..];
            let dim = contact.dim as usize;
            if cone == Cone::Elliptic {
                let sum: f64 = (1..dim).map(|j| (f[j] / contact.friction[j - 1]).powi(2)).sum();
                assert!(sum <= f[0] * f[0] * (1.0 + 1e-12), "{:?}", &f[..dim]);
            } else {
                assert!(f[..2 * (dim - 1)].iter().all(|f| *f >= 0.0));
            }
        }
    }
}

#[test]
fn what_may_hold_does_not_slip_at_all() {
    for solver in SOLVERS {
        let (model, data) = forces(solver, Cone::Elliptic, 500);
        let w = data.work();
        // acceleration along a row minus its reference: b + A f, without regularization
        let residual = |i: usize| {
            let row = &w.efc_J[i * model.nv..(i + 1) * model.nv];
            row.iter().zip(data.qacc()).map(|(j, a)| j * a).sum::<f64>() - w.efc_aref[i]
        };
        let mut held = 0;
        for i in 0..w.efc_force.len() {
            if is_dry_friction(w.efc_type[i]) && w.efc_force[i].abs() < w.efc_frictionloss[i] - 1e-9
            {
                assert!(residual(i).abs() < 1e-11, "{solver:?}: {}", residual(i));
                held += 1;
            }
        }
        assert_eq!(held, 1, "{solver:?}");
        for contact in data.contacts() {
            let first = contact.efc_address as usize;
            let dim = contact.dim as usize;
            let f = &w.efc_force[first..first + dim];
            let used: f64 = (1..dim).map(|j| (f[j] / contact.friction[j - 1]).powi(2)).sum();
            if used < 0.9 * f[0] * f[0] {
                for i in first + 1..first + dim {
                    assert!(residual(i).abs() < 1e-11, "{solver:?}: {}", residual(i));
                    held += 1;
                }
            }
        }
        assert!(held > 1, "{solver:?}");
    }
}

#[test]
fn a_contact_without_a_normal_force_has_no_friction() {
    // leaving the floor within the margin: rows, but nothing to push
    let model = load(
        "<mujoco><option cone='elliptic' noslip_iterations='10' gravity='0 0 1'/><worldbody>\
         <geom type='plane' size='1 1 .1' margin='.02'/><body pos='0 0 .11'><freejoint/><geom size='.1'/></body>\
         </worldbody></mujoco>",
    );
    let mut data = model.make_data();
    data.qvel_mut()[0] = 1.0;
    data.qvel_mut()[2] = 5.0;
    data.forward(&model).unwrap();
    assert_eq!(data.header().nefc, 3);
    assert_eq!(data.work().efc_force, [0.0; 3]);
}

#[test]
fn sweeps_are_counted_and_none_is_made_by_default() {
    assert_eq!(load("<mujoco/>").opt.noslip_iterations, 0);
    for solver in SOLVERS {
        let without = forces(solver, Cone::Elliptic, 0).1.header().solver_niter[0];
        let with = forces(solver, Cone::Elliptic, 7).1.header().solver_niter[0];
        // Newton's method may end an iteration later or earlier in MuJoCo's order of operations, which noslip keeps
        let spare = i32::from(solver == Solver::Newton);
        assert!(with > without && with <= without + 7 + spare, "{solver:?}: {with} {without}");
    }
}

// MuJoCo 3.5.0: solver, cone, sweeps, slip in m after a second
const SLIPS: [(Solver, Cone, i32, f64); 12] = [
    (Solver::Pgs, Cone::Pyramidal, 0, 0.0018744690329077275),
    (Solver::Pgs, Cone::Pyramidal, 20, 8.164773229618495e-05),
    (Solver::Pgs, Cone::Elliptic, 0, 0.0009033427034905022),
    (Solver::Pgs, Cone::Elliptic, 20, 5.718661001645854e-05),
    (Solver::Cg, Cone::Pyramidal, 0, 0.0018744727369593194),
    (Solver::Cg, Cone::Pyramidal, 20, 8.16510230716525e-05),
    (Solver::Cg, Cone::Elliptic, 0, 0.0009033172884831727),
    (Solver::Cg, Cone::Elliptic, 20, 5.718645110170262e-05),
    (Solver::Newton, Cone::Pyramidal, 0, 0.0018744752036020612),
    (Solver::Newton, Cone::Pyramidal, 20, 8.164662970710324e-05),
    (Solver::Newton, Cone::Elliptic, 0, 0.0009033180852538949),
    (Solver::Newton, Cone::Elliptic, 20, 5.718645081306122e-05),
];
