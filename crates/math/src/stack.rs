//! Temporary memory: slices cut from one block, given back all at once when a scope ends.
//!
//! ```text
//!   block   |  kept  | taken in a scope |        free         |
//!           0        3                  8                    20   words of eight bytes
//!                    ^ the stack of the caller begins here again when the scope ends
//! ```
//!
//! A [`Stack`] is nothing but the slice of words that are still free. To take is to split the front off: the slice that
//! comes out has the lifetime of the block, so that it can be kept while more is taken. A scope is a second stack over
//! the same free words, which borrows the first one: while it lives, the first cannot be used, and when it ends, the
//! first is what it was. There is nothing to release and nothing to get wrong; the compiler refuses a slice that
//! outlives its scope.
//!
//! - Elements are plain data (`Pod`): any bits are a value, so that memory need not be set before it is used. It holds
//!   what was there before, and nothing may depend on that; [`Stack::take_zeroed`] sets it.
//! - All sizes are rounded up to words of eight bytes, the largest alignment of anything that is stored.
//! - Too little room is a value, [`StackFull`] with what is missing, never a panic: the caller runs again with more.
//!   What was taken before stays taken.
//! - A [`List`] is a slice with a length: it appends up to its capacity and then refuses.
//!
//! MuJoCo: `mj_markStack`, `mj_stackAllocNum`, `mj_freeStack`.
use core::fmt;
use core::ops::{Deref, DerefMut};

use bytemuck::Pod;

/// A block of memory from which slices are taken one after the other.
///
/// What is taken in a [`scope`](Stack::scope) is free again when the scope ends; the borrow checker sees to it that nothing
/// of it is used later.
///
/// ```
/// use ferrodyn_math::Stack;
/// let mut words = [0; 8];
/// let mut stack = Stack::new(&mut words);
/// let kept: &mut [f64] = stack.take(3)?;
/// kept.fill(1.0);
/// {
///     let mut inner = stack.scope();
///     let passing: &mut [i32] = inner.take(10)?;
///     passing.fill(2);
///     assert_eq!(inner.take::<f64>(1).unwrap_err().missing, 1);
/// }
/// let again: &mut [f64] = stack.take(5)?;
/// assert_eq!((kept.len(), again.len()), (3, 5));
/// # Ok::<(), ferrodyn_math::StackFull>(())
/// ```
#[derive(Debug, Default)]
pub struct Stack<'a> {
    free: &'a mut [u64],
}

/// A stack has no room for what is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackFull {
    /// Words of eight bytes that are missing.
    pub missing: usize,
}

impl fmt::Display for StackFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "temporary memory lacks {} words", self.missing)
    }
}

impl core::error::Error for StackFull {}

/// Words of eight bytes that `count` elements take.
#[inline]
pub const fn words_of<T>(count: usize) -> usize {
    (count * size_of::<T>()).div_ceil(8)
}

impl<'a> Stack<'a> {
    /// A stack in a block of words.
    pub fn new(words: &'a mut [u64]) -> Stack<'a> {
        Stack { free: words }
    }

    /// The same stack for a while.
    #[inline]
    pub fn scope(&mut self) -> Stack<'_> {
        Stack { free: self.free }
    }

    /// Number of free words.
    pub fn free_words(&self) -> usize {
        self.free.len()
    }

    /// A slice whose contents are whatever was there before.
    #[inline]
    pub fn take<T: Pod>(&mut self, count: usize) -> Result<&'a mut [T], StackFull> {
        let words = words_of::<T>(count);
        if words > self.free.len() {
            return Err(StackFull { missing: words - self.free.len() });
        }
        // the front of what is free; `take` leaves an empty slice behind for a moment, since both parts borrow the
        // block for its whole life
        let (taken, free) = core::mem::take(&mut self.free).split_at_mut(words);
        self.free = free;
        // words as bytes, those of the elements alone, as elements
        let bytes = bytemuck::must_cast_slice_mut::<u64, u8>(taken);
        Ok(bytemuck::cast_slice_mut(&mut bytes[..count * size_of::<T>()]))
    }

    /// A slice of zeros.
    #[inline]
    pub fn take_zeroed<T: Pod>(&mut self, count: usize) -> Result<&'a mut [T], StackFull> {
        let slice = self.take(count)?;
        slice.fill(T::zeroed());
        Ok(slice)
    }

    /// A slice of as many elements as a function appends to an empty list, which has all the room that is left. The function
    /// returns false where that is not enough.
    pub fn build<T: Pod>(
        &mut self,
        fill: impl FnOnce(&mut List<'_, T>) -> bool,
    ) -> Result<&'a mut [T], StackFull> {
        // as many elements as fit; the list lies in a scope, so that the free words are still ours
        let room = size_of_val(&*self.free) / size_of::<T>();
        let mut list = self.scope().list(room)?;
        if !fill(&mut list) {
            // how much more it needs is unknown: twice as much is a guess that grows
            return Err(StackFull { missing: self.free.len().max(1) });
        }
        let count = list.len;
        // the list began where the slice begins, so that its elements are there
        self.take(count)
    }

    /// An empty list with room for `capacity` elements.
    #[inline]
    pub fn list<T: Pod>(&mut self, capacity: usize) -> Result<List<'a, T>, StackFull> {
        Ok(List { items: self.take(capacity)?, len: 0 })
    }
}

