//! Area, volume, centre of mass and inertia of a mesh.
//!
//! The volume inside a closed surface is the sum of the signed volumes of pyramids from any point to its faces: `V = Σ (c - p)·n A / 3`.
//! Where the point is outside, faces towards it count negative, and cancel what is counted too much. Centre of mass and second moments
//! are sums over the same pyramids. Four readings of a mesh differ in what is summed: the hull's faces, the mesh's faces with sign, the
//! same without sign (holes and inverted faces then add up to nonsense that is at least positive: MuJoCo's old way), or the faces
//! themselves as a shell.
//!
//! The moments of a body fulfil `A + B ≥ C`; those of a mesh with faces turned over may not, and are refused.

use std::collections::HashSet;

use super::math::MIN_VALUE;
use super::{MeshError, MeshInertia};
use crate::pose::{V3, cross, dot, eigen, sub};

/// Where the mass of a mesh is.
pub(super) struct MassFrame {
    /// Centre of mass.
    pub(super) pos: V3,
    /// Principal axes.
    pub(super) quat: [f64; 4],
    /// Half sizes of the box with the same inertia.
    pub(super) half_sizes: V3,
    /// Volume, or area of a shell.
    pub(super) volume: f64,
}

/// Area of a triangle, its normal (unit unless the area is 0) and its centre.
fn triangle(a: &V3, b: &V3, c: &V3) -> (f64, V3, V3) {
    let centre =
        [(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0, (a[2] + b[2] + c[2]) / 3.0];
    let normal = cross(&sub(b, a), &sub(c, a));
    let length = dot(&normal, &normal).sqrt();
    // a triangle without area has no normal
    if length < MIN_VALUE {
        return (0.0, normal, centre);
    }
    (0.5 * length, normal.map(|x| x / length), centre)
}

/// The corners of a face.
fn corners<'a>(vert: &'a [V3], ids: &[i32; 3]) -> [&'a V3; 3] {
    ids.map(|id| &vert[id as usize])
}

/// Whether neighbouring faces run along their common edge in opposite directions. Faces that are
/// almost without area do not count.
pub(super) fn check_orientation(vert: &[V3], face: &[[i32; 3]]) -> Result<(), MeshError> {
    // an edge that occurs twice in the same direction has a face turned over beside it
    let mut edges = HashSet::with_capacity(3 * face.len());
    let mut repeated: Option<(i32, i32)> = None;
    for ids in face {
        let [a, b, c] = corners(vert, ids);
        // slivers of less than 3e-8 are left by modelling programs, with any orientation
        if triangle(a, b, c).0 > MIN_VALUE.sqrt() {
            for k in 0..3 {
                let edge = (ids[k], ids[(k + 1) % 3]);
                if !edges.insert(edge) {
                    // the first in order of vertices, whatever the order of faces
                    repeated = Some(repeated.map_or(edge, |first| first.min(edge)));
                }
            }
        }
    }
    repeated.map_or(Ok(()), |(a, b)| Err(MeshError::Orientation(a + 1, b + 1)))
}

/// The frame of the mass of a mesh. Of a convex mesh the faces of the hull bound the volume. MuJoCo: `mjCMesh::Process`.
pub(super) fn mass_frame(
    vert: &[V3],
    face: &[[i32; 3]],
    hull_face: &[[i32; 3]],
    mode: MeshInertia,
) -> Result<MassFrame, MeshError> {
    // pyramids from the centre of the surface are well shaped
    let centroid = face_centroid(vert, face)?;
    let bounding = if mode == MeshInertia::Convex { hull_face } else { face };
    let (total, pos) = centre_of_mass(vert, bounding, &centroid, mode);
    // nothing to weigh, or a surface that is inside out
    if total < MIN_VALUE {
        return Err(match mode {
            MeshInertia::Shell => MeshError::SmallSurface,
            _ if total < 0.0 => MeshError::NegativeVolume,
            _ => MeshError::SmallVolume,
        });
    }
    // about the centre of mass
    let (volume, inertia) = unit_inertia(vert, bounding, &pos, mode);
    let (moments, quat) = eigen(&inertia);
    check_moments(&moments)?;
    if [&pos[..], &quat, &[volume]].concat().iter().any(|x| !x.is_finite()) {
        return Err(MeshError::Inertia("volume and inertia of the mesh are not finite"));
    }
    // a box with half sizes a, b, c has I_x = m (b² + c²) / 3, hence a² = 3/2 (I_y + I_z - I_x) / m
    let half = |x: f64| 0.5 * (6.0 * x / volume).sqrt();
    let half_sizes = [
        half(moments[1] + moments[2] - moments[0]),
        half(moments[0] + moments[2] - moments[1]),
        half(moments[0] + moments[1] - moments[2]),
    ];
    Ok(MassFrame { pos, quat, half_sizes, volume })
}

