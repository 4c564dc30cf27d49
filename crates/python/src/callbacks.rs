//! MuJoCo's callbacks: functions of Python that steps call.
//!
//! They are state of this module, as in MuJoCo's package. Each call of a step takes those that are set along, as
//! hooks; the engine itself knows no globals.
use ferrodyn_math::Real;
use std::sync::{Mutex, PoisonError};

use ferrodyn_dynamics::World;
use ferrodyn_dynamics::force::{Gain, GainInput};
use ferrodyn_dynamics::hooks::{HookWorld, Hooks};
use ferrodyn_model::Stage;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyFloat;

use crate::args::{DataArg, ModelArg};
use crate::data::Data;

/// The callbacks that can be set, in the order of the slots.
#[derive(Clone, Copy)]
enum Kind {
    Control,
    Passive,
    Sensor,
    ActDyn,
    ActGain,
    ActBias,
    ContactFilter,
    GainModel,
    Time,
    UserWarning,
}

/// Number of callbacks.
const KINDS: usize = Kind::UserWarning as usize + 1;

type Slots = [Option<Py<PyAny>>; KINDS];

static SLOTS: Mutex<Slots> = Mutex::new([const { None }; KINDS]);

/// Look at the callbacks, or change them.
fn slots<R>(f: impl FnOnce(&mut Slots) -> R) -> R {
    f(&mut SLOTS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Are there callbacks that change what a step computes?
pub(crate) fn any() -> bool {
    slots(|slots| slots[..Kind::Time as usize].iter().any(Option::is_some))
}

/// The callbacks that were set, for one call of the engine.
pub(crate) struct PyHooks {
    functions: Slots,
    model: Py<PyAny>,
    data: Py<PyAny>,
    native: Py<Data>,
    /// What the first callback that failed raised; no other is called after it.
    error: Option<PyErr>,
}

impl PyHooks {
    /// The callbacks for a step of `d`; none if none are set.
    pub(crate) fn new(py: Python<'_>, m: &ModelArg<'_>, d: &DataArg<'_>) -> Option<PyHooks> {
        if !any() {
            return None;
        }
        Some(PyHooks {
            functions: slots(|slots| slots.each_ref().map(|f| f.as_ref().map(|f| f.clone_ref(py)))),
            model: m.object().clone().unbind(),
            data: d.object().clone().unbind(),
            native: d.native().clone().unbind(),
            error: None,
        })
    }

    /// What a callback raised.
    pub(crate) fn into_error(self) -> Option<PyErr> {
        self.error
    }

    /// What a callback raised; after this, callbacks are called again.
    pub(crate) fn take_error(&mut self) -> Option<PyErr> {
        self.error.take()
    }

    /// From now on hand another model to callbacks.
    pub(crate) fn use_model(&mut self, model: &Py<PyAny>) {
        self.model = Python::attach(|py| model.clone_ref(py));
    }

    /// Call a function with model, data and more arguments. The functions that it calls for the data in turn
    /// work on `world`.
    fn call<T>(
        &mut self,
        kind: Kind,
        world: Option<&mut World<'_>>,
        more: &[i64],
        convert: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Option<T> {
        if self.error.is_some() {
            return None;
        }
        let function = self.functions[kind as usize].as_ref()?;
        let result = Python::attach(|py| {
            let (m, d) = (self.model.bind(py), self.data.bind(py));
            let function = function.bind(py);
            let run = || match *more {
                [] => invoke(function, (m, d)),
                [a] => invoke(function, (m, d, a)),
                [a, b, ..] => invoke(function, (m, d, a, b)),
            };
            let value = match world {
                Some(world) => self.native.get().lend(world, run),
                None => run(),
            }?;
            convert(&value)
        });
        result.map_err(|error| self.error = Some(error)).ok()
    }

    fn number(
        &mut self,
        kind: Kind,
        name: &str,
        d: &mut HookWorld<'_, '_>,
        actuator: usize,
    ) -> Option<Real> {
        self.call(kind, Some(&mut d.view_mut()), &[actuator as i64], |value| {
            value.extract().map_err(|_| {
                PyTypeError::new_err(format!("{name} callback did not return a number"))
            })
        })
    }
}

fn invoke<'py>(
    function: &Bound<'py, PyAny>,
    args: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    function.call1(args)
}

/// What a law of gains returned: nothing, a gain and its slope, or these and whether the gain is multiplied with the input.
fn gain_of(value: &Bound<'_, PyAny>) -> PyResult<Option<Gain>> {
    if value.is_none() {
        return Ok(None);
    }
    let (value, by_velocity, times_input) = match value.extract::<(Real, Real)>() {
        Ok((value, slope)) => (value, slope, true),
        Err(_) => value.extract::<(Real, Real, bool)>().map_err(|_| {
            PyTypeError::new_err(
                "a law of gains returns None, (gain, slope) or (gain, slope, times_input)",
            )
        })?,
    };
    Ok(Some(Gain { value, by_velocity, times_input }))
}

fn nothing(_: &Bound<'_, PyAny>) -> PyResult<()> {
    Ok(())
}

impl Hooks for PyHooks {
    fn control(&mut self, _: &ferrodyn_model::Model, d: &mut HookWorld<'_, '_>) {
        self.call(Kind::Control, Some(&mut d.view_mut()), &[], nothing);
    }

    fn passive(&mut self, _: &ferrodyn_model::Model, d: &mut HookWorld<'_, '_>) {
        self.call(Kind::Passive, Some(&mut d.view_mut()), &[], nothing);
    }

    fn sensor(&mut self, _: &ferrodyn_model::Model, d: &mut HookWorld<'_, '_>, stage: Stage) {
        self.call(Kind::Sensor, Some(&mut d.view_mut()), &[stage as i64], nothing);
    }

    fn act_dyn(
        &mut self,
        _: &ferrodyn_model::Model,
        d: &mut HookWorld<'_, '_>,
        actuator: usize,
    ) -> Option<Real> {
        self.number(Kind::ActDyn, "mjcb_act_dyn", d, actuator)
    }

    fn act_gain(
        &mut self,
        _: &ferrodyn_model::Model,
        d: &mut HookWorld<'_, '_>,
        actuator: usize,
    ) -> Option<Real> {
        self.number(Kind::ActGain, "mjcb_act_gain", d, actuator)
    }

    fn act_bias(
        &mut self,
        _: &ferrodyn_model::Model,
        d: &mut HookWorld<'_, '_>,
        actuator: usize,
    ) -> Option<Real> {
        self.number(Kind::ActBias, "mjcb_act_bias", d, actuator)
    }

    fn gain(&mut self, at: &GainInput<'_>) -> Option<Gain> {
        if self.error.is_some() {
            return None;
        }
        let function = self.functions[Kind::GainModel as usize].as_ref()?;
        let result = Python::attach(|py| {
            let arguments = (at.actuator, at.length, at.velocity, at.activation, at.ctrl);
            gain_of(&function.bind(py).call1(arguments)?)
        });
        result.unwrap_or_else(|error| {
            self.error = Some(error);
            None
        })
    }

    fn contact_filter(
        &mut self,
        _: &ferrodyn_model::Model,
        _: &World<'_>,
        g1: usize,
        g2: usize,
    ) -> Option<bool> {
        self.call(Kind::ContactFilter, None, &[g1 as i64, g2 as i64], |value| {
            // as in MuJoCo's package, anything that can be made an integer, but no floating-point number
            let number = (!value.is_instance_of::<PyFloat>())
                .then(|| value.call_method0("__int__").ok())
                .flatten();
            number.and_then(|x| x.is_truthy().ok()).ok_or_else(|| {
                PyTypeError::new_err("mjcb_contactfilter callback did not return an integer")
            })
        })
    }

    fn stopped(&self) -> bool {
        self.error.is_some()
    }
}

/// Set or clear a callback.
fn set(kind: Kind, callback: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = callback.py();
    let pointer = py.import("ctypes")?.getattr("_CFuncPtr")?;
    if callback.is_instance(&pointer)? {
        return Err(PyTypeError::new_err("functions of C are not supported as callbacks"));
    }
    if !callback.is_none() && !callback.is_callable() {
        return Err(PyTypeError::new_err("callback is not an Optional[Callable]"));
    }
    let new = (!callback.is_none()).then(|| callback.clone().unbind());
    // the old one is dropped when the slots are free again: that can run code of Python
    drop(slots(|slots| std::mem::replace(&mut slots[kind as usize], new)));
    Ok(())
}

fn get(py: Python<'_>, kind: Kind) -> Option<Py<PyAny>> {
    slots(|slots| slots[kind as usize].as_ref().map(|f| f.clone_ref(py)))
}

/// The function that hears of warnings.
pub(crate) fn user_warning(py: Python<'_>) -> Option<Py<PyAny>> {
    get(py, Kind::UserWarning)
}

/// Clear all callbacks; the function for warnings stays.
#[pyfunction]
fn mj_resetCallbacks() {
    // the old ones are dropped when the slots are free again: that can run code of Python
    let old = slots(|slots| {
        let warning = slots[Kind::UserWarning as usize].take();
        let old = std::mem::replace(slots, [const { None }; KINDS]);
        slots[Kind::UserWarning as usize] = warning;
        old
    });
    drop(old);
}

macro_rules! callbacks {
    ($($kind:ident $set:ident $set_doc:literal $get:ident $get_doc:literal;)*) => {
        $(
            #[doc = $set_doc]
            #[pyfunction]
            fn $set(callback: &Bound<'_, PyAny>) -> PyResult<()> {
                set(Kind::$kind, callback)
            }

            #[doc = $get_doc]
            #[pyfunction]
            fn $get(py: Python<'_>) -> Option<Py<PyAny>> {
                get(py, Kind::$kind)
            }
        )*

        pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                m.add_function(wrap_pyfunction!($set, m)?)?;
                m.add_function(wrap_pyfunction!($get, m)?)?;
            )*
            m.add_function(wrap_pyfunction!(mj_resetCallbacks, m)?)
        }
    };
}

