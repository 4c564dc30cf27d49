//! The surface of a flex: fragments of elements that only one element has. A fragment of a line is a vertex, of a triangle an
//! edge, of a tetrahedron a face.

/// The fragments of an element, by its corners, for lines, triangles and tetrahedra.
const FRAGMENTS: [&[&[usize]]; 3] = [
    &[&[0], &[1]],
    &[&[0, 1], &[2, 0], &[1, 2]],
    &[&[0, 1, 2], &[0, 3, 1], &[0, 2, 3], &[1, 3, 2]],
];

/// The surface, and what follows from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Shell {
    /// Vertices of the fragments of the surface, as their elements have them.
    pub(super) fragments: Vec<i32>,
    /// How far each element is from the surface, in elements; 0 for lines and triangles.
    pub(super) layer: Vec<i32>,
    /// Elements and vertices of neighbours that can collide.
    pub(super) pairs: Vec<[i32; 2]>,
}

/// A fragment: sorted vertices, element, and vertices as the element has them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fragment {
    sorted: Vec<i32>,
    element: usize,
    vertices: Vec<i32>,
}

/// Two elements that share a fragment.
struct Joint {
    elements: [usize; 2],
    fragment: Vec<i32>,
}

impl Shell {
    pub(super) fn new(elem: &[i32], dim: usize) -> Self {
        let mut fragments = Vec::with_capacity(elem.len());
        for (element, ids) in elem.chunks_exact(dim + 1).enumerate() {
            for corners in FRAGMENTS[dim - 1] {
                let vertices: Vec<i32> = corners.iter().map(|&c| ids[c]).collect();
                let mut sorted = vertices.clone();
                sorted.sort_unstable();
                fragments.push(Fragment { sorted, element, vertices });
            }
        }
        fragments.sort();

        // what appears once is the border, what follows its like joins two elements
        let count = elem.len() / (dim + 1);
        let mut shell = Self::default();
        let mut border = vec![false; count];
        let mut joints = Vec::new();
        for same in fragments.chunk_by(|a, b| a.sorted == b.sorted) {
            if let [only] = same {
                border[only.element] = true;
                shell.fragments.extend(&only.vertices);
            }
            joints.extend(same.windows(2).map(|pair| Joint {
                elements: [pair[0].element, pair[1].element],
                fragment: pair[0].sorted.clone(),
            }));
        }
        shell.layer = if dim == 3 { layers(&border, &joints) } else { vec![0; count] };
        if dim < 3 {
            let touching = |joint: &&Joint| joint.elements.iter().any(|e| border[*e]);
            for joint in joints.iter().filter(touching) {
                let [a, b] = joint.elements;
                for (near, far) in [(a, b), (b, a)] {
                    let ids = &elem[near * (dim + 1)..(near + 1) * (dim + 1)];
                    let free = ids.iter().find(|id| !joint.fragment.contains(id));
                    shell.pairs.extend(free.map(|id| [far as i32, *id]));
                }
            }
        }
        shell
    }
}

/// How far tetrahedra are from the surface, by steps from neighbour to neighbour.
fn layers(border: &[bool], joints: &[Joint]) -> Vec<i32> {
    let mut neighbours = vec![Vec::new(); border.len()];
    for joint in joints {
        let [a, b] = joint.elements;
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    // more than any element can be away
    let far = border.len() as i32 + 1;
    let mut layer: Vec<i32> = border.iter().map(|b| if *b { 0 } else { far }).collect();
    // what was reached, in the order of distance
    let mut reached: Vec<usize> = (0..border.len()).filter(|&e| border[e]).collect();
    let mut next = 0;
    while let Some(&element) = reached.get(next) {
        next += 1;
        for &neighbour in &neighbours[element] {
            if layer[neighbour] == far {
                layer[neighbour] = layer[element] + 1;
                reached.push(neighbour);
            }
        }
    }
    layer
}
