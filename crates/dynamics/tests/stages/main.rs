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
    mod impedance;
    mod island;
    mod limit;
    mod project;
    mod spread;
}
#[cfg(not(feature = "f32"))]
mod data {
    mod fixed;
    mod owned;
    mod reset;
    mod state;
    mod worlds;
}
#[cfg(not(feature = "f32"))]
mod derivative;
#[cfg(not(feature = "f32"))]
mod divergence;
#[cfg(not(feature = "f32"))]
mod force {
    mod acceleration;
    mod actuation;
    mod delay;
    mod flex;
    mod flex_contact;
    mod fluid;
    mod gain;
    mod material;
    mod muscle;
    mod passive;
    mod rne;
    mod tendon_bias;
}
#[cfg(not(feature = "f32"))]
mod forward {
    mod flags;
    mod ill_conditioned;
    mod tendon_forces;
}
#[cfg(not(feature = "f32"))]
mod hooks;
#[cfg(not(feature = "f32"))]
mod integrate;
#[cfg(not(feature = "f32"))]
mod inverse;
mod lanes {
    mod stages;
}
#[cfg(not(feature = "f32"))]
mod plugin;
#[cfg(not(feature = "f32"))]
mod position {
    mod camlight;
    mod com;
    mod flex;
    mod flex_strain;
    pub(crate) mod inertia;
    mod kinematics;
    mod tendon;
    pub(crate) mod transmission;
    mod wrap;
}
#[cfg(not(feature = "f32"))]
mod query;
#[cfg(not(feature = "f32"))]
mod sensor;
#[cfg(not(feature = "f32"))]
mod sleep;
mod soft;
#[cfg(not(feature = "f32"))]
mod solver;
#[cfg(not(feature = "f32"))]
mod step;
#[cfg(not(feature = "f32"))]
mod team;
#[cfg(not(feature = "f32"))]
mod velocity {
    mod com;
    mod length;
}
