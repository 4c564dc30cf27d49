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
            // far enough from the first to carry a moment
            if (point - first.pos).norm() >= MIN_SEPARATION * bounding_radius {
                let dist = normal.dot(point - plane.pos);
                let pos = point.add_scaled(normal, -0.5 * dist);
                out.push(ContactPoint::new(dist, pos, normal));
                count += 1;
            }
        }
    };
    // vertices joined to the lowest one, or all where that is unknown
    match &mesh.graph {
        Some(graph) => {
            graph.neighbours_of(lowest).for_each(|n| consider(mesh.graph_vertex(n)));
        }
        None => (0..mesh.vertices.len()).filter(|i| *i != lowest).for_each(consider),
    }
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::{Quat, by_precision, sqrt};

    use super::*;
    use crate::HullPolygons;

    const TOLERANCE: Real = by_precision(1e-12, 1e-5);

    #[test]
    fn an_ellipsoid_reaches_as_far_as_its_support() {
        // turned by 30 degrees about x: reach² = (2 sin 30°)² + (3 cos 30°)²
        let mat = Quat::from_axis_angle(Vec3::X, ferrodyn_math::PI / 6.0).to_mat();
        let ellipsoid = Pose { pos: Vec3::new(5.0, 0.0, 2.7), mat };
        let floor = Pose::at(Vec3::ZERO);
        let mut points = ContactPoints::new();
        plane_ellipsoid(&floor, &ellipsoid, Vec3::new(1.0, 2.0, 3.0), 0.0, &mut points);
        assert_eq!(points.len(), 1);
        assert!((points[0].dist - (2.7 - sqrt(7.75))).abs() < TOLERANCE);
        assert_eq!(points[0].normal, Vec3::Z);
        let higher = Pose { pos: Vec3::new(5.0, 0.0, 2.8), mat };
        plane_ellipsoid(&floor, &higher, Vec3::new(1.0, 2.0, 3.0), 0.0, &mut points);
        assert_eq!(points.len(), 1, "2.8 is above the plane");
    }

    #[test]
    fn a_mesh_rests_on_three_vertices_that_are_not_close() {
        let polygons = HullPolygons {
            normal: &[],
            vertex_address: &[],
            vertex_count: &[],
            vertex: &[],
            polygon_address: &[],
            polygon_count: &[],
            polygon: &[],
        };
        // a cube, and a vertex beside the first of its corners
        let corner = |i: usize| [0, 1, 2].map(|k| if i & (1 << k) != 0 { 0.5 } else { -0.5 });
        let mut vertices: [[f32; 3]; 9] = core::array::from_fn(|i| corner(i.max(1) - 1));
        vertices[1] = [-0.45, -0.5, -0.5];
        let mesh = MeshShape { vertices: &vertices, graph: None, polygons };
        let mut points = ContactPoints::new();
        let pose = Pose::at(Vec3::new(0.0, 0.0, 0.4));
        plane_mesh(&Pose::at(Vec3::ZERO), &pose, &mesh, sqrt(0.75), 0.0, &mut points);
        assert_eq!(points.len(), 3);
        for (i, point) in points.iter().enumerate() {
            assert!((point.dist + 0.1).abs() < TOLERANCE);
            assert!(points[..i].iter().all(|other| (other.pos - point.pos).norm() > 0.9));
        }
    }
}
