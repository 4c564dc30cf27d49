//! Strains of sheets at their vertices.
use ferrodyn::math::{Quat, Vec3};
use ferrodyn::{Data, Model};
use ferrodyn_testing::{all_close, forward_at};

use crate::support::{by_configuration, dense_row, flexcomp, stirred};

fn sheet() -> Model {
    flexcomp("count='3 4 1' spacing='.1 .2 .1' mass='3'", "<edge equality='vert'/>")
}

/// The strained sheet whose vertices are where a function takes them.
fn moved(model: &Model, place: impl Fn(Vec3) -> Vec3) -> Data {
    let start = forward_at(model, &[], &[]);
    let qpos: Vec<f64> = start.flexvert_xpos().iter().flat_map(|x| (place(*x) - *x).0).collect();
    forward_at(model, &qpos, &[])
}

/// With `C = Fᵀ F` the numbers are `tr C - 2` and `det C - 1`, times the root of the mass of a vertex, a quarter of a kilogram.
#[test]
fn strains_are_those_of_the_deformation() {
    let model = sheet();
    let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.7);
    let rigid = moved(&model, |x| turn.rotate(x) + Vec3::new(1.0, 2.0, 3.0));
    all_close(rigid.flexvert_length().as_flattened(), &[0.0; 24], 1e-13);
    // stretched by a half along x, and sheared
    let data = moved(&model, |x| turn.rotate(Vec3::new(1.5 * x[0] + 0.2 * x[1], x[1], x[2])));
    let root = 0.5;
    let (trace, determinant) = (2.25 + 0.04 + 1.0, 2.25);
    for strain in data.flexvert_length() {
        all_close(strain, &[root * (trace - 2.0), root * (determinant - 1.0)], 1e-13);
    }
}

#[test]
fn jacobians_of_strains_are_their_slopes() {
    let model = sheet();
    let data = stirred(&model);
    let slopes = by_configuration(&model, &data, |d| d.flexvert_length().as_flattened().to_vec());
    let columns = model.flexvert_J_colind.as_flattened();
    for v in 0..model.nflexvert {
        for row in 0..2 {
            let start = model.flexvert_J_rowadr[v][row] as usize;
            let range = start..start + model.flexvert_J_rownnz[v][row] as usize;
            let values = &data.flexvert_J().as_flattened()[range.clone()];
            let measured: Vec<f64> = slopes.iter().map(|column| column[2 * v + row]).collect();
            all_close(&dense_row(model.nv, &columns[range], values), &measured, 1e-8);
        }
    }
}
