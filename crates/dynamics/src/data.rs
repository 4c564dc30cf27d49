//! The state and results of one world, in one arena.
use alloc::{sync::Arc, vec, vec::Vec};

use bytemuck::Zeroable;
use ferrodyn_math::{Inertia10, Mat3, Quat, Real, Spatial, Stack, Vec3};
use ferrodyn_model::{ArrayInfo, ArrayMut, ArrayRef, Model, Sizes, Storage, dynamic_cols};

use crate::collision::CollisionMemory;
use crate::header::Header;
use crate::memory::{Growing, Spare, StackMemory};
use crate::plugin::Plugins;
use crate::scratch::Scratch;
use crate::work::{SolverStat, Work, WorkRef, WorkSizes, elements};
use crate::{DivergencePolicy, StepError};

/// Where each array lies in the arena, in words of eight bytes.
#[derive(Debug, PartialEq)]
struct Layout {
    sizes: Sizes,
    /// First word of each array, and the end of the last one.
    start: [usize; FIELDS + 1],
    /// Number of elements of each array.
    len: [usize; FIELDS],
    /// Words of the temporary arrays of fixed sizes.
    scratch: usize,
}

macro_rules! define_data {
    ($(($name:ident, $t:ty, $rows:ident, $cols:tt, $doc:literal))*) => {
        /// Number of arrays.
        const FIELDS: usize = [$(stringify!($name)),*].len();

        /// Position of each array in the table.
        #[allow(non_camel_case_types, reason = "MuJoCo's names")]
        enum Field { $($name,)* }

        impl Layout {
            fn new(sizes: &Sizes) -> Layout {
                let len = [$(sizes.$rows * dynamic_cols!(sizes, $cols).unwrap_or(1)),*];
                let bytes = [$(len[Field::$name as usize] * size_of::<$t>()),*];
                let mut start = [0; FIELDS + 1];
                for i in 0..FIELDS {
                    start[i + 1] = start[i] + bytes[i].div_ceil(8);
                }
                Layout { sizes: sizes.clone(), start, len, scratch: Scratch::words(sizes) }
            }
        }

        /// A mutable view of one world: every array as a slice, under MuJoCo's name.
        #[derive(Debug)]
        #[allow(non_snake_case, reason = "MuJoCo's names")]
        pub struct World<'a> {
            /// Scalars and fixed-size arrays.
            pub head: &'a mut Header,
            /// Contacts, constraint rows and islands.
            pub work: Work<'a>,
            pub(crate) room: &'a mut WorkSizes,
            pub(crate) sizes: &'a Sizes,
            pub(crate) work_spare: Spare<'a>,
            pub(crate) scratch: Scratch<'a>,
            pub(crate) stack: Stack<'a>,
            pub(crate) stack_spare: Spare<'a>,
            pub(crate) collision: &'a mut CollisionMemory,
            pub(crate) plugins: &'a mut Plugins,
            pub(crate) policy: DivergencePolicy,
            $(#[doc = $doc] pub $name: &'a mut [$t],)*
        }

        impl World<'_> {
            /// The same view for a shorter time.
            pub(crate) fn reborrow(&mut self) -> World<'_> {
                World {
                    head: self.head,
                    work: self.work.reborrow(),
                    room: self.room,
                    sizes: self.sizes,
                    work_spare: self.work_spare.reborrow(),
                    scratch: self.scratch.reborrow(),
                    stack: self.stack.scope(),
                    stack_spare: self.stack_spare.reborrow(),
                    collision: self.collision,
                    plugins: self.plugins,
                    policy: self.policy,
                    $($name: self.$name,)*
                }
            }

            /// Set every array and scalar to zero.
            pub(crate) fn clear(&mut self) {
                $(self.$name.fill(<$t>::zeroed());)*
                *self.head = Header::default();
                self.work.solver.fill(SolverStat::default());
            }
        }

        #[allow(non_snake_case, reason = "MuJoCo's names")]
        impl Data {
            /// A mutable view of all arrays at once.
            pub fn view_mut(&mut self) -> World<'_> {
                let layout = &*self.layout;
                let mut rest = &mut self.arena[..];
                $(
                    let field = Field::$name as usize;
                    let (words, tail) = rest.split_at_mut(layout.start[field + 1] - layout.start[field]);
                    rest = tail;
                    let $name = elements::<$t>(words, layout.len[field]);
                )*
                debug_assert!(rest.is_empty());
                let (stack, stack_spare) = self.stack.0.view(layout.scratch);
                let (scratch, stack) = stack.split_at_mut(layout.scratch);
                let (work, work_spare) = self.work.view(0);
                World {
                    head: &mut self.head,
                    work: Work::split(work, &layout.sizes, &self.room),
                    room: &mut self.room,
                    sizes: &layout.sizes,
                    work_spare,
                    scratch: Scratch::split(scratch, &layout.sizes),
                    stack: Stack::new(stack),
                    stack_spare,
                    collision: &mut self.collision,
                    plugins: &mut self.plugins,
                    policy: self.policy,
                    $($name,)*
                }
            }

            $(
                #[doc = $doc]
                pub fn $name(&self) -> &[$t] {
                    bytemuck::cast_slice(self.bytes(Field::$name as usize, size_of::<$t>()))
                }
            )*

            /// Every array, in the order of the table.
            pub fn arrays(&self) -> [ArrayRef<'_>; FIELDS] {
                let sizes = &self.layout.sizes;
                [$(ArrayRef {
                    info: ArrayInfo::of::<$t>(
                        stringify!($name), $doc, sizes.$rows, dynamic_cols!(sizes, $cols),
                    ),
                    bytes: self.bytes(Field::$name as usize, size_of::<$t>()),
                }),*]
            }

            /// Every array mutably, in the order of the table.
            pub fn arrays_mut(&mut self) -> [ArrayMut<'_>; FIELDS] {
                let Layout { sizes, start, len, .. } = &*self.layout;
                let mut rest = &mut self.arena[..];
                let arrays = [$({
                    let field = Field::$name as usize;
                    let (words, tail) = rest.split_at_mut(start[field + 1] - start[field]);
                    rest = tail;
                    let bytes = bytemuck::must_cast_slice_mut::<u64, u8>(words);
                    let info = ArrayInfo::of::<$t>(
                        stringify!($name), $doc, sizes.$rows, dynamic_cols!(sizes, $cols),
                    );
                    ArrayMut { info, bytes: &mut bytes[..len[field] * size_of::<$t>()] }
                }),*];
                debug_assert!(rest.is_empty());
                arrays
            }
        }
    };
}

