//! Warnings for what a model holds but the engine does not simulate yet.

use ferrodyn_model::plugin::{Capability, PLUGINS};
use ferrodyn_model::{DisableBit, Model};

use crate::error::{DiagnosticKind, Problem, Sink};

/// Warn of what a step leaves out, unless the model switches it off itself.
pub(super) fn warn_unsimulated(m: &Model, sink: &mut Sink) {
    let mut warn = |what: String| {
        let message = format!("{what} not simulated yet");
        sink.warn(Problem::new(DiagnosticKind::Unsupported, message));
    };
    if !m.opt.disabled(DisableBit::Sensor) && m.nsensor > 0 {
        warn(format!("{} sensors are", m.nsensor));
    }
    let shape = |slot: &i32| PLUGINS[*slot as usize].capability == Capability::Sdf;
    let others = m.plugin.iter().filter(|slot| !shape(slot)).count();
    if others > 0 {
        warn(format!("{others} plugin instances are"));
    }
}
