//! The step of the Ferrodyn physics engine: one module per stage, in pipeline order.
//!
//! A [`Data`] holds the state and all results of one world in one contiguous arena. The stages work
//! on a [`World`], a view of that arena whose fields are slices under MuJoCo's names.
//!
//! ```
//! use ferrodyn_dynamics::{Data, step};
//! use ferrodyn_model::{Model, Sizes};
//! # let mut model = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
//! # model.body_mocapid[0] = -1;
//! # model.body_treeid[0] = -1;
//! let mut data = Data::new(&model);
//! step(&model, &mut data)?;
//! assert_eq!(data.time(), model.opt.timestep);
//! # Ok::<(), ferrodyn_dynamics::StepError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "alloc"),
    allow(
        dead_code,
        unused_imports,
        reason = "some functions serve only owners of growing memory"
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod acceleration;
mod actuation;
mod camlight;
mod check;
mod collision;
mod com;
mod constraint;
mod contact_force;
#[cfg(feature = "alloc")]
mod data;
mod delay;
mod derivative;
mod energy;
mod error;
mod fixed;
mod fluid;
mod fluid_derivative;
mod forward;
mod freeze;
#[cfg(feature = "alloc")]
mod growing;
#[cfg(not(feature = "alloc"))]
#[path = "growing_without.rs"]
mod growing;
mod hash;
mod header;
mod hooks;
mod implicit;
mod inertia;
mod integrate;
mod inverse;
mod island;
mod jacobian;
mod kinematics;
#[cfg(feature = "alloc")]
mod length_range;
mod memory;
mod muscle;
mod passive;
#[cfg(feature = "alloc")]
mod plugin;
#[cfg(not(feature = "alloc"))]
#[path = "plugin/without.rs"]
mod plugin;
mod position;
mod post;
mod reset;
mod rk4;
mod rne;
#[cfg(feature = "alloc")]
mod run;
mod scratch;
mod sensor;
#[cfg(feature = "alloc")]
mod setconst;
mod sleep;
mod solver;
mod spring_damper;
#[cfg(feature = "alloc")]
mod state;
mod tendon;
mod tendon_bias;
mod transmission;
mod velocity;
mod work;
mod world;
mod wrap;

pub use acceleration::fwd_acceleration;
pub use actuation::{fwd_actuation, next_activation};
pub use camlight::camlight;
pub use check::{ConstraintRow, DivergedQuantity, Divergence, DivergencePolicy, check};
#[cfg(feature = "alloc")]
pub use collision::geom_contacts;
pub use collision::{
    RayError, RayFilter, RayHit, collision, geom_distance, multi_ray, ray, ray_geom, ray_hfield,
    ray_mesh,
};
pub use com::com_pos;
pub use constraint::{
    add_contact, ball_limit_axis_angle, make_constraint, mul_jac_transposed, mul_jac_vec,
    project_constraint, reference_constraint,
};
pub use contact_force::{contact_force, decode_pyramid, encode_pyramid};
#[cfg(feature = "alloc")]
pub use data::Data;
pub use delay::{init_ctrl_history, init_sensor_history, read_ctrl};
#[cfg(feature = "alloc")]
pub use derivative::{
    Baseline, Column, DifferenceOptions, InverseMatrices, InverseOutputs, Remainder, Solution,
    Worker, analytic_columns, dense_derivative, integration_derivative, inverse_derivatives,
    smooth_velocity_derivative,
};
pub use derivative::{
    add_actuator_derivative, add_passive_derivative, quat_integrate_derivative,
    smooth_vel_derivative, sub_quat_derivative, subtract_bias_derivative,
};
pub use energy::{energy_pos, energy_vel};
pub use error::StepError;
pub use ferrodyn_collision::{Hit, Pose, Ray};
pub use fixed::{Capacity, FixedLayout};
pub use forward::{
    StepReport, check_acceleration, forward_world, fwd_kinematics, fwd_position, fwd_velocity,
    step_world,
};
#[cfg(feature = "alloc")]
pub use growing::StackMemory;
pub use header::{Header, HeaderField, WarningStat};
#[cfg(feature = "alloc")]
pub use hooks::Callbacks;
pub use hooks::{HookWorld, Hooks, NoHooks};
pub use implicit::implicit;
#[cfg(feature = "alloc")]
pub use inertia::angular_momentum_matrix;
pub use inertia::{crb, factor_m, full_m, make_m, mul_m, mul_m_half, solve_m, solve_m_half};
pub use integrate::euler;
pub use inverse::{compare_fwd_inv, constraint_update, inv_constraint, inv_position, inv_velocity};
pub use island::island;
pub use jacobian::{
    apply_ft, jac, jac_body, jac_body_com, jac_dot, jac_geom, jac_point_axis, jac_site,
    jac_subtree_com,
};
pub use kinematics::kinematics;
#[cfg(feature = "alloc")]
pub use length_range::{LengthRangeError, LengthRangeMode, LengthRangeOptions, set_length_range};
pub use muscle::{muscle_bias, muscle_dynamics, muscle_gain, muscle_gain_length};
pub use passive::passive;
pub use plugin::Plugins;
#[cfg(feature = "alloc")]
pub use plugin::{PluginError, check_plugins};
pub use position::{differentiate_pos, integrate_pos, normalize_quats};
pub use post::{object_acceleration, object_velocity, rne_post_constraint, subtree_vel};
#[cfg(feature = "alloc")]
pub use reset::{reset, reset_debug, reset_to_keyframe, set_keyframe};
pub use rk4::runge_kutta;
pub use rne::rne;
#[cfg(feature = "alloc")]
pub use run::{
    forward, forward_skip, forward_skip_with, inverse, inverse_skip, inverse_skip_with, step,
    step_n, step_n_with, step1, step1_with, step2, step2_with,
};
pub use sensor::{read_sensor, sensor_acc, sensor_pos, sensor_vel};
#[cfg(feature = "alloc")]
pub use setconst::set_const;
pub use sleep::{sleep_state, update_sleep};
pub use solver::fwd_constraint;
#[cfg(feature = "alloc")]
pub use state::{get_state, set_state, state_size};
pub use tendon::tendon;
pub use transmission::transmission;
pub use velocity::com_vel;
pub use work::{SolverStat, Work, WorkArray, WorkField, WorkRef, WorkSizes};
pub use world::{Layout, World};
pub use wrap::{WrapResult, cylinder_wrap, sphere_wrap, sphere_wrapping_plane, wrap_inside_2d};
