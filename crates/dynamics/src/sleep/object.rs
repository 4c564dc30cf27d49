//! Whether the objects of a model are asleep.
//!
//! Only trees sleep. A part of a body is what its body is; what acts on several trees is asleep where none of them is
//! awake. What is asleep can be skipped, since its value does not change: in doubt an object counts as awake.
use ferrodyn_model::{Model, ObjType, SensorType, SleepState, Storage, TransmissionType};

use super::{ASLEEP, AWAKE, STATIC};
use crate::World;
use crate::constraint::kind::Tie;

/// Whether an object is awake, asleep or never moves; `None` for kinds of objects that have no such
/// state, and numbers without an object. MuJoCo: `mj_sleepState`.
pub fn sleep_state(
    m: &Model<impl Storage>,
    d: &World<'_>,
    kind: ObjType,
    id: usize,
) -> Option<SleepState> {
    // these two ask for the states of other objects
    let state = match kind {
        ObjType::Equality if id < m.neq => equality_state(m, d, id),
        ObjType::Sensor if id < m.nsensor => sensor_state(m, d, id),
        _ => moving_state(m, d, kind, id)?,
    };
    Some(match state {
        ASLEEP => SleepState::Asleep,
        STATIC => SleepState::Static,
        _ => SleepState::Awake,
    })
}

/// The state of what constraints and sensors refer to.
fn moving_state(m: &Model<impl Storage>, d: &World<'_>, kind: ObjType, id: usize) -> Option<i32> {
    match kind {
        ObjType::Actuator if id < m.nu => Some(actuator_state(m, d, id)),
        _ => part_state(m, d, kind, id),
    }
}

/// [`moving_state`], where what has no state is awake.
fn moving_or_awake(m: &Model<impl Storage>, d: &World<'_>, kind: ObjType, id: i32) -> i32 {
    let id = usize::try_from(id).ok();
    id.and_then(|id| moving_state(m, d, kind, id)).unwrap_or(AWAKE)
}

/// The state of what belongs to a body or to trees.
fn part_state(m: &Model<impl Storage>, d: &World<'_>, kind: ObjType, id: usize) -> Option<i32> {
    let body = |list: &[i32]| Some(d.body_awake[*list.get(id)? as usize]);
    match kind {
        ObjType::Body | ObjType::XBody => d.body_awake.get(id).copied(),
        ObjType::Joint => body(&m.jnt_bodyid),
        ObjType::Dof => body(&m.dof_bodyid),
        ObjType::Geom => body(&m.geom_bodyid),
        ObjType::Site => body(&m.site_bodyid),
        ObjType::Camera => body(&m.cam_bodyid),
        ObjType::Light => body(&m.light_bodyid),
        ObjType::Tendon if id < m.ntendon => Some(tendon_state(m, d, id)),
        ObjType::Flex | ObjType::Unknown => Some(AWAKE),
        _ => None,
    }
}

/// Is the object asleep?
pub(crate) fn is_asleep(m: &Model<impl Storage>, d: &World<'_>, kind: ObjType, id: usize) -> bool {
    sleep_state(m, d, kind, id) == Some(SleepState::Asleep)
}

/// A tendon sleeps with its trees; one of more than two trees never sleeps, since only two are stored.
/// MuJoCo: `mj_tendonSleepState`.
pub(crate) fn tendon_state(m: &Model<impl Storage>, d: &World<'_>, t: usize) -> i32 {
    let awake = |k: usize| {
        let tree = usize::try_from(m.tendon_treeid[t][k]);
        tree.is_ok_and(|tree| d.tree_awake[tree] != 0)
    };
    match m.tendon_treenum[t] {
        0 => STATIC,
        1 if !awake(0) => ASLEEP,
        2 if !awake(0) && !awake(1) => ASLEEP,
        _ => AWAKE,
    }
}

/// An actuator sleeps with what it drives; a slider-crank counts as asleep where neither end moves.
/// MuJoCo: `mj_actuatorSleepState`.
fn actuator_state(m: &Model<impl Storage>, d: &World<'_>, i: usize) -> i32 {
    let [target, other] = m.actuator_trnid[i];
    // what has no state is awake
    let state = |kind: ObjType, id: i32| {
        let id = usize::try_from(id).ok();
        id.and_then(|id| part_state(m, d, kind, id)).unwrap_or(AWAKE)
    };
    // by what the force acts on
    match m.transmission_kind(i) {
        Some(TransmissionType::Joint | TransmissionType::JointInParent) => {
            state(ObjType::Joint, target)
        }
        Some(TransmissionType::SliderCrank) => {
            let ends = [target, other].map(|site| state(ObjType::Site, site));
            if ends.contains(&AWAKE) { AWAKE } else { ASLEEP }
        }
        Some(TransmissionType::Tendon) => state(ObjType::Tendon, target),
        Some(TransmissionType::Site) => state(ObjType::Site, target),
        Some(TransmissionType::Body) => state(ObjType::Body, target),
        Some(TransmissionType::Undefined) | None => AWAKE,
    }
}

/// An equality constraint is asleep where neither side is awake. MuJoCo: `mj_equalitySleepState`.
fn equality_state(m: &Model<impl Storage>, d: &World<'_>, i: usize) -> i32 {
    let awake = |body: usize| d.body_awake[body] == AWAKE;
    let joint = |j: usize| awake(m.joint_body(j));
    let tendon = |t: usize| tendon_state(m, d, t) == AWAKE;
    // by the objects that the constraint ties
    let some_awake = match Tie::of(m, i) {
        Some(Tie::Points(ends) | Tie::Frames(ends)) => ends.bodies.into_iter().any(awake),
        Some(Tie::Joints(first, second)) => joint(first) || second.is_some_and(joint),
        Some(Tie::Tendons(first, second)) => tendon(first) || second.is_some_and(tendon),
        // flexes do not sleep
        Some(Tie::Edges(_) | Tie::Strains(_)) => true,
        None => true,
    };
    if some_awake { AWAKE } else { ASLEEP }
}

/// A sensor is asleep where the object and the reference that it has are not awake; a single
/// object that never moves counts as awake. So do sensors whose values depend on more than that. MuJoCo: `mj_sensorSleepState`.
fn sensor_state(m: &Model<impl Storage>, d: &World<'_>, i: usize) -> i32 {
    let kinds = [m.sensor_objtype[i], m.sensor_reftype[i]];
    let by_site = kinds.contains(&(ObjType::Site as i32));
    // a callback, a plugin, a ray or a volume sees more than its own object
    match m.sensor_kind(i) {
        Some(SensorType::User | SensorType::Plugin | SensorType::Rangefinder) => return AWAKE,
        Some(SensorType::Contact) if by_site => return AWAKE,
        _ => {}
    }
    let [object, reference] =
        [(kinds[0], m.sensor_objid[i]), (kinds[1], m.sensor_refid[i])].map(|(kind, id)| {
            match ObjType::try_from(kind) {
                Ok(ObjType::Unknown) | Err(_) => None,
                Ok(kind) => Some(moving_or_awake(m, d, kind, id)),
            }
        });
    // one object: only sleep counts; two: one that is awake is enough
    match (object, reference) {
        (None, None) => AWAKE,
        (Some(one), None) | (None, Some(one)) => {
            if one == ASLEEP {
                ASLEEP
            } else {
                AWAKE
            }
        }
        (Some(a), Some(b)) => {
            if a == AWAKE || b == AWAKE {
                AWAKE
            } else {
                ASLEEP
            }
        }
    }
}
