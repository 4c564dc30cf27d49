//! Marks on the nodes of bounding-volume trees that a search met, for whoever draws them (`bvh_active`).
//!
//! Meshes have as many nodes as faces, of which a step meets few. Which ones is kept, so that the next step clears these and not
//! all: the work of a step does not grow with the size of meshes.
//!
//! Marks of pairs of bodies cost more than the contacts themselves, since all geoms count for them, those that never collide too. So they
//! are left only while somebody watches ([`World::watch_boxes`]); who begins to watch gets those of the last search then.
use ferrodyn_model::{Model, Sizes, Storage};

use super::{Purpose, cannot_collide, search};
use crate::hooks::NoHooks;
use crate::{StepError, World};

/// In place of the number of marked nodes: any of them may be marked.
pub(crate) const ANY_MARKED: usize = usize::MAX;

/// Marked nodes that are kept beside those of the trees of bodies: rays leave a few dozen in a mesh. More of them are no error,
/// only all marks are cleared then.
const MARKS_IN_MESHES: usize = 256;

/// How many marked nodes are kept: the trees of bodies have at most two nodes for each geom.
pub(crate) fn most_marks(sizes: &Sizes) -> usize {
    sizes.nbvh.min(2 * sizes.ngeom + MARKS_IN_MESHES)
}

impl World<'_> {
    /// Say that `bvh_active` was written by others than the stages: the next search clears all of it.
    pub fn marks_changed(&mut self) {
        self.kept.marked = ANY_MARKED;
    }

    /// From now on mark the nodes of trees that collision detection meets (`bvh_active`); those that it met last are marked at once.
    /// Flexes, distance fields and rays leave marks without that.
    pub fn watch_boxes(&mut self, m: &Model<impl Storage>) -> Result<(), StepError> {
        let before = core::mem::replace(&mut self.kept.watched, 1);
        if before != 0 || self.kept.searched == 0 || m.flex_count() > 0 || cannot_collide(m) {
            return Ok(());
        }
        search(m, self, Purpose::Marks, &mut NoHooks)
    }

    /// Are the nodes to be marked that pairs of bodies meet?
    pub(super) fn marks_pairs(&self, m: &Model<impl Storage>) -> bool {
        m.vis.global.bvactive != 0 && (self.kept.watched != 0 || m.flex_count() > 0)
    }

    /// Mark a node.
    pub(super) fn mark_node(&mut self, node: usize) {
        if self.bvh_active[node] != 0 {
            return;
        }
        self.bvh_active[node] = 1;
        match self.marked.get_mut(self.kept.marked) {
            Some(place) => {
                *place = node as u32;
                self.kept.marked += 1;
            }
            None => self.kept.marked = ANY_MARKED,
        }
    }

    /// Clear the marks of the last search, where the model wants marks.
    pub(super) fn clear_marks(&mut self, m: &Model<impl Storage>) {
        if m.vis.global.bvactive == 0 {
            return;
        }
        match self.marked.get(..self.kept.marked) {
            Some(marked) => marked.iter().for_each(|node| self.bvh_active[*node as usize] = 0),
            None => self.bvh_active.fill(0),
        }
        self.kept.marked = 0;
    }
}
