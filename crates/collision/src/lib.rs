//! Geometry queries of the Ferrodyn physics engine: which of many shapes are near each other, contacts between pairs of them,
//! and rays.
//!
//! Many shapes are sieved first: [`sweep`] finds the boxes that overlap among many, [`collide_trees`] those of two trees, and
//! `bounds` compares two.
//!
//! Nothing here knows of models: a shape is its sizes, a [`Pose`] is where it is. A pair function
//! appends [`ContactPoint`]s to a list; normals point from the first shape to the second.
//!
//! ```
//! use ferrodyn_collision::{ContactPoints, Pose, sphere_sphere};
//! use ferrodyn_math::Vec3;
//! let mut points = ContactPoints::new();
//! let a = Pose::at(Vec3::ZERO);
//! let b = Pose::at(Vec3::new(0.0, 0.0, 1.5));
//! sphere_sphere(&a, 1.0, &b, 1.0, 0.0, &mut points);
//! assert_eq!(points[0].dist, -0.5);
//! assert_eq!(points[0].normal, Vec3::Z);
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate alloc;

mod bounds;
mod box_box;
mod capsule_box;
mod convex;
mod height_field;
mod mesh;
mod nearest;
mod plane;
mod plane_mesh;
mod point;
mod pose;
mod ray;
mod round;
#[cfg(test)]
mod samples;
mod sdf;
mod sweep;
mod tree;
mod triangle;

pub use bounds::{
    Bounds, RelativeFrames, boxes_apart, boxes_overlap, sphere_outside_box, spheres_apart,
};
pub use box_box::box_box;
pub use capsule_box::{capsule_box, sphere_box};
pub use convex::{
    Convex, ConvexPair, ConvexSettings, ConvexShape, ConvexSolver, Element, Separation,
    convex_convex, convex_element, surface_normal,
};
pub use height_field::{HeightField, height_field_convex, height_field_element};
pub use mesh::{HullGraph, HullPolygons, MeshShape};
pub use nearest::{Nearest, Surface};
pub use plane::{plane_box, plane_capsule, plane_cylinder, plane_sphere};
pub use plane_mesh::{plane_ellipsoid, plane_mesh};
pub use point::{ContactPoint, ContactPoints, MAX_POINTS};
pub use pose::Pose;
pub use ray::{
    Flex, FlexParts, Hit, Ray, SkinHit, TriangleMesh, ray_box, ray_capsule, ray_cylinder,
    ray_ellipsoid, ray_flex, ray_height_field, ray_mesh, ray_plane, ray_skin, ray_sphere,
};
pub use round::{capsule_capsule, sphere_capsule, sphere_cylinder, sphere_sphere};
pub use sdf::{FeltMesh, Octree, SdfField, SdfSettings, SdfShape, SdfSide, ray_sdf, sdf_sdf};
pub use sweep::{
    Corner, End, Extent, Open, Order, compare_all, principal_axes, sweep, widest_axis,
};
pub use tree::{BoxTree, collide_trees, most_waiting_pairs};
pub use triangle::{Triangle, box_triangle, capsule_triangle, sphere_triangle};
