//! Mesh assets, from bytes, numbers or a builtin shape to the arrays of a model.
//!
//! [`compile_mesh`] is a pure function. It reads a mesh ([`RawMesh`]: STL, OBJ, MSH, inline data,
//! builtin shapes), makes what is missing (faces from the convex hull, normals), applies reference
//! frame and scale, finds volume, centre of mass and principal axes, moves the mesh into that frame,
//! and makes polygons, bounding-volume tree and, if asked for, an octree of signed distances. The
//! order of operations, the single-precision steps and the refusals are MuJoCo's.
//!
//! The convex hull is a parameter, so that this module depends on no hull code.
//!
//! ```text
//! bytes ─▶ RawMesh ─▶ hull ─▶ normals ─▶ polygons ─▶ placement ─▶ inertia frame ─▶ tree, octree ─▶ CompiledMesh
//! ```
//!
//! Files have single precision, and so has the model; in between vertices are double. Where MuJoCo rounds to single precision in the
//! middle, so does this: the last bits of a vertex decide which hull, polygons and contacts there are.

mod builtin;
mod distance;
mod error;
mod face_tree;
mod fit;
mod inertia;
mod math;
mod msh;
mod normal_set;
mod normals;
mod obj;
mod obj_number;
mod octree;
mod polygons;
mod raw;
mod stl;
#[cfg(test)]
mod tests;
mod triangulate;

use core::fmt;

pub(crate) use error::MeshError;
pub(crate) use fit::FitShape;
pub(crate) use octree::Octree;
pub(crate) use polygons::Polygons;
pub(crate) use raw::{RawMesh, VertexMerger};

use crate::bvh::Bvh;
use crate::cache::Asset;
use crate::pose;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeshFormat {
    /// STL, binary or text.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// MuJoCo's binary format.
    Msh,
}

impl MeshFormat {
    /// The format of a file, from its content type if that is not empty, else from the extension
    /// of its name.
    ///
    /// # Errors
    /// A malformed content type, or one or an extension that is not that of a mesh.
    pub(crate) fn detect(file_name: &str, content_type: &str) -> Result<Self, MeshError> {
        if content_type.is_empty() {
            let extension = file_name.rsplit_once('.').map_or("", |(_, extension)| extension);
            return match extension.to_ascii_lowercase().as_str() {
                "stl" => Ok(Self::Stl),
                "obj" => Ok(Self::Obj),
                "msh" => Ok(Self::Msh),
                _ => Err(MeshError::UnknownFormat(file_name.to_owned())),
            };
        }
        // type/subtype, then perhaps parameters name=value
        let invalid = || MeshError::ContentType(content_type.to_owned());
        let (kind, rest) = content_type.split_once('/').ok_or_else(invalid)?;
        let (subtype, parameter) = rest.split_once(';').unwrap_or((rest, "="));
        if rest.is_empty() || kind.contains([';', '=']) || !parameter.contains('=') {
            return Err(invalid());
        }
        match (kind, subtype) {
            ("model", "stl") => Ok(Self::Stl),
            ("model", "obj") => Ok(Self::Obj),
            ("model", "vnd.mujoco.msh") => Ok(Self::Msh),
            _ => Err(MeshError::UnknownFormat(content_type.to_owned())),
        }
    }
}

impl fmt::Display for MeshFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stl => "STL",
            Self::Obj => "OBJ",
            Self::Msh => "MSH",
        })
    }
}

/// A shape that is made from a few parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    /// A divided icosahedron: subdivision.
    Sphere,
    /// Half a sphere with a flat bottom: resolution.
    Hemisphere,
    /// A cone or a frustum: number of edges, radius of the top.
    Cone,
    /// A superellipsoid: resolution, e, n.
    Supersphere,
    /// A supertoroid: resolution, radius, s, t.
    Supertorus,
    /// Part of a sphere: two resolutions, two angles, gamma.
    Wedge,
    /// A flat grid: two resolutions. Its inertia is always that of a shell.
    Plate,
}

