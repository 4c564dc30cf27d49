//! Compiles assets and finds them by name.

use std::sync::Arc;

use ferrodyn_model::{Model, ObjType, Sizes};

use super::file_reader::{Directory, FileReader};
use super::fill::{index as to_index, reals};
use super::index::{Index, Wanted};
use super::mesh::{Mesh, add_mesh_sizes, fill_meshes, meshes};
use super::resolve::Elements;
use super::tree::problem;
use crate::defaults::DefaultResolver;
use crate::error::{DiagnosticKind, Sink};
use crate::image::{
    Heights, ImageOptions, Texture, compile_texture, heights_from_file, normalize_heights,
    texture_channels, texture_files,
};
use crate::path;
use crate::schema::{At, Attributes, HfieldAttrs, TextureAttrs};
use crate::spec::{MaterialSpec, Object, Spec};

/// The names of all assets; those without one are named after their files.
#[derive(Clone, Debug, Default)]
pub(super) struct AssetNames {
    pub(super) meshes: Vec<String>,
    pub(super) skins: Vec<String>,
    pub(super) hfields: Vec<String>,
    pub(super) textures: Vec<String>,
    pub(super) materials: Vec<String>,
}

/// The names of all assets; one that cannot be named is reported.
pub(super) fn names(spec: &Spec, sink: &mut Sink) -> AssetNames {
    fn of<A>(
        objects: &[Object<A>],
        element: &str,
        file: impl Fn(&A) -> Option<&str>,
        optional: impl Fn(&A) -> bool,
        sink: &mut Sink,
    ) -> Vec<String> {
        let mut names = Vec::with_capacity(objects.len());
        for object in objects {
            let mut name = object.name.clone();
            if name.is_empty()
                && let Some(file) = file(&object.attr)
            {
                name = path::stem(path::file_name(file)).to_owned();
            }
            if name.is_empty() && !optional(&object.attr) {
                let message = "expected a name, or a file to take it from";
                let problem = problem(element, "", object.span, message);
                sink.error(problem.of_kind(DiagnosticKind::Missing));
            }
            names.push(name);
        }
        names
    }
    let skybox =
        |a: &crate::schema::TextureAttrs| a.kind == Some(ferrodyn_model::TextureType::Skybox);
    AssetNames {
        meshes: of(&spec.meshes, "mesh", |a| a.file.as_deref(), |_| false, sink),
        skins: of(&spec.skins, "skin", |a| a.attr.file.as_deref(), |_| true, sink),
        hfields: of(&spec.hfields, "hfield", |a| a.file.as_deref(), |_| false, sink),
        textures: of(&spec.textures, "texture", |a| a.file.as_deref(), skybox, sink),
        materials: of(&spec.materials, "material", |_| None, |_| false, sink),
    }
}

/// A compiled material.
#[derive(Clone, Debug)]
pub(super) struct Material {
    spec: MaterialSpec,
    /// Texture of each role.
    textures: [Option<usize>; 10],
}

/// All compiled assets.
#[derive(Clone, Debug, Default)]
pub(super) struct Assets {
    pub(super) meshes: Vec<Mesh>,
    pub(super) hfields: Vec<Hfield>,
    textures: Vec<Option<Texture>>,
    materials: Vec<Material>,
    /// Files of the assets, as the model names them.
    paths: Paths,
    pub(super) names: AssetNames,
}

/// The names of the files of assets; empty where an asset has none.
#[derive(Clone, Debug, Default)]
struct Paths {
    hfields: Vec<String>,
    meshes: Vec<String>,
    skins: Vec<String>,
    textures: Vec<String>,
}

impl Assets {
    /// Compiles all assets; what cannot be compiled is reported.
    pub(super) fn compile(
        spec: &Spec,
        defaults: &DefaultResolver,
        elements: &Elements<'_>,
        index: &Index<'_>,
        names: &AssetNames,
        sink: &mut Sink,
    ) -> Self {
        let reader = FileReader::new(spec);
        let file = |file: &Option<String>| {
            file.as_deref().map_or(String::new(), |f| reader.stripped(f).to_owned())
        };
        let paths = Paths {
            hfields: spec.hfields.iter().map(|o| file(&o.attr.file)).collect(),
            meshes: spec.meshes.iter().map(|o| file(&o.attr.file)).collect(),
            skins: spec.skins.iter().map(|o| file(&o.attr.attr.file)).collect(),
            textures: spec.textures.iter().map(|o| file(&o.attr.file)).collect(),
        };
        let textures = spec.textures.iter().map(|o| texture(o, &reader, sink)).collect();
        Self {
            meshes: meshes(spec, defaults, elements, index, &reader, sink),
            hfields: spec.hfields.iter().map(|o| hfield(o, &reader, sink)).collect(),
            textures,
            materials: materials(spec, defaults, index, sink),
            paths,
            names: names.clone(),
        }
    }

