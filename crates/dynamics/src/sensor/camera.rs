//! The image plane of a camera.
use ferrodyn_math::{MIN_VAL, PI, Real, Vec3, tan};
use ferrodyn_model::Model;

use crate::World;

/// Pixel coordinates of a point, with the centre of the image as principal point.
pub(super) fn project(m: &Model, d: &World<'_>, point: Vec3, cam: usize) -> [Real; 2] {
    let [width, height] = m.cam_resolution[cam].map(|n| n as Real);
    let sensor = m.cam_sensorsize[cam];
    let (fx, fy) = if sensor[0] != 0.0 && sensor[1] != 0.0 {
        // in single precision, as MuJoCo has it
        let pixels =
            |k: usize| m.cam_intrinsic[cam][k] / sensor[k] * m.cam_resolution[cam][k] as f32;
        (pixels(0) as Real, pixels(1) as Real)
    } else {
        let f = 0.5 / tan(m.cam_fovy[cam] * PI / 360.0) * height;
        (f, f)
    };
    // the camera looks along its negative z axis
    let local = d.cam_xmat[cam].mul_transposed(point - d.cam_xpos[cam]);
    let depth = local[2];
    let x = -fx * local[0] + width / 2.0 * depth;
    let y = fy * local[1] + height / 2.0 * depth;
    let depth = if depth.abs() >= MIN_VAL {
        depth
    } else if depth < 0.0 {
        -MIN_VAL
    } else {
        MIN_VAL
    };
    [x / depth, y / depth]
}
