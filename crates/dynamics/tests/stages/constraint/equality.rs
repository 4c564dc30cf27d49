//! Equality constraints between tendons, of a tendon with its reference, and of flexes.
use ferrodyn::{ConstraintType, Data, JacobianType, Model, Solver};
use ferrodyn_testing::{all_close, load};

use crate::support::{dense_row, flexcomps, stirred};

/// Two sliders of 1 kg, a tendon of each, and an equality.
fn sliders(equality: &str) -> Model {
    load(&format!(
        "<mujoco><option gravity='0 0 0' timestep='.002'/><worldbody>\
         <body><joint name='a' type='slide' axis='1 0 0' damping='1'/><geom size='.1' mass='1'/></body>\
         <body pos='0 1 0'><joint name='b' type='slide' axis='1 0 0' damping='1'/><geom size='.1' mass='1'/></body>\
         </worldbody><tendon><fixed name='one'><joint joint='a' coef='1'/></fixed>\
         <fixed name='two'><joint joint='b' coef='1'/></fixed></tendon>\
         <equality>{equality}</equality></mujoco>"
    ))
}

/// The world after some steps from positions of the sliders.
fn settled(model: &Model, qpos: [f64; 2], steps: usize) -> Data {
    let mut data = model.make_data();
    data.qpos_mut().copy_from_slice(&qpos);
    data.step_n(model, steps).unwrap();
    data.forward(model).unwrap();
    data
}

#[test]
fn the_row_is_the_difference_of_one_length_and_a_polynomial_of_the_other() {
    let model = sliders("<tendon tendon1='one' tendon2='two' polycoef='.1 1 .1 -.3 .5'/>");
    for [a, b] in [[0.0, 0.0], [0.3, 0.2], [-0.2, 0.4], [0.5, -0.7], [-1.0, -0.3]] {
        let mut data = model.make_data();
        data.qpos_mut().copy_from_slice(&[a, b]);
        data.forward(&model).unwrap();
        let w = data.work();
        assert_eq!(w.efc_type, [ConstraintType::Equality as i32]);
        let pos = a - 0.1 - (b + 0.1 * b * b - 0.3 * b.powi(3) + 0.5 * b.powi(4));
        let slope = 1.0 + 0.2 * b - 0.9 * b * b + 2.0 * b.powi(3);
        assert!((w.efc_pos[0] - pos).abs() < 1e-14);
        assert!((w.efc_J[0] - 1.0).abs() < 1e-14 && (w.efc_J[1] + slope).abs() < 1e-14);
        let weights: f64 = model.tendon_invweight0.iter().sum();
        assert!((w.efc_diagApprox[0] - weights).abs() < 1e-14);
    }
}

#[test]
fn equal_offset_and_scaled_lengths_are_reached() {
    // coefficients; what remains of the constraint
    let cases: [(&str, fn(f64, f64) -> f64); 3] = [
        ("", |a, b| a - b),
        ("polycoef='.1 1 0 0 0'", |a, b| a - b - 0.1),
        ("polycoef='0 .5 0 0 0'", |a, b| a - 0.5 * b),
    ];
    for (coefficients, rest) in cases {
        let model = sliders(&format!("<tendon tendon1='one' tendon2='two' {coefficients}/>"));
        for start in [[0.2, -0.1], [0.0, 0.5], [-0.3, 0.3]] {
            let data = settled(&model, start, 3000);
            let [a, b] = [data.ten_length()[0], data.ten_length()[1]];
            assert!(rest(a, b).abs() < 1e-6, "{coefficients}: {a} {b}");
        }
    }
}

#[test]
fn one_tendon_is_pinned_to_its_reference_and_offset() {
    let model = sliders("<tendon tendon1='one' polycoef='.2 7 7 7 7'/>");
    let data = settled(&model, [0.7, 0.3], 3000);
    assert!((data.ten_length()[0] - 0.2).abs() < 1e-6);
    assert_eq!(data.work().efc_J, [1.0, 0.0]);
    assert!((data.qpos()[1] - 0.3).abs() < 1e-12);
}

#[test]
fn every_solver_closes_the_gap() {
    for solver in [Solver::Pgs, Solver::Cg, Solver::Newton] {
        let mut model = sliders("<tendon tendon1='one' tendon2='two'/>");
        model.edit(|m| m.opt.solver = solver as i32);
        let data = settled(&model, [0.2, -0.1], 3000);
        assert!(data.work().efc_pos[0].abs() < 1e-6, "{solver:?}");
    }
}