    /// Keeps only some meshes, and no textures and materials. Meshes keep their texture coordinates: MuJoCo means to
    /// drop them too, but does so before it reads them.
    pub(super) fn discard(&mut self, meshes: &[bool]) {
        fn keep<T>(list: &mut Vec<T>, kept: &[bool]) {
            let mut flags = kept.iter();
            list.retain(|_| flags.next().copied().unwrap_or(false));
        }
        keep(&mut self.meshes, meshes);
        keep(&mut self.paths.meshes, meshes);
        keep(&mut self.names.meshes, meshes);
        self.textures.clear();
        self.materials.clear();
        self.paths.textures.clear();
        self.names.textures.clear();
        self.names.materials.clear();
    }

    /// Numbers of vertices of the meshes.
    pub(super) fn mesh_vertices(&self) -> Vec<usize> {
        self.meshes.iter().map(|m| m.data.as_ref().map_or(0, |d| d.vert.len())).collect()
    }

    /// Adds the sizes of the arrays.
    pub(super) fn add_sizes(&self, sizes: &mut Sizes) {
        add_mesh_sizes(&self.meshes, sizes);
        sizes.nhfield = self.hfields.len();
        sizes.nhfielddata = self.hfields.iter().map(|h| h.heights.data.len()).sum();
        sizes.ntex = self.textures.len();
        sizes.ntexdata = self.textures.iter().flatten().map(|t| t.data.len()).sum();
        sizes.nmat = self.materials.len();
        sizes.npaths = self.paths.bytes().len();
    }

    /// Fills the arrays.
    pub(super) fn fill(&self, m: &mut Model) {
        fill_meshes(m, &self.meshes);
        self.fill_images(m);
        fill_materials(m, &self.materials);
        self.paths.fill(m);
    }

    fn fill_images(&self, m: &mut Model) {
        let mut address = 0;
        for (i, hfield) in self.hfields.iter().enumerate() {
            let heights = &hfield.heights;
            m.hfield_size[i] = reals(&hfield.size);
            m.hfield_nrow[i] = heights.nrow as i32;
            m.hfield_ncol[i] = heights.ncol as i32;
            m.hfield_adr[i] = address as i32;
            let end = address + heights.data.len();
            m.hfield_data[address..end].copy_from_slice(&heights.data);
            address = end;
        }
        let mut address = 0;
        for (i, texture) in self.textures.iter().enumerate() {
            let Some(texture) = texture else { continue };
            m.tex_type[i] = texture.kind as i32;
            m.tex_colorspace[i] = texture.colorspace as i32;
            m.tex_height[i] = texture.height as i32;
            m.tex_width[i] = texture.width as i32;
            m.tex_nchannel[i] = texture.channels as i32;
            m.tex_adr[i] = address as i64;
            let end = address + texture.data.len();
            m.tex_data[address..end].copy_from_slice(&texture.data);
            address = end;
        }
    }
}

