//! What velocity adds to the configuration: velocities of bodies and of the objects on them, rates of tendons and actuators.
mod com;
mod length;
mod object;

pub use com::com_vel;
pub(crate) use length::{actuator_velocity, flex_velocity, tendon_velocity};
pub use object::object_velocity;
pub(crate) use object::{frame_velocity, object_frame};
