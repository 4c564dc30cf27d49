//! Quantities that are computed only when asked for.
use ferrodyn_math::{MIN_VAL, Real, Spatial, Vec3, transform_spatial};
use ferrodyn_model::{Model, ObjType, Storage};

use crate::World;
use crate::constraint::contact_force::contact_force;
use crate::constraint::kind::Tie;
use crate::constraint::sides::geom_bodies;
use crate::force::rne::world_acceleration;
use crate::position::chain::mul_dofs;
use crate::sleep::Bodies;
use crate::velocity::{frame_velocity, object_frame};

/// Acceleration of an object with a spatial frame, gravity included; as [`object_velocity`](crate::velocity::object_velocity).
///
/// Uses `cacc`, which [`rne_post_constraint`] computes. MuJoCo: `mj_objectAcceleration`.
pub fn object_acceleration(
    m: &Model<impl Storage>,
    d: &World<'_>,
    kind: ObjType,
    id: usize,
    local: bool,
) -> Option<Spatial> {
    let (b, pos, mat) = object_frame(m, d, kind, id)?;
    if m.body_weldid[b] == 0 {
        return Some(Spatial::ZERO);
    }
    let mat = local.then_some(&mat);
    let com = d.subtree_com[m.body_root(b)];
    let acc = transform_spatial(&d.cacc[b], false, pos, com, mat);
    // the frame turns while it moves
    let vel = transform_spatial(&d.cvel[b], false, pos, com, mat);
    Some(Spatial::new(acc.rot(), acc.lin() + vel.rot().cross(vel.lin())))
}

/// Compute `subtree_linvel` and `subtree_angmom`. MuJoCo: `mj_subtreeVel`.
///
/// With `c` and `M` the centre of mass and the mass of the subtree of a body, which has mass `m` and centre `x` itself,
/// its angular momentum about `c` is `R I Rᵀ ω + (x - c) × m (ẋ - ċ)`, and for each child that of its subtree and
/// `(c_child - c) × M_child (ċ_child - ċ)`.
pub fn subtree_vel(m: &Model<impl Storage>, d: &mut World<'_>) {
    // momenta of single bodies
    let bodies = Bodies::awake(m, d);
    for k in 0..bodies.count {
        let b = bodies.get(d.body_awake_ind, k);
        let vel = frame_velocity(m, d, b, d.xipos[b], None);
        // velocities in the memory for accelerations
        d.scratch.body_acc[b] = vel;
        d.subtree_linvel[b] = vel.lin() * m.body_mass[b];
        let spin = d.ximat[b].mul_transposed(vel.rot()).mul_elem(m.body_inertia[b]);
        d.subtree_angmom[b] = &d.ximat[b] * spin;
    }
    // linear momentum of subtrees, then velocity
    for k in (0..bodies.count).rev() {
        let b = bodies.get(d.body_awake_ind, k);
        let momentum = d.subtree_linvel[b];
        if b > 0 {
            d.subtree_linvel[m.body_parent(b)] += momentum;
        }
        let mass: Real =
            if m.body_subtreemass[b] > MIN_VAL { m.body_subtreemass[b] } else { MIN_VAL };
        d.subtree_linvel[b] = momentum * (1.0 / mass);
    }
    // angular momentum of subtrees about their centres of mass
    for k in (1..bodies.count).rev() {
        let b = bodies.get(d.body_awake_ind, k);
        let parent = m.body_parent(b);
        let arm = d.xipos[b] - d.subtree_com[b];
        let dv = d.scratch.body_acc[b].lin() - d.subtree_linvel[b];
        d.subtree_angmom[b] += arm.cross(dv * m.body_mass[b]);

        let own = d.subtree_angmom[b];
        d.subtree_angmom[parent] += own;
        let arm = d.subtree_com[b] - d.subtree_com[parent];
        let dv = (d.subtree_linvel[b] - d.subtree_linvel[parent]) * m.body_subtreemass[b];
        d.subtree_angmom[parent] += arm.cross(dv);
    }
    d.head.flg_subtreevel = 1;
}

