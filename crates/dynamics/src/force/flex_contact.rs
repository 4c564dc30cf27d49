//! Contacts of flexes that are springs, without rows of constraints.
use core::mem::take;

use ferrodyn_math::{List, Real};
use ferrodyn_model::{DisableBit, Model, Storage};

use crate::World;
use crate::constraint::spread::spread_motion;
use crate::constraint::{EXCLUDED_PASSIVE, EXCLUDED_STATIC};

/// Stiffness of a passive contact in N/m: MuJoCo's `kContactStiffness`.
const STIFFNESS: Real = 1e4;

/// Add the forces `-k dist` of passive contacts along their normals to `qfrc_spring`. MuJoCo: `mj_contactPassive`.
pub(super) fn passive_contacts(m: &Model<impl Storage>, d: &mut World<'_>) {
    if m.flex_count() == 0 || m.opt.disabled(DisableBit::Contact) || m.nv == 0 {
        return;
    }
    let motion = take(&mut d.scratch.dof_spatial);
    let columns = take(&mut d.scratch.dof_columns);
    for i in 0..d.ncon() {
        let contact = &d.work.contact[i];
        if contact.exclude != EXCLUDED_PASSIVE {
            continue;
        }
        let chain = &mut List::new(columns);
        spread_motion(m, d, contact, chain, motion);
        let force = contact.frame.row(0);
        let scale = -STIFFNESS * contact.dist;
        for dof in chain.iter() {
            d.qfrc_spring[*dof] += force.dot(motion[*dof].lin()) * scale;
        }
        // nothing moves: with a dense Jacobian it keeps a row of zeros, as others do
        if chain.is_empty() && m.is_sparse() {
            d.work.contact[i].exclude = EXCLUDED_STATIC;
        }
    }
    (d.scratch.dof_spatial, d.scratch.dof_columns) = (motion, columns);
}
