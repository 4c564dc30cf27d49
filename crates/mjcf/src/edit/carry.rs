//! Carries the state of a world over to a model that was compiled again.

use ferrodyn_dynamics::OwnedWorld;
use ferrodyn_model::{JointType, Model, ObjType};

/// Which objects of an old model are which of a new one: pairs of indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateMap {
    /// Joints.
    pub joints: Vec<(usize, usize)>,
    /// Actuators.
    pub actuators: Vec<(usize, usize)>,
    /// Bodies.
    pub bodies: Vec<(usize, usize)>,
}

impl StateMap {
    /// Objects with the same names; those without names start anew.
    pub fn by_name(old: &Model, new: &Model) -> Self {
        let pairs = |kind: ObjType, count: usize| {
            (0..count)
                .filter_map(|i| {
                    let name = old.name(kind, i).filter(|n| !n.is_empty())?;
                    Some((i, new.id(kind, name)?))
                })
                .collect()
        };
        Self {
            joints: pairs(ObjType::Joint, old.njnt),
            actuators: pairs(ObjType::Actuator, old.nu),
            bodies: pairs(ObjType::Body, old.nbody),
        }
    }

    /// Copies time, positions, velocities, activations, controls and mocap poses of what is in both
    /// models; `to` is a world of the new model at its reference.
    pub fn carry(&self, (old, from): (&Model, &OwnedWorld), (new, to): (&Model, &mut OwnedWorld)) {
        let kind = |m: &Model, j: usize| JointType::try_from(m.jnt_type[j]).ok();
        let (qpos, qvel) = (from.qpos().to_vec(), from.qvel().to_vec());
        for &(a, b) in &self.joints {
            let Some(joint) = kind(old, a).filter(|k| Some(*k) == kind(new, b)) else { continue };
            let (qa, qb) = (old.jnt_qposadr[a] as usize, new.jnt_qposadr[b] as usize);
            to.qpos_mut()[qb..qb + joint.nq()].copy_from_slice(&qpos[qa..qa + joint.nq()]);
            let (va, vb) = (old.jnt_dofadr[a] as usize, new.jnt_dofadr[b] as usize);
            to.qvel_mut()[vb..vb + joint.nv()].copy_from_slice(&qvel[va..va + joint.nv()]);
        }
        let (act, ctrl) = (from.act().to_vec(), from.ctrl().to_vec());
        for &(a, b) in &self.actuators {
            to.ctrl_mut()[b] = ctrl[a];
            let count = old.actuator_actnum[a].max(0) as usize;
            if old.actuator_actnum[a] == new.actuator_actnum[b] && count > 0 {
                let (aa, ab) = (old.actuator_actadr[a] as usize, new.actuator_actadr[b] as usize);
                to.act_mut()[ab..ab + count].copy_from_slice(&act[aa..aa + count]);
            }
        }
        for &(a, b) in &self.bodies {
            let ids = (old.body_mocapid[a], new.body_mocapid[b]);
            let (Ok(ma), Ok(mb)) = (usize::try_from(ids.0), usize::try_from(ids.1)) else {
                continue;
            };
            to.mocap_pos_mut()[mb] = from.mocap_pos()[ma];
            to.mocap_quat_mut()[mb] = from.mocap_quat()[ma];
        }
        to.header_mut().time = from.header().time;
    }
}
