//! The native data object.
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::ThreadId;

use ferrodyn::thread_stack;
use ferrodyn_dynamics as dynamics;
use ferrodyn_dynamics::World;
use ferrodyn_dynamics::data::{Header, Layout, SolverStat, WorkArray, WorkField};
use ferrodyn_math::{Element, Real, ScalarKind};
use ferrodyn_model::{Contact, Sizes};
use numpy::{PyArray1, PyArrayDescr, PyArrayDescrMethods, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::args::ModelArg;
use crate::errors::step_error;
use crate::model::{Model, ModelRef};
use crate::views::Memory;

/// A world that Python owns.
///
/// Rust code reaches it through [`Data::lock`], one caller at a time. Numpy views of its memory
/// write past that lock: Python code that changes a world while another thread steps it is a data
/// race, as it is with MuJoCo.
#[pyclass(frozen, module = "ferrodyn._native")]
pub(crate) struct Data {
    world: Arc<Mutex<dynamics::OwnedWorld>>,
    /// Header and arrays of fixed sizes, which stay in place.
    fixed: Memory,
    layout: Arc<Layout>,
    /// The world as a callback may use it, while one runs.
    lent: Mutex<Option<Lent>>,
    /// Blocks of the workspace that numpy has seen. The world has all of them: the one in use and, until the end of a call,
    /// those that were replaced in it.
    blocks: Mutex<Vec<Py<Block>>>,
    /// Has numpy seen indices of the workspace? Then a program may have changed them.
    indices_seen: AtomicBool,
    /// Has numpy seen the marks of nodes? Then a program may have set some.
    marks_seen: AtomicBool,
    /// Does a program read arrays in island order?
    islands_seen: AtomicBool,
}

/// Keeps a block of a workspace in memory while numpy arrays see it: their base.
#[pyclass(frozen, module = "ferrodyn._native")]
pub(crate) struct Block {
    address: usize,
    owner: Mutex<BlockOwner>,
}

/// Who has the memory of a block.
#[expect(dead_code, reason = "they are there to be kept alive")]
enum BlockOwner {
    /// The world that uses it.
    World(Arc<Mutex<dynamics::OwnedWorld>>),
    /// Nobody else, since the world has a larger one.
    Alone(Vec<u64>),
}

/// A world that a callback may use, and the thread that runs it.
struct Lent {
    world: NonNull<World<'static>>,
    thread: ThreadId,
}

// SAFETY: only the thread that lent the world follows the pointer
unsafe impl Send for Lent {}

/// Exclusive access to a world.
pub(crate) struct Lock<'a> {
    world: MutexGuard<'a, dynamics::OwnedWorld>,
    data: &'a Data,
}

impl Deref for Lock<'_> {
    type Target = dynamics::OwnedWorld;
    fn deref(&self) -> &dynamics::OwnedWorld {
        &self.world
    }
}

impl DerefMut for Lock<'_> {
    fn deref_mut(&mut self) -> &mut dynamics::OwnedWorld {
        &mut self.world
    }
}

impl Drop for Lock<'_> {
    /// Blocks of the workspace that were replaced go to the arrays that see them, or are freed.
    fn drop(&mut self) {
        let replaced = self.world.take_replaced_blocks();
        if replaced.is_empty() {
            return;
        }
        let mut blocks = self.data.blocks();
        for memory in replaced {
            let address = memory.as_ptr().addr();
            if let Some(i) = blocks.iter().position(|block| block.get().address == address) {
                let block = blocks.swap_remove(i);
                *lock(&block.get().owner) = BlockOwner::Alone(memory);
            }
        }
    }
}

/// The contents of a mutex, whatever happened to who had it before.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Scalar type and number of columns of the arrays of the workspace, contacts and statistics aside.
macro_rules! work_types {
    (($contact:ident, Contact, ncon, 1, $contact_doc:literal)
     $(($name:ident, $t:ty, $rows:ident, $cols:tt, $doc:literal))*) => {
        const WORK_TYPES: &[(ScalarKind, usize)] =
            &[$((<$t as Element>::KIND, <$t as Element>::COLS)),*];
    };
}

ferrodyn_model::work_fields!(work_types);

