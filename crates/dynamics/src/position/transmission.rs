//! Lengths and moments of actuators.
use ferrodyn_math::{Mask, Quat, Real, Vec3, sqrt};
use ferrodyn_model::{Cone, JointType, Model, ObjType, Storage, TransmissionType};

use crate::World;
use crate::constraint::sides::geom_bodies;
use crate::constraint::{add_jacobian_row, contact_normal_row};
use crate::data::Lane;
use crate::position::chain::{dof_chain, merged_chain, point_jacobian};
use crate::position::tendon::tendon_row;
use crate::sleep::{is_asleep, some_asleep};

/// Compute the length of every actuator and its derivative by configuration. MuJoCo: `mj_transmission`.
///
/// The moment of a body transmission is the mean of the contact normals; without contacts it is
/// empty. So is that of a sleeping actuator, which keeps its length.
pub fn transmission<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    let filtered = some_asleep(m, d.head);
    let mut entry = 0;
    for i in 0..m.nu {
        d.moment_rowadr[i] = entry as i32;
        if filtered && d.alone().is_some_and(|d| is_asleep(m, d, ObjType::Actuator, i)) {
            d.moment_rownnz[i] = 0;
            continue;
        }
        let target = m.actuator_trnid[i][0] as usize;
        let gear = &m.actuator_gear[i];
        match m.transmission_kind(i) {
            Some(TransmissionType::Joint) => joint(m, d, i, target, false, &mut entry),
            Some(TransmissionType::JointInParent) => joint(m, d, i, target, true, &mut entry),
            Some(TransmissionType::Tendon) => {
                d.actuator_length[i] = d.ten_length[target] * T::of(gear[0]);
                tendon_moment(m, d, target, gear[0], &mut entry);
            }
            Some(
                kind @ (TransmissionType::SliderCrank
                | TransmissionType::Site
                | TransmissionType::Body),
            ) => {
                if let Some(d) = d.alone() {
                    by_chain(m, d, i, kind, &mut entry);
                }
            }
            Some(TransmissionType::Undefined) | None => d.actuator_length[i] = T::of(0.0),
        }
        d.moment_rownnz[i] = entry as i32 - d.moment_rowadr[i];
    }
}

/// A transmission to sites or to a body: it moves with a chain of degrees of freedom, and its moment has those that are not zero.
#[inline(always)]
fn by_chain(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    kind: TransmissionType,
    entry: &mut usize,
) {
    let target = m.actuator_trnid[i][0] as usize;
    let gear = &m.actuator_gear[i];
    let row = core::mem::take(&mut d.scratch.dof_a);
    row.fill(0.0);
    d.actuator_length[i] = match kind {
        TransmissionType::SliderCrank => slider_crank(m, d, i, row),
        TransmissionType::Site => match usize::try_from(m.actuator_trnid[i][1]) {
            Err(_) => site(m, d, target, gear, row),
            Ok(reference) => site_relative(m, d, target, reference, gear, row),
        },
        _ => {
            let in_gap = core::mem::take(&mut d.scratch.dof_b);
            adhesion(m, d, target, row, in_gap);
            d.scratch.dof_b = in_gap;
            0.0
        }
    };
    put_nonzero(d, row, entry);
    d.scratch.dof_a = row;
}

fn put<T: Lane>(d: &mut World<'_, T>, entry: &mut usize, dof: usize, value: T) {
    d.moment_colind[*entry] = dof as i32;
    d.actuator_moment[*entry] = value;
    *entry += 1;
}

/// Store the entries of a row that are not zero.
fn put_nonzero<T: Lane>(d: &mut World<'_, T>, row: &[T], entry: &mut usize) {
    let zero = T::of(0.0);
    for (dof, value) in row.iter().enumerate().filter(|(_, x)| !x.equal(zero).all()) {
        put(d, entry, dof, *value);
    }
}

