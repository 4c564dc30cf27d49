//! Compiles meshes, and lets geoms take their shape from them.

use std::collections::BTreeSet;
use std::sync::Arc;

use ferrodyn_model::{GeomType, Model, ObjType, Sizes};

use super::file_reader::{Directory, FileReader};
use super::fill::{quat, reals, vec3};
use super::index::Index;
use super::resolve::Elements;
use super::tree::problem;
use crate::defaults::DefaultResolver;
use crate::error::Sink;
use crate::hull::convex_hull;
use crate::keywords::{MeshBuiltin, MeshInertia as Inertia};
use crate::mesh::{
    Builtin, CompiledMesh, HullData, MeshBudget, MeshFormat, MeshInertia, MeshOptions, MeshSource,
    compile_mesh,
};
use crate::schema::MeshAttrs;
use crate::sdf;
use crate::spec::{Object, PluginSpec, Spec};

/// A compiled mesh; the data are missing where they could not be made.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh {
    pub(super) data: Option<Arc<CompiledMesh>>,
    /// Material of geoms that have none.
    pub(super) material: Option<String>,
}

/// What the geoms of a model need of its meshes.
#[derive(Debug, Default)]
struct Needs {
    hull: BTreeSet<usize>,
    sdf: BTreeSet<usize>,
}

impl Needs {
    fn new(spec: &Spec, elements: &Elements<'_>, index: &Index<'_>) -> Self {
        let mut needs = Self::default();
        let paired: BTreeSet<&str> = spec
            .pairs
            .iter()
            .flat_map(|p| [&p.attr.geom1, &p.attr.geom2])
            .filter_map(|name| name.as_deref())
            .collect();
        for item in &elements.geoms.items {
            let attr = &item.attr;
            let Some(mesh) = attr.mesh.as_deref().and_then(|n| index.find(ObjType::Mesh, n)) else {
                continue;
            };
            let or = attr.or_default();
            let kind = or.kind();
            if kind == GeomType::Sdf {
                needs.sdf.insert(mesh);
            }
            let collides = or.contype() != 0
                || or.conaffinity() != 0
                || (!item.name.is_empty() && paired.contains(item.name));
            if matches!(kind, GeomType::Mesh | GeomType::Sdf) && collides {
                needs.hull.insert(mesh);
            }
        }
        needs
    }
}

/// Compiles all meshes; what cannot be compiled is reported.
pub(super) fn meshes(
    spec: &Spec,
    defaults: &DefaultResolver,
    elements: &Elements<'_>,
    index: &Index<'_>,
    reader: &FileReader<'_>,
    sink: &mut Sink,
) -> Vec<Mesh> {
    let needs = Needs::new(spec, elements, index);
    let mut list = Vec::with_capacity(spec.meshes.len());
    for (i, object) in spec.meshes.iter().enumerate() {
        let attr = defaults.apply_to_mesh(object.class_name(), &object.attr);
        let need_sdf = needs.sdf.contains(&i) || attr.or_default().needsdf();
        let options = options(&attr, needs.hull.contains(&i), need_sdf);
        let data = match &object.plugin {
            Some(plugin) => shape_mesh(spec, plugin, options, reader).map(Arc::new),
            None => mesh(object, &attr, &options, reader),
        };
        if let Err(message) = &data {
            sink.error(problem("mesh", &object.name, object.span, message));
        }
        list.push(Mesh { data: data.ok(), material: attr.material });
    }
    list
}

fn options(attr: &MeshAttrs, need_hull: bool, need_sdf: bool) -> MeshOptions {
    let or = attr.or_default();
    MeshOptions {
        scale: or.scale(),
        refpos: or.refpos(),
        refquat: or.refquat(),
        smoothnormal: or.smoothnormal(),
        maxhullvert: usize::try_from(or.maxhullvert()).ok(),
        inertia: match or.inertia() {
            Inertia::Convex => MeshInertia::Convex,
            Inertia::Exact => MeshInertia::Exact,
            Inertia::Legacy => MeshInertia::Legacy,
            Inertia::Shell => MeshInertia::Shell,
        },
        need_hull,
        need_sdf,
        keep_frame: false,
    }
}

/// The convex hull as the compiler of meshes wants it.
fn hull(points: &[[f64; 3]], most: Option<usize>) -> Result<HullData, String> {
    let hull = convex_hull(points, most).map_err(|e| e.to_string())?;
    Ok(HullData { graph: hull.graph() })
}

fn budget(reader: &FileReader<'_>) -> MeshBudget {
    MeshBudget { vertices: reader.budget() / 3, faces: reader.budget() / 3 }
}