/// A list in memory of fixed size.
#[derive(Debug)]
pub struct List<'a, T> {
    items: &'a mut [T],
    len: usize,
}

impl<'a, T: Copy> List<'a, T> {
    /// An empty list with the room of a slice.
    pub fn new(room: &'a mut [T]) -> List<'a, T> {
        List { items: room, len: 0 }
    }

    /// Append an element; false, and nothing happens, where there is no room.
    #[inline]
    pub fn push(&mut self, item: T) -> bool {
        let Some(place) = self.items.get_mut(self.len) else { return false };
        *place = item;
        self.len += 1;
        true
    }

    /// Append elements. There must be room for them: what has none is left out, and debug builds panic.
    #[inline]
    pub fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        for item in items {
            let fits = self.push(item);
            debug_assert!(fits, "a list of {} is full", self.items.len());
        }
    }

    /// Replace all elements by `count` equal ones, for which there must be room.
    #[inline]
    pub fn set_all(&mut self, count: usize, value: T) {
        self.items[..count].fill(value);
        self.len = count;
    }

    /// Replace all elements by copies of others, for which there must be room.
    #[inline]
    pub fn copy_from(&mut self, items: &[T]) {
        self.items[..items.len()].copy_from_slice(items);
        self.len = items.len();
    }

    /// Put an element before the one at a place. There must be room for it.
    pub fn insert(&mut self, place: usize, item: T) {
        // those from the place on move up by one
        self.items.copy_within(place..self.len, place + 1);
        self.items[place] = item;
        self.len += 1;
    }

    /// Remove the last element.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        Some(self.items[self.len])
    }

    /// Remove all elements.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Remove an element; the last one takes its place.
    #[inline]
    pub fn swap_remove(&mut self, place: usize) {
        self.len -= 1;
        self.items[place] = self.items[self.len];
    }

    /// Remove an element; those after it move up.
    #[inline]
    pub fn remove(&mut self, place: usize) {
        self.items.copy_within(place + 1..self.len, place);
        self.len -= 1;
    }

    /// The elements, for as long as the memory lasts.
    pub fn into_slice(self) -> &'a mut [T] {
        &mut self.items[..self.len]
    }
}

impl<T> Deref for List<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..self.len]
    }
}

impl<T> DerefMut for List<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_do_not_overlap_and_come_back() {
        let mut words = [0; 6];
        let mut stack = Stack::new(&mut words);
        let a = stack.take_zeroed::<i32>(3).unwrap();
        let b = stack.take_zeroed::<f64>(4).unwrap();
        a.fill(7);
        b.fill(1.5);
        assert_eq!((&a[..], &b[..]), (&[7; 3][..], &[1.5; 4][..]));
        assert_eq!(stack.take::<u8>(1), Err(StackFull { missing: 1 }));
        let mut again = Stack::new(&mut words);
        assert_eq!(again.take::<u64>(6).unwrap()[2], 1.5f64.to_bits());
    }

    #[test]
    fn a_full_list_refuses_and_keeps_what_it_has() {
        let mut room = [0; 3];
        let mut list = List::new(&mut room);
        assert!(list.push(4) && list.push(5) && list.push(6) && !list.push(7));
        assert_eq!(&list[..], &[4, 5, 6]);
        list.remove(0);
        assert_eq!(&list[..], &[5, 6]);
        list.swap_remove(0);
        assert_eq!((list.pop(), list.pop()), (Some(6), None));
    }
}
