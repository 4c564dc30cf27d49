//! A model in the words that MuJoCo uses when it writes one.

use ferrodyn_model::JointType;

use super::unify::{class_of, unify_angles};
use crate::defaults::{DefaultResolver, Scopes};
use crate::keywords::AngleUnit;
use crate::spec::{JointSpec, MAIN_CLASS, Spec};

impl Spec {
    /// The same model in the words that MuJoCo uses when it writes one: angles in radians,
    /// orientations as quaternions, places of joints, sites, cameras and lights always stated, nothing
    /// that the class of an element says, classes only where they differ from those around, sizes of
    /// user data, and a name.
    ///
    /// ```
    /// use ferrodyn_mjcf::{LoadOptions, Spec};
    /// let text = r#"<mujoco><worldbody><site/></worldbody></mujoco>"#;
    /// let spec = Spec::from_xml_str(text, &LoadOptions::default())?;
    /// assert!(spec.normalized().to_xml().contains(r#"<site pos="0 0 0"/>"#));
    /// # Ok::<(), ferrodyn_mjcf::MjcfError>(())
    /// ```
    #[must_use]
    pub fn normalized(&self) -> Self {
        // a model that is no tree stays as it is
        let Ok(spec) = self.prepared() else { return self.clone() };
        let mut spec = spec.into_owned();
        unify_angles(&mut spec);
        for part in &mut spec.attached {
            (part.compiler.angle, part.compiler.eulerseq) = (Some(AngleUnit::Radian), None);
        }
        spec.drop_inherited();
        state_places(&mut spec);
        drop_classes(&mut spec);
        count_user_data(&mut spec);
        spec.model_name.get_or_insert_with(|| String::from("MuJoCo Model"));
        spec
    }
}

/// States where joints, sites, cameras and lights are, and which way they point.
fn state_places(spec: &mut Spec) {
    let old = spec.clone();
    let (resolver, scopes) = (DefaultResolver::new(&old), Scopes::new(&old));
    for (joint, source) in spec.joints.iter_mut().zip(&old.joints) {
        let (JointSpec::Joint(attr), JointSpec::Joint(stated)) = (&mut joint.attr, &source.attr)
        else {
            continue;
        };
        let whole = resolver.apply_to_joint(class_of(source, &scopes), stated);
        let kind = whole.or_default().kind();
        if kind != JointType::Free {
            attr.pos = whole.pos.or(Some([0.0; 3]));
        }
        if !matches!(kind, JointType::Free | JointType::Ball) {
            attr.axis = whole.axis.or(Some([0.0, 0.0, 1.0]));
        }
    }
    for (site, source) in spec.sites.iter_mut().zip(&old.sites) {
        let whole = resolver.apply_to_site(class_of(source, &scopes), &source.attr);
        // end points say where a site is
        if whole.fromto.is_none() {
            site.attr.pos = whole.pos.or(Some([0.0; 3]));
        }
    }
    for (camera, source) in spec.cameras.iter_mut().zip(&old.cameras) {
        let whole = resolver.apply_to_camera(class_of(source, &scopes), &source.attr);
        camera.attr.pos = whole.pos.or(Some([0.0; 3]));
    }
    for (light, source) in spec.lights.iter_mut().zip(&old.lights) {
        let whole = resolver.apply_to_light(class_of(source, &scopes), &source.attr);
        light.attr.pos = whole.pos.or(Some([0.0; 3]));
        light.attr.dir = whole.dir.or(Some([0.0, 0.0, -1.0]));
    }
}

/// Leaves out classes that hold anyway.
fn drop_classes(spec: &mut Spec) {
    let old = spec.clone();
    let scopes = Scopes::new(&old);
    macro_rules! elements {
        ($($list:ident)*) => {$(
            for element in &mut spec.$list {
                let around = scopes.around(element.body, element.frame);
                element.class.take_if(|class| class == around);
            }
        )*};
    }
    elements!(joints geoms sites cameras lights);
    macro_rules! objects {
        ($($list:ident)*) => {$(
            for object in &mut spec.$list {
                object.class.take_if(|class| class == MAIN_CLASS);
            }
        )*};
    }
    objects!(meshes materials pairs equalities tendons actuators);
}

/// States how many numbers of user data there are, where the model leaves it to the elements.
fn count_user_data(spec: &mut Spec) {
    let old = spec.clone();
    let (resolver, scopes) = (DefaultResolver::new(&old), Scopes::new(&old));
    let length = |user: &Option<Vec<f64>>| user.as_ref().map_or(0, Vec::len);
    let joint = |j: &crate::spec::Element<JointSpec>| match &j.attr {
        JointSpec::Joint(attr) => length(&resolver.apply_to_joint(class_of(j, &scopes), attr).user),
        JointSpec::Free(_) => 0,
    };
    let size = &mut spec.size;
    let counts = [
        (&mut size.nuser_body, old.bodies.iter().map(|b| length(&b.attr.user)).max()),
        (&mut size.nuser_jnt, old.joints.iter().map(joint).max()),
        (
            &mut size.nuser_geom,
            old.geoms
                .iter()
                .map(|e| length(&resolver.apply_to_geom(class_of(e, &scopes), &e.attr).user))
                .max(),
        ),
        (
            &mut size.nuser_site,
            old.sites
                .iter()
                .map(|e| length(&resolver.apply_to_site(class_of(e, &scopes), &e.attr).user))
                .max(),
        ),
        (
            &mut size.nuser_cam,
            old.cameras
                .iter()
                .map(|e| length(&resolver.apply_to_camera(class_of(e, &scopes), &e.attr).user))
                .max(),
        ),
        (&mut size.nuser_sensor, old.sensors.iter().map(|s| length(&s.attr.attr.user)).max()),
    ];
    for (stated, found) in counts {
        let found = found.and_then(|n| i32::try_from(n).ok()).filter(|n| *n > 0);
        *stated = stated.filter(|n| *n >= 0).or(found);
    }
}
