//! Bodies, joints, geoms, sites, cameras and lights.

use ferrodyn_math::elementary;
use ferrodyn_math::{Quat, Vec3};
use ferrodyn_model::{GeomType, JointType, Model};

use super::super::inertial_of;
use super::{Changes, CopyBackError};
use crate::defaults::{DefaultResolver, Scopes};
use crate::keywords::{AngleUnit, Tristate};
use crate::pose::{Pose, double};
use crate::schema::{
    At, Attributes, BodyAttrs, GeomAttrs, InertialAttrs, JointAttrs, SiteAttrs, stated,
};
use crate::spec::{Element, InertialSpec, JointSpec, Spec};
use crate::values::{Orientation, RawQuat};

/// Degrees in a radian.
const RADIAN: f64 = 180.0 / core::f64::consts::PI;

pub(super) fn copy(spec: &mut Spec, changes: &Changes<'_>) -> Result<(), CopyBackError> {
    let source = spec.clone();
    let classes = Classes::new(&source);
    joints(spec, &classes, changes);
    cameras(spec, &classes, changes);
    lights(spec, &classes, changes);
    // with other numbers than in the text, what changed could not be told apart
    let old = changes.old;
    let same = old.nbody == spec.bodies.len()
        && old.ngeom == spec.geoms.len()
        && old.nsite == spec.sites.len();
    if same {
        bodies(spec, &classes, changes);
        geoms(spec, &classes, changes);
        sites(spec, &classes, changes);
        Ok(())
    } else if fixed_parts(old) != fixed_parts(changes.new) {
        Err(CopyBackError::Renumbered)
    } else {
        Ok(())
    }
}

/// The bytes of the arrays of bodies, geoms and sites that could be taken back.
fn fixed_parts(model: &Model) -> Vec<&[u8]> {
    let names: Vec<&str> = BodyAttrs::returned_arrays()
        .chain(InertialAttrs::returned_arrays())
        .chain(GeomAttrs::returned_arrays())
        .chain(SiteAttrs::returned_arrays())
        .collect();
    model.arrays().into_iter().filter(|a| names.contains(&a.info.name)).map(|a| a.bytes).collect()
}

/// The default classes in effect.
struct Classes<'a> {
    resolver: DefaultResolver,
    scopes: Scopes<'a>,
}

impl<'a> Classes<'a> {
    fn new(spec: &'a Spec) -> Self {
        Self { resolver: DefaultResolver::new(spec), scopes: Scopes::new(spec) }
    }

    fn of<A>(&self, element: &Element<A>) -> String {
        let around = self.scopes.around(element.body, element.frame);
        element.class.clone().unwrap_or_else(|| around.to_owned())
    }
}

/// The indices of elements in the order of the model: by body, and within a body as in the text.
fn model_order<A>(elements: &[Element<A>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..elements.len()).collect();
    order.sort_by_key(|&i| elements[i].body);
    order
}

/// Takes an element out of the frames around it, whose class it keeps.
fn leave_frame<A>(element: &mut Element<A>, classes: &Classes<'_>) {
    if element.frame.is_some() {
        element.class = Some(classes.of(element));
        element.frame = None;
    }
}

fn pose(pos: &Vec3, quat: &Quat) -> Pose {
    Pose { pos: pos.0.map(double), quat: quat.0.map(double) }
}

/// An orientation that an element states: a quaternion, or another form.
type Stated<'a> = (&'a mut Option<RawQuat>, &'a mut Option<Orientation>);

/// States an orientation. Where the class has another form than a quaternion, a quaternion would
/// have no effect, and an angle, in degrees or not, takes its place.
fn orient(quat: &[f64; 4], class: &Option<Orientation>, degree: bool, own: Stated<'_>) {
    (*own.0, *own.1) = (None, None);
    if class.is_none() {
        *own.0 = Some(RawQuat(*quat));
        return;
    }
    let [w, x, y, z] = *quat;
    let length = libm::sqrt(x * x + y * y + z * z);
    let angle = 2.0 * elementary::atan2(length, w);
    let axis = if length > 0.0 { [x / length, y / length, z / length] } else { [0.0, 0.0, 1.0] };
    let angle = if degree { angle * RADIAN } else { angle };
    *own.1 = Some(Orientation::AxisAngle([axis[0], axis[1], axis[2], angle]));
}

/// Which origins of elements count angles in degrees.
fn in_degrees(spec: &Spec) -> Vec<bool> {
    let origins = 0..=spec.attached.len();
    origins.map(|o| spec.compiler_of(o).or_default().angle() == AngleUnit::Degree).collect()
}

