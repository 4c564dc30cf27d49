//! What actuators, sensors and equality constraints refer to, in the general form that MuJoCo's
//! programming interface has: a type and a name, whatever the kind of the element.

use ferrodyn_model::{
    CONTACT_DATA, DynType, EqualityType, ObjType, RAY_DATA, SensorType, TransmissionType,
};

use super::EditError;
use super::id::{ActuatorId, EqualityId, SensorId};
use crate::keywords::{ContactReduction, SensorData};
use crate::schema::{ActuatorAttrs, ActuatorKind, EqualityAttrs, SensorAttrs, SensorKind};
use crate::spec::{ActuatorSpec, Spec};
use crate::values::{AttrValue, partial_or};

/// What an actuator drives.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transmission {
    /// How it drives it; undefined where nothing is named.
    pub kind: TransmissionType,
    /// Name of the joint, tendon, site or body; of the crank's site in a slider crank.
    pub target: String,
    /// Name of the site whose frame the motion is measured in.
    pub refsite: String,
    /// Name of the site of the slider of a slider crank.
    pub slidersite: String,
}

impl Default for Transmission {
    fn default() -> Self {
        Self {
            kind: TransmissionType::Undefined,
            target: String::new(),
            refsite: String::new(),
            slidersite: String::new(),
        }
    }
}

/// What a sensor measures.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SensorReference {
    /// Kind of sensor.
    pub kind: SensorType,
    /// Type of the object that is measured.
    pub objtype: ObjType,
    /// Its name.
    pub objname: String,
    /// Type of the object that the measurement is relative to.
    pub reftype: ObjType,
    /// Its name.
    pub refname: String,
    /// Parameters of contact sensors and rangefinders.
    pub intprm: [i32; 3],
}

impl Default for SensorReference {
    fn default() -> Self {
        Self {
            kind: SensorType::Touch,
            objtype: ObjType::Unknown,
            objname: String::new(),
            reftype: ObjType::Unknown,
            refname: String::new(),
            intprm: [0; 3],
        }
    }
}

/// What an equality constraint holds together.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EqualityReference {
    /// Kind of constraint.
    pub kind: EqualityType,
    /// Type of both objects, where the kind leaves a choice.
    pub objtype: ObjType,
    /// Name of the first object.
    pub name1: String,
    /// Name of the second object; empty for none.
    pub name2: String,
    /// The numbers of the constraint, as the model keeps them.
    pub data: [f64; 11],
}

impl Default for EqualityReference {
    fn default() -> Self {
        Self {
            kind: EqualityType::Connect,
            objtype: ObjType::Unknown,
            name1: String::new(),
            name2: String::new(),
            data: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        }
    }
}

/// A general actuator that says whether it takes its range from its target, as the servo that it
/// is: the model language has such ranges for servos only.
pub(super) fn servo(actuator: &ActuatorSpec) -> Option<ActuatorSpec> {
    let attr = &actuator.attr;
    let inheritrange = attr.inheritrange.filter(|_| actuator.kind == ActuatorKind::General)?;
    if inheritrange <= 0.0 {
        let attr = ActuatorAttrs { inheritrange: None, ..attr.clone() };
        return Some(ActuatorSpec { kind: actuator.kind, attr });
    }
    let kind = match attr.dyntype {
        Some(DynType::Integrator) => ActuatorKind::IntVelocity,
        _ => ActuatorKind::Position,
    };
    let damping = partial_or(&attr.biasprm, [0.0; 10])[2];
    let timeconst = match attr.dyntype {
        Some(DynType::FilterExact) => Some(vec![partial_or(&attr.dynprm, [1.0; 10])[0]]),
        _ => None,
    };
    let attr = ActuatorAttrs {
        kp: attr.gainprm.map(|gain| gain.or([1.0; 10])[0]),
        kv: (damping < 0.0).then_some(-damping),
        dampratio: (damping > 0.0).then_some(damping),
        timeconst,
        dyntype: None,
        gaintype: None,
        biastype: None,
        dynprm: None,
        gainprm: None,
        biasprm: None,
        actdim: None,
        actearly: None,
        ..attr.clone()
    };
    Some(ActuatorSpec { kind, attr })
}

/// A name, where it is not empty.
fn given(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| name.to_owned())
}

