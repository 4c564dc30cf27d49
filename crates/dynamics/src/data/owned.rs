//! A world that owns its memory.
use alloc::{sync::Arc, vec, vec::Vec};

use ferrodyn_math::{Inertia10, Mat3, Quat, Real, Spatial, Vec3, words_of};
use ferrodyn_model::{ArrayInfo, ArrayMut, ArrayRef, Model, Sizes, Storage, dynamic_cols};

use crate::StepError;
use crate::contact::{ANY_MARKED, first_pairs};
use crate::data::growing::{Growing, StackMemory};
use crate::data::hash::{FNV_START, fnv1a, state_hash};
use crate::data::header::Header;
use crate::data::work::{Rest, Work, WorkArray, WorkRef, WorkSizes, elements};
use crate::data::world::{Blocks, FIELDS, FIRST, Field, Kept, Layout, World, fits};
use crate::divergence::DivergencePolicy;
use crate::plugin::Plugins;

macro_rules! define_data {
    ($(($name:ident, $t:ty, $rows:ident, $cols:tt, $doc:literal))*) => {
        impl Layout {
            /// Number in the table and shape of an array.
            pub fn info(&self, name: &str) -> Option<(usize, ArrayInfo)> {
                let sizes = &self.sizes;
                $(if name == stringify!($name) {
                    let cols = dynamic_cols!(sizes, $cols);
                    let info = ArrayInfo::of::<$t>(stringify!($name), $doc, sizes.$rows, cols);
                    return Some((Field::$name as usize, info));
                })*
                None
            }
        }

        #[allow(non_snake_case, reason = "MuJoCo's names")]
        impl OwnedWorld {
            $(
                #[doc = $doc]
                pub fn $name(&self) -> &[$t] {
                    let sizes = &self.layout.sizes;
                    let count = sizes.$rows * dynamic_cols!(sizes, $cols).unwrap_or(1);
                    let bytes = bytemuck::must_cast_slice::<u64, u8>(self.words(Field::$name as usize));
                    bytemuck::cast_slice(&bytes[..count * size_of::<$t>()])
                }
            )*

            /// Every array, in the order of the table.
            pub fn arrays(&self) -> [ArrayRef<'_>; FIELDS] {
                let sizes = &self.layout.sizes;
                [$(ArrayRef {
                    info: ArrayInfo::of::<$t>(
                        stringify!($name), $doc, sizes.$rows, dynamic_cols!(sizes, $cols),
                    ),
                    bytes: bytemuck::must_cast_slice(self.$name()),
                }),*]
            }

            /// Every array mutably, in the order of the table.
            pub fn arrays_mut(&mut self) -> [ArrayMut<'_>; FIELDS] {
                self.marks_changed();
                let Layout { sizes, start, .. } = &*self.layout;
                let mut rest = Rest(&mut self.core[FIRST..]);
                [$({
                    let field = Field::$name as usize;
                    let words = rest.words(start[field + 1] - start[field]);
                    let info = ArrayInfo::of::<$t>(
                        stringify!($name), $doc, sizes.$rows, dynamic_cols!(sizes, $cols),
                    );
                    let bytes = bytemuck::must_cast_slice_mut::<u64, u8>(words);
                    ArrayMut { bytes: &mut bytes[..info.len() * info.kind.size()], info }
                }),*]
            }
        }
    };
}

ferrodyn_model::data_fields!(define_data);

/// Places in [`OwnedWorld::fixed_mut`].
impl Layout {
    /// The sizes of the model.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Shape of an array, and its first byte.
    pub fn array(&self, name: &str) -> Option<(ArrayInfo, usize)> {
        let (field, info) = self.info(name)?;
        Some((info, size_of::<u64>() * (self.start[field] - words_of::<Kept>(1))))
    }
}

