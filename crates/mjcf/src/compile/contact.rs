//! Compiles contact pairs and exclusions.

use ferrodyn_model::{Model, ObjType};

use super::index::{Index, Wanted};
use super::resolve::Elements;
use super::tree::problem;
use crate::defaults::DefaultResolver;
use crate::error::Sink;
use crate::schema::{At, Attributes, PairAttrs};
use crate::spec::{Object, Spec};

/// A compiled pair.
#[derive(Clone, Debug)]
pub(super) struct Pair<'a> {
    pub(super) name: &'a str,
    geoms: [usize; 2],
    signature: i32,
    attr: PairAttrs,
}

/// A compiled exclusion.
#[derive(Clone, Debug)]
pub(super) struct Exclude<'a> {
    pub(super) name: &'a str,
    signature: i32,
}

/// Two bodies as one number, the smaller one first.
fn signature(a: usize, b: usize) -> i32 {
    let (low, high) = (a.min(b), a.max(b));
    ((low as u32) << 16).wrapping_add(high as u32) as i32
}

/// Resolves the pairs and sorts them by their bodies.
pub(super) fn pairs<'a>(
    spec: &'a Spec,
    defaults: &DefaultResolver,
    elements: &Elements<'_>,
    index: &Index<'_>,
    sink: &mut Sink,
) -> Vec<Pair<'a>> {
    let mut list: Vec<Pair<'a>> =
        spec.pairs.iter().filter_map(|p| pair(p, defaults, elements, index, sink)).collect();
    list.sort_by_key(|p| p.signature);
    list
}

fn pair<'a>(
    object: &'a Object<PairAttrs>,
    defaults: &DefaultResolver,
    elements: &Elements<'_>,
    index: &Index<'_>,
    sink: &mut Sink,
) -> Option<Pair<'a>> {
    let attr = defaults.apply_to_pair(object.class_name(), &object.attr);
    if !matches!(attr.or_default().condim(), 1 | 3 | 4 | 6) {
        sink.error(problem("pair", &object.name, object.span, "'condim' must be 1, 3, 4 or 6"));
    }
    let mut geom = |attribute, name: &Option<String>| {
        let wanted = Wanted::by(object, "pair", attribute, ObjType::Geom, name.as_deref());
        index.expect(&wanted, sink)
    };
    let first = geom("geom1", &object.attr.geom1);
    let second = geom("geom2", &object.attr.geom2);
    let (first, second) = first.zip(second)?;
    let body = |g: usize| elements.geoms.items[g].body;
    let geoms = if body(first) > body(second) { [second, first] } else { [first, second] };
    let signature = signature(body(first), body(second));
    Some(Pair { name: &object.name, geoms, signature, attr })
}

/// Resolves the exclusions and sorts them by their bodies.
pub(super) fn excludes<'a>(spec: &'a Spec, index: &Index<'_>, sink: &mut Sink) -> Vec<Exclude<'a>> {
    let mut list = Vec::new();
    for object in &spec.excludes {
        let mut body = |attribute, name: &Option<String>| {
            let wanted = Wanted::by(object, "exclude", attribute, ObjType::Body, name.as_deref());
            index.expect(&wanted, sink)
        };
        let first = body("body1", &object.attr.body1);
        let second = body("body2", &object.attr.body2);
        if let Some((a, b)) = first.zip(second) {
            list.push(Exclude { name: &object.name, signature: signature(a, b) });
        }
    }
    list.sort_by_key(|e| e.signature);
    list
}

/// Fills the arrays of pairs and exclusions.
pub(super) fn fill(m: &mut Model, pairs: &[Pair<'_>], excludes: &[Exclude<'_>]) {
    for (i, pair) in pairs.iter().enumerate() {
        pair.attr.fill(m, At::Object(i));
        m.pair_geom1[i] = pair.geoms[0] as i32;
        m.pair_geom2[i] = pair.geoms[1] as i32;
        m.pair_signature[i] = pair.signature;
    }
    for (i, exclude) in excludes.iter().enumerate() {
        m.exclude_signature[i] = exclude.signature;
    }
}
