//! The sections `<contact>`, `<equality>` and `<tendon>`.

use ferrodyn_model::EqualityType;

use super::{Parser, Rules};
use crate::error::DiagnosticKind;
use crate::schema::{Attributes, EqualityAttrs, PairAttrs, TendonAttrs, equality_names};
use crate::spec::{EqualitySpec, Object, TendonSpec, Wrap, WrapSpec};
use crate::values::AttrValue;
use crate::xml::{Node, NodeId};

/// The kinds of equality element.
pub(super) const EQUALITIES: &[(&str, EqualityType)] = &[
    ("connect", EqualityType::Connect),
    ("weld", EqualityType::Weld),
    ("joint", EqualityType::Joint),
    ("tendon", EqualityType::Tendon),
    ("flex", EqualityType::Flex),
    ("flexvert", EqualityType::FlexVert),
    ("distance", EqualityType::Distance),
];

/// The element that declares an equality constraint of this kind.
pub(crate) fn equality_element(kind: EqualityType) -> &'static str {
    // every kind is in the table
    EQUALITIES.iter().find(|(_, k)| *k == kind).map_or("connect", |(name, _)| name)
}

/// Attributes that all equality constraints have.
pub(super) const EQUALITY_COMMON: &[&str] = &["active", "solref", "solimp"];

/// Attributes that only spatial tendons have.
pub(super) const SPATIAL_ONLY: &[&str] = &["width", "material", "rgba"];

impl<'a> Parser<'a> {
    pub(super) fn contact(&mut self, id: NodeId) {
        self.known_attributes(&self.document.nodes[id], &[], false);
        for node in self.document.children(id) {
            match node.name.as_str() {
                "pair" => {
                    let name = self.name(node, "pair");
                    let class = self.class(node, "class");
                    let attr: PairAttrs = self.attributes(node, Rules::with(&["name", "class"]));
                    self.required(node, "geom1");
                    self.required(node, "geom2");
                    let object = Object { name, class, span: node.span, attr, ..Object::default() };
                    self.spec.pairs.push(object);
                }
                "exclude" => {
                    let name = self.name(node, "exclude");
                    let attr = self.attributes(node, Rules::with(&["name"]));
                    self.required(node, "body1");
                    self.required(node, "body2");
                    let object = Object { name, span: node.span, attr, ..Object::default() };
                    self.spec.excludes.push(object);
                }
                _ => {
                    self.unknown_element(node, ["pair", "exclude"].into_iter(), false);
                    continue;
                }
            }
            self.no_children(node, false);
        }
    }

    pub(super) fn equality(&mut self, id: NodeId) {
        self.known_attributes(&self.document.nodes[id], &[], false);
        for node in self.document.children(id) {
            let found = EQUALITIES.iter().find(|(name, _)| *name == node.name);
            let Some(&(_, kind)) = found else {
                let known = EQUALITIES.iter().map(|(name, _)| *name);
                self.unknown_element(node, known, false);
                continue;
            };
            match kind {
                EqualityType::Distance => {
                    let message = "distance constraints were removed in MuJoCo 2.2.2; \
                                   use a tendon with a limited length";
                    self.sink.error(node.problem(DiagnosticKind::UnknownElement, message));
                }
                _ => self.one_equality(node, kind),
            }
        }
    }

