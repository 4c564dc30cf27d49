//! How stiffly rows are imposed, with the formulas of MuJoCo's documentation worked out by hand.
use ferrodyn::Data;
use ferrodyn_testing::{all_close, close, forward_at, load};

/// A slider of 2 kg that is `depth` beyond its limit.
fn beyond_limit(parameters: &str, depth: f64) -> Data {
    let model = load(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint type='slide' range='-1 1' {parameters}/>\
         <geom size='.1' mass='2'/></body></worldbody></mujoco>"
    ));
    forward_at(&model, &[1.0 + depth], &[0.3])
}

#[test]
fn the_impedance_rises_from_its_first_to_its_second_value_over_the_width() {
    let at = |depth: f64| {
        beyond_limit("solimplimit='.8 .9 .01 .5 2'", depth).work().efc_KBIP[0][2..].to_vec()
    };
    // up to the middle 2 x², from there 1 - 2 (1 - x)²; slopes per width, with the sign of the violation
    for (share, y, slope) in
        [(0.25, 0.125, 1.0), (0.5, 0.5, 2.0), (0.75, 0.875, 1.0), (1.0, 1.0, 0.0), (3.0, 1.0, 0.0)]
    {
        all_close(&at(0.01 * share), &[0.8 + 0.1 * y, -slope * 0.1 / 0.01], 1e-10);
    }
}

#[test]
fn a_reference_is_a_spring_and_a_damper() {
    let constant = "solimplimit='.9 .9 .01'";
    let row = |reference: &str| {
        let data = beyond_limit(&format!("{constant} solreflimit='{reference}'"), 0.05);
        (data.work().efc_KBIP[0], data.work().efc_aref[0])
    };
    // a time constant of 0.05 and a damping ratio of 0.5
    let ([k, b, imp, _], aref) = row(".05 .5");
    close(k, 1.0 / (0.81 * 0.0025 * 0.25), 1e-9);
    close(b, 2.0 / (0.9 * 0.05), 1e-12);
    // the row grows away from the limit: its position is -0.05, its velocity -0.3
    close(aref, 0.3 * b + 0.05 * k * imp, 1e-9);
    // stiffness and damping as they are
    let ([k, b, ..], _) = row("-400 -30");
    all_close(&[k, b], &[400.0 / 0.81, 30.0 / 0.9], 1e-10);
    // a time constant below two steps is one of two steps
    let ([_, b, ..], _) = row(".001 1");
    close(b, 2.0 / (0.9 * 0.004), 1e-9);
}

#[test]
fn the_regularizer_makes_the_row_give_way_by_its_impedance() {
    let data = beyond_limit("solimplimit='.75 .75 .01'", 0.05);
    let w = data.work();
    // the inverse of the mass, and (1 - d) / d of it
    close(w.efc_diagApprox[0], 0.5, 1e-12);
    close(w.efc_R[0], 0.5 / 3.0, 1e-12);
    // so that the acceleration is the mean of the smooth one (0) and the reference, by d
    close(-data.qacc()[0], 0.75 * w.efc_aref[0], 1e-9);
}

/// An edge along the arm of a hinge does not change its length to the first order: it has no row. MuJoCo gives its weight to the row of the next edge all the same.
#[test]
fn edges_without_a_row_leave_their_weight_to_the_next() {
    let model = load(
        "<mujoco><option gravity='0 0 0'/><worldbody><body name='turns'><joint axis='0 1 0'/><geom size='.1' mass='1' pos='.5 0 0'/></body>\
         <body name='still' pos='2 0 0'><geom size='.1'/></body>\
         <body name='slides' pos='2 0 1'><joint type='slide' axis='0 0 1'/><geom size='.1' mass='2'/></body></worldbody>\
         <deformable><flex name='f' dim='1' body='turns still slides' vertex='1 0 0 0 0 0 0 0 0' element='0 1 1 2'/></deformable>\
         <equality><flex flex='f' solimp='.9 .9'/></equality></mujoco>",
    );
    all_close(&model.flexedge_invweight0, &[0.0, 0.5], 1e-15);
    let data = forward_at(&model, &[], &[]);
    // the least regularizer that there is, not 0.5 (1 - 0.9) / 0.9
    assert_eq!(data.work().efc_R, [1e-15]);
    // turned, both edges have rows, and each its weight
    let turned = forward_at(&model, &[0.1], &[]);
    all_close(turned.work().efc_R, &[1e-15, 0.5 / 9.0], 1e-15);
}
