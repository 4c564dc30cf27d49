//! Compiles the objects of the kinematic tree, body by body.

use ferrodyn_model::{GeomType, JointType, ObjType};

use super::asset::Assets;
use super::index::{Index, Wanted};
use super::objects::{Joint, Light, Objects, Site};
use super::plugin::Plugins;
use super::resolve::{Elements, Resolved, ResolvedJoint};
use super::settings::Settings;
use crate::error::{DiagnosticKind, Problem, Sink, Span};
use crate::keywords::Tristate;
use crate::orientation::orientation;
use crate::pose::{self, EPS, Pose, Q4, UNIT, V3, normalize, quat_from_z};
use crate::schema::{LightAttrs, SiteAttrs};
use crate::spec::Spec;
use crate::values::{Orientation, RawQuat};

/// Numbers of user data per object.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UserSizes {
    pub(super) body: usize,
    pub(super) jnt: usize,
    pub(super) geom: usize,
    pub(super) site: usize,
    pub(super) cam: usize,
    pub(super) tendon: usize,
    pub(super) actuator: usize,
    pub(super) sensor: usize,
}

/// The compilation of the tree in progress.
pub(super) struct TreeCompiler<'a> {
    pub(super) spec: &'a Spec,
    pub(super) settings: &'a [Settings],
    pub(super) elements: &'a Elements<'a>,
    pub(super) user: UserSizes,
    pub(super) index: &'a Index<'a>,
    pub(super) assets: &'a Assets,
    pub(super) plugins: &'a mut Plugins,
    pub(super) znear: f32,
    pub(super) sink: &'a mut Sink,
    /// Poses of the frames in the frames of their bodies.
    pub(super) frames: Vec<Pose>,
    pub(super) objects: Objects,
}

