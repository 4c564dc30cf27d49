//! The inverse inertia that constraints feel.
use ferrodyn::{JacobianType, Solver};
use ferrodyn_testing::{conformance_model, forward};
use nalgebra::DMatrix;

#[test]
fn the_projected_inertia_is_that_of_dense_matrices() {
    for jacobian in [JacobianType::Dense as i32, JacobianType::Sparse as i32] {
        let mut model = conformance_model("box_stack");
        model.edit(|m| {
            m.opt.solver = Solver::Pgs as i32;
            m.opt.jacobian = jacobian;
        });
        let mut data = forward(&model);
        let (nv, nefc) = (model.nv, data.header().nefc as usize);
        assert!(nefc > 10);
        let mut full = vec![0.0; nv * nv];
        ferrodyn::dynamics::position::full_m(&model, &mut full, data.qM());
        let mass = DMatrix::from_row_slice(nv, nv, &full);
        // the Jacobian row by row: Jᵀ e_i
        let world = data.view_mut();
        let row = |i: usize| {
            let (mut unit, mut row) = (vec![0.0; nefc], vec![0.0; nv]);
            unit[i] = 1.0;
            ferrodyn::dynamics::constraint::mul_jac_transposed(
                &model,
                &world.work,
                &mut row,
                &unit,
            );
            row
        };
        let rows: Vec<f64> = (0..nefc).flat_map(row).collect();
        let j = DMatrix::from_row_slice(nefc, nv, &rows);
        let mut expected = &j * mass.cholesky().unwrap().solve(&j.transpose());
        let w = data.work();
        for i in 0..nefc {
            expected[(i, i)] += w.efc_R[i];
        }
        let mut found = DMatrix::zeros(nefc, nefc);
        for i in 0..nefc {
            // dense rows have all entries, one row after the other
            if jacobian == JacobianType::Dense as i32 {
                (0..nefc).for_each(|j| found[(i, j)] = w.efc_AR[i * nefc + j]);
                continue;
            }
            let start = w.efc_AR_rowadr[i] as usize;
            for adr in start..start + w.efc_AR_rownnz[i] as usize {
                found[(i, w.efc_AR_colind[adr] as usize)] = w.efc_AR[adr];
            }
        }
        assert!((&found - &expected).norm() < 1e-12 * expected.norm(), "{}", found - expected);
    }
}
