//! Handles of sites.
use ferrodyn_math::{Mat3, Quat, Vec3};

use super::table::{handle, relations};

handle! {
    /// The handle of a site.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><worldbody><body name='arm'><joint axis='0 1 0'/><geom size='.1'/>
    ///      <site name='tip' pos='1 0 0'/></body></worldbody></mujoco>",
    /// )?;
    /// let tip = model.site("tip")?;
    /// let mut data = model.make_data();
    /// data.qpos_mut()[0] = std::f64::consts::FRAC_PI_2;
    /// data.forward(&model)?;
    /// assert!((tip.xpos(&data)[2] + 1.0).abs() < 1e-12);
    /// assert_eq!(tip.body(&model), model.body("arm")?);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Site = "site", Site, site, sites;
    data {
        xpos: Vec3 = site_xpos, "position";
        xmat: Mat3 = site_xmat, "orientation";
    }
    model {
        pos, set_pos: Vec3 = site_pos, "position in the body frame";
        quat, set_quat: Quat = site_quat, "orientation in the body frame";
        size, set_size: Vec3 = site_size, "size for drawing";
        group, set_group: i32 = site_group, "visibility group";
        rgba, set_rgba: [f32; 4] = site_rgba, "colour";
    }
}

relations!(Site, body in site_bodyid);
