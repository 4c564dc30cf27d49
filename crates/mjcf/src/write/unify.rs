//! One set of compiler settings for a whole model: a saved text has one `<compiler>`, while parts
//! that were attached keep the settings and directories of where they come from.

use std::borrow::Cow;

use ferrodyn_model::JointType;

use super::files::name_files;
use super::{FileNames, inertial_of};
use crate::defaults::{DefaultResolver, Scopes};
use crate::keywords::{AngleUnit, Tristate};
use crate::orientation::orientation;
use crate::schema::CompilerAttrs;
use crate::spec::{DefaultAttrs, Element, InertialSpec, JointSpec, Spec};
use crate::values::{Orientation, RawQuat};

/// Radians in a degree.
const DEGREE: f64 = core::f64::consts::PI / 180.0;

/// The unit of angles and the order of euler angles.
fn angles(compiler: &CompilerAttrs) -> (bool, [u8; 3]) {
    let or = compiler.or_default();
    (or.angle() == AngleUnit::Degree, or.eulerseq())
}

/// What decides the inertia of a body: two bounds, balancing, and which geoms count.
fn masses(c: &CompilerAttrs) -> (f64, f64, bool, Tristate, [i32; 2]) {
    let or = c.or_default();
    (
        or.boundmass(),
        or.boundinertia(),
        or.balanceinertia(),
        or.inertiafromgeom(),
        or.inertiagrouprange(),
    )
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
    if attached.clone().any(|o| masses(spec.compiler_of(o)) != masses(&spec.compiler)) {
        state_inertias(out.to_mut(), spec);
    }
    // where limits are stated anyway, deciding them from ranges changes nothing
    let automatic = |origin| spec.compiler_of(origin).or_default().autolimits();
    if !automatic(0) && attached.clone().any(automatic) {
        out.to_mut().compiler.autolimits = Some(true);
    }
    out
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
        let kind = whole.or_default().kind();
        // only ranges that are limits are angles, as in the compiler
        let range = whole.or_default().range();
        let limited = match whole.or_default().limited() {
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
        .map(|joint| spec.compiler_of(joint.origin).or_default().alignfree())
        .collect();
    for (joint, aligned) in spec.joints.iter_mut().zip(aligned) {
        if let JointSpec::Free(attr) = &mut joint.attr
            && matches!(attr.align, None | Some(Tristate::Auto))
        {
            attr.align = Some(if aligned { Tristate::True } else { Tristate::False });
        }
    }
}

/// States the inertia of every body, so that no setting decides it. A model that does not compile
/// stays as it is.
fn state_inertias(spec: &mut Spec, source: &Spec) {
    // the inertias as they are before anything else is done with bodies
    let mut plain = source.clone();
    let attached = plain.attached.iter_mut().map(|o| &mut o.compiler);
    for c in core::iter::once(&mut plain.compiler).chain(attached) {
        (c.settotalmass, c.fusestatic, c.discardvisual, c.alignfree) = (None, None, None, None);
    }
    for joint in &mut plain.joints {
        if let JointSpec::Free(attr) = &mut joint.attr {
            attr.align = Some(Tristate::False);
        }
    }
    let Ok(compiled) = plain.compile() else { return };
    let m = &compiled.model;
    for (i, body) in spec.bodies.iter_mut().enumerate().skip(1) {
        let span = body.inertial.as_ref().map_or(body.span, |inertial| inertial.span);
        body.inertial = Some(InertialSpec { span, attr: inertial_of(m, i) });
    }
    let c = &mut spec.compiler;
    (c.boundmass, c.boundinertia, c.balanceinertia) = (None, None, None);
    (c.inertiafromgeom, c.inertiagrouprange) = (None, None);
}
