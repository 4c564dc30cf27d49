//! Contacts, constraint rows and islands, whose number changes from step to step.
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{Element, Real, words_of};
use ferrodyn_model::{ArrayInfo, Contact, Sizes};

use crate::data::Header;
use crate::{StepError, World};

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

/// How much the workspace has room for, or how much of it is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
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
    /// Number of records of solver iterations.
    pub nstat: usize,
    /// One where there are arrays whose size the model fixes. A world without contacts and rows has no workspace.
    pub exists: usize,
}

impl WorkSizes {
    /// More than there can be of anything.
    pub(crate) const ALL: WorkSizes = WorkSizes {
        ncon: usize::MAX,
        nefc: usize::MAX,
        nJ: usize::MAX,
        nA: usize::MAX,
        nisland: usize::MAX,
        nidof: usize::MAX,
        nstat: usize::MAX,
        exists: 1,
    };

    /// The sizes that are in use. Counts that a user has set are cut to the room there is.
    pub(crate) fn in_use(head: &Header, room: &WorkSizes) -> WorkSizes {
        let count = |n: i32, room: usize| (n.max(0) as usize).min(room);
        WorkSizes {
            ncon: count(head.ncon, room.ncon),
            nefc: count(head.nefc, room.nefc),
            nJ: count(head.nJ, room.nJ),
            nA: count(head.nA, room.nA),
            nisland: count(head.nisland, room.nisland),
            nidof: count(head.nidof, room.nidof),
            nstat: room.nstat,
            exists: room.exists,
        }
    }

