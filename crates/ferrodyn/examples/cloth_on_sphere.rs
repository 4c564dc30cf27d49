//! A cloth falls on a ball that hangs on a spring, and drapes over it: the ball carries its weight.
//!
//! Run with `cargo run --release --example cloth_on_sphere`; `-- bench` measures what a frame costs for 1,000 to 100,000 vertices.
#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use std::time::Instant;

use ferrodyn::math::{Real, Vec3, double};
use ferrodyn::soft::{Cloth, ClothConfig, SolverConfig, VertexFlags};
use ferrodyn::{Error, Model, load_model};

/// A ball of 0.3 m that can move up and down, held by a spring of 200 N/m.
const MODEL: &str = r#"
<mujoco>
  <option timestep="0.01666666666666666"/>
  <worldbody>
    <body>
      <joint name="spring" type="slide" axis="0 0 1" stiffness="200" damping="10" springref="0.4905"/>
      <geom size="0.3" mass="10"/>
    </body>
  </worldbody>
</mujoco>"#;

/// A square metre and a half of cotton with `n` by `n` vertices, above the ball.
fn cotton(n: usize) -> Result<Cloth, ferrodyn::soft::SoftError> {
    let side: Real = 1.2;
    let corner = Vec3::new(-0.5 * side, -0.5 * side, 0.31);
    let config = ClothConfig { thickness: 2e-3, ..ClothConfig::cotton() };
    Cloth::grid([n, n], [side / (n - 1) as Real; 2], corner, config)
}

fn main() -> Result<(), Error> {
    let model = load_model(MODEL)?;
    if std::env::args().any(|argument| argument == "bench") {
        return bench(&model);
    }
    let cloth = cotton(31)?;
    let mut data = model.make_data();
    // 60 frames a second, ten substeps each, and air that slows it down
    let config = SolverConfig { damping: 3.0, ..SolverConfig::realtime() };
    let body = data.register_deformable(&cloth, config)?;
    data.step_n(&model, 300)?;

    // what the spring feels of the cloth, over a second
    let mut force = 0.0;
    for _ in 0..60 {
        data.step(&model)?;
        force += double(data.deformable_force()[0]) / 60.0;
    }
    let view = data.deformable(body).ok_or(ferrodyn::StepError::ModelMismatch)?;
    let mass: f64 = view.inverse_masses().iter().map(|w| 1.0 / double(*w)).sum();
    let touching =
        view.vertex_flags().iter().filter(|f| f.contains(VertexFlags::COLLIDING)).count();
    println!("cloth of {:.3} kg weighs {:.3} N", mass, 9.81 * mass);
    println!("it pushes the ball with {:.3} N, by {:.4} m", -force, -double(data.qpos()[0]));
    println!("{touching} of {} vertices touch the ball", view.positions().len());
    assert!((-force / (9.81 * mass) - 1.0).abs() < 0.01, "the ball carries the cloth");
    assert!(touching > 60);
    Ok(())
}

/// Milliseconds of a frame, the least of several seconds, when the cloth lies on the ball.
fn bench(model: &Model) -> Result<(), Error> {
    println!("| vertices | constraints | contacts | ms a frame | ns a vertex and substep |");
    println!("|---|---|---|---|---|");
    for n in [32, 100, 316] {
        let cloth = cotton(n)?;
        let mut data = model.make_data();
        let body = data.register_deformable(&cloth, SolverConfig::realtime())?;
        data.step_n(model, 60)?;
        let mut least = f64::MAX;
        for _ in 0..10 {
            let start = Instant::now();
            data.step_n(model, 6)?;
            least = least.min(start.elapsed().as_secs_f64() / 6.0);
        }
        let Some(view) = data.deformable(body) else { continue };
        let count = view.positions().len();
        let constraints = view.shape().constraints().count();
        let contacts = data.deformable_contacts().len();
        let each = least * 1e9 / (count * 10) as f64;
        println!("| {count} | {constraints} | {contacts} | {:.2} | {each:.0} |", least * 1e3);
    }
    Ok(())
}
