//! Handles of lights.
use ferrodyn_math::Vec3;

use super::table::{handle, relations};

handle! {
    /// The handle of a light.
    ///
    /// ```
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><light name='sun' pos='0 0 9' dir='0 0 -1'/></worldbody></mujoco>",
    /// )?;
    /// let sun = model.light("sun")?;
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// assert_eq!((sun.xpos(&data)[2], sun.xdir(&data)[2]), (9.0, -1.0));
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Light = "light", Light, light, lights;
    data {
        xpos: Vec3 = light_xpos, "position";
        xdir: Vec3 = light_xdir, "direction";
    }
    model {
        pos, set_pos: Vec3 = light_pos, "position in the body frame";
        dir, set_dir: Vec3 = light_dir, "direction in the body frame";
        ambient, set_ambient: [f32; 3] = light_ambient, "ambient colour";
        diffuse, set_diffuse: [f32; 3] = light_diffuse, "diffuse colour";
        specular, set_specular: [f32; 3] = light_specular, "specular colour";
    }
}

relations!(Light, body in light_bodyid);
