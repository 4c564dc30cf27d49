//! Edges of triangles and tetrahedra, and what is checked of them.
use alloc::vec;
use alloc::vec::Vec;

use ferrodyn_math::{Real, Vec3, by_precision};

use crate::SoftError;

/// Elements whose extent is below this share of what their longest edge would give count as degenerate: their heights are rounding.
pub(super) const LEAST_QUALITY: Real = by_precision(1e-9, 1e-5);

/// An edge, and the elements that have it.
pub(super) struct EdgeOf {
    pub(super) vertices: [u32; 2],
    /// The elements, as a range of [`Edges::elements`].
    first: usize,
    count: usize,
}

/// All edges of some elements, by their vertices in ascending order.
pub(super) struct Edges {
    pub(super) list: Vec<EdgeOf>,
    elements: Vec<u32>,
}

impl Edges {
    /// The edges of elements, given by the pairs of corners that have one.
    pub(super) fn of<const N: usize>(elements: &[[u32; N]]) -> Edges {
        let mut all: Vec<([u32; 2], u32)> = Vec::new();
        for (i, element) in elements.iter().enumerate() {
            for a in 0..N {
                for b in a + 1..N {
                    let pair = [element[a].min(element[b]), element[a].max(element[b])];
                    all.push((pair, i as u32));
                }
            }
        }
        all.sort_unstable();
        let mut edges = Edges { list: Vec::new(), elements: Vec::new() };
        for (vertices, element) in all {
            edges.elements.push(element);
            match edges.list.last_mut() {
                Some(last) if last.vertices == vertices => last.count += 1,
                _ => {
                    let first = edges.elements.len() - 1;
                    edges.list.push(EdgeOf { vertices, first, count: 1 });
                }
            }
        }
        edges
    }

    /// The elements of an edge.
    pub(super) fn elements(&self, edge: &EdgeOf) -> &[u32] {
        &self.elements[edge.first..edge.first + edge.count]
    }
}

/// Refuse positions that are no numbers, and more of them than can be counted.
pub(super) fn check_positions(x: &[Vec3], needed: usize) -> Result<(), SoftError> {
    if x.len() < needed || u32::try_from(x.len()).is_err() {
        return Err(SoftError::TooFewVertices { found: x.len(), needed });
    }
    match x.iter().position(|x| !x.0.iter().all(|x| x.is_finite())) {
        Some(vertex) => Err(SoftError::NotFinite { what: "position", vertex }),
        None => Ok(()),
    }
}

/// Refuse elements whose vertices do not exist, or twice, and vertices that no element has.
pub(super) fn check_elements<const N: usize>(
    what: &'static str,
    elements: &[[u32; N]],
    count: usize,
) -> Result<(), SoftError> {
    let mut used = vec![false; count];
    for (index, element) in elements.iter().enumerate() {
        for (k, vertex) in element.iter().enumerate() {
            let vertex = *vertex as usize;
            if vertex >= count {
                return Err(SoftError::NoSuchVertex { what, index, vertex, count });
            }
            if element[..k].contains(&element[k]) {
                return Err(SoftError::Degenerate { what, index });
            }
            used[vertex] = true;
        }
    }
    match used.iter().position(|used| !used) {
        Some(vertex) => Err(SoftError::LooseVertex(vertex)),
        None => Ok(()),
    }
}

/// Refuse pins that do not exist.
pub(super) fn check_pins(pinned: &[usize], count: usize) -> Result<(), SoftError> {
    match pinned.iter().enumerate().find(|(_, pin)| **pin >= count) {
        Some((index, &vertex)) => {
            Err(SoftError::NoSuchVertex { what: "pin", index, vertex, count })
        }
        None => Ok(()),
    }
}

/// Inverse masses of vertices that have some share each of a mass; pinned ones have none.
pub(super) fn inverse_masses(shares: &[Real], mass: Real, pinned: &[usize]) -> Vec<Real> {
    let sum: Real = shares.iter().sum();
    let mut inverse: Vec<Real> = shares.iter().map(|share| sum / (mass * share)).collect();
    for &pin in pinned {
        inverse[pin] = 0.0;
    }
    inverse
}
