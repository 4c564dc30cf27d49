//! Soft matter of the Ferrodyn physics engine.
//!
//! [`material`] holds laws of elasticity and bending: pure functions of the places of a few vertices. The stages of a step, in the
//! crate `ferrodyn-dynamics`, apply them to the flexes of a model.
#![no_std]
#![forbid(unsafe_code)]

pub mod material;
