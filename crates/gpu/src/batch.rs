//! Worlds of a model on a GPU.
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use ferrodyn_batch::{BatchError, BatchResult};
use ferrodyn_dynamics::data::{Capacity, FixedLayout, write_keyframe};
use ferrodyn_dynamics::divergence::DivergencePolicy;
use ferrodyn_dynamics::hooks::NoHooks;
use ferrodyn_dynamics::plugin::Plugins;
use ferrodyn_dynamics::step::{forward_world, step_world};
use ferrodyn_dynamics::{StepError, World};
use ferrodyn_math::Real;
use ferrodyn_model::{ArrayInfo, EnableBit, Integrator, Model};

use crate::GpuError;
use crate::array::{DeviceArray, is_of_reals};
use crate::device::{Device, Memory, Stage};

/// The stages of a model's step, each a kernel, in their order.
pub(crate) fn step_stages(model: &Model) -> Vec<Stage> {
    use Stage::{Kernel, RungeKutta, Sensors};
    // histories and activations are with the sensors, which have delays too
    let sensors = model.nsensor > 0 || model.na > 0 || model.nhistory > 0;
    let evaluation = |stages: &mut Vec<Stage>, sensors: bool| {
        stages.extend(["position", "contacts", "rows"].map(Kernel));
        stages.extend(sensors.then_some(Sensors(0)));
        stages.push(Kernel("velocity"));
        stages.extend(sensors.then_some(Sensors(1)));
        stages.extend(["forces", "solve_shared", "solve_alone"].map(Kernel));
        stages.extend(sensors.then_some(Sensors(2)));
    };
    let mut stages = vec![Kernel("begin")];
    evaluation(&mut stages, sensors);
    stages.push(Kernel("accept"));
    if model.integrator() == Integrator::Rk4 {
        stages.push(RungeKutta(0));
        for stage in 0..3 {
            stages.push(RungeKutta(1 + stage));
            evaluation(&mut stages, false);
            stages.push(RungeKutta(4 + stage));
        }
        stages.push(RungeKutta(7));
    } else {
        stages.push(Kernel("accelerate"));
    }
    stages.extend(sensors.then_some(Sensors(3)));
    stages.extend(["advance", "end"].map(Kernel));
    stages
}

/// Worlds of one model on a GPU, with the bits of worlds on the processor.
///
/// Worlds that fail stop for themselves, as in a [`BatchSim`](ferrodyn_batch::BatchSim): their row says so, their state is that before the step, and
/// the next call brings them back to their initial state instead of stepping them.
pub struct GpuBatch {
    model: Arc<Model>,
    layout: FixedLayout,
    /// The world that worlds begin as: the reference pose, or a keyframe.
    start: Vec<u64>,
    /// Initial states of their own, rows of `qpos` and `qvel`.
    start_states: Option<Vec<Real>>,
    controls: Vec<Real>,
    frame_skip: usize,
    pending: Vec<bool>,
    result: BatchResult,
    memory: Memory,
    device: Device,
}

impl fmt::Debug for GpuBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("GpuBatch");
        out.field("worlds", &self.len()).field("device", &self.device.name());
        out.finish_non_exhaustive()
    }
}

/// Can worlds of this model be stepped on a GPU? What cannot is named.
///
/// ```
/// use ferrodyn_gpu::{GpuError, check_model};
/// let model = ferrodyn::load_model("<mujoco><option><flag sleep='enable'/></option></mujoco>")?;
/// assert_eq!(check_model(&model), Err(GpuError::Unsupported("sleeping trees")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_model(model: &Model) -> Result<(), GpuError> {
    model.rigid().map_err(GpuError::Unsupported)?;
    crate::device::check_precision()?;
    if model.opt.enabled(EnableBit::Sleep) {
        return Err(GpuError::Unsupported("sleeping trees"));
    }
    Ok(())
}

impl GpuBatch {
    /// So many worlds of a model at its reference pose, on the first GPU of this machine, with room for what they [probably need](crate::capacity).
    pub fn new(model: Arc<Model>, count: usize) -> Result<GpuBatch, GpuError> {
        check_model(&model)?;
        // before the work of a trial
        crate::available()?;
        let capacity = crate::capacity(&model)?;
        GpuBatch::with_capacity(model, count, capacity)
    }

