//! Statistics of a model: extent, centre, mean size, mass and inertia.
use alloc::vec;

use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::{GeomType, JointType, Model};

use crate::World;

/// An axis-aligned box that grows to hold spheres.
struct Bounds {
    min: [Real; 3],
    max: [Real; 3],
}

impl Bounds {
    fn add(&mut self, center: Vec3, radius: Real) {
        for k in 0..3 {
            self.min[k] = self.min[k].min(center[k] - radius);
            self.max[k] = self.max[k].max(center[k] + radius);
        }
    }
}

/// Radius that a geom adds to the extent of the model: planes and height fields count with a tenth of their size,
/// MuJoCo's share, so that a large floor does not make everything on it look small.
fn visual_radius(m: &Model, g: usize) -> Real {
    let size = m.geom_size[g];
    if m.geom_rbound[g] > 0.0 {
        m.geom_rbound[g]
    } else if m.geom_kind(g) == Some(GeomType::Plane) {
        // infinite planes count as one metre
        if size[0] != 0.0 || size[1] != 0.0 { size[0].max(size[1]) * 0.1 } else { 1.0 }
    } else if m.geom_kind(g) == Some(GeomType::Hfield) {
        let s = m.hfield_size[m.geom_dataid[g] as usize];
        s[0].max(s[1].max(s[2].max(s[3]))) * 0.1
    } else {
        0.0
    }
}

/// Extent, centre, mean size, mass and inertia; also `dof_length`. Extents and sizes of bodies are at least 1e-5 m, and
/// boxes begin empty with ends at 1e10 (`mjMAXVAL`): both are MuJoCo's. MuJoCo: `setStat`.
pub(super) fn set_statistic(m: &mut Model, d: &World<'_>) {
    let mut bounds = Bounds { min: [1e10; 3], max: [-1e10; 3] };
    for b in 1..m.nbody {
        bounds.add(d.xpos[b], 0.0);
        bounds.add(d.xipos[b], 0.0);
    }
    for j in 0..m.njnt {
        bounds.add(d.xanchor[j], 0.0);
    }
    for s in 0..m.nsite {
        bounds.add(d.site_xpos[s], 0.0);
    }
    for g in 0..m.ngeom {
        bounds.add(d.geom_xpos[g], visual_radius(m, g));
    }
    let (min, max) = (Vec3(bounds.min), Vec3(bounds.max));
    m.stat.center = (min + max) * 0.5;
    if max[0] > min[0] {
        let size = max - min;
        m.stat.extent = size[0].max(size[1].max(size[2])).max(1e-5);
    }

    // size of a body: distance from its centre of mass to joints, and to the far side of geoms
    let mut body_size = vec![0.0 as Real; m.nbody];
    for j in 0..m.njnt {
        let b = m.joint_body(j);
        for b in [b, m.body_parent(b)] {
            body_size[b] = body_size[b].max((d.xipos[b] - d.xanchor[j]).norm());
        }
    }
    body_size[0] = 0.0;
    for g in 0..m.ngeom {
        let b = m.geom_body(g);
        if b > 0 && m.geom_rbound[g] > 0.0 {
            let reach = m.geom_rbound[g] + (d.xipos[b] - d.geom_xpos[g]).norm();
            body_size[b] = body_size[b].max(reach);
        }
    }
    super::flex::enlarge_bodies(m, d, &mut body_size);
    if m.nbody > 1 {
        let n = (m.nbody - 1) as Real;
        m.stat.meansize = 0.0;
        for size in &mut body_size[1..] {
            *size = size.max(1e-5);
            m.stat.meansize += *size / n;
        }
        m.stat.meanmass = m.body_mass[1..].iter().sum::<Real>() / n;
    }
    m.stat.extent = m.stat.extent.max(2.0 * m.stat.meansize);

    for i in 0..m.nv {
        let joint = m.dof_joint(i);
        let translates = match m.joint_kind(joint) {
            JointType::Slide => true,
            JointType::Free => i < m.joint_dof(joint) + 3,
            JointType::Ball | JointType::Hinge => false,
        };
        m.dof_length[i] = if translates { 1.0 } else { body_size[m.dof_body(i)] };
    }
    if m.nv > 0 {
        let sum: Real = m.dof_Madr.iter().map(|&adr| d.qM[adr as usize]).sum();
        m.stat.meaninertia = sum / m.nv as Real;
    }
}
