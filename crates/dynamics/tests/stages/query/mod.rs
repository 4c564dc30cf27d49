//! Questions that a step does not ask.
mod jacobian;
mod skin;
