//! The GPU: its memory, the loaded kernels, and how they are launched.
#![allow(unsafe_code, reason = "kernels are launched with addresses in memory of the GPU")]
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use cudarc::driver::sys::is_culib_present;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::Ptx;
use ferrodyn_math::Real;

use crate::GpuError;
use crate::archive;
use crate::kernels::KERNELS;

/// Turns an error of the driver into one that says what was being done.
fn failed(what: &'static str) -> impl Fn(DriverError) -> GpuError {
    move |error| GpuError::Driver { what, message: error.to_string() }
}

/// A GPU with the kernels loaded.
pub(crate) struct Device {
    stream: Arc<CudaStream>,
    kernels: HashMap<&'static str, CudaFunction>,
    name: String,
}

/// Memory of the worlds of a batch, and what they share.
pub(crate) struct Memory {
    /// The model, read where it lies: `shared` has addresses in it.
    _image: CudaSlice<u64>,
    shared: CudaSlice<u64>,
    pub(crate) blocks: CudaSlice<u64>,
    stacks: CudaSlice<u64>,
    views: CudaSlice<u64>,
    failed: CudaSlice<u32>,
    rows: CudaSlice<u32>,
    marks: CudaSlice<u8>,
    /// Words of eight bytes of a world.
    words: usize,
    count: usize,
}

/// What kernels of a step are called with beside the memory of worlds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stage {
    Kernel(&'static str),
    /// The kernel of sensors, for one of their stages.
    Sensors(u32),
    /// A part of Runge-Kutta's step, by its number.
    RungeKutta(u32),
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stage::Kernel(name) => write!(f, "{name}"),
            Stage::Sensors(stage) => write!(f, "sensors {stage}"),
            Stage::RungeKutta(part) => write!(f, "runge_kutta {part}"),
        }
    }
}

/// What a machine has to offer: the first GPU, and the kernels for it.
struct Found {
    context: Arc<CudaContext>,
    name: String,
    modules: Vec<(String, Vec<u8>)>,
}

/// Kernels have double precision.
pub(crate) fn check_precision() -> Result<(), GpuError> {
    if size_of::<Real>() == size_of::<f64>() {
        Ok(())
    } else {
        Err(GpuError::Unsupported("single precision"))
    }
}

fn find() -> Result<Found, GpuError> {
    check_precision()?;
    // SAFETY: looks whether a library can be loaded, whose initializers are the driver's
    if !unsafe { is_culib_present() } {
        return Err(GpuError::NoDevice("the CUDA driver is not installed".into()));
    }
    let none = |error: DriverError| GpuError::NoDevice(error.to_string());
    let context = CudaContext::new(0).map_err(none)?;
    let name = context.name().map_err(none)?;
    let (major, minor) = context.compute_capability().map_err(none)?;
    match archive::modules(major, minor)? {
        Some(modules) => Ok(Found { context, name, modules }),
        None => Err(GpuError::NoKernels { name, major, minor, known: archive::known() }),
    }
}

/// Is there a GPU that can step worlds, and what is it called?
///
/// ```
/// match ferrodyn_gpu::available() {
///     Ok(name) => println!("{name}"),
///     Err(why) => println!("{why}"),
/// }
/// ```
pub fn available() -> Result<String, GpuError> {
    Ok(find()?.name)
}

impl Device {
    /// The first GPU of this machine.
    pub(crate) fn first() -> Result<Device, GpuError> {
        let Found { context, name, modules } = find()?;
        let stream = context.new_stream().map_err(failed("to make a stream"))?;
        let mut kernels = HashMap::new();
        for (module, code) in modules {
            let loading = "to load kernels";
            let loaded = context.load_module(Ptx::from_binary(code)).map_err(failed(loading))?;
            let names =
                KERNELS.iter().filter(|(own, _)| *own == module).flat_map(|(_, names)| *names);
            for name in names {
                kernels.insert(*name, loaded.load_function(name).map_err(failed(loading))?);
            }
        }
        Ok(Device { stream, kernels, name })
    }

    /// What the GPU is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The stream on which everything runs, as a number.
    pub(crate) fn stream(&self) -> u64 {
        self.stream.cu_stream() as u64
    }