impl Spec {
    /// What an actuator drives.
    pub fn transmission(&self, id: ActuatorId) -> Result<Transmission, EditError> {
        use TransmissionType as T;
        let attr = &self.get(id)?.attr.attr;
        let targets = [
            (T::Joint, &attr.joint),
            (T::JointInParent, &attr.jointinparent),
            (T::Tendon, &attr.tendon),
            (T::SliderCrank, &attr.cranksite),
            (T::Site, &attr.site),
            (T::Body, &attr.body),
        ];
        let named = targets.into_iter().find(|(_, name)| name.is_some());
        let (kind, target) =
            named.map_or((T::Undefined, ""), |(kind, name)| (kind, name.as_deref().unwrap_or("")));
        Ok(Transmission {
            kind,
            target: target.to_owned(),
            refsite: attr.refsite.clone().unwrap_or_default(),
            slidersite: attr.slidersite.clone().unwrap_or_default(),
        })
    }

    /// Lets an actuator drive something else.
    pub fn set_transmission(&mut self, id: ActuatorId, to: &Transmission) -> Result<(), EditError> {
        use TransmissionType as T;
        let attr = &mut self.get_mut(id)?.attr.attr;
        let when = |kind: T| if to.kind == kind { given(&to.target) } else { None };
        attr.joint = when(T::Joint);
        attr.jointinparent = when(T::JointInParent);
        attr.tendon = when(T::Tendon);
        attr.cranksite = when(T::SliderCrank);
        attr.site = when(T::Site);
        attr.body = when(T::Body);
        attr.refsite = given(&to.refsite);
        attr.slidersite = given(&to.slidersite);
        Ok(())
    }

    /// What an equality constraint holds together.
    pub fn equality_reference(&self, id: EqualityId) -> Result<EqualityReference, EditError> {
        let spec = &self.get(id)?.attr;
        let (kind, attr) = (spec.kind, &spec.attr);
        let by_sites = attr.site1.is_some();
        let (objtype, names) = match kind {
            EqualityType::Joint => (ObjType::Joint, [&attr.joint1, &attr.joint2]),
            EqualityType::Tendon => (ObjType::Tendon, [&attr.tendon1, &attr.tendon2]),
            EqualityType::Flex | EqualityType::FlexVert => (ObjType::Flex, [&attr.flex, &None]),
            _ if by_sites => (ObjType::Site, [&attr.site1, &attr.site2]),
            _ => (ObjType::Body, [&attr.body1, &attr.body2]),
        };
        let [name1, name2] = names.map(|n| n.clone().unwrap_or_default());
        let mut data = EqualityReference::default().data;
        match kind {
            EqualityType::Connect | EqualityType::Weld => {
                if let Some(anchor) = attr.anchor {
                    data[..3].copy_from_slice(&anchor);
                } else if kind == EqualityType::Weld {
                    data[1] = 0.0;
                }
                if let Some(relpose) = attr.relpose {
                    data[3..10].copy_from_slice(&relpose);
                }
                data[10] = attr.or_default().torquescale();
            }
            _ => data[..5].copy_from_slice(&attr.or_default().polycoef()),
        }
        Ok(EqualityReference { kind, objtype, name1, name2, data })
    }

    /// Lets an equality constraint hold something else together.
    pub fn set_equality_reference(
        &mut self,
        id: EqualityId,
        to: &EqualityReference,
    ) -> Result<(), EditError> {
        let spec = &mut self.get_mut(id)?.attr;
        let EqualityAttrs { active, solref, solimp, .. } = spec.attr;
        let mut attr = EqualityAttrs { active, solref, solimp, ..EqualityAttrs::default() };
        let [name1, name2] = [given(&to.name1), given(&to.name2)];
        match to.kind {
            EqualityType::Joint => (attr.joint1, attr.joint2) = (name1, name2),
            EqualityType::Tendon => (attr.tendon1, attr.tendon2) = (name1, name2),
            EqualityType::Flex | EqualityType::FlexVert => attr.flex = name1,
            _ if to.objtype == ObjType::Site => (attr.site1, attr.site2) = (name1, name2),
            _ => (attr.body1, attr.body2) = (name1, name2),
        }
        let [x, y, z, rest @ ..] = to.data;
        let by_sites = attr.site1.is_some();
        match to.kind {
            EqualityType::Connect | EqualityType::Weld if by_sites => {
                // the sites say where, and how the objects lie
                attr.torquescale = (to.kind == EqualityType::Weld).then_some(to.data[10]);
            }
            EqualityType::Connect => attr.anchor = Some([x, y, z]),
            EqualityType::Weld => {
                attr.anchor = Some([x, y, z]);
                let [a, b, c, q0, q1, q2, q3, torquescale] = rest;
                attr.relpose = Some([a, b, c, q0, q1, q2, q3]);
                attr.torquescale = Some(torquescale);
            }
            EqualityType::Flex | EqualityType::FlexVert => {}
            _ => attr.polycoef = Some([x, y, z, rest[0], rest[1]].into()),
        }
        spec.kind = to.kind;
        spec.attr = attr;
        Ok(())
    }