    /// As [`GpuBatch::new`], with room for so much in each world.
    pub fn with_capacity(
        model: Arc<Model>,
        count: usize,
        capacity: Capacity,
    ) -> Result<GpuBatch, GpuError> {
        check_model(&model)?;
        let device = Device::first()?;
        let layout = FixedLayout::new(&*model, capacity);
        let start = initial_block(&model, &layout, None)?;
        // the image begins at a multiple of eight bytes in memory of the GPU, and ends at one
        let image: Vec<u64> = model
            .to_bytes()
            .chunks(8)
            .map(|word| {
                u64::from_le_bytes(std::array::from_fn(|i| word.get(i).copied().unwrap_or(0)))
            })
            .collect();
        let sizes = [
            capacity.contacts,
            capacity.rows,
            capacity.jacobian,
            capacity.projected,
            capacity.records,
            capacity.pairs,
        ];
        let sizes = sizes.map(|size| size as u64);
        let memory = device.open(&image, sizes, &start, layout.stack_words(), count)?;
        let (nq, nv, nu) = (model.nq, model.nv, model.nu);
        let mut batch = GpuBatch {
            controls: vec![0.0; count * nu],
            pending: vec![false; count],
            start_states: None,
            frame_skip: 1,
            result: BatchResult {
                states: vec![0.0; count * (nq + nv)],
                rewards: vec![0.0; count],
                terminated: vec![false; count],
                truncated: vec![false; count],
                errors: vec![None; count],
            },
            model,
            layout,
            start,
            memory,
            device,
        };
        batch.read_states()?;
        Ok(batch)
    }

    /// How many worlds there are.
    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// The model that all worlds are of.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Name of the GPU.
    pub fn device_name(&self) -> &str {
        self.device.name()
    }

    /// How many time steps a call takes, with the same controls; one unless it is set.
    pub fn set_frame_skip(&mut self, steps: usize) -> Result<(), GpuError> {
        if steps == 0 {
            return Err(BatchError::NoSteps.into());
        }
        self.frame_skip = steps;
        Ok(())
    }

    /// Row-major `[n, nu]`: the controls that the next call applies, to be changed in place.
    pub fn controls_mut(&mut self) -> &mut [Real] {
        &mut self.controls
    }

    /// Set the controls of all worlds.
    pub fn set_controls(&mut self, controls: &[Real]) -> Result<(), GpuError> {
        check_length("controls", controls.len(), self.controls.len())?;
        self.controls.copy_from_slice(controls);
        Ok(())
    }

    /// Let worlds begin at a keyframe from the next reset on.
    pub fn start_at_keyframe(&mut self, key: usize) -> Result<(), GpuError> {
        if key >= self.model.nkey {
            return Err(BatchError::NoSuchKeyframe { key, count: self.model.nkey }.into());
        }
        self.start = initial_block(&self.model, &self.layout, Some(key))?;
        self.start_states = None;
        Ok(())
    }

    /// Let each world begin at a state of its own from the next reset on: rows of `qpos` and `qvel`.
    pub fn start_at_states(&mut self, rows: &[Real]) -> Result<(), GpuError> {
        check_length("initial states", rows.len(), self.result.states.len())?;
        self.start = initial_block(&self.model, &self.layout, None)?;
        self.start_states = Some(rows.to_vec());
        Ok(())
    }

    /// What came of the last [`GpuBatch::step_all`], or of a reset after it.
    pub fn result(&self) -> &BatchResult {
        &self.result
    }

    /// An array of all worlds (`qpos`, `ctrl`, `sensordata`, `xpos`, ...) in memory of the GPU, which programs there can read and write between calls.
    /// Controls that are written there hold until [`GpuBatch::step_all`] applies its own; [`GpuBatch::step_on_device`] applies none.
    pub fn array(&self, name: &str) -> Result<DeviceArray, GpuError> {
        let (start, info) = self.place(name)?;
        let address = self.device.address(&self.memory) + 8 * start as u64;
        Ok(DeviceArray { address, stride: 8 * self.layout.words(), worlds: self.len(), info })
    }

    /// The stream of the driver on which everything of this batch runs (a `CUstream`, as a number): work of other programs that is queued there comes
    /// in its order between the calls of the batch; work on other streams needs [`GpuBatch::synchronize`] before, and their own after it.
    pub fn stream(&self) -> u64 {
        self.device.stream()
    }

    fn place(&self, name: &str) -> Result<(usize, ArrayInfo), GpuError> {
        let place = self.layout.place(name);
        Ok(place.ok_or_else(|| BatchError::NoSuchArray(name.into()))?)
    }

    fn place_of_reals(&self, name: &str) -> Result<(usize, ArrayInfo), GpuError> {
        let (start, info) = self.place(name)?;
        if is_of_reals(&info) {
            Ok((start, info))
        } else {
            Err(BatchError::NoSuchArray(name.into()).into())
        }
    }

