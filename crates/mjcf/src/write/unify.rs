//! One set of compiler settings for a whole model: a saved text has one `<compiler>`, while parts
//! that were attached keep the settings and directories of where they come from.

use std::borrow::Cow;
use std::path::Path;

use ferrodyn_model::JointType;

use super::FileNames;
use crate::defaults::{DefaultResolver, Scopes};
use crate::keywords::{AngleUnit, Tristate};
use crate::orientation::orientation;
use crate::path;
use crate::schema::CompilerAttrs;
use crate::spec::{DefaultAttrs, Element, JointSpec, Spec};
use crate::values::{Orientation, RawQuat};

/// Radians in a degree.
const DEGREE: f64 = core::f64::consts::PI / 180.0;

/// The unit of angles and the order of euler angles.
fn angles(compiler: &CompilerAttrs) -> (bool, [u8; 3]) {
    (compiler.angle != Some(AngleUnit::Radian), compiler.eulerseq.map_or(*b"xyz", |s| s.0))
}

/// The same model, in which every element has the settings of the model itself, and files have the
/// names that are asked for.
pub(super) fn unified(spec: &Spec, names: FileNames) -> Cow<'_, Spec> {
    let mut out = Cow::Borrowed(spec);
    let directories = |origin: usize| {
        let compiler = spec.compiler_of(origin);
        (spec.directory_of(origin), &compiler.meshdir, &compiler.texturedir)
    };
    let attached = 1..=spec.attached.len();
    let elsewhere = attached.clone().any(|o| directories(o) != directories(0));
    if names == FileNames::Absolute || elsewhere {
        name_files(out.to_mut(), names);
    }
    if attached.clone().any(|o| angles(spec.compiler_of(o)) != angles(&spec.compiler)) {
        unify_angles(out.to_mut());
    }
    if attached.clone().any(|o| spec.compiler_of(o).alignfree != spec.compiler.alignfree) {
        unify_alignment(out.to_mut());
    }
    // where limits are stated anyway, deciding them from ranges changes nothing
    let automatic = |origin| spec.compiler_of(origin).autolimits.unwrap_or(true);
    if !automatic(0) && attached.clone().any(automatic) {
        out.to_mut().compiler.autolimits = Some(true);
    }
    out
}

/// Gives files of attached models, or all files, their full names.
fn name_files(spec: &mut Spec, names: FileNames) {
    let old = spec.clone();
    let strip = old.compiler.strippath == Some(true);
    let full = |origin: usize, assets: &Option<String>, file: &mut Option<String>| {
        let Some(file) = file.as_mut().filter(|f| !f.is_empty()) else { return };
        let packaged = old.options.package_file(file).filter(|f| Path::new(f).is_file());
        if let Some(packaged) = packaged {
            *file = packaged;
            return;
        }
        if strip {
            *file = path::file_name(file).to_owned();
        }
        let directory = old.directory_of(origin);
        let whole = names == FileNames::Absolute;
        if (whole || origin != 0) && !directory.is_empty() {
            let assets = assets.as_deref().unwrap_or("");
            *file = path::join(&path::join(directory, assets), file);
        }
    };
    for mesh in &mut spec.meshes {
        full(mesh.origin, &old.compiler_of(mesh.origin).meshdir, &mut mesh.attr.file);
    }
    for hfield in &mut spec.hfields {
        full(hfield.origin, &old.compiler_of(hfield.origin).meshdir, &mut hfield.attr.file);
    }
    for texture in &mut spec.textures {
        let assets = &old.compiler_of(texture.origin).texturedir;
        let a = &mut texture.attr;
        for file in [
            &mut a.file,
            &mut a.fileright,
            &mut a.fileleft,
            &mut a.fileup,
            &mut a.filedown,
            &mut a.filefront,
            &mut a.fileback,
        ] {
            full(texture.origin, assets, file);
        }
    }
    let c = &mut spec.compiler;
    if strip {
        c.strippath = None;
    }
    if names == FileNames::Absolute && !spec.directory.is_empty() {
        (c.meshdir, c.texturedir, c.assetdir) = (None, None, None);
    }
}

