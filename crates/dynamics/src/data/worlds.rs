//! Many worlds of one model in one allocation: what each of them remembers from step to step.
use alloc::{vec, vec::Vec};
use core::num::NonZeroUsize;
use core::ops::Range;

use ferrodyn_math::{Real, prefetch, words_of};
use ferrodyn_model::{EnableBit, Model, Stage, Storage};

use crate::data::reset::reset_world;
use crate::data::state::read_state;
use crate::data::work::elements;
use crate::data::world::{FIELDS, Field, Kept, Layout, World};
use crate::divergence::DivergencePolicy;
use crate::hooks::NoHooks;
use crate::step::{check_supported, forward_world, one_step, step_view, step_world};
use crate::{OwnedWorld, StepError, StepReport};

/// Worlds of one model. A world is what it remembers from step to step: header, state, inputs, sensors and who sleeps, which begin
/// the first block of a world ([`Layout`]), and deformable bodies. Whoever steps it has an [`OwnedWorld`] for all of them, a *bench*: what a
/// world remembers is copied there, and what it remembers then is copied back. Everything else follows from it.
///
/// A row is that of a world after the last call; a second one is that before the call's last step. So [`Worlds::recall`] can take
/// that step once more, to show all arrays as it left them. In models with sleep, where what sleeps keeps its results, a row is the whole block.
///
/// What a world computes depends neither on the others nor on the bench.
///
/// ```
/// use core::num::NonZeroUsize;
/// use ferrodyn_dynamics::data::Worlds;
/// # use ferrodyn_model::{Model, Sizes};
/// # let mut model = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
/// # model.body_mocapid[0] = -1;
/// # model.body_treeid[0] = -1;
/// let mut worlds = Worlds::new(&model, 3)?;
/// let mut bench = worlds.bench();
/// for i in 1..worlds.len() {
///     let steps = NonZeroUsize::new(i).unwrap();
///     worlds.world(i).step(&model, &mut bench, &[], steps, |_, outcome| outcome)?;
/// }
/// worlds.recall(2, &model, &mut bench);
/// assert_eq!(bench.time(), 2.0 * model.opt.timestep);
/// # Ok::<(), ferrodyn_dynamics::StepError>(())
/// ```
#[derive(Debug)]
pub struct Worlds {
    common: Common,
    /// Two rows for each world.
    rows: Vec<u64>,
    marks: Vec<Mark>,
    /// Deformable bodies of each row; empty where the model has none.
    #[cfg(feature = "deformable")]
    soft: Vec<crate::soft::OwnedSoft>,
}

/// What all worlds have in common.
#[derive(Debug)]
struct Common {
    /// A world at the reference pose.
    blank: OwnedWorld,
    /// Which words of its first block a world remembers.
    remembered: Range<usize>,
}

/// What is known of the rows of a world.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Which row is that after the last call; the other one is that before its last step.
    last: usize,
    made_by: MadeBy,
}

/// What the last call did between one row and the other.
#[derive(Clone, Copy, Debug)]
enum MadeBy {
    /// Nothing.
    Reset,
    /// It computed what follows from the state.
    Forward,
    /// It took a step.
    Step(DivergencePolicy),
}

/// The words that worlds of a layout remember. State, inputs, sensors and who sleeps come first among the arrays.
fn remembered(layout: &Layout, all: bool) -> Range<usize> {
    let end = if all { FIELDS } else { Field::xpos as usize };
    words_of::<Kept>(1)..layout.start[end]
}

impl Worlds {
    /// So many worlds at the model's reference pose.
    pub fn new(m: &Model, count: usize) -> Result<Worlds, StepError> {
        check_supported(m, &m.sizes)?;
        let blank = OwnedWorld::try_new(m)?;
        let remembered = remembered(blank.layout(), m.opt.enabled(EnableBit::Sleep));
        let row = &blank.core()[remembered.clone()];
        let too_many = StepError::NoRoom { what: "words of worlds", missing: usize::MAX };
        let all = count.checked_mul(2 * row.len()).ok_or(too_many)?;
        let mut rows = Vec::new();
        rows.try_reserve_exact(all).map_err(|_| too_many)?;
        for _ in 0..2 * count {
            rows.extend_from_slice(row);
        }
        Ok(Worlds {
            rows,
            marks: vec![Mark { last: 0, made_by: MadeBy::Reset }; count],
            #[cfg(feature = "deformable")]
            soft: blank.soft.iter().flat_map(|soft| vec![(**soft).clone(); 2 * count]).collect(),
            common: Common { blank, remembered },
        })
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Where the arrays of fixed sizes lie in a world.
    pub fn layout(&self) -> &Layout {
        self.common.blank.layout()
    }

    /// A world in which these can be stepped, one after the other. One for each thread is enough.
    pub fn bench(&self) -> OwnedWorld {
        self.common.blank.clone()
    }

    /// Bytes of memory of all worlds, benches aside.
    pub fn memory_size(&self) -> usize {
        let own = size_of_val(&self.rows[..]) + size_of_val(&self.marks[..]);
        #[cfg(feature = "deformable")]
        let own = own + self.soft.iter().map(crate::soft::OwnedSoft::memory_size).sum::<usize>();
        own
    }

    /// Choose what a step does with a world that diverges.
    pub fn set_divergence_policy(&mut self, policy: DivergencePolicy) {
        self.common.blank.set_divergence_policy(policy);
    }

    /// All worlds, to be shared out.
    pub fn all(&mut self) -> WorldsMut<'_> {
        WorldsMut {
            common: &self.common,
            rows: &mut self.rows,
            marks: &mut self.marks,
            #[cfg(feature = "deformable")]
            soft: &mut self.soft,
        }
    }

