//! A model that was changed in place is saved with its changes.

use ferrodyn_mjcf::{CopyBackError, LoadOptions, Spec};
use ferrodyn_model::Model;

const TEXT: &str = r#"<mujoco>
  <default><geom euler="0 0 30"/><default class="c"><site size="0.2"/></default></default>
  <asset><material name="m"/><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <light/><camera name="cam"/>
    <frame pos="0 0 1" euler="0 90 0" childclass="c">
      <body name="a" pos="1 0 0"><joint name="j" range="-30 60" ref="10" springdamper="0.1 1"/>
        <frame pos="0.1 0 0"><geom name="g" size="0.1"/><site name="s"/></frame>
        <geom name="h" type="capsule" fromto="0 0 0 0 0 1" size="0.1"/>
        <geom name="t" type="mesh" mesh="tet"/></body>
    </frame>
    <body name="b"><joint name="k" type="slide"/><geom name="i" type="box" size="1 1 1"/></body>
  </worldbody>
  <contact><pair geom1="i" geom2="g"/><pair geom1="h" geom2="g"/></contact>
  <equality><weld body1="a" body2="b"/><joint joint1="j"/></equality>
  <tendon><fixed name="f"><joint joint="j" coef="1"/></fixed></tendon>
  <actuator><position name="p" joint="j" kp="5"/><muscle tendon="f"/></actuator>
  <sensor><jointpos joint="j"/></sensor>
  <custom><numeric name="n" data="1 2 3"/></custom>
  <keyframe><key name="k"/></keyframe>
</mujoco>"#;

/// Changes a model, saves it, and returns the model as it was changed and as it was read again.
fn changed(text: &str, change: impl FnOnce(&mut Model)) -> (Model, Model, String) {
    let mut spec = Spec::from_xml_str(text, &LoadOptions::default()).unwrap();
    let mut model = spec.compile().unwrap().model;
    change(&mut model);
    spec.copy_back(&model).unwrap();
    let saved = spec.to_xml();
    let again = Spec::from_xml_str(&saved, &LoadOptions::default())
        .and_then(|s| s.compile())
        .unwrap_or_else(|e| panic!("{e}\n{saved}"));
    (model, again.model, saved)
}

fn reals(model: &Model, name: &str) -> Vec<f64> {
    let array = model.arrays().into_iter().find(|a| a.info.name == name).unwrap();
    let read = |bytes: &[u8]| match array.info.kind.size() {
        8 => f64::from_ne_bytes(bytes.try_into().unwrap()),
        _ => f64::from(f32::from_ne_bytes(bytes.try_into().unwrap())),
    };
    array.bytes.chunks_exact(array.info.kind.size()).map(read).collect()
}

#[test]
fn what_was_changed_is_saved() {
    // every array that is taken back, with a change that keeps the model valid
    let arrays = [
        "body_pos",
        "body_mass",
        "body_inertia",
        "body_ipos",
        "body_gravcomp",
        "jnt_pos",
        "jnt_range",
        "jnt_solref",
        "jnt_margin",
        "jnt_stiffness",
        "dof_damping",
        "dof_armature",
        "dof_frictionloss",
        "dof_solimp",
        "qpos_spring",
        "geom_pos",
        "geom_size",
        "geom_friction",
        "geom_solref",
        "geom_solmix",
        "geom_margin",
        "geom_gap",
        "site_pos",
        "site_size",
        "cam_pos",
        "cam_fovy",
        "cam_ipd",
        "light_pos",
        "pair_solref",
        "pair_margin",
        "pair_friction",
        "eq_solref",
        "eq_solimp",
        "tendon_stiffness",
        "tendon_damping",
        "tendon_margin",
        "actuator_gainprm",
        "actuator_biasprm",
        "actuator_dynprm",
        "actuator_gear",
        "actuator_forcerange",
        "sensor_cutoff",
        "sensor_noise",
        "numeric_data",
        "key_time",
        "key_qvel",
        "key_ctrl",
    ];
    for name in arrays {
        let (new, again, saved) = changed(TEXT, |m| {
            let old = m.clone();
            let array = m.arrays_mut().into_iter().find(|a| a.info.name == name).unwrap();
            let (cols, mesh) = (array.info.cols.unwrap_or(1), name == "geom_size");
            for (i, bytes) in array.bytes.chunks_exact_mut(8).enumerate() {
                let row = i / cols;
                // the world stays where it is, and a mesh has the size that it has
                let fixed =
                    (name.starts_with("body_") && row == 0) || (mesh && old.geom_type[row] == 7);
                let x = f64::from_ne_bytes(bytes.try_into().unwrap());
                if !fixed {
                    bytes.copy_from_slice(&(x * 0.75 + 0.01 * (1 + i % cols) as f64).to_ne_bytes());
                }
            }
        });
        let (wanted, got) = (reals(&new, name), reals(&again, name));
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-13 * (1.0 + a.abs());
        assert!(wanted.iter().zip(&got).all(near), "{name}\n{wanted:?}\n{got:?}\n{saved}");
    }
}