fn bodies(spec: &mut Spec, classes: &Classes<'_>, changes: &Changes<'_>) {
    let (old, new) = (changes.old, changes.new);
    let mut restated = vec![false; old.nbody];
    for i in 1..old.nbody {
        let body = &mut spec.bodies[i];
        if old.body_pos[i] != new.body_pos[i] || old.body_quat[i] != new.body_quat[i] {
            if body.frame.take().is_some() {
                body.childclass = Some(classes.scopes.around(i, None).to_owned());
            }
            let place = pose(&new.body_pos[i], &new.body_quat[i]);
            body.attr.pos = Some(place.pos);
            orient(&place.quat, &None, false, (&mut body.attr.quat, &mut body.attr.alt));
        }
        changes.take_back(&mut body.attr, At::Object(i));
        restated[i] = old.body_ipos[i] != new.body_ipos[i]
            || old.body_iquat[i] != new.body_iquat[i]
            || old.body_mass[i] != new.body_mass[i]
            || old.body_inertia[i] != new.body_inertia[i];
    }
    // the inertia of a body follows its geoms unless it is stated
    for g in 0..old.ngeom {
        let moved = old.geom_pos[g] != new.geom_pos[g] || old.geom_quat[g] != new.geom_quat[g];
        let b = old.geom_bodyid[g] as usize;
        restated[b] |= b > 0 && (moved || old.geom_size[g] != new.geom_size[g]);
    }
    // settings that would change what is stated are dropped, and everything is stated
    let forced = |c: &crate::schema::CompilerAttrs| {
        c.inertiafromgeom == Some(Tristate::True) || c.settotalmass.is_some_and(|m| m > 0.0)
    };
    let origins = 0..=spec.attached.len();
    if restated.contains(&true) && origins.clone().any(|o| forced(spec.compiler_of(o))) {
        restated[1..].fill(true);
        let attached = spec.attached.iter_mut().map(|o| &mut o.compiler);
        for compiler in core::iter::once(&mut spec.compiler).chain(attached) {
            compiler.inertiafromgeom = None;
            compiler.settotalmass = None;
        }
    }
    for (i, body) in spec.bodies.iter_mut().enumerate().filter(|(i, _)| restated[*i]) {
        let span = body.inertial.as_ref().map_or(body.span, |inertial| inertial.span);
        body.inertial = Some(InertialSpec { span, attr: inertial_of(new, i) });
    }
}

fn joints(spec: &mut Spec, classes: &Classes<'_>, changes: &Changes<'_>) {
    let (old, new) = (changes.old, changes.new);
    let degree = in_degrees(spec);
    for (j, i) in model_order(&spec.joints).into_iter().enumerate() {
        let joint = &mut spec.joints[i];
        let kind = JointType::try_from(old.jnt_type[j]).unwrap_or(JointType::Hinge);
        if old.jnt_pos[j] != new.jnt_pos[j] || old.jnt_axis[j] != new.jnt_axis[j] {
            leave_frame(joint, classes);
            if let JointSpec::Joint(attr) = &mut joint.attr {
                attr.pos = Some(new.jnt_pos[j].0.map(double));
                attr.axis = Some(new.jnt_axis[j].0.map(double));
            }
        }
        let dof = old.jnt_dofadr[j] as usize;
        if let JointSpec::Free(free) = &joint.attr
            && matches!(free.align, None | Some(Tristate::Auto))
            && dof_changed(changes, dof)
        {
            joint.attr = JointSpec::Joint(Box::new(free_joint(new, j, dof)));
        }
        let JointSpec::Joint(attr) = &mut joint.attr else { continue };
        changes.take_back(&mut **attr, At::Object(j));
        changes.take_back(&mut **attr, At::Dof(dof));
        // a matched spring would replace what was stated
        if old.jnt_stiffness[j] != new.jnt_stiffness[j]
            || old.dof_damping[dof] != new.dof_damping[dof]
        {
            attr.springdamper = Some([0.0; 2]);
            attr.stiffness = Some(double(new.jnt_stiffness[j]));
            attr.damping = Some(double(new.dof_damping[dof]));
        }
        if matches!(kind, JointType::Hinge | JointType::Slide) {
            let q = old.jnt_qposadr[j] as usize;
            changes.take_back(&mut **attr, At::Qpos(q));
            if kind == JointType::Hinge && degree[joint.origin] {
                if old.qpos0[q] != new.qpos0[q] {
                    attr.reference = attr.reference.map(|x| x * RADIAN);
                }
                if old.qpos_spring[q] != new.qpos_spring[q] {
                    attr.springref = attr.springref.map(|x| x * RADIAN);
                }
            }
        }
        let angular = matches!(kind, JointType::Hinge | JointType::Ball);
        let limited = old.jnt_limited[j] != 0;
        if angular && limited && degree[joint.origin] && old.jnt_range[j] != new.jnt_range[j] {
            attr.range = attr.range.map(|range| range.map(|x| x * RADIAN));
        }
    }
}

/// Whether a parameter of a degree of freedom changed that only `<joint>` can state.
fn dof_changed(changes: &Changes<'_>, dof: usize) -> bool {
    let (old, new) = (changes.old, changes.new);
    old.dof_armature[dof] != new.dof_armature[dof]
        || old.dof_damping[dof] != new.dof_damping[dof]
        || old.dof_frictionloss[dof] != new.dof_frictionloss[dof]
}