/// Compute `cacc`, `cfrc_ext` and `cfrc_int` from the final accelerations. MuJoCo: `mj_rnePostConstraint`.
pub fn rne_post_constraint(m: &Model<impl Storage>, d: &mut World<'_>) {
    d.cacc[0] = world_acceleration(m);

    // applied forces, moved to the tree's centre of mass
    d.cfrc_ext.fill(Spatial::ZERO);
    for b in 1..m.nbody {
        let f = d.xfrc_applied[b];
        if f != [0.0; 6] {
            let wrench = Spatial([f[3], f[4], f[5], f[0], f[1], f[2]]);
            let com = d.subtree_com[m.body_root(b)];
            d.cfrc_ext[b] += transform_spatial(&wrench, true, com, d.xipos[b], None);
        }
    }
    contact_wrenches(m, d);
    equality_wrenches(m, d);

    d.cfrc_int[0] = Spatial::ZERO;
    for b in 1..m.nbody {
        let dofs = m.body_dofs(b);
        d.cacc[b] = d.cacc[m.body_parent(b)]
            + mul_dofs(&d.cdof_dot[dofs.clone()], &d.qvel[dofs.clone()])
            + mul_dofs(&d.cdof[dofs.clone()], &d.qacc[dofs]);
        let cvel = &d.cvel[b];
        let force = d.cinert[b].mul(&d.cacc[b]) + cvel.cross_force(&d.cinert[b].mul(cvel));
        d.cfrc_int[b] = force - d.cfrc_ext[b];
    }
    for b in (1..m.nbody).rev() {
        let force = d.cfrc_int[b];
        d.cfrc_int[m.body_parent(b)] += force;
    }
    d.head.flg_rnepost = 1;
}

/// The part of `cfrc_ext` that a wrench at a point makes on body `b`.
fn at_com(
    m: &Model<impl Storage>,
    d: &World<'_>,
    b: usize,
    wrench: &Spatial,
    point: Vec3,
) -> Spatial {
    transform_spatial(wrench, true, d.subtree_com[m.body_root(b)], point, None)
}

/// Add the forces of contacts between geoms to `cfrc_ext`.
fn contact_wrenches(m: &Model<impl Storage>, d: &mut World<'_>) {
    for i in 0..d.ncon() {
        let contact = d.work.contact[i];
        let Some([b1, b2]) = geom_bodies(m, &contact).filter(|_| contact.efc_address >= 0) else {
            continue;
        };
        let local = contact_force(m, d, i);
        let torque = contact.frame.mul_transposed(Vec3::from_slice(&local[3..]));
        let force = contact.frame.mul_transposed(Vec3::from_slice(&local));
        let wrench = Spatial::new(torque, force);
        if b1 > 0 {
            d.cfrc_ext[b1] = d.cfrc_ext[b1] - at_com(m, d, b1, &wrench, contact.pos);
        }
        if b2 > 0 {
            d.cfrc_ext[b2] += at_com(m, d, b2, &wrench, contact.pos);
        }
    }
}

/// Add the forces of connect and weld constraints to `cfrc_ext`.
fn equality_wrenches(m: &Model<impl Storage>, d: &mut World<'_>) {
    let mut row = 0;
    while row < (d.head.ne.max(0) as usize).min(d.nefc()) {
        let id = d.work.efc_id[row] as usize;
        let tie = Tie::of(m, id);
        let Some((tie, ends)) = tie.and_then(|tie| Some((tie, tie.ends()?))) else {
            // joints and tendons have one row and act on no body
            row += 1;
            continue;
        };
        let force = Vec3::from_slice(&d.work.efc_force[row..]);
        let torque = match tie {
            Tie::Frames(_) => Vec3::from_slice(&d.work.efc_force[row + 3..]),
            _ => Vec3::ZERO,
        };
        let wrench = Spatial::new(torque, force);
        let anchors = tie.anchors(m, id);
        for (k, b) in ends.bodies.into_iter().enumerate() {
            if b == 0 {
                continue;
            }
            let point = &d.xmat[b] * anchors[k] + d.xpos[b];
            let part = at_com(m, d, b, &wrench, point);
            d.cfrc_ext[b] = if k == 0 { d.cfrc_ext[b] + part } else { d.cfrc_ext[b] - part };
        }
        row += tie.size();
    }
}
