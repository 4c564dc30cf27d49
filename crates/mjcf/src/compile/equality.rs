//! Compiles equality constraints.

use ferrodyn_math::Real;
use ferrodyn_model::{EqualityType, JointType, Model, ObjType};

use super::fill::index as to_index;
use super::flex::{Flex, is_rigid};
use super::index::{Index, Wanted};
use super::objects::Joint;
use super::tree::problem;
use crate::defaults::DefaultResolver;
use crate::error::Sink;
use crate::schema::{At, Attributes, EqualityAttrs};
use crate::spec::{EqualitySpec, Object, Spec};

/// A compiled equality constraint.
#[derive(Clone, Debug)]
pub(super) struct Equality {
    kind: EqualityType,
    objtype: ObjType,
    objects: [Option<usize>; 2],
    data: [f64; 11],
    attr: EqualityAttrs,
}

/// Resolves the constraints.
pub(super) fn equalities(
    spec: &Spec,
    defaults: &DefaultResolver,
    index: &Index<'_>,
    joints: &[Joint],
    flexes: &[Flex<'_>],
    sink: &mut Sink,
) -> Vec<Equality> {
    let compile = |object| equality(object, defaults, index, joints, flexes, sink);
    spec.equalities.iter().filter_map(compile).collect()
}

fn equality(
    object: &Object<EqualitySpec>,
    defaults: &DefaultResolver,
    index: &Index<'_>,
    joints: &[Joint],
    flexes: &[Flex<'_>],
    sink: &mut Sink,
) -> Option<Equality> {
    let kind = object.attr.kind;
    let attr = defaults.apply_to_equality(object.class_name(), &object.attr.attr);
    let by_sites = attr.site1.is_some();
    let (objtype, names, attributes) = match kind {
        EqualityType::Joint => (ObjType::Joint, [&attr.joint1, &attr.joint2], ["joint1", "joint2"]),
        EqualityType::Tendon => {
            (ObjType::Tendon, [&attr.tendon1, &attr.tendon2], ["tendon1", "tendon2"])
        }
        EqualityType::Flex | EqualityType::FlexVert => {
            (ObjType::Flex, [&attr.flex, &None], ["flex", "flex"])
        }
        _ if by_sites => (ObjType::Site, [&attr.site1, &attr.site2], ["site1", "site2"]),
        _ => (ObjType::Body, [&attr.body1, &attr.body2], ["body1", "body2"]),
    };
    let mut find = |i: usize| {
        let wanted = Wanted::by(object, "equality", attributes[i], objtype, names[i].as_deref());
        index.expect(&wanted, sink)
    };
    let first = find(0);
    let mut second = None;
    if names[1].as_ref().is_some_and(|n| !n.is_empty()) {
        second = Some(find(1)?);
    } else if objtype == ObjType::Body {
        second = Some(0);
    }
    let first = first?;
    let mut fail = |message| sink.error(problem("equality", &object.name, object.span, message));
    if second == Some(first) {
        fail("both objects are the same");
    }
    if objtype == ObjType::Flex && is_rigid(flexes, first) {
        fail("the flex is rigid");
    }
    if kind == EqualityType::Joint {
        let scalar = |j: usize| matches!(joints[j].kind, JointType::Hinge | JointType::Slide);
        if !scalar(first) || second.is_some_and(|j| !scalar(j)) {
            fail("only hinge and slide joints can be tied");
        }
    }
    let eqtype = match kind {
        EqualityType::Connect | EqualityType::Weld => objtype,
        _ => ObjType::Unknown,
    };
    let data = data(kind, by_sites, &attr);
    Some(Equality { kind, objtype: eqtype, objects: [Some(first), second], data, attr })
}

/// The numbers of a constraint: a polynomial, or anchor, relative pose and weight of rotation.
fn data(kind: EqualityType, by_sites: bool, attr: &EqualityAttrs) -> [f64; 11] {
    let mut data = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    match kind {
        EqualityType::Connect => {
            if let Some(anchor) = attr.anchor {
                data[..3].copy_from_slice(&anchor);
            }
        }
        EqualityType::Weld => {
            if !by_sites {
                data[..3].copy_from_slice(&attr.or_default().anchor());
            }
            if let Some(relpose) = attr.relpose {
                data[3..10].copy_from_slice(&relpose);
            }
            data[10] = attr.or_default().torquescale();
        }
        _ => {
            data[..5].copy_from_slice(&attr.or_default().polycoef());
        }
    }
    data
}

/// Fills the arrays of equality constraints.
pub(super) fn fill(m: &mut Model, equalities: &[Equality]) {
    for (i, eq) in equalities.iter().enumerate() {
        eq.attr.fill(m, At::Object(i));
        m.eq_type[i] = eq.kind as i32;
        m.eq_obj1id[i] = to_index(eq.objects[0]);
        m.eq_obj2id[i] = to_index(eq.objects[1]);
        m.eq_objtype[i] = eq.objtype as i32;
        m.eq_data[i] = eq.data.map(|x| x as Real);
        // the first constraint of a flex counts
        let held = match eq.kind {
            EqualityType::Flex => 1,
            EqualityType::FlexVert => 2,
            _ => continue,
        };
        if let Some(flex) = eq.objects[0]
            && m.flex_edgeequality[flex] == 0
        {
            m.flex_edgeequality[flex] = held;
        }
    }
}

/// How many rows a constraint can have at most.
pub(super) fn rows(equalities: &[Equality]) -> usize {
    let rows = |eq: &Equality| match eq.kind {
        EqualityType::Connect => 3,
        EqualityType::Weld => 7,
        _ => 1,
    };
    equalities.iter().map(rows).sum()
}