    /// One world.
    pub fn world(&mut self, i: usize) -> WorldOfMany<'_> {
        WorldOfMany(self.all().split_at(i).1.split_at(1).0)
    }

    /// Make a bench what a world is after its last call, with all results of its last step. The model has to be the one of that call.
    pub fn recall(&self, i: usize, m: &Model<impl Storage>, bench: &mut OwnedWorld) {
        self.rows_of(i).recall(m, bench);
    }

    /// Write the state of a world into memory of its length. MuJoCo: `mj_getState`.
    pub fn read_state(
        &self,
        i: usize,
        bench: &mut OwnedWorld,
        spec: i32,
        state: &mut [Real],
    ) -> Result<(), StepError> {
        let rows = self.rows_of(i);
        rows.load(rows.mark.last, bench);
        read_state(&bench.view_mut(), spec, state)
    }

    /// Do worlds remember all their arrays, so that trees can sleep?
    pub fn remembers_all(&self) -> bool {
        self.common.remembers_all()
    }

    /// Let worlds remember all their arrays from now on. `recall` makes a bench what a world is, as [`Worlds::recall`] with its model does.
    pub fn remember_all(&mut self, recall: impl Fn(&Worlds, usize, &mut OwnedWorld)) {
        let mut bench = self.bench();
        let own = self.common.remembered.clone();
        let all = remembered(self.layout(), true);
        let mut rows = Vec::with_capacity(2 * self.len() * all.len());
        for i in 0..self.len() {
            recall(self, i, &mut bench);
            for side in [0, 1] {
                let start = rows.len();
                rows.extend_from_slice(&bench.core()[all.clone()]);
                rows[start..start + own.len()].copy_from_slice(self.rows_of(i).row(side));
            }
        }
        (self.rows, self.common.remembered) = (rows, all);
    }

    fn rows_of(&self, i: usize) -> Rows<'_> {
        let both = 2 * self.common.remembered.len();
        Rows {
            common: &self.common,
            rows: &self.rows[i * both..(i + 1) * both],
            mark: self.marks[i],
            #[cfg(feature = "deformable")]
            soft: if self.soft.is_empty() { &[] } else { &self.soft[2 * i..2 * i + 2] },
        }
    }
}

/// Both rows of a world.
struct Rows<'a> {
    common: &'a Common,
    rows: &'a [u64],
    mark: Mark,
    #[cfg(feature = "deformable")]
    soft: &'a [crate::soft::OwnedSoft],
}

impl Rows<'_> {
    fn row(&self, side: usize) -> &[u64] {
        let words = self.common.remembered.len();
        &self.rows[side * words..(side + 1) * words]
    }

    /// Put what is remembered into a bench. It has no contacts and rows then, and no results that can be relied on.
    fn load(&self, side: usize, bench: &mut OwnedWorld) {
        bench.core_mut()[self.common.remembered.clone()].copy_from_slice(self.row(side));
        bench.header_mut().forget_contacts();
        if self.common.remembers_all() {
            // marks of boxes are among what was put there
            bench.marks_changed();
        }
        #[cfg(feature = "deformable")]
        if let (Some(to), Some(from)) = (&mut bench.soft, self.soft.get(side)) {
            to.copy_from(from);
        }
    }

    /// Make a bench what the world is after the last call.
    fn recall(&self, m: &Model<impl Storage>, bench: &mut OwnedWorld) {
        let Mark { last, made_by } = self.mark;
        // what the call did not compute is as at the reference pose
        bench.copy_from(&self.common.blank);
        self.load(1 - last, bench);
        // an error is that of the call, which told of it
        let _ = match made_by {
            MadeBy::Reset => Ok(()),
            MadeBy::Forward => forward_world(m, &mut bench.view_mut(), &mut NoHooks),
            MadeBy::Step(policy) => {
                bench.set_divergence_policy(policy);
                step_world(m, &mut bench.view_mut(), &mut NoHooks).map(|_| ())
            }
        };
        bench.set_divergence_policy(self.common.blank.divergence_policy());
        // whoever looked at the world may have changed what it remembers
        let results = *bench.header();
        self.load(last, bench);
        bench.header_mut().take_results(&results);
    }
}

