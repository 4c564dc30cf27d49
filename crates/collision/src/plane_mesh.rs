//! A plane against ellipsoids and meshes.
use ferrodyn_math::{Real, Vec3};

use crate::{ContactPoint, ContactPoints, MeshShape, Pose};

/// The most points of a plane and a mesh: three carry it. MuJoCo's `maxplanemesh`.
const MAX_MESH_POINTS: usize = 3;
/// Further points are at least this part of the bounding radius away from the first: closer ones hold no moment worth a contact.
/// MuJoCo's `tolplanemesh`.
const MIN_SEPARATION: Real = 0.3;

/// The point of a convex shape deepest below the plane, where it is within the margin.
fn deepest(plane: &Pose, support: Vec3, margin: Real) -> Option<ContactPoint> {
    let normal = plane.z_axis();
    let dist = normal.dot(support - plane.pos);
    (dist <= margin)
        .then(|| ContactPoint::new(dist, support.add_scaled(normal, -0.5 * dist), normal))
}

/// Plane and ellipsoid: at most one point, `S S d / |S d|` with `S = diag(radii)` and `d` downwards. MuJoCo: `mjc_PlaneConvex`.
pub fn plane_ellipsoid(
    plane: &Pose,
    ellipsoid: &Pose,
    radii: Vec3,
    margin: Real,
    out: &mut ContactPoints,
) {
    let dir = ellipsoid.mat.mul_transposed(-plane.z_axis());
    let local = dir.mul_elem(radii).normalize().0.mul_elem(radii);
    if let Some(point) = deepest(plane, ellipsoid.to_global(local), margin) {
        out.push(point);
    }
}

/// Plane and mesh: the deepest vertex, and two neighbours that are not close to it. MuJoCo: `mjc_PlaneConvex`.
pub fn plane_mesh(
    plane: &Pose,
    pose: &Pose,
    mesh: &MeshShape<'_>,
    bounding_radius: Real,
    margin: Real,
    out: &mut ContactPoints,
) {
    // the lowest vertex
    let normal = plane.z_axis();
    let dir = pose.mat.mul_transposed(-normal);
    let lowest = match &mesh.graph {
        Some(_) => mesh.climb_from(dir, 0),
        None => mesh.farthest(dir, None),
    };
    let support = pose.to_global(mesh.vertex(mesh.graph_vertex(lowest)));
    let Some(first) = deepest(plane, support, margin) else { return };
    out.push(first);

    // d·v > this: below the margin
    let threshold = normal.dot(pose.pos - plane.pos) - margin;
    let mut count = 1;
    let mut consider = |vertex: usize| {
        let local = mesh.vertex(vertex);
        if count < MAX_MESH_POINTS && dir.dot(local) > threshold {
            let point = pose.to_global(local);
            if (point - first.pos).norm() >= MIN_SEPARATION * bounding_radius {
                let dist = normal.dot(point - plane.pos);
                let pos = point.add_scaled(normal, -0.5 * dist);
                out.push(ContactPoint::new(dist, pos, normal));
                count += 1;
            }
        }
    };
    // vertices joined to the lowest one, or all where nobody knows
    match &mesh.graph {
        Some(graph) => {
            graph.neighbours_of(lowest).for_each(|n| consider(mesh.graph_vertex(n)));
        }
        None => (0..mesh.vertices.len()).filter(|i| *i != lowest).for_each(consider),
    }
}
