//! Compiles bodies: inertia, alignment, bounding volumes, and what lies in them.

use ferrodyn_model::JointType;

use super::objects::{Body, Geom};
use super::tree::TreeCompiler;
use crate::bvh::{self, Bounds, Bvh};
use crate::keywords::Tristate;
use crate::plugin::Capability;
use crate::pose::{
    self, EPS, Pose, UNIT, V3, normalize, offset_inertia, principal_inertia, rotated_inertia,
};
use crate::spec::BodySpec;

/// Mass and inertia of a body in its inertial frame.
#[derive(Clone, Copy, Debug, Default)]
struct Mass {
    /// The inertial frame; none where nothing states or implies it.
    frame: Option<Pose>,
    mass: f64,
    inertia: V3,
}

impl TreeCompiler<'_> {
    /// Compiles a body whose parent is compiled, and everything in it.
    pub(super) fn body(&mut self, id: usize) {
        let body = &self.spec.bodies[id];
        let elements = self.elements;
        self.check_user("body", &body.name, body.span, &body.attr.user, self.user.body);
        let joints = elements.joints.of_body(id);
        let weld = match id {
            0 => 0,
            _ if !joints.is_empty() => id,
            _ => self.objects.bodies[body.parent].weld,
        };

        // frame of the body and stated inertia
        let mut quat = self
            .orientation(body.origin, &body.attr.quat, &body.attr.alt)
            .unwrap_or_else(|message| {
                self.fail("body", &body.name, body.span, message);
                UNIT
            });
        if body.attr.alt.is_none() {
            normalize(&mut quat);
        }
        let mut frame = Pose { pos: body.attr.or_default().pos(), quat };
        let mut mass = self.stated_inertia(body);

        // geoms, and the inertia that they imply
        let [first, last] = self.settings[body.origin].inertiagrouprange;
        let from_geoms = self.settings[body.origin].inertiafromgeom;
        let infer = id > 0 && (body.inertial.is_none() || from_geoms == Tristate::True);
        let geoms = elements.geoms.of_body(id);
        for g in geoms.clone() {
            let item = &elements.geoms.items[g];
            let counts = (first..=last).contains(&item.attr.or_default().group());
            let geom = self.geom(item, weld, infer && counts);
            self.objects.geoms.push(geom);
        }
        let implied =
            from_geoms == Tristate::True || (from_geoms == Tristate::Auto && mass.frame.is_none());
        if id > 0 && implied {
            self.inertia_from_geoms(body, geoms.clone(), &mut mass);
        }
        // nothing states or implies it: the numbers of the body's own frame, although those are in the axes of the parent;
        // `mjCBody::Compile` does that, and `body_ipos` shows it
        let mut inertial = mass.frame.unwrap_or(frame);
        if id > 0 {
            self.bound_inertia(body, &mut mass);
        }
        if let Some(outer) = self.frame(body.frame) {
            frame = outer.then(&frame);
        }

        // a free body without children may move its frame to its inertial frame
        let alone = id + 1 >= self.spec.bodies.len() || self.spec.bodies[id + 1].parent != id;
        let aligned = joints.len() == 1 && alone && self.aligns(joints.start);
        let undo = inertial.inverse();
        if aligned {
            frame = frame.then(&inertial);
            inertial = Pose::NULL;
            for g in geoms.clone() {
                self.objects.geoms[g].pose = undo.then(&self.objects.geoms[g].pose);
            }
        }
        let bvh = geom_bvh(&self.objects.geoms, geoms.clone(), &inertial);

        let dofnum = self.body_joints(body, joints);
        if body.attr.or_default().mocap() && (dofnum > 0 || (id > 0 && body.parent != 0)) {
            let message = "a mocap body must be a child of the world without joints";
            self.fail("body", &body.name, body.span, message);
        }

        // what else lies in the body
        for item in &elements.sites.items[elements.sites.of_body(id)] {
            let mut site = self.site(item);
            if aligned {
                site.pose = undo.then(&site.pose);
            }
            self.objects.sites.push(site);
        }
        for item in &elements.cameras.items[elements.cameras.of_body(id)] {
            let mut camera = self.camera(item);
            if aligned {
                camera.pose = undo.then(&camera.pose);
            }
            self.objects.cameras.push(camera);
        }
        for item in &elements.lights.items[elements.lights.of_body(id)] {
            let mut light = self.light(item);
            if aligned {
                light.pos = undo.then(&Pose { pos: light.pos, quat: UNIT }).pos;
                light.dir = pose::rotate(&light.dir, &undo.quat);
            }
            self.objects.lights.push(light);
        }

        let geoms = &self.objects.geoms[geoms];
        let plugin = body.plugin.as_ref().and_then(|used| {
            self.plugins.resolve(used, Capability::Passive, self.index, self.sink)
        });
        let world = match id {
            0 => Pose::NULL,
            _ => {
                let around = self.objects.bodies[body.parent].world;
                let pos = pose::add(&pose::rotate(&frame.pos, &around.quat), &around.pos);
                Pose { pos, quat: pose::mul_quat(&around.quat, &frame.quat) }
            }
        };
        self.objects.bodies.push(Body {
            source: id,
            parent: body.parent,
            plugin,
            pose: frame,
            world,
            inertial,
            mass: mass.mass,
            inertia: mass.inertia,
            weld,
            dofnum,
            contype: geoms.iter().fold(0, |bits, g| bits | g.contype),
            conaffinity: geoms.iter().fold(0, |bits, g| bits | g.conaffinity),
            margin: geoms.iter().fold(0.0, |most: f64, g| most.max(g.margin)),
            bvh,
        });
    }

    /// The inertia that `<inertial>` states.
    fn stated_inertia(&mut self, body: &BodySpec) -> Mass {
        let Some(inertial) = &body.inertial else { return Mass::default() };
        let attr = &inertial.attr;
        let mut quat =
            self.orientation(body.origin, &attr.quat, &attr.alt).unwrap_or_else(|message| {
                self.fail("inertial", &body.name, inertial.span, message);
                UNIT
            });
        if attr.alt.is_none() {
            normalize(&mut quat);
        }
        let mut inertia = attr.or_default().diaginertia();
        if let Some(full) = &attr.fullinertia {
            if inertia != [0.0; 3] {
                let message = "'fullinertia' and 'diaginertia' cannot both be given";
                self.fail("inertial", &body.name, inertial.span, message);
            }
            match principal_inertia(full) {
                Ok((moments, axes)) => (inertia, quat) = (moments, axes),
                Err(message) => self.fail("inertial", &body.name, inertial.span, message),
            }
        }
        // only programs can leave the position out; to them, the default of the row says so
        let frame = Pose { pos: attr.pos.unwrap_or_default(), quat };
        Mass { frame: Some(frame), mass: attr.or_default().mass(), inertia }
    }

    /// Replaces an inertia by that of the geoms whose group and mass count, if there are any.
    fn inertia_from_geoms(
        &mut self,
        body: &BodySpec,
        geoms: core::ops::Range<usize>,
        out: &mut Mass,
    ) {
        let [first, last] = self.settings[body.origin].inertiagrouprange;
        let selected: Vec<_> = self.objects.geoms[geoms]
            .iter()
            .filter(|g| (first..=last).contains(&g.group) && g.mass > EPS)
            .collect();
        match selected.as_slice() {
            [] => {}
            [geom] => {
                *out = Mass { frame: Some(geom.pose), mass: geom.mass, inertia: geom.inertia }
            }
            _ => {
                let mut mass = 0.0;
                let mut com = [0.0; 3];
                for geom in &selected {
                    mass += geom.mass;
                    for i in 0..3 {
                        com[i] += geom.mass * geom.pose.pos[i];
                    }
                }
                let pos = com.map(|x| x / mass);
                let mut full = [0.0; 6];
                for geom in &selected {
                    let offset = pose::sub(&geom.pose.pos, &pos);
                    let own = rotated_inertia(&geom.inertia, &geom.pose.quat);
                    let moved = offset_inertia(geom.mass, &offset);
                    for i in 0..6 {
                        full[i] = full[i] + own[i] + moved[i];
                    }
                }
                match principal_inertia(&full) {
                    Ok((inertia, quat)) => {
                        *out = Mass { frame: Some(Pose { pos, quat }), mass, inertia };
                    }
                    Err(message) => self.fail("body", &body.name, body.span, message),
                }
            }
        }
    }

    /// Applies the bounds of the compiler, and refuses or balances an impossible inertia.
    fn bound_inertia(&mut self, body: &BodySpec, mass: &mut Mass) {
        mass.mass = mass.mass.max(self.settings[body.origin].boundmass);
        mass.inertia = mass.inertia.map(|x| x.max(self.settings[body.origin].boundinertia));
        if mass.mass < 0.0 || mass.inertia.iter().any(|x| *x < 0.0) {
            self.fail("body", &body.name, body.span, "mass and inertia cannot be negative");
        }
        let [a, b, c] = mass.inertia;
        if a + b < c || a + c < b || b + c < a {
            if self.settings[body.origin].balanceinertia {
                mass.inertia = [(a + b + c) / 3.0; 3];
            } else {
                let message = "moments of inertia must satisfy A + B >= C; the compiler's \
                               balanceinertia averages them";
                self.fail("body", &body.name, body.span, message);
            }
        }
    }

    /// Whether the only joint of a body moves the body frame to the inertial frame.
    fn aligns(&self, joint: usize) -> bool {
        let origin = self.elements.joints.items[joint].origin;
        let joint = &self.elements.joints.items[joint].attr;
        let free = joint.attr.kind == Some(JointType::Free);
        free && match joint.free.or_default().align() {
            Tristate::True => true,
            Tristate::False => false,
            Tristate::Auto => self.settings[origin].alignfree,
        }
    }

    /// Compiles the joints of a body, checks how they go together, and counts their dofs.
    fn body_joints(&mut self, body: &BodySpec, joints: core::ops::Range<usize>) -> usize {
        let first = joints.start;
        for j in joints.clone() {
            let joint = self.joint(&self.elements.joints.items[j]);
            self.objects.joints.push(joint);
        }
        let kinds: Vec<JointType> =
            self.objects.joints[first..joints.end].iter().map(|j| j.kind).collect();
        let mut problems = Vec::new();
        let dofnum: usize = kinds.iter().map(|k| k.nv()).sum();
        if dofnum > 6 {
            problems.push("a body has at most 6 degrees of freedom");
        }
        let ball = kinds.iter().position(|k| *k == JointType::Ball);
        if let Some(ball) = ball
            && kinds[ball + 1..].iter().any(|k| matches!(k, JointType::Ball | JointType::Hinge))
        {
            problems.push("a ball joint cannot be followed by a rotation");
        }
        if kinds.contains(&JointType::Free) {
            if kinds.len() > 1 {
                problems.push("a free joint must be the only joint of its body");
            }
            if body.parent != 0 {
                problems.push("a free joint is only allowed in a child of the world");
            }
        }
        for message in problems {
            self.fail("body", &body.name, body.span, message);
        }
        dofnum
    }
}

