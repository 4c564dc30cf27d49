//! Temporary memory for steps: one block for each thread, whatever the number of worlds.
use std::cell::Cell;

use ferrodyn_dynamics::OwnedWorld;
use ferrodyn_dynamics::data::StackMemory;

thread_local! {
    static STACK: Cell<StackMemory> = Cell::default();
}

/// Run a function on a world that has the temporary memory of this thread meanwhile. A function that is called within, by a
/// hook, begins with none.
///
/// ```
/// use ferrodyn::thread_stack;
/// let model = ferrodyn::load_model("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")?;
/// let mut data = model.make_data();
/// thread_stack::with(&mut data, |data| ferrodyn::dynamics::step::step(&model, data))?;
/// assert_eq!(data.time(), 0.002);
/// # Ok::<(), ferrodyn::Error>(())
/// ```
pub fn with<R>(data: &mut OwnedWorld, f: impl FnOnce(&mut OwnedWorld) -> R) -> R {
    let mut stack = STACK.take();
    data.swap_stack(&mut stack);
    let result = f(data);
    data.swap_stack(&mut stack);
    data.compact();
    STACK.set(stack);
    result
}
