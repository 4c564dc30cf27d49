//! Smooth forces and the acceleration without constraints.
use ferrodyn_math::sparse::solve_ldl_rows;
use ferrodyn_math::{Mask, Number, Spatial, Vec3};
use ferrodyn_model::{Model, Storage};

use crate::World;
use crate::data::Lane;
use crate::position::chain::apply_ft_but;
use crate::position::inertia::pattern;
use crate::sleep::for_awake_dofs;

/// Compute `qfrc_smooth` and `qacc_smooth = M⁻¹ qfrc_smooth`: how the world would accelerate without constraints.
/// MuJoCo: `mj_fwdAcceleration`.
pub fn fwd_acceleration<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    for_awake_dofs!(m, d, |run| {
        for i in run {
            // in MuJoCo's order of sums
            d.qfrc_smooth[i] =
                ((d.qfrc_passive[i] - d.qfrc_bias[i]) + d.qfrc_applied[i]) + d.qfrc_actuator[i];
        }
    });
    accumulate_xfrc(m, d.cdof, d.subtree_com, d.xipos, d.xfrc_applied, d.qfrc_smooth);
    let p = pattern(m);
    for_awake_dofs!(m, d, |run| {
        d.qacc_smooth[run.clone()].copy_from_slice(&d.qfrc_smooth[run.clone()]);
        solve_ldl_rows(d.qacc_smooth, d.qLD, d.qLDiagInv, &p, &m.dof_simplenum, run);
    });
}

/// Add the generalized force of `xfrc_applied` to `qfrc`. MuJoCo: `mj_xfrcAccumulate`.
pub(crate) fn accumulate_xfrc<T: Number>(
    m: &Model<impl Storage>,
    cdof: &[Spatial<T>],
    subtree_com: &[Vec3<T>],
    xipos: &[Vec3<T>],
    xfrc: &[[T; 6]],
    qfrc: &mut [T],
) {
    for b in 1..m.nbody {
        let f = xfrc[b];
        let (force, torque) = (Vec3([f[0], f[1], f[2]]), Vec3([f[3], f[4], f[5]]));
        let none = force.is_zero() & torque.is_zero();
        if !none.all() {
            let com = subtree_com[m.body_root(b)];
            apply_ft_but(m, cdof, com, force, torque, xipos[b], b, qfrc, none);
        }
    }
}
