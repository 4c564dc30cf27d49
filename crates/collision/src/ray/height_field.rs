//! Rays against height fields: base, surface, and the sides between them.
//!
//! The base is a box below zero. The surface lies in a box above it: only the triangles under the part of the ray in
//! that box are tried. The four sides between base and surface are met where the ray crosses a side of the box below
//! the surface's edge.
use ferrodyn_math::{Real, Vec3, ceil, floor};

use super::flat::box_faces;
use super::mesh::{Across, ray_triangle};
use super::{Hit, Ray, ray_box};
use crate::{HeightField, Pose};

/// The nodes under a segment of the ray, with one more on either side.
fn nodes(a: Real, b: Real, count: usize) -> core::ops::Range<usize> {
    // casts saturate, and NaN becomes 0
    let low = floor(a.min(b)) as i64 - 1;
    let high = (ceil(a.max(b)) as i64).saturating_add(1);
    low.max(0) as usize..high.clamp(0, count as i64 - 1) as usize
}

/// Ray and height field. MuJoCo: `mj_rayHfield`.
pub fn ray_height_field(ray: &Ray, pose: &Pose, field: &HeightField<'_>) -> Option<Hit> {
    let [half_x, half_y, top, base] = field.size;
    // both boxes have their centre half their height from z = 0
    let along = |z: Real| Pose { pos: pose.pos + pose.z_axis() * z * 0.5, mat: pose.mat };
    let on_base = ray_box(ray, &along(-base), Vec3::new(half_x, half_y, base * 0.5));
    let top_size = Vec3::new(half_x, half_y, top * 0.5);
    let faces = box_faces(ray, &along(top), top_size).unwrap_or([-1.0; 6]);
    let enter = faces.iter().copied().filter(|x| *x >= 0.0).reduce(Real::min);
    let (Some(enter), true) = (enter, field.rows > 1 && field.columns > 1) else {
        return on_base;
    };

    // the best so far, with its normal in the frame of the field
    let mut best = on_base.map(|hit| (hit.distance, pose.mat.mul_transposed(hit.normal)));
    let local = ray.to_local(pose);
    let (p, v) = (local.origin, local.dir);

    // the part of the ray in the box around the surface
    // from the first face to the last; from the origin of the ray where it begins inside
    let mut segment = [0.0, enter];
    for x in faces {
        if x > segment[1] {
            segment = [enter, x];
        }
    }
    // in units of cells
    let spacing @ [dx, dy] = field.spacing();
    let [x0, x1] = segment.map(|s| (p[0] + s * v[0] + half_x) / dx);
    let [y0, y1] = segment.map(|s| (p[1] + s * v[1] + half_y) / dy);

    // the triangles under it
    let across = Across::new(v);
    for r in nodes(y0, y1, field.rows) {
        for c in nodes(x0, x1, field.columns) {
            let (first, last) = (field.node(spacing, r, c), field.node(spacing, r + 1, c + 1));
            let triangles = [
                [first, field.node(spacing, r, c + 1), last],
                [first, last, field.node(spacing, r + 1, c)],
            ];
            for triangle in triangles {
                if let Some(found) = ray_triangle(triangle, &local, &across)
                    && best.is_none_or(|(x, _)| found.0 < x)
                {
                    best = Some(found);
                }
            }
        }
    }

    // the sides below the surface
    for (i, &x) in faces[..4].iter().enumerate() {
        if x < 0.0 || best.is_some_and(|(found, _)| x >= found) {
            continue;
        }
        // in units of elevations; the edge of the surface is linear between two nodes
        let height = (p[2] + x * v[2]) / top;
        // sides along y first, then along x
        let (along, count) = if i < 2 {
            ((p[1] + x * v[1] + half_y) / dy, field.rows)
        } else {
            ((p[0] + x * v[0] + half_x) / dx, field.columns)
        };
        // the nodes on either side, and the edge between them
        let cell = floor(along).clamp(0.0, (count - 2) as Real);
        let data = |k: usize| {
            let (r, c) = match i {
                0 => (k, 0),
                1 => (k, field.columns - 1),
                2 => (0, k),
                _ => (field.rows - 1, k),
            };
            field.data[r * field.columns + c] as Real
        };
        let (z0, z1) = (data(cell as usize), data(cell as usize + 1));
        if height < z0 * (cell + 1.0 - along) + z1 * (along - cell) {
            let mut normal = Vec3::ZERO;
            normal[i / 2] = if i % 2 == 0 { -1.0 } else { 1.0 };
            best = Some((x, normal));
        }
    }
    let (distance, normal) = best?;
    Hit::new(distance, &pose.mat * normal)
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::by_precision;

    use super::*;

    /// Three by three nodes, two wide, of elevation `0.5 + x/4`.
    const DATA: [f32; 9] = [0.25, 0.5, 0.75, 0.25, 0.5, 0.75, 0.25, 0.5, 0.75];
    const FIELD: HeightField<'static> =
        HeightField { rows: 3, columns: 3, size: [1.0, 1.0, 1.0, 0.2], data: &DATA };

    fn cast(origin: [Real; 3], dir: [Real; 3]) -> Option<(Real, Vec3)> {
        let ray = Ray { origin: Vec3(origin), dir: Vec3(dir) };
        let hit = ray_height_field(&ray, &Pose::at(Vec3::ZERO), &FIELD)?;
        Some((hit.distance, hit.normal))
    }

    fn expect(found: Option<(Real, Vec3)>, distance: Real, normal: Vec3) {
        let (x, n) = found.unwrap();
        let tolerance = by_precision(1e-12, 1e-5);
        assert!((x - distance).abs() < tolerance && (n - normal).norm() < tolerance, "{x} {n:?}");
    }

    #[test]
    fn surface_sides_and_base_are_met() {
        let slope = Vec3::new(-0.25, 0.0, 1.0).normalize().0;
        expect(cast([0.3, 0.4, 3.0], [0.0, 0.0, -2.0]), (3.0 - 0.575) / 2.0, slope);
        // the side x = 1 is 0.75 high, the side x = -1 is 0.25 high
        expect(cast([3.0, 0.2, 0.7], [-1.0, 0.0, 0.0]), 2.0, Vec3::X);
        expect(cast([-3.0, 0.2, 0.2], [1.0, 0.0, 0.0]), 2.0, -Vec3::X);
        // above that side, on to the surface at 0.5 + x/4 = 0.5
        expect(cast([-3.0, 0.2, 0.5], [1.0, 0.0, 0.0]), 3.0, slope);
        expect(cast([0.3, 0.4, -2.0], [0.0, 0.0, 1.0]), 1.8, -Vec3::Z);
        assert!(cast([3.0, 0.2, 0.8], [-1.0, 0.0, 0.0]).is_none(), "over everything");
        assert!(cast([1.2, 0.0, 3.0], [0.0, 0.0, -1.0]).is_none(), "beside the field");
    }
}