#[test]
fn a_stiffer_reference_closes_it_sooner() {
    let gap = |timeconst: f64| {
        let model =
            sliders(&format!("<tendon tendon1='one' tendon2='two' solref='{timeconst} 1'/>"));
        settled(&model, [0.2, -0.1], 20).work().efc_pos[0].abs()
    };
    assert!(gap(0.01) < 0.5 * gap(0.04));
}

#[test]
fn an_inactive_constraint_has_no_row_until_it_is_switched_on() {
    let model = sliders("<tendon tendon1='one' tendon2='two' active='false'/>");
    let mut data = settled(&model, [0.2, -0.1], 100);
    assert_eq!((data.header().nefc, data.qpos()), (0, &[0.2, -0.1][..]));
    data.eq_active_mut()[0] = 1;
    data.forward(&model).unwrap();
    assert_eq!(data.header().nefc, 1);
}

#[test]
fn a_hundred_steps_equal_the_oracles() {
    let model = load(TWO_ARMS);
    let mut data = model.make_data();
    data.qpos_mut().copy_from_slice(&[0.2, -0.1]);
    for _ in 0..100 {
        data.step(&model).unwrap();
    }
    data.forward(&model).unwrap();
    let w = data.work();
    assert!((w.efc_pos[0] - TWO_ARMS_POS).abs() < 1e-9, "{}", w.efc_pos[0]);
    assert!((w.efc_force[0] - TWO_ARMS_FORCE).abs() < 1e-6, "{}", w.efc_force[0]);
}

const TWO_ARMS: &str = "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/>\
     </body><body pos='0 1 0'><joint name='b' axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .5 0 0'/></body>\
     </worldbody><tendon><fixed name='one'><joint joint='a' coef='1'/></fixed><fixed name='two'><joint joint='b' coef='2'/>\
     </fixed></tendon><equality><tendon tendon1='one' tendon2='two' polycoef='0 1 .1 0 0'/></equality></mujoco>";
// MuJoCo 3.5.0 after 100 steps and a forward pass
const TWO_ARMS_POS: f64 = -0.004143484336515568;
const TWO_ARMS_FORCE: f64 = 0.6965517174615091;

/// One row for each edge, two for each vertex of a sheet whose strain is held; weights are those of edges and bodies.
#[test]
fn flexes_are_held_at_their_edges_or_at_their_vertices() {
    let sheet = "count='3 3 1' spacing='.1 .1 .1' mass='9'";
    let mut model = flexcomps(&[
        ("", sheet, "<edge equality='true'/><pin id='0 1'/>"),
        ("", sheet, "<edge equality='vert'/>"),
    ]);
    model.edit(|m| m.opt.jacobian = JacobianType::Sparse as i32);
    let data = stirred(&model);
    let w = data.work();
    let edges: Vec<usize> = (0..16).filter(|&e| model.flexedge_rigid[e] == 0).collect();
    // pinned vertices are on one body
    assert_eq!((edges.len(), data.header().nefc), (15, 15 + 18));
    let row = |i: usize| {
        let start = w.efc_J_rowadr[i] as usize;
        let range = start..start + w.efc_J_rownnz[i] as usize;
        dense_row(model.nv, &w.efc_J_colind[range.clone()], &w.efc_J[range])
    };
    let sparse = |adr: i32, nnz: i32, columns: &[i32], values: &[f64]| {
        let range = adr as usize..(adr + nnz) as usize;
        dense_row(model.nv, &columns[range.clone()], &values[range])
    };
    for (i, &e) in edges.iter().enumerate() {
        assert_eq!(w.efc_pos[i], data.flexedge_length()[e] - model.flexedge_length0[e]);
        let (adr, nnz) = (model.flexedge_J_rowadr[e], model.flexedge_J_rownnz[e]);
        assert_eq!(row(i), sparse(adr, nnz, &model.flexedge_J_colind, data.flexedge_J()));
        all_close(&[w.efc_diagApprox[i]], &[model.flexedge_invweight0[e]], 1e-12);
    }
    for i in 0..18 {
        let v = 9 + i / 2;
        assert_eq!(w.efc_pos[15 + i], data.flexvert_length()[v][i % 2]);
        let (adr, nnz) = (model.flexvert_J_rowadr[v][i % 2], model.flexvert_J_rownnz[v][i % 2]);
        let (columns, values) =
            (model.flexvert_J_colind.as_flattened(), data.flexvert_J().as_flattened());
        assert_eq!(row(15 + i), sparse(adr, nnz, columns, values));
        let body = model.flex_vertbodyid[v] as usize;
        all_close(&[w.efc_diagApprox[15 + i]], &[model.body_invweight0[body][0]], 1e-12);
    }
}
