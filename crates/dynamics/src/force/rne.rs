//! Recursive Newton-Euler: the force that a motion needs.
//!
//! Accelerations run from the root to the leaves, forces back from the leaves to the root. Gravity is an acceleration of the
//! world upwards, which every body inherits.
use ferrodyn_math::Spatial;
use ferrodyn_model::{DisableBit, Model, Storage};

use crate::World;
use crate::data::Lane;
use crate::force::tendon_bias::tendon_bias;
use crate::position::chain::mul_dofs;
use crate::sleep::{Bodies, for_awake_dofs};

/// Acceleration of the world: opposite to gravity.
pub(crate) fn world_acceleration(m: &Model<impl Storage>) -> Spatial {
    if m.opt.disabled(DisableBit::Gravity) {
        Spatial::ZERO
    } else {
        Spatial::new(Default::default(), m.opt.gravity * -1.0)
    }
}

/// `qfrc_bias`: Coriolis, centrifugal and gravity forces, and those of tendons with inertia.
pub fn bias<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    let bias = core::mem::take(&mut d.qfrc_bias);
    rne(m, d, false, bias);
    d.qfrc_bias = bias;
    // worlds that go abreast have fixed tendons alone, whose Jacobians do not change
    if let Some(d) = d.alone() {
        let bias = core::mem::take(&mut d.qfrc_bias);
        tendon_bias(m, d, bias);
        d.qfrc_bias = bias;
    }
}

/// `M q̈ + c(q, q̇)` into `result`; without `with_acceleration` the inertial term is left out.
///
/// `cacc = cacc_parent + cdof_dot q̇ + cdof q̈`; each body needs the force
/// `cinert cacc + cvel ×* (cinert cvel)`, summed from the leaves to the root. MuJoCo: `mj_rne`.
pub fn rne<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    with_acceleration: bool,
    result: &mut [T],
) {
    let bodies = Bodies::awake(m, d);
    let cacc = &mut *d.scratch.body_acc;
    let cfrc = &mut *d.scratch.body_frc;
    cacc[0] = Spatial::of(world_acceleration(m));
    cfrc[0] = Spatial::of(Spatial::ZERO);
    // outwards: accelerations, and the force that each body needs by itself
    for k in 1..bodies.count {
        let b = bodies.get(d.body_awake_ind, k);
        let dofs = m.body_dofs(b);
        let mut acc =
            cacc[m.body_parent(b)] + mul_dofs(&d.cdof_dot[dofs.clone()], &d.qvel[dofs.clone()]);
        if with_acceleration {
            acc += mul_dofs(&d.cdof[dofs.clone()], &d.qacc[dofs]);
        }
        cacc[b] = acc;
        let cvel = &d.cvel[b];
        cfrc[b] = d.cinert[b].mul(&acc) + cvel.cross_force(&d.cinert[b].mul(cvel));
    }
    // inwards: a joint carries what is beyond it
    for k in (1..bodies.count).rev() {
        let b = bodies.get(d.body_awake_ind, k);
        let parent = m.body_parent(b);
        if parent > 0 {
            let force = cfrc[b];
            cfrc[parent] += force;
        }
    }
    // along the joints
    for_awake_dofs!(m, d, |run| {
        for i in run {
            result[i] = d.cdof[i].dot(&cfrc[m.dof_body(i)]);
        }
    });
}