    /// Every size with its name.
    fn named(&self) -> [(&'static str, usize); 8] {
        [
            ("workspace", self.exists),
            ("contacts", self.ncon),
            ("constraint rows", self.nefc),
            ("entries of the constraint Jacobian", self.nJ),
            ("entries of the projected inertia", self.nA),
            ("islands", self.nisland),
            ("degrees of freedom in islands", self.nidof),
            ("records of solver iterations", self.nstat),
        ]
    }

    /// What there is no room for, if anything.
    pub(crate) fn missing(&self, need: &WorkSizes) -> Option<StepError> {
        let pairs = self.named().into_iter().zip(need.named());
        let mut missing = pairs.filter(|((_, has), (_, needs))| needs > has);
        missing
            .next()
            .map(|((what, has), (_, needs))| StepError::NoRoom { what, missing: needs - has })
    }

    /// Room for `need` that grows geometrically where it has to: by half at least for contacts (collision detection,
    /// which finds them one by one, asks for twice as many), and by a quarter at least for what is counted before; for
    /// all islands that a model can have.
    pub(crate) fn grown(&self, need: &WorkSizes, m: &Sizes) -> WorkSizes {
        let by = |part: usize, has: usize, needs: usize| {
            if needs > has { needs.max(has + has / part) } else { has }
        };
        let grow = |has, needs| by(4, has, needs);
        WorkSizes {
            ncon: by(2, self.ncon, need.ncon),
            nefc: grow(self.nefc, need.nefc),
            nJ: grow(self.nJ, need.nJ),
            nA: grow(self.nA, need.nA),
            nisland: m.ntree,
            nidof: m.nv,
            // as many as islands are recorded, and no more: MuJoCo has a fixed number of them
            nstat: self.nstat.max(need.nstat),
            exists: 1,
        }
    }
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
    ($m:expr, $w:expr, nstat) => {
        $w.nstat
    };
    ($m:expr, $w:expr, $rows:ident) => {
        $w.exists * $m.$rows
    };
}

macro_rules! define_work {
    (($contact:ident, Contact, ncon, 1, $contact_doc:literal)
     $(($name:ident, $t:ty, $rows:ident, $cols:tt, $doc:literal))*) => {
        define_work! { @views
            ($contact, Contact, ncon, $contact_doc)
            $(($name, $t, $rows, $doc))*
            (solver, SolverStat, nstat, "what the solver did: 200 iterations (`mjNSOLVER`) for each of the first 20 islands (`mjNISLAND`)")
        }

        impl WorkRef<'_> {
            /// Name, type, shape and address of every array but the contacts.
            #[cfg(feature = "alloc")]
            pub fn arrays(&self) -> Vec<(ArrayInfo, &[u8])> {
                vec![$((
                    ArrayInfo::of::<$t>(stringify!($name), $doc, self.$name.len(), None),
                    bytemuck::cast_slice(self.$name),
                )),*]
            }
        }

        const _: () = {
            // every element type of the workspace is one that the table knows
            const fn check<T: Element>() {}
            $(check::<$t>();)*
        };
    };
    (@views $(($name:ident, $t:ty, $rows:ident, $doc:literal))*) => {
        /// Contacts, constraint rows and islands under MuJoCo's names: slices with all the room there is. How many
        /// elements are in use is in the header of the world.
        #[derive(Debug)]
        #[allow(non_snake_case, reason = "MuJoCo's names")]
        pub struct Work<'a> {
            $(#[doc = $doc] pub $name: &'a mut [$t],)*
        }

        /// The arrays of the workspace, in the order of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(non_camel_case_types, reason = "MuJoCo's names")]
        pub enum WorkField { $(#[doc = $doc] $name,)* }

        /// The elements in use of contacts, constraint rows and islands, under MuJoCo's names.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(non_snake_case, reason = "MuJoCo's names")]
        pub struct WorkRef<'a> {
            $(#[doc = $doc] pub $name: &'a [$t],)*
        }

        impl<'a> Work<'a> {
            /// Words of eight bytes that a workspace takes.
            pub(crate) fn words(m: &Sizes, room: &WorkSizes) -> usize {
                let mut words = 0;
                $(words += words_of::<$t>(rows!(m, room, $rows));)*
                words
            }

            /// The arrays of a workspace that lies in a block.
            pub(crate) fn split(block: &'a mut [u64], m: &Sizes, room: &WorkSizes) -> Work<'a> {
                if room.exists == 0 {
                    return Work { $($name: &mut [],)* };
                }
                let mut stack = Rest(block);
                Work { $($name: stack.take(rows!(m, room, $rows)),)* }
            }

            /// Copy what a smaller workspace holds.
            pub(crate) fn take_over(&mut self, from: &Work<'_>) {
                $(self.$name[..from.$name.len()].copy_from_slice(from.$name);)*
            }

            pub(crate) fn reborrow(&mut self) -> Work<'_> {
                Work { $($name: self.$name,)* }
            }

            /// Where the elements in use of an array lie in the block of a workspace: first word and number of bytes.
            #[cfg(feature = "alloc")]
            pub(crate) fn place(
                field: usize, m: &Sizes, room: &WorkSizes, used: &WorkSizes,
            ) -> Option<(usize, usize)> {
                let mut start = 0;
                $(
                    if field == WorkField::$name as usize {
                        return Some((start, rows!(m, used, $rows) * size_of::<$t>()));
                    }
                    start += words_of::<$t>(rows!(m, room, $rows));
                )*
                let _ = start;
                None
            }

            /// The elements in use of an array.
            pub(crate) fn bytes_mut(&mut self, field: usize, m: &Sizes, used: &WorkSizes) -> Option<&mut [u8]> {
                $(if field == WorkField::$name as usize {
                    return Some(bytemuck::cast_slice_mut(&mut self.$name[..rows!(m, used, $rows)]));
                })*
                None
            }

            /// The elements in use.
            pub(crate) fn in_use(&self, m: &Sizes, used: &WorkSizes) -> WorkRef<'_> {
                WorkRef { $($name: &self.$name[..rows!(m, used, $rows)],)* }
            }
        }

        impl<'a> WorkRef<'a> {
            /// The elements in use of a workspace that lies in a block.
            pub(crate) fn new(block: &'a [u64], m: &Sizes, room: &WorkSizes, used: &WorkSizes) -> WorkRef<'a> {
                let mut start = 0;
                $(
                    let count = rows!(m, used, $rows);
                    let bytes = bytemuck::must_cast_slice::<u64, u8>(&block[start..]);
                    let $name = bytemuck::cast_slice(&bytes[..count * size_of::<$t>()]);
                    start += words_of::<$t>(rows!(m, room, $rows));
                )*
                let _ = start;
                WorkRef { $($name,)* }
            }

            /// Append every array to `out`.
            #[cfg(feature = "alloc")]
            pub(crate) fn write(&self, out: &mut Vec<u8>) {
                $(out.extend_from_slice(bytemuck::cast_slice(self.$name));)*
            }
        }

        impl Work<'_> {
            /// Take from `bytes` what [`WorkRef::write`] wrote; `None` where they end too early.
            pub(crate) fn read(&mut self, bytes: &mut &[u8], m: &Sizes, used: &WorkSizes) -> Option<()> {
                $(
                    let to = bytemuck::cast_slice_mut::<$t, u8>(&mut self.$name[..rows!(m, used, $rows)]);
                    let (values, rest) = bytes.split_at_checked(to.len())?;
                    to.copy_from_slice(values);
                    *bytes = rest;
                )*
                Some(())
            }
        }
    };
}

ferrodyn_model::work_fields!(define_work);

/// An array of the workspace.
#[derive(Debug)]
pub struct WorkArray<'a> {
    /// The elements in use.
    pub bytes: &'a mut [u8],
    /// Address of the block in which they lie; `None` where there is no workspace.
    pub block: Option<usize>,
}

