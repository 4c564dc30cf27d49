//! Forces other than those of constraints: passive forces and fluids, bias forces, actuation; and the acceleration that
//! they cause.
pub(crate) mod acceleration;
pub(crate) mod actuation;
pub(crate) mod delay;
pub(crate) mod flex;
mod flex_contact;
pub(crate) mod fluid;
pub mod gain;
pub(crate) mod material;
pub(crate) mod muscle;
pub(crate) mod passive;
pub(crate) mod rne;
pub(crate) mod tendon_bias;

pub use acceleration::fwd_acceleration;
pub use actuation::{fwd_actuation, next_activation};
pub use delay::{init_ctrl_history, init_sensor_history, read_ctrl};
pub use flex::{Enabled, cotangent_bending, linear_elasticity};
pub use gain::{ActuatorGainModel, Gain, GainInput};
pub use muscle::{muscle_bias, muscle_dynamics, muscle_gain, muscle_gain_length};
pub use passive::passive;
pub use rne::{bias, rne};
