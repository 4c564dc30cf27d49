//! A list of indices that keeps up to three in place, which is all that a triangle needs.

use std::ops::{Deref, DerefMut};

/// Number of indices kept without allocation.
const NEAR: usize = 3;

/// A growable list of indices. The elements are in `near` while `far` is empty, and all in `far` otherwise.
#[derive(Default)]
pub(super) struct List {
    len: usize,
    near: [usize; NEAR],
    far: Vec<usize>,
}

impl Deref for List {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        if self.far.is_empty() { &self.near[..self.len] } else { &self.far }
    }
}

impl DerefMut for List {
    fn deref_mut(&mut self) -> &mut [usize] {
        if self.far.is_empty() { &mut self.near[..self.len] } else { &mut self.far }
    }
}

impl<'a> IntoIterator for &'a List {
    type Item = &'a usize;
    type IntoIter = std::slice::Iter<'a, usize>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<usize> for List {
    fn extend<I: IntoIterator<Item = usize>>(&mut self, items: I) {
        for item in items {
            self.push(item);
        }
    }
}

impl List {
    /// Appends an index.
    pub(super) fn push(&mut self, item: usize) {
        if self.far.is_empty() {
            // the first three in place; the fourth moves all of them
            if self.len < NEAR {
                self.near[self.len] = item;
                self.len += 1;
                return;
            }
            self.far.extend_from_slice(&self.near);
            self.len = 0;
        }
        self.far.push(item);
    }

    /// Empties the list, keeping its memory.
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.far.clear();
    }

    /// Shortens the list.
    fn truncate(&mut self, len: usize) {
        if self.far.is_empty() {
            self.len = self.len.min(len);
        } else {
            self.far.truncate(len);
        }
    }

    /// Replaces all elements.
    pub(super) fn assign(&mut self, items: Vec<usize>) {
        self.clear();
        self.extend(items);
    }

    /// Inserts at a position.
    pub(super) fn insert(&mut self, at: usize, item: usize) {
        self.push(item);
        self[at..].rotate_right(1);
    }

    /// Removes the element at a position, keeping the order of the others.
    pub(super) fn remove(&mut self, at: usize) -> usize {
        let item = self[at];
        self[at..].rotate_left(1);
        self.truncate(self.len() - 1);
        item
    }

    /// Removes the element at a position and moves the last one there.
    pub(super) fn swap_remove(&mut self, at: usize) {
        let last = self.len() - 1;
        self.swap(at, last);
        self.truncate(last);
    }

    /// Removes `item` by moving the last element into its place; reports whether it was there.
    pub(super) fn remove_item(&mut self, item: usize) -> bool {
        match self.iter().position(|&x| x == item) {
            Some(at) => {
                self.swap_remove(at);
                true
            }
            None => false,
        }
    }

    /// Removes `item`, keeping the order of the others.
    pub(super) fn remove_item_in_order(&mut self, item: usize) {
        if let Some(at) = self.iter().position(|&x| x == item) {
            self.remove(at);
        }
    }

    /// Appends `item` unless it is already there.
    pub(super) fn push_unique(&mut self, item: usize) {
        if !self.contains(&item) {
            self.push(item);
        }
    }

    /// Keeps the elements that satisfy a condition.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut kept = 0;
        for i in 0..self.len() {
            let item = self[i];
            if keep(item) {
                self[kept] = item;
                kept += 1;
            }
        }
        self.truncate(kept);
    }
}