/// How volume and inertia are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MeshInertia {
    /// Those of the convex hull.
    Convex,
    /// Those that the faces enclose; their orientation must be consistent.
    Exact,
    /// The sum of the pyramids from the centre to the faces, all taken as positive.
    #[default]
    Legacy,
    /// Those of the faces as a thin shell.
    Shell,
}

/// Where the data of a mesh come from. What a file does not have may be given beside it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MeshSource<'a> {
    /// Contents of a file and their format.
    pub(crate) file: Option<(MeshFormat, &'a [u8])>,
    /// A shape and its parameters.
    pub(crate) builtin: Option<(Builtin, &'a [f64])>,
    /// Vertices, three values each.
    pub(crate) vertex: &'a [f32],
    /// Normals, three values each.
    pub(crate) normal: &'a [f32],
    /// Texture coordinates, two values each.
    pub(crate) texcoord: &'a [f32],
    /// Vertices of faces, three each.
    pub(crate) face: &'a [i32],
    /// Normals of faces, three each.
    pub(crate) facenormal: &'a [i32],
    /// Texture coordinates of faces, three each.
    pub(crate) facetexcoord: &'a [i32],
}

/// What to do with the data.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MeshOptions {
    /// Scale along the axes, after the reference frame is applied.
    pub(crate) scale: [f64; 3],
    /// Position of the reference frame.
    pub(crate) refpos: [f64; 3],
    /// Orientation of the reference frame; need not be of unit length.
    pub(crate) refquat: [f64; 4],
    /// Whether normals are smooth across all edges.
    pub(crate) smoothnormal: bool,
    /// Most vertices of the convex hull.
    pub(crate) maxhullvert: Option<usize>,
    /// How volume and inertia are computed.
    pub(crate) inertia: MeshInertia,
    /// Whether the convex hull is needed, for collisions.
    pub(crate) need_hull: bool,
    /// Whether an octree of signed distances is needed.
    pub(crate) need_sdf: bool,
    /// Whether the frame stays where it is, in place of moving to the centre of mass.
    pub(crate) keep_frame: bool,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self {
            scale: [1.0; 3],
            refpos: [0.0; 3],
            refquat: pose::UNIT,
            smoothnormal: false,
            maxhullvert: None,
            inertia: MeshInertia::default(),
            need_hull: false,
            need_sdf: false,
            keep_frame: false,
        }
    }
}

/// How large a mesh may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MeshBudget {
    /// Most vertices, normals or texture coordinates.
    pub(crate) vertices: usize,
    /// Most faces.
    pub(crate) faces: usize,
}

impl Default for MeshBudget {
    fn default() -> Self {
        Self { vertices: 20_000_000, faces: 20_000_000 }
    }
}

impl MeshBudget {
    /// No budget is larger than this: indices are of 32 bits.
    const LIMIT: usize = i32::MAX as usize / 16;

    fn check(&self, what: &'static str, found: usize, limit: usize) -> Result<(), MeshError> {
        let limit = limit.min(Self::LIMIT);
        if found > limit { Err(MeshError::Budget { what, found, limit }) } else { Ok(()) }
    }
}

/// A convex hull.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HullData {
    /// The hull in the layout of `mesh_graph`: number of vertices nv, number of faces nf,
    /// `vert_edgeadr[nv]`, `vert_globalid[nv]`, `edge_localid[nv+3*nf]`, `face_globalid[3*nf]`.
    pub(crate) graph: Vec<i32>,
}

impl HullData {
    /// The faces, by vertices of the mesh; none if the graph is not one over so many vertices.
    fn faces(&self, vertices: usize) -> Option<&[[i32; 3]]> {
        let &[nv, nf, ..] = &self.graph[..] else { return None };
        let (nv, nf) = (usize::try_from(nv).ok()?, usize::try_from(nf).ok()?);
        let start = 2 + 3 * (nv + nf);
        let (faces, rest) = self.graph.get(start..)?.as_chunks();
        let whole = faces.len() == nf && rest.is_empty();
        (whole && raw::check_faces(faces, vertices).is_ok()).then_some(faces)
    }
}