    fn one_equality(&mut self, node: &Node, kind: EqualityType) {
        let name = self.name(node, "equality");
        let class = self.class(node, "class");
        let allowed = [equality_names(kind), EQUALITY_COMMON].concat();
        let attr: EqualityAttrs = self.chosen_attributes(node, &allowed, &["name", "class"]);
        match kind {
            EqualityType::Joint => drop(self.required(node, "joint1")),
            EqualityType::Tendon => drop(self.required(node, "tendon1")),
            EqualityType::Flex | EqualityType::FlexVert => drop(self.required(node, "flex")),
            _ => {
                let sites = [&attr.site1, &attr.site2];
                let any_body = attr.body1.is_some()
                    || attr.body2.is_some()
                    || attr.anchor.is_some()
                    || attr.relpose.is_some();
                let needs_anchor = kind == EqualityType::Connect;
                let by_bodies = attr.body1.is_some() && (attr.anchor.is_some() || !needs_anchor);
                if sites.iter().any(|s| s.is_some()) && any_body {
                    self.conflict(node, "bodies and sites cannot both be given");
                } else if sites.iter().all(|s| s.is_some()) == by_bodies {
                    let message = if needs_anchor {
                        "expected 'body1' and 'anchor', or 'site1' and 'site2'"
                    } else {
                        "expected 'body1', or 'site1' and 'site2'"
                    };
                    self.sink.error(node.problem(DiagnosticKind::Missing, message));
                }
            }
        }
        self.no_children(node, false);
        let attr = EqualitySpec { kind, attr };
        self.spec.equalities.push(Object {
            name,
            class,
            span: node.span,
            origin: 0,
            attr,
            plugin: None,
            saved: Vec::new(),
            uid: 0,
        });
    }

    pub(super) fn tendon(&mut self, id: NodeId) {
        self.known_attributes(&self.document.nodes[id], &[], false);
        for &child in &self.document.nodes[id].children {
            let node = &self.document.nodes[child];
            let spatial = match node.name.as_str() {
                "spatial" => true,
                "fixed" => false,
                _ => {
                    self.unknown_element(node, ["spatial", "fixed"].into_iter(), false);
                    continue;
                }
            };
            let name = self.name(node, "tendon");
            let class = self.class(node, "class");
            let mut allowed: Vec<&str> = TendonAttrs::names(false).collect();
            allowed.retain(|n| spatial || !SPATIAL_ONLY.contains(n));
            let attr: TendonAttrs = self.chosen_attributes(node, &allowed, &["name", "class"]);
            let path = self.path(child, spatial);
            let attr = TendonSpec { spatial, attr, path };
            let object = Object { name, class, span: node.span, attr, ..Object::default() };
            self.spec.tendons.push(object);
        }
    }

    /// The path of a tendon.
    fn path(&mut self, id: NodeId, spatial: bool) -> Vec<WrapSpec> {
        let known: &[&str] = if spatial { &["site", "geom", "pulley"] } else { &["joint"] };
        let mut path = Vec::new();
        for node in self.document.children(id) {
            if !known.contains(&node.name.as_str()) {
                self.unknown_element(node, known.iter().copied(), false);
                continue;
            }
            self.no_children(node, false);
            let part = match node.name.as_str() {
                "site" => {
                    self.known_attributes(node, &["site"], false);
                    self.required(node, "site").map(|site| Wrap::Site { site })
                }
                "geom" => {
                    self.known_attributes(node, &["geom", "sidesite"], false);
                    let sidesite = node.attr("sidesite").map_or("", |a| &a.value).to_owned();
                    self.required(node, "geom").map(|geom| Wrap::Geom { geom, sidesite })
                }
                "pulley" => {
                    self.known_attributes(node, &["divisor"], false);
                    self.required_number(node, "divisor").map(|divisor| Wrap::Pulley { divisor })
                }
                _ => {
                    self.known_attributes(node, &["joint", "coef"], false);
                    let joint = self.required(node, "joint");
                    let coef = self.required_number(node, "coef");
                    joint.zip(coef).map(|(joint, coef)| Wrap::Joint { joint, coef })
                }
            };
            if let Some(part) = part {
                path.push(WrapSpec { span: node.span, part });
            }
        }
        path
    }

    fn required_number(&mut self, node: &Node, name: &str) -> Option<f64> {
        let text = self.required(node, name)?;
        match f64::read(name, &text) {
            Ok(Some(x)) => Some(x),
            Ok(None) => {
                self.missing(node, name);
                None
            }
            Err(e) => {
                self.invalid(node, name, &format!("expected {}", e.expected));
                None
            }
        }
    }
}