callbacks! {
    Control
        set_mjcb_control "Set the function `(m, d)` that sets controls; None clears it."
        get_mjcb_control "The function that sets controls.";
    Passive
        set_mjcb_passive "Set the function `(m, d)` that adds to `qfrc_passive`; None clears it."
        get_mjcb_passive "The function that adds passive forces.";
    Sensor
        set_mjcb_sensor "Set the function `(m, d, stage)` that fills in user sensors; None clears it."
        get_mjcb_sensor "The function that fills in user sensors.";
    ActDyn
        set_mjcb_act_dyn "Set the function `(m, d, id)` for user dynamics of actuators; None clears it."
        get_mjcb_act_dyn "The function for user dynamics of actuators.";
    ActGain
        set_mjcb_act_gain "Set the function `(m, d, id)` for user gains of actuators; None clears it."
        get_mjcb_act_gain "The function for user gains of actuators.";
    ActBias
        set_mjcb_act_bias "Set the function `(m, d, id)` for user biases of actuators; None clears it."
        get_mjcb_act_bias "The function for user biases of actuators.";
    ContactFilter
        set_mjcb_contactfilter "Set the function `(m, d, geom1, geom2)` that is true for geoms that shall not collide; None clears it."
        get_mjcb_contactfilter "The function that filters pairs of geoms.";
    GainModel
        set_gain_model "Set the law `(id, length, velocity, activation, ctrl)` of user gains that returns the gain and its derivative by velocity, and False after them where it is the force; None clears it. An extension."
        get_gain_model "The law of user gains.";
    Time
        set_mjcb_time "Set the function `()` that tells the time. Nothing here measures time, so it is never called."
        get_mjcb_time "The function that tells the time.";
    UserWarning
        set_mju_user_warning "Set the function `(text)` that hears of the first warning of each kind of a world; None clears it."
        get_mju_user_warning "The function that hears of warnings.";
}