/// Makes the convex hull of points, with at most so many vertices.
pub(crate) type HullFn<'a> = dyn Fn(&[[f64; 3]], Option<usize>) -> Result<HullData, String> + 'a;

/// A mesh as a model has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CompiledMesh {
    /// Vertices, in the frame of the mesh.
    pub(crate) vert: Vec<[f32; 3]>,
    /// Normals.
    pub(crate) normal: Vec<[f32; 3]>,
    /// Texture coordinates.
    pub(crate) texcoord: Vec<[f32; 2]>,
    /// Vertices of each face.
    pub(crate) face: Vec<[i32; 3]>,
    /// Normals of each face, as the file has them: they need not exist.
    pub(crate) facenormal: Vec<[i32; 3]>,
    /// Texture coordinates of each face, as the file has them: they need not exist. All 0 if there
    /// are none.
    pub(crate) facetexcoord: Vec<[i32; 3]>,
    /// The convex hull; empty if it was not needed.
    pub(crate) graph: Vec<i32>,
    /// Flat sides of the hull, or of the mesh if there is no hull.
    pub(crate) polygons: Polygons,
    /// The tree over the faces.
    pub(crate) tree: Bvh,
    /// The signed distances; empty if they were not needed.
    pub(crate) octree: Octree,
    /// The scale that was applied.
    pub(crate) scale: [f64; 3],
    /// Position of the frame of the mesh in the frame it was given in: the centre of mass.
    pub(crate) pos: [f64; 3],
    /// Orientation of the frame of the mesh: the principal axes of inertia.
    pub(crate) quat: [f64; 4],
    /// Half sizes of the box with the same inertia.
    pub(crate) inertia_box: [f64; 3],
    /// Volume, or area of a shell.
    pub(crate) volume: f64,
    /// Smallest and largest coordinates.
    pub(crate) aamm: [f64; 6],
}

impl Asset for CompiledMesh {
    fn bytes(&self) -> usize {
        let Self { polygons, tree, octree, .. } = self;
        size_of::<Self>()
            + size_of_val(self.vert.as_slice())
            + size_of_val(self.normal.as_slice())
            + size_of_val(self.texcoord.as_slice())
            + size_of_val(self.face.as_slice())
            + size_of_val(self.facenormal.as_slice())
            + size_of_val(self.facetexcoord.as_slice())
            + size_of_val(self.graph.as_slice())
            + size_of_val(polygons.normal.as_slice())
            + size_of_val(polygons.vertadr.as_slice())
            + size_of_val(polygons.vertnum.as_slice())
            + size_of_val(polygons.vert.as_slice())
            + size_of_val(polygons.mapadr.as_slice())
            + size_of_val(polygons.mapnum.as_slice())
            + size_of_val(polygons.map.as_slice())
            + size_of_val(tree.aabb.as_slice())
            + size_of_val(tree.child.as_slice())
            + size_of_val(tree.nodeid.as_slice())
            + size_of_val(tree.depth.as_slice())
            + size_of_val(octree.aabb.as_slice())
            + size_of_val(octree.child.as_slice())
            + size_of_val(octree.depth.as_slice())
            + size_of_val(octree.coeff.as_slice())
    }
}

