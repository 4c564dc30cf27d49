//! Joints move on their manifolds.
use ferrodyn::Integrator;
use ferrodyn_testing::load;

use super::with;

#[test]
fn orientations_stay_on_their_manifold() {
    let spin = |h: f64, check: bool| {
        let model = with(
            &load(
                "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/>\
                 <geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>",
            ),
            Integrator::Rk4,
            h,
        );
        let mut data = model.make_data();
        data.qvel_mut()[3..].copy_from_slice(&[1.0, 2.0, 0.3]);
        for _ in 0..(0.1 / h).round() as usize {
            data.step(&model).unwrap();
            let norm: f64 = data.qpos()[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!(!check || (norm - 1.0).abs() < 1e-10);
        }
        data.qpos()[3..].to_vec()
    };
    let (coarse, fine) = (spin(1e-3, true), spin(1e-5, false));
    for (a, b) in coarse.iter().zip(&fine) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}