impl Paths {
    /// All paths, each ended by a zero byte; at least one byte.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for path in [&self.hfields, &self.meshes, &self.skins, &self.textures].into_iter().flatten()
        {
            if !path.is_empty() {
                bytes.extend_from_slice(path.as_bytes());
                bytes.push(0);
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
        bytes
    }

    fn fill(&self, m: &mut Model) {
        m.paths.copy_from_slice(&self.bytes());
        let mut address = 0;
        let mut place = |paths: &[String], target: &mut [i32]| {
            for (path, slot) in paths.iter().zip(target) {
                *slot = -1;
                if !path.is_empty() {
                    *slot = address;
                    address += path.len() as i32 + 1;
                }
            }
        };
        place(&self.hfields, &mut m.hfield_pathadr);
        place(&self.meshes, &mut m.mesh_pathadr);
        place(&self.skins, &mut m.skin_pathadr);
        place(&self.textures, &mut m.tex_pathadr);
    }
}

/// A compiled height field.
#[derive(Clone, Debug)]
pub(super) struct Hfield {
    pub(super) size: [f64; 4],
    heights: Arc<Heights>,
}

fn hfield(object: &Object<HfieldAttrs>, reader: &FileReader<'_>, sink: &mut Sink) -> Hfield {
    let attr = &object.attr;
    let size = attr.or_default().size();
    let mut fail = |message: &str| {
        sink.error(problem("hfield", &object.name, object.span, message));
    };
    if size.iter().any(|x| *x <= 0.0) {
        fail("all numbers of 'size' must be positive");
    }
    let made = match attr.file.as_deref().filter(|f| !f.is_empty()) {
        Some(file) => {
            let stated = attr.content_type.as_deref();
            let treatment = || format!("hfield {stated:?} {file} {}", reader.budget());
            reader.load(object.origin, Directory::Meshes, file, treatment, |bytes| {
                let mut heights = heights_from_file(file, stated, &bytes, reader.budget())?;
                normalize_heights(&mut heights.data);
                Ok(heights)
            })
        }
        None => inline_heights(attr, reader.budget()).map(Arc::new),
    };
    let heights = made.unwrap_or_else(|message| {
        fail(&message);
        Arc::default()
    });
    Hfield { size, heights }
}

/// Elevations from the text, which lists the last row first; zeros where there are none.
fn inline_heights(attr: &HfieldAttrs, budget: usize) -> Result<Heights, String> {
    let count = |n: i32| usize::try_from(n).unwrap_or(0);
    let (nrow, ncol) = (count(attr.or_default().nrow()), count(attr.or_default().ncol()));
    if nrow == 0 || ncol == 0 {
        return Err(String::from("expected a file, or 'nrow' and 'ncol'"));
    }
    let size = nrow.saturating_mul(ncol);
    if size > budget {
        return Err(format!("{size} elevations are more than the budget allows"));
    }
    let mut data = match &attr.elevation {
        None => vec![0.0; size],
        Some(given) if given.len() == size => {
            given.chunks_exact(ncol).rev().flatten().copied().collect()
        }
        Some(_) => return Err(String::from("'elevation' must have nrow times ncol numbers")),
    };
    normalize_heights(&mut data);
    Ok(Heights { nrow, ncol, data })
}

fn texture(
    object: &Object<TextureAttrs>,
    reader: &FileReader<'_>,
    sink: &mut Sink,
) -> Option<Texture> {
    let attr = &object.attr;
    let image = |file: &str| {
        let options = ImageOptions::new(
            file,
            attr.content_type.as_deref(),
            texture_channels(attr)?,
            reader.budget(),
        )
        .flipped(attr.hflip, attr.vflip);
        let treatment = || format!("image {options:?}");
        reader.load(object.origin, Directory::Textures, file, treatment, |b| options.read(&b))
    };
    let images: Result<Vec<_>, String> = texture_files(attr)
        .into_iter()
        .map(|(side, file)| Ok((side, file, image(file)?)))
        .collect();
    let made = images.and_then(|images| compile_texture(attr, &images, reader.budget()));
    made.map_err(|message| {
        sink.error(problem("texture", &object.name, object.span, &message));
    })
    .ok()
}

/// Compiles the materials.
fn materials(
    spec: &Spec,
    defaults: &DefaultResolver,
    index: &Index<'_>,
    sink: &mut Sink,
) -> Vec<Material> {
    let mut list = Vec::with_capacity(spec.materials.len());
    for object in &spec.materials {
        let material = defaults.apply_to_material(object.class_name(), &object.attr);
        let mut textures = [None; 10];
        for layer in material.layers.iter().filter(|l| !l.texture.is_empty()) {
            let name = Some(layer.texture.as_str());
            let wanted = Wanted::by(object, "material", "texture", ObjType::Texture, name);
            textures[layer.role as usize] = index.expect(&wanted, sink);
        }
        list.push(Material { spec: material, textures });
    }
    list
}

/// Fills the arrays of materials.
fn fill_materials(m: &mut Model, materials: &[Material]) {
    for (i, material) in materials.iter().enumerate() {
        material.spec.attr.fill(m, At::Object(i));
        m.mat_texid[i] = material.textures.map(to_index);
    }
}
