//! What users ask of a world: full Jacobians, contact forces, rays and distances, the surfaces of skins. A step needs none of the functions that are defined here.
mod jacobian;
mod skin;

pub use crate::constraint::contact_force::{contact_force, decode_pyramid, encode_pyramid};
#[cfg(feature = "alloc")]
pub use crate::contact::geom_contacts;
pub use crate::contact::{
    RayFilter, RayHit, geom_distance, multi_ray, ray, ray_flex, ray_geom, ray_hfield, ray_mesh,
};
pub use crate::position::chain::apply_ft;
pub use crate::sensor::object_acceleration;
pub use crate::velocity::object_velocity;
pub use ferrodyn_collision::{FlexParts, Hit, Pose, Ray, SkinHit, ray_skin};
pub use jacobian::{
    jac, jac_body, jac_body_com, jac_dot, jac_geom, jac_point_axis, jac_site, jac_subtree_com,
};
pub use skin::{skin_faces, skin_surface};
