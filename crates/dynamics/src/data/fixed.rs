//! Worlds in memory that is handed in: as many as fit into a block, each with a fixed capacity.
use ferrodyn_math::{Real, words_of};
use ferrodyn_model::{Integrator, Model, Sizes, Storage};

use crate::constraint::island::IslandMemory;
use crate::constraint::{RowMemory, is_dual, project_words};
use crate::contact::collision_words;
use crate::data::growing::Spare;
use crate::data::reset::reset_world;
use crate::data::work::{Work, WorkSizes};
use crate::data::world::{Blocks, Kept, Layout, World};
use crate::derivative::BiasMemory;
use crate::divergence::DivergencePolicy;
use crate::integrate::flex::node_words;
use crate::integrate::material::material_words;
use crate::plugin::Plugins;
use crate::solver::{RECORDED, RECORDED_ISLANDS};
use crate::step::check_supported;
use crate::{StepError, sensor, solver};

/// How large a world of a fixed size can become. A step that needs more is [`StepError::NoRoom`], and moves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Contacts.
    pub contacts: usize,
    /// Constraint rows.
    pub rows: usize,
    /// Entries of the constraint Jacobian.
    pub jacobian: usize,
    /// Entries of the inverse inertia along constraint rows, which solvers that work on forces need.
    pub projected: usize,
    /// Records of what solvers did: 200 (MuJoCo's `mjNSOLVER`) for each of the first twenty islands (`mjNISLAND`).
    pub records: usize,
    /// Pairs of bodies whose bounds overlap; those between which a joint or an exclusion stands count too.
    pub pairs: usize,
}

/// Pairs of bodies that there is room for, for each body: in the densest heap of equal spheres each touches twelve
/// others, and boxes overlap with some more. It is a guess for all other shapes, which [`Capacity::pairs`] can replace.
const PAIRS_PER_BODY: usize = 32;

impl Capacity {
    /// Room for so many contacts and constraint rows, and for whatever follows from them: Jacobians without zeros, every tree in
    /// an island of its own; all pairs of bodies, or 32 for each of many bodies.
    pub fn new(m: &Model<impl Storage>, contacts: usize, rows: usize) -> Capacity {
        Capacity {
            contacts,
            rows,
            jacobian: rows * m.nv,
            projected: if is_dual(m) { rows * rows } else { 0 },
            records: m.ntree.clamp(1, RECORDED_ISLANDS) * RECORDED,
            // a pair can be found twice
            pairs: (m.nbody + m.flex_count()) * (m.nbody + m.flex_count()).min(PAIRS_PER_BODY),
        }
    }

    /// Room for what a world has now.
    pub fn of(world: &World<'_>) -> Capacity {
        let WorkSizes { ncon, nefc, nJ, nA, nstat, .. } = world.kept.room;
        let pairs = world.kept.pairs;
        Capacity { contacts: ncon, rows: nefc, jacobian: nJ, projected: nA, records: nstat, pairs }
    }

    fn work(&self, sizes: &Sizes) -> WorkSizes {
        WorkSizes {
            ncon: self.contacts,
            nefc: self.rows,
            nJ: self.jacobian,
            nA: self.projected,
            nisland: sizes.ntree,
            nidof: sizes.nv,
            nstat: self.records,
            exists: 1,
        }
    }
}

/// Where everything lies in the memory of a world with a fixed capacity.
///
/// A world is one slice of words, without pointers: it can be copied, moved and compared as memory, and any number of them lie in
/// one allocation. Its temporary memory belongs to whoever steps it.
///
/// ```
/// use ferrodyn_dynamics::data::{Capacity, FixedLayout};
/// use ferrodyn_dynamics::hooks::NoHooks;
/// use ferrodyn_dynamics::plugin::Plugins;
/// use ferrodyn_dynamics::step::step_world;
/// # use ferrodyn_model::{Model, Sizes};
/// # let mut model = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
/// # model.body_mocapid[0] = -1;
/// # model.body_treeid[0] = -1;
/// let layout = FixedLayout::new(&model, Capacity::new(&model, 50, 200));
/// let (mut worlds, mut stack) = (vec![0; 1000 * layout.words()], vec![0; layout.stack_words()]);
/// let plugins = Plugins::default();
/// for block in worlds.chunks_exact_mut(layout.words()) {
///     let mut world = layout.make(&model, block, &mut stack, &plugins)?;
///     step_world(&model, &mut world, &mut NoHooks)?;
///     assert_eq!(world.head.time, model.opt.timestep);
/// }
/// # Ok::<(), ferrodyn_dynamics::StepError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FixedLayout {
    layout: Layout,
    /// Room for contacts, rows and pairs of bodies.
    kept: Kept,
    stack: usize,
}

