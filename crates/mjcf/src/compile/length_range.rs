//! Length ranges of actuators, as the compiler's settings ask for them.

use ferrodyn_dynamics::constants::{LengthRangeMode as Mode, LengthRangeOptions, set_length_range};
use ferrodyn_math::Real;
use ferrodyn_model::Model;

use super::tree::problem;
use crate::error::Sink;
use crate::keywords::LengthRangeMode;
use crate::spec::Spec;

/// Finds the ranges that are asked for; one that cannot be found is an error.
pub(super) fn fill(m: &mut Model, spec: &Spec, sink: &mut Sink) {
    let options = options(spec);
    for i in 0..m.nu {
        let Err(error) = set_length_range(m, i, &options) else { continue };
        let Some(object) = spec.actuators.get(i) else { continue };
        let element = object.attr.kind.element();
        let problem = problem(element, &object.name, object.span, &error.to_string());
        sink.error(problem);
    }
}

fn options(spec: &Spec) -> LengthRangeOptions {
    let a = &spec.lengthrange;
    let default = LengthRangeOptions::default();
    let real = |given: Option<f64>, default: Real| given.map_or(default, |x| x as Real);
    LengthRangeOptions {
        mode: match a.mode {
            None => default.mode,
            Some(LengthRangeMode::None) => Mode::None,
            Some(LengthRangeMode::Muscle) => Mode::Muscle,
            Some(LengthRangeMode::MuscleUser) => Mode::MuscleUser,
            Some(LengthRangeMode::All) => Mode::All,
        },
        use_existing: a.useexisting.unwrap_or(default.use_existing),
        use_limit: a.uselimit.unwrap_or(default.use_limit),
        accel: real(a.accel, default.accel),
        max_force: real(a.maxforce, default.max_force),
        timeconst: real(a.timeconst, default.timeconst),
        timestep: real(a.timestep, default.timestep),
        total: real(a.inttotal, default.total),
        interval: real(a.interval, default.interval),
        tolerance: real(a.tolrange, default.tolerance),
    }
}