/// A joint: a scalar gear, or axes in the frame of the child or of the parent.
fn joint<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    i: usize,
    j: usize,
    in_parent: bool,
    entry: &mut usize,
) {
    let gear = &m.actuator_gear[i];
    let (q, dof) = (m.joint_qpos(j), m.joint_dof(j));
    let turned = |axis: Vec3<T>, quat: Quat<T>| {
        if in_parent { quat.normalize().0.conjugate().rotate(axis) } else { axis }
    };
    match m.joint_kind(j) {
        JointType::Slide | JointType::Hinge => {
            d.actuator_length[i] = d.qpos[q] * T::of(gear[0]);
            put(d, entry, dof, T::of(gear[0]));
        }
        JointType::Ball => {
            let quat = Quat::from_slice(&d.qpos[q..]).normalize().0;
            let axis = turned(Vec3::of(Vec3::from_slice(&gear[..3])), quat);
            d.actuator_length[i] = quat.to_velocity(1.0).dot(axis);
            for k in 0..3 {
                put(d, entry, dof + k, axis[k]);
            }
        }
        JointType::Free => {
            let quat = Quat::from_slice(&d.qpos[q + 3..]);
            let axis = turned(Vec3::of(Vec3::from_slice(&gear[3..])), quat);
            d.actuator_length[i] = T::of(0.0);
            for k in 0..3 {
                put(d, entry, dof + k, T::of(gear[k]));
            }
            for k in 0..3 {
                put(d, entry, dof + 3 + k, axis[k]);
            }
        }
    }
}

/// A tendon: its Jacobian times the gear. Dense rows are compressed, sparse ones keep their pattern.
fn tendon_moment<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    t: usize,
    gear: Real,
    entry: &mut usize,
) {
    let gear = T::of(gear);
    if m.is_sparse() {
        let start = d.ten_J_rowadr[t] as usize;
        for adr in start..start + d.ten_J_rownnz[t] as usize {
            let (dof, value) = (d.ten_J_colind[adr] as usize, d.ten_J[adr] * gear);
            put(d, entry, dof, value);
        }
    } else {
        let row = core::mem::take(&mut d.scratch.dof_a);
        row.fill(T::of(0.0));
        for (dof, value) in tendon_row(m, d, t) {
            row[dof] = value * gear;
        }
        put_nonzero(d, row, entry);
        d.scratch.dof_a = row;
    }
}

/// A slider crank: `l = aᵀv - w`, `w = √((aᵀv)² + r² - vᵀv)` for the slider's axis `a` and the vector `v` from slider
/// to crank; `∂l/∂a = (1 - aᵀv/w) v`, `∂l/∂v = (1 - aᵀv/w) a + v/w`. Beyond the reach of the rod `w` counts as zero,
/// and `∂l/∂a = v`, `∂l/∂v = a`. Both move: `ȧ = ω × a` with the slider, and `v̇` is the velocity of the crank less
/// that of the slider.
fn slider_crank(m: &Model<impl Storage>, d: &World<'_>, i: usize, row: &mut [Real]) -> Real {
    let [crank, slider] = m.actuator_trnid[i].map(|s| s as usize);
    let rod = m.actuator_cranklength[i];
    let gear = m.actuator_gear[i][0];
    let axis = d.site_xmat[slider].column(2);
    let vec = d.site_xpos[crank] - d.site_xpos[slider];
    let av = vec.dot(axis);
    let det = av * av + rod * rod - vec.dot(vec);
    let (length, by_axis, by_vec) = if det <= 0.0 {
        (av, vec, axis)
    } else {
        let root = sqrt(det);
        let factor = 1.0 - av / root;
        (av - root, vec * factor, axis * factor + vec * (1.0 / root))
    };
    let bodies = [crank, slider].map(|s| m.site_body(s));
    for (dof, in_crank, in_slider) in merged_chain(m, bodies[0], bodies[1]) {
        let velocity = |moves: bool, site: usize, body: usize| {
            if moves { point_jacobian(m, d, dof, d.site_xpos[site], body) } else { Vec3::default() }
        };
        let vec_dot = velocity(in_crank, crank, bodies[0]) - velocity(in_slider, slider, bodies[1]);
        let axis_dot = if in_slider { d.cdof[dof].rot().cross(axis) } else { Vec3::default() };
        for k in 0..3 {
            row[dof] += by_axis[k] * axis_dot[k] + by_vec[k] * vec_dot[k];
        }
        row[dof] *= gear;
    }
    length * gear
}

