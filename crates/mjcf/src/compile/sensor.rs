//! Compiles sensors.

use ferrodyn_model::{DataType, GeomType, JointType, Model, ObjType, SensorDim, SensorType, Stage};

use super::actuator::{MAX_SAMPLES, history_size};
use super::fill::index as to_index;
use super::index::{Index, Wanted};
use super::objects::Objects;
use super::plugin::Plugins;
use super::tendon::Tendon;
use super::tree::problem;
use crate::defaults::DefaultResolver;
use crate::error::Sink;
use crate::plugin::Capability;
use crate::schema::{At, Attributes, SensorAttrs, SensorKind};
use crate::spec::{MAIN_CLASS, Object, SensorSpec, Spec};
use crate::values::AttrValue;
use ferrodyn_model::{CONTACT_DATA, RAY_DATA};

/// What a sensor refers to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    pub(super) kind: ObjType,
    pub(super) id: Option<usize>,
}

impl Reference {
    const NONE: Self = Self { kind: ObjType::Unknown, id: None };
}

/// A compiled sensor.
#[derive(Clone, Debug)]
pub(super) struct Sensor {
    kind: SensorType,
    pub(super) object: Reference,
    pub(super) reference: Reference,
    intprm: [i32; 3],
    pub(super) dim: usize,
    datatype: DataType,
    needstage: Stage,
    pub(super) attr: SensorAttrs,
    plugin: Option<usize>,
}

/// What sensors refer to.
pub(super) struct SensorCompiler<'a> {
    pub(super) spec: &'a Spec,
    pub(super) defaults: &'a DefaultResolver,
    pub(super) index: &'a Index<'a>,
    pub(super) objects: &'a Objects,
    pub(super) tendons: &'a [Tendon],
    pub(super) plugins: &'a mut Plugins,
    /// Numbers of vertices of the meshes.
    pub(super) mesh_vertices: &'a [usize],
    pub(super) nuser: usize,
    pub(super) sink: &'a mut Sink,
}

