//! Compiles cameras.

use core::f64::consts::PI;

use super::objects::Camera;
use super::resolve::Resolved;
use super::tree::TreeCompiler;
use crate::pose::{Pose, UNIT, normalize};
use crate::schema::CameraAttrs;

impl TreeCompiler<'_> {
    pub(super) fn camera(&mut self, item: &Resolved<'_, CameraAttrs>) -> Camera {
        let attr = &item.attr;
        let or = attr.or_default();
        self.check_user("camera", item.name, item.span, &attr.user, self.user.cam);
        let quat = self.orientation(item.origin, &attr.quat, &attr.alt).unwrap_or_else(|message| {
            self.fail("camera", item.name, item.span, message);
            UNIT
        });
        let mut pose = Pose { pos: or.pos(), quat };
        if let Some(frame) = self.frame(item.frame) {
            pose = frame.then(&pose);
        }
        normalize(&mut pose.quat);
        let target = self.target("camera", item.name, item.span, &attr.target);

        let mut fovy = or.fovy();
        if fovy >= 180.0 {
            self.fail("camera", item.name, item.span, "'fovy' must be smaller than 180");
        }
        let focal = or.focal();
        let focalpixel = or.focalpixel();
        let principal = or.principal();
        let principalpixel = or.principalpixel();
        let sensorsize = or.sensorsize();
        let resolution = or.resolution();
        let has_sensor = sensorsize[0] > 0.0 && sensorsize[1] > 0.0;
        let given = [focal, focalpixel, principal, principalpixel];
        if given.iter().flatten().any(|x| *x != 0.0) && !has_sensor {
            let message = "focal length and principal point need 'sensorsize'";
            self.fail("camera", item.name, item.span, message);
        }
        if has_sensor && resolution.iter().any(|x| *x <= 0) {
            let message = "'sensorsize' needs a positive 'resolution'";
            self.fail("camera", item.name, item.span, message);
        }

        let mut intrinsic = [self.znear, self.znear, 0.0, 0.0];
        if has_sensor {
            // pixels per unit of length; what is given in pixels wins
            let density =
                [resolution[0] as f32 / sensorsize[0], resolution[1] as f32 / sensorsize[1]];
            let choose = |pixel: f32, length: f32, density: f32| {
                if pixel != 0.0 { pixel / density } else { length }
            };
            intrinsic = [
                choose(focalpixel[0], focal[0], density[0]),
                choose(focalpixel[1], focal[1], density[1]),
                choose(principalpixel[0], principal[0], density[0]),
                choose(principalpixel[1], principal[1], density[1]),
            ];
            // computed in single precision
            let angle = libm::atan2f(sensorsize[1] / 2.0, intrinsic[1]);
            fovy = f64::from(angle) * 360.0 / PI;
        }
        Camera { pose, target, fovy, resolution, intrinsic }
    }
}
