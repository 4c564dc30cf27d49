//! What lies outside the tree.

use ferrodyn_model::{EqualityType, Model, ObjType};

use super::Changes;
use crate::defaults::DefaultResolver;
use crate::pose::double;
use crate::schema::{ActuatorAttrs, ActuatorKind, At, changed_user, stated};
use crate::spec::Spec;
use crate::values::Partial;

pub(super) fn copy(spec: &mut Spec, changes: &Changes<'_>) {
    // the compiler may have left materials out
    if changes.old.nmat == spec.materials.len() {
        for (i, material) in spec.materials.iter_mut().enumerate() {
            changes.take_back(&mut material.attr.attr, At::Object(i));
        }
    }
    for (row, i) in pair_order(spec, changes.old).into_iter().enumerate() {
        changes.take_back(&mut spec.pairs[i].attr, At::Object(row));
    }
    equalities(spec, changes);
    tendons(spec, changes);
    actuators(spec, changes);
    sensors(spec, changes);
    custom(spec, changes);
}

/// The pairs in the order of the model, which goes by the bodies of their geoms.
fn pair_order(spec: &Spec, model: &Model) -> Vec<usize> {
    let body = |name: &Option<String>| {
        let geom = model.id(ObjType::Geom, name.as_deref().unwrap_or(""));
        geom.map_or(0, |g| model.geom_bodyid[g] as u32)
    };
    let signature = |i: &usize| {
        let (a, b) = (body(&spec.pairs[*i].attr.geom1), body(&spec.pairs[*i].attr.geom2));
        (a.min(b) << 16).wrapping_add(a.max(b)) as i32
    };
    let mut order: Vec<usize> = (0..spec.pairs.len()).collect();
    order.sort_by_key(signature);
    order
}

fn equalities(spec: &mut Spec, changes: &Changes<'_>) {
    let (old, new) = (changes.old, changes.new);
    for (i, equality) in spec.equalities.iter_mut().enumerate() {
        let kind = equality.attr.kind;
        let attr = &mut equality.attr.attr;
        changes.take_back(attr, At::Object(i));
        // between sites, the numbers follow from the sites
        if old.eq_data[i] == new.eq_data[i] || attr.site1.is_some() {
            continue;
        }
        let data = new.eq_data[i].map(double);
        match kind {
            EqualityType::Connect => attr.anchor = Some([data[0], data[1], data[2]]),
            EqualityType::Weld => {
                attr.anchor = Some([data[0], data[1], data[2]]);
                attr.relpose = Some(core::array::from_fn(|k| data[3 + k]));
                attr.torquescale = Some(data[10]);
            }
            _ => attr.polycoef = Some(Partial::from(&data[..5])),
        }
    }
}

fn tendons(spec: &mut Spec, changes: &Changes<'_>) {
    for (i, tendon) in spec.tendons.iter_mut().enumerate() {
        let attr = &mut tendon.attr.attr;
        let drawn = (attr.width, attr.rgba);
        changes.take_back(attr, At::Object(i));
        // a fixed tendon cannot be seen, and does not state how it looks
        if !tendon.attr.spatial {
            (attr.width, attr.rgba) = drawn;
        }
    }
}

fn actuators(spec: &mut Spec, changes: &Changes<'_>) {
    let (old, new) = (changes.old, changes.new);
    let resolver = DefaultResolver::new(spec);
    for (i, actuator) in spec.actuators.iter_mut().enumerate() {
        let parameters = old.actuator_dynprm[i] != new.actuator_dynprm[i]
            || old.actuator_gainprm[i] != new.actuator_gainprm[i]
            || old.actuator_biasprm[i] != new.actuator_biasprm[i];
        // kinds of their own cannot state all parameters, a general actuator can
        if parameters
            && actuator.attr.kind != ActuatorKind::Plugin
            && let Ok(values) = resolver.apply_to_actuator(actuator.class_name(), &actuator.attr)
        {
            let inherited = |range: &[ferrodyn_math::Real; 2]| {
                stated(range).filter(|_| values.inheritrange > 0.0 && *range != [0.0; 2])
            };
            let own = core::mem::take(&mut actuator.attr.attr);
            actuator.attr.kind = ActuatorKind::General;
            actuator.attr.attr = ActuatorAttrs {
                // what the kind implies
                ctrllimited: Some(values.ctrllimited),
                dyntype: Some(values.dyntype),
                gaintype: Some(values.gaintype),
                biastype: Some(values.biastype),
                dynprm: stated(&new.actuator_dynprm[i]),
                gainprm: stated(&new.actuator_gainprm[i]),
                biasprm: stated(&new.actuator_biasprm[i]),
                ctrlrange: own.ctrlrange.or(inherited(&old.actuator_ctrlrange[i])),
                actrange: own.actrange.or(inherited(&old.actuator_actrange[i])),
                // what only the kind has
                kp: None,
                kv: None,
                dampratio: None,
                timeconst: None,
                tausmooth: None,
                inheritrange: None,
                area: None,
                diameter: None,
                bias: None,
                range: None,
                force: None,
                scale: None,
                lmin: None,
                lmax: None,
                vmax: None,
                fpmax: None,
                fvmax: None,
                gain: None,
                ..own
            };
        }
        changes.take_back(&mut actuator.attr.attr, At::Object(i));
    }
}

fn sensors(spec: &mut Spec, changes: &Changes<'_>) {
    for (i, sensor) in spec.sensors.iter_mut().enumerate() {
        changes.take_back(&mut sensor.attr.attr, At::Object(i));
    }
}

/// Custom numbers, parameters of tuples, and keyframes that the text states.
fn custom(spec: &mut Spec, changes: &Changes<'_>) {
    let (old, new) = (changes.old, changes.new);
    for (i, numeric) in spec.numerics.iter_mut().enumerate() {
        let (adr, size) = (old.numeric_adr[i] as usize, old.numeric_size[i] as usize);
        let data = changed_user(&old.numeric_data[adr..], &new.numeric_data[adr..], size, 0);
        numeric.attr.data = data.or(numeric.attr.data.take());
    }
    for (i, tuple) in spec.tuples.iter_mut().enumerate() {
        let adr = old.tuple_adr[i] as usize;
        for (k, element) in tuple.attr.iter_mut().enumerate() {
            changes.take_back(&mut element.attr, At::Object(adr + k));
        }
    }
    for (k, key) in spec.keys.iter_mut().enumerate() {
        let attr = &mut key.attr;
        changes.take_back(attr, At::Object(k));
        let vectors = [
            (&mut attr.qpos, &old.key_qpos, &new.key_qpos, old.nq),
            (&mut attr.qvel, &old.key_qvel, &new.key_qvel, old.nv),
            (&mut attr.act, &old.key_act, &new.key_act, old.na),
            (&mut attr.ctrl, &old.key_ctrl, &new.key_ctrl, old.nu),
        ];
        for (target, old, new, width) in vectors {
            *target = changed_user(old, new, width, k).or(target.take());
        }
        let mocap = k * old.nmocap..(k + 1) * old.nmocap;
        let (before, after) = (&old.key_mpos[mocap.clone()], &new.key_mpos[mocap.clone()]);
        if before != after {
            attr.mpos = Some(after.iter().flat_map(|p| p.0.map(double)).collect());
        }
        let (before, after) = (&old.key_mquat[mocap.clone()], &new.key_mquat[mocap]);
        if before != after {
            attr.mquat = Some(after.iter().flat_map(|q| q.0.map(double)).collect());
        }
    }
}