impl SensorCompiler<'_> {
    /// Compiles all sensors; what cannot be compiled is reported.
    pub(super) fn run(mut self) -> Vec<Sensor> {
        let spec = self.spec;
        spec.sensors.iter().map(|object| self.sensor(object)).collect()
    }

    fn fail(&mut self, object: &Object<SensorSpec>, message: &str) {
        let element = SensorKind::of(object.attr.kind).element;
        self.sink.error(problem(element, &object.name, object.span, message));
    }

    fn sensor(&mut self, object: &Object<SensorSpec>) -> Sensor {
        let kind = object.attr.kind;
        let attr = self.defaults.apply_to_sensor(MAIN_CLASS, &object.attr.attr);
        self.check_values(object, &attr);
        let (sensed, reference) = self.references(object, &attr);
        self.check_objects(object, sensed, reference);

        let mut intprm = [0; 3];
        let bits = |table| attr.data.as_ref().and_then(|d| d.bits(table).ok()).unwrap_or(1);
        match kind {
            SensorType::Rangefinder => intprm[0] = bits(&RAY_DATA),
            SensorType::Contact => {
                intprm = [
                    bits(&CONTACT_DATA),
                    attr.or_default().reduce() as i32,
                    attr.or_default().num(),
                ];
            }
            _ => {}
        }
        let plugin = object
            .plugin
            .as_ref()
            .and_then(|used| self.plugins.resolve(used, Capability::Sensor, self.index, self.sink));
        // the kind decides, whatever the rows say to programs
        let info = kind.info();
        let datatype = match kind {
            SensorType::User => attr.datatype.unwrap_or(info.data),
            _ => info.data,
        };
        let needstage = match kind {
            SensorType::User => attr.needstage.unwrap_or(info.stage),
            _ => info.stage,
        };
        let dim = self.dimension(object, &attr, sensed, &intprm, plugin);
        if kind == SensorType::User {
            let expected = match datatype {
                DataType::Axis => Some(3),
                DataType::Quaternion => Some(4),
                _ => None,
            };
            if expected.is_some_and(|n| n != dim) {
                self.fail(object, "'dim' does not go with 'datatype'");
            }
        }
        let directed = datatype == DataType::Quaternion
            || (datatype == DataType::Axis && kind != SensorType::GeomNormal);
        if attr.or_default().cutoff() > 0.0 && directed {
            self.fail(object, "'cutoff' has no meaning for axes and quaternions");
        }
        Sensor { kind, object: sensed, reference, intprm, dim, datatype, needstage, attr, plugin }
    }

    fn check_values(&mut self, object: &Object<SensorSpec>, attr: &SensorAttrs) {
        if attr.user.as_ref().is_some_and(|u| u.len() > self.nuser) {
            self.fail(object, "'user' has more numbers than <size> allows");
        }
        if attr.or_default().noise() < 0.0 {
            self.fail(object, "'noise' cannot be negative");
        }
        if attr.or_default().cutoff() < 0.0 {
            self.fail(object, "'cutoff' cannot be negative");
        }
        let [period, phase] = attr.or_default().interval();
        if period < 0.0 {
            self.fail(object, "the period of 'interval' cannot be negative");
        }
        if phase > 0.0 || (period > 0.0 && phase <= -period) {
            self.fail(object, "the phase of 'interval' must lie between minus the period and 0");
        }
        let samples = attr.or_default().nsample();
        if attr.or_default().delay() > 0.0 && samples <= 0 {
            self.fail(object, "'delay' needs a history: 'nsample' must be positive");
        }
        if samples > MAX_SAMPLES {
            self.fail(object, "'nsample' can be at most 2^24");
        }
    }

    /// The objects that the attributes of a sensor name.
    fn references(
        &mut self,
        object: &Object<SensorSpec>,
        a: &SensorAttrs,
    ) -> (Reference, Reference) {
        use ObjType as O;
        let kind = object.attr.kind;
        let row = SensorKind::of(kind);
        let typed = |this: &mut Self, attribute: &str, text: &Option<String>| {
            let text = text.as_deref().unwrap_or("");
            match O::read(attribute, text) {
                Ok(Some(kind)) => kind,
                _ => {
                    if !text.is_empty() {
                        this.fail(object, &format!("'{attribute}' is not a type of object"));
                    }
                    O::Unknown
                }
            }
        };
        let first_given = |options: &[(O, &'static str, &Option<String>)]| {
            options
                .iter()
                .find(|(_, _, name)| name.is_some())
                .map(|(kind, attribute, name)| (*kind, *attribute, (*name).clone()))
        };
        let (sensed, reference) = match kind {
            SensorType::CamProjection => (
                Some((O::Site, "site", a.site.clone())),
                Some((O::Camera, "camera", a.camera.clone())),
            ),
            SensorType::Rangefinder => {
                (first_given(&[(O::Site, "site", &a.site), (O::Camera, "camera", &a.camera)]), None)
            }
            SensorType::GeomDist | SensorType::GeomNormal | SensorType::GeomFromTo => (
                first_given(&[(O::Body, "body1", &a.body1), (O::Geom, "geom1", &a.geom1)]),
                first_given(&[(O::Body, "body2", &a.body2), (O::Geom, "geom2", &a.geom2)]),
            ),
            SensorType::Contact => (
                first_given(&[
                    (O::Site, "site", &a.site),
                    (O::Body, "body1", &a.body1),
                    (O::XBody, "subtree1", &a.subtree1),
                    (O::Geom, "geom1", &a.geom1),
                ]),
                first_given(&[
                    (O::Body, "body2", &a.body2),
                    (O::XBody, "subtree2", &a.subtree2),
                    (O::Geom, "geom2", &a.geom2),
                ]),
            ),
            SensorType::Tactile => {
                (Some((O::Mesh, "mesh", a.mesh.clone())), Some((O::Geom, "geom", a.geom.clone())))
            }
            SensorType::InsideSite => {
                let kind = typed(self, "objtype", &a.objtype);
                (
                    Some((kind, "objname", a.objname.clone())),
                    Some((O::Site, "site", a.site.clone())),
                )
            }
            _ if row.own.contains(&"objtype") => {
                let kind = typed(self, "objtype", &a.objtype);
                let reftype = typed(self, "reftype", &a.reftype);
                (
                    (kind != O::Unknown).then(|| (kind, "objname", a.objname.clone())),
                    (reftype != O::Unknown).then(|| (reftype, "refname", a.refname.clone())),
                )
            }
            _ => {
                let name = [&a.site, &a.joint, &a.tendon, &a.actuator, &a.body]
                    .into_iter()
                    .find(|n| n.is_some())
                    .cloned()
                    .flatten();
                let named = (row.object != O::Unknown)
                    .then(|| (row.object, row.own.first().copied().unwrap_or(""), name));
                (named, None)
            }
        };
        (self.find(object, sensed), self.find(object, reference))
    }

    fn find(
        &mut self,
        object: &Object<SensorSpec>,
        named: Option<(ObjType, &str, Option<String>)>,
    ) -> Reference {
        let Some((kind, attribute, name)) = named else { return Reference::NONE };
        let element = SensorKind::of(object.attr.kind).element;
        let wanted = Wanted::by(object, element, attribute, kind, name.as_deref());
        Reference { kind, id: self.index.expect(&wanted, self.sink) }
    }

    fn check_objects(&mut self, object: &Object<SensorSpec>, sensed: Reference, other: Reference) {
        use SensorType as S;
        let framed = |r: Reference| {
            matches!(
                r.kind,
                ObjType::Body | ObjType::XBody | ObjType::Geom | ObjType::Site | ObjType::Camera
            )
        };
        if other.kind != ObjType::Unknown && !framed(other) {
            self.fail(object, "the reference must be a body, geom, site or camera");
        }
        let Some(id) = sensed.id else { return };
        let joint = |kinds: &[JointType]| kinds.contains(&self.objects.joints[id].kind);
        let message = match object.attr.kind {
            S::JointPos | S::JointVel | S::JointActFrc => {
                let scalar = joint(&[JointType::Slide, JointType::Hinge]);
                (!scalar).then_some("the joint must be a slide or hinge")
            }
            S::BallQuat | S::BallAngVel => {
                (!joint(&[JointType::Ball])).then_some("the joint must be a ball")
            }
            S::JointLimitPos | S::JointLimitVel | S::JointLimitFrc => {
                (!self.objects.joints[id].limited).then_some("the joint must have limits")
            }
            S::TendonLimitPos | S::TendonLimitVel | S::TendonLimitFrc => {
                (!self.tendons[id].limited).then_some("the tendon must have limits")
            }
            S::CamProjection => {
                let seen = |c: usize| !self.objects.cameras[c].resolution.contains(&0);
                let blind = other.id.is_some_and(|camera| !seen(camera));
                blind.then_some("the camera must have a resolution")
            }
            S::FramePos
            | S::FrameQuat
            | S::FrameXAxis
            | S::FrameYAxis
            | S::FrameZAxis
            | S::FrameLinVel
            | S::FrameAngVel
            | S::FrameLinAcc
            | S::FrameAngAcc
            | S::InsideSite => {
                (!framed(sensed)).then_some("the object must be a body, geom, site or camera")
            }
            S::GeomDist | S::GeomNormal | S::GeomFromTo => {
                let height_field = |r: Reference| {
                    let geom = r.id.filter(|_| r.kind == ObjType::Geom);
                    geom.is_some_and(|g| self.objects.geoms[g].kind == GeomType::Hfield)
                };
                if sensed.kind == other.kind && sensed.id == other.id {
                    Some("both objects are the same")
                } else {
                    (height_field(sensed) || height_field(other))
                        .then_some("distances of height fields are not defined")
                }
            }
            _ => None,
        };
        if let Some(message) = message {
            self.fail(object, message);
        }
    }

    /// How many values the sensor has.
    fn dimension(
        &mut self,
        object: &Object<SensorSpec>,
        attr: &SensorAttrs,
        sensed: Reference,
        intprm: &[i32; 3],
        plugin: Option<usize>,
    ) -> usize {
        use SensorType as S;
        let sum = |table: &[(&str, i32)]| -> i32 {
            let chosen = table.iter().enumerate().filter(|(i, _)| intprm[0] & (1 << i) != 0);
            chosen.map(|(_, (_, size))| *size).sum()
        };
        let size = match object.attr.kind {
            S::Contact => i64::from(intprm[2]) * i64::from(sum(&CONTACT_DATA)),
            S::Rangefinder => {
                let rays = match sensed {
                    Reference { kind: ObjType::Camera, id: Some(camera) } => {
                        let [width, height] = self.objects.cameras[camera].resolution;
                        i64::from(width) * i64::from(height)
                    }
                    _ => 1,
                };
                rays.saturating_mul(i64::from(sum(&RAY_DATA)))
            }
            S::Tactile => sensed.id.map_or(0, |mesh| 3 * self.mesh_vertices[mesh] as i64),
            S::User => i64::from(attr.or_default().dim()),
            S::Plugin => match plugin.map(|id| self.plugins.sensor_values(id)) {
                Some(Some(n)) => n as i64,
                Some(None) => {
                    self.fail(object, "the configuration needs a 'size' of two numbers");
                    0
                }
                None => 0,
            },
            kind => match kind.info().dim {
                SensorDim::Fixed(values) => values as i64,
                SensorDim::ByModel => 0,
            },
        };
        match usize::try_from(size) {
            Ok(size) if size <= self.spec.options.budget.array => size,
            Ok(_) => {
                self.fail(object, "more values than the budget allows");
                0
            }
            Err(_) => {
                self.fail(object, "the number of values cannot be negative");
                0
            }
        }
    }
}