impl Data {
    fn new(mut world: dynamics::OwnedWorld) -> Data {
        world.keep_replaced_blocks();
        Data {
            fixed: Memory::new(world.fixed_mut()),
            layout: world.layout().clone(),
            world: Arc::new(Mutex::new(world)),
            lent: Mutex::new(None),
            blocks: Mutex::default(),
            indices_seen: AtomicBool::new(false),
            marks_seen: AtomicBool::new(false),
            islands_seen: AtomicBool::new(false),
        }
    }

    /// Exclusive access, or an error while another thread has it.
    pub(crate) fn lock(&self) -> PyResult<Lock<'_>> {
        let world = match self.world.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(e)) => e.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(in_use()),
        };
        let mut lock = Lock { world, data: self };
        if self.marks_seen.load(Ordering::Relaxed) {
            lock.marks_seen();
        }
        if self.islands_seen.load(Ordering::Relaxed) {
            lock.islands_seen();
        }
        Ok(lock)
    }

    /// Exclusive access, together with the model that the data was made for.
    pub(crate) fn lock_with<'a>(&'a self, m: &'a Model) -> PyResult<(ModelRef<'a>, Lock<'a>)> {
        let (model, data) = (m.read()?, self.lock()?);
        if data.fits(&model) { Ok((model, data)) } else { Err(mismatch()) }
    }

    /// Run a function on the model and the world.
    pub(crate) fn with_world<R>(
        &self,
        m: &Model,
        f: impl FnOnce(&ferrodyn_model::Model, &mut World<'_>) -> R,
    ) -> PyResult<R> {
        if let Some(mut world) = self.borrow_lent() {
            let model = m.read()?;
            let sizes = Sizes { ngravcomp: model.sizes.ngravcomp, ..self.layout.sizes().clone() };
            return if sizes == model.sizes {
                self.guarded(|| f(&model, world.get()))
            } else {
                Err(mismatch())
            };
        }
        let (model, mut data) = self.lock_with(m)?;
        self.guarded(|| thread_stack::with(&mut data, |data| f(&model, &mut data.view_mut())))
    }

    /// Run a function on the world. Where a program can have changed indices of contacts, rows or islands, a panic is an error:
    /// stages follow them without asking.
    pub(crate) fn guarded<R>(&self, f: impl FnOnce() -> R) -> PyResult<R> {
        if !self.indices_seen.load(Ordering::Relaxed) {
            return Ok(f());
        }
        catch_unwind(AssertUnwindSafe(f)).map_err(|_| {
            PyValueError::new_err(
                "indices of contacts, constraint rows or islands do not fit together; were they overwritten?",
            )
        })
    }

    /// Where an array of the workspace lies, its length in bytes, and what keeps it there.
    fn work_memory<'py>(
        slf: &Bound<'py, Self>,
        field: usize,
    ) -> PyResult<(Memory, usize, Bound<'py, PyAny>)> {
        let export = |array: Option<WorkArray<'_>>| {
            let WorkArray { bytes, block } =
                array.ok_or_else(|| PyIndexError::new_err("no such array"))?;
            let owner = match block {
                Some(address) => slf.get().block(slf.py(), address)?.into_any(),
                None => slf.clone().into_any(),
            };
            Ok((Memory::new(bytes), bytes.len(), owner))
        };
        match slf.get().borrow_lent() {
            Some(mut world) => export(world.get().work_array_mut(field)),
            None => export(slf.get().lock()?.work_array_mut(field)),
        }
    }

    /// What keeps a block of the workspace of this world in memory.
    fn block<'py>(&self, py: Python<'py>, address: usize) -> PyResult<Bound<'py, Block>> {
        let mut blocks = self.blocks();
        if let Some(block) = blocks.iter().find(|block| block.get().address == address) {
            return Ok(block.bind(py).clone());
        }
        let owner = Mutex::new(BlockOwner::World(self.world.clone()));
        let block = Bound::new(py, Block { address, owner })?;
        blocks.push(block.clone().unbind());
        Ok(block)
    }

    fn blocks(&self) -> MutexGuard<'_, Vec<Py<Block>>> {
        lock(&self.blocks)
    }

    /// A numpy view of an array of structs of the workspace.
    fn structs<'py, T>(
        slf: &Bound<'py, Self>,
        field: WorkField,
        dtype: Bound<'py, PyArrayDescr>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if dtype.itemsize() != size_of::<T>() || dtype.has_object() {
            return Err(PyTypeError::new_err("this is not the type of the struct"));
        }
        slf.get().indices_seen.store(true, Ordering::Relaxed);
        let (memory, bytes, owner) = Data::work_memory(slf, field as usize)?;
        // SAFETY: the type has the size of the struct and no pointers, and structs of the workspace are plain numbers;
        // the owner keeps the block in memory, and a block never moves
        unsafe { memory.array(dtype, [bytes / size_of::<T>()], &owner) }
    }

    /// Run a function, a callback, while whom it calls in this thread can use the world.
    pub(crate) fn lend<R>(&self, world: &mut World<'_>, f: impl FnOnce() -> R) -> R {
        /// Ends the loan, also when the function panics.
        struct End<'a>(&'a Data);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                *self.0.lent() = None;
            }
        }
        // what is exported from a world that is lent has to be memory of this one
        if NonNull::from(&mut *world.head).cast() != self.fixed.address() {
            return f();
        }
        let world = NonNull::from(world).cast();
        *self.lent() = Some(Lent { world, thread: std::thread::current().id() });
        let _end = End(self);
        f()
    }

    /// Is a callback running in this thread, that may use the world?
    pub(crate) fn is_lent(&self) -> bool {
        self.lent().as_ref().is_some_and(|lent| lent.thread == std::thread::current().id())
    }

    fn lent(&self) -> MutexGuard<'_, Option<Lent>> {
        lock(&self.lent)
    }

    /// The world that was lent to this thread, unless it is in use already.
    fn borrow_lent(&self) -> Option<Loan<'_>> {
        let thread = std::thread::current().id();
        let lent = self.lent().take_if(|lent| lent.thread == thread)?;
        Some(Loan { lent: Some(lent), data: self })
    }

    /// Copy the state and all results of another world of the same model.
    pub(crate) fn copy_from(&self, m: &Model, other: &Data) -> PyResult<()> {
        if std::ptr::eq(self, other) {
            return Ok(());
        }
        let (model, mut to) = self.lock_with(m)?;
        let from = other.lock()?;
        if !from.fits(&model) {
            return Err(mismatch());
        }
        to.copy_from(&from);
        Ok(())
    }
}

