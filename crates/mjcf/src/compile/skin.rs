//! Compiles skins: checks their parts, finds their bodies and materials, and lets the weights of each vertex sum to one.

use std::sync::Arc;

use ferrodyn_math::MIN_VAL;
use ferrodyn_model::{Model, ObjType, Sizes};

use super::file_reader::{Directory, FileReader};
use super::fill::index as to_index;
use super::index::{Index, Wanted};
use super::tree::problem;
use crate::error::{Sink, Span};
use crate::pose::{double, normalize};
use crate::schema::{At, Attributes, SkinAttrs};
use crate::skin::{Bone, Skin as Data, read_skn};
use crate::spec::{Object, SkinSpec, Spec};

/// A compiled skin.
#[derive(Clone, Debug, Default)]
pub(super) struct Skin {
    attr: SkinAttrs,
    material: Option<usize>,
    data: Data,
    /// Bodies of the bones.
    bodies: Vec<usize>,
}

/// What is wrong with a skin: its bone, the attribute, and words.
struct Fault {
    bone: Option<usize>,
    attribute: Option<&'static str>,
    message: String,
}

impl Fault {
    fn new(attribute: impl Into<Option<&'static str>>, message: impl Into<String>) -> Self {
        Self { bone: None, attribute: attribute.into(), message: message.into() }
    }

    fn of_bone(bone: usize, attribute: &'static str, message: impl Into<String>) -> Self {
        Self { bone: Some(bone), attribute: Some(attribute), message: message.into() }
    }
}

/// Compiles all skins; what cannot be compiled is reported.
pub(super) fn skins(spec: &Spec, index: &Index<'_>, sink: &mut Sink) -> Vec<Skin> {
    let reader = FileReader::new(spec);
    let mut list = Vec::with_capacity(spec.skins.len());
    for object in &spec.skins {
        let material = material(object, index, sink);
        match compiled(object, &reader) {
            Ok(data) => {
                let bodies = bodies(object, &data.bones, index, sink);
                list.push(Skin { attr: object.attr.attr.clone(), material, data, bodies });
            }
            Err(fault) => {
                let attr = &object.attr.attr;
                let from_file = attr.file.as_deref().is_some_and(|file| !file.is_empty());
                let message = match fault.bone {
                    Some(i) if from_file || bone_span(object, i) == object.span => {
                        format!("bone {i}: {}", fault.message)
                    }
                    _ => fault.message,
                };
                let span = fault.bone.map_or(object.span, |i| bone_span(object, i));
                let element = if span == object.span { "skin" } else { "bone" };
                let mut problem = problem(element, &object.name, span, &message);
                if let Some(attribute) = fault.attribute.filter(|_| !from_file) {
                    problem = problem.attribute(attribute);
                }
                sink.error(problem);
            }
        }
    }
    list
}

/// Where a bone begins; bones that no text has are where their skin is.
fn bone_span(object: &Object<SkinSpec>, bone: usize) -> Span {
    object.attr.bones.get(bone).copied().unwrap_or(object.span)
}

fn material(object: &Object<SkinSpec>, index: &Index<'_>, sink: &mut Sink) -> Option<usize> {
    let name = object.attr.attr.material.as_deref().filter(|name| !name.is_empty())?;
    let wanted = Wanted::by(object, "skin", "material", ObjType::Material, Some(name));
    index.expect(&wanted, sink)
}

/// The bodies of the bones.
fn bodies(
    object: &Object<SkinSpec>,
    bones: &[Bone],
    index: &Index<'_>,
    sink: &mut Sink,
) -> Vec<usize> {
    let find = |(i, bone): (usize, &Bone)| {
        let (name, span) = (Some(bone.body.as_str()), bone_span(object, i));
        let wanted = Wanted::by(object, "bone", "body", ObjType::Body, name);
        index.expect(&Wanted { span, ..wanted }, sink)
    };
    bones.iter().enumerate().filter_map(find).collect()
}