ferrodyn_model::data_fields!(define_data);

/// Mutable access to the arrays that a user sets.
macro_rules! input_accessors {
    ($($name:ident, $name_mut:ident, $t:ty;)*) => {
        impl Data {
            $(
                #[doc = concat!("Mutable access to `", stringify!($name), "`.")]
                pub fn $name_mut(&mut self) -> &mut [$t] {
                    bytemuck::cast_slice_mut(self.bytes_mut(Field::$name as usize, size_of::<$t>()))
                }
            )*
        }
    };
}

input_accessors! {
    qpos, qpos_mut, Real;
    qvel, qvel_mut, Real;
    act, act_mut, Real;
    ctrl, ctrl_mut, Real;
    qacc, qacc_mut, Real;
    qacc_warmstart, qacc_warmstart_mut, Real;
    qfrc_applied, qfrc_applied_mut, Real;
    xfrc_applied, xfrc_applied_mut, [Real; 6];
    mocap_pos, mocap_pos_mut, Vec3;
    mocap_quat, mocap_quat_mut, Quat;
    eq_active, eq_active_mut, u8;
    userdata, userdata_mut, Real;
}

/// The state and all results of one world.
///
/// Everything that MuJoCo's tables name lies in one contiguous arena, so that a snapshot is a copy
/// of memory. Data holds no model: functions that step it take the model as an argument.
#[derive(Debug)]
pub struct Data {
    layout: Arc<Layout>,
    head: Header,
    arena: Vec<u64>,
    work: Growing,
    /// How much the workspace has room for.
    room: WorkSizes,
    stack: StackMemory,
    collision: CollisionMemory,
    plugins: Plugins,
    policy: DivergencePolicy,
}

impl Data {
    /// A world at the model's reference pose.
    ///
    /// A tree that should begin asleep and cannot is awake; [`Data::try_new`] refuses such a model.
    pub fn new(m: &Model) -> Data {
        Data::make(m).0
    }