#[test]
fn orientations_are_saved() {
    let turned = [0.5, -0.5, 0.5, 0.5];
    let (new, again, saved) = changed(TEXT, |m| {
        for quat in m.body_quat.iter_mut().skip(1) {
            quat.0 = turned;
        }
        for quat in m.geom_quat.iter_mut().chain(&mut m.site_quat).chain(&mut m.cam_quat) {
            quat.0 = turned;
        }
        m.geom_rgba[0] = [0.1, 0.2, 0.3, 0.4];
        m.mat_rgba[0] = [0.5, 0.25, 0.125, 1.0];
        m.jnt_axis[0].0 = [0.0, 1.0, 0.0];
    });
    for name in ["body_quat", "geom_quat", "site_quat", "cam_quat", "jnt_axis", "geom_pos"] {
        let (wanted, got) = (reals(&new, name), reals(&again, name));
        assert!(wanted.iter().zip(&got).all(|(a, b)| (a - b).abs() < 1e-12), "{name}\n{saved}");
    }
    assert_eq!((&new.geom_rgba, &new.mat_rgba), (&again.geom_rgba, &again.mat_rgba));
}

#[test]
fn a_free_joint_states_its_damping() {
    let text = r#"<mujoco><default><joint armature="3" stiffness="2"/></default><worldbody>
        <body><freejoint name="f"/><geom size="1"/></body></worldbody></mujoco>"#;
    let (new, again, saved) = changed(text, |m| m.dof_damping.fill(0.5));
    for name in ["dof_damping", "dof_armature", "jnt_stiffness", "jnt_range", "jnt_solref"] {
        assert_eq!(reals(&new, name), reals(&again, name), "{name}\n{saved}");
    }
}

#[test]
fn options_and_statistics_are_saved() {
    let (new, again, _) = changed(TEXT, |m| {
        m.opt.timestep = 0.01;
        m.opt.gravity.0 = [1.0, 2.0, 3.0];
        m.opt.integrator = 3;
        m.opt.disableflags |= 1 << 4;
        m.opt.enableflags |= 2;
        m.stat.extent = 7.0;
        m.vis.global.fovy = 33.0;
        m.vis.rgba.fog = [0.5; 4];
    });
    assert_eq!((&new.opt, &new.vis, new.stat.extent), (&again.opt, &again.vis, again.stat.extent));
}

#[test]
fn an_unchanged_model_keeps_its_text() {
    let mut spec = Spec::from_xml_str(TEXT, &LoadOptions::default()).unwrap();
    let (before, model) = (spec.to_xml(), spec.compile().unwrap().model);
    spec.copy_back(&model).unwrap();
    assert_eq!(spec.to_xml(), before);
}

#[test]
fn masses_replace_those_that_the_settings_compute() {
    let text = r#"<mujoco><compiler inertiafromgeom="true" settotalmass="5"/><worldbody>
        <body><joint/><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/><geom size="1"/></body>
        <body><joint/><geom size="2"/></body></worldbody></mujoco>"#;
    let (new, again, saved) = changed(text, |m| m.body_mass[1] *= 2.0);
    for name in ["body_mass", "body_inertia", "body_ipos", "body_iquat"] {
        assert_eq!(reals(&new, name), reals(&again, name), "{name}\n{saved}");
    }
}

#[test]
fn other_models_are_refused() {
    let options = LoadOptions::default();
    let mut spec = Spec::from_xml_str(TEXT, &options).unwrap();
    let other = ferrodyn_mjcf::compile_text("<mujoco/>").unwrap();
    assert_eq!(spec.copy_back(&other), Err(CopyBackError::Different("nq")));

    let fused = r#"<mujoco><compiler fusestatic="true"/><worldbody><body><geom size="1"/></body>
        </worldbody></mujoco>"#;
    let mut spec = Spec::from_xml_str(fused, &options).unwrap();
    let mut model = spec.compile().unwrap().model;
    assert_eq!(spec.copy_back(&model), Ok(()));
    model.geom_margin[0] = 1.0;
    assert_eq!(spec.copy_back(&model), Err(CopyBackError::Renumbered));

    // user data too
    let text = fused.replace(r#"size="1""#, r#"size="1" user="1""#);
    let mut spec = Spec::from_xml_str(&text, &options).unwrap();
    let mut model = spec.compile().unwrap().model;
    model.geom_user[0] = 2.0;
    assert_eq!(spec.copy_back(&model), Err(CopyBackError::Renumbered));
}
