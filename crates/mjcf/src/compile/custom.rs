//! Compiles custom data and keyframes.

use std::collections::BTreeMap;

use ferrodyn_math::{Quat, Real, Vec3};
use ferrodyn_model::{JointType, Model};

use super::index::Index;
use super::objects::Objects;
use super::resolve::Elements;
use super::tree::problem;
use crate::attach::{PendingKey, SavedState};
use crate::error::{DiagnosticKind, Sink, Span};
use crate::pose::{double, normalize};
use crate::schema::{At, Attributes, JointAttrs, KeyAttrs, NumericAttrs};
use crate::spec::{Object, Spec};
use crate::values::words;

/// Fills the arrays of custom numbers and texts.
pub(super) fn fill_custom(m: &mut Model, spec: &Spec) {
    let mut address = 0;
    for (i, numeric) in spec.numerics.iter().enumerate() {
        let size = numeric_size(&numeric.attr);
        m.numeric_adr[i] = address as i32;
        m.numeric_size[i] = size as i32;
        let data = numeric.attr.data.as_deref().unwrap_or(&[]);
        for (slot, x) in m.numeric_data[address..address + size].iter_mut().zip(data) {
            *slot = *x as Real;
        }
        address += size;
    }
    address = 0;
    for (i, text) in spec.texts.iter().enumerate() {
        let data = text.attr.data.as_deref().unwrap_or("").as_bytes();
        m.text_adr[i] = address as i32;
        m.text_size[i] = data.len() as i32 + 1;
        m.text_data[address..address + data.len()].copy_from_slice(data);
        address += data.len() + 1;
    }
}

/// How many numbers a custom field has.
pub(super) fn numeric_size(attr: &NumericAttrs) -> usize {
    usize::try_from(attr.or_default().size()).unwrap_or(0)
}

/// Fills the arrays of custom tuples, finding the objects that they name.
pub(super) fn fill_tuples(m: &mut Model, spec: &Spec, index: &Index<'_>, sink: &mut Sink) {
    let mut address = 0;
    for (i, tuple) in spec.tuples.iter().enumerate() {
        if tuple.attr.is_empty() {
            sink.error(problem("tuple", &tuple.name, tuple.span, "the tuple is empty"));
        }
        m.tuple_adr[i] = address as i32;
        m.tuple_size[i] = tuple.attr.len() as i32;
        for element in &tuple.attr {
            let kind = element.attr.or_default().objtype();
            let name = element.attr.objname.as_deref().unwrap_or("");
            let mut parts = words(name);
            let id = match (parts.next(), parts.next()) {
                (Some(word), None) => index.find(kind, word),
                _ => None,
            };
            if id.is_none() {
                let mut problem = problem("element", "", element.span, "no such object exists")
                    .attribute("objname")
                    .value(name);
                problem.kind = DiagnosticKind::Reference;
                sink.error(problem);
            }
            m.tuple_objtype[address] = kind as i32;
            m.tuple_objid[address] = super::fill::index(id);
            element.attr.fill(m, At::Object(address));
            address += 1;
        }
    }
}

