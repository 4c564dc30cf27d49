//! How stages take temporary memory, and what happens where there is too little of it.
use ferrodyn_math::{Stack, StackFull};

use crate::data::scratch::Scratch;
use crate::data::work::{Work, WorkSizes};
use crate::{StepError, World};

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
            $($(#[$field_doc])* $vis $field: $crate::data::memory::frame!(@type $kind $t),)*
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
                Ok(Self { $($field: $crate::data::memory::frame!(@take $kind stack, $count),)* })
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

impl From<StackFull> for StepError {
    fn from(full: StackFull) -> StepError {
        StepError::NoRoom { what: "temporary words", missing: full.missing }
    }
}

impl<'a> World<'a> {
    /// Can this view begin enough blocks for one more step? The next view can, whatever this one did.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn can_go_on(&self) -> bool {
        #[cfg(feature = "deformable")]
        if self.soft.as_ref().is_some_and(|soft| !soft.spare.is_plenty()) {
            return false;
        }
        self.work_spare.is_plenty() && self.stack_spare.is_plenty()
    }

    /// Whether the world has as much memory as it can ever have.
    pub(crate) fn is_fixed(&self) -> bool {
        self.work_spare.is_empty() && self.stack_spare.is_empty()
    }

    /// Make room in the workspace; what it holds stays.
    #[inline]
    pub(crate) fn reserve(&mut self, need: &WorkSizes) -> Result<(), StepError> {
        match self.kept.room.missing(need) {
            None => Ok(()),
            Some(error) => self.grow(need).ok_or(error),
        }
    }

    #[cold]
    fn grow(&mut self, need: &WorkSizes) -> Option<()> {
        let room = self.kept.room.grown(need, self.sizes);
        let block = self.work_spare.grow(Work::words(self.sizes, &room))?;
        let mut larger = Work::split(block, self.sizes, &room);
        larger.take_over(&self.work);
        self.work = larger;
        self.kept.room = room;
        Some(())
    }

    /// Go on with the workspace that another view of the same world made larger.
    pub(crate) fn adopt_workspace(&mut self) {
        if let Some(block) = self.work_spare.adopt() {
            self.work = Work::split(block, self.sizes, &self.kept.room);
        }
        if let Some(block) = self.stack_spare.adopt() {
            self.stack = Stack::new(&mut block[Scratch::words(self.sizes)..]);
        }
        #[cfg(feature = "deformable")]
        if let Some(soft) = &mut self.soft {
            soft.adopt();
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
            match self.larger_stack(words, stack.free_words()) {
                Ok(larger) => stack = larger,
                Err(full) => {
                    // the view stays as it was
                    self.stack = stack;
                    return Err(full.into());
                }
            }
        }
        let result = stage(self, stack.scope());
        self.stack = stack;
        Ok(result)
    }

    /// Leave the view with the memory that it has.
    #[cfg(test)]
    pub(crate) fn forbid_growth(&mut self) {
        self.stack_spare = crate::data::growing::Spare::none();
    }
}