/// Some of the worlds of [`Worlds`], one after the other.
#[derive(Debug)]
pub struct WorldsMut<'a> {
    common: &'a Common,
    rows: &'a mut [u64],
    marks: &'a mut [Mark],
    #[cfg(feature = "deformable")]
    soft: &'a mut [crate::soft::OwnedSoft],
}

impl<'a> WorldsMut<'a> {
    /// How many they are.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// A world in which these can be stepped, one after the other.
    pub fn bench(&self) -> OwnedWorld {
        self.common.blank.clone()
    }

    /// The first `count` of them, and the others.
    pub fn split_at(self, count: usize) -> (WorldsMut<'a>, WorldsMut<'a>) {
        let common = self.common;
        let (rows, other_rows) = self.rows.split_at_mut(2 * count * common.remembered.len());
        let (marks, other_marks) = self.marks.split_at_mut(count);
        #[cfg(feature = "deformable")]
        let (soft, other_soft) = self.soft.split_at_mut((2 * count).min(self.soft.len()));
        (
            WorldsMut {
                common,
                rows,
                marks,
                #[cfg(feature = "deformable")]
                soft,
            },
            WorldsMut {
                common,
                rows: other_rows,
                marks: other_marks,
                #[cfg(feature = "deformable")]
                soft: other_soft,
            },
        )
    }

    /// One of them. What the next one remembers is asked for from memory meanwhile.
    pub fn world(&mut self, i: usize) -> WorldOfMany<'_> {
        let row = self.common.remembered.len();
        if let Some(next) = self.marks.get(i + 1) {
            prefetch(&self.rows[(2 * (i + 1) + next.last) * row..][..row]);
        }
        self.world_again(i)
    }

    /// One of them, which was asked for a moment ago.
    pub(crate) fn world_again(&mut self, i: usize) -> WorldOfMany<'_> {
        let both = 2 * self.common.remembered.len();
        WorldOfMany(WorldsMut {
            common: self.common,
            rows: &mut self.rows[i * both..(i + 1) * both],
            marks: &mut self.marks[i..=i],
            #[cfg(feature = "deformable")]
            soft: if self.soft.is_empty() { &mut [] } else { &mut self.soft[2 * i..2 * i + 2] },
        })
    }
}

/// One of many worlds.
#[derive(Debug)]
pub struct WorldOfMany<'a>(WorldsMut<'a>);

