//! Contacts, constraint rows and islands, whose number changes from step to step.
use alloc::{vec, vec::Vec};

use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{Element, Real};
use ferrodyn_model::{ArrayInfo, Contact, Sizes};

/// The sizes of the workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(non_snake_case, reason = "MuJoCo's names")]
pub struct WorkSizes {
    /// Number of contacts.
    pub ncon: usize,
    /// Number of constraint rows.
    pub nefc: usize,
    /// Number of entries of the constraint Jacobian.
    pub nJ: usize,
    /// Number of entries of the projected inverse inertia.
    pub nA: usize,
    /// Number of islands.
    pub nisland: usize,
    /// Number of degrees of freedom in islands.
    pub nidof: usize,
}

/// What one iteration of a constraint solver did, laid out as MuJoCo's `mjSolverStat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SolverStat {
    /// Scaled reduction of the cost.
    pub improvement: Real,
    /// Scaled norm of the gradient.
    pub gradient: Real,
    /// Scaled slope at the end of the line search.
    pub lineslope: Real,
    /// Number of active rows.
    pub nactive: i32,
    /// Number of rows that changed state.
    pub nchange: i32,
    /// Number of evaluations of the line search.
    pub neval: i32,
    /// Number of changes of the factor.
    pub nupdate: i32,
}

/// A size of the workspace or, for the other names, of the model.
macro_rules! rows {
    ($m:expr, $w:expr, ncon) => {
        $w.ncon
    };
    ($m:expr, $w:expr, nefc) => {
        $w.nefc
    };
    ($m:expr, $w:expr, nJ) => {
        $w.nJ
    };
    ($m:expr, $w:expr, nA) => {
        $w.nA
    };
    ($m:expr, $w:expr, nisland) => {
        $w.nisland
    };
    ($m:expr, $w:expr, nidof) => {
        $w.nidof
    };
    ($m:expr, $w:expr, $rows:ident) => {
        $m.$rows
    };
}

macro_rules! define_work {
    (($contact:ident, Contact, ncon, 1, $contact_doc:literal)
     $(($name:ident, $t:ty, $rows:ident, $cols:tt, $doc:literal))*) => {
        /// Contacts, constraint rows and islands, under MuJoCo's names.
        #[derive(Clone, Debug, Default, PartialEq)]
        #[allow(non_snake_case, reason = "MuJoCo's names")]
        pub struct Work {
            #[doc = $contact_doc]
            pub $contact: Vec<Contact>,
            $(#[doc = $doc] pub $name: Vec<$t>,)*
            /// What the solver did: 200 iterations for each recorded island.
            pub solver: Vec<SolverStat>,
        }

        impl Work {
            /// A workspace for a model, with every array zero.
            pub fn new(m: &Sizes, w: &WorkSizes) -> Work {
                Work {
                    $contact: vec![Contact::zeroed(); w.ncon],
                    $($name: vec![<$t>::zeroed(); rows!(m, w, $rows)],)*
                    solver: Vec::new(),
                }
            }

            /// Forget all rows and islands; memory is kept.
            pub(crate) fn clear_rows(&mut self) {
                $(self.$name.clear();)*
            }

            /// Copy another workspace; memory is reused where it suffices.
            pub fn copy_from(&mut self, other: &Work) {
                self.$contact.clone_from(&other.$contact);
                $(self.$name.clone_from(&other.$name);)*
                self.solver.clone_from(&other.solver);
            }

            /// Append every array to `out`, each after its length.
            pub(crate) fn write(&self, out: &mut Vec<u8>) {
                put(out, &self.$contact);
                $(put(out, &self.$name);)*
                put(out, &self.solver);
            }

            /// Take from `bytes` what [`Work::write`] wrote; `None` where they end too early.
            pub(crate) fn read(bytes: &mut &[u8]) -> Option<Work> {
                Some(Work {
                    $contact: take(bytes)?,
                    $($name: take(bytes)?,)*
                    solver: take(bytes)?,
                })
            }

            /// Name, type, shape and address of every array but the contacts.
            pub fn arrays(&self) -> Vec<(ArrayInfo, &[u8])> {
                vec![$((
                    ArrayInfo::of::<$t>(stringify!($name), $doc, self.$name.len(), None),
                    bytemuck::cast_slice(&self.$name),
                )),*]
            }
        }

        const _: () = {
            // every element type of the workspace is one that the table knows
            const fn check<T: Element>() {}
            $(check::<$t>();)*
        };
    };
}

ferrodyn_model::work_fields!(define_work);

/// Append the number of elements and the elements.
fn put<T: Pod>(out: &mut Vec<u8>, values: &[T]) {
    out.extend_from_slice(&(values.len() as u64).to_le_bytes());
    out.extend_from_slice(bytemuck::cast_slice(values));
}

/// Take a number of elements and as many elements.
fn take<T: Pod>(bytes: &mut &[u8]) -> Option<Vec<T>> {
    let (count, rest) = bytes.split_first_chunk()?;
    let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
    let (values, rest) = rest.split_at_checked(count.checked_mul(size_of::<T>())?)?;
    *bytes = rest;
    Some(values.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
}

impl Work {
    /// Give every array of one element per row that many elements.
    pub(crate) fn resize_rows(&mut self, rows: usize) {
        for array in [
            &mut self.efc_diagApprox,
            &mut self.efc_D,
            &mut self.efc_R,
            &mut self.efc_vel,
            &mut self.efc_aref,
            &mut self.efc_b,
            &mut self.efc_force,
        ] {
            array.resize(rows, 0.0);
        }
        self.efc_KBIP.resize(rows, [0.0; 4]);
        for array in [
            &mut self.efc_J_rowsuper,
            &mut self.efc_J_rownnz,
            &mut self.efc_J_rowadr,
            &mut self.efc_state,
            &mut self.efc_AR_rownnz,
            &mut self.efc_AR_rowadr,
        ] {
            array.resize(rows, 0);
        }
    }
}