/// The mesh of a shape that a plugin gives by its signed distance.
fn shape_mesh(
    spec: &Spec,
    used: &PluginSpec,
    options: MeshOptions,
    reader: &FileReader<'_>,
) -> Result<CompiledMesh, String> {
    let instance = spec.instances.iter().find(|i| i.name == used.instance);
    let (plugin, config) = match instance.filter(|_| !used.instance.is_empty()) {
        Some(instance) => (&instance.attr.plugin, &instance.attr.config),
        None => (&used.plugin, &used.config),
    };
    if !spec.plugins.contains(plugin) {
        return Err(format!("the plugin '{plugin}' is not declared in <extension>"));
    }
    if options.scale != [1.0; 3] {
        return Err(String::from("the mesh of a plugin cannot be scaled"));
    }
    let shape = sdf::surface(&sdf::shape(plugin, config)?)?;
    let source = MeshSource {
        vertex: &shape.vertices,
        normal: &shape.normals,
        face: &shape.faces,
        ..MeshSource::default()
    };
    // the distance itself is known: no octree
    let options = MeshOptions { keep_frame: true, need_sdf: false, ..options };
    compile_mesh(&source, &options, &hull, &budget(reader)).map_err(|e| e.to_string())
}

fn mesh(
    object: &Object<MeshAttrs>,
    attr: &MeshAttrs,
    options: &MeshOptions,
    reader: &FileReader<'_>,
) -> Result<Arc<CompiledMesh>, String> {
    let builtin = match attr.builtin {
        None | Some(MeshBuiltin::None) => None,
        Some(MeshBuiltin::Sphere) => Some(Builtin::Sphere),
        Some(MeshBuiltin::Hemisphere) => Some(Builtin::Hemisphere),
        Some(MeshBuiltin::Cone) => Some(Builtin::Cone),
        Some(MeshBuiltin::Supertorus) => Some(Builtin::Supertorus),
        Some(MeshBuiltin::Supersphere) => Some(Builtin::Supersphere),
        Some(MeshBuiltin::Wedge) => Some(Builtin::Wedge),
        Some(MeshBuiltin::Plate) => Some(Builtin::Plate),
    };
    let source = MeshSource {
        file: None,
        builtin: builtin.map(|b| (b, attr.params.as_deref().unwrap_or(&[]))),
        vertex: attr.vertex.as_deref().unwrap_or(&[]),
        normal: attr.normal.as_deref().unwrap_or(&[]),
        texcoord: attr.texcoord.as_deref().unwrap_or(&[]),
        face: attr.face.as_deref().unwrap_or(&[]),
        facenormal: attr.facenormal.as_deref().unwrap_or(&[]),
        facetexcoord: attr.facetexcoord.as_deref().unwrap_or(&[]),
    };
    let budget = budget(reader);
    let compile = |source: &MeshSource<'_>| {
        compile_mesh(source, options, &hull, &budget).map_err(|e| e.to_string())
    };
    let Some(file) = attr.file.as_deref().filter(|f| !f.is_empty()) else {
        return compile(&source).map(Arc::new);
    };
    let content_type = attr.content_type.as_deref().unwrap_or("");
    let format = MeshFormat::detect(file, content_type).map_err(|e| e.to_string())?;
    let treatment = || format!("mesh {format:?} {options:?} {budget:?} {source:?}");
    reader.load(object.origin, Directory::Meshes, file, treatment, |bytes| {
        compile(&MeshSource { file: Some((format, &bytes)), ..source })
    })
}

/// Adds the sizes of the arrays of meshes.
pub(super) fn add_mesh_sizes(meshes: &[Mesh], sizes: &mut Sizes) {
    sizes.nmesh = meshes.len();
    for mesh in meshes.iter().filter_map(|m| m.data.as_ref()) {
        sizes.nmeshvert += mesh.vert.len();
        sizes.nmeshnormal += mesh.normal.len();
        sizes.nmeshtexcoord += mesh.texcoord.len();
        sizes.nmeshface += mesh.face.len();
        sizes.nmeshgraph += mesh.graph.len();
        sizes.nmeshpoly += mesh.polygons.normal.len();
        sizes.nmeshpolyvert += mesh.polygons.vert.len();
        sizes.nmeshpolymap += mesh.polygons.map.len();
        sizes.nbvh += mesh.tree.nodeid.len();
        sizes.nbvhstatic += mesh.tree.nodeid.len();
        sizes.noct += mesh.octree.depth.len();
    }
}

/// First free row of each array.
#[derive(Default)]
struct Rows {
    vert: usize,
    normal: usize,
    texcoord: usize,
    face: usize,
    graph: usize,
    poly: usize,
    polyvert: usize,
    polymap: usize,
    bvh: usize,
    oct: usize,
}