/// The default class of an element of the tree.
pub(super) fn class_of<'a, A>(element: &'a Element<A>, scopes: &Scopes<'a>) -> &'a str {
    let around = scopes.around(element.body, element.frame);
    element.class.as_deref().unwrap_or(around)
}

/// Turns orientations into quaternions and angles of joints into radians.
pub(super) fn unify_angles(spec: &mut Spec) {
    let old = spec.clone();
    let resolver = DefaultResolver::new(&old);
    let scopes = Scopes::new(&old);
    let resolve = |origin: usize, quat: &mut Option<RawQuat>, alt: &mut Option<Orientation>| {
        let (degree, sequence) = angles(old.compiler_of(origin));
        if alt.is_some()
            && let Ok(q) = orientation(degree, &sequence, quat, alt)
        {
            *quat = Some(RawQuat(q));
            *alt = None;
        }
    };
    for frame in &mut spec.frames {
        resolve(frame.origin, &mut frame.attr.quat, &mut frame.attr.alt);
    }
    for body in &mut spec.bodies {
        resolve(body.origin, &mut body.attr.quat, &mut body.attr.alt);
        if let Some(inertial) = &mut body.inertial {
            resolve(body.origin, &mut inertial.attr.quat, &mut inertial.attr.alt);
        }
    }
    // what comes from a class is stated by the element: a class may serve parts of several origins
    macro_rules! oriented {
        ($($list:ident $apply:ident),*) => {$(
            for (element, source) in spec.$list.iter_mut().zip(&old.$list) {
                let class = class_of(source, &scopes);
                let mut whole = resolver.$apply(class, &source.attr);
                if whole.alt.is_some() {
                    resolve(source.origin, &mut whole.quat, &mut whole.alt);
                    element.attr.quat = whole.quat;
                    element.attr.alt = whole.alt;
                }
            }
        )*};
    }
    oriented!(geoms apply_to_geom, sites apply_to_site, cameras apply_to_camera);
    for (joint, source) in spec.joints.iter_mut().zip(&old.joints) {
        let (JointSpec::Joint(attr), JointSpec::Joint(stated)) = (&mut joint.attr, &source.attr)
        else {
            continue;
        };
        if !angles(old.compiler_of(source.origin)).0 {
            continue;
        }
        let whole = resolver.apply_to_joint(class_of(source, &scopes), stated);
        let kind = whole.kind.unwrap_or(JointType::Hinge);
        // only ranges that are limits are angles, as in the compiler
        let range = whole.range.unwrap_or_default();
        let limited = match whole.limited.unwrap_or(Tristate::Auto) {
            Tristate::True => true,
            Tristate::False => false,
            Tristate::Auto => range[0] < range[1],
        };
        if limited && matches!(kind, JointType::Hinge | JointType::Ball) {
            attr.range = Some(range.map(|x| x * DEGREE));
        }
        if kind == JointType::Hinge {
            attr.reference = whole.reference.map(|x| x * DEGREE);
            attr.springref = whole.springref.map(|x| x * DEGREE);
        }
    }
    for element in spec.defaults.iter_mut().flat_map(|block| &mut block.elements) {
        match &mut element.attr {
            DefaultAttrs::Geom(a) => a.alt = None,
            DefaultAttrs::Site(a) => a.alt = None,
            DefaultAttrs::Camera(a) => a.alt = None,
            _ => {}
        }
    }
    spec.compiler.angle = Some(AngleUnit::Radian);
    spec.compiler.eulerseq = None;
}

/// States for every free joint whether its body is aligned.
fn unify_alignment(spec: &mut Spec) {
    let aligned: Vec<bool> = spec
        .joints
        .iter()
        .map(|joint| spec.compiler_of(joint.origin).alignfree.unwrap_or(false))
        .collect();
    for (joint, aligned) in spec.joints.iter_mut().zip(aligned) {
        if let JointSpec::Free(attr) = &mut joint.attr
            && matches!(attr.align, None | Some(Tristate::Auto))
        {
            attr.align = Some(if aligned { Tristate::True } else { Tristate::False });
        }
    }
}