/// Mutable access to the arrays that a user sets.
macro_rules! input_accessors {
    ($($name:ident, $name_mut:ident, $t:ty;)*) => {
        impl OwnedWorld {
            $(
                #[doc = concat!("Mutable access to `", stringify!($name), "`.")]
                pub fn $name_mut(&mut self) -> &mut [$t] {
                    let (count, field) = (self.$name().len(), Field::$name as usize);
                    let words = self.layout.start[field]..self.layout.start[field + 1];
                    elements(&mut self.core[words], count)
                }
            )*
        }
    };
}

input_accessors! {
    qpos, qpos_mut, Real;
    qvel, qvel_mut, Real;
    act, act_mut, Real;
    act_dot, act_dot_mut, Real;
    ctrl, ctrl_mut, Real;
    qacc, qacc_mut, Real;
    qacc_warmstart, qacc_warmstart_mut, Real;
    qfrc_applied, qfrc_applied_mut, Real;
    xfrc_applied, xfrc_applied_mut, [Real; 6];
    mocap_pos, mocap_pos_mut, Vec3;
    mocap_quat, mocap_quat_mut, Quat;
    eq_active, eq_active_mut, u8;
    userdata, userdata_mut, Real;
    history, history_mut, Real;
    plugin_state, plugin_state_mut, Real;
}

/// The state and all results of one world.
///
/// A world is two blocks of plain memory, one whose size the model fixes and one for contacts and rows, which grows, so that a
/// copy is a copy of memory. It holds no model: functions that step it take the model as an argument. MuJoCo: `mjData`.
#[derive(Debug)]
pub struct OwnedWorld {
    layout: Arc<Layout>,
    /// What is kept, the header, the arrays, and what collision detection remembers.
    core: Vec<u64>,
    work: Growing,
    stack: StackMemory,
    plugins: Arc<Plugins>,
    policy: DivergencePolicy,
    /// Deformable bodies; nothing where there are none.
    #[cfg(feature = "deformable")]
    pub(crate) soft: Option<alloc::boxed::Box<crate::soft::OwnedSoft>>,
}

impl OwnedWorld {
    /// A world at the model's reference pose. MuJoCo: `mj_makeData`.
    ///
    /// A tree that should begin asleep and cannot is awake; [`OwnedWorld::try_new`] refuses such a model.
    pub fn new(m: &Model) -> OwnedWorld {
        OwnedWorld::make(m).0
    }

    /// A world at the model's reference pose; an error where a tree cannot begin asleep as the model
    /// wants it to.
    pub fn try_new(m: &Model) -> Result<OwnedWorld, StepError> {
        let (data, outcome) = OwnedWorld::make(m);
        outcome.map(|()| data)
    }

    fn make(m: &Model) -> (OwnedWorld, Result<(), StepError>) {
        let layout = Layout::new(&m.sizes);
        let mut data = OwnedWorld {
            core: vec![0; layout.words()],
            work: Growing::default(),
            stack: StackMemory::default(),
            plugins: Arc::default(),
            policy: DivergencePolicy::default(),
            #[cfg(feature = "deformable")]
            soft: None,
            layout: Arc::new(layout),
        };
        data.view_mut().kept.pairs = first_pairs(&m.sizes);
        let plugins = Plugins::new(m, &mut data.view_mut());
        data.plugins = Arc::new(plugins);
        let outcome = crate::data::reset::reset_world(m, &mut data.view_mut());
        #[cfg(feature = "deformable")]
        let outcome = outcome.and(crate::soft::register_all(m, &mut data));
        // temporary memory is made when it is needed, or lent
        data.stack = StackMemory::default();
        (data, outcome)
    }

    /// What is kept, the header, the arrays, and what collision detection remembers.
    pub(crate) fn core(&self) -> &[u64] {
        &self.core
    }

    /// The same, to be changed: all but what is kept may be.
    pub(crate) fn core_mut(&mut self) -> &mut [u64] {
        &mut self.core
    }

