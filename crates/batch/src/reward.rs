//! What a user judges a world by.
use ferrodyn_dynamics::World;
use ferrodyn_model::Model;

/// The reward of a world after a call that stepped it. Closures are rewards.
///
/// The world is as a step leaves it: `qpos` and `qvel` are those after the step, and what is computed from them (`xpos`, contacts,
/// forces) those from which the last step was taken, as in MuJoCo. Arrays that a step of this model leaves out (`cacc`, where no sensor needs it) mean nothing
/// here. Several threads ask at once.
///
/// ```
/// use ferrodyn::{BatchSim, load_model};
/// let model = load_model(
///     "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='0 0 -1'/></body></worldbody></mujoco>",
/// )?;
/// let mut batch = BatchSim::new(model.shared(), 2)?;
/// batch.set_reward(|_: &ferrodyn::ModelArrays, d: &ferrodyn::dynamics::World<'_>| -d.qvel[0].abs());
/// assert_eq!(batch.step_all()?.rewards, [0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RewardFn: Send + Sync {
    /// The reward. Where parameters vary from world to world, `model` is the model that they vary from.
    fn compute(&self, model: &Model, world: &World<'_>) -> f64;
}

impl<F: Fn(&Model, &World<'_>) -> f64 + Send + Sync> RewardFn for F {
    fn compute(&self, model: &Model, world: &World<'_>) -> f64 {
        self(model, world)
    }
}

/// Whether a world has come to an end: a walker that fell, a goal that was reached. Closures are such functions.
pub trait TerminationFn: Send + Sync {
    /// Is it over? Asked after the reward, about the same world.
    fn is_over(&self, model: &Model, world: &World<'_>) -> bool;
}

impl<F: Fn(&Model, &World<'_>) -> bool + Send + Sync> TerminationFn for F {
    fn is_over(&self, model: &Model, world: &World<'_>) -> bool {
        self(model, world)
    }
}