    fn zeros<T: cudarc::driver::DeviceRepr + cudarc::driver::ValidAsZeroBits>(
        &self,
        length: usize,
    ) -> Result<CudaSlice<T>, GpuError> {
        // an array always has an address
        self.stream.alloc_zeros(length.max(1)).map_err(failed("to get memory"))
    }

    /// Memory for worlds of a model, all of them like `block`.
    pub(crate) fn open(
        &self,
        image: &[u64],
        capacity: [u64; 6],
        block: &[u64],
        stack_words: usize,
        count: usize,
    ) -> Result<Memory, GpuError> {
        let (copying, launching) = ("to copy a model", "to read a model");
        let image = self.stream.clone_htod(image).map_err(failed(copying))?;
        let capacity = self.stream.clone_htod(&capacity).map_err(failed(copying))?;
        let mut sizes = self.zeros::<u64>(2)?;
        let once = config(1, 1);
        // SAFETY: the kernel writes two words
        unsafe { self.launcher("type_sizes").arg(&mut sizes).launch(once) }
            .map_err(failed(launching))?;
        let type_sizes = self.stream.clone_dtoh(&sizes).map_err(failed(launching))?;
        let mut shared = self.zeros::<u64>((type_sizes[0] as usize).div_ceil(8))?;
        let length = 8 * image.len() as u64;
        // SAFETY: the image is one that this build wrote of a model that compiled, `shared` has the size that the kernels say
        unsafe {
            self.launcher("open")
                .arg(&image)
                .arg(&length)
                .arg(&capacity)
                .arg(&mut shared)
                .arg(&mut sizes)
                .launch(once)
        }
        .map_err(failed(launching))?;
        let sizes = self.stream.clone_dtoh(&sizes).map_err(failed(launching))?;
        // host and kernels agree on the layout, or the kernels are not those of this source
        if sizes[0] as usize != block.len() || (sizes[1] as usize) < stack_words {
            let message = format!("worlds of {} words, and not {}", sizes[0], block.len());
            return Err(GpuError::Driver { what: launching, message });
        }
        let mut memory = Memory {
            blocks: self.zeros(count * block.len())?,
            stacks: self.zeros(count * sizes[1] as usize)?,
            views: self.zeros(count * (type_sizes[1] as usize).div_ceil(8))?,
            failed: self.zeros(count)?,
            rows: self.zeros(2 * block.len())?,
            marks: self.stream.clone_htod(&vec![1; count.max(1)]).map_err(failed(copying))?,
            _image: image,
            shared,
            words: block.len(),
            count,
        };
        self.put(&mut memory, 0, bytemuck::cast_slice(block), 0, None)?;
        if count > 0 {
            // SAFETY: blocks, stacks and views have the sizes that the kernels say, one for each world
            unsafe {
                self.launcher("view")
                    .arg(&memory.shared)
                    .arg(&mut memory.blocks)
                    .arg(&mut memory.stacks)
                    .arg(&mut memory.views)
                    .launch(config(count, 1))
            }
            .map_err(failed(launching))?;
        }
        self.synchronize()?;
        Ok(memory)
    }