    /// A mutable view of all arrays at once.
    pub fn view_mut(&mut self) -> World<'_> {
        let (work, work_spare) = self.work.view(0);
        let (stack, stack_spare) = self.stack.0.view(self.layout.scratch);
        self.layout.view(Blocks {
            core: &mut self.core,
            work,
            work_spare,
            stack,
            stack_spare,
            plugins: &self.plugins,
            policy: self.policy,
            #[cfg(feature = "deformable")]
            soft: self.soft.as_deref_mut().map(crate::soft::OwnedSoft::view),
        })
    }

    /// The words of an array.
    fn words(&self, field: usize) -> &[u64] {
        &self.core[self.layout.start[field]..self.layout.start[field + 1]]
    }

    /// All arrays.
    fn arena(&self) -> &[u64] {
        &self.core[FIRST..self.layout.start[FIELDS]]
    }

    fn kept(&self) -> &Kept {
        self.layout.kept(&self.core)
    }

    fn kept_mut(&mut self) -> &mut Kept {
        let bytes = bytemuck::must_cast_slice_mut::<u64, u8>(&mut self.core);
        bytemuck::from_bytes_mut(&mut bytes[..size_of::<Kept>()])
    }

    /// Was this data made for a model of these sizes?
    pub fn fits(&self, m: &Model<impl Storage>) -> bool {
        fits(&self.layout.sizes, &m.sizes)
    }

    /// The sizes that the data was made for.
    pub fn sizes(&self) -> &Sizes {
        &self.layout.sizes
    }

    /// The plugins of the model, for worlds in other memory.
    pub fn plugins(&self) -> &Plugins {
        &self.plugins
    }

    /// Simulation time in seconds.
    pub fn time(&self) -> Real {
        self.header().time
    }

    /// Set the simulation time.
    pub fn set_time(&mut self, time: Real) {
        self.header_mut().time = time;
    }

    /// What a step does when this world diverges.
    pub fn divergence_policy(&self) -> DivergencePolicy {
        self.policy
    }

    /// Choose what a step does when this world diverges. A reset or a copy of another world's state keeps it.
    pub fn set_divergence_policy(&mut self, policy: DivergencePolicy) {
        self.policy = policy;
    }

    /// Contacts, constraint rows and islands.
    pub fn work(&self) -> WorkRef<'_> {
        let room = &self.kept().room;
        let used = WorkSizes::in_use(self.header(), room);
        WorkRef::new(self.work.last(), &self.layout.sizes, room, &used)
    }

    /// An array of the workspace, by its number in the table ([`WorkField`](crate::data::WorkField)).
    pub fn work_array_mut(&mut self, field: usize) -> Option<WorkArray<'_>> {
        let room = self.kept().room;
        let used = WorkSizes::in_use(self.header(), &room);
        let (start, bytes) = Work::place(field, &self.layout.sizes, &room, &used)?;
        if room.exists == 0 {
            return Some(WorkArray {
                bytes: bytemuck::must_cast_slice_mut::<u64, u8>(&mut []),
                block: None,
            });
        }
        let block = self.work.last_mut();
        let address = block.as_ptr().addr();
        let rest = bytemuck::must_cast_slice_mut::<u64, u8>(&mut block[start..]);
        Some(WorkArray { bytes: &mut rest[..bytes], block: Some(address) })
    }

    /// Let go of the blocks of the workspace that larger ones have taken the place of. The next view does so too; this
    /// is for the end of a call after which a world may be left alone.
    pub fn compact(&mut self) {
        self.work.compact();
    }

    /// From now on keep the blocks of the workspace that larger ones take the place of, for
    /// [`OwnedWorld::take_replaced_blocks`]: for programs that look at them from outside.
    pub fn keep_replaced_blocks(&mut self) {
        self.work.keep_replaced();
    }

    /// The blocks of the workspace that were replaced since the last call; none unless
    /// [`OwnedWorld::keep_replaced_blocks`] was called. What they held last is in them, at the same address.
    pub fn take_replaced_blocks(&mut self) -> Vec<Vec<u64>> {
        self.work.take_replaced()
    }

    /// Where the arrays of fixed sizes lie in [`OwnedWorld::fixed_mut`].
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Refer to the layout of another world, if it is the same: one is enough for all worlds of a model.
    pub fn share_layout(&mut self, layout: &Arc<Layout>) {
        if self.layout == *layout {
            self.layout = layout.clone();
        }
    }

    /// The header and the arrays of fixed sizes as bytes, which stay in place for as long as the world lives.
    pub fn fixed_mut(&mut self) -> &mut [u8] {
        let words = words_of::<Kept>(1)..self.layout.start[FIELDS];
        bytemuck::must_cast_slice_mut(&mut self.core[words])
    }

    /// Scalars and fixed-size arrays.
    pub fn header(&self) -> &Header {
        let bytes = bytemuck::must_cast_slice::<u64, u8>(&self.core[words_of::<Kept>(1)..]);
        bytemuck::from_bytes(&bytes[..size_of::<Header>()])
    }

    /// Mutable access to the scalars and fixed-size arrays.
    pub fn header_mut(&mut self) -> &mut Header {
        let words = &mut self.core[words_of::<Kept>(1)..];
        let bytes = bytemuck::must_cast_slice_mut::<u64, u8>(words);
        bytemuck::from_bytes_mut(&mut bytes[..size_of::<Header>()])
    }

    /// Exchange the temporary memory of this world with another one, which holds nothing between calls.
    ///
    /// ```
    /// use ferrodyn_dynamics::OwnedWorld;
    /// use ferrodyn_dynamics::data::StackMemory;
    /// use ferrodyn_dynamics::step::step;
    /// # use ferrodyn_model::{Model, Sizes};
    /// # let mut model = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
    /// # model.body_mocapid[0] = -1;
    /// # model.body_treeid[0] = -1;
    /// let mut worlds = [OwnedWorld::new(&model), OwnedWorld::new(&model)];
    /// let mut stack = StackMemory::default();
    /// for world in &mut worlds {
    ///     world.swap_stack(&mut stack);
    ///     step(&model, world)?;
    ///     world.swap_stack(&mut stack);
    /// }
    /// assert!(stack.size() > 0);
    /// # Ok::<(), ferrodyn_dynamics::StepError>(())
    /// ```
    pub fn swap_stack(&mut self, stack: &mut StackMemory) {
        core::mem::swap(&mut self.stack, stack);
    }

    /// Say that `bvh_active` was written by others than the stages of a step: the next one clears all of it.
    pub fn marks_changed(&mut self) {
        self.kept_mut().marked = ANY_MARKED;
    }

    /// Say that a program holds `bvh_active`: it is kept up to date, and may have been written.
    pub fn marks_seen(&mut self) {
        self.marks_changed();
        self.kept_mut().watched = 1;
    }

    /// From now on mark the nodes of trees that collision detection meets, in `bvh_active`; those that it met last are marked at once.
    pub fn watch_boxes(&mut self, m: &Model) -> Result<(), StepError> {
        if !self.fits(m) {
            return Err(StepError::ModelMismatch);
        }
        self.view_mut().watch_boxes(m)
    }

    /// From now on arrays in island order are filled also where one island holds everything, those of the last solution at once: see
    /// [`World::watch_islands`].
    pub fn watch_islands(&mut self, m: &Model) -> Result<(), StepError> {
        if !self.fits(m) {
            return Err(StepError::ModelMismatch);
        }
        self.view_mut().watch_islands(m);
        Ok(())
    }

    /// Say that a program reads arrays in island order: they are kept up to date.
    pub fn islands_seen(&mut self) {
        self.kept_mut().islands_watched = 1;
    }

    /// Forget what was found out in earlier steps and only makes later ones faster. Results do not depend on it.
    pub fn forget_searches(&mut self) {
        let kept = self.kept_mut();
        kept.swept = 0;
        self.core[self.layout.start[FIELDS]..].fill(0);
        // which nodes are marked was among it
        self.marks_changed();
    }

    /// Bytes of memory that this world has, its temporary memory aside.
    pub fn memory_size(&self) -> usize {
        let own =
            size_of::<OwnedWorld>() + size_of_val(&self.core[..]) + size_of_val(self.work.last());
        #[cfg(feature = "deformable")]
        let own = own + self.soft.as_ref().map_or(0, |soft| soft.memory_size());
        own
    }

    /// Copy the state and all results of another world of the same model, without allocating. MuJoCo: `mj_copyData`.
    pub fn copy_from(&mut self, other: &OwnedWorld) {
        if Arc::ptr_eq(&self.layout, &other.layout) || fits(&self.layout.sizes, &other.layout.sizes)
        {
            self.core.copy_from_slice(&other.core);
            self.work.copy_from(&other.work);
            #[cfg(feature = "deformable")]
            match (&mut self.soft, &other.soft) {
                (Some(own), Some(other)) => own.copy_from(other),
                (own, other) => own.clone_from(other),
            }
        } else {
            *self = other.clone();
        }
    }

    /// The state and all results of the world as bytes, contacts and constraint rows included.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(bytemuck::bytes_of(self.header()));
        out.extend_from_slice(bytemuck::must_cast_slice(self.arena()));
        let room = &self.kept().room;
        for word in [room.nstat as u64, room.exists as u64] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        self.work().write(&mut out);
        #[cfg(feature = "deformable")]
        for part in self.soft.iter().flat_map(|soft| soft.parts()) {
            out.extend_from_slice(part);
        }
        let sum = fnv1a(FNV_START, &out);
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }

    /// Restore what [`OwnedWorld::to_bytes`] wrote for a world of the same model; anything else is refused.
    ///
    /// A world with deformable bodies that the model does not have is restored by [`OwnedWorld::restore_bytes`].
    pub fn from_bytes(m: &Model, bytes: &[u8]) -> Result<OwnedWorld, StepError> {
        let mut data = OwnedWorld::new(m);
        data.restore_bytes(m, bytes)?;
        Ok(data)
    }

    /// Restore what [`OwnedWorld::to_bytes`] wrote for a world of the same model with the same deformable bodies, into this one; anything
    /// else is refused, and leaves this world as it was.
    pub fn restore_bytes(&mut self, m: &Model, bytes: &[u8]) -> Result<(), StepError> {
        let (bytes, sum) = bytes.split_last_chunk().ok_or(StepError::ModelMismatch)?;
        // contacts and rows refer to each other: only bytes that were written together are read
        if fnv1a(FNV_START, bytes) != u64::from_le_bytes(*sum) {
            return Err(StepError::ModelMismatch);
        }
        let mut data = OwnedWorld::new(m);
        #[cfg(feature = "deformable")]
        {
            data.soft.clone_from(&self.soft);
        }
        let mut rest = bytes;
        let end = data.layout.start[FIELDS];
        let (head, arena) = data.core[words_of::<Kept>(1)..end].split_at_mut(words_of::<Header>(1));
        let head = &mut bytemuck::must_cast_slice_mut::<u64, u8>(head)[..size_of::<Header>()];
        for part in [head, bytemuck::must_cast_slice_mut(arena)] {
            let (bytes, tail) =
                rest.split_at_checked(part.len()).ok_or(StepError::ModelMismatch)?;
            part.copy_from_slice(bytes);
            rest = tail;
        }
        let mut word = || {
            let (word, after) = rest.split_first_chunk().ok_or(StepError::ModelMismatch)?;
            rest = after;
            Ok::<u64, StepError>(u64::from_le_bytes(*word))
        };
        let (nstat, exists) = (word()? as usize, usize::from(word()? != 0));
        // the checksum was right, so these are counts of contacts and rows that were there
        let everything = WorkSizes { nstat, exists, ..WorkSizes::ALL };
        let used = WorkSizes::in_use(data.header(), &everything);
        let world = &mut data.view_mut();
        world.reserve(&used)?;
        world.work.read(&mut rest, &m.sizes, &used).ok_or(StepError::ModelMismatch)?;
        #[cfg(feature = "deformable")]
        if let Some(soft) = &mut data.soft {
            soft.restore(&mut rest).ok_or(StepError::ModelMismatch)?;
        }
        if !rest.is_empty() {
            return Err(StepError::ModelMismatch);
        }
        data.policy = self.policy;
        data.marks_changed();
        *self = data;
        Ok(())
    }

    /// A fingerprint of time, `qpos`, `qvel` and `act`, and of the vertices of deformable bodies, bit by bit (FNV-1a).
    pub fn state_hash(&self) -> u64 {
        let hash = state_hash(self.time(), [self.qpos(), self.qvel(), self.act()]);
        #[cfg(feature = "deformable")]
        let hash = self
            .soft
            .iter()
            .flat_map(|soft| soft.coordinates())
            .fold(hash, |hash, part| fnv1a(hash, bytemuck::must_cast_slice(part)));
        hash
    }
}

