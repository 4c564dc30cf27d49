//! Centres of mass, and inertias and motion axes about them.
use ferrodyn_math::{Inertia10, MIN_VAL, Spatial, Vec3};
use ferrodyn_model::{JointType, Model, Storage};

use crate::World;
use crate::data::Lane;
use crate::sleep::{ASLEEP, Bodies};

/// Compute `subtree_com`, `cinert` and `cdof`. MuJoCo: `mj_comPos`.
///
/// Inertias and motions of a tree refer to the centre of mass of the whole tree, in global axes: quantities of different
/// bodies of a tree can be added without being moved, and numbers stay small however far the tree is from the origin.
pub fn com_pos<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    // mass moments, summed from the leaves to the root
    let bodies = Bodies::awake(m, d);
    for k in 0..bodies.count {
        let b = bodies.get(d.body_awake_ind, k);
        d.subtree_com[b] = d.xipos[b] * T::of(m.body_mass[b]);
    }
    let children = Bodies::with_awake_parent(m, d);
    for k in (0..children.count).rev() {
        let b = children.get(d.parent_awake_ind, k);
        if b == 0 {
            continue;
        }
        let mut moment = d.subtree_com[b];
        if children.listed() && d.body_awake[b] == ASLEEP {
            // a sleeping body keeps its centre of mass
            moment = moment * T::of(m.body_subtreemass[b]);
        }
        d.subtree_com[m.body_parent(b)] += moment;
    }
    // moment by mass; a subtree without mass has its body's own centre
    for k in 0..bodies.count {
        let b = bodies.get(d.body_awake_ind, k);
        d.subtree_com[b] = if m.body_subtreemass[b] < MIN_VAL {
            d.xipos[b]
        } else {
            d.subtree_com[b] * T::of(1.0 / m.body_subtreemass[b])
        };
    }

    // inertia of each body about the centre of mass of its tree
    d.cinert[0] = Inertia10::of(Inertia10::ZERO);
    for k in 1..bodies.count {
        let b = bodies.get(d.body_awake_ind, k);
        let offset = d.xipos[b] - d.subtree_com[m.body_root(b)];
        d.cinert[b] = Inertia10::from_body(m.body_inertia[b], &d.ximat[b], offset, m.body_mass[b]);
    }

    // motion of the tree's centre for a unit velocity of each joint: ω = axis, v = axis × (com - anchor)
    for k in 1..bodies.count {
        let b = bodies.get(d.body_awake_ind, k);
        let com = d.subtree_com[m.body_root(b)];
        for j in m.body_joints(b) {
            let dof = m.joint_dof(j);
            let offset = com - d.xanchor[j];
            match m.joint_kind(j) {
                JointType::Free => {
                    d.cdof[dof] = Spatial::slide(Vec3::of(Vec3::X));
                    d.cdof[dof + 1] = Spatial::slide(Vec3::of(Vec3::Y));
                    d.cdof[dof + 2] = Spatial::slide(Vec3::of(Vec3::Z));
                    ball_axes(d, b, dof + 3, offset);
                }
                JointType::Ball => ball_axes(d, b, dof, offset),
                JointType::Slide => d.cdof[dof] = Spatial::slide(d.xaxis[j]),
                JointType::Hinge => d.cdof[dof] = Spatial::hinge(d.xaxis[j], offset),
            }
        }
    }
}

/// The three rotations of a ball joint, about the axes of the child body.
#[inline]
fn ball_axes<T: Lane>(d: &mut World<'_, T>, b: usize, dof: usize, offset: Vec3<T>) {
    for k in 0..3 {
        d.cdof[dof + k] = Spatial::hinge(d.xmat[b].column(k), offset);
    }
}
