//! Balances a pole on a cart with a linear-quadratic regulator from the derivative of a step.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::prelude::*;
use nalgebra::DMatrix;

const MODEL: &str = r#"
<mujoco>
  <option timestep="0.01" integrator="implicitfast"/>
  <worldbody>
    <body name="cart">
      <joint name="rail" type="slide" axis="1 0 0"/>
      <geom type="box" size="0.1 0.05 0.05" mass="1" contype="0" conaffinity="0"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.02" mass="0.1" contype="0" conaffinity="0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="rail" ctrlrange="-20 20"/>
  </actuator>
</mujoco>"#;

/// The gains `K` of `u = -K x` that minimize `Σ xᵀ Q x + uᵀ R u` along `x⁺ = A x + B u`: the Riccati equation is iterated,
/// `K = (R + Bᵀ P B)⁻¹ Bᵀ P A` and `P ← Q + Aᵀ P (A - B K)`, until the gains stay as they are.
fn gains(a: &DMatrix<f64>, b: &DMatrix<f64>, q: &DMatrix<f64>, r: &DMatrix<f64>) -> DMatrix<f64> {
    let mut p = q.clone();
    let mut last = DMatrix::zeros(b.ncols(), a.nrows());
    for _ in 0..10_000 {
        let inverse = (r + b.transpose() * &p * b).try_inverse().expect("R is positive");
        let k = inverse * b.transpose() * &p * a;
        p = q + a.transpose() * &p * (a - b * &k);
        if (&k - &last).amax() < 1e-9 * k.amax() {
            return k;
        }
        last = k;
    }
    unreachable!("the pole can be balanced, so the iteration converges")
}

fn main() -> Result<(), Error> {
    let model = load_model(MODEL)?;
    let (rail, hinge, push) =
        (model.joint("rail")?, model.joint("hinge")?, model.actuator("push")?);

    // the step, linear about the upright pose: x is (positions, velocities)
    let mut data = model.make_data();
    let step = data.transition_derivatives(&model, &DerivativeConfig::default())?;
    let a = DMatrix::from_row_slice(step.states, step.states, &step.a);
    let b = DMatrix::from_row_slice(step.states, step.controls, &step.b);

    // a metre off costs as much as ten newtons, a radian ten times more
    let q = DMatrix::from_diagonal(&nalgebra::dvector![1.0, 10.0, 0.1, 0.1]);
    let k = gains(&a, &b, &q, &DMatrix::from_element(1, 1, 0.01));
    // how much a deviation grows in a step, at most: the largest eigenvalue
    let growth = |step: &DMatrix<f64>| step.complex_eigenvalues().map(|z| z.norm()).max();
    let (alone, steered) = (growth(&a), growth(&(&a - &b * &k)));
    println!("gains {:.3?}; growth {alone:.4} alone, {steered:.4} with them", k.as_slice());
    assert!(alone > 1.0 && steered < 1.0);

    // the full, nonlinear world, with the pole well off balance
    hinge.qpos_mut(&mut data)[0] = 0.4;
    for _ in 0..8 {
        let (cart, pole) = (rail.qpos(&data)[0], hinge.qpos(&data)[0]);
        println!("{:.0} s: cart {cart:+.4} m, pole {pole:+.4} rad", data.time());
        for _ in 0..100 {
            let positions = [rail, hinge].map(|joint| joint.qpos(&data)[0]);
            let velocities = [rail, hinge].map(|joint| joint.qvel(&data)[0]);
            let x = DMatrix::from_row_slice(4, 1, &[positions, velocities].concat());
            push.set_ctrl(&mut data, -(&k * x)[0]);
            data.step(&model)?;
        }
    }
    assert!(hinge.qpos(&data)[0].abs() < 1e-3 && rail.qpos(&data)[0].abs() < 1e-2);
    Ok(())
}