impl Clone for OwnedWorld {
    fn clone(&self) -> OwnedWorld {
        OwnedWorld {
            layout: self.layout.clone(),
            core: self.core.clone(),
            work: self.work.clone(),
            stack: StackMemory::default(),
            plugins: self.plugins.clone(),
            policy: self.policy,
            #[cfg(feature = "deformable")]
            soft: self.soft.clone(),
        }
    }
}

impl OwnedWorld {
    /// Are deformable bodies the same, and their states?
    fn soft_equals(&self, other: &OwnedWorld) -> bool {
        #[cfg(feature = "deformable")]
        return match (&self.soft, &other.soft) {
            (None, None) => true,
            (Some(a), Some(b)) => a.is_equal(b),
            _ => false,
        };
        #[cfg(not(feature = "deformable"))]
        {
            let _ = other;
            true
        }
    }
}

/// Equality of the state and all results.
impl PartialEq for OwnedWorld {
    fn eq(&self, other: &OwnedWorld) -> bool {
        self.layout == other.layout
            && self.header() == other.header()
            && self.arena() == other.arena()
            && self.work() == other.work()
            && self.soft_equals(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_send<T: Send + Clone>() {}

    #[test]
    fn data_can_move_between_threads() {
        check_send::<OwnedWorld>();
    }

    #[test]
    fn arrays_share_one_arena_and_do_not_overlap() {
        let sizes = Sizes { nbody: 2, nq: 3, nv: 3, neq: 5, ntree: 1, ..Sizes::default() };
        let mut model = Model::zeroed(sizes);
        model.body_mocapid.fill(-1);
        model.body_treeid.fill(-1);
        let mut data = OwnedWorld::new(&model);
        for (i, array) in data.arrays_mut().into_iter().enumerate() {
            array.bytes.fill(i as u8 + 1);
        }
        for (i, array) in data.arrays().iter().enumerate() {
            assert!(array.bytes.iter().all(|&b| b == i as u8 + 1), "{}", array.info.name);
            assert_eq!(array.bytes.len(), array.info.len() * array.info.kind.size());
        }
    }

    #[test]
    fn a_copy_is_equal_and_independent() {
        let mut model =
            Model::zeroed(Sizes { nq: 1, nv: 1, nbody: 1, ntree: 1, ..Sizes::default() });
        model.body_mocapid[0] = -1;
        model.body_treeid[0] = -1;
        let mut a = OwnedWorld::new(&model);
        a.qpos_mut()[0] = 2.0;
        let mut b = a.clone();
        assert_eq!(a, b);
        assert_eq!(a.state_hash(), b.state_hash());
        b.qpos_mut()[0] = 3.0;
        assert_ne!(a, b);
        assert_ne!(a.state_hash(), b.state_hash());
        b.copy_from(&a);
        assert_eq!(a, b);
        assert_eq!(OwnedWorld::from_bytes(&model, &a.to_bytes()).unwrap(), a);
        assert!(OwnedWorld::from_bytes(&model, &a.to_bytes()[1..]).is_err());
        let mut broken = a.to_bytes();
        broken[9] ^= 1;
        assert!(OwnedWorld::from_bytes(&model, &broken).is_err());
    }
}
