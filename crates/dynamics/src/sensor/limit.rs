//! Constraint rows of joint and tendon limits.
use ferrodyn_model::ConstraintType;

use crate::World;

/// The first limit row of a joint or a tendon, if its limit is active.
pub(super) fn row(d: &World<'_>, kind: ConstraintType, id: usize) -> Option<usize> {
    let first = (d.head.ne + d.head.nf).max(0) as usize;
    let kinds = d.work.efc_type[..d.nefc()].iter().zip(&*d.work.efc_id);
    kinds
        .enumerate()
        .skip(first)
        .find(|(_, (k, object))| **k == kind as i32 && **object == id as i32)
        .map(|(row, _)| row)
}