    /// What a sensor measures.
    pub fn sensor_reference(&self, id: SensorId) -> Result<SensorReference, EditError> {
        use ObjType as O;
        let spec = &self.get(id)?.attr;
        let (kind, attr) = (spec.kind, &spec.attr);
        let mut named: Vec<(O, &Option<String>)> = Vec::new();
        let mut other: Vec<(O, &Option<String>)> = Vec::new();
        let typed = |text: &Option<String>| {
            O::read("objtype", text.as_deref().unwrap_or("")).ok().flatten().unwrap_or(O::Unknown)
        };
        for &name in SensorKind::of(kind).own {
            match name {
                "site" if kind == SensorType::InsideSite => other.push((O::Site, &attr.site)),
                "site" => named.push((O::Site, &attr.site)),
                "camera" if kind == SensorType::CamProjection => {
                    other.push((O::Camera, &attr.camera));
                }
                "camera" => named.push((O::Camera, &attr.camera)),
                "joint" => named.push((O::Joint, &attr.joint)),
                "tendon" => named.push((O::Tendon, &attr.tendon)),
                "actuator" => named.push((O::Actuator, &attr.actuator)),
                "body" => named.push((O::Body, &attr.body)),
                "mesh" => named.push((O::Mesh, &attr.mesh)),
                "geom" => other.push((O::Geom, &attr.geom)),
                "geom1" => named.push((O::Geom, &attr.geom1)),
                "geom2" => other.push((O::Geom, &attr.geom2)),
                "body1" => named.push((O::Body, &attr.body1)),
                "body2" => other.push((O::Body, &attr.body2)),
                "subtree1" => named.push((O::XBody, &attr.subtree1)),
                "subtree2" => other.push((O::XBody, &attr.subtree2)),
                "objname" => named.push((typed(&attr.objtype), &attr.objname)),
                "refname" => other.push((typed(&attr.reftype), &attr.refname)),
                _ => {}
            }
        }
        let first = |list: Vec<(O, &Option<String>)>| {
            let found = list.into_iter().find(|(_, name)| name.is_some());
            found.map_or((O::Unknown, String::new()), |(kind, name)| {
                (kind, name.clone().unwrap_or_default())
            })
        };
        let (objtype, objname) = first(named);
        let (reftype, refname) = first(other);
        let intprm = intprm(kind, attr);
        Ok(SensorReference { kind, objtype, objname, reftype, refname, intprm })
    }

    /// Lets a sensor measure something else. A type of object that its kind does not have is an
    /// error.
    pub fn set_sensor_reference(
        &mut self,
        id: SensorId,
        to: &SensorReference,
    ) -> Result<(), EditError> {
        let spec = &mut self.get_mut(id)?.attr;
        let own = SensorKind::of(to.kind).own;
        let mut attr = SensorAttrs {
            dim: spec.attr.dim,
            needstage: spec.attr.needstage,
            datatype: spec.attr.datatype,
            nsample: spec.attr.nsample,
            interp: spec.attr.interp,
            delay: spec.attr.delay,
            interval: spec.attr.interval,
            cutoff: spec.attr.cutoff,
            noise: spec.attr.noise,
            user: spec.attr.user.clone(),
            ..SensorAttrs::default()
        };
        let generic = own.contains(&"objname");
        if to.objtype != ObjType::Unknown || !to.objname.is_empty() {
            let name = Some(to.objname.clone());
            let slot = match to.objtype {
                kind if generic => {
                    attr.objtype = Some(kind.write());
                    Some(&mut attr.objname)
                }
                ObjType::Site if own.contains(&"site") => Some(&mut attr.site),
                ObjType::Camera if to.kind == SensorType::Rangefinder => Some(&mut attr.camera),
                ObjType::Joint if own.contains(&"joint") => Some(&mut attr.joint),
                ObjType::Tendon if own.contains(&"tendon") => Some(&mut attr.tendon),
                ObjType::Actuator if own.contains(&"actuator") => Some(&mut attr.actuator),
                ObjType::Body if own.contains(&"body") => Some(&mut attr.body),
                ObjType::Mesh if own.contains(&"mesh") => Some(&mut attr.mesh),
                ObjType::Geom if own.contains(&"geom1") => Some(&mut attr.geom1),
                ObjType::Body if own.contains(&"body1") => Some(&mut attr.body1),
                ObjType::XBody if own.contains(&"subtree1") => Some(&mut attr.subtree1),
                _ => None,
            };
            *slot.ok_or_else(|| mismatch(to.kind, "objtype"))? = name;
        }
        if to.reftype != ObjType::Unknown || !to.refname.is_empty() {
            let name = Some(to.refname.clone());
            let slot = match to.reftype {
                kind if own.contains(&"refname") => {
                    attr.reftype = Some(kind.write());
                    Some(&mut attr.refname)
                }
                ObjType::Site if to.kind == SensorType::InsideSite => Some(&mut attr.site),
                ObjType::Camera if to.kind == SensorType::CamProjection => Some(&mut attr.camera),
                ObjType::Geom if to.kind == SensorType::Tactile => Some(&mut attr.geom),
                ObjType::Geom if own.contains(&"geom2") => Some(&mut attr.geom2),
                ObjType::Body if own.contains(&"body2") => Some(&mut attr.body2),
                ObjType::XBody if own.contains(&"subtree2") => Some(&mut attr.subtree2),
                _ => None,
            };
            *slot.ok_or_else(|| mismatch(to.kind, "reftype"))? = name;
        }
        set_intprm(to.kind, &mut attr, to.intprm)?;
        spec.kind = to.kind;
        spec.attr = attr;
        Ok(())
    }
}