/// Fills the arrays of keyframes. Those beyond the ones of the text hold the initial state.
pub(super) fn fill_keys(
    m: &mut Model,
    spec: &Spec,
    elements: &Elements<'_>,
    objects: &Objects,
    sink: &mut Sink,
) {
    let none = Object::default();
    let rest = RestValues::new(m, spec, elements, objects);
    let stated = m.nkey - spec.pending_keys.len();
    let pending: Vec<Object<KeyAttrs>> =
        spec.pending_keys.iter().map(|key| restored(key, m, spec, elements, objects)).collect();
    for k in 0..m.nkey {
        let key: &Object<KeyAttrs> = match k.checked_sub(stated) {
            Some(i) => &pending[i],
            None => spec.keys.get(k).unwrap_or(&none),
        };
        let attr = &key.attr;
        attr.fill(m, At::Object(k));
        let mut vector = |name: &str, given: &Option<Vec<f64>>, initial: &[f64], rest: &[f64]| {
            complete(key.span, &key.name, name, given, initial, rest, sink)
        };
        let zeros = vec![0.0; m.nv];
        let mut qpos = vector("qpos", &attr.qpos, &rest.qpos0, &rest.qpos_rest);
        let qvel = vector("qvel", &attr.qvel, &zeros, &zeros);
        let act = vector("act", &attr.act, &vec![0.0; m.na], &vec![0.0; m.na]);
        let ctrl = vector("ctrl", &attr.ctrl, &vec![0.0; m.nu], &vec![0.0; m.nu]);
        let mpos = vector("mpos", &attr.mpos, &rest.mpos, &rest.mpos_rest);
        let mquat = vector("mquat", &attr.mquat, &rest.mquat, &rest.mquat_rest);

        for j in 0..m.njnt {
            let adr = m.jnt_qposadr[j] as usize;
            let start = match JointType::try_from(m.jnt_type[j]) {
                Ok(JointType::Free) => adr + 3,
                Ok(JointType::Ball) => adr,
                _ => continue,
            };
            unit(&mut qpos[start..start + 4]);
        }
        for (slot, x) in m.key_qpos[k * m.sizes.nq..].iter_mut().zip(&qpos) {
            *slot = *x as Real;
        }
        for (slot, x) in m.key_qvel[k * m.sizes.nv..].iter_mut().zip(&qvel) {
            *slot = *x as Real;
        }
        for (slot, x) in m.key_act[k * m.sizes.na..].iter_mut().zip(&act) {
            *slot = *x as Real;
        }
        for (slot, x) in m.key_ctrl[k * m.sizes.nu..].iter_mut().zip(&ctrl) {
            *slot = *x as Real;
        }
        for b in 0..m.sizes.nmocap {
            let row = k * m.sizes.nmocap + b;
            m.key_mpos[row] = Vec3(core::array::from_fn(|i| mpos[3 * b + i] as Real));
            let mut quat: [f64; 4] = core::array::from_fn(|i| mquat[4 * b + i]);
            normalize(&mut quat);
            m.key_mquat[row] = Quat(quat.map(|x| x as Real));
        }
    }
}

/// A keyframe of an attached model: what the elements have kept of it, and the initial state of
/// everything else.
fn restored(
    key: &PendingKey,
    m: &Model,
    spec: &Spec,
    elements: &Elements<'_>,
    objects: &Objects,
) -> Object<KeyAttrs> {
    let mut qpos: Vec<f64> = m.qpos0.iter().map(|x| double(*x)).collect();
    let mut qvel = vec![0.0; m.nv];
    let (mut act, mut ctrl) = (vec![0.0; m.na], vec![0.0; m.nu]);
    let (mut mpos, mut mquat) = (vec![0.0; 3 * m.nmocap], vec![0.0; 4 * m.nmocap]);
    let find = |saved: &'_ [SavedState]| saved.iter().find(|s| s.key == key.name).cloned();
    let put = |target: &mut [f64], start: usize, values: &[f64]| {
        for (slot, x) in target[start..].iter_mut().zip(values) {
            *slot = *x;
        }
    };
    for (j, item) in elements.joints.items.iter().enumerate() {
        if let Some(state) = find(item.saved) {
            put(&mut qpos, m.jnt_qposadr[j] as usize, &state.first);
            put(&mut qvel, m.jnt_dofadr[j] as usize, &state.second);
        }
    }
    for (i, actuator) in spec.actuators.iter().enumerate() {
        if let Some(state) = find(&actuator.saved) {
            if let Ok(start) = usize::try_from(m.actuator_actadr[i]) {
                put(&mut act, start, &state.first);
            }
            put(&mut ctrl, i, &state.second);
        }
    }
    for (b, body) in objects.bodies.iter().enumerate() {
        let Ok(id) = usize::try_from(m.body_mocapid[b]) else { continue };
        put(&mut mpos, 3 * id, &m.body_pos[b].0.map(double));
        put(&mut mquat, 4 * id, &m.body_quat[b].0.map(double));
        if let Some(state) = find(&spec.bodies[body.source].saved) {
            put(&mut mpos, 3 * id, &state.first);
            put(&mut mquat, 4 * id, &state.second);
        }
    }
    let [has_qpos, has_qvel, has_act, has_ctrl, has_mpos, has_mquat] = key.has;
    let attr = KeyAttrs {
        time: key.time,
        qpos: has_qpos.then_some(qpos),
        qvel: has_qvel.then_some(qvel),
        act: has_act.then_some(act),
        ctrl: has_ctrl.then_some(ctrl),
        mpos: has_mpos.then_some(mpos),
        mquat: has_mquat.then_some(mquat),
    };
    Object { name: key.name.clone(), attr, ..Object::default() }
}

