//! The implicit step of Neo-Hookean flexes and of Bridson's hinges.
use ferrodyn::math::{Real, Vec3};
use ferrodyn::{Data, Integrator, Model};
use ferrodyn_testing::{forward_at, relative_error, with_integrator};
use nalgebra::{DMatrix, DVector};

use crate::support::{by_configuration, flexcomp, stirred};

const BLOCK: &str =
    "count='3 3 3' dim='3' spacing='.1 .1 .1' ferrodyn:elasticity_model='neo_hookean'";
const SHEET: &str = "count='4 4 1' dim='2' spacing='.1 .1 .1' ferrodyn:elasticity_model='neo_hookean' \
    ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='.01'";

fn timed(model: &Model, integrator: Integrator, timestep: f64) -> Model {
    let mut model = with_integrator(model, integrator);
    model.edit(|m| m.opt.timestep = timestep as Real);
    model
}

/// `(M + h² K + h B) a = f - h K v`, with matrices of differences.
#[test]
fn a_step_is_that_of_the_dense_system() {
    let block = "<elasticity young='1e4' poisson='.3' damping='.02'/>";
    let sheet = "<elasticity young='1e4' poisson='.3' thickness='.01' damping='.02'/>";
    for (attributes, children) in
        [(BLOCK, block), (SHEET, sheet), (BLOCK, &*format!("<pin id='0 1 2 3'/>{block}"))]
    {
        let model = flexcomp(attributes, children);
        for integrator in [Integrator::ImplicitFast, Integrator::Implicit] {
            let model = timed(&model, integrator, 0.01);
            // flat hinges, so that the part of their stiffness that is left out vanishes, and stretched elements, which do not buckle
            let rest = forward_at(&model, &[], &[]);
            let centre = rest.flexvert_xpos()[0];
            let mut qpos = vec![0.0; model.nq];
            for v in 0..model.nflexvert {
                let body = model.flex_vertbodyid[v] as usize;
                for (k, dof) in model.body_dofs(body).enumerate() {
                    qpos[dof] = 0.1 * (rest.flexvert_xpos()[v] - centre)[k];
                }
            }
            let qvel: Vec<f64> = (0..model.nv).map(|i| 0.1 * (1.7 * i as f64).sin()).collect();
            let data = forward_at(&model, &qpos, &qvel);
            let nv = model.nv;
            let h = 0.01;
            let springs = by_configuration(&model, &data, |d| d.qfrc_spring().to_vec());
            let k = DMatrix::from_fn(nv, nv, |i, j| -springs[j][i]);
            let mut b = DMatrix::zeros(nv, nv);
            for j in 0..nv {
                let by = |x: f64| {
                    let mut v = qvel.clone();
                    v[j] += x;
                    forward_at(&model, &qpos, &v).qfrc_damper().to_vec()
                };
                let (more, less) = (by(0.5), by(-0.5));
                for i in 0..nv {
                    b[(i, j)] = less[i] - more[i];
                }
            }
            let mass = DMatrix::from_diagonal(&DVector::from_fn(nv, |i, _| {
                data.M()[model.M_rowadr[i] as usize + model.M_rownnz[i] as usize - 1]
            }));
            let v = DVector::from_column_slice(&qvel);
            let force = DVector::from_column_slice(data.qfrc_smooth());
            let matrix = mass + &k * (h * h) + b * h;
            let expected = matrix.lu().solve(&(force - &k * &v * h)).unwrap();

            let mut stepped = data.clone();
            stepped.step(&model).unwrap();
            let found: Vec<f64> = (0..nv).map(|i| (stepped.qvel()[i] - qvel[i]) / h).collect();
            let error = relative_error(&found, expected.as_slice());
            assert!(error < 2e-6, "{integrator:?}: {error:e}");
        }
    }
}

/// A step far beyond what an explicit integrator can follow: a block as stiff as rubber, a step of a hundredth of a second.
#[test]
fn stiff_materials_are_stable_with_large_steps() {
    let stiff = "<elasticity young='1e7' poisson='.45'/>";
    let model = flexcomp(BLOCK, &format!("<pin id='0 1 2 3 4 5 6 7 8'/>{stiff}"));
    let sheet = "count='4 4 1' dim='2' spacing='.1 .1 .1' ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='1e3' \
        ferrodyn:elasticity_model='neo_hookean'";
    let membrane = "<pin id='0 1 2 3'/><elasticity young='1e7' poisson='.3' thickness='.01'/>";
    for model in [model, flexcomp(sheet, membrane)] {
        for integrator in [Integrator::ImplicitFast, Integrator::Implicit] {
            let mut model = timed(&model, integrator, 0.01);
            model.edit(|m| m.opt.gravity = Vec3::new(0.0, 0.0, -9.81));
            let mut data = model.make_data();
            for _ in 0..500 {
                let report = data.step(&model).unwrap();
                assert!(report.divergence.is_none());
            }
            assert!(data.qvel().iter().all(|v| v.abs() < 2.0), "{:?}", data.qvel());
            assert!(data.qpos().iter().all(|x| x.abs() < 1.0));
        }
    }
    let mut explicit = timed(
        &flexcomp(BLOCK, &format!("<pin id='0 1 2 3 4 5 6 7 8'/>{stiff}")),
        Integrator::Euler,
        0.01,
    );
    explicit.edit(|m| m.opt.gravity = Vec3::new(0.0, 0.0, -9.81));
    let mut data = explicit.make_data();
    assert!((0..500).any(|_| data.step(&explicit).unwrap().divergence.is_some()));
}

