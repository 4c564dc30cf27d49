//! What can be wrong with a mesh.

use super::MeshFormat;

/// Why a mesh cannot be read or compiled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum MeshError {
    /// A content type that is not of the form type/subtype.
    #[error("invalid content type '{0}'")]
    ContentType(String),
    /// A file whose name or content type is not that of a mesh.
    #[error("unknown or unsupported mesh file '{0}': expected STL, OBJ or MSH")]
    UnknownFormat(String),
    /// A file that its format does not allow.
    #[error("{format} file: {problem}")]
    File {
        /// The format the file was read as.
        format: MeshFormat,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// More of something than the budget allows.
    #[error("{found} {what}, but the budget is {limit}")]
    Budget {
        /// What there is too much of.
        what: &'static str,
        /// How much there is, at least.
        found: usize,
        /// How much there may be.
        limit: usize,
    },
    /// The same data in the file and in the model.
    #[error("repeated {0} specification: it is in the file and in the model")]
    Repeated(&'static str),
    /// A number of values that does not divide into rows.
    #[error("{what} data must be a multiple of {width}, found {found} values")]
    Width {
        /// The data.
        what: &'static str,
        /// Values in a row.
        width: usize,
        /// Values there are.
        found: usize,
    },
    /// Fewer vertices than a tetrahedron has.
    #[error("at least 4 vertices required, found {0}")]
    TooFewVertices(usize),
    /// A vertex with an infinite or undefined coordinate.
    #[error("vertex {0} is not finite")]
    NotFinite(usize),
    /// A face that names a vertex that does not exist.
    #[error("in face {face}, vertex index {vertex} does not exist")]
    FaceIndex {
        /// The face.
        face: usize,
        /// The index it names.
        vertex: i32,
    },
    /// Texture coordinates that belong neither to vertices nor to faces.
    #[error("texcoord must have two values per vertex if the file has no texture indices of faces")]
    Texcoord,
    /// Normal indices that are not one per corner.
    #[error("face data must have the same size as face normal data")]
    FaceNormal,
    /// Parameters that a builtin shape does not take.
    #[error("{0}")]
    Builtin(&'static str),
    /// The convex hull cannot be made.
    #[error("convex hull: {0}")]
    Hull(String),
    /// Two faces that run along one edge in the same direction.
    #[error(
        "faces have inconsistent orientation: check the faces containing the vertices {0} and {1}"
    )]
    Orientation(i32, i32),
    /// Faces without area.
    #[error("mesh surface area is too small")]
    SmallSurface,
    /// Faces that enclose nothing.
    #[error("mesh volume is too small; try inertia=\"shell\"")]
    SmallVolume,
    /// Faces that are inside out.
    #[error("mesh volume is negative: triangles are misoriented")]
    NegativeVolume,
    /// Moments of inertia that no body can have.
    #[error("{0}")]
    Inertia(&'static str),
    /// Signed distances that cannot be computed.
    #[error("signed distance field: {0}")]
    Distance(&'static str),
}
