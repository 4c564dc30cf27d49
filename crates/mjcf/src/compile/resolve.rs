//! Puts the elements of the tree in the order of the model, with their defaults applied.

use crate::attach::SavedState;
use crate::defaults::{DefaultResolver, Scopes};
use crate::error::Span;
use crate::schema::{CameraAttrs, FreeJointAttrs, GeomAttrs, JointAttrs, LightAttrs, SiteAttrs};
use crate::spec::{Element, JointSpec, PluginSpec, Spec};

/// An element with its defaults applied.
#[derive(Clone, Debug)]
pub(super) struct Resolved<'a, A> {
    pub(super) name: &'a str,
    pub(super) span: Span,
    pub(super) body: usize,
    pub(super) frame: Option<usize>,
    pub(super) origin: usize,
    pub(super) attr: A,
    pub(super) plugin: Option<&'a PluginSpec>,
    pub(super) saved: &'a [SavedState],
}

/// A joint with its defaults applied.
#[derive(Clone, Debug)]
pub(super) struct ResolvedJoint {
    /// Attributes; those of a `<freejoint>` are translated.
    pub(super) attr: JointAttrs,
    /// Alignment, which only `<freejoint>` has.
    pub(super) free: FreeJointAttrs,
    /// What the class says about the type; none for a `<freejoint>`.
    pub(super) class_kind: Option<ferrodyn_model::JointType>,
}

/// The elements of one type, in the order of the model.
#[derive(Clone, Debug)]
pub(super) struct List<'a, A> {
    pub(super) items: Vec<Resolved<'a, A>>,
    /// First element of each body, and the end.
    starts: Vec<usize>,
}

impl<A> List<'_, A> {
    /// The indices of the elements of a body.
    pub(super) fn of_body(&self, body: usize) -> core::ops::Range<usize> {
        self.starts[body]..self.starts[body + 1]
    }

    /// Keeps the elements in a new order, with new bodies, grouped by body.
    pub(super) fn reorder(&mut self, order: &[usize], body: &dyn Fn(usize) -> usize, bodies: usize)
    where
        A: Clone,
    {
        let mut items: Vec<_> = order.iter().map(|&i| self.items[i].clone()).collect();
        for item in &mut items {
            item.body = body(item.body);
        }
        self.starts = (0..=bodies).map(|b| items.partition_point(|item| item.body < b)).collect();
        self.items = items;
    }

    /// The largest number of something among the elements.
    pub(super) fn most(&self, count: impl Fn(&A) -> usize) -> usize {
        self.items.iter().map(|item| count(&item.attr)).max().unwrap_or(0)
    }
}

/// All elements of the tree, in the order of the model.
#[derive(Clone, Debug)]
pub(super) struct Elements<'a> {
    pub(super) joints: List<'a, ResolvedJoint>,
    pub(super) geoms: List<'a, GeomAttrs>,
    pub(super) sites: List<'a, SiteAttrs>,
    pub(super) cameras: List<'a, CameraAttrs>,
    pub(super) lights: List<'a, LightAttrs>,
}

impl<'a> Elements<'a> {
    pub(super) fn new(spec: &'a Spec, resolver: &DefaultResolver) -> Self {
        let scopes = Scopes::new(spec);
        let bodies = spec.bodies.len();
        Self {
            joints: list(&spec.joints, bodies, &scopes, |class, joint| match joint {
                JointSpec::Joint(attr) => ResolvedJoint {
                    attr: resolver.apply_to_joint(class, attr),
                    free: FreeJointAttrs::default(),
                    class_kind: resolver.get_defaults(class).joint.kind,
                },
                JointSpec::Free(free) => ResolvedJoint {
                    attr: JointAttrs {
                        kind: Some(ferrodyn_model::JointType::Free),
                        group: free.group,
                        ..JointAttrs::default()
                    },
                    free: free.clone(),
                    class_kind: None,
                },
            }),
            geoms: list(&spec.geoms, bodies, &scopes, |c, a| resolver.apply_to_geom(c, a)),
            sites: list(&spec.sites, bodies, &scopes, |c, a| resolver.apply_to_site(c, a)),
            cameras: list(&spec.cameras, bodies, &scopes, |c, a| resolver.apply_to_camera(c, a)),
            lights: list(&spec.lights, bodies, &scopes, |c, a| resolver.apply_to_light(c, a)),
        }
    }
}

/// Orders elements by body, and within a body as in the text, and applies their defaults.
fn list<'a, A, B>(
    elements: &'a [Element<A>],
    bodies: usize,
    scopes: &Scopes<'a>,
    resolve: impl Fn(&str, &A) -> B,
) -> List<'a, B> {
    let mut order: Vec<usize> = (0..elements.len()).collect();
    order.sort_by_key(|&i| elements[i].body);
    let items: Vec<Resolved<'a, B>> = order
        .into_iter()
        .map(|i| {
            let e = &elements[i];
            let class = e.class.as_deref().unwrap_or_else(|| scopes.around(e.body, e.frame));
            Resolved {
                name: &e.name,
                span: e.span,
                body: e.body,
                frame: e.frame,
                origin: e.origin,
                attr: resolve(class, &e.attr),
                plugin: e.plugin.as_deref(),
                saved: &e.saved,
            }
        })
        .collect();
    let starts = (0..=bodies).map(|b| items.partition_point(|item| item.body < b)).collect();
    List { items, starts }
}
