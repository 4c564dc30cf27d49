//! What is wrong with a deformable body.
use core::fmt;

use ferrodyn_math::Real;

/// Why a body, a material or a solver is refused. Whatever was to be changed is as it was.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SoftError {
    /// A body needs more vertices.
    TooFewVertices {
        /// How many there are.
        found: usize,
        /// How many it needs.
        needed: usize,
    },
    /// A number of a vertex is not finite.
    NotFinite {
        /// Which number.
        what: &'static str,
        /// Its vertex.
        vertex: usize,
    },
    /// A vertex is named that does not exist.
    NoSuchVertex {
        /// Who names it: a triangle, a tetrahedron, a pin, a constraint.
        what: &'static str,
        /// The number of that.
        index: usize,
        /// The vertex it names.
        vertex: usize,
        /// How many there are.
        count: usize,
    },
    /// An element has no length, area or volume.
    Degenerate {
        /// Kind of element.
        what: &'static str,
        /// Its number.
        index: usize,
    },
    /// The vertices of a tetrahedron turn the wrong way round: its volume is negative.
    Inverted {
        /// Number of the tetrahedron.
        index: usize,
        /// Its volume, in m³.
        volume: Real,
    },
    /// A vertex belongs to no element.
    LooseVertex(usize),
    /// More than two triangles share an edge.
    CrowdedEdge([usize; 2]),
    /// A parameter has a value that makes no sense.
    Parameter {
        /// Its name.
        what: &'static str,
        /// Its value.
        value: Real,
        /// What it should be.
        expected: &'static str,
    },
    /// A vertex is pinned to a body that moves.
    MovingPin(usize),
    /// There is no preset of the name that was asked for.
    UnknownPreset {
        /// The names of those that there are.
        known: &'static [&'static str],
    },
    /// A step took the body to numbers that are not finite, or too large.
    Diverged {
        /// The first such vertex.
        vertex: usize,
    },
}

impl fmt::Display for SoftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SoftError::TooFewVertices { found, needed } => {
                write!(f, "the body has {found} vertices, and needs {needed}")
            }
            SoftError::NotFinite { what, vertex } => {
                write!(f, "{what} of vertex {vertex} is not a finite number")
            }
            SoftError::NoSuchVertex { what, index, vertex, count } => {
                write!(f, "{what} {index} names vertex {vertex}: the number of them is {count}")
            }
            SoftError::Degenerate { what, index } => write!(f, "{what} {index} has no extent"),
            SoftError::Inverted { index, volume } => {
                write!(f, "tetrahedron {index} is inverted: its volume is {volume}")
            }
            SoftError::LooseVertex(vertex) => write!(f, "vertex {vertex} belongs to no element"),
            SoftError::CrowdedEdge([a, b]) => {
                write!(f, "more than two triangles share the edge of vertices {a} and {b}")
            }
            SoftError::Parameter { what, value, expected } => {
                write!(f, "{what} is {value}, expected {expected}")
            }
            SoftError::MovingPin(vertex) => {
                write!(
                    f,
                    "vertex {vertex} is pinned to a body that moves: only what is fixed to the world can hold pins"
                )
            }
            SoftError::UnknownPreset { known } => {
                write!(f, "there is no preset of this name; known are {}", known[0])?;
                known[1..].iter().try_for_each(|name| write!(f, ", {name}"))
            }
            SoftError::Diverged { vertex } => write!(f, "the body diverged at vertex {vertex}"),
        }
    }
}

impl core::error::Error for SoftError {}

/// Refuse a number unless it is finite and as expected.
pub(crate) fn check(
    what: &'static str,
    value: Real,
    holds: bool,
    expected: &'static str,
) -> Result<(), SoftError> {
    if value.is_finite() && holds {
        Ok(())
    } else {
        Err(SoftError::Parameter { what, value, expected })
    }
}
