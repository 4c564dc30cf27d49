//! The joint-space inertia matrix and its factorization.
//!
//! `M(i, j)` is zero unless one of the two degrees of freedom is an ancestor of the other, so that a row holds only the
//! ancestors of its degree of freedom, the diagonal last. Eliminated from the leaves to the root, `M = Lᵀ D L` has no entries
//! where `M` has none: the factor lies in the pattern of the matrix.
#[cfg(feature = "alloc")]
use alloc::vec;

use ferrodyn_math::sparse::{Pattern, factor_ldl_rows, mul_symmetric, solve_ldl};
use ferrodyn_math::{Mat3, Real, Vec3, dot_sparse, sqrt};
use ferrodyn_model::{Model, Storage};

use crate::World;
use crate::data::Lane;
use crate::position::tendon::tendon_armature;
use crate::query::jac_body_com;
use crate::sleep::{Bodies, for_awake_dofs, rows_of};

/// The sparsity of the inertia matrix.
#[inline]
pub(crate) fn pattern(m: &Model<impl Storage>) -> Pattern<'_> {
    Pattern { rownnz: &m.M_rownnz, rowadr: &m.M_rowadr, colind: &m.M_colind }
}

/// Inertia of each subtree about its tree's centre of mass, summed from the leaves to the root.
pub(crate) fn subtree_inertias<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    let bodies = Bodies::awake(m, d);
    if bodies.listed() {
        for k in 0..bodies.count {
            let b = bodies.get(d.body_awake_ind, k);
            d.crb[b] = d.cinert[b];
        }
    } else {
        d.crb.copy_from_slice(d.cinert);
    }
    // every body carries what is below it
    let children = Bodies::with_awake_parent(m, d);
    for k in (0..children.count).rev() {
        let b = children.get(d.parent_awake_ind, k);
        let parent = m.body_parent(b);
        if parent > 0 {
            let inertia = d.crb[b];
            d.crb[parent] += inertia;
        }
    }
}

/// Composite rigid body algorithm: `M(i,j) = cdof_jᵀ crb_i cdof_i` for every ancestor `j` of `i`. MuJoCo: `mj_crb`.
///
/// The row of a *simple* body is its diagonal alone, and that is `dof_M0` in every pose: the body has no children and hangs on
/// the world or on something fixed there, its inertial frame is the body frame, its joints turn about its origin and go along
/// its axes, with one rotation at most, which comes last, and no tendon with armature is attached to it.
pub fn crb<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    subtree_inertias(m, d);
    for_awake_dofs!(m, d, |run| {
        for i in run {
            let adr = m.M_rowadr[i] as usize;
            // a simple body
            if m.dof_simplenum[i] != 0 {
                d.M[adr] = T::of(m.dof_M0[i]);
                continue;
            }
            let nnz = m.M_rownnz[i] as usize;
            // momentum of all that the joint carries, for a unit velocity
            let momentum = d.crb[m.dof_body(i)].mul(&d.cdof[i]);
            let row = &mut d.M[adr..adr + nnz];
            for (entry, &j) in row.iter_mut().zip(&m.M_colind[adr..adr + nnz]) {
                *entry = d.cdof[j as usize].dot(&momentum);
            }
            row[nnz - 1] += T::of(m.dof_armature[i]);
        }
    });
}

/// Compute the inertia matrix, as `M` and in MuJoCo's older order as `qM`: each row from the diagonal to the root.
/// MuJoCo: `mj_makeM`.
pub fn make_m<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    crb(m, d);
    tendon_armature(m, d);
    for_awake_dofs!(m, d, |run| {
        let entries = rows_of(&run, &m.M_rowadr, &m.M_rownnz);
        for (&value, &adr) in d.M[entries.clone()].iter().zip(&m.mapM2M[entries]) {
            d.qM[adr as usize] = value;
        }
    });
}

/// Factor `M = Lᵀ D L` into `qLD` and `qLDiagInv`. MuJoCo: `mj_factorM`.
pub fn factor_m<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    for_awake_dofs!(m, d, |run| {
        let entries = rows_of(&run, &m.M_rowadr, &m.M_rownnz);
        d.qLD[entries.clone()].copy_from_slice(&d.M[entries]);
        factor_ldl_rows(d.qLD, d.qLDiagInv, &pattern(m), run);
    });
}