impl FixedLayout {
    /// The layout of worlds of a model.
    pub fn new(m: &Model<impl Storage>, capacity: Capacity) -> FixedLayout {
        let layout = Layout::new(&m.sizes);
        let stack = layout.scratch + stack_words(m, &capacity);
        let room = capacity.work(&m.sizes);
        let kept = Kept { room, pairs: capacity.pairs, ..Kept::default() };
        FixedLayout { layout, kept, stack }
    }

    /// Words of eight bytes of one world.
    pub fn words(&self) -> usize {
        self.layout.words() + Work::words(&self.layout.sizes, &self.kept.room)
    }

    /// Words of eight bytes of temporary memory that are enough for every step, whatever the world does: they follow from the
    /// model's sizes, its solver, integrator and sensors, and the capacity.
    pub fn stack_words(&self) -> usize {
        self.stack
    }

    /// Where an array lies in the block of a world: its first word, and what it is.
    ///
    /// ```
    /// use ferrodyn_dynamics::data::{Capacity, FixedLayout};
    /// use ferrodyn_model::{Model, Sizes};
    /// let model = Model::zeroed(Sizes { nbody: 1, nq: 3, nv: 3, ..Sizes::default() });
    /// let layout = FixedLayout::new(&model, Capacity::new(&model, 0, 0));
    /// let ((qpos, _), (qvel, info)) = (layout.place("qpos").unwrap(), layout.place("qvel").unwrap());
    /// assert_eq!((qvel - qpos, info.len()), (ferrodyn_math::words_of::<ferrodyn_math::Real>(3), 3));
    /// assert!(layout.place("qopos").is_none());
    /// ```
    #[cfg(feature = "alloc")]
    pub fn place(&self, name: &str) -> Option<(usize, ferrodyn_model::ArrayInfo)> {
        let (field, info) = self.layout.info(name)?;
        Some((self.layout.start[field], info))
    }

    /// Make a world at the model's reference pose in a block of [`FixedLayout::words`].
    ///
    /// A model with plugins needs those that were made for it.
    pub fn make<'a>(
        &'a self,
        m: &Model<impl Storage>,
        block: &'a mut [u64],
        stack: &'a mut [u64],
        plugins: &'a Plugins,
    ) -> Result<World<'a>, StepError> {
        check_supported(m, &self.layout.sizes)?;
        if plugins.count() != m.nplugin {
            return Err(StepError::Unsupported("a model with plugins, without them"));
        }
        if m.nsoft > 0 {
            return Err(StepError::Unsupported("deformable bodies in memory of a fixed size"));
        }
        self.check_length(block)?;
        block.fill(0);
        let kept = bytemuck::must_cast_slice_mut::<u64, u8>(block);
        kept[..size_of::<Kept>()].copy_from_slice(bytemuck::bytes_of(&self.kept));
        let mut world = self.view(block, stack, plugins)?;
        reset_world(m, &mut world)?;
        Ok(world)
    }

    /// The world that [`FixedLayout::make`] made in a block. With less temporary memory than
    /// [`FixedLayout::stack_words`], steps may find too little of it.
    pub fn view<'a>(
        &'a self,
        block: &'a mut [u64],
        stack: &'a mut [u64],
        plugins: &'a Plugins,
    ) -> Result<World<'a>, StepError> {
        self.check_length(block)?;
        if stack.len() < self.layout.scratch {
            let missing = self.layout.scratch - stack.len();
            return Err(StepError::NoRoom { what: "temporary words", missing });
        }
        let (core, work) = block.split_at_mut(self.layout.words());
        if self.layout.kept(core).room != self.kept.room {
            return Err(StepError::ModelMismatch);
        }
        Ok(self.layout.view(Blocks {
            core,
            work,
            work_spare: Spare::none(),
            stack,
            stack_spare: Spare::none(),
            plugins,
            policy: DivergencePolicy::default(),
            #[cfg(feature = "deformable")]
            soft: None,
        }))
    }

    fn check_length(&self, block: &[u64]) -> Result<(), StepError> {
        match self.words().checked_sub(block.len()) {
            Some(0) => Ok(()),
            Some(missing) => Err(StepError::NoRoom { what: "words of a world", missing }),
            None => Err(StepError::ModelMismatch),
        }
    }
}

/// The most that any stage takes of the stack; stages come one after the other.
fn stack_words(m: &Model<impl Storage>, capacity: &Capacity) -> usize {
    let implicit = [Integrator::Implicit as i32, Integrator::ImplicitFast as i32];
    let (rows, jacobian) = (capacity.rows, capacity.jacobian);
    [
        collision_words(m, capacity.pairs),
        RowMemory::words(m.nv),
        IslandMemory::words(m.ntree),
        project_words(m, rows),
        solver::most_words(m, rows, jacobian),
        sensor::most_words(m, capacity.contacts),
        // inverse dynamics
        2 * words_of::<Real>(rows),
        if implicit.contains(&m.opt.integrator) {
            BiasMemory::words(m.nB, m.nD).max(node_words(m)).max(material_words(m))
        } else {
            0
        },
    ]
    .into_iter()
    .max()
    .unwrap_or(0)
}
