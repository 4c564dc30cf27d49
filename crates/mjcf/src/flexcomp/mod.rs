//! The points and elements of a generated flex, by the shape that `<flexcomp>` asks for.
//!
//! | shape | file |
//! |---|---|
//! | grid, circle, square, disc | [`grid`] |
//! | box, cylinder, ellipsoid | [`surface`] |
//! | mesh | [`surface_file`] |
//! | gmsh | [`gmsh`] |

pub(crate) mod gmsh;
mod grid;
mod surface;
pub(crate) mod surface_file;

use crate::keywords::FlexcompKind;
use crate::pose::V3;
use crate::schema::FlexcompAttrs;

/// Points and elements of a flex.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lattice {
    /// 1: lines, 2: triangles, 3: tetrahedra.
    pub(crate) dim: usize,
    pub(crate) point: Vec<V3>,
    /// Points of each element, one after the other.
    pub(crate) element: Vec<i32>,
    pub(crate) texcoord: Vec<f32>,
    /// Texture coordinates of the corners of each element; empty where they are those of the points.
    pub(crate) elemtexcoord: Vec<i32>,
}

/// A regular arrangement of points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrangement {
    pub(crate) kind: FlexcompKind,
    /// Number of points along each axis, at least one.
    pub(crate) count: [usize; 3],
    pub(crate) spacing: V3,
    /// Whether texture coordinates are made.
    pub(crate) textured: bool,
}

impl Arrangement {
    /// What the attributes describe; none if a count is not positive.
    pub(crate) fn new(attr: &FlexcompAttrs) -> Option<Self> {
        let or = attr.or_default();
        let count = or.count().map(|n| usize::try_from(n).unwrap_or(0));
        let named = attr.material.as_ref().is_some_and(|name| !name.is_empty());
        (!count.contains(&0)).then(|| Self {
            kind: or.kind(),
            count,
            spacing: or.spacing(),
            textured: named && attr.texcoord.is_none(),
        })
    }

    /// The number of points of the whole grid.
    pub(crate) fn points(&self) -> usize {
        self.count.iter().fold(1, |product: usize, n| product.saturating_mul(*n))
    }

    /// Where along an axis a point lies, from 0 to 1.
    fn share(&self, axis: usize, i: usize) -> f32 {
        i as f32 / (self.count[axis] - 1).max(1) as f32
    }

    /// Half the length along an axis.
    fn half(&self, axis: usize) -> f64 {
        0.5 * self.spacing[axis] * (self.count[axis] as f64 - 1.0)
    }

    /// Adds the points and elements to what the model lists itself.
    pub(crate) fn fill(&self, lattice: &mut Lattice) -> Result<(), &'static str> {
        match self.kind {
            FlexcompKind::Grid | FlexcompKind::Circle => grid::fill(self, lattice),
            FlexcompKind::Square | FlexcompKind::Disc => grid::fill_disc(self, lattice),
            FlexcompKind::Box | FlexcompKind::Cylinder | FlexcompKind::Ellipsoid => {
                surface::fill(self, lattice)
            }
            FlexcompKind::Mesh | FlexcompKind::Gmsh | FlexcompKind::Direct => Ok(()),
        }
    }
}