/// The lent world while it is in use.
struct Loan<'a> {
    lent: Option<Lent>,
    data: &'a Data,
}

impl Loan<'_> {
    /// The world, for shorter than the loan.
    fn get<'a>(&'a mut self) -> &'a mut World<'a> {
        match &mut self.lent {
            // SAFETY: `lend` has the world exclusively until its function returns, this runs inside that function,
            // in its thread, and no one else has the pointer while the loan lasts; the lifetime is cut to that of
            // the loan, during which the world is only reborrowed
            Some(lent) => unsafe { &mut *lent.world.cast::<World<'a>>().as_ptr() },
            None => unreachable!("a loan holds the world until it is dropped"),
        }
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        *self.data.lent() = self.lent.take();
    }
}

fn in_use() -> PyErr {
    PyRuntimeError::new_err("the data is in use by another thread, or by the step that called this")
}

/// The error for a model and data that do not belong together.
pub(crate) fn mismatch() -> PyErr {
    PyValueError::new_err("data was made for another model")
}

#[pymethods]
impl Data {
    #[new]
    fn py_new(model: ModelArg<'_>) -> PyResult<Data> {
        let mut data = dynamics::OwnedWorld::try_new(&*model.read()?).map_err(step_error)?;
        model.share_layout(&mut data);
        Ok(Data::new(data))
    }

