//! Keyframes of an attached model: each element keeps its share, until the whole model is known.

use ferrodyn_model::{DynType, JointType};

use super::{AttachError, Namespace};
use crate::defaults::{DefaultResolver, Scopes};
use crate::schema::KeyAttrs;
use crate::spec::{JointSpec, Spec};

/// A keyframe of an attached model. What it says about an element is kept there, as a
/// [`SavedState`] of the same name.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PendingKey {
    /// Name, with that of the namespace.
    pub name: String,
    /// Time in s.
    pub time: Option<f64>,
    /// Which vectors it has: qpos, qvel, act, ctrl, mpos, mquat.
    pub has: [bool; 6],
}

/// What a keyframe says about one element.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SavedState {
    /// Name of the keyframe.
    pub key: String,
    /// Position of a joint, activation of an actuator, or position of a mocap body.
    pub first: Vec<f64>,
    /// Velocity of a joint, control of an actuator, or orientation of a mocap body.
    pub second: Vec<f64>,
}

/// The vectors of a keyframe, in the order of [`PendingKey::has`].
fn vectors(key: &KeyAttrs) -> [&Option<Vec<f64>>; 6] {
    [&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat]
}

/// Why keyframes cannot go together with replication: their vectors would have to change.
pub(crate) fn key_problem(spec: &Spec) -> Option<&str> {
    let key = spec.keys.iter().find(|k| vectors(&k.attr).iter().any(|v| v.is_some()))?;
    Some(&key.name)
}

/// Takes the next numbers of a vector, if there is one.
fn share(vector: &Option<Vec<f64>>, start: usize, count: usize) -> Vec<f64> {
    vector.as_ref().and_then(|v| v.get(start..start + count)).map_or(Vec::new(), <[f64]>::to_vec)
}

/// Moves the keyframes of a model that is about to be attached to the model that it is attached to.
pub(super) fn store(
    child: &mut Spec,
    target: &mut Spec,
    namespace: &Namespace<'_>,
) -> Result<(), AttachError> {
    target.pending_keys.extend(child.pending_keys.iter().cloned());
    if child.keys.is_empty() {
        return Ok(());
    }
    let kinds = joint_kinds(child);
    let mut order: Vec<usize> = (0..child.joints.len()).collect();
    order.sort_by_key(|&j| child.joints[j].body);
    let activations = activations(child);
    let mocap: Vec<usize> =
        (0..child.bodies.len()).filter(|&b| child.bodies[b].attr.mocap == Some(true)).collect();
    let sizes = [
        kinds.iter().map(|k| k.nq()).sum(),
        kinds.iter().map(|k| k.nv()).sum(),
        activations.iter().sum(),
        child.actuators.len(),
        3 * mocap.len(),
        4 * mocap.len(),
    ];
    for key in core::mem::take(&mut child.keys) {
        let vectors = vectors(&key.attr);
        for (vector, size) in vectors.iter().zip(sizes) {
            if vector.as_ref().is_some_and(|v| v.len() != size) {
                let name = &key.name;
                let message = format!("a vector of the keyframe '{name}' must have {size} numbers");
                return Err(AttachError(message));
            }
        }
        let name = format!("{}{}{}", namespace.prefix, key.name, namespace.suffix);
        target.pending_keys.push(PendingKey {
            name: name.clone(),
            time: key.attr.time,
            has: vectors.map(Option::is_some),
        });
        let save = |first, second| SavedState { key: name.clone(), first, second };
        let (mut q, mut v) = (0, 0);
        for &j in &order {
            let kind = kinds[j];
            let state =
                save(share(&key.attr.qpos, q, kind.nq()), share(&key.attr.qvel, v, kind.nv()));
            child.joints[j].saved.push(state);
            q += kind.nq();
            v += kind.nv();
        }
        let mut a = 0;
        for (i, actuator) in child.actuators.iter_mut().enumerate() {
            let state = save(share(&key.attr.act, a, activations[i]), share(&key.attr.ctrl, i, 1));
            actuator.saved.push(state);
            a += activations[i];
        }
        for (i, &b) in mocap.iter().enumerate() {
            let state = save(share(&key.attr.mpos, 3 * i, 3), share(&key.attr.mquat, 4 * i, 4));
            child.bodies[b].saved.push(state);
        }
    }
    Ok(())
}

/// Splits the keyframes of a model whose tree is about to change: each element keeps its share.
pub(crate) fn keep_own(spec: &mut Spec) -> Result<(), AttachError> {
    let mut keys = Spec::default();
    store(spec, &mut keys, &Namespace::default())?;
    spec.pending_keys = keys.pending_keys;
    Ok(())
}

fn joint_kinds(spec: &Spec) -> Vec<JointType> {
    let resolver = DefaultResolver::new(spec);
    let scopes = Scopes::new(spec);
    spec.joints
        .iter()
        .map(|joint| match &joint.attr {
            JointSpec::Free(_) => JointType::Free,
            JointSpec::Joint(attr) => {
                let around = scopes.around(joint.body, joint.frame);
                let class = joint.class.as_deref().unwrap_or(around);
                resolver.apply_to_joint(class, attr).or_default().kind()
            }
        })
        .collect()
}

/// Numbers of activations of the actuators.
fn activations(spec: &Spec) -> Vec<usize> {
    let resolver = DefaultResolver::new(spec);
    spec.actuators
        .iter()
        .map(|object| match resolver.apply_to_actuator(object.class_name(), &object.attr) {
            Ok(values) if values.actdim > 0 => values.actdim as usize,
            Ok(values) => usize::from(values.dyntype != DynType::None),
            Err(_) => 0,
        })
        .collect()
}
