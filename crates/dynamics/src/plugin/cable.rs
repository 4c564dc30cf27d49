//! `mujoco.elasticity.cable`: bending and twist of a chain of bodies.
use alloc::{string::String, vec::Vec};

use ferrodyn_math::{PI, Quat, Real, Vec3};
use ferrodyn_model::{GeomType, Model, Storage};

use super::config::Config;
use crate::World;
use crate::position::chain::apply_ft;

/// The configuration of a cable.
pub(super) struct CableConfig {
    /// Shear modulus.
    twist: Real,
    /// Young's modulus.
    bend: Real,
    /// Is the cable straight without forces?
    flat: bool,
    first: usize,
    count: usize,
}

/// One body of the cable.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    /// Curvature without forces.
    omega0: Vec3,
    /// Stiffness about the three axes.
    stiffness: Vec3,
    /// Distance to the segment before.
    length: Real,
    /// Address of the orientation in `qpos`, for bodies with a ball or free joint.
    qpos: Option<usize>,
}

/// A chain of bodies that follow each other.
#[derive(Clone, Debug)]
pub(super) struct Cable {
    first: usize,
    segments: Vec<Segment>,
}

impl CableConfig {
    pub(super) fn new(
        m: &Model<impl Storage>,
        instance: usize,
        config: &Config<'_>,
    ) -> Result<CableConfig, String> {
        config.check_number("twist")?;
        config.check_number("bend")?;
        let uses = |b: &usize| m.body_plugin[*b] == instance as i32;
        let count = (1..m.nbody).filter(uses).count();
        let first = (1..m.nbody).find(uses).unwrap_or(0);
        if !(first..first + count).all(|b| uses(&b)) {
            return Err(String::from("the bodies of a cable must follow each other"));
        }
        Ok(CableConfig {
            twist: config.number("twist"),
            bend: config.number("bend"),
            flat: config.value("flat") == "true",
            first,
            count,
        })
    }

    /// The cable, in a world at its reference pose.
    pub(super) fn build(&self, m: &Model<impl Storage>, d: &World<'_>) -> Cable {
        let mut segments = Vec::with_capacity(self.count);
        for k in 0..self.count {
            let b = self.first + k;
            let (torsion, iy, iz) = section(m, b);
            let mut segment = Segment {
                stiffness: Vec3::new(torsion * self.twist, iy * self.bend, iz * self.bend),
                qpos: orientation_address(m, b),
                ..Segment::default()
            };
            if k > 0 {
                segment.length = (d.xpos[b] - d.xpos[b - 1]).norm();
                if !self.flat {
                    segment.omega0 = m.body_quat[b].rotation_from(segment.joint(&m.qpos0));
                }
            }
            segments.push(segment);
        }
        Cable { first: self.first, segments }
    }
}

/// Where the orientation of a body lies in `qpos`.
fn orientation_address(m: &Model<impl Storage>, b: usize) -> Option<usize> {
    let joint = usize::try_from(m.body_jntadr[b]).ok()?;
    let adr = usize::try_from(m.jnt_qposadr[joint] + m.body_dofnum[b] - 3).ok()?;
    (adr + 4 <= m.nq).then_some(adr)
}

/// Torsion constant and second moments of area of the first geom of a body. That of a rectangle with half sides `a ≥ b`
/// is Roark's approximation, `a b³ (16/3 - 3.36 (b/a) (1 - b⁴ / (12 a⁴)))`.
fn section(m: &Model<impl Storage>, b: usize) -> (Real, Real, Real) {
    let geom = usize::try_from(m.body_geomadr[b]).ok().filter(|_| m.body_geomnum[b] > 0);
    let Some(geom) = geom else { return (0.0, 0.0, 0.0) };
    let size = m.geom_size[geom];
    let cube = |x: Real| x * x * x;
    match m.geom_kind(geom) {
        Some(GeomType::Cylinder | GeomType::Capsule) => {
            let r4 = size[0] * cube(size[0]);
            (PI * r4 / 2.0, PI * r4 / 4.0, PI * r4 / 4.0)
        }
        Some(GeomType::Box) => {
            let (h, w) = (size[1], size[2]);
            let (a, b) = if h > w { (h, w) } else { (w, h) };
            let ratio4 = b * cube(b) / (a * cube(a));
            let torsion = a * cube(b) * (16.0 / 3.0 - 3.36 * b / a * (1.0 - ratio4 / 12.0));
            (torsion, cube(2.0 * w) * 2.0 * h / 12.0, cube(2.0 * h) * 2.0 * w / 12.0)
        }
        _ => (0.0, 0.0, 0.0),
    }
}

impl Segment {
    /// The orientation of the joint.
    fn joint(&self, qpos: &[Real]) -> Quat {
        self.qpos.map_or(Quat::IDENTITY, |adr| Quat::from_slice(&qpos[adr..]))
    }

    /// Orientation to the segment before, and the torque against the change of curvature.
    fn stress(&self, m: &Model<impl Storage>, qpos: &[Real], b: usize) -> (Quat, Vec3) {
        let quat = m.body_quat[b] * self.joint(qpos);
        let omega = quat.to_velocity(1.0);
        let part = |k: usize| -self.stiffness[k] * (omega[k] - self.omega0[k]) / self.length;
        (quat, Vec3::new(part(0), part(1), part(2)))
    }
}

impl Cable {
    /// Add the torques of the cable to `qfrc_passive`.
    pub(super) fn forces(&self, m: &Model<impl Storage>, d: &mut World<'_>) {
        for (k, segment) in self.segments.iter().enumerate() {
            if segment.stiffness.is_zero() {
                continue;
            }
            let b = self.first + k;
            let mut torque = Vec3::ZERO;
            if k > 0 {
                let (quat, stress) = segment.stress(m, d.qpos, b);
                torque += quat.conjugate().rotate(stress);
            }
            if let Some(next) = self.segments.get(k + 1) {
                torque -= next.stress(m, d.qpos, b + 1).1;
            }
            let torque = d.xquat[b].rotate(torque);
            let com = d.subtree_com[m.body_root(b)];
            apply_ft(m, d.cdof, com, Vec3::ZERO, torque, d.xpos[b], b, d.qfrc_passive);
        }
    }
}
