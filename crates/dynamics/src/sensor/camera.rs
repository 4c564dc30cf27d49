//! The image plane of a camera.
use ferrodyn_math::{MIN_VAL, Mat3, PI, Real, Vec3, tan};
use ferrodyn_model::{Model, Projection, Storage};

use crate::World;

/// A length of the sensor in pixels, in single precision as MuJoCo has it.
fn pixels(m: &Model<impl Storage>, cam: usize, length: usize, side: usize) -> Real {
    let per_length = m.cam_intrinsic[cam][length] / m.cam_sensorsize[cam][side];
    (per_length * m.cam_resolution[cam][side] as f32) as Real
}

/// Does the camera state the size of its sensor?
fn has_sensor_size(m: &Model<impl Storage>, cam: usize) -> bool {
    m.cam_sensorsize[cam].iter().all(|x| *x != 0.0)
}

/// The focal length that the vertical field of view means, in pixels.
fn focal_from_fovy(m: &Model<impl Storage>, cam: usize) -> Real {
    0.5 / tan(m.cam_fovy[cam] * PI / 360.0) * m.cam_resolution[cam][1] as Real
}

/// Focal lengths and principal point in pixels.
pub(super) struct Lens {
    focal: [Real; 2],
    center: [Real; 2],
    /// Height of what an orthographic camera sees.
    extent: Real,
}

impl Lens {
    pub(super) fn new(m: &Model<impl Storage>, cam: usize) -> Lens {
        let half = m.cam_resolution[cam].map(|n| n as Real / 2.0);
        let (focal, center) = if m.camera_projection(cam) != Some(Projection::Perspective) {
            (half, half)
        } else if has_sensor_size(m, cam) {
            let at = |length: usize, side: usize| pixels(m, cam, length, side);
            ([at(0, 0), at(1, 1)], [at(2, 0), at(3, 1)])
        } else {
            ([focal_from_fovy(m, cam); 2], half)
        };
        Lens { focal, center, extent: m.cam_fovy[cam] }
    }

    /// Centre of a pixel (column and row, from the top) on the plane at unit distance.
    fn on_plane(&self, (column, row): (i32, i32)) -> [Real; 2] {
        let [x, y] = [column as Real + 0.5 - self.center[0], row as Real + 0.5 - self.center[1]];
        [x / self.focal[0], -y / self.focal[1]]
    }

    /// Direction of the ray through a pixel of a perspective camera.
    pub(super) fn direction(&self, mat: &Mat3, pixel: (i32, i32)) -> Vec3 {
        let [x, y] = self.on_plane(pixel);
        (mat * Vec3::new(x, y, -1.0)).normalize().0
    }

    /// Where the ray through a pixel of an orthographic camera begins, from the camera.
    pub(super) fn offset(&self, mat: &Mat3, pixel: (i32, i32)) -> Vec3 {
        let half = self.extent / 2.0;
        let [x, y] = self.on_plane(pixel);
        mat * Vec3::new(x * half, y * half, 0.0)
    }
}

/// Pixel coordinates of a point, with the centre of the image as principal point.
pub(super) fn project(
    m: &Model<impl Storage>,
    d: &World<'_>,
    point: Vec3,
    cam: usize,
) -> [Real; 2] {
    let [width, height] = m.cam_resolution[cam].map(|n| n as Real);
    let [fx, fy] = if has_sensor_size(m, cam) {
        [pixels(m, cam, 0, 0), pixels(m, cam, 1, 1)]
    } else {
        [focal_from_fovy(m, cam); 2]
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