/// A quaternion whose length has a smaller square is zero: that of MuJoCo's `mjMINVAL`.
const NO_LENGTH: f64 = 1e-30;

/// Makes a quaternion of unit length, and a zero one the identity.
fn unit(q: &mut [f64]) {
    let mut quat: [f64; 4] = core::array::from_fn(|i| q[i]);
    normalize(&mut quat);
    if quat.iter().map(|x| x * x).sum::<f64>() < NO_LENGTH {
        quat = [1.0, 0.0, 0.0, 0.0];
    }
    q.copy_from_slice(&quat);
}

/// A vector of a keyframe: the initial one if none is given, and the rest values after a short one.
fn complete(
    span: Span,
    key: &str,
    name: &str,
    given: &Option<Vec<f64>>,
    initial: &[f64],
    rest: &[f64],
    sink: &mut Sink,
) -> Vec<f64> {
    let Some(given) = given else { return initial.to_vec() };
    if given.len() > initial.len() {
        let message = format!("'{name}' has {} numbers, expected {}", given.len(), initial.len());
        sink.error(problem("key", key, span, &message));
        return initial.to_vec();
    }
    let kept = match name {
        // poses are completed by whole bodies
        "mpos" if given.len() < initial.len() => given.len() / 3 * 3,
        "mquat" if given.len() < initial.len() => given.len() / 4 * 4,
        _ => given.len(),
    };
    given[..kept].iter().chain(&rest[kept..]).copied().collect()
}

/// What completes keyframes: the initial state, and the values after the end of a short vector.
///
/// The latter come from the text, before units and frames are applied, and the positions of joints
/// go by the type that their class has: that is what MuJoCo does.
struct RestValues {
    qpos0: Vec<f64>,
    qpos_rest: Vec<f64>,
    mpos: Vec<f64>,
    mpos_rest: Vec<f64>,
    mquat: Vec<f64>,
    mquat_rest: Vec<f64>,
}

impl RestValues {
    fn new(m: &Model, spec: &Spec, elements: &Elements<'_>, objects: &Objects) -> Self {
        let attr_of = |b: usize| &spec.bodies[objects.bodies[b].source].attr;
        let mut qpos_rest = vec![0.0; m.nq];
        let mut write = |start: usize, values: &[f64]| {
            for (slot, x) in qpos_rest[start..].iter_mut().zip(values) {
                *slot = *x;
            }
        };
        for (j, item) in elements.joints.items.iter().enumerate() {
            let adr = m.jnt_qposadr[j] as usize;
            let attr = attr_of(item.body);
            match item.attr.class_kind.unwrap_or_else(|| JointAttrs::default().or_default().kind())
            {
                JointType::Free => {
                    write(adr, &attr.or_default().pos());
                    write(adr + 3, &attr.or_default().quat());
                }
                JointType::Ball => write(adr, &[1.0, 0.0, 0.0, 0.0]),
                JointType::Slide | JointType::Hinge => {
                    write(adr, &[item.attr.attr.or_default().reference()]);
                }
            }
        }
        let mocap: BTreeMap<i32, usize> = (0..m.nbody)
            .filter(|&b| m.body_mocapid[b] >= 0)
            .map(|b| (m.body_mocapid[b], b))
            .collect();
        let bodies: Vec<usize> = mocap.into_values().collect();
        let raw = |b: &usize| attr_of(*b);
        Self {
            qpos0: m.qpos0.iter().map(|x| double(*x)).collect(),
            qpos_rest,
            mpos: bodies.iter().flat_map(|b| m.body_pos[*b].0.map(double)).collect(),
            mquat: bodies.iter().flat_map(|b| m.body_quat[*b].0.map(double)).collect(),
            mpos_rest: bodies.iter().flat_map(|b| raw(b).or_default().pos()).collect(),
            mquat_rest: bodies.iter().flat_map(|b| raw(b).or_default().quat()).collect(),
        }
    }
}
