//! The force that comes from the changing Jacobian of tendons with inertia.
use ferrodyn_math::{MIN_VAL, Real};
use ferrodyn_model::{Model, ObjType, Storage, WrapType};

use crate::World;
use crate::position::chain::{jac_dot_column, merged_chain, point_jacobian};
use crate::position::tendon::{all_zero, tendon_row};
use crate::velocity::object_velocity;

/// `qfrc += Jᵀ armature (J̇ q̇)` for every tendon with armature. MuJoCo: `mj_tendonBias`.
pub(crate) fn tendon_bias(m: &Model<impl Storage>, d: &mut World<'_>, qfrc: &mut [Real]) {
    if all_zero(&m.tendon_armature) {
        return;
    }
    for t in 0..m.ntendon {
        if m.tendon_armature[t] == 0.0 {
            continue;
        }
        let coef = m.tendon_armature[t] * jacobian_rate(m, d, t);
        if coef != 0.0 {
            for (dof, value) in tendon_row(m, d, t) {
                qfrc[dof] += value * coef;
            }
        }
    }
}

/// `J̇ q̇` of a tendon: zero for fixed ones. Paths around geoms have no armature. MuJoCo: `mj_tendonDot`, which gives `J̇`.
fn jacobian_rate(m: &Model<impl Storage>, d: &World<'_>, t: usize) -> Real {
    let first = m.tendon_adr[t] as usize;
    if m.wrap_kind(first) == Some(WrapType::Joint) {
        return 0.0;
    }
    // length = Σ |p₁ - p₀| / divisor over straight pieces between sites
    let mut rate = 0.0;
    let mut divisor = 1.0;
    for w in first..first + (m.tendon_num[t] as usize).saturating_sub(1) {
        let kinds = [m.wrap_type[w], m.wrap_type[w + 1]];
        if kinds[0] == WrapType::Pulley as i32 {
            divisor = m.wrap_prm[w];
        }
        if kinds != [WrapType::Site as i32; 2] {
            continue;
        }
        let sites = [w, w + 1].map(|w| m.wrap_objid[w] as usize);
        let [b0, b1] = sites.map(|s| m.site_body(s));
        if b0 == b1 {
            continue;
        }
        let [p0, p1] = sites.map(|s| d.site_xpos[s]);
        let [v0, v1] =
            sites.map(|s| object_velocity(m, d, ObjType::Site, s, false).unwrap_or_default().lin());
        let (dir, norm) = (p1 - p0).normalize();
        let dif = v1 - v0;
        // ḋ: how the direction of the piece turns, (v - d (d · v)) / length
        let turn = (dif + dir * -dir.dot(dif)) * if norm > MIN_VAL { 1.0 / norm } else { 0.0 };
        // d/dt (Jᵀ d) = J̇ᵀ d + Jᵀ ḋ, of the second end minus that of the first
        let mut sum = 0.0;
        for (dof, in0, in1) in merged_chain(m, b0, b1) {
            let mut column = 0.0;
            if in1 {
                column += jac_dot_column(m, d, dof, p1, b1).dot(dir);
                column += point_jacobian(m, d, dof, p1, b1).dot(turn);
            }
            if in0 {
                column -= jac_dot_column(m, d, dof, p0, b0).dot(dir);
                column -= point_jacobian(m, d, dof, p0, b0).dot(turn);
            }
            sum += column * d.qvel[dof];
        }
        rate += sum / divisor;
    }
    rate
}