    fn launcher(&self, name: &str) -> cudarc::driver::LaunchArgs<'_> {
        self.stream.launch_builder(&self.kernels[name])
    }

    /// Run a stage in all worlds.
    pub(crate) fn run(&self, memory: &mut Memory, stage: Stage) -> Result<(), GpuError> {
        if memory.count == 0 {
            return Ok(());
        }
        let (name, which) = match stage {
            Stage::Kernel(name) => (name, None),
            Stage::Sensors(which) => ("sensors", Some(which)),
            Stage::RungeKutta(part) => ("runge_kutta", Some(part)),
        };
        let mut launcher = self.launcher(name);
        launcher.arg(&memory.shared).arg(&memory.stacks).arg(&memory.views).arg(&memory.failed);
        if let Some(which) = &which {
            launcher.arg(which);
        }
        // SAFETY: views lead to blocks and stacks of this memory, and each world belongs to one warp
        unsafe { launcher.launch(config(memory.count, 32)) }.map_err(failed("to run a step"))?;
        Ok(())
    }

    /// Rows of an array of all worlds: so many words of four bytes, from one on.
    pub(crate) fn get(
        &self,
        memory: &mut Memory,
        start: usize,
        count: usize,
        rows: &mut [u32],
    ) -> Result<(), GpuError> {
        if rows.is_empty() {
            return Ok(());
        }
        if memory.rows.len() < rows.len() {
            memory.rows = self.zeros(rows.len())?;
        }
        let (stride, start, words) = (2 * memory.words as u64, start as u64, count as u32);
        // SAFETY: every row lies in the block of its world, and there is room for all of them
        unsafe {
            self.launcher("gather")
                .arg(&memory.blocks)
                .arg(&stride)
                .arg(&start)
                .arg(&words)
                .arg(&mut memory.rows)
                .launch(config(memory.count, 32))
        }
        .map_err(failed("to collect results"))?;
        let view = memory.rows.slice(..rows.len());
        self.stream.memcpy_dtoh(&view, rows).map_err(failed("to copy results"))
    }

    /// Write rows into the worlds that are marked, all without marks; one row for each world, or, with no distance between them, one for all.
    pub(crate) fn put(
        &self,
        memory: &mut Memory,
        start: usize,
        rows: &[u32],
        row_stride: usize,
        marks: Option<&[u8]>,
    ) -> Result<(), GpuError> {
        if rows.is_empty() || memory.count == 0 {
            return Ok(());
        }
        let copying = "to copy to worlds";
        if memory.rows.len() < rows.len() {
            memory.rows = self.zeros(rows.len())?;
        }
        let mut view = memory.rows.slice_mut(..rows.len());
        self.stream.memcpy_htod(rows, &mut view).map_err(failed(copying))?;
        let all;
        let marks = match marks {
            Some(marks) => {
                all = self.stream.clone_htod(marks).map_err(failed(copying))?;
                &all
            }
            None => &memory.marks,
        };
        let words = if row_stride == 0 { rows.len() } else { row_stride } as u32;
        let (stride, start, row_stride) =
            (2 * memory.words as u64, start as u64, row_stride as u32);
        // SAFETY: as in `get`, the other way
        unsafe {
            self.launcher("scatter")
                .arg(&memory.blocks)
                .arg(&stride)
                .arg(&start)
                .arg(&words)
                .arg(&memory.rows)
                .arg(&row_stride)
                .arg(marks)
                .launch(config(memory.count, 32))
        }
        .map_err(failed(copying))?;
        Ok(())
    }

    /// Which worlds failed since they were last cleared.
    pub(crate) fn failed(&self, memory: &Memory) -> Result<Vec<u32>, GpuError> {
        let failed_worlds =
            self.stream.clone_dtoh(&memory.failed).map_err(failed("to copy results"))?;
        Ok(failed_worlds[..memory.count].to_vec())
    }

    /// Say which worlds sit out: those with anything but zero.
    pub(crate) fn set_failed(&self, memory: &mut Memory, marks: &[u32]) -> Result<(), GpuError> {
        if marks.is_empty() {
            return Ok(());
        }
        self.stream.memcpy_htod(marks, &mut memory.failed).map_err(failed("to copy to worlds"))
    }

    /// The block of one world.
    pub(crate) fn block(&self, memory: &Memory, world: usize) -> Result<Vec<u64>, GpuError> {
        let own = memory.blocks.slice(world * memory.words..(world + 1) * memory.words);
        self.stream.clone_dtoh(&own).map_err(failed("to copy a world"))
    }

    /// Address of the blocks in memory of the GPU.
    pub(crate) fn address(&self, memory: &Memory) -> u64 {
        use cudarc::driver::DevicePtr;
        memory.blocks.device_ptr(&self.stream).0
    }

    /// Wait until everything is done.
    pub(crate) fn synchronize(&self) -> Result<(), GpuError> {
        self.stream.synchronize().map_err(failed("to finish a step"))
    }
}

/// So many blocks of so many threads.
fn config(blocks: usize, threads: u32) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (blocks as u32, 1, 1),
        block_dim: (threads, 1, 1),
        shared_mem_bytes: 0,
    }
}