/// Fills the arrays of sensors, whose history begins after that of the actuators.
pub(super) fn fill(m: &mut Model, sensors: &[Sensor], mut history: usize) {
    let mut address = 0;
    for (i, sensor) in sensors.iter().enumerate() {
        let attr = &sensor.attr;
        attr.fill(m, At::Object(i));
        m.sensor_type[i] = sensor.kind as i32;
        m.sensor_datatype[i] = sensor.datatype as i32;
        m.sensor_needstage[i] = sensor.needstage as i32;
        m.sensor_objtype[i] = sensor.object.kind as i32;
        m.sensor_objid[i] = to_index(sensor.object.id);
        m.sensor_reftype[i] = sensor.reference.kind as i32;
        m.sensor_refid[i] = to_index(sensor.reference.id);
        m.sensor_intprm[i] = sensor.intprm;
        m.sensor_dim[i] = sensor.dim as i32;
        m.sensor_adr[i] = address as i32;
        address += sensor.dim;
        let samples = attr.or_default().nsample();
        m.sensor_history[i] = [samples, attr.or_default().interp() as i32];
        let size = history_size(samples, sensor.dim);
        m.sensor_historyadr[i] = to_index((size > 0).then_some(history));
        history += size;
        m.sensor_plugin[i] = to_index(sensor.plugin);
    }
}
