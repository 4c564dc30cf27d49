//! A leg that lands: with a stiff servo, and with a motor behind a spring, which softens the blow and gives energy back.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::prelude::*;

/// A trunk on a rail and a foot that a motor extends. The motor's input is the length of the leg.
fn leg(actuator: &str) -> Result<Model, Error> {
    let text = format!(
        r#"<mujoco xmlns:ferrodyn="urn:ferrodyn">
             <option timestep="0.0005" integrator="implicitfast"/>
             <worldbody>
               <geom type="plane" size="1 1 .1" solref=".005 1"/>
               <body name="trunk" pos="0 0 .8">
                 <joint name="rail" type="slide" axis="0 0 1"/>
                 <geom type="box" size=".1 .1 .05" mass="10"/>
                 <body name="foot" pos="0 0 -.5">
                   <joint name="leg" type="slide" axis="0 0 -1"/>
                   <geom type="sphere" size=".03" mass=".3"/>
                 </body>
               </body>
             </worldbody>
             <actuator>{actuator}</actuator>
           </mujoco>"#
    );
    Ok(load_model(&text)?)
}

/// Drop it, with the motor held still: the largest force of the actuator and how high the trunk comes back.
fn drop_leg(model: &Model) -> Result<(f64, f64), Error> {
    let mut data = model.make_data();
    let (mut peak, mut lowest, mut rebound): (f64, f64, f64) = (0.0, f64::MAX, f64::MIN);
    let mut descending = true;
    for _ in 0..1200 {
        data.step(model)?;
        peak = peak.max(data.actuator_force()[0].abs());
        let height = data.qpos()[0];
        if descending {
            lowest = lowest.min(height);
            descending = height < lowest + 1e-3;
        } else {
            rebound = rebound.max(height);
        }
    }
    Ok((peak, rebound - lowest))
}

fn main() -> Result<(), Error> {
    let stiff = leg(r#"<position name="servo" joint="leg" kp="40000" kv="600"/>"#)?;
    let spring = leg(
        r#"<general name="spring" joint="leg" gaintype="user" ferrodyn:gain_model="series_elastic"
                    ferrodyn:gain_params="4000 20 1"/>"#,
    )?;
    let (stiff_peak, stiff_rebound) = drop_leg(&stiff)?;
    let (spring_peak, spring_rebound) = drop_leg(&spring)?;
    println!("stiff servo:    peak force {stiff_peak:6.0} N, comes back by {stiff_rebound:.3} m");
    println!("series elastic: peak force {spring_peak:6.0} N, comes back by {spring_rebound:.3} m");
    assert!(spring_peak < 0.7 * stiff_peak);

    // standing still, the spring is shorter by weight over stiffness
    let mut data = spring.make_data();
    data.step_n(&spring, 12_000)?;
    let (squeezed, expected) = (-data.qpos()[1], 10.0 * 9.81 / 4000.0);
    println!(
        "standing: spring squeezed by {:.2} mm, m g / k = {:.2} mm",
        1e3 * squeezed,
        1e3 * expected
    );
    assert!((squeezed - expected).abs() < 0.02 * expected);

    // the motor moves up by 5 cm within a tenth of a second: the control is its place
    let start = data.qpos()[0];
    for i in 1..=12_000 {
        data.ctrl_mut()[0] = 0.05 * (f64::from(i) / 200.0).min(1.0);
        data.step(&spring)?;
    }
    println!("the motor lifts the trunk by {:.1} mm", 1e3 * (data.qpos()[0] - start));
    assert!((data.qpos()[0] - start - 0.05).abs() < 0.01);
    Ok(())
}
