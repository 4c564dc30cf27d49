//! Tests of the stages, in a tree that mirrors `src`: what tests one stage lies under its name, and what goes through several of them
//! under `forward`.
//!
//! In single precision only what holds for any rounding is compiled; the others compare with digits that it does not have.

mod contact;
#[cfg(not(feature = "f32"))]
mod support;

#[cfg(not(feature = "f32"))]
mod constants;
#[cfg(not(feature = "f32"))]
mod constraint {
    mod contact;
    mod equality;
    mod island;
    mod limit;
}
#[cfg(not(feature = "f32"))]
mod data {
    mod fixed;
    mod owned;
}
#[cfg(not(feature = "f32"))]
mod derivative;
#[cfg(not(feature = "f32"))]
mod divergence;
#[cfg(not(feature = "f32"))]
mod force {
    mod actuation;
    mod delay;
    mod fluid;
    mod muscle;
    mod passive;
}
#[cfg(not(feature = "f32"))]
mod forward {
    mod flags;
    mod tendon_forces;
}
#[cfg(not(feature = "f32"))]
mod hooks;
#[cfg(not(feature = "f32"))]
mod integrate;
#[cfg(not(feature = "f32"))]
mod inverse;
#[cfg(not(feature = "f32"))]
mod position {
    pub(crate) mod inertia;
    mod kinematics;
    mod tendon;
    pub(crate) mod transmission;
    mod wrap;
}
#[cfg(not(feature = "f32"))]
mod sensor;
#[cfg(not(feature = "f32"))]
mod sleep;
#[cfg(not(feature = "f32"))]
mod solver;