impl TreeCompiler<'_> {
    /// Compiles everything; what cannot be compiled is reported and has a stand-in in the result.
    pub(super) fn run(mut self) -> Objects {
        self.compile_frames();
        for body in 0..self.spec.bodies.len() {
            self.body(body);
        }
        self.objects
    }

    /// Reports a problem with an object.
    pub(super) fn fail(&mut self, element: &str, name: &str, span: Span, message: &str) {
        self.sink.error(problem(element, name, span, message));
    }

    /// Frames take on the frames around them.
    fn compile_frames(&mut self) {
        for frame in &self.spec.frames {
            let attr = &frame.attr;
            let quat = match self.orientation(frame.origin, &attr.quat, &attr.alt) {
                Ok(quat) => quat,
                Err(message) => {
                    self.fail("frame", &frame.name, frame.span, message);
                    UNIT
                }
            };
            let mut pose = Pose { pos: attr.or_default().pos(), quat };
            if let Some(parent) = frame.parent {
                pose = self.frames[parent].then(&pose);
            }
            normalize(&mut pose.quat);
            self.frames.push(pose);
        }
    }

    /// The pose of a frame, if there is one.
    pub(super) fn frame(&self, frame: Option<usize>) -> Option<Pose> {
        frame.map(|f| self.frames[f])
    }

    /// [`orientation`] with the settings of an origin.
    pub(super) fn orientation(
        &self,
        origin: usize,
        quat: &Option<RawQuat>,
        alt: &Option<Orientation>,
    ) -> Result<Q4, &'static str> {
        let settings = &self.settings[origin];
        orientation(settings.degree, &settings.eulerseq, quat, alt)
    }

    /// Reports user data beyond the size that the model sets for it.
    pub(super) fn check_user(
        &mut self,
        element: &str,
        name: &str,
        span: Span,
        user: &Option<Vec<f64>>,
        most: usize,
    ) {
        if user.as_ref().is_some_and(|u| u.len() > most) {
            let message = format!("'user' has more than the {most} numbers that <size> allows");
            self.fail(element, name, span, &message);
        }
    }

    pub(super) fn joint(&mut self, item: &Resolved<'_, ResolvedJoint>) -> Joint {
        let attr = &item.attr.attr;
        let or = attr.or_default();
        let kind = or.kind();
        let frame = self.frame(item.frame);
        let settings = self.settings;
        let settings = &settings[item.origin];
        let mut problems: Vec<&'static str> = Vec::new();
        self.check_user("joint", item.name, item.span, &attr.user, self.user.jnt);

        let spring = or.springdamper();
        if spring != [0.0; 2] && (spring[0] <= 0.0 || spring[1] <= 0.0) {
            problems.push("both numbers of 'springdamper' must be positive");
        }

        // limits
        let mut range = or.range();
        let limited = if kind == JointType::Free {
            false
        } else {
            if undecided(settings, or.limited(), &range) {
                problems.push("'range' without 'limited' needs the compiler's autolimits");
            }
            is_limited(or.limited(), &range)
        };
        if limited {
            if range[0] >= range[1] && kind != JointType::Ball {
                problems.push("the first number of 'range' must be smaller than the second");
            }
            if range[0] != 0.0 && kind == JointType::Ball {
                problems.push("the first number of a ball joint's 'range' must be 0");
            }
            if settings.degree && matches!(kind, JointType::Hinge | JointType::Ball) {
                range = range.map(|x| x * (core::f64::consts::PI / 180.0));
            }
        }
        let actfrcrange = or.actuatorfrcrange();
        let actfrclimited = if matches!(kind, JointType::Free | JointType::Ball) {
            false
        } else {
            if undecided(settings, or.actuatorfrclimited(), &actfrcrange) {
                problems.push(
                    "'actuatorfrcrange' without 'actuatorfrclimited' needs the compiler's autolimits",
                );
            }
            is_limited(or.actuatorfrclimited(), &actfrcrange)
        };
        if actfrclimited && actfrcrange[0] >= actfrcrange[1] {
            problems.push("the first number of 'actuatorfrcrange' must be smaller than the second");
        }

        // axis and anchor
        let mut axis = or.axis();
        if matches!(kind, JointType::Free | JointType::Ball) {
            axis = [0.0, 0.0, 1.0];
        } else if let Some(frame) = &frame {
            axis = pose::rotate(&axis, &frame.quat);
        }
        if normalize(&mut axis) < EPS {
            problems.push("'axis' is too short");
        }
        let mut pos = or.pos();
        if kind == JointType::Free {
            pos = [0.0; 3];
        } else if let Some(frame) = &frame {
            pos = frame.then(&Pose { pos, quat: UNIT }).pos;
        }

        // reference angles
        let mut reference = or.reference();
        let mut springref = or.springref();
        if kind == JointType::Hinge && settings.degree {
            reference *= core::f64::consts::PI / 180.0;
            springref *= core::f64::consts::PI / 180.0;
        }
        for message in problems {
            self.fail("joint", item.name, item.span, message);
        }
        Joint { kind, limited, actfrclimited, pos, axis, range, reference, springref }
    }

    pub(super) fn site(&mut self, item: &Resolved<'_, SiteAttrs>) -> Site {
        let attr = &item.attr;
        self.check_user("site", item.name, item.span, &attr.user, self.user.site);
        let material =
            self.asset("site", item.name, item.span, ObjType::Material, "material", &attr.material);
        let or = attr.or_default();
        let kind = or.kind();
        if matches!(kind, GeomType::Mesh | GeomType::Hfield | GeomType::Plane) {
            self.fail("site", item.name, item.span, "a site cannot be a mesh, hfield or plane");
        }
        let mut size = or.size();
        let pos = or.pos();
        let placed = match attr.fromto {
            Some(fromto) => from_to(kind, &pos, &fromto, &mut size),
            None => {
                self.orientation(item.origin, &attr.quat, &attr.alt).map(|quat| Pose { pos, quat })
            }
        };
        let checked = placed
            .map_err(str::to_owned)
            .and_then(|pose| check_size("site", kind, &size).map(|()| pose));
        let mut pose = checked.unwrap_or_else(|message| {
            self.fail("site", item.name, item.span, &message);
            Pose::NULL
        });
        if let Some(frame) = self.frame(item.frame) {
            pose = frame.then(&pose);
        }
        normalize(&mut pose.quat);
        Site { kind, pose, size, material }
    }

    pub(super) fn light(&mut self, item: &Resolved<'_, LightAttrs>) -> Light {
        let attr = &item.attr;
        let mut pos = attr.or_default().pos();
        let mut dir = attr.or_default().dir();
        if let Some(frame) = self.frame(item.frame) {
            pos = frame.then(&Pose { pos, quat: UNIT }).pos;
            dir = pose::rotate(&dir, &frame.quat);
        }
        if normalize(&mut dir) < EPS {
            self.fail("light", item.name, item.span, "'dir' is too short");
        }
        let texture =
            self.asset("light", item.name, item.span, ObjType::Texture, "texture", &attr.texture);
        let target = self.target("light", item.name, item.span, &attr.target);
        Light { pos, dir, target, texture }
    }

    /// The body that a camera or light looks at.
    pub(super) fn target(
        &mut self,
        element: &str,
        name: &str,
        span: Span,
        target: &Option<String>,
    ) -> Option<usize> {
        self.asset(element, name, span, ObjType::Body, "target", target)
    }

    /// The object that an attribute names; none if the attribute is not given or empty.
    pub(super) fn asset(
        &mut self,
        element: &str,
        owner: &str,
        span: Span,
        kind: ObjType,
        attribute: &str,
        name: &Option<String>,
    ) -> Option<usize> {
        let name = name.as_deref().filter(|n| !n.is_empty())?;
        let wanted = Wanted { kind, name, element, owner, span, attribute };
        self.index.expect(&wanted, self.sink)
    }
}

