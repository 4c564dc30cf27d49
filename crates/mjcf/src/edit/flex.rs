//! The attributes of a flex as one list: those of the element and of its children.

use super::Value;
use crate::schema::{
    Attributes, FieldError, FlexAttrs, FlexContactAttrs, FlexEdgeAttrs, FlexElasticityAttrs, Row,
    SetError,
};
use crate::spec::FlexSpec;

/// Fields of edges, which begin with `edge`, so that they are told from those of elasticity.
const EDGE_FIELDS: [(&str, &str); 2] = [("edgestiffness", "stiffness"), ("edgedamping", "damping")];

/// The field of edges that a field of the flex stands for.
fn edge_field(field: &str) -> Option<&'static str> {
    EDGE_FIELDS.iter().find(|(name, _)| *name == field).map(|(_, own)| *own)
}

impl Attributes for FlexSpec {
    /// Text is read and written by the element and its children.
    const ROWS: &'static [Row] = &[];

    const FIELDS: &'static [&'static str] = &[
        "group",
        "dim",
        "radius",
        "material",
        "rgba",
        "flatskin",
        "body",
        "vertex",
        "element",
        "texcoord",
        "elemtexcoord",
        "node",
        "bending_model",
        "bend_stiffness",
        "bend_damping",
        "elasticity_model",
        "nodepos",
        "contype",
        "conaffinity",
        "condim",
        "priority",
        "friction",
        "solmix",
        "solref",
        "solimp",
        "margin",
        "gap",
        "internal",
        "selfcollide",
        "activelayers",
        "vertcollide",
        "passive",
        "edgestiffness",
        "edgedamping",
        "young",
        "poisson",
        "damping",
        "thickness",
        "elastic2d",
    ];

    fn set(&mut self, _name: &str, _text: &str) -> Result<(), SetError> {
        Err(SetError::Unknown)
    }

    fn over(&self, default: &Self) -> Self {
        Self {
            attr: self.attr.over(&default.attr),
            contact: self.contact.over(&default.contact),
            edge: self.edge.over(&default.edge),
            elasticity: self.elasticity.over(&default.elasticity),
        }
    }

    fn field(&self, field: &str) -> Option<Option<Value>> {
        match edge_field(field) {
            Some(own) => self.edge.field(own),
            None => (self.attr.field(field))
                .or_else(|| self.contact.field(field))
                .or_else(|| self.elasticity.field(field)),
        }
    }

    fn set_field(&mut self, field: &str, value: Option<Value>) -> Result<(), FieldError> {
        if let Some(own) = edge_field(field) {
            self.edge.set_field(own, value)
        } else if FlexAttrs::FIELDS.contains(&field) {
            self.attr.set_field(field, value)
        } else if FlexContactAttrs::FIELDS.contains(&field) {
            self.contact.set_field(field, value)
        } else {
            self.elasticity.set_field(field, value)
        }
    }

    fn entries(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn defaults() -> Self {
        Self {
            attr: FlexAttrs::defaults(),
            contact: FlexContactAttrs::defaults(),
            edge: FlexEdgeAttrs::defaults(),
            elasticity: FlexElasticityAttrs::defaults(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_the_parts_is_a_field_of_the_flex() {
        let parts = [FlexAttrs::FIELDS, FlexContactAttrs::FIELDS, FlexElasticityAttrs::FIELDS];
        let edges = EDGE_FIELDS.iter().map(|(name, _)| *name);
        let all: Vec<&str> = parts.concat().into_iter().chain(edges).collect();
        assert_eq!(all.len(), FlexSpec::FIELDS.len());
        let mut flex = FlexSpec::default();
        for field in all {
            assert!(FlexSpec::FIELDS.contains(&field), "{field}");
            let value = FlexSpec::defaults().field(field).flatten();
            assert!(value.is_some(), "{field}");
            flex.set_field(field, value).unwrap();
        }
        assert_eq!(flex.over(&FlexSpec::default()).edge, FlexSpec::defaults().edge);
    }
}
