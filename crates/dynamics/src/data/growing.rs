//! Blocks of memory that grow while a view of them is in use.
use alloc::vec::Vec;

/// Blocks that one view can begin. A step begins a few: room for contacts, which are found one by one, is asked for in doubles,
/// and other needs are counted before room is made for them.
const SPARE: usize = 32;

/// A block of words and empty places for larger ones. A view that needs more memory than the block has begins the next place, and
/// goes on there, while what it has of the first one stays valid; the next view begins with the last block alone.
#[derive(Debug, Default)]
pub(crate) struct Growing {
    block: Vec<u64>,
    /// None at all before the first view.
    spare: Vec<Vec<u64>>,
    /// Blocks that others took the place of, where someone else may look at them still.
    replaced: Option<Vec<Vec<u64>>>,
}

/// A copy of a block.
impl From<&[u64]> for Growing {
    fn from(block: &[u64]) -> Growing {
        Growing { block: block.to_vec(), ..Growing::default() }
    }
}

impl Clone for Growing {
    fn clone(&self) -> Growing {
        Growing::from(self.last())
    }
}

impl Growing {
    /// Take over the contents of other memory; no allocation where the block is large enough.
    pub(crate) fn copy_from(&mut self, other: &Growing) {
        self.settle();
        let from = other.last();
        if self.block.capacity() < from.len() {
            self.replace(Vec::with_capacity(from.len()));
        }
        self.block.clear();
        self.block.extend_from_slice(from);
    }

    /// Keep the last block alone.
    fn settle(&mut self) {
        for i in 0..self.spare.len() {
            if self.spare[i].is_empty() {
                break;
            }
            let block = core::mem::take(&mut self.spare[i]);
            self.replace(block);
        }
    }

    /// Keep the last block alone, and move it into the gap that smaller ones leave, unless someone may look at it:
    /// worlds then lie close together.
    pub(crate) fn compact(&mut self) {
        let grown = self.spare.first().is_some_and(|place| !place.is_empty());
        self.settle();
        if grown && self.replaced.is_none() {
            self.block = self.block.clone();
        }
    }

    fn replace(&mut self, block: Vec<u64>) {
        let old = core::mem::replace(&mut self.block, block);
        if let Some(replaced) = &mut self.replaced
            && old.capacity() > 0
        {
            replaced.push(old);
        }
    }

    /// From now on keep blocks that are replaced, until they are taken.
    pub(crate) fn keep_replaced(&mut self) {
        self.replaced.get_or_insert_default();
    }

    /// The blocks that were replaced since the last call.
    pub(crate) fn take_replaced(&mut self) -> Vec<Vec<u64>> {
        self.settle();
        self.replaced.as_mut().map(core::mem::take).unwrap_or_default()
    }

    /// The last block, mutable and alone.
    pub(crate) fn last_mut(&mut self) -> &mut [u64] {
        self.settle();
        &mut self.block
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

/// The places that a view has not begun yet.
#[derive(Debug)]
pub(crate) struct Spare<'a>(&'a mut [Vec<u64>]);

impl<'a> Spare<'a> {
    /// No places, for memory of a fixed size.
    pub(crate) fn none() -> Spare<'a> {
        Spare(&mut [])
    }

    /// Is there no place left?
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A larger block of zeros; `None` where there is no place left.
    pub(crate) fn grow(&mut self, words: usize) -> Option<&'a mut [u64]> {
        let (place, rest) = core::mem::take(&mut self.0).split_first_mut()?;
        self.0 = rest;
        place.resize(words, 0);
        Some(place)
    }

    /// Is more than half of the places left?
    pub(crate) fn is_plenty(&self) -> bool {
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

/// Temporary memory for the stages of a step. A world has its own unless one is lent to it
/// ([`OwnedWorld::swap_stack`](crate::OwnedWorld::swap_stack)): one for each thread is enough for any number of worlds.
#[derive(Debug, Default)]
pub struct StackMemory(pub(crate) Growing);

impl StackMemory {
    /// Size in bytes.
    pub fn size(&self) -> usize {
        size_of_val(self.0.last())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    /// Begin a block of so many words, each of them `value`.
    fn grow(memory: &mut Growing, words: usize, value: u64) {
        let (_, mut spare) = memory.view(0);
        spare.grow(words).unwrap().fill(value);
    }

    #[test]
    fn replaced_blocks_are_dropped_unless_they_are_kept() {
        let mut memory = Growing::default();
        grow(&mut memory, 2, 1);
        grow(&mut memory, 3, 2);
        assert!(memory.take_replaced().is_empty());
        assert_eq!(memory.last(), [2; 3]);
    }

    #[test]
    fn replaced_blocks_that_are_kept_stay_where_they_were() {
        let mut memory = Growing::default();
        memory.keep_replaced();
        grow(&mut memory, 2, 1);
        assert!(memory.take_replaced().is_empty(), "there was nothing before the first block");
        let first = memory.last_mut().as_ptr();
        // twice in one view
        let (_, mut spare) = memory.view(0);
        spare.grow(3).unwrap().fill(2);
        spare.grow(4).unwrap().fill(3);
        let replaced = memory.take_replaced();
        assert_eq!(replaced, [vec![1; 2], vec![2; 3]]);
        assert_eq!(replaced[0].as_ptr(), first);
        assert_eq!(memory.last(), [3; 4]);
        assert!(memory.take_replaced().is_empty());
    }

    #[test]
    fn a_copy_into_a_block_that_is_too_small_replaces_it() {
        let (mut memory, mut other) = (Growing::default(), Growing::default());
        memory.keep_replaced();
        grow(&mut memory, 2, 1);
        grow(&mut other, 5, 2);
        memory.copy_from(&other);
        assert_eq!(memory.take_replaced(), [vec![1; 2]]);
        assert_eq!(memory.last(), [2; 5]);
        // a smaller one fits
        let place = memory.last_mut().as_ptr();
        memory.copy_from(&Growing::default());
        assert!(memory.last().is_empty());
        assert_eq!(memory.last_mut().as_ptr(), place);
        // and is handed out when it is replaced, empty as it is
        grow(&mut memory, 1, 7);
        let replaced = memory.take_replaced();
        assert_eq!((replaced.len(), replaced[0].as_ptr()), (1, place));
        assert!(memory.clone().take_replaced().is_empty());
    }
}
