//! How the state moves: Euler, Runge-Kutta, and the implicit integrators.
pub(crate) mod euler;
pub(crate) mod implicit;
pub(crate) mod joints;
pub(crate) mod rk4;
pub(crate) mod spring_damper;

use ferrodyn_model::{Integrator, Model, Stage, Storage};

use crate::hooks::Hooks;
use crate::{StepError, World};

pub use euler::euler;
pub use implicit::implicit;
pub use joints::{differentiate_pos, integrate_pos, normalize_quats};
pub use rk4::runge_kutta;
use spring_damper::implicit_spring_damper;

/// The integrators that evaluate forces once; Runge-Kutta is replaced by Euler.
///
/// A matrix is factored again where a stage that it depends on was computed: that of Euler depends on
/// the configuration, and those of the implicit integrators also on velocity.
pub(crate) fn integrate<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    done: Stage,
    hooks: &mut impl Hooks<S>,
) -> Result<Option<usize>, StepError> {
    let factored = done >= Stage::Pos;
    match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Implicit | Integrator::ImplicitFast) => {
            implicit(m, d, done >= Stage::Vel, hooks)
        }
        Ok(Integrator::ImplicitSpringDamper) => implicit_spring_damper(m, d, hooks).map(|()| None),
        _ => euler(m, d, factored, hooks).map(|()| None),
    }
}