fn mismatch(kind: SensorType, attribute: &str) -> EditError {
    EditError::Refused(match (kind, attribute) {
        (SensorType::Contact, "objtype") => {
            String::from("first matching criterion: if set, must be (x)body, geom or site")
        }
        (SensorType::Contact, _) => {
            String::from("second matching criterion: if set, must be (x)body or geom")
        }
        _ => format!("a sensor of this type cannot have this '{attribute}'"),
    })
}

fn intprm(kind: SensorType, attr: &SensorAttrs) -> [i32; 3] {
    let bits = |table: &[(&str, i32)]| {
        attr.data.as_ref().and_then(|words| words.bits(table).ok()).unwrap_or(1)
    };
    match kind {
        SensorType::Rangefinder => [bits(&RAY_DATA), 0, 0],
        SensorType::Contact => {
            let reduce = attr.or_default().reduce() as i32;
            [bits(&CONTACT_DATA), reduce, attr.or_default().num()]
        }
        _ => [0; 3],
    }
}

/// Checks the bits that choose what a sensor reports, of which there are `count`.
fn check_bits(bits: i32, count: usize, limit: &str) -> Result<(), EditError> {
    let mask = (1 << count) - 1;
    let message = if bits <= 0 {
        format!("data spec (intprm[0]) must be positive, got {bits}")
    } else if bits & mask == 0 {
        format!(
            "data spec intprm[0]={bits} must have at least one bit set of the first {limit} bits"
        )
    } else if bits & !mask != 0 {
        format!("data spec intprm[0]={bits} has bits set beyond the first {limit} bits")
    } else {
        return Ok(());
    };
    Err(EditError::Refused(message))
}

fn set_intprm(
    kind: SensorType,
    attr: &mut SensorAttrs,
    [data, reduce, num]: [i32; 3],
) -> Result<(), EditError> {
    let words = |table: &[(&str, i32)], limit| {
        check_bits(data, table.len(), limit)?;
        let chosen = table.iter().enumerate().filter(|(i, _)| data & (1 << i) != 0);
        let words = chosen.map(|(_, (word, _))| (*word).to_owned()).collect();
        Ok::<_, EditError>(Some(SensorData(words)))
    };
    match kind {
        SensorType::Rangefinder => attr.data = words(&RAY_DATA, "mjNRAYDATA")?,
        SensorType::Contact => {
            attr.data = words(&CONTACT_DATA, "mjNCONDATA")?;
            if num <= 0 {
                let message = format!("num (intprm[2]) must be positive in sensor, got {num}");
                return Err(EditError::Refused(message));
            }
            attr.num = Some(num);
            attr.reduce = Some(match reduce {
                0 => ContactReduction::None,
                1 => ContactReduction::MinDist,
                2 => ContactReduction::MaxForce,
                3 => ContactReduction::NetForce,
                _ => {
                    let message = format!(
                        "unknown reduction criterion. got {reduce}, expected one of {{0, 1, 2, 3}}"
                    );
                    return Err(EditError::Refused(message));
                }
            });
        }
        _ => {}
    }
    Ok(())
}
