//! Potential and kinetic energy.
use ferrodyn_math::sparse::mul_symmetric;
use ferrodyn_math::{Quat, Real, Vec3, dot};
use ferrodyn_model::{DisableBit, JointType, Model, Storage};

use crate::World;
use crate::force::material::{bridson_energy, neo_hookean_energy};
use crate::position::inertia::pattern;
use crate::sleep::{AWAKE, some_asleep, tendon_state};

/// Potential energy of gravity and of the springs of joints, tendons and lines: `−Σ m g·x + Σ ½ k Δ²`; and of the laws of flexes beyond MuJoCo's. MuJoCo: `mj_energyPos`.
pub fn energy_pos(m: &Model<impl Storage>, d: &mut World<'_>) {
    let mut energy = 0.0;
    if !m.opt.disabled(DisableBit::Gravity) {
        for b in 1..m.nbody {
            energy -= m.body_mass[b] * m.opt.gravity.dot(d.xipos[b]);
        }
    }
    if !m.opt.disabled(DisableBit::Spring) {
        // `mj_energyPos` leaves out the springs of what sleeps, but not its weight: the energy jumps when a tree falls asleep
        let filtered = some_asleep(m, d.head);
        for j in 0..m.njnt {
            let k = m.jnt_stiffness[j];
            if k == 0.0 || filtered && d.body_awake[m.joint_body(j)] != AWAKE {
                continue;
            }
            let mut adr = m.joint_qpos(j);
            let kind = m.joint_kind(j);
            if kind == JointType::Slide || kind == JointType::Hinge {
                let dif = d.qpos[adr] - m.qpos_spring[adr];
                energy += 0.5 * k * dif * dif;
                continue;
            }
            if kind == JointType::Free {
                let dif =
                    Vec3::from_slice(&d.qpos[adr..]) - Vec3::from_slice(&m.qpos_spring[adr..]);
                energy += 0.5 * k * dif.dot(dif);
                adr += 3;
            }
            let dif = Quat::from_slice(&d.qpos[adr..])
                .rotation_from(Quat::from_slice(&m.qpos_spring[adr..]));
            energy += 0.5 * k * dif.dot(dif);
        }
        for t in 0..m.ntendon {
            if filtered && tendon_state(m, d, t) != AWAKE {
                continue;
            }
            let length = d.ten_length[t];
            let [lower, upper] = m.tendon_lengthspring[t];
            let displacement = if length > upper {
                upper - length
            } else if length < lower {
                lower - length
            } else {
                0.0
            };
            energy += 0.5 * m.tendon_stiffness[t] * displacement * displacement;
        }
        energy = add_edge_springs(m, d, energy);
        // laws beyond MuJoCo's, whose energy is known
        for f in 0..m.flex_count() {
            energy += neo_hookean_energy(m, d, f) + bridson_energy(m, d, f);
        }
    }
    d.head.energy[0] = energy;
    d.head.flg_energypos = 1;
}

/// Add the energy of the springs along the edges of flexes that are lines: `½ k (L - l)²`. That of elasticity is not counted.
fn add_edge_springs(m: &Model<impl Storage>, d: &World<'_>, mut energy: Real) -> Real {
    for f in 0..m.flex_count() {
        let k = m.flex_edgestiffness[f];
        if m.flex_rigid[f] != 0 || k == 0.0 || m.flex_dim[f] > 1 {
            continue;
        }
        for e in m.flex_edges(f).filter(|&e| m.flexedge_rigid[e] == 0) {
            let displacement = m.flexedge_length0[e] - d.flexedge_length[e];
            energy += 0.5 * k * displacement * displacement;
        }
    }
    energy
}

/// Kinetic energy `½ q̇ᵀ M q̇`. MuJoCo: `mj_energyVel`.
pub fn energy_vel(m: &Model<impl Storage>, d: &mut World<'_>) {
    let momentum = &mut *d.scratch.dof_a;
    mul_symmetric(momentum, d.M, d.qvel, &pattern(m));
    d.head.energy[1] = 0.5 * dot(momentum, d.qvel);
    d.head.flg_energyvel = 1;
}