/// A problem with an object of the model, which is named if it has a name.
pub(super) fn problem(element: &str, name: &str, span: Span, message: &str) -> Problem {
    let message = if name.is_empty() { message.to_owned() } else { format!("'{name}': {message}") };
    Problem::new(DiagnosticKind::Model, message).at(span).element(element)
}

/// Whether a range is given but nothing says that it is a limit.
pub(super) fn undecided(settings: &Settings, limited: Tristate, range: &[f64; 2]) -> bool {
    !settings.autolimits && limited == Tristate::Auto && *range != [0.0; 2]
}

/// Whether a range is a limit.
pub(super) fn is_limited(limited: Tristate, range: &[f64; 2]) -> bool {
    match limited {
        Tristate::True => true,
        Tristate::False => false,
        Tristate::Auto => range[0] < range[1],
    }
}

/// Pose and length of a shape between two points.
pub(super) fn from_to(
    kind: GeomType,
    pos: &V3,
    fromto: &[f64; 6],
    size: &mut V3,
) -> Result<Pose, &'static str> {
    if !matches!(kind, GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box)
    {
        return Err("'fromto' needs a capsule, cylinder, box or ellipsoid");
    }
    if *pos != [0.0; 3] {
        return Err("'pos' and 'fromto' cannot both be given");
    }
    let [a, b] = [[fromto[0], fromto[1], fromto[2]], [fromto[3], fromto[4], fromto[5]]];
    let mut axis = pose::sub(&a, &b);
    size[1] = normalize(&mut axis) / 2.0;
    if size[1] < EPS {
        return Err("the points of 'fromto' are too close");
    }
    if matches!(kind, GeomType::Ellipsoid | GeomType::Box) {
        size[2] = size[1];
        size[1] = size[0];
    }
    let middle = core::array::from_fn(|i| (a[i] + b[i]) / 2.0);
    Ok(Pose { pos: middle, quat: quat_from_z(&axis) })
}

/// Checks the sizes that a shape uses.
pub(super) fn check_size(what: &str, kind: GeomType, size: &V3) -> Result<(), String> {
    if kind == GeomType::Plane {
        return if size[2] > 0.0 {
            Ok(())
        } else {
            Err(String::from("the third number of a plane's 'size' must be positive"))
        };
    }
    let used = match kind {
        GeomType::Sphere => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        GeomType::Ellipsoid | GeomType::Box => 3,
        _ => 0,
    };
    match size[..used].iter().position(|x| *x <= 0.0) {
        None => Ok(()),
        Some(i) => Err(format!("size {i} must be positive in {what}")),
    }
}