    /// A world at the model's reference pose; an error where a tree cannot begin asleep as the model
    /// wants it to.
    pub fn try_new(m: &Model) -> Result<Data, StepError> {
        let (data, outcome) = Data::make(m);
        outcome.map(|()| data)
    }

    fn make(m: &Model) -> (Data, Result<(), StepError>) {
        let layout = Layout::new(&m.sizes);
        let mut data = Data {
            head: Header::default(),
            arena: vec![0; layout.start[FIELDS]],
            work: Growing::default(),
            room: WorkSizes::default(),
            stack: StackMemory::default(),
            collision: CollisionMemory::new(&m.sizes),
            plugins: Plugins::default(),
            policy: DivergencePolicy::default(),
            layout: Arc::new(layout),
        };
        data.plugins = Plugins::new(m, &mut data.view_mut());
        let outcome = crate::reset::reset_world(m, &mut data.view_mut());
        // temporary memory is made when it is needed, or lent
        data.stack = StackMemory::default();
        (data, outcome)
    }

    fn bytes(&self, field: usize, element: usize) -> &[u8] {
        let words = &self.arena[self.layout.start[field]..self.layout.start[field + 1]];
        &bytemuck::must_cast_slice::<u64, u8>(words)[..self.layout.len[field] * element]
    }

    fn bytes_mut(&mut self, field: usize, element: usize) -> &mut [u8] {
        let words = &mut self.arena[self.layout.start[field]..self.layout.start[field + 1]];
        &mut bytemuck::must_cast_slice_mut::<u64, u8>(words)[..self.layout.len[field] * element]
    }

    /// Was this data made for a model of these sizes?
    pub fn fits(&self, m: &Model<impl Storage>) -> bool {
        fits(&self.layout.sizes, &m.sizes)
    }

    /// The sizes that the data was made for.
    pub fn sizes(&self) -> &Sizes {
        &self.layout.sizes
    }

    /// Simulation time in seconds.
    pub fn time(&self) -> Real {
        self.head.time
    }

    /// Set the simulation time.
    pub fn set_time(&mut self, time: Real) {
        self.head.time = time;
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
        let used = WorkSizes::in_use(&self.head, &self.room);
        WorkRef::new(self.work.last(), &self.layout.sizes, &self.room, &used)
    }

    /// Scalars and fixed-size arrays.
    pub fn header(&self) -> &Header {
        &self.head
    }

