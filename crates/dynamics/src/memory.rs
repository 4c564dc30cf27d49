//! Blocks of memory that a world lends to its stages, and how they grow.
use alloc::vec::Vec;

use ferrodyn_math::{Stack, StackFull};

use crate::scratch::Scratch;
use crate::work::{Work, WorkSizes};
use crate::{StepError, World};

/// Blocks that one view can begin. A step begins a few: room for contacts doubles, and other needs are counted before room is made
/// for them.
const SPARE: usize = 32;

/// A block of words and empty places for larger ones. A view that needs more memory than the block has begins the next place, and
/// goes on there, while what it has of the first one stays valid; the next view begins with the last block alone.
#[derive(Debug, Default)]
pub(crate) struct Growing {
    block: Vec<u64>,
    /// None at all before the first view.
    spare: Vec<Vec<u64>>,
}

impl Clone for Growing {
    fn clone(&self) -> Growing {
        Growing { block: self.last().to_vec(), spare: Vec::new() }
    }
}

/// The places that a view has not begun yet.
#[derive(Debug)]
pub(crate) struct Spare<'a>(&'a mut [Vec<u64>]);

impl Growing {
    /// Take over the contents of other memory; no allocation where the block is large enough.
    pub(crate) fn copy_from(&mut self, other: &Growing) {
        self.settle();
        self.block.clear();
        self.block.extend_from_slice(other.last());
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

    /// The last block.
    pub(crate) fn last(&self) -> &[u64] {
        let spare = self.spare.iter().take_while(|place| !place.is_empty()).last();
        spare.unwrap_or(&self.block)
    }

    /// The block, of so many words at least, and the places for larger ones.
    pub(crate) fn view(&mut self, words: usize) -> (&mut [u64], Spare<'_>) {
        self.settle();
        if self.block.len() < words {
            self.block.resize(words, 0);
        }
        if self.spare.is_empty() {
            self.spare.resize(SPARE, Vec::new());
        }
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

    /// Is more than half of the places left?
    fn is_plenty(&self) -> bool {
        2 * self.0.len() > SPARE
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

/// Declares the temporary memory of a stage: a struct of slices and lists, each with the number of elements that it has room for,
/// in terms of some sizes. `words` tells how much of the stack they take together, `take` takes them.
///
/// A `slice` holds what was there before, `zeros` are zero, a `list` is empty.
macro_rules! frame {
    (
        $(#[$doc:meta])*
        $vis:vis struct $name:ident($($size:ident),*) {
            $($(#[$field_doc:meta])* $field:ident: $kind:ident $t:ty = $count:expr,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        $vis struct $name<'a> {
            $($(#[$field_doc])* $vis $field: $crate::memory::frame!(@type $kind $t),)*
        }

        impl<'a> $name<'a> {
            /// Words of the stack that all of it takes.
            $vis fn words($($size: usize),*) -> usize {
                0 $(+ ferrodyn_math::words_of::<$t>($count))*
            }

            $vis fn take(
                stack: &mut ferrodyn_math::Stack<'a>,
                $($size: usize),*
            ) -> Result<Self, ferrodyn_math::StackFull> {
                Ok(Self { $($field: $crate::memory::frame!(@take $kind stack, $count),)* })
            }
        }
    };
    (@type list $t:ty) => { ferrodyn_math::List<'a, $t> };
    (@type slice $t:ty) => { &'a mut [$t] };
    (@type zeros $t:ty) => { &'a mut [$t] };
    (@take list $stack:ident, $count:expr) => { $stack.list($count)? };
    (@take slice $stack:ident, $count:expr) => { $stack.take($count)? };
    (@take zeros $stack:ident, $count:expr) => { $stack.take_zeroed($count)? };
}
pub(crate) use frame;

/// Temporary memory for the stages of a step. A world has its own unless one is lent to it
/// ([`Data::swap_stack`](crate::Data::swap_stack)): one for each thread is enough for any number of worlds.
#[derive(Debug, Default)]
pub struct StackMemory(pub(crate) Growing);

impl StackMemory {
    /// Size in bytes.
    pub fn size(&self) -> usize {
        size_of_val(self.0.last())
    }
}

impl From<StackFull> for StepError {
    fn from(full: StackFull) -> StepError {
        StepError::NoRoom { what: "temporary words", missing: full.missing }
    }
}

impl<'a> World<'a> {
    /// Can this view begin enough blocks for one more step? The next view can, whatever this one did.
    #[inline]
    pub(crate) fn can_go_on(&self) -> bool {
        self.work_spare.is_plenty() && self.stack_spare.is_plenty()
    }

    /// Make room in the workspace; what it holds stays.
    #[inline]
    pub(crate) fn reserve(&mut self, need: &WorkSizes) -> Result<(), StepError> {
        match self.room.missing(need) {
            None => Ok(()),
            Some(error) => self.grow(need).ok_or(error),
        }
    }

    #[cold]
    fn grow(&mut self, need: &WorkSizes) -> Option<()> {
        let room = self.room.grown(need, self.sizes);
        let block = self.work_spare.grow(Work::words(self.sizes, &room))?;
        let mut larger = Work::split(block, self.sizes, &room);
        larger.take_over(&self.work);
        self.work = larger;
        *self.room = room;
        Some(())
    }

    /// Go on with the workspace that another view of the same world made larger.
    pub(crate) fn adopt_workspace(&mut self) {
        if let Some(block) = self.work_spare.adopt() {
            self.work = Work::split(block, self.sizes, self.room);
        }
        if let Some(block) = self.stack_spare.adopt() {
            self.stack = Stack::new(&mut block[Scratch::words(self.sizes)..]);
        }
    }

    #[cold]
    fn larger_stack(&mut self, words: usize, free: usize) -> Result<Stack<'a>, StackFull> {
        // the next view has the arrays of fixed sizes at the beginning of this block
        let fixed = Scratch::words(self.sizes);
        let block = self.stack_spare.grow(fixed + words.max(2 * free));
        Ok(Stack::new(&mut block.ok_or(StackFull { missing: words - free })?[fixed..]))
    }

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
            stack = self.larger_stack(words, stack.free_words())?;
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
