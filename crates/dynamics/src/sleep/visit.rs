//! What a stage visits: everything or, while trees are asleep, what is on a list.
//!
//! Where nothing sleeps no list is read, and loops run over plain ranges. Lists come from the user's data and are
//! clamped to the model, so that a wrong entry gives a wrong result, never an access outside.
use core::ops::Range;

use ferrodyn_model::{Model, Storage};

use super::some_asleep;
use crate::World;
use crate::data::Header;

/// The bodies that a stage visits, in order. The first one is always the world, except among
/// [those with awake parents](Bodies::with_awake_parent) on a list.
#[derive(Clone, Copy)]
pub(crate) struct Bodies {
    listed: bool,
    /// How many there are.
    pub(crate) count: usize,
    nbody: usize,
}

impl Bodies {
    /// All bodies, or those in `body_awake_ind`: awake and static.
    #[inline]
    pub(crate) fn awake<T>(m: &Model<impl Storage>, d: &World<'_, T>) -> Bodies {
        Bodies::new(m, d, d.head.nbody_awake)
    }

    /// All bodies, or those in `parent_awake_ind`: whose parents are awake or static.
    #[inline]
    pub(crate) fn with_awake_parent<T>(m: &Model<impl Storage>, d: &World<'_, T>) -> Bodies {
        Bodies::new(m, d, d.head.nparent_awake)
    }

    #[inline]
    fn new<T>(m: &Model<impl Storage>, d: &World<'_, T>, count: i32) -> Bodies {
        let listed = some_asleep(m, d.head);
        let count = if listed { (count.max(0) as usize).min(m.nbody) } else { m.nbody };
        Bodies { listed, count, nbody: m.nbody }
    }

    /// Are they on a list, with some bodies asleep?
    #[inline]
    pub(crate) fn listed(&self) -> bool {
        self.listed
    }

    /// The body at place `k`; `list` is the array that the constructor names.
    #[inline]
    pub(crate) fn get(&self, list: &[i32], k: usize) -> usize {
        if self.listed { (list[k] as usize).min(self.nbody - 1) } else { k }
    }
}

/// Runs of consecutive degrees of freedom: one of all, or those in `dof_awake_ind`.
///
/// A tree is never cut in two.
#[inline]
pub(crate) fn awake_dofs<'a>(
    m: &Model<impl Storage>,
    head: &Header,
    dof_awake_ind: &'a [i32],
) -> Runs<'a> {
    if some_asleep(m, head) {
        let count = (head.nv_awake.max(0) as usize).min(m.nv);
        Runs { whole: 0..0, list: &dof_awake_ind[..count], nv: m.nv }
    } else {
        Runs { whole: 0..m.nv, list: &[], nv: m.nv }
    }
}

/// Run a block for each of the runs of [`awake_dofs`]. The block is written twice into its function: where nothing
/// sleeps it is straight code over all degrees of freedom, as if sleep did not exist.
macro_rules! for_awake_dofs {
    ($m:expr, $d:expr, |$run:ident| $block:block) => {
        if $crate::sleep::some_asleep($m, $d.head) {
            for $run in $crate::sleep::awake_dofs($m, $d.head, $d.dof_awake_ind) {
                $block
            }
        } else {
            let $run = 0..$m.nv;
            $block
        }
    };
}
pub(crate) use for_awake_dofs;

/// See [`awake_dofs`].
#[derive(Clone)]
pub(crate) struct Runs<'a> {
    whole: Range<usize>,
    list: &'a [i32],
    nv: usize,
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        if !self.whole.is_empty() {
            return Some(core::mem::take(&mut self.whole));
        }
        // as many as are consecutive; a tree's degrees of freedom always are
        let first = *self.list.first()?;
        let next = |pair: &&[i32]| pair[0].checked_add(1) == Some(pair[1]);
        let count = 1 + self.list.windows(2).take_while(next).count();
        self.list = &self.list[count..];
        let start = (first as usize).min(self.nv);
        Some(start..(start + count).min(self.nv))
    }
}

/// The entries of the rows of a run in a matrix of compressed rows.
#[inline]
pub(crate) fn rows_of(run: &Range<usize>, rowadr: &[i32], rownnz: &[i32]) -> Range<usize> {
    // rows of a run are stored one after the other
    match run.end.checked_sub(1) {
        Some(last) if !run.is_empty() => {
            rowadr[run.start] as usize..(rowadr[last] + rownnz[last]) as usize
        }
        _ => 0..0,
    }
}
