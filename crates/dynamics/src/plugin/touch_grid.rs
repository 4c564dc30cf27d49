//! `mujoco.sensor.touch_grid`: contact forces on a grid of angles about a site.
use alloc::{string::String, vec, vec::Vec};

use ferrodyn_math::{PI, Real, Vec3, atan2, sqrt};
use ferrodyn_model::{Model, ObjType, SensorType, Storage};

use super::config::Config;
use crate::World;
use crate::constraint::contact_force::contact_force;
use crate::constraint::sides::geom_bodies;

/// The grid of one sensor.
#[derive(Clone, Debug)]
pub(super) struct TouchGrid {
    /// The sensor that shows it; none where no sensor uses the instance.
    sensor: Option<usize>,
    site: usize,
    channels: usize,
    /// Borders of the columns, in radians.
    x_edges: Vec<Real>,
    /// Borders of the rows.
    y_edges: Vec<Real>,
}

impl TouchGrid {
    pub(super) fn new(
        m: &Model<impl Storage>,
        instance: usize,
        config: &Config<'_>,
    ) -> Result<TouchGrid, String> {
        config.check_number("gamma")?;
        config.check_number("nchannel")?;
        let channels = config.number("nchannel") as i64;
        let channels = if channels == 0 { 1 } else { channels };
        if !(1..=6).contains(&channels) {
            return Err(String::from("nchannel must be between 1 and 6"));
        }
        let size = config.pair("size")?.map(|n| n as i64);
        if size.iter().any(|n| *n <= 0) {
            return Err(String::from("both sizes must be positive"));
        }
        let fov = config.pair("fov")?;
        if !(fov[0] > 0.0 && fov[0] <= 180.0 && fov[1] > 0.0 && fov[1] <= 90.0) {
            return Err(String::from("fov must be at most 180 and 90 degrees, and positive"));
        }
        let gamma = config.number("gamma");
        if !(0.0..=1.0).contains(&gamma) {
            return Err(String::from("gamma must be between 0 and 1"));
        }
        let uses = |i: &usize| {
            m.sensor_kind(*i) == Some(SensorType::Plugin) && m.sensor_plugin[*i] == instance as i32
        };
        if (0..m.nsensor).filter(uses).any(|i| m.sensor_objtype[i] != ObjType::Site as i32) {
            return Err(String::from("a touch grid must be attached to a site"));
        }
        let sensor = (0..m.nsensor).find(uses);
        // a grid that does not fit its sensor shows nothing
        let cells = size[0].saturating_mul(size[1]).saturating_mul(channels);
        let sensor = sensor.filter(|i| i64::from(m.sensor_dim[*i]) == cells);
        let site = sensor.map_or(0, |i| m.sensor_objid[i].max(0) as usize);
        let edges = |k: usize| match sensor {
            Some(_) => edges(size[k] as usize, fov[k], gamma),
            None => vec![],
        };
        let (x_edges, y_edges) = (edges(0), edges(1));
        Ok(TouchGrid { sensor, site, channels: channels as usize, x_edges, y_edges })
    }

    /// Sum the wrenches of all contacts of the site's body, by the direction they are in.
    pub(super) fn compute(&self, m: &Model<impl Storage>, d: &mut World<'_>) {
        let Some(sensor) = self.sensor else { return };
        let range = m.sensor_values(sensor);
        d.sensordata[range.clone()].fill(0.0);
        let parent = m.body_weld(m.site_body(self.site));
        let frame = &d.site_xmat[self.site];
        let cells = self.columns() * (self.y_edges.len() - 1);
        for i in 0..d.ncon() {
            let contact = &d.work.contact[i];
            let Some(bodies) = geom_bodies(m, contact) else { continue };
            if bodies.iter().all(|b| m.body_weld(*b) != parent) {
                continue;
            }
            let offset = frame.mul_transposed(contact.pos - d.site_xpos[self.site]);
            let Some(cell) = self.cell(offset) else { continue };
            let wrench = contact_force(m, d, i);
            let in_site = |local: &[Real]| {
                frame.mul_transposed(contact.frame.mul_transposed(Vec3::from_slice(local)))
            };
            let (force, torque) = (in_site(&wrench), in_site(&wrench[3..]));
            // a force acts on the body of the larger number
            let sign = if parent < bodies[0].max(bodies[1]) { -1.0 } else { 1.0 };
            // normal first, then both tangents
            let shown = [force[2], force[0], force[1], torque[2], torque[0], torque[1]];
            for (channel, value) in shown.iter().take(self.channels).enumerate() {
                d.sensordata[range.start + channel * cells + cell] += sign * value;
            }
        }
    }

    fn columns(&self) -> usize {
        self.x_edges.len() - 1
    }

    /// The cell that a point in the frame of the site is seen in. The grid looks along −z.
    fn cell(&self, p: Vec3) -> Option<usize> {
        let azimuth = atan2(p[0], -p[2]);
        let elevation = atan2(p[1], sqrt(p[0] * p[0] + p[2] * p[2]));
        let bin = |edges: &[Real], x: Real| {
            let above = edges.partition_point(|e| *e < x);
            (above > 0 && above < edges.len()).then(|| above - 1)
        };
        Some(bin(&self.y_edges, elevation)? * self.columns() + bin(&self.x_edges, azimuth)?)
    }
}

/// Borders of `n` cells over a field of view, denser in the middle the larger `gamma` is: evenly spaced `x` between -1
/// and 1 become `γ x⁵ + (1 - γ) x`.
fn edges(n: usize, fov: Real, gamma: Real) -> Vec<Real> {
    let step = 2.0 / n as Real;
    let mut x = -1.0;
    let mut edges = Vec::with_capacity(n + 1);
    for _ in 0..=n {
        let bent = if gamma == 0.0 { x } else { gamma * (x * x * x * x * x) + (1.0 - gamma) * x };
        edges.push(bent * (fov * PI / 180.0));
        x += step;
    }
    edges
}