impl WorldOfMany<'_> {
    fn rows(&self) -> Rows<'_> {
        Rows {
            common: self.0.common,
            rows: self.0.rows,
            mark: self.0.marks[0],
            #[cfg(feature = "deformable")]
            soft: self.0.soft,
        }
    }

    fn row_mut(&mut self, side: usize) -> &mut [u64] {
        let words = self.0.common.remembered.len();
        &mut self.0.rows[side * words..(side + 1) * words]
    }

    /// Remember what is in a bench.
    fn store(&mut self, side: usize, bench: &OwnedWorld) {
        let remembered = self.0.common.remembered.clone();
        self.row_mut(side).copy_from_slice(&bench.core()[remembered]);
        #[cfg(feature = "deformable")]
        if let (Some(to), Some(from)) = (self.0.soft.get_mut(side), &bench.soft) {
            to.copy_from(from);
        }
    }

    /// Remember what is in a bench as the outcome of a call, whose last step began at what was remembered last.
    fn finish(&mut self, bench: &OwnedWorld, made_by: MadeBy) {
        let last = 1 - self.0.marks[0].last;
        self.store(last, bench);
        self.0.marks[0] = Mark { last, made_by };
    }

    /// Remember what is in a bench as that before the last step of a call.
    pub(crate) fn store_before(&mut self, bench: &OwnedWorld) {
        self.store(self.0.marks[0].last, bench);
    }

    /// Remember what is in a bench as the outcome of a step.
    pub(crate) fn finish_step(&mut self, bench: &OwnedWorld) {
        self.finish(bench, MadeBy::Step(bench.divergence_policy()));
    }

    /// Make a bench what the world is after the last call.
    pub(crate) fn recall(&self, m: &Model<impl Storage>, bench: &mut OwnedWorld) {
        self.rows().recall(m, bench);
    }

    /// Make a bench the world after the last call, to be stepped.
    pub(crate) fn begin(&self, bench: &mut OwnedWorld) {
        bench.set_divergence_policy(self.0.common.blank.divergence_policy());
        self.rows().load(self.0.marks[0].last, bench);
    }

    /// Set the controls, and advance by `n` time steps with them and with the same applied forces. `end` sees the world after the last step, and how
    /// the steps went: the report is that of the first one in which something diverged. A step that failed or was taken back is the last.
    pub fn step<R>(
        &mut self,
        m: &Model<impl Storage>,
        bench: &mut OwnedWorld,
        controls: &[Real],
        n: NonZeroUsize,
        end: impl FnOnce(&mut World<'_>, Result<StepReport, StepError>) -> R,
    ) -> R {
        let begun = check_supported(m, bench.sizes()).and_then(|()| self.set_controls(controls));
        if let Err(error) = begun {
            return self.refuse(m, bench, |d| end(d, Err(error)));
        }
        self.begin(bench);
        let (mut report, mut outcome) = (StepReport::default(), Ok(()));
        if n.get() > 1 {
            outcome = first_steps(m, bench, n.get() - 1, &mut report);
            self.store_before(bench);
        }
        let mut d = bench.view_mut();
        if outcome.is_ok() && !report.is_frozen() {
            outcome = one_step(m, &mut d, Stage::None, true, &mut report, &mut NoHooks);
        }
        let made_by = MadeBy::Step(d.policy);
        if let Err(error) = outcome {
            self.finish(bench, made_by);
            return self.refuse(m, bench, |d| end(d, Err(error)));
        }
        let result = end(&mut d, Ok(report));
        self.finish(bench, made_by);
        result
    }

    /// Set the controls of the next step.
    pub(crate) fn set_controls(&mut self, controls: &[Real]) -> Result<(), StepError> {
        let Common { blank, remembered } = self.0.common;
        let expected = blank.sizes().nu;
        if controls.len() != expected {
            return Err(StepError::StateLength { found: controls.len(), expected });
        }
        let start = blank.layout().start[Field::ctrl as usize] - remembered.start;
        let row = self.row_mut(self.0.marks[0].last);
        elements(&mut row[start..start + words_of::<Real>(expected)], expected)
            .copy_from_slice(controls);
        Ok(())
    }

    /// Show the world after an error: what a step that failed did not come to is still that of another world in the bench.
    fn refuse<R>(
        &mut self,
        m: &Model<impl Storage>,
        bench: &mut OwnedWorld,
        end: impl FnOnce(&mut World<'_>) -> R,
    ) -> R {
        self.recall(m, bench);
        end(&mut bench.view_mut())
    }

    /// Return to the reference pose, let `begin` change the state, and compute what follows from it; `end` sees how that went.
    pub fn reset<R>(
        &mut self,
        m: &Model<impl Storage>,
        bench: &mut OwnedWorld,
        begin: impl FnOnce(&mut World<'_>) -> Result<(), StepError>,
        end: impl FnOnce(&mut World<'_>, Result<(), StepError>) -> R,
    ) -> R {
        if let Err(error) = check_supported(m, bench.sizes()) {
            return self.refuse(m, bench, |d| end(d, Err(error)));
        }
        self.begin(bench);
        let mut outcome = reset_world(m, &mut bench.view_mut());
        outcome = outcome.and_then(|()| begin(&mut bench.view_mut()));
        self.store(self.0.marks[0].last, bench);
        let made_by = if outcome.is_ok() { MadeBy::Forward } else { MadeBy::Reset };
        let d = &mut bench.view_mut();
        outcome = outcome.and_then(|()| forward_world(m, d, &mut NoHooks));
        let result = end(d, outcome);
        self.finish(bench, made_by);
        result
    }

    /// Remember header, state, inputs and sensors of a bench, in which this world was recalled and changed.
    pub fn remember(&mut self, bench: &OwnedWorld) {
        self.store(self.0.marks[0].last, bench);
    }
}

/// All steps of a call but the last; fewer where one is taken back.
fn first_steps(
    m: &Model<impl Storage>,
    bench: &mut OwnedWorld,
    n: usize,
    report: &mut StepReport,
) -> Result<(), StepError> {
    let mut left = n;
    while left > 0 && !report.is_frozen() {
        left = step_view(m, &mut bench.view_mut(), left, report, &mut NoHooks)?;
    }
    Ok(())
}

impl Common {
    fn remembers_all(&self) -> bool {
        self.remembered.end == self.blank.layout().start[FIELDS]
    }
}
