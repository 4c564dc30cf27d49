//! Rays against the triangles of a skin, which has no tree: its vertices move.
use ferrodyn_math::{Real, Vec3};

use super::mesh::{Across, ray_triangle};
use super::{Ray, ray_box};
use crate::Pose;

/// Where a ray meets a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinHit {
    /// Distance from the origin, in units of the length of the ray's direction.
    pub distance: Real,
    /// The vertex of the triangle that is nearest.
    pub vertex: usize,
}

/// Ray and triangles, which count from both sides; those that name no vertices do not count. MuJoCo: `mju_raySkin`.
pub fn ray_skin(ray: &Ray, faces: &[[i32; 3]], vertices: &[[f32; 3]]) -> Option<SkinHit> {
    // a box around all vertices
    let (mut least, mut most) = ([0.0; 3], [0.0; 3]);
    for (i, v) in vertices.iter().enumerate() {
        for k in 0..3 {
            let x = v[k] as Real;
            if i == 0 || x < least[k] {
                least[k] = x;
            }
            if i == 0 || x > most[k] {
                most[k] = x;
            }
        }
    }
    let (least, most) = (Vec3(least), Vec3(most));
    ray_box(ray, &Pose::at((least + most) * 0.5), (most - least) * 0.5)?;

    let across = Across::new(ray.dir);
    let mut best: Option<SkinHit> = None;
    for face in faces {
        let corner = |i: usize| {
            let id = usize::try_from(face[i]).ok()?;
            Some((id, Vec3(vertices.get(id)?.map(|x| x as Real))))
        };
        let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { continue };
        let Some((distance, _)) = ray_triangle([a.1, b.1, c.1], ray, &across) else { continue };
        if best.is_some_and(|best| distance >= best.distance) {
            continue;
        }
        // the corner nearest to where it is met, the first of equals
        let met = ray.at(distance);
        let (mut vertex, mut nearest) = (a.0, (met - a.1).norm());
        for (id, position) in [b, c] {
            let away = (met - position).norm();
            if away < nearest {
                (vertex, nearest) = (id, away);
            }
        }
        best = Some(SkinHit { distance, vertex });
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_vertex_of_the_nearest_triangle_is_told() {
        let vertices = [
            [-1.0, -1.0, 0.0],
            [1.0, -1.0, 0.0],
            [0.0, 1.0, 0.0],
            [-1.0, -1.0, 1.0],
            [1.0, -1.0, 1.0],
            [0.0, 1.0, 1.0],
        ];
        let ray = Ray { origin: Vec3::new(0.6, -0.8, 5.0), dir: Vec3::new(0.0, 0.0, -2.0) };
        let hit = |faces: &[[i32; 3]]| ray_skin(&ray, faces, &vertices);
        assert_eq!(hit(&[[0, 1, 2]]), Some(SkinHit { distance: 2.5, vertex: 1 }));
        assert_eq!(hit(&[[0, 1, 2], [3, 4, 5]]), Some(SkinHit { distance: 2.0, vertex: 4 }));
        // a triangle that names no vertices, and a ray that goes away
        assert_eq!(hit(&[[0, 1, 9], [-1, 1, 2]]), None);
        let away = Ray { dir: Vec3::Z, ..ray };
        assert_eq!(ray_skin(&away, &[[0, 1, 2]], &vertices), None);
        assert_eq!(ray_skin(&ray, &[], &[]), None);
    }
}
