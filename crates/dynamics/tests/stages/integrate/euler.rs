//! Euler: damping of joints at the new velocity.
use nalgebra::DVector;

use crate::position::inertia::{dense, moved};

#[test]
fn implicit_damping_solves_the_modified_matrix() {
    let xml = "<mujoco><worldbody><body><joint damping='3'/><geom size='.1' pos='.2 0 0'/>\
               <body pos='.3 0 0'><joint axis='0 1 0' damping='2'/><geom size='.1' pos='.2 0 0'/></body>\
               </body></worldbody></mujoco>";
    let (model, mut data) = moved(xml);
    let h = model.opt.timestep;
    let mut matrix = dense(&model, &data);
    for i in 0..model.nv {
        matrix[(i, i)] += h * model.dof_damping[i];
    }
    let force = DVector::from_column_slice(data.qfrc_smooth());
    let before = DVector::from_column_slice(data.qvel());
    let expected = before + matrix.cholesky().unwrap().solve(&force) * h;
    data.step(&model).unwrap();
    let found = DVector::from_column_slice(data.qvel());
    assert!((found - &expected).norm() <= 1e-12 * expected.norm());
}