/// The tree of boxes around those of some geoms that can collide.
pub(super) fn geom_bvh(
    geoms: &[Geom],
    chosen: impl Iterator<Item = usize>,
    inertial: &Pose,
) -> Bvh {
    let chosen: Vec<usize> =
        chosen.filter(|&g| geoms[g].contype != 0 || geoms[g].conaffinity != 0).collect();
    let inverse = pose::conjugate(&inertial.quat);
    let bounds: Vec<Bounds> = chosen.iter().map(|&g| geom_bounds(&geoms[g], inertial)).collect();
    let places = chosen
        .iter()
        .map(|&g| pose::rotate(&pose::sub(&geoms[g].pose.pos, &inertial.pos), &inverse));
    let mut tree = Bvh::new(&bounds, places);
    for id in tree.nodeid.iter_mut().filter(|id| **id >= 0) {
        *id = chosen[*id as usize] as i32;
    }
    tree
}

/// The bounds of a geom in the axes of a frame.
fn geom_bounds(geom: &Geom, frame: &Pose) -> Bounds {
    let inverse = pose::conjugate(&frame.quat);
    let (aabb, pose) = (&geom.aabb, &geom.pose);
    let mut bounds = bvh::EMPTY;
    for corner in 0..8 {
        let vertex = core::array::from_fn(|i| {
            if corner & (1 << i) == 0 { aabb[i] - aabb[i + 3] } else { aabb[i] + aabb[i + 3] }
        });
        let offset = pose::sub(&pose.pos, &frame.pos);
        let moved = pose::add(&pose::rotate(&vertex, &pose.quat), &offset);
        let local = pose::rotate(&moved, &inverse);
        bvh::enlarge(&mut bounds, &[local, local]);
    }
    bounds
}
