//! The bounding-volume tree over the faces of a mesh.

use crate::bvh::{Bounds, Bvh};
use crate::pose::{V3, cross, dot, sub};

/// The tree over all faces, sorted by the centres of their circles.
pub(super) fn face_tree(vert: &[V3], face: &[[i32; 3]]) -> Bvh {
    let corners = |ids: &[i32; 3]| ids.map(|id| &vert[id as usize]);
    let bounds: Vec<Bounds> = face.iter().map(|ids| face_bounds(corners(ids))).collect();
    Bvh::new(&bounds, face.iter().map(|ids| circumcentre(corners(ids))))
}

/// The bounds of a face, by way of centre and half sizes, whose rounding MuJoCo's have.
fn face_bounds(corners: [&V3; 3]) -> Bounds {
    let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
    for i in 0..3 {
        let min = corners[0][i].min(corners[1][i]).min(corners[2][i]);
        let max = corners[0][i].max(corners[1][i]).max(corners[2][i]);
        let (centre, half) = (0.5 * (min + max), 0.5 * (max - min));
        low[i] = centre - half;
        high[i] = centre + half;
    }
    [low, high]
}

/// The centre of the circle through the corners; not a number if they are in line. MuJoCo: `mjCMesh::MakeCenter`.
fn circumcentre([p, q, r]: [&V3; 3]) -> V3 {
    // r + (|a|² b - |b|² a) × (a × b) / (2 |a × b|²)
    let (a, b) = (sub(p, r), sub(q, r));
    let normal = cross(&a, &b);
    let (a2, b2) = (dot(&a, &a), dot(&b, &b));
    let area = dot(&normal, &normal).sqrt();
    let v = [a2 * b[0] - b2 * a[0], a2 * b[1] - b2 * a[1], a2 * b[2] - b2 * a[2]];
    let offset = cross(&v, &normal);
    core::array::from_fn(|i| offset[i] / (2.0 * area * area) + r[i])
}
