//! Handles of cameras.
use ferrodyn_math::{Mat3, Quat, Real, Vec3};

use super::table::{handle, relations};

handle! {
    /// The handle of a camera.
    ///
    /// ```
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><camera name='door' pos='0 -3 1' fovy='60'/></worldbody></mujoco>",
    /// )?;
    /// let door = model.camera("door")?;
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// assert_eq!((door.xpos(&data)[1], door.fovy(&model)), (-3.0, 60.0));
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Camera = "camera", Camera, camera, cameras;
    data {
        xpos: Vec3 = cam_xpos, "position";
        xmat: Mat3 = cam_xmat, "orientation";
    }
    model {
        pos, set_pos: Vec3 = cam_pos, "position in the body frame";
        quat, set_quat: Quat = cam_quat, "orientation in the body frame";
        fovy, set_fovy: Real = cam_fovy, "vertical field of view: degrees, or length if orthographic";
        resolution, set_resolution: [i32; 2] = cam_resolution, "resolution in pixels: width, height";
    }
}

relations!(Camera, body in cam_bodyid);