/// Compiles a mesh. MuJoCo: `mjCMesh::Compile`.
///
/// # Errors
/// Whatever MuJoCo refuses, data over the budget, and what `hull` reports.
pub(crate) fn compile_mesh(
    source: &MeshSource<'_>,
    options: &MeshOptions,
    hull: &HullFn<'_>,
    budget: &MeshBudget,
) -> Result<CompiledMesh, MeshError> {
    let mesh = RawMesh::read(source, &options.scale, budget)?;
    let is_obj = source.file.is_some_and(|(format, _)| format == MeshFormat::Obj);
    check(&mesh, is_obj)?;
    let RawMesh { vert, mut normal, texcoord, mut face, mut facenormal, mut facetexcoord } = mesh;
    let mut vert: Vec<[f64; 3]> = vert.into_iter().map(|v| v.map(f64::from)).collect();
    // a plate has no inside
    let inertia = match source.builtin {
        Some((Builtin::Plate, _)) => MeshInertia::Shell,
        _ => options.inertia,
    };
    if inertia == MeshInertia::Exact {
        inertia::check_orientation(&vert, &face)?;
    }

    // the hull, and faces from it if there are none
    let need_hull = options.need_hull || face.is_empty() || inertia == MeshInertia::Convex;
    let hull = if need_hull {
        hull(&vert, options.maxhullvert).map_err(MeshError::Hull)?
    } else {
        HullData::default()
    };
    let hull_face = if need_hull {
        let faces = hull.faces(vert.len());
        faces.ok_or_else(|| MeshError::Hull("the graph is malformed".to_owned()))?
    } else {
        &[]
    };
    if face.is_empty() {
        face = hull_face.to_vec();
    }

    // normals and texture coordinates, and their indices
    if normal.is_empty() {
        normal = normals::vertex_normals(&vert, &face, options.smoothnormal);
        facenormal.clone_from(&face);
    }
    // as many normals as vertices, or a fixed number for each: the first of them
    if facenormal.is_empty() {
        let per_vertex = (normal.len() / vert.len()) as i32;
        facenormal = face.iter().map(|ids| ids.map(|id| per_vertex * id)).collect();
    }
    if facenormal.len() != face.len() {
        return Err(MeshError::FaceNormal);
    }
    if source.file.is_some() && !source.facenormal.is_empty() {
        raw::check_faces(&facenormal, normal.len())?;
    }
    if texcoord.is_empty() {
        facetexcoord = vec![[0; 3]; face.len()];
    } else if facetexcoord.is_empty() {
        facetexcoord.clone_from(&face);
    } else if !source.facetexcoord.is_empty() {
        if facetexcoord.len() != face.len() {
            return Err(MeshError::Texcoord);
        }
        raw::check_faces(&facetexcoord, texcoord.len())?;
    }

    // flat sides, before the mesh is placed
    let mut polygons = Polygons::new(&vert, if need_hull { hull_face } else { &face });

    // reference frame and scale, then centre of mass and principal axes, which become the frame of the mesh
    normals::apply_placement(&mut vert, &mut normal, options);
    let mut frame = inertia::mass_frame(&vert, &face, hull_face, inertia)?;
    if options.keep_frame {
        (frame.pos, frame.quat) = ([0.0; 3], pose::UNIT);
    }
    let aamm = normals::move_to_frame(&mut vert, &mut normal, &frame.pos, &frame.quat);
    polygons.make_normals(&vert);
    let tree = face_tree::face_tree(&vert, &face);
    // what does not fit into single precision is refused
    let too_far = |v: &[f64; 3]| v.iter().any(|&x| !(x as f32).is_finite());
    if let Some(vertex) = vert.iter().position(too_far) {
        return Err(MeshError::NotFinite(vertex));
    }
    let octree = if options.need_sdf && !face.is_empty() {
        Octree::new(&vert, &face, &aamm)?
    } else {
        Octree::default()
    };
    Ok(CompiledMesh {
        vert: vert.into_iter().map(|v| v.map(|x| x as f32)).collect(),
        normal,
        texcoord,
        face,
        facenormal,
        facetexcoord,
        graph: hull.graph,
        polygons,
        tree,
        octree,
        scale: options.scale,
        pos: frame.pos,
        quat: frame.quat,
        inertia_box: frame.half_sizes,
        volume: frame.volume,
        aamm,
    })
}

/// Checks what was read.
fn check(mesh: &RawMesh, is_obj: bool) -> Result<(), MeshError> {
    // four points make a volume
    if mesh.vert.len() < 4 {
        return Err(MeshError::TooFewVertices(mesh.vert.len()));
    }
    let per_vertex = mesh.texcoord.len() == mesh.vert.len();
    if !mesh.texcoord.is_empty() && !per_vertex && mesh.facetexcoord.is_empty() && !is_obj {
        return Err(MeshError::Texcoord);
    }
    raw::check_faces(&mesh.face, mesh.vert.len())
}