/// Fills the arrays of meshes; the trees of bodies are already there.
pub(super) fn fill_meshes(m: &mut Model, meshes: &[Mesh]) {
    let bodies: i32 = m.body_bvhnum.iter().sum();
    let mut rows = Rows { bvh: bodies as usize, ..Rows::default() };
    for (i, mesh) in meshes.iter().enumerate() {
        if let Some(data) = &mesh.data {
            fill_mesh(m, i, data, &mut rows);
        }
    }
}

/// Copies rows to where they belong and returns the first of them, -1 if there are none.
fn put<T: Copy>(target: &mut [T], source: &[T], row: &mut usize) -> i32 {
    let start = *row;
    target[start..start + source.len()].copy_from_slice(source);
    *row += source.len();
    if source.is_empty() { -1 } else { start as i32 }
}

fn fill_mesh(m: &mut Model, i: usize, mesh: &CompiledMesh, rows: &mut Rows) {
    m.mesh_scale[i] = vec3(&mesh.scale);
    m.mesh_pos[i] = vec3(&mesh.pos);
    m.mesh_quat[i] = quat(&mesh.quat);
    m.mesh_vertnum[i] = mesh.vert.len() as i32;
    m.mesh_normalnum[i] = mesh.normal.len() as i32;
    m.mesh_texcoordnum[i] = mesh.texcoord.len() as i32;
    m.mesh_facenum[i] = mesh.face.len() as i32;
    m.mesh_polynum[i] = mesh.polygons.normal.len() as i32;
    m.mesh_bvhnum[i] = mesh.tree.nodeid.len() as i32;
    m.mesh_octnum[i] = mesh.octree.depth.len() as i32;

    // the maps of vertices to polygons lie beside the vertices
    let vertices = rows.vert..rows.vert + mesh.vert.len();
    for (k, v) in vertices.enumerate() {
        let first = mesh.polygons.mapadr.get(k).copied().unwrap_or(0);
        m.mesh_polymapadr[v] = first + rows.polymap as i32;
        m.mesh_polymapnum[v] = mesh.polygons.mapnum.get(k).copied().unwrap_or(0);
    }
    put(&mut m.mesh_polymap, &mesh.polygons.map, &mut rows.polymap);
    let polygons = rows.poly..rows.poly + mesh.polygons.normal.len();
    m.mesh_polyadr[i] = rows.poly as i32;
    for (k, p) in polygons.enumerate() {
        m.mesh_polynormal[p] = vec3(&mesh.polygons.normal[k]);
        m.mesh_polyvertadr[p] = mesh.polygons.vertadr[k] + rows.polyvert as i32;
        m.mesh_polyvertnum[p] = mesh.polygons.vertnum[k];
    }
    rows.poly += mesh.polygons.normal.len();
    put(&mut m.mesh_polyvert, &mesh.polygons.vert, &mut rows.polyvert);

    m.mesh_vertadr[i] = rows.vert as i32;
    put(&mut m.mesh_vert, &mesh.vert, &mut rows.vert);
    m.mesh_normaladr[i] = rows.normal as i32;
    put(&mut m.mesh_normal, &mesh.normal, &mut rows.normal);
    m.mesh_texcoordadr[i] = put(&mut m.mesh_texcoord, &mesh.texcoord, &mut rows.texcoord);
    m.mesh_faceadr[i] = rows.face as i32;
    let mut same = rows.face;
    put(&mut m.mesh_facenormal, &mesh.facenormal, &mut same);
    same = rows.face;
    put(&mut m.mesh_facetexcoord, &mesh.facetexcoord, &mut same);
    put(&mut m.mesh_face, &mesh.face, &mut rows.face);
    m.mesh_graphadr[i] = put(&mut m.mesh_graph, &mesh.graph, &mut rows.graph);

    let bvh = rows.bvh;
    for (k, aabb) in mesh.tree.aabb.iter().enumerate() {
        m.bvh_aabb[bvh + k] = reals(aabb);
    }
    same = bvh;
    put(&mut m.bvh_child, &mesh.tree.child, &mut same);
    same = bvh;
    put(&mut m.bvh_depth, &mesh.tree.depth, &mut same);
    m.mesh_bvhadr[i] = put(&mut m.bvh_nodeid, &mesh.tree.nodeid, &mut rows.bvh);

    let oct = rows.oct;
    for k in 0..mesh.octree.depth.len() {
        m.oct_aabb[oct + k] = reals(&mesh.octree.aabb[k]);
        m.oct_coeff[oct + k] = reals(&mesh.octree.coeff[k]);
    }
    same = oct;
    put(&mut m.oct_child, &mesh.octree.child, &mut same);
    m.mesh_octadr[i] = put(&mut m.oct_depth, &mesh.octree.depth, &mut rows.oct);
}
