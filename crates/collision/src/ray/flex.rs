//! Rays against flexes: what is drawn of them can be met.
use ferrodyn_math::{Mat3, Quat, Real, Vec3};

use super::mesh::{Across, ray_triangle};
use super::{Hit, Ray, ray_box, ray_capsule, ray_sphere};
use crate::Pose;

/// A flex in the world.
#[derive(Clone, Copy, Debug)]
pub struct Flex<'a> {
    /// Elements are edges (1), triangles (2) or tetrahedra (3).
    pub dim: usize,
    /// Radius of vertices and edges.
    pub radius: Real,
    /// Positions of vertices.
    pub vertices: &'a [Vec3],
    /// Vertices of edges.
    pub edges: &'a [[i32; 2]],
    /// Vertices of elements, `dim + 1` for each.
    pub elements: &'a [i32],
    /// How far from the surface each element is, in elements.
    pub layers: &'a [i32],
}

/// Which parts of a flex can be met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlexParts {
    /// Vertices, as spheres; only without edges.
    pub vertices: bool,
    /// Edges, as capsules.
    pub edges: bool,
    /// Triangles, or the sides of the tetrahedra of one layer.
    pub faces: bool,
    /// Edges and the outermost layer.
    pub skin: bool,
    /// The layer of tetrahedra whose sides can be met.
    pub layer: i32,
}

/// The sides of a tetrahedron; the first is that of a triangle.
const SIDES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];

impl Flex<'_> {
    fn vertex(&self, v: i32) -> Vec3 {
        self.vertices[v as usize]
    }

    /// The box around all vertices, with the radius.
    fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let first = *self.vertices.first()?;
        let (mut low, mut high) = (first, first);
        for v in self.vertices {
            for k in 0..3 {
                low[k] = if low[k] > v[k] { v[k] } else { low[k] };
                high[k] = if high[k] < v[k] { v[k] } else { high[k] };
            }
        }
        let margin = Vec3::new(self.radius, self.radius, self.radius);
        let (low, high) = (low - margin, high + margin);
        Some(((low + high) * 0.5, (high - low) * 0.5))
    }
}

/// The nearest hit so far, and the vertex next to it.
struct Nearest(Option<(Hit, i32)>);

impl Nearest {
    /// Take a hit if it is nearer.
    fn offer(&mut self, hit: Option<Hit>, vertex: impl FnOnce(&Hit) -> i32) {
        if let Some(hit) = hit
            && self.0.is_none_or(|(best, _)| hit.distance < best.distance)
        {
            self.0 = Some((hit, vertex(&hit)));
        }
    }
}

/// Where a ray first meets a flex, and which vertex of what it meets is nearest to that point. MuJoCo: `mj_rayFlex`.
pub fn ray_flex(ray: &Ray, flex: &Flex<'_>, parts: &FlexParts) -> Option<(Hit, usize)> {
    let (center, half) = flex.bounds()?;
    ray_box(ray, &Pose::at(center), half)?;
    let mut nearest = Nearest(None);
    // lines have no skin
    let skin = flex.dim > 1 && parts.skin;
    if parts.edges || skin {
        for edge in flex.edges {
            let (pose, half) = edge_pose(edge.map(|v| flex.vertex(v)));
            nearest.offer(ray_capsule(ray, &pose, flex.radius, half), |hit| {
                let [d1, d2] = edge.map(|v| (flex.vertex(v) - ray.at(hit.distance)).norm());
                if d1 < d2 { edge[0] } else { edge[1] }
            });
        }
    } else if parts.vertices {
        for (v, position) in flex.vertices.iter().enumerate() {
            nearest.offer(ray_sphere(ray, *position, flex.radius), |_| v as i32);
        }
    }
    if flex.dim > 1 && (parts.faces || parts.skin) {
        faces(ray, flex, parts, &mut nearest);
    }
    nearest.0.map(|(hit, vertex)| (hit, vertex as usize))
}

