//! Marching cubes: the surface where a field on a grid is zero, as triangles.

use super::table::TRIANGLES;

/// A grid of values: x runs fastest, then y, then z.
pub(super) struct Grid {
    pub(super) size: [usize; 3],
    pub(super) values: Vec<f32>,
}

/// The surface, in units of the grid.
#[derive(Default)]
pub(super) struct Surface {
    pub(super) vertices: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) faces: Vec<[i32; 3]>,
}

/// The vertices on the edges that begin at the points of two layers of the grid.
struct Layers {
    size: [usize; 3],
    vertices: Vec<[u32; 3]>,
}

impl Layers {
    fn at(&mut self, [x, y, z]: [usize; 3]) -> &mut [u32; 3] {
        let [nx, ny, _] = self.size;
        &mut self.vertices[nx * ny * (z % 2) + y * nx + x]
    }
}

impl Grid {
    fn value(&self, [x, y, z]: [usize; 3]) -> f32 {
        let [nx, ny, _] = self.size;
        self.values[(z * ny + y) * nx + x]
    }

    /// The surface, with normals that are the mean of those of the faces around.
    pub(super) fn surface(&self) -> Surface {
        let [nx, ny, nz] = self.size;
        let mut surface = Surface::default();
        let mut layers = Layers { size: self.size, vertices: vec![[0; 3]; nx * ny * 2] };
        for z in 0..nz.saturating_sub(1) {
            for y in 0..ny.saturating_sub(1) {
                for x in 0..nx.saturating_sub(1) {
                    self.cube([x, y, z], &mut layers, &mut surface);
                }
            }
        }
        for n in &mut surface.normals {
            let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
            *n = n.map(|x| x / length);
        }
        surface
    }

    /// Adds the vertices and triangles of one cube.
    fn cube(&self, [x, y, z]: [usize; 3], layers: &mut Layers, surface: &mut Surface) {
        let corner = |i: usize| [x + (i & 1), y + (i >> 1 & 1), z + (i >> 2)];
        let values: [f32; 8] = core::array::from_fn(|i| self.value(corner(i)));
        let below = (0..8).fold(0, |bits, i| bits | usize::from(values[i] < 0.0) << i);
        if below == 0 || below == 255 {
            return;
        }
        // edges that an earlier cube has seen already are not looked at again
        let first = [x == 0, y == 0, z == 0];
        let edges: [(usize, usize, usize, bool); 12] = [
            (0, 1, 0, first[1] && first[2]),
            (2, 3, 0, first[2]),
            (4, 5, 0, first[1]),
            (6, 7, 0, true),
            (0, 2, 1, first[0] && first[2]),
            (1, 3, 1, first[2]),
            (4, 6, 1, first[0]),
            (5, 7, 1, true),
            (0, 4, 2, first[0] && first[1]),
            (1, 5, 2, first[1]),
            (2, 6, 2, first[0]),
            (3, 7, 2, true),
        ];
        for (from, to, axis, new) in edges {
            let (a, b) = (values[from], values[to]);
            if !new || (a < 0.0) == (b < 0.0) {
                continue;
            }
            let at = corner(from);
            let mut vertex = at.map(|i| i as f32);
            vertex[axis] += a / (a - b);
            layers.at(at)[axis] = surface.vertices.len() as u32;
            surface.vertices.push(vertex);
            surface.normals.push([0.0; 3]);
        }
        let indices: [u32; 12] =
            core::array::from_fn(|e| layers.at(corner(edges[e].0))[edges[e].2]);
        for triangle in TRIANGLES[below].as_bytes().chunks_exact(3) {
            let digit = |b: u8| char::from(b).to_digit(16).unwrap_or(0) as usize;
            let face: [usize; 3] = core::array::from_fn(|k| indices[digit(triangle[k])] as usize);
            surface.add_face(face);
        }
    }
}

impl Surface {
    fn add_face(&mut self, face: [usize; 3]) {
        let [a, b, c] = face.map(|v| self.vertices[v]);
        let sub = |p: [f32; 3], q: [f32; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
        let (ab, cb) = (sub(a, b), sub(c, b));
        let normal = [
            cb[1] * ab[2] - cb[2] * ab[1],
            cb[2] * ab[0] - cb[0] * ab[2],
            cb[0] * ab[1] - cb[1] * ab[0],
        ];
        for v in face {
            for (sum, x) in self.normals[v].iter_mut().zip(normal) {
                *sum += x;
            }
        }
        self.faces.push(face.map(|v| v as i32));
    }
}
