//! How much a world on a GPU has room for.
use ferrodyn_dynamics::data::{Capacity, OwnedWorld, reset, reset_to_keyframe};
use ferrodyn_dynamics::{StepError, step};
use ferrodyn_math::Real;
use ferrodyn_model::Model;

/// Steps of a trial from the reference pose and from every keyframe.
const TRIAL_STEPS: usize = 200;
/// Keyframes that are tried.
const MOST_KEYFRAMES: usize = 4;
/// How much more room there is than the trial needed: other worlds fall, slide and pile up in other ways.
const SPARE: usize = 2;
/// The least room for contacts, and for rows beside those of contacts.
const LEAST: usize = 16;

/// Room for what worlds of a model probably need: twice the most that a short trial on the processor has, with controls that change, from the
/// reference pose and the first keyframes. A step that needs more fails for its world alone, and says how much is missing.
///
/// ```
/// let model = ferrodyn::load_model(
///     "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>
///      <body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>",
/// )?;
/// // four contacts, each with four edges of its pyramid
/// let room = ferrodyn_gpu::capacity(&model)?;
/// assert!(room.contacts >= 8 && room.rows >= 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn capacity(model: &Model) -> Result<Capacity, StepError> {
    let mut world = OwnedWorld::try_new(model)?;
    let (mut contacts, mut rows, mut entries) = (0, 0, 0);
    for start in 0..=model.nkey.min(MOST_KEYFRAMES) {
        match start {
            0 => reset(model, &mut world)?,
            _ => reset_to_keyframe(model, &mut world, start - 1)?,
        }
        for i in 0..TRIAL_STEPS {
            for (k, ctrl) in world.view_mut().ctrl.iter_mut().enumerate() {
                let [low, high] = if model.actuator_ctrllimited[k] != 0 {
                    model.actuator_ctrlrange[k]
                } else {
                    [-1.0, 1.0]
                };
                // a wave of its own for each actuator, over its whole range
                let wave = ferrodyn_math::sin((i * (k % 7 + 1)) as Real * 0.05 + k as Real);
                *ctrl = 0.5 * (low + high) + 0.5 * (high - low) * wave;
            }
            // a trial that diverges has shown what it could
            if step(model, &mut world).is_err() {
                break;
            }
            let head = world.view_mut();
            contacts = contacts.max(head.head.ncon as usize);
            rows = rows.max(head.head.nefc as usize);
            entries = entries.max(head.head.nJ as usize);
        }
    }
    let most_rows = SPARE * rows + LEAST;
    let mut room = Capacity::new(model, SPARE * contacts + LEAST, most_rows);
    // rows of large models are sparse
    room.jacobian = room.jacobian.min(SPARE * entries + LEAST * model.nv);
    Ok(room)
}