/// How far edges are from their rest lengths at most, as a share of them.
fn strain(model: &Model, data: &Data) -> f64 {
    let strain = |e: usize| (data.flexedge_length()[e] / model.flexedge_length0[e] - 1.0).abs();
    (0..model.nflexedge).map(strain).fold(0.0, f64::max)
}

/// The block after it was put where a function takes its vertices, and left alone.
fn released(place: impl Fn(Vec3) -> Vec3) -> (f64, f64) {
    let model = flexcomp(BLOCK, "<elasticity young='1e4' poisson='.3' damping='.01'/>");
    let model = timed(&model, Integrator::ImplicitFast, 0.005);
    let start = forward_at(&model, &[], &[]);
    let qpos: Vec<f64> = start.flexvert_xpos().iter().flat_map(|x| (place(*x) - *x).0).collect();
    let mut data = forward_at(&model, &qpos, &[]);
    let before = strain(&model, &data);
    for _ in 0..2000 {
        assert!(data.step(&model).unwrap().divergence.is_none());
    }
    // inside out would have the right lengths too
    for t in 0..model.nflexelem {
        let [a, b, c, d] =
            [0, 1, 2, 3].map(|k| data.flexvert_xpos()[model.flex_element(0, t)[k] as usize]);
        let [e, f, g, h] =
            [0, 1, 2, 3].map(|k| start.flexvert_xpos()[model.flex_element(0, t)[k] as usize]);
        let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).cross(c - a).dot(d - a);
        assert!(volume(a, b, c, d) * volume(e, f, g, h) > 0.0, "element {t} is inside out");
    }
    (before, strain(&model, &data))
}

#[test]
fn a_twisted_cube_recovers() {
    // half a turn from the lower to the upper side
    let (before, after) = released(|x| {
        let (sin, cos) = (std::f64::consts::PI * (x[2] + 0.1) / 0.2).sin_cos();
        Vec3::new(cos * x[0] - sin * x[1], sin * x[0] + cos * x[1], x[2])
    });
    assert!(before > 0.2 && after < 0.01, "{before} {after}");
}

#[test]
fn a_compressed_cube_recovers() {
    // to a plate, to a plane, to almost a point, and turned inside out
    for scale in [[1.0, 1.0, 0.05], [1.0, 1.0, 0.0], [1e-3, 1e-3, 1e-3], [1.0, 1.0, -1.0]] {
        // a little off, as any real state: exactly flat elements know no side
        let noise = |x: Vec3| 1e-4 * (17.0 * x[0] + 29.0 * x[1] + 41.0 * x[2]).sin();
        let (before, after) = released(|x| {
            Vec3::new(scale[0] * x[0] + noise(x), scale[1] * x[1], scale[2] * x[2] - noise(x))
        });
        assert!(after < 0.01, "{scale:?}: {before} {after}");
    }
}

/// Momentum is kept by an implicit step of a body that nothing holds.
#[test]
fn the_implicit_step_keeps_momentum() {
    let model = flexcomp(BLOCK, "<elasticity young='1e5' poisson='.4' damping='.01'/>");
    let model = timed(&model, Integrator::ImplicitFast, 0.005);
    let mut data = stirred(&model);
    let momentum = |data: &Data| -> [f64; 3] {
        std::array::from_fn(|k| data.qvel().iter().skip(k).step_by(3).sum())
    };
    let before = momentum(&data);
    for _ in 0..100 {
        data.step(&model).unwrap();
    }
    for (a, b) in momentum(&data).iter().zip(before) {
        assert!((a - b).abs() < 1e-5 * (1.0 + b.abs()), "{a} {b}");
    }
}

/// Nearly incompressible rubber under its own weight keeps its volume, and sags.
#[test]
fn a_hanging_block_sags_and_keeps_its_volume() {
    let sag = |poisson: f64| {
        let attributes = "count='4 4 4' dim='3' spacing='.1 .1 .1' mass='30' ferrodyn:elasticity_model='neo_hookean'";
        let children = format!(
            "<pin gridrange='0 0 3 3 3 3'/><elasticity young='5e3' poisson='{poisson}' damping='.05'/>"
        );
        let mut model = timed(&flexcomp(attributes, &children), Integrator::ImplicitFast, 0.01);
        model.edit(|m| m.opt.gravity = Vec3::new(0.0, 0.0, -9.81));
        let mut data = model.make_data();
        let volume = |data: &Data| -> f64 {
            let x = data.flexvert_xpos();
            (0..model.nflexelem)
                .map(|t| {
                    let [a, b, c, d] =
                        [0, 1, 2, 3].map(|k| x[model.flex_element(0, t)[k] as usize]);
                    (b - a).cross(c - a).dot(d - a).abs() / 6.0
                })
                .sum()
        };
        data.forward(&model).unwrap();
        let (start, lowest) = (volume(&data), data.flexvert_xpos()[0][2]);
        for _ in 0..400 {
            assert!(data.step(&model).unwrap().divergence.is_none());
        }
        (lowest - data.flexvert_xpos()[0][2], volume(&data) / start)
    };
    let (soft, grown) = sag(0.0);
    let (stiff, kept) = sag(0.49);
    assert!(soft > 0.01 && stiff > 0.005, "{soft} {stiff}");
    assert!((kept - 1.0).abs() < 0.02 && grown > 1.05, "{kept} {grown}");
}