/// The centre of the surface.
fn face_centroid(vert: &[V3], face: &[[i32; 3]]) -> Result<V3, MeshError> {
    let mut centroid = [0.0; 3];
    let mut total = 0.0;
    for ids in face {
        let [a, b, c] = corners(vert, ids);
        let (area, _, centre) = triangle(a, b, c);
        for i in 0..3 {
            centroid[i] += area * centre[i];
        }
        total += area;
    }
    if total < MIN_VALUE {
        return Err(MeshError::SmallSurface);
    }
    Ok(centroid.map(|x| x / total))
}

/// Volume (or area) and centre of mass of the pyramids from a point to the faces.
fn centre_of_mass(vert: &[V3], face: &[[i32; 3]], apex: &V3, mode: MeshInertia) -> (f64, V3) {
    let mut total = 0.0;
    let mut sum = [0.0; 3];
    for ids in face {
        let [a, b, c] = corners(vert, ids);
        let (area, normal, centre) = triangle(a, b, c);
        // a pyramid: height times area over three
        let volume = match mode {
            MeshInertia::Shell => area,
            MeshInertia::Legacy => (dot(&sub(&centre, apex), &normal) * area / 3.0).abs(),
            MeshInertia::Convex | MeshInertia::Exact => {
                dot(&sub(&centre, apex), &normal) * area / 3.0
            }
        };
        total += volume;
        for i in 0..3 {
            // its centre is three quarters of the way from the apex to that of the base
            sum[i] += volume * (centre[i] * 3.0 / 4.0 + apex[i] / 4.0);
        }
    }
    if total >= MIN_VALUE {
        sum = sum.map(|x| x / total);
    }
    (total, sum)
}

/// Volume (or area) and inertia matrix about a point, for unit density.
fn unit_inertia(vert: &[V3], face: &[[i32; 3]], pos: &V3, mode: MeshInertia) -> (f64, [f64; 9]) {
    const PAIRS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]];
    // ∫ x_i x_j over a tetrahedron from the origin is V/20 times the sum below, over a triangle A/12
    let factor = if mode == MeshInertia::Shell { 12.0 } else { 20.0 };
    let mut total = 0.0;
    let mut products = [0.0; 6];
    for ids in face {
        let [d, e, f] = corners(vert, ids).map(|v| sub(v, pos));
        let (area, normal, centre) = triangle(&d, &e, &f);
        let volume = match mode {
            MeshInertia::Shell => area,
            MeshInertia::Legacy => (dot(&centre, &normal) * area / 3.0).abs(),
            MeshInertia::Convex | MeshInertia::Exact => dot(&centre, &normal) * area / 3.0,
        };
        total += volume;
        for (product, [i, j]) in products.iter_mut().zip(PAIRS) {
            *product += volume / factor
                * (2.0 * (d[i] * d[j] + e[i] * e[j] + f[i] * f[j])
                    + d[i] * e[j]
                    + d[j] * e[i]
                    + d[i] * f[j]
                    + d[j] * f[i]
                    + e[i] * f[j]
                    + e[j] * f[i]);
        }
    }
    // I = tr(P) 1 - P
    let [xx, yy, zz, xy, xz, yz] = products;
    let inertia = [yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy];
    (total, inertia)
}

/// Refuses moments that no body has.
fn check_moments(moments: &V3) -> Result<(), MeshError> {
    // what rounding takes from A + B = C, which flat bodies have. MuJoCo's tolerances for bodies
    const ABSOLUTE: f64 = 1e-9;
    const RELATIVE: f64 = 1e-6;
    let [a, b, c] = *moments;
    if c <= 0.0 {
        return Err(MeshError::Inertia("eigenvalue of mesh inertia must be positive"));
    }
    let violates = |x: f64, y: f64, z: f64| x + y < z * (1.0 - RELATIVE) - ABSOLUTE;
    if violates(a, b, c) || violates(a, c, b) || violates(b, c, a) {
        return Err(MeshError::Inertia("eigenvalues of mesh inertia violate A + B >= C"));
    }
    Ok(())
}
