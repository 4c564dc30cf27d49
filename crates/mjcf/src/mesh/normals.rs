//! Normals of vertices, and what the placement of a mesh does to vertices and normals.

use super::MeshOptions;
use super::math::MIN_VALUE;
use crate::pose::{Q4, V3, cross, dot, mat_vec, normalize, quat_to_mat, sub, transpose};

/// A face whose normal has a smaller product with that of a vertex lies across an edge: an angle above 37 degrees. MuJoCo's.
const MIN_ALIGNMENT: f64 = 0.8;
/// Beyond any vertex that is allowed: where the search for the smallest and the largest coordinate begins. MuJoCo's.
const FAR: f64 = 1e10;

/// Normals of vertices: those of the faces around, weighted by area. Unless all edges are to be
/// smooth, faces at a large angle are left out again. Sums are single precision, as in MuJoCo's
/// `mjCMesh::MakeNormal`.
pub(super) fn vertex_normals(vert: &[V3], face: &[[i32; 3]], smooth: bool) -> Vec<[f32; 3]> {
    let mut normal = vec![[0f32; 3]; vert.len()];
    // twice the area is the weight: large faces count more
    for ids in face {
        let (direction, area) = weighted_normal(vert, ids);
        for &id in ids {
            accumulate(&mut normal[id as usize], &direction, area);
        }
    }
    // what disagrees with the mean is taken out of it, so that sharp edges stay sharp
    if !smooth {
        let mut removed = vec![[0f32; 3]; vert.len()];
        for ids in face {
            let (direction, area) = weighted_normal(vert, ids);
            for &id in ids {
                let mut mean = normal[id as usize].map(f64::from);
                normalize(&mut mean);
                if dot(&direction, &mean) < MIN_ALIGNMENT {
                    accumulate(&mut removed[id as usize], &direction, area);
                }
            }
        }
        for (n, r) in normal.as_flattened_mut().iter_mut().zip(removed.as_flattened()) {
            *n -= r;
        }
    }
    // a vertex without faces points up
    for n in &mut normal {
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        *n = if f64::from(length) > MIN_VALUE { n.map(|x| x / length) } else { [0.0, 0.0, 1.0] };
    }
    normal
}

/// The unit normal of a face and twice its area.
fn weighted_normal(vert: &[V3], ids: &[i32; 3]) -> (V3, f64) {
    let [a, b, c] = ids.map(|id| &vert[id as usize]);
    let mut direction = cross(&sub(b, a), &sub(c, a));
    let area = normalize(&mut direction);
    (direction, area)
}

/// Adds in double precision, keeps in single.
fn accumulate(sum: &mut [f32; 3], direction: &V3, area: f64) {
    for (s, d) in sum.iter_mut().zip(direction) {
        *s = (f64::from(*s) + d * area) as f32;
    }
}

/// Moves the reference frame to the origin, and scales. Normals are turned, scaled and made unit. MuJoCo:
/// `mjCMesh::ApplyTransformations`.
pub(super) fn apply_placement(vert: &mut [V3], normal: &mut [[f32; 3]], options: &MeshOptions) {
    let MeshOptions { refpos, refquat, scale, .. } = options;
    // into the reference frame, then scaled along its axes
    if *refpos != [0.0; 3] {
        for v in &mut *vert {
            *v = sub(v, refpos);
        }
    }
    if *refquat != [1.0, 0.0, 0.0, 0.0] {
        let mut quat = *refquat;
        normalize(&mut quat);
        // vertices and normals turn the other way round than the frame
        let inverse = transpose(&quat_to_mat(&quat));
        for v in &mut *vert {
            *v = mat_vec(&inverse, v);
        }
        for n in &mut *normal {
            *n = mat_vec(&inverse, &n.map(f64::from)).map(|x| x as f32);
        }
    }
    if *scale != [1.0; 3] {
        for v in &mut *vert {
            *v = [v[0] * scale[0], v[1] * scale[1], v[2] * scale[2]];
        }
        for n in &mut *normal {
            for (x, s) in n.iter_mut().zip(scale) {
                *x = (f64::from(*x) * s) as f32;
            }
        }
    }
    // scaling changed their lengths
    for n in normal {
        let squared = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        *n = if f64::from(squared) > MIN_VALUE {
            let factor = 1.0 / squared.sqrt();
            n.map(|x| x * factor)
        } else {
            [0.0, 0.0, 1.0]
        };
    }
}

/// Moves a frame of the mesh to the origin; returns the smallest and the largest coordinates.
pub(super) fn move_to_frame(
    vert: &mut [V3],
    normal: &mut [[f32; 3]],
    pos: &V3,
    quat: &Q4,
) -> [f64; 6] {
    let inverse = quat_to_mat(&[quat[0], -quat[1], -quat[2], -quat[3]]);
    let (mut min, mut max) = ([FAR; 3], [-FAR; 3]);
    for v in vert {
        *v = mat_vec(&inverse, &sub(v, pos));
        for i in 0..3 {
            min[i] = v[i].min(min[i]);
            max[i] = v[i].max(max[i]);
        }
    }
    for n in normal {
        *n = mat_vec(&inverse, &n.map(f64::from)).map(|x| x as f32);
    }
    [min[0], min[1], min[2], max[0], max[1], max[2]]
}
