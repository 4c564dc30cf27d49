//! Warnings of a world in words, and the function of Python that hears of them.
use ferrodyn_math::Real;
use std::ffi::CString;

use ferrodyn_dynamics::StepReport;
use ferrodyn_dynamics::data::WarningStat;
use ferrodyn_dynamics::divergence::DivergedQuantity;
use ferrodyn_model::Warning;
use pyo3::exceptions::{PyRuntimeWarning, PyTypeError};
use pyo3::prelude::*;

use crate::callbacks;
use crate::rollout::Warned;

/// A number of bytes, short where it is a multiple of a power of 1024.
fn bytes(n: u64) -> String {
    let units = [(60, 'E'), (50, 'P'), (40, 'T'), (30, 'G'), (20, 'M'), (10, 'K')];
    match units.iter().find(|(bits, _)| n != 0 && n.trailing_zeros() >= *bits) {
        Some((bits, unit)) => format!("{}{unit}", n >> bits),
        None => n.to_string(),
    }
}

/// What a warning says; `info` is the number that it concerns.
fn text(warning: i32, info: u64) -> String {
    let bad =
        |what: &str| format!("{what} {info} is not finite or is huge. The simulation is unstable.");
    match Warning::try_from(warning) {
        Ok(Warning::Inertia) => format!("The inertia matrix is nearly singular at DOF {info}."),
        Ok(Warning::ContactFull) => format!("There are too many contacts (ncon = {info})."),
        Ok(Warning::ConstraintFull) => format!("Constraints need more than {} bytes.", bytes(info)),
        Ok(Warning::VisualGeomFull) => {
            format!("There are more visual geoms than maxgeom = {info}.")
        }
        Ok(Warning::BadQpos) => bad("QPOS at DOF"),
        Ok(Warning::BadQvel) => bad("QVEL at DOF"),
        Ok(Warning::BadQacc) => bad("QACC at DOF"),
        Ok(Warning::BadCtrl) => bad("CTRL of ACTUATOR"),
        Err(_) => format!("Unknown warning type {warning}."),
    }
}

fn unsigned(value: i64, name: &str) -> PyResult<u64> {
    u64::try_from(value).map_err(|_| PyTypeError::new_err(format!("{name} should not be negative")))
}

/// What a warning says; `info` is the number that it concerns.
#[pyfunction]
fn mju_warningText(warning: i32, info: i64) -> PyResult<String> {
    Ok(text(warning, unsigned(info, "info")?))
}

/// A number of bytes in words: `2048` is `2K`.
#[pyfunction]
fn mju_writeNumBytes(nbytes: i64) -> PyResult<String> {
    Ok(bytes(unsigned(nbytes, "nbytes")?))
}

/// Tell Python what went wrong in a call of the engine: the function for warnings, if there is one, hears the first
/// warning of each kind; without one, a divergence is a warning of Python. `time` is that before the call.
pub(crate) fn tell(
    py: Python<'_>,
    time: Real,
    before: &[WarningStat],
    after: &[WarningStat],
    report: &StepReport,
) -> PyResult<()> {
    let Some(function) = callbacks::user_warning(py) else {
        return match &report.divergence {
            Some(divergence) => {
                let text = CString::new(divergence.to_string())?;
                PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)
            }
            None => Ok(()),
        };
    };
    for (kind, (old, new)) in before.iter().zip(after).enumerate() {
        if old.number != 0 || new.number == 0 {
            continue;
        }
        let diverged = report.divergence.filter(|d| kind_of(d.quantity) as usize == kind);
        let time = diverged.map_or(time, |d| d.time);
        let words = text(kind as i32, u64::try_from(new.lastinfo).unwrap_or(0));
        function.call1(py, (format!("{words} Time = {time:.4}."),))?;
    }
    Ok(())
}

/// Tell Python which rollouts of a batch ended early: the function for warnings, if there is one, hears the warnings of each, in
/// their order; without one, all divergences together are a warning of Python.
pub(crate) fn tell_of_rollouts(
    py: Python<'_>,
    mut warned: Vec<Warned>,
    nbatch: usize,
) -> PyResult<()> {
    warned.sort_by_key(|rollout| rollout.rollout);
    if callbacks::user_warning(py).is_some() {
        for Warned { time, warnings, report, .. } in &warned {
            let none = vec![WarningStat::default(); warnings.len()];
            tell(py, *time, &none, warnings, report)?;
        }
        return Ok(());
    }
    let mut diverged = warned.iter().filter_map(|w| Some((w.rollout, w.report.divergence?)));
    let Some((rollout, divergence)) = diverged.next() else { return Ok(()) };
    let count = 1 + diverged.count();
    let text = CString::new(format!(
        "{count} of {nbatch} rollouts diverged and ended early; in rollout {rollout}, {divergence}"
    ))?;
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)
}

fn kind_of(quantity: DivergedQuantity) -> Warning {
    match quantity {
        DivergedQuantity::Qpos | DivergedQuantity::Deformable => Warning::BadQpos,
        DivergedQuantity::Qvel => Warning::BadQvel,
        DivergedQuantity::Qacc => Warning::BadQacc,
    }
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mju_warningText, m)?)?;
    m.add_function(wrap_pyfunction!(mju_writeNumBytes, m)?)
}