/// The parts of a skin, checked, with the weights of each vertex summing to one.
fn compiled(object: &Object<SkinSpec>, reader: &FileReader<'_>) -> Result<Data, Fault> {
    let attr = &object.attr.attr;
    let mut data = match attr.file.as_deref().filter(|file| !file.is_empty()) {
        Some(file) => {
            let plain = |message: String| Fault::new("file", message);
            if given(attr) {
                return Err(plain(String::from("a skin has a file or data of its own, not both")));
            }
            let (_, extension) = file.rsplit_once('.').unwrap_or((file, ""));
            if !extension.eq_ignore_ascii_case("skn") {
                return Err(plain(format!("'{file}' is not a .skn file")));
            }
            let treatment = || String::from("skin");
            let skin = reader
                .load(object.origin, Directory::Meshes, file, treatment, |b| read_skn(&b))
                .map_err(|message| plain(format!("'{file}': {message}")))?;
            Arc::unwrap_or_clone(skin)
        }
        None => inline(attr)?,
    };
    check(&data)?;
    balance(&mut data)?;
    for bone in &mut data.bones {
        let mut quat = bone.quat.map(f64::from);
        normalize(&mut quat);
        bone.quat = quat.map(|x| x as f32);
    }
    Ok(data)
}

/// Whether a skin has data of its own.
fn given(attr: &SkinAttrs) -> bool {
    let or = attr.or_default();
    !(or.vertex().is_empty()
        && or.texcoord().is_empty()
        && or.face().is_empty()
        && or.bodyname().is_empty()
        && or.bindpos().is_empty()
        && or.bindquat().is_empty()
        && or.vertid().is_empty()
        && or.vertweight().is_empty())
}

/// The parts of a skin that states them itself.
fn inline(attr: &SkinAttrs) -> Result<Data, Fault> {
    let or = attr.or_default();
    let (names, ids, weights) = (or.bodyname(), or.vertid(), or.vertweight());
    let (positions, quats) = (or.bindpos(), or.bindquat());
    let sizes = [
        ("bindpos", positions.len(), 3 * names.len()),
        ("bindquat", quats.len(), 4 * names.len()),
        ("vertid", ids.len(), names.len()),
        ("vertweight", weights.len(), names.len()),
    ];
    if let Some((name, found, wanted)) =
        sizes.into_iter().find(|(_, found, wanted)| found != wanted)
    {
        let message = format!("'{name}' has {found} parts, but the bones need {wanted}");
        return Err(Fault::new(None, message));
    }
    let bones = names.into_iter().zip(ids).zip(weights).enumerate();
    let bones = bones.map(|(i, ((body, ids), weights))| Bone {
        body,
        pos: core::array::from_fn(|k| positions[3 * i + k]),
        quat: core::array::from_fn(|k| quats[4 * i + k]),
        ids,
        weights,
    });
    let bones = bones.collect();
    Ok(Data { vertex: or.vertex(), texcoord: or.texcoord(), face: or.face(), bones })
}

/// Everything must be there, in whole vertices and faces, and name vertices that exist.
fn check(skin: &Data) -> Result<(), Fault> {
    let parts = [
        ("vertex", skin.vertex.is_empty()),
        ("face", skin.face.is_empty()),
        ("bone", skin.bones.is_empty()),
    ];
    if let Some((name, _)) = parts.into_iter().find(|(_, missing)| *missing) {
        let plural = if name == "vertex" { "vertices" } else { &format!("{name}s") };
        return Err(Fault::new(None, format!("a skin without {plural}, and without a file")));
    }
    if !skin.vertex.len().is_multiple_of(3) {
        return Err(Fault::new("vertex", "expected three numbers for each vertex"));
    }
    if !skin.face.len().is_multiple_of(3) {
        return Err(Fault::new("face", "expected three numbers for each face"));
    }
    let (vertices, texcoords) = (skin.vertex.len() / 3, skin.texcoord.len());
    if texcoords != 0 && texcoords != 2 * vertices {
        let message = format!("{texcoords} numbers for {vertices} vertices, expected two for each");
        return Err(Fault::new("texcoord", message));
    }
    let outside = |id: &&i32| usize::try_from(**id).is_ok_and(|id| id < vertices);
    let no_vertex = |id: i32| format!("there is no vertex {id}, only 0 to {}", vertices - 1);
    if let Some(id) = skin.face.iter().find(|id| !outside(id)) {
        return Err(Fault::new("face", no_vertex(*id)));
    }
    for (i, bone) in skin.bones.iter().enumerate() {
        let (ids, weights) = (bone.ids.len(), bone.weights.len());
        if ids == 0 || ids != weights {
            let message = format!("{weights} weights for {ids} vertices; there must be as many");
            return Err(Fault::of_bone(i, "vertweight", message));
        }
        if let Some(id) = bone.ids.iter().find(|id| !outside(id)) {
            return Err(Fault::of_bone(i, "vertid", no_vertex(*id)));
        }
    }
    Ok(())
}