    /// Mutable access to the scalars and fixed-size arrays.
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.head
    }

    /// Exchange the temporary memory of this world with another one, which holds nothing between calls.
    ///
    /// ```
    /// use ferrodyn_dynamics::{Data, StackMemory, step};
    /// # use ferrodyn_model::{Model, Sizes};
    /// # let mut model = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
    /// # model.body_mocapid[0] = -1;
    /// # model.body_treeid[0] = -1;
    /// let mut worlds = [Data::new(&model), Data::new(&model)];
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

    /// Bytes of memory that this world has, its temporary memory aside.
    pub fn memory_size(&self) -> usize {
        size_of::<Data>()
            + size_of_val(&self.arena[..])
            + size_of_val(self.work.last())
            + self.collision.size()
    }

    /// Copy the state and all results of another world of the same model, without allocating.
    pub fn copy_from(&mut self, other: &Data) {
        if Arc::ptr_eq(&self.layout, &other.layout) || self.layout == other.layout {
            self.head = other.head;
            self.arena.copy_from_slice(&other.arena);
            self.work.copy_from(&other.work);
            self.room = other.room;
        } else {
            *self = other.clone();
        }
    }

    /// The state and all results of the world as bytes, contacts and constraint rows included.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.head.write(&mut out);
        out.extend_from_slice(bytemuck::must_cast_slice(&self.arena));
        for word in [self.room.nstat as u64, u64::from(self.room.exists)] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        self.work().write(&mut out);
        let sum = fnv1a(FNV_START, &out);
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }

    /// Restore what [`Data::to_bytes`] wrote for a world of the same model; anything else is refused.
    pub fn from_bytes(m: &Model, bytes: &[u8]) -> Result<Data, StepError> {
        let (bytes, sum) = bytes.split_last_chunk().ok_or(StepError::ModelMismatch)?;
        // contacts and rows refer to each other: only bytes that were written together are read
        if fnv1a(FNV_START, bytes) != u64::from_le_bytes(*sum) {
            return Err(StepError::ModelMismatch);
        }
        let mut data = Data::new(m);
        let mut rest = bytes;
        let fields = data.head.fields_mut().into_iter().map(|(_, _, _, field)| field);
        for field in fields.chain([bytemuck::must_cast_slice_mut(&mut data.arena)]) {
            let (head, tail) =
                rest.split_at_checked(field.len()).ok_or(StepError::ModelMismatch)?;
            field.copy_from_slice(head);
            rest = tail;
        }
        let mut word = || {
            let (word, after) = rest.split_first_chunk().ok_or(StepError::ModelMismatch)?;
            rest = after;
            Ok::<u64, StepError>(u64::from_le_bytes(*word))
        };
        let (nstat, exists) = (word()? as usize, word()? != 0);
        // the checksum was right, so these are counts of contacts and rows that were there
        let everything = WorkSizes { nstat, exists, ..WorkSizes::ALL };
        let used = WorkSizes::in_use(&data.head, &everything);
        let world = &mut data.view_mut();
        world.reserve(&used)?;
        world.work.read(&mut rest, &m.sizes, &used).ok_or(StepError::ModelMismatch)?;
        if rest.is_empty() { Ok(data) } else { Err(StepError::ModelMismatch) }
    }

    /// A fingerprint of time, `qpos`, `qvel` and `act`, bit by bit (FNV-1a).
    pub fn state_hash(&self) -> u64 {
        let time = [self.head.time];
        let arrays = [&time[..], self.qpos(), self.qvel(), self.act()];
        arrays
            .into_iter()
            .fold(FNV_START, |hash, values| fnv1a(hash, bytemuck::must_cast_slice(values)))
    }
}

/// Have worlds of these sizes the same arrays? The number of compensated bodies, which derived constants can change, decides none.
pub(crate) fn fits(own: &Sizes, other: &Sizes) -> bool {
    own == other || Sizes { ngravcomp: other.ngravcomp, ..own.clone() } == *other
}

/// The hash of no bytes (FNV-1a).
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// Continue a hash with some bytes (FNV-1a).
fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

impl Clone for Data {
    fn clone(&self) -> Data {
        Data {
            layout: self.layout.clone(),
            head: self.head,
            arena: self.arena.clone(),
            work: self.work.clone(),
            room: self.room,
            stack: StackMemory::default(),
            collision: CollisionMemory::new(&self.layout.sizes),
            plugins: self.plugins.clone(),
            policy: self.policy,
        }
    }
}

/// Equality of the state and all results.
impl PartialEq for Data {
    fn eq(&self, other: &Data) -> bool {
        self.layout == other.layout
            && self.head == other.head
            && self.arena == other.arena
            && self.work() == other.work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_send<T: Send + Clone>() {}

    #[test]
    fn data_can_move_between_threads() {
        check_send::<Data>();
    }

    #[test]
    fn arrays_share_one_arena_and_do_not_overlap() {
        let sizes = Sizes { nbody: 2, nq: 3, nv: 3, neq: 5, ntree: 1, ..Sizes::default() };
        let mut model = Model::zeroed(sizes);
        model.body_mocapid.fill(-1);
        model.body_treeid.fill(-1);
        let mut data = Data::new(&model);
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
        let mut a = Data::new(&model);
        a.qpos_mut()[0] = 2.0;
        let mut b = a.clone();
        assert_eq!(a, b);
        assert_eq!(a.state_hash(), b.state_hash());
        b.qpos_mut()[0] = 3.0;
        assert_ne!(a, b);
        assert_ne!(a.state_hash(), b.state_hash());
        b.copy_from(&a);
        assert_eq!(a, b);
        assert_eq!(Data::from_bytes(&model, &a.to_bytes()).unwrap(), a);
        assert!(Data::from_bytes(&model, &a.to_bytes()[1..]).is_err());
        let mut broken = a.to_bytes();
        broken[9] ^= 1;
        assert!(Data::from_bytes(&model, &broken).is_err());
    }
}