/// A free joint that states everything that it would otherwise take from its class.
fn free_joint(model: &Model, joint: usize, dof: usize) -> JointAttrs {
    let mut attr = JointAttrs::default().kind(JointType::Free).springdamper([0.0; 2]);
    attr.state(model, At::Object(joint));
    attr.state(model, At::Dof(dof));
    attr.user = None;
    attr
}

fn geoms(spec: &mut Spec, classes: &Classes<'_>, changes: &Changes<'_>) {
    let (old, new) = (changes.old, changes.new);
    let degree = in_degrees(spec);
    for (g, i) in model_order(&spec.geoms).into_iter().enumerate() {
        let geom = &mut spec.geoms[i];
        let class = classes.of(geom);
        let shaped = [GeomType::Mesh as i32, GeomType::Sdf as i32, GeomType::Hfield as i32];
        let shaped = shaped.contains(&old.geom_type[g]);
        let moved = old.geom_pos[g] != new.geom_pos[g] || old.geom_quat[g] != new.geom_quat[g];
        let resized = !shaped && old.geom_size[g] != new.geom_size[g];
        let whole = classes.resolver.apply_to_geom(&class, &geom.attr);
        if moved || (resized && whole.fromto.is_some()) {
            leave_frame(geom, classes);
            let mut place = pose(&new.geom_pos[g], &new.geom_quat[g]);
            if let Ok(mesh) = usize::try_from(old.geom_dataid[g])
                && old.geom_type[g] != GeomType::Hfield as i32
            {
                // the frame of a mesh geom is that of its inertia
                place = place.then(&pose(&old.mesh_pos[mesh], &old.mesh_quat[mesh]).inverse());
            }
            let defaults = &classes.resolver.get_defaults(&class).geom;
            geom.attr.pos = Some(place.pos);
            let own = (&mut geom.attr.quat, &mut geom.attr.alt);
            orient(&place.quat, &defaults.alt, degree[geom.origin], own);
            geom.attr.fromto = None;
        }
        if resized || (moved && whole.fromto.is_some()) {
            geom.attr.size = stated(&new.geom_size[g]);
        }
        changes.take_back(&mut geom.attr, At::Object(g));
    }
}

fn sites(spec: &mut Spec, classes: &Classes<'_>, changes: &Changes<'_>) {
    let (old, new) = (changes.old, changes.new);
    let degree = in_degrees(spec);
    for (s, i) in model_order(&spec.sites).into_iter().enumerate() {
        let site = &mut spec.sites[i];
        let class = classes.of(site);
        let moved = old.site_pos[s] != new.site_pos[s] || old.site_quat[s] != new.site_quat[s];
        let resized = old.site_size[s] != new.site_size[s];
        let whole = classes.resolver.apply_to_site(&class, &site.attr);
        if moved || (resized && whole.fromto.is_some()) {
            leave_frame(site, classes);
            let place = pose(&new.site_pos[s], &new.site_quat[s]);
            let defaults = &classes.resolver.get_defaults(&class).site;
            site.attr.pos = Some(place.pos);
            let own = (&mut site.attr.quat, &mut site.attr.alt);
            orient(&place.quat, &defaults.alt, degree[site.origin], own);
            site.attr.fromto = None;
        }
        if resized || (moved && whole.fromto.is_some()) {
            site.attr.size = stated(&new.site_size[s]);
        }
        changes.take_back(&mut site.attr, At::Object(s));
    }
}

fn cameras(spec: &mut Spec, classes: &Classes<'_>, changes: &Changes<'_>) {
    let (old, new) = (changes.old, changes.new);
    let degree = in_degrees(spec);
    for (c, i) in model_order(&spec.cameras).into_iter().enumerate() {
        let camera = &mut spec.cameras[i];
        let class = classes.of(camera);
        if old.cam_pos[c] != new.cam_pos[c] || old.cam_quat[c] != new.cam_quat[c] {
            leave_frame(camera, classes);
            let place = pose(&new.cam_pos[c], &new.cam_quat[c]);
            let defaults = &classes.resolver.get_defaults(&class).camera;
            camera.attr.pos = Some(place.pos);
            let own = (&mut camera.attr.quat, &mut camera.attr.alt);
            orient(&place.quat, &defaults.alt, degree[camera.origin], own);
        }
        changes.take_back(&mut camera.attr, At::Object(c));
    }
}

fn lights(spec: &mut Spec, classes: &Classes<'_>, changes: &Changes<'_>) {
    let (old, new) = (changes.old, changes.new);
    for (l, i) in model_order(&spec.lights).into_iter().enumerate() {
        let light = &mut spec.lights[i];
        if old.light_pos[l] != new.light_pos[l] || old.light_dir[l] != new.light_dir[l] {
            leave_frame(light, classes);
            light.attr.pos = Some(new.light_pos[l].0.map(double));
            light.attr.dir = Some(new.light_dir[l].0.map(double));
        }
        changes.take_back(&mut light.attr, At::Object(l));
    }
}