    /// Copy an array of numbers of all worlds to this machine's memory: a row for each world.
    pub fn read(&mut self, name: &str, rows: &mut [Real]) -> Result<(), GpuError> {
        let (start, info) = self.place_of_reals(name)?;
        check_length("rows", rows.len(), self.len() * info.len())?;
        let words = bytemuck::cast_slice_mut(rows);
        self.device.get(&mut self.memory, 2 * start, words_of(info.len()), words)
    }

    /// Copy rows to an array of numbers of all worlds.
    pub fn write(&mut self, name: &str, rows: &[Real]) -> Result<(), GpuError> {
        let (start, info) = self.place_of_reals(name)?;
        check_length("rows", rows.len(), self.len() * info.len())?;
        let words = bytemuck::cast_slice(rows);
        self.device.put(&mut self.memory, 2 * start, words, words_of(info.len()), None)
    }

    /// Bring all worlds to their initial states.
    pub fn reset_all(&mut self) -> Result<(), GpuError> {
        self.reset_where(&vec![true; self.len()])
    }

    /// Bring those worlds to their initial states that are marked; all others, and their rows, stay as they are.
    pub fn reset_where(&mut self, which: &[bool]) -> Result<(), GpuError> {
        check_length("the mask", which.len(), self.len())?;
        self.begin_again(which)?;
        self.let_run(which)?;
        let before = std::mem::take(&mut self.result.states);
        self.result.states = vec![0.0; before.len()];
        self.read_states()?;
        let row = self.model.nq + self.model.nv;
        for (i, which) in which.iter().enumerate() {
            if *which {
                self.result.errors[i] = None;
                (self.result.terminated[i], self.pending[i]) = (false, false);
            } else {
                self.result.states[i * row..(i + 1) * row]
                    .copy_from_slice(&before[i * row..(i + 1) * row]);
            }
        }
        Ok(())
    }

    /// Let the worlds that are marked take part in steps again, if they sat out.
    fn let_run(&mut self, which: &[bool]) -> Result<(), GpuError> {
        let mut marks = self.device.failed(&self.memory)?;
        for (mark, _) in marks.iter_mut().zip(which).filter(|(_, which)| **which) {
            *mark = 0;
        }
        self.device.set_failed(&mut self.memory, &marks)
    }

    /// Write initial states into the worlds that are marked.
    fn begin_again(&mut self, which: &[bool]) -> Result<(), GpuError> {
        let marks: Vec<u8> = which.iter().map(|which| u8::from(*which)).collect();
        let block = bytemuck::cast_slice(&self.start);
        self.device.put(&mut self.memory, 0, block, 0, Some(&marks))?;
        let Some(states) = &self.start_states else { return Ok(()) };
        let (nq, nv) = (self.model.nq, self.model.nv);
        for (name, columns) in [("qpos", 0..nq), ("qvel", nq..nq + nv)] {
            let rows: Vec<Real> = states
                .chunks_exact((nq + nv).max(1))
                .flat_map(|row| row[columns.clone()].iter().copied())
                .collect();
            let (start, info) = self.place(name)?;
            let words = bytemuck::cast_slice(&rows);
            let count = words_of(info.len());
            self.device.put(&mut self.memory, 2 * start, words, count, Some(&marks))?;
        }
        Ok(())
    }

    /// Step all worlds with their controls. Those that failed in the call before are brought to their initial states instead.
    pub fn step_all(&mut self) -> Result<&BatchResult, GpuError> {
        let nobody = vec![false; self.len()];
        let resetting = std::mem::replace(&mut self.pending, nobody);
        if resetting.contains(&true) {
            self.begin_again(&resetting)?;
        }
        // after that, so that these are the controls of all worlds
        let controls = std::mem::take(&mut self.controls);
        let outcome = self.write("ctrl", &controls);
        self.controls = controls;
        outcome?;
        // those that begin again sit this call out
        let marks: Vec<u32> = resetting.iter().map(|reset| 2 * u32::from(*reset)).collect();
        self.device.set_failed(&mut self.memory, &marks)?;
        self.launch_steps(self.frame_skip)?;
        if resetting.contains(&true) {
            self.let_run(&resetting)?;
        }
        self.collect()
    }

    /// Wait for all steps, and bring what came of them to this machine's memory: states, and the errors of worlds that failed, also in
    /// [`GpuBatch::step_on_device`]. The next [`GpuBatch::step_all`] brings these to their initial states.
    pub fn collect(&mut self) -> Result<&BatchResult, GpuError> {
        let failed = self.device.failed(&self.memory)?;
        for (i, failed) in failed.into_iter().enumerate() {
            let error = if failed == 0 { None } else { Some(self.error_of(i)?) };
            self.pending[i] = error.is_some();
            self.result.terminated[i] = error.is_some();
            self.result.errors[i] = error;
        }
        self.read_states()?;
        Ok(&self.result)
    }

