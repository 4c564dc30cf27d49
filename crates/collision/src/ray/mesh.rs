//! Rays against triangles, and meshes of them.
//!
//! A triangle is looked at along the ray: its corners projected on two directions across it. The ray is a point there,
//! the origin, and meets the triangle where the origin is inside of the projected one. A mesh has a binary tree of
//! boxes; boxes that the ray misses are left out with all that is in them.
use ferrodyn_math::{MIN_VAL, Real, Vec3};

use super::flat::meets_slab;
use super::{Hit, Ray, ray_box};
use crate::{Bounds, Pose};

/// Deeper trees are not made: MuJoCo's `mjMAXTREEDEPTH`.
const MAX_DEPTH: usize = 50;

/// The triangles of a mesh and a tree of boxes over them.
#[derive(Clone, Copy, Debug)]
pub struct TriangleMesh<'a> {
    /// Half sizes of a box around the mesh, centred at the origin.
    pub half_sizes: Vec3,
    /// Vertices.
    pub vertices: &'a [[f32; 3]],
    /// Triangles, as vertices.
    pub faces: &'a [[i32; 3]],
    /// Boxes of the tree; the first is its root.
    pub bounds: &'a [Bounds],
    /// Children of each box, -1 for none.
    pub children: &'a [[i32; 2]],
    /// The triangle in each box, -1 where there are children.
    pub face: &'a [i32],
}

/// Two directions across a ray, in which triangles are looked at.
pub(super) struct Across([Vec3; 2]);

impl Across {
    /// Two unit vectors across a direction and across each other, begun with the coordinate axes that it is least along.
    pub(super) fn new(dir: Vec3) -> Across {
        let size = |i: usize| dir[i].abs();
        let mut b0 = Vec3::new(1.0, 1.0, 1.0);
        if size(0) >= size(1) && size(0) >= size(2) {
            b0[0] = 0.0;
        } else if size(1) >= size(2) {
            b0[1] = 0.0;
        } else {
            b0[2] = 0.0;
        }
        let b1 = b0.add_scaled(dir, -dir.dot(b0) / dir.dot(dir)).normalize().0;
        Across([b1.cross(dir).normalize().0, b1])
    }
}

/// Distance and normal, both in the frame of the triangle; nothing behind the origin. MuJoCo: `ray_triangle`.
pub(super) fn ray_triangle(v: [Vec3; 3], local: &Ray, across: &Across) -> Option<(Real, Vec3)> {
    // the triangle as the ray sees it: the ray is at the origin
    let dif = v.map(|v| v - local.origin);
    let [x, y] = across.0.map(|b| dif.map(|d| b.dot(d)));
    // all corners on one side of the ray
    for planar in [x, y] {
        if planar.iter().all(|p| *p > 0.0) || planar.iter().all(|p| *p < 0.0) {
            return None;
        }
    }

    // is the ray inside of the projected triangle?
    // the origin as v₂ + t₀ (v₀ - v₂) + t₁ (v₁ - v₂)
    let a = [x[0] - x[2], x[1] - x[2], y[0] - y[2], y[1] - y[2]];
    let b = [-x[2], -y[2]];
    let det = a[0] * a[3] - a[1] * a[2];
    // seen from the side: a line
    if det.abs() < MIN_VAL {
        return None;
    }
    let t0 = (a[3] * b[0] - a[1] * b[1]) / det;
    let t1 = (-a[2] * b[0] + a[0] * b[1]) / det;
    if t0 < 0.0 || t1 < 0.0 || t0 + t1 > 1.0 {
        return None;
    }

    // where does it meet the plane?
    // (o + t d - v₂)·n = 0
    let normal = (v[0] - v[2]).cross(v[1] - v[2]);
    let denominator = local.dir.dot(normal);
    // parallel to the plane
    if denominator.abs() < MIN_VAL {
        return None;
    }
    let distance = -(local.origin - v[2]).dot(normal) / denominator;
    (distance >= 0.0).then(|| (distance, normal.normalize().0))
}

impl TriangleMesh<'_> {
    fn triangle(&self, face: usize) -> Option<[Vec3; 3]> {
        let face = self.faces.get(face)?;
        let vertex = |i: usize| {
            let v = self.vertices.get(usize::try_from(face[i]).ok()?)?;
            Some(Vec3(v.map(|x| x as Real)))
        };
        Some([vertex(0)?, vertex(1)?, vertex(2)?])
    }
}

/// Ray and mesh, whose triangles count from both sides.
///
/// `mark` is called for each box of the tree that the ray goes through, where the box has children
/// or its triangle is the nearest so far. MuJoCo: `mj_rayMesh`.
pub fn ray_mesh(
    ray: &Ray,
    pose: &Pose,
    mesh: &TriangleMesh<'_>,
    mut mark: impl FnMut(usize),
) -> Option<Hit> {
    ray_box(ray, pose, mesh.half_sizes)?;
    let local = ray.to_local(pose);
    let across = Across::new(local.dir);
    let mut best: Option<(Real, Vec3)> = None;
    // boxes that are still to be looked at, depth first; a level leaves one of them behind
    let mut stack = [0u32; MAX_DEPTH + 2];
    let mut len = 1;
    while len > 0 {
        len -= 1;
        let node = stack[len] as usize;
        let Some(bounds) = mesh.bounds.get(node) else { continue };
        // the ray misses the box, and all that is in it
        if !meets_slab(&local, bounds) {
            continue;
        }
        // a leaf
        if let Ok(face) = usize::try_from(mesh.face[node]) {
            let found = mesh.triangle(face).and_then(|v| ray_triangle(v, &local, &across));
            if let Some(found) = found
                && best.is_none_or(|(x, _)| found.0 < x)
            {
                best = Some(found);
                mark(node);
            }
            continue;
        }
        mark(node);
        for child in mesh.children[node] {
            if let (Ok(child), Some(slot)) = (u32::try_from(child), stack.get_mut(len)) {
                *slot = child;
                len += 1;
            }
        }
    }
    let (distance, normal) = best?;
    Hit::new(distance, &pose.mat * normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearer_of_two_triangles_is_met() {
        let vertices = [
            [-1.0, -1.0, 0.0],
            [1.0, -1.0, 0.0],
            [0.0, 1.0, 0.0],
            [-1.0, -1.0, 1.0],
            [1.0, -1.0, 1.0],
            [0.0, 1.0, 1.0],
        ];
        let mesh = TriangleMesh {
            half_sizes: Vec3::new(1.0, 1.0, 1.0),
            vertices: &vertices,
            faces: &[[0, 1, 2], [3, 4, 5]],
            bounds: &[
                [0.0, 0.0, 0.5, 1.0, 1.0, 0.5],
                [0.0, 0.0, 0.0, 1.0, 1.0, 0.01],
                [0.0, 0.0, 1.0, 1.0, 1.0, 0.01],
            ],
            children: &[[1, 2], [-1, -1], [-1, -1]],
            face: &[-1, 0, 1],
        };
        let pose = Pose::at(Vec3::new(0.0, 0.0, 1.0));
        let ray = Ray { origin: Vec3::new(0.1, 0.0, 5.0), dir: Vec3::new(0.0, 0.0, -1.0) };
        let hit = ray_mesh(&ray, &pose, &mesh, |_| ()).unwrap();
        assert_eq!((hit.distance, hit.normal), (3.0, Vec3::Z));
        let aside = Ray { origin: Vec3::new(0.9, 0.9, 5.0), ..ray };
        assert!(ray_mesh(&aside, &pose, &mesh, |_| ()).is_none());
    }
}
