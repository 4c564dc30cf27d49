//! Compiles deformable bodies with a solver of their own.

use ferrodyn_math::Real;
use ferrodyn_model::{Model, ObjType, Sizes};

use super::fill::vec3;
use super::index::{Index, Wanted};
use crate::error::Sink;
use crate::spec::{SoftSpec, Spec};

/// Thickness of triangles that say nothing of it: that of a shirt, in m.
const THICKNESS: f64 = 1e-3;

/// Bodies in whose frames deformable bodies begin; what is not found is reported.
pub(super) fn bodies(spec: &Spec, index: &Index<'_>, sink: &mut Sink) -> Vec<usize> {
    let mut found = Vec::with_capacity(spec.softs.len());
    for object in &spec.softs {
        let name = Some(object.attr.body.as_str());
        let wanted = Wanted::by(object, "flexcomp", "name", ObjType::Body, name);
        found.push(index.expect(&wanted, sink).unwrap_or(0));
    }
    found
}

/// Adds the sizes of the arrays.
pub(super) fn add_sizes(spec: &Spec, sizes: &mut Sizes) {
    let length = |part: fn(&SoftSpec) -> usize| spec.softs.iter().map(|s| part(&s.attr)).sum();
    sizes.nsoft = spec.softs.len();
    sizes.nsoftvert = length(|s| s.attr.point.as_deref().map_or(0, <[f64]>::len) / 3);
    sizes.nsoftelemdata = length(|s| s.attr.element.as_deref().map_or(0, <[i32]>::len));
}

/// Fills the arrays.
pub(super) fn fill(m: &mut Model, spec: &Spec, bodies: &[usize]) {
    let (mut vert, mut elem) = (0, 0);
    for (i, object) in spec.softs.iter().enumerate() {
        let SoftSpec { attr, contact, elasticity, pin, .. } = &object.attr;
        let (or, touch, elastic) =
            (attr.or_default(), contact.or_default(), elasticity.or_default());
        // -1 leaves the choice to the material
        let number = |x: Option<f64>| x.unwrap_or(-1.0) as Real;
        m.soft_dim[i] = or.dim();
        m.soft_bodyid[i] = bodies[i] as i32;
        m.soft_contype[i] = touch.contype();
        m.soft_conaffinity[i] = touch.conaffinity();
        m.soft_substeps[i] = or.substeps();
        m.soft_iterations[i] = or.iterations();
        m.soft_material[i] = attr.softmaterial.map_or(-1, |material| material as i32);
        m.soft_margin[i] = or.radius() as Real;
        m.soft_thickness[i] = elasticity.thickness.unwrap_or(THICKNESS) as Real;
        m.soft_mass[i] = or.mass() as Real;
        m.soft_young[i] = number(elasticity.young);
        m.soft_poisson[i] = number(elasticity.poisson);
        m.soft_friction[i] = number(contact.friction.is_some().then(|| touch.friction()[0]));
        m.soft_stretch[i] = number(attr.stretch);
        m.soft_bend[i] = number(attr.bend);
        m.soft_volume[i] = number(attr.volume);
        m.soft_damping[i] = or.drag() as Real;
        m.soft_dampingtime[i] = elastic.damping() as Real;
        // points, pins, elements
        let points = attr.point.as_deref().unwrap_or(&[]).as_chunks::<3>().0;
        m.soft_vertadr[i] = vert as i32;
        m.soft_vertnum[i] = points.len() as i32;
        for (k, point) in points.iter().enumerate() {
            m.soft_vert[vert + k] = vec3(point);
        }
        for id in pin.id.iter().flatten() {
            if let Some(k) = usize::try_from(*id).ok().filter(|k| *k < points.len()) {
                m.soft_pinned[vert + k] = 1;
            }
        }
        vert += points.len();
        let ids = attr.element.as_deref().unwrap_or(&[]);
        m.soft_elemadr[i] = elem as i32;
        m.soft_elemnum[i] = (ids.len() / (or.dim().clamp(1, 3) as usize + 1)) as i32;
        m.soft_elem[elem..elem + ids.len()].copy_from_slice(ids);
        elem += ids.len();
    }
}

/// Reports the first deformable body that makes no sense.
pub(super) fn check(m: &Model, spec: &Spec, sink: &mut Sink) {
    #[cfg(feature = "deformable")]
    if let Err((i, error)) = ferrodyn_dynamics::soft::check_model(m) {
        let object = &spec.softs[i];
        let message = error.to_string();
        sink.error(super::tree::problem("flexcomp", &object.name, object.span, &message));
    }
    #[cfg(not(feature = "deformable"))]
    let _ = (m, spec, sink);
}
