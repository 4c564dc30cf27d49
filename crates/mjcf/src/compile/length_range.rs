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
    let or = spec.lengthrange.or_default();
    LengthRangeOptions {
        mode: match or.mode() {
            LengthRangeMode::None => Mode::None,
            LengthRangeMode::Muscle => Mode::Muscle,
            LengthRangeMode::MuscleUser => Mode::MuscleUser,
            LengthRangeMode::All => Mode::All,
        },
        use_existing: or.useexisting(),
        use_limit: or.uselimit(),
        accel: or.accel() as Real,
        max_force: or.maxforce() as Real,
        timeconst: or.timeconst() as Real,
        timestep: or.timestep() as Real,
        total: or.inttotal() as Real,
        interval: or.interval() as Real,
        tolerance: or.tolrange() as Real,
    }
}
