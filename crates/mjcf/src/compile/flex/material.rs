//! Laws of flexes beyond MuJoCo's: `ferrodyn:bending_model` and `ferrodyn:elasticity_model`.

use ferrodyn_model::{FlexBendingType, FlexElasticityType, Model};

use super::super::tree::problem;
use crate::error::Sink;
use crate::spec::{FlexSpec, Spec};

/// What the laws refuse before anything is computed.
pub(super) fn check(spec: &FlexSpec, dim: usize, interpolated: bool) -> Result<(), String> {
    let (attr, elastic) = (spec.attr.or_default(), spec.elasticity.or_default());
    let bridson = attr.bending_model() == FlexBendingType::Bridson;
    let neo_hookean = attr.elasticity_model() == FlexElasticityType::NeoHookean;
    let fail = |message: &str| Err(message.to_owned());
    if (bridson || neo_hookean) && interpolated {
        return fail("an interpolated flex has no law of its own");
    }
    if bridson && dim != 2 {
        return fail("'ferrodyn:bending_model' bridson needs triangles: 'dim' must be 2");
    }
    if attr.bend_damping() < 0.0 {
        return fail("'ferrodyn:bend_damping' cannot be negative");
    }
    if spec.attr.bend_stiffness.is_some_and(|k| k < 0.0) {
        return fail("'ferrodyn:bend_stiffness' cannot be negative");
    }
    // hinges without a stiffness of their own are those of a plate
    let plate = elastic.young() > 0.0 && elastic.thickness() > 0.0;
    if bridson && spec.attr.bend_stiffness.is_none() && !plate {
        return fail(
            "'ferrodyn:bending_model' bridson needs 'ferrodyn:bend_stiffness', or 'young' and 'thickness'",
        );
    }
    if !neo_hookean {
        return Ok(());
    }
    if dim == 1 {
        return fail("'ferrodyn:elasticity_model' neo_hookean needs triangles or tetrahedra");
    }
    if elastic.young() <= 0.0 {
        return fail("'ferrodyn:elasticity_model' neo_hookean needs a positive 'young'");
    }
    if !(0.0..0.5).contains(&elastic.poisson()) {
        return fail("'poisson' must be at least 0 and less than 0.5");
    }
    if dim == 2 && elastic.thickness() <= 0.0 {
        return fail(
            "'ferrodyn:elasticity_model' neo_hookean needs a positive 'thickness' of triangles",
        );
    }
    Ok(())
}

/// Elements and hinges without area or volume, which have no rest shape.
pub(in super::super) fn check_rest(m: &Model, spec: &Spec, sink: &mut Sink) {
    for (f, object) in spec.flexes.iter().enumerate().take(m.nflex) {
        let elements = m.flex_elements(f).len();
        let rest = usize::try_from(m.flex_restadr[f]).map_or(0..0, |adr| adr..adr + elements);
        let flat = |(_, i): &(usize, usize)| !m.flexrest_volume[*i].is_finite();
        if let Some((t, _)) = rest.enumerate().find(flat) {
            let message = format!("element {t} has no volume at rest");
            sink.error(problem("flex", &object.name, object.span, &message));
        }
        let bad = |h: &usize| !m.flexhinge_angle0[*h].is_finite();
        if let Some(hinge) = m.flex_hinges(f).find(bad) {
            let [a, b, ..] = m.flexhinge_vert[hinge];
            let message = format!("a triangle at the edge {a} {b} has no area at rest");
            sink.error(problem("flex", &object.name, object.span, &message));
        }
    }
}