    /// Take so many steps with what lies in memory of the GPU, and leave the results there. Worlds that fail stop at the state before the step that
    /// failed, until they are reset; returns without waiting. [`GpuBatch::collect`] says which failed, and why.
    pub fn step_on_device(&mut self, steps: usize) -> Result<(), GpuError> {
        self.launch_steps(steps)
    }

    /// Take so many steps kernel by kernel, and tell how long each of them took in all, in seconds.
    pub fn profile(&mut self, steps: usize) -> Result<Vec<(String, f64)>, GpuError> {
        let stages = step_stages(&self.model);
        let mut times = vec![0.0; stages.len()];
        for _ in 0..steps {
            for (stage, time) in stages.iter().zip(&mut times) {
                self.device.synchronize()?;
                let start = Instant::now();
                self.device.run(&mut self.memory, *stage)?;
                self.device.synchronize()?;
                *time += start.elapsed().as_secs_f64();
            }
        }
        Ok(stages.iter().map(|stage| stage.to_string()).zip(times).collect())
    }

    /// Wait until all steps are done.
    pub fn synchronize(&self) -> Result<(), GpuError> {
        self.device.synchronize()
    }

    fn launch_steps(&mut self, steps: usize) -> Result<(), GpuError> {
        let stages = step_stages(&self.model);
        for _ in 0..steps {
            for stage in &stages {
                self.device.run(&mut self.memory, *stage)?;
            }
        }
        Ok(())
    }

    /// What went wrong with a world that failed: its step, from the state before it, is taken once more on the processor.
    fn error_of(&self, world: usize) -> Result<StepError, GpuError> {
        let mut block = self.device.block(&self.memory, world)?;
        let mut stack = vec![0; self.layout.stack_words()];
        let plugins = Plugins::default();
        let mut view = self.layout.view(&mut block, &mut stack, &plugins)?;
        view.set_divergence_policy(DivergencePolicy::Error);
        let outcome = step_world(&*self.model, &mut view, &mut NoHooks);
        // the same bits, and so the same error
        Ok(outcome.err().unwrap_or(StepError::ModelMismatch))
    }

    /// Call a function with a view of a copy of one world, in which everything can be read.
    pub fn with_world<R>(
        &self,
        index: usize,
        f: impl FnOnce(&World<'_>) -> R,
    ) -> Result<R, GpuError> {
        let count = self.len();
        if index >= count {
            return Err(BatchError::NoSuchWorld { index, count }.into());
        }
        let mut block = self.device.block(&self.memory, index)?;
        let mut stack = vec![0; self.layout.stack_words()];
        let plugins = Plugins::default();
        Ok(f(&self.layout.view(&mut block, &mut stack, &plugins)?))
    }

    /// Rows of `qpos` and `qvel`.
    fn read_states(&mut self) -> Result<(), GpuError> {
        let (nq, nv, count) = (self.model.nq, self.model.nv, self.len());
        let (mut qpos, mut qvel) = (vec![0.0; count * nq], vec![0.0; count * nv]);
        self.read("qpos", &mut qpos)?;
        self.read("qvel", &mut qvel)?;
        for (i, row) in self.result.states.chunks_exact_mut((nq + nv).max(1)).enumerate() {
            row[..nq].copy_from_slice(&qpos[i * nq..(i + 1) * nq]);
            row[nq..].copy_from_slice(&qvel[i * nv..(i + 1) * nv]);
        }
        Ok(())
    }
}

/// Words of four bytes of so many numbers.
fn words_of(numbers: usize) -> usize {
    numbers * size_of::<Real>() / size_of::<u32>()
}

/// A world at the reference pose or a keyframe, with everything that follows from it.
fn initial_block(
    model: &Model,
    layout: &FixedLayout,
    key: Option<usize>,
) -> Result<Vec<u64>, StepError> {
    let (mut block, mut stack) = (vec![0; layout.words()], vec![0; layout.stack_words()]);
    let plugins = Plugins::default();
    let mut world = layout.make(model, &mut block, &mut stack, &plugins)?;
    if let Some(key) = key {
        write_keyframe(model, &mut world, key)?;
    }
    forward_world(model, &mut world, &mut NoHooks)?;
    Ok(block)
}

fn check_length(what: &'static str, found: usize, expected: usize) -> Result<(), GpuError> {
    if found == expected {
        Ok(())
    } else {
        Err(BatchError::Length { what, found, expected }.into())
    }
}
