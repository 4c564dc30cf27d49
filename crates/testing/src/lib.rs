//! What the tests of several crates share: models from text and from files of the repository, worlds in a state, comparisons. Everything
//! panics where something is not as expected, with what was found.
#![forbid(unsafe_code)]

mod chain;
mod team;

pub use chain::{ball_on_floor, chain, differences, hybrid, motors, moving};
pub use team::{Reversed, Shuffled};

use std::path::{Path, PathBuf};

use ferrodyn::math::Real;
use ferrodyn::{Data, Integrator, Model, load_model};

/// A file of the repository, by its path from the root.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The model of a text.
#[track_caller]
pub fn load(xml: &str) -> Model {
    load_model(xml).unwrap_or_else(|e| panic!("{e}"))
}

/// The model in a file of the repository.
#[track_caller]
pub fn load_file(path: &str) -> Model {
    Model::from_xml_path(repository(path)).unwrap_or_else(|e| panic!("{e}"))
}

/// A small model of the comparison with MuJoCo, by its name.
#[track_caller]
pub fn conformance_model(name: &str) -> Model {
    load_file(&format!("conformance/models/{name}.xml"))
}

/// A model of the benchmarks, by its name.
#[track_caller]
pub fn benchmark_model(name: &str) -> Model {
    load_file(&format!("benches/models/{name}.xml"))
}

/// A model with another integrator.
pub fn with_integrator(model: &Model, integrator: Integrator) -> Model {
    let mut model = model.clone();
    model.edit(|m| m.opt.integrator = integrator as i32);
    model
}

/// The world at the reference pose, after `forward`.
#[track_caller]
pub fn forward(model: &Model) -> Data {
    forward_at(model, &[], &[])
}

/// The world in a state, after `forward`. Values that are not given are those of the reference.
#[track_caller]
pub fn forward_at(model: &Model, qpos: &[Real], qvel: &[Real]) -> Data {
    forward_driven(model, qpos, qvel, &[], &[])
}

/// The world in a state, with controls and activations, after `forward`.
#[track_caller]
pub fn forward_driven(
    model: &Model,
    qpos: &[Real],
    qvel: &[Real],
    ctrl: &[Real],
    act: &[Real],
) -> Data {
    let mut data = model.make_data();
    data.qpos_mut()[..qpos.len()].copy_from_slice(qpos);
    data.qvel_mut()[..qvel.len()].copy_from_slice(qvel);
    data.ctrl_mut()[..ctrl.len()].copy_from_slice(ctrl);
    data.act_mut()[..act.len()].copy_from_slice(act);
    data.forward(model).unwrap();
    data
}

/// The world after some steps from its reference pose.
#[track_caller]
pub fn run(model: &Model, steps: usize) -> Data {
    let mut data = model.make_data();
    data.step_n(model, steps).unwrap();
    data
}

/// A number is another one, but for a tolerance.
#[track_caller]
pub fn close(found: Real, expected: Real, tolerance: Real) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
}

/// Numbers are others, each but for a tolerance.
#[track_caller]
pub fn all_close(found: &[Real], expected: &[Real], tolerance: Real) {
    let near = found.len() == expected.len()
        && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(near, "{found:?}, expected {expected:?}");
}

/// The largest difference, relative to the largest entry of the second.
#[track_caller]
pub fn relative_error(a: &[Real], b: &[Real]) -> Real {
    assert_eq!(a.len(), b.len());
    let largest = b.iter().fold(Real::MIN_POSITIVE, |x: Real, y| x.max(y.abs()));
    a.iter().zip(b).fold(0.0, |x: Real, (a, b)| x.max((a - b).abs())) / largest
}
