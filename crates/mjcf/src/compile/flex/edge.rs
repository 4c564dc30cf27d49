//! Edges of a flex, each once, and the triangles on both sides of them.

use std::collections::HashMap;

/// The edges of an element, by its corners, for lines, triangles and tetrahedra.
const ELEMENT_EDGES: [&[[usize; 2]]; 3] =
    [&[[0, 1]], &[[1, 2], [2, 0], [0, 1]], &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]]];

/// All edges of a flex.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    /// Both vertices of each edge, the smaller number first, in order of appearance.
    pub(super) vertices: Vec<[i32; 2]>,
    /// Edges of the elements, one after the other.
    pub(super) of_elements: Vec<i32>,
    /// Of triangles: both vertices of each edge as its first triangle has them, and the vertices opposite to it in both
    /// triangles, -1 for none.
    pub(super) flaps: Vec<[i32; 4]>,
}

impl Edges {
    pub(super) fn new(elem: &[i32], dim: usize) -> Self {
        let mut edges = Self::default();
        let mut numbers: HashMap<[i32; 2], usize> = HashMap::new();
        for ids in elem.chunks_exact(dim + 1) {
            for &[a, b] in ELEMENT_EDGES[dim - 1] {
                let pair = [ids[a].min(ids[b]), ids[a].max(ids[b])];
                // in a triangle, the vertex that the edge does not have
                let opposite = if dim == 2 { ids[(b + 1) % 3] } else { -1 };
                let next = edges.vertices.len();
                let number = *numbers.entry(pair).or_insert(next);
                if number == next {
                    edges.vertices.push(pair);
                    edges.flaps.push([ids[a], ids[b], opposite, -1]);
                } else {
                    edges.flaps[number][3] = opposite;
                }
                edges.of_elements.push(number as i32);
            }
        }
        edges
    }
}
