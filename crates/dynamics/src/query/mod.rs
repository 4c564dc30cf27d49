//! Questions about a world that a step does not ask: Jacobians, contact forces, rays and distances.
pub(crate) mod contact_force;
pub(crate) mod jacobian;

#[cfg(feature = "alloc")]
pub use crate::contact::geom_contacts;
pub use crate::contact::{
    RayFilter, RayHit, geom_distance, multi_ray, ray, ray_geom, ray_hfield, ray_mesh,
};
pub use crate::sensor::{object_acceleration, object_velocity};
pub use contact_force::{contact_force, decode_pyramid, encode_pyramid};
pub use ferrodyn_collision::{Hit, Pose, Ray};
pub use jacobian::{
    apply_ft, jac, jac_body, jac_body_com, jac_dot, jac_geom, jac_point_axis, jac_site,
    jac_subtree_com,
};