    fn copy(&self) -> PyResult<Data> {
        Ok(Data::new(dynamics::OwnedWorld::clone(&*self.lock()?)))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.lock()?.to_bytes()))
    }

    #[staticmethod]
    fn from_bytes(model: ModelArg<'_>, bytes: &[u8]) -> PyResult<Data> {
        let mut data = dynamics::OwnedWorld::from_bytes(&*model.read()?, bytes)
            .map_err(|e| PyValueError::new_err(e.to_string()))?;
        model.share_layout(&mut data);
        Ok(Data::new(data))
    }

    /// Fingerprint of time, `qpos`, `qvel` and `act`.
    fn state_hash(&self) -> PyResult<u64> {
        Ok(self.lock()?.state_hash())
    }

    /// A numpy view of an array of a fixed size.
    fn array<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let data = slf.get();
        let header = || {
            let (_, kind, count, byte) = Header::FIELDS.iter().find(|field| field.0 == name)?;
            Some((*kind, (*count, None), *byte))
        };
        let (kind, shape, byte) = data
            .layout
            .array(name)
            .map(|(info, byte)| (info.kind, (info.rows, info.cols), byte))
            .or_else(header)
            .ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        // SAFETY: that is where the array lies, and in that shape; a world allocates this memory once and only ever
        // fills it, and the numpy array keeps the world alive
        unsafe { data.fixed.add(byte).view(kind, shape, slf.as_any()) }
    }

    /// A scalar of the header, by its number in the table.
    fn scalar<'py>(&self, py: Python<'py>, field: usize) -> PyResult<Bound<'py, PyAny>> {
        let (_, kind, _, byte) =
            *Header::FIELDS.get(field).ok_or_else(|| PyIndexError::new_err("no such scalar"))?;
        // SAFETY: the header is first in the memory, which stays in place
        unsafe { self.fixed.add(byte).number(py, kind) }
    }

    /// A numpy view of an array of the workspace, by its number in the table.
    fn work_array<'py>(slf: &Bound<'py, Self>, field: usize) -> PyResult<Bound<'py, PyAny>> {
        let (kind, cols) =
            *WORK_TYPES.get(field).ok_or_else(|| PyIndexError::new_err("no such array"))?;
        if kind == ScalarKind::I32 {
            slf.get().indices_seen.store(true, Ordering::Relaxed);
        }
        let (memory, bytes, owner) =
            Data::work_memory(slf, WorkField::contact as usize + 1 + field)?;
        let shape = (bytes / (cols * kind.size()), (cols > 1).then_some(cols));
        // SAFETY: the table has the type of the array, and the length is that of the bytes; the owner keeps the block
        // in memory, and a block never moves
        unsafe { memory.view(kind, shape, &owner) }
    }

    /// A numpy view of the contacts; the type is that of MuJoCo's struct.
    fn contacts<'py>(
        slf: &Bound<'py, Self>,
        dtype: Bound<'py, PyArrayDescr>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Data::structs::<Contact>(slf, WorkField::contact, dtype)
    }

    /// A numpy view of what the solver did; the type is that of MuJoCo's struct.
    fn solver_statistics<'py>(
        slf: &Bound<'py, Self>,
        dtype: Bound<'py, PyArrayDescr>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Data::structs::<SolverStat>(slf, WorkField::solver, dtype)
    }

    /// The nodes that the last search met are to be marked, and from now on every search marks them.
    fn watch_boxes(&self, model: ModelArg<'_>) -> PyResult<()> {
        self.with_world(&model, |m, world| world.watch_boxes(m))?.map_err(step_error)?;
        self.marks_seen.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Arrays in island order are to be filled also where one island holds everything, now and from now on.
    fn watch_islands(&self, model: ModelArg<'_>) -> PyResult<()> {
        if !self.islands_seen.load(Ordering::Relaxed) {
            self.with_world(&model, |m, world| world.watch_islands(m))?;
            self.islands_seen.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Forget what was found out in earlier steps and only makes later ones faster.
    fn forget_searches(&self) -> PyResult<()> {
        self.lock()?.forget_searches();
        Ok(())
    }

    /// Positions of the vertices of all deformable bodies, or their velocities: a copy that cannot be written to.
    fn soft_coordinates<'py>(
        &self,
        py: Python<'py>,
        velocities: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let copied = |world: &World<'_>| {
            let [x, v] = world.deformable_coordinates();
            bytemuck::cast_slice::<_, Real>(if velocities { v } else { x }).to_vec()
        };
        let numbers = match self.borrow_lent() {
            Some(mut world) => copied(world.get()),
            None => copied(&self.lock()?.view_mut()),
        };
        let rows = numbers.len() / 3;
        let array = PyArray1::from_vec(py, numbers).reshape([rows, 3])?;
        array.call_method1("setflags", (false,))?;
        Ok(array.into_any())
    }

    /// Bytes of memory that the world takes, without what Python adds.
    fn memory_size(&self) -> PyResult<usize> {
        Ok(self.lock()?.memory_size())
    }
}