/// The rest of a block that is being cut into arrays.
pub(crate) struct Rest<'a>(pub(crate) &'a mut [u64]);

impl<'a> Rest<'a> {
    #[inline]
    pub(crate) fn words(&mut self, count: usize) -> &'a mut [u64] {
        let (words, rest) = core::mem::take(&mut self.0).split_at_mut(count);
        self.0 = rest;
        words
    }

    #[inline]
    pub(crate) fn take<T: Pod>(&mut self, count: usize) -> &'a mut [T] {
        elements(self.words(words_of::<T>(count)), count)
    }
}

/// The elements of an array that lies in words, as many as there are.
#[inline(always)]
pub(crate) fn elements<T: Pod>(words: &mut [u64], count: usize) -> &mut [T] {
    if size_of::<T>().is_multiple_of(8) {
        // no words are left over, and nothing is left to be checked but the size
        bytemuck::cast_slice_mut(words)
    } else if 8usize.is_multiple_of(size_of::<T>()) {
        &mut bytemuck::cast_slice_mut(words)[..count]
    } else {
        let bytes = bytemuck::must_cast_slice_mut::<u64, u8>(words);
        bytemuck::cast_slice_mut(&mut bytes[..count * size_of::<T>()])
    }
}

impl World<'_> {
    /// Number of contacts.
    #[inline]
    pub fn ncon(&self) -> usize {
        (self.head.ncon.max(0) as usize).min(self.work.contact.len())
    }

    /// Number of constraint rows.
    #[inline]
    pub fn nefc(&self) -> usize {
        (self.head.nefc.max(0) as usize).min(self.work.efc_type.len())
    }

    /// Number of islands.
    #[inline]
    pub(crate) fn nisland(&self) -> usize {
        (self.head.nisland.max(0) as usize).min(self.work.island_nv.len())
    }

    /// Numbers of contacts and rows as they were counted, which may be more than there is room for.
    pub(crate) fn counts(&self) -> WorkSizes {
        let count = |n: i32| n.max(0) as usize;
        let head = &self.head;
        WorkSizes {
            ncon: count(head.ncon),
            nefc: count(head.nefc),
            nJ: count(head.nJ),
            nA: count(head.nA),
            ..WorkSizes::default()
        }
    }

    /// An array of the workspace, by its number in the table ([`WorkField`]).
    pub fn work_array_mut(&mut self, field: usize) -> Option<WorkArray<'_>> {
        let used = WorkSizes::in_use(self.head, &self.kept.room);
        // contacts are first in a block
        let block = (used.exists != 0).then(|| self.work.contact.as_ptr().addr());
        let bytes = self.work.bytes_mut(field, self.sizes, &used)?;
        Some(WorkArray { bytes, block })
    }

    /// What is in use of the workspace.
    pub fn in_use(&self) -> WorkRef<'_> {
        self.work.in_use(self.sizes, &WorkSizes::in_use(self.head, &self.kept.room))
    }
}