/// The capsule of an edge: its frame, and half of its length.
fn edge_pose([x1, x2]: [Vec3; 2]) -> (Pose, Real) {
    let (direction, length) = (x2 - x1).normalize();
    let mat: Mat3 = Quat::from_z_to(direction).to_mat();
    (Pose { pos: (x1 + x2) * 0.5, mat }, 0.5 * length)
}

/// Triangles, and sides of tetrahedra.
fn faces(ray: &Ray, flex: &Flex<'_>, parts: &FlexParts, nearest: &mut Nearest) {
    let across = Across::new(ray.dir);
    let layer = if parts.skin { 0 } else { parts.layer };
    let sides = if flex.dim == 2 { &SIDES[..1] } else { &SIDES };
    for (element, own) in flex.elements.chunks_exact(flex.dim + 1).zip(flex.layers) {
        let inside = if parts.skin { *own > layer } else { *own != layer };
        if flex.dim == 3 && inside {
            continue;
        }
        for side in sides {
            let corners = side.map(|k| element[k]);
            let hit = ray_triangle(corners.map(|v| flex.vertex(v)), ray, &across);
            let hit = hit.map(|(distance, normal)| Hit { distance, normal });
            nearest.offer(hit, |hit| {
                let d = corners.map(|v| (flex.vertex(v) - ray.at(hit.distance)).norm());
                if d[0] <= d[1] && d[0] <= d[2] {
                    corners[0]
                } else if d[1] <= d[2] {
                    corners[1]
                } else {
                    corners[2]
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron inside of another layer than the surface.
    fn tetrahedron(layer: &[i32; 1]) -> Flex<'_> {
        const VERTICES: [Vec3; 4] =
            [Vec3::ZERO, Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::Z];
        const EDGES: [[i32; 2]; 6] = [[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]];
        let elements = &[0, 1, 2, 3];
        Flex { dim: 3, radius: 0.1, vertices: &VERTICES, edges: &EDGES, elements, layers: layer }
    }

    fn up(x: Real, y: Real) -> Ray {
        Ray { origin: Vec3::new(x, y, -2.0), dir: Vec3::new(0.0, 0.0, 1.0) }
    }

    const NOTHING: FlexParts =
        FlexParts { vertices: false, edges: false, faces: false, skin: false, layer: 0 };

    #[test]
    fn only_the_parts_that_are_asked_for_are_met() {
        let flex = tetrahedron(&[1]);
        let meet = |ray: &Ray, parts: FlexParts| {
            // in thousandths, as distances of round shapes are rounded
            ray_flex(ray, &flex, &parts).map(|(hit, vertex)| ((1e3 * hit.distance).round(), vertex))
        };
        let face = up(0.3, 0.2);
        let edges = FlexParts { edges: true, ..NOTHING };
        let vertices = FlexParts { vertices: true, ..NOTHING };
        assert_eq!(meet(&up(0.0, 0.0), NOTHING), None);
        assert_eq!(meet(&up(1.0, 0.0), vertices), Some((1900.0, 1)));
        assert_eq!(meet(&up(0.6, 0.0), vertices), None);
        assert_eq!(meet(&up(0.625, 0.0), edges), Some((1900.0, 1)));
        assert_eq!(meet(&up(0.375, 0.0), edges), Some((1900.0, 0)));
        assert_eq!(meet(&face, edges), None);
        assert_eq!(meet(&face, FlexParts { faces: true, layer: 1, ..NOTHING }), Some((2000.0, 0)));
        // another layer is not drawn, and an inner one is under the skin
        assert_eq!(meet(&face, FlexParts { faces: true, ..NOTHING }), None);
        assert_eq!(meet(&face, FlexParts { skin: true, layer: 1, ..NOTHING }), None);
        // the skin has the edges too
        assert_eq!(meet(&up(0.375, 0.0), FlexParts { skin: true, ..NOTHING }), Some((1900.0, 0)));
        let outermost = tetrahedron(&[0]);
        let skin = FlexParts { skin: true, layer: 1, ..NOTHING };
        let (hit, vertex) = ray_flex(&face, &outermost, &skin).unwrap();
        assert_eq!((hit.distance, hit.normal, vertex), (2.0, Vec3::Z, 0));
    }
}