/// `x ← M⁻¹ x`, with the current factor. MuJoCo: `mj_solveM`.
pub fn solve_m(m: &Model<impl Storage>, d: &World<'_>, x: &mut [Real]) {
    solve_ldl(x, d.qLD, d.qLDiagInv, &pattern(m), &m.dof_simplenum);
}

/// `res = M v`. MuJoCo: `mj_mulM`.
pub fn mul_m(m: &Model<impl Storage>, d: &World<'_>, res: &mut [Real], v: &[Real]) {
    mul_symmetric(&mut res[..m.nv], d.M, v, &pattern(m));
}

/// `res = √D L v`, where `M = Lᵀ D L`: the length of `res` is that of `v` in the metric of `M`. MuJoCo: `mj_mulM2`.
pub fn mul_m_half(m: &Model<impl Storage>, d: &World<'_>, res: &mut [Real], v: &[Real]) {
    for i in 0..m.nv {
        let start = m.M_rowadr[i] as usize;
        let diagonal = start + m.M_rownnz[i] as usize - 1;
        let mut sum = v[i];
        if m.dof_simplenum[i] == 0 {
            sum += dot_sparse(&d.qLD[start..diagonal], &m.M_colind[start..diagonal], v);
        }
        res[i] = sum * sqrt(d.qLD[diagonal]);
    }
}

/// `x ← D^(-1/2) L⁻ᵀ x`, half of `M⁻¹ x`, with the inverse roots of `D`. MuJoCo: `mj_solveM2`.
pub fn solve_m_half(m: &Model<impl Storage>, d: &World<'_>, x: &mut [Real], sqrt_inv_d: &[Real]) {
    for i in (1..m.nv).rev().filter(|i| m.dof_simplenum[*i] == 0) {
        let start = m.M_rowadr[i] as usize;
        if x[i] != 0.0 {
            for k in start..start + m.M_rownnz[i] as usize - 1 {
                x[m.M_colind[k] as usize] -= d.qLD[k] * x[i];
            }
        }
    }
    x.iter_mut().zip(sqrt_inv_d).for_each(|(x, s)| *x *= s);
}

/// The matrix that takes velocities to the angular momentum of a body and all below it, about their common
/// centre of mass: 3×`nv`, row-major. MuJoCo: `mj_angmomMat`.
#[cfg(feature = "alloc")]
pub fn angular_momentum_matrix(
    m: &Model<impl Storage>,
    d: &World<'_>,
    mat: &mut [Real],
    body: usize,
) {
    let nv = m.nv;
    mat[..3 * nv].fill(0.0);
    let (mut jacp, mut jacr) = (vec![0.0; 3 * nv], vec![0.0; 3 * nv]);
    let centre = d.subtree_com[body];
    for b in body..m.nbody {
        if b > body && m.body_parent(b) < body {
            break;
        }
        jac_body_com(m, d, Some(&mut jacp), Some(&mut jacr), b);
        let inertia = m.body_inertia[b];
        let mut principal = Mat3::IDENTITY;
        for i in 0..3 {
            principal.0[4 * i] = inertia[i];
        }
        // spin about the own centre, and the orbit of that centre
        let ximat = &d.ximat[b];
        let world = &(ximat * &principal) * &ximat.transpose();
        let arm = d.xipos[b] - centre;
        for j in 0..nv {
            let spin = &world * Vec3::new(jacr[j], jacr[nv + j], jacr[2 * nv + j]);
            let orbit = arm.cross(Vec3::new(jacp[j], jacp[nv + j], jacp[2 * nv + j]));
            for i in 0..3 {
                mat[i * nv + j] += spin[i] + orbit[i] * m.body_mass[b];
            }
        }
    }
}

/// The inertia matrix as a dense row-major `nv`×`nv` matrix, from a matrix in the order of `qM`. MuJoCo: `mj_fullM`.
pub fn full_m(m: &Model<impl Storage>, dense: &mut [Real], qm: &[Real]) {
    let nv = m.nv;
    dense[..nv * nv].fill(0.0);
    for i in 0..nv {
        let mut adr = m.dof_Madr[i] as usize;
        let mut j = i as i32;
        while j >= 0 {
            dense[i * nv + j as usize] = qm[adr];
            dense[j as usize * nv + i] = qm[adr];
            j = m.dof_parentid[j as usize];
            adr += 1;
        }
    }
}