/// Lets the weights of each vertex sum to one; every vertex must hang on a bone.
fn balance(skin: &mut Data) -> Result<(), Fault> {
    let mut total = vec![0.0_f32; skin.vertex.len() / 3];
    for bone in &skin.bones {
        for (id, weight) in bone.ids.iter().zip(&bone.weights) {
            total[*id as usize] += weight;
        }
    }
    let positive = |total: &f32| f64::from(*total) > double(MIN_VAL);
    if let Some(vertex) = total.iter().position(|total| !positive(total)) {
        let message = format!("the weights of vertex {vertex} do not have a positive sum");
        return Err(Fault::new(None, message));
    }
    for bone in &mut skin.bones {
        for (id, weight) in bone.ids.iter().zip(&mut bone.weights) {
            *weight /= total[*id as usize];
        }
    }
    Ok(())
}

/// Adds the sizes of the arrays.
pub(super) fn add_sizes(skins: &[Skin], sizes: &mut Sizes) {
    let sum = |part: &dyn Fn(&Data) -> usize| skins.iter().map(|s| part(&s.data)).sum();
    sizes.nskin = skins.len();
    sizes.nskinvert = sum(&|s| s.vertex.len() / 3);
    sizes.nskintexvert = sum(&|s| s.texcoord.len() / 2);
    sizes.nskinface = sum(&|s| s.face.len() / 3);
    sizes.nskinbone = sum(&|s| s.bones.len());
    sizes.nskinbonevert = sum(&|s| s.bones.iter().map(|b| b.ids.len()).sum());
}

/// Fills the arrays.
pub(super) fn fill(m: &mut Model, skins: &[Skin]) {
    let (mut vert, mut texcoord, mut face, mut bone, mut bonevert) = (0, 0, 0, 0, 0);
    for (i, skin) in skins.iter().enumerate() {
        let data = &skin.data;
        skin.attr.fill(m, At::Object(i));
        m.skin_matid[i] = to_index(skin.material);
        m.skin_vertadr[i] = vert as i32;
        m.skin_vertnum[i] = (data.vertex.len() / 3) as i32;
        m.skin_texcoordadr[i] = if data.texcoord.is_empty() { -1 } else { texcoord as i32 };
        m.skin_faceadr[i] = face as i32;
        m.skin_facenum[i] = (data.face.len() / 3) as i32;
        m.skin_boneadr[i] = bone as i32;
        m.skin_bonenum[i] = data.bones.len() as i32;
        vert = copy_rows(&data.vertex, &mut m.skin_vert, vert);
        texcoord = copy_rows(&data.texcoord, &mut m.skin_texcoord, texcoord);
        face = copy_rows(&data.face, &mut m.skin_face, face);
        for (part, body) in data.bones.iter().zip(&skin.bodies) {
            let end = bonevert + part.ids.len();
            m.skin_bonevertadr[bone] = bonevert as i32;
            m.skin_bonevertnum[bone] = part.ids.len() as i32;
            m.skin_bonebindpos[bone] = part.pos;
            m.skin_bonebindquat[bone] = part.quat;
            m.skin_bonebodyid[bone] = *body as i32;
            m.skin_bonevertid[bonevert..end].copy_from_slice(&part.ids);
            m.skin_bonevertweight[bonevert..end].copy_from_slice(&part.weights);
            (bone, bonevert) = (bone + 1, end);
        }
    }
}

/// Copies numbers to rows of an array, from `first` on; returns the row after the last.
fn copy_rows<T: Copy, const N: usize>(from: &[T], to: &mut [[T; N]], first: usize) -> usize {
    let rows = from.chunks_exact(N);
    let end = first + rows.len();
    for (row, numbers) in to[first..end].iter_mut().zip(rows) {
        row.copy_from_slice(numbers);
    }
    end
}
