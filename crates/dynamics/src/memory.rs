//! Blocks of memory that a world lends to its stages, and how they grow.
use alloc::vec::Vec;

use ferrodyn_math::{Stack, StackFull};

use crate::{StepError, World};

/// Blocks that one view can begin: each is at least twice as large as the one before, so that they are never used up.
const SPARE: usize = 24;

/// A block of words and empty places for larger ones. A view that needs more memory than the block has begins the next place, and
/// goes on there, while what it has of the first one stays valid; the next view begins with the last block alone.
#[derive(Debug)]
pub(crate) struct Growing {
    block: Vec<u64>,
    spare: [Vec<u64>; SPARE],
}

/// The places that a view has not begun yet.
#[derive(Debug)]
pub(crate) struct Spare<'a>(&'a mut [Vec<u64>]);

impl Growing {
    pub(crate) fn new(words: usize) -> Growing {
        Growing { block: alloc::vec![0; words], spare: [const { Vec::new() }; SPARE] }
    }

    /// Keep the last block alone.
    pub(crate) fn settle(&mut self) {
        for place in &mut self.spare {
            if place.is_empty() {
                break;
            }
            self.block = core::mem::take(place);
        }
    }

    /// The block, and the places for larger ones.
    pub(crate) fn view(&mut self) -> (&mut [u64], Spare<'_>) {
        self.settle();
        (&mut self.block, Spare(&mut self.spare))
    }
}

impl<'a> Spare<'a> {
    /// A larger block of zeros; `None` where there is no place left.
    fn grow(&mut self, words: usize) -> Option<&'a mut [u64]> {
        let (place, rest) = core::mem::take(&mut self.0).split_first_mut()?;
        self.0 = rest;
        place.resize(words, 0);
        Some(place)
    }

    /// The same places for a while.
    pub(crate) fn reborrow(&mut self) -> Spare<'_> {
        Spare(self.0)
    }

    /// The last block that a view of the same memory began meanwhile, if it did.
    pub(crate) fn adopt(&mut self) -> Option<&'a mut [u64]> {
        let begun = self.0.iter().take_while(|place| !place.is_empty()).count();
        let (begun, rest) = core::mem::take(&mut self.0).split_at_mut(begun);
        self.0 = rest;
        begun.last_mut().map(|place| &mut place[..])
    }
}

impl From<StackFull> for StepError {
    fn from(full: StackFull) -> StepError {
        StepError::NoRoom { what: "temporary words", missing: full.missing }
    }
}

impl<'a> World<'a> {
    /// Run a stage that takes at most `words` words of temporary memory. Stages do not nest: an inner one is handed what is left
    /// of the stack.
    #[inline]
    pub(crate) fn with_stack<R>(
        &mut self,
        words: usize,
        stage: impl FnOnce(&mut World<'a>, Stack<'_>) -> R,
    ) -> Result<R, StepError> {
        let mut stack = core::mem::take(&mut self.stack);
        if stack.free_words() < words {
            let missing = words - stack.free_words();
            let room = words.max(2 * stack.free_words());
            let block = self.stack_spare.grow(room);
            stack = Stack::new(block.ok_or(StackFull { missing })?);
        }
        let result = stage(self, stack.scope());
        self.stack = stack;
        Ok(result)
    }

    /// Leave the view with the memory that it has.
    #[cfg(test)]
    pub(crate) fn forbid_growth(&mut self) {
        self.stack_spare = Spare(&mut []);
    }
}