/// Contacts of a body: the mean of the motions along their normals, pulling. Those in the gap count too.
///
/// `in_gap` is working memory. The order of summation is MuJoCo's, so what cancels cancels there too.
fn adhesion(
    m: &Model<impl Storage>,
    d: &World<'_>,
    body: usize,
    row: &mut [Real],
    in_gap: &mut [Real],
) {
    let w = &d.work;
    let elliptic = m.cone() == Cone::Elliptic;
    in_gap.fill(0.0);
    let mut count = 0;
    for (i, contact) in w.contact[..d.ncon()].iter().enumerate() {
        let touches = geom_bodies(m, contact).is_some_and(|bodies| bodies.contains(&body));
        match (touches, contact.exclude) {
            (true, 0) => {
                // the normal is the first row, or the mean of the edges of the pyramid
                let frictionless = contact.dim == 1 || elliptic;
                let edges = if frictionless { 1 } else { 2 * (contact.dim as usize - 1) };
                // no rows yet where collision was the last stage that ran
                let rows = d.nefc();
                let first = usize::try_from(contact.efc_address).unwrap_or(rows);
                for r in first..(first + edges).min(rows) {
                    add_jacobian_row(m, w, r, 1.0 / edges as Real, row);
                }
                count += 1;
            }
            (true, 1) => {
                // in the gap: a contact without rows
                contact_normal_row(m, d, i, in_gap);
                count += 1;
            }
            _ => {}
        }
    }
    if count > 0 {
        for (x, gap) in row.iter_mut().zip(&*in_gap) {
            *x = (*x + gap) * (-1.0 / count as Real);
        }
    }
}

/// A site without reference: a wrench in its frame; its length has no meaning.
fn site(
    m: &Model<impl Storage>,
    d: &World<'_>,
    s: usize,
    gear: &[Real; 6],
    row: &mut [Real],
) -> Real {
    let force = &d.site_xmat[s] * Vec3::from_slice(&gear[..3]);
    let torque = &d.site_xmat[s] * Vec3::from_slice(&gear[3..]);
    let body = m.site_body(s);
    for dof in dof_chain(m, body) {
        let translation = point_jacobian(m, d, dof, d.site_xpos[s], body);
        row[dof] = translation.dot(force) + d.cdof[dof].rot().dot(torque);
    }
    0.0
}

/// A site relative to another: pose difference in the frame of the reference, projected on the
/// gear. What moves both sites alike does not count.
fn site_relative(
    m: &Model<impl Storage>,
    d: &World<'_>,
    s: usize,
    reference: usize,
    gear: &[Real; 6],
    row: &mut [Real],
) -> Real {
    let (linear, angular) = (Vec3::from_slice(&gear[..3]), Vec3::from_slice(&gear[3..]));
    let frame = &d.site_xmat[reference];
    let [b0, b1] = [s, reference].map(|s| m.site_body(s));
    let mut length = 0.0;
    let (mut force, mut torque) = (None, None);
    if !linear.is_zero() {
        let vec = frame.mul_transposed(d.site_xpos[s] - d.site_xpos[reference]);
        length += vec.dot(linear);
        force = Some(frame * linear);
    }
    if !angular.is_zero() {
        // the factors stand in the order of `mj_transmission`, which does not give the orientation of the site
        // (`xquat site_quat`); lengths are MuJoCo's with it
        let quat = |s: usize, b: usize| m.site_quat[s] * d.xquat[b];
        length += quat(s, b0).rotation_from(quat(reference, b1)).dot(angular);
        torque = Some(frame * angular);
    }
    for (dof, in0, in1) in merged_chain(m, b0, b1) {
        // a shared dof lies on the common part of both chains
        if in0 && in1 {
            continue;
        }
        let (point, body, sign) =
            if in0 { (d.site_xpos[s], b0, 1.0) } else { (d.site_xpos[reference], b1, -1.0) };
        if let Some(force) = force {
            row[dof] += (point_jacobian(m, d, dof, point, body) * sign).dot(force);
        }
        if let Some(torque) = torque {
            row[dof] += (d.cdof[dof].rot() * sign).dot(torque);
        }
    }
    length
}
