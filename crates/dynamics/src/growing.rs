//! Blocks of memory that grow while a view of them is in use.
use alloc::vec::Vec;

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
/// ([`Data::swap_stack`](crate::Data::swap_stack)): one for each thread is enough for any number of worlds.
#[derive(Debug, Default)]
pub struct StackMemory(pub(crate) Growing);

impl StackMemory {
    /// Size in bytes.
    pub fn size(&self) -> usize {
        size_of_val(self.0.last())
    }
}
