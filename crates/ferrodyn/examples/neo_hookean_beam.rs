//! A beam and a block of rubber, Neo-Hookean and with MuJoCo's linear law of stress and strain: alike where they bend a little, not
//! where they are crushed.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::prelude::*;

const YOUNG: f64 = 1e5;

/// A grid of points that is fixed where `z = 0`. Without Poisson's effect MuJoCo's law and Hooke's are the same at small strains.
fn grid(count: [usize; 3], law: &str) -> Result<Model, Error> {
    let [nx, ny, nz] = count;
    let last = [nx - 1, ny - 1];
    let text = format!(
        r#"<mujoco xmlns:ferrodyn="urn:ferrodyn">
             <option timestep="0.001" integrator="implicitfast" gravity="0 0 0"/>
             <worldbody>
               <body name="ground">
                 <flexcomp name="rubber" type="grid" dim="3" count="{nx} {ny} {nz}" spacing=".1 .1 .1"
                           mass="{}" radius=".001" ferrodyn:elasticity_model="{law}">
                   <contact contype="0" conaffinity="0" selfcollide="none"/>
                   <elasticity young="{YOUNG}" poisson="0"/>
                   <pin gridrange="0 0 0 {} {} 0"/>
                 </flexcomp>
               </body>
             </worldbody>
           </mujoco>"#,
        (nx * ny * nz) as f64 * 0.05,
        last[0],
        last[1],
    );
    let mut model = load_model(&text)?;
    // what brings it to rest, and no more: mass times 40 per second
    model.edit(|m| m.dof_damping.fill(0.05 * 40.0));
    Ok(model)
}

/// Load the upper end with a force that all its points share by the area they stand for, and let it come to rest. The places of all points.
fn loaded(model: &Model, force: [f64; 3]) -> Result<Vec<[f64; 3]>, Error> {
    let mut data = model.make_data();
    data.forward(model)?;
    let start = data.flexvert_xpos().to_vec();
    let bound = |axis: usize, least: bool| {
        let all = start.iter().map(|x| x[axis]);
        if least { all.fold(f64::MAX, f64::min) } else { all.fold(f64::MIN, f64::max) }
    };
    let top: Vec<usize> =
        (0..start.len()).filter(|v| start[*v][2] > bound(2, false) - 1e-9).collect();
    // a point of an edge stands for half the area, one of a corner for a quarter
    let share = |v: usize| -> f64 {
        let outer = |axis: usize| {
            (start[v][axis] - bound(axis, true)).abs() < 1e-9
                || (start[v][axis] - bound(axis, false)).abs() < 1e-9
        };
        [0, 1].into_iter().map(|axis| if outer(axis) { 0.5 } else { 1.0 }).product()
    };
    let total: f64 = top.iter().map(|v| share(*v)).sum();
    for &v in &top {
        let body = model.flex_vertbodyid[v] as usize;
        for (k, dof) in model.body_dofs(body).enumerate() {
            data.qfrc_applied_mut()[dof] = force[k] * share(v) / total;
        }
    }
    data.step_n(model, 1500)?;
    data.forward(model)?;
    Ok(data.flexvert_xpos().iter().map(|x| x.0).collect())
}

/// How many tetrahedra are inside out.
fn inverted(model: &Model, x: &[[f64; 3]]) -> usize {
    let volume = |t: usize| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| x[model.flex_element(0, t)[k] as usize]);
        let [u, v, w]: [[f64; 3]; 3] = [b, c, d].map(|p| std::array::from_fn(|k| p[k] - a[k]));
        (u[1] * v[2] - u[2] * v[1]) * w[0]
            + (u[2] * v[0] - u[0] * v[2]) * w[1]
            + (u[0] * v[1] - u[1] * v[0]) * w[2]
    };
    // the compiler orders the corners so that volumes at rest are negative
    (0..model.nflexelem).filter(|t| volume(*t) > 0.0).count()
}

fn main() -> Result<(), Error> {
    // a beam of 0.2 x 0.2 x 0.6 m, pushed aside by little
    let push = [1.0, 0.0, 0.0];
    let mut tips = Vec::new();
    for law in ["linear", "neo_hookean"] {
        let beam = grid([3, 3, 7], law)?;
        let places = loaded(&beam, push)?;
        let tip = places.iter().fold(f64::MIN, |most, x| most.max(x[0])) - 0.1;
        println!("{law:12} beam under 1 N: tip moved {:.3} mm", 1e3 * tip);
        tips.push(tip);
    }
    assert!((tips[0] / tips[1] - 1.0).abs() < 0.05 && tips[0] > 1e-4);

    // a block of 0.2 x 0.2 x 0.2 m, pressed with a quarter of Young's modulus. Hooke's law in Green's strain can resist 0.19 of it at most
    let area = 0.2 * 0.2;
    for law in ["linear", "neo_hookean"] {
        let block = grid([3, 3, 3], law)?;
        let places = loaded(&block, [0.0, 0.0, -0.25 * YOUNG * area])?;
        // the mean of the nine points that were on top
        let top = (0..27).filter(|v| v % 3 == 2);
        let height = top.map(|v| places[v][2] + 0.1).sum::<f64>() / 9.0;
        let bad = inverted(&block, &places);
        println!(
            "{law:12} block under E/4: height {height:.3} of 0.2 m, {bad} of {} elements inside out",
            block.nflexelem
        );
        if law == "linear" {
            assert!(bad > 0);
        } else {
            // s - 1/s = -0.5 for the stretch s, with μ = E/2
            let stretch = (17.0_f64.sqrt() - 1.0) / 4.0;
            println!("{:12} theory: {:.3} m", "", 0.2 * stretch);
            assert!(bad == 0 && (height - 0.2 * stretch).abs() < 6e-3);
        }
    }
    Ok(())
}
