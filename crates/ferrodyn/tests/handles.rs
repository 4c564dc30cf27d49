//! Typed handles: they find, read, write and refuse what they should.
use ferrodyn::handles::{Camera, Material, Mesh};
use ferrodyn::math::{Quat, Vec3};
use ferrodyn::prelude::*;
use ferrodyn_testing::load;

/// A model with some of everything; unnamed neighbours keep numbers and addresses from being zero.
const ROBOT: &str = r#"
<mujoco>
  <asset>
    <mesh name="other" vertex="0 0 0  1 0 0  0 1 0  0 0 2  1 1 1"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <material name="steel" rgba="0.5 0.5 0.5 1"/>
  </asset>
  <worldbody>
    <light name="sun" pos="0 0 9"/>
    <camera name="eye" pos="0 -3 1" fovy="50"/>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="target" mocap="true" pos="1 1 1"/>
    <body name="torso" pos="0 0 2">
      <freejoint name="root"/>
      <geom name="chest" type="box" size="0.1 0.2 0.3" material="steel"/>
      <site name="badge" pos="0.1 0 0"/>
      <body name="arm" pos="0 0.3 0">
        <joint name="shoulder" type="ball"/>
        <geom size="0.05"/>
        <geom name="fist" type="mesh" mesh="wedge" friction="0.7 0.01 0.001"/>
        <site name="knuckle" pos="0 0.2 0"/>
      </body>
      <body name="leg" pos="0 0 -0.3">
        <joint name="hip" axis="0 1 0" range="-60 45" damping="0.3"/>
        <joint name="twist" axis="0 0 1"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05" mass="3"/>
      </body>
    </body>
  </worldbody>
  <equality><weld body1="target" body2="arm" active="false"/><joint name="couple" joint1="hip" joint2="twist"/></equality>
  <tendon>
    <fixed name="cord"><joint joint="hip" coef="2"/></fixed>
    <spatial name="string"><site site="badge"/><site site="knuckle"/></spatial>
  </tendon>
  <actuator>
    <motor name="push" joint="twist"/>
    <general name="servo" joint="hip" dyntype="filter" dynprm="0.1" ctrlrange="-2 3" gear="5"/>
    <motor name="pull" tendon="cord"/>
  </actuator>
  <sensor><clock/><framepos name="where" objtype="site" objname="badge"/><jointpos name="bend" joint="hip"/></sensor>
  <keyframe><key/><key name="crouch" time="2" qpos="0 0 1 1 0 0 0  1 0 0 0  0.25 0" ctrl="1 2 3"/></keyframe>
</mujoco>"#;

fn robot() -> (Model, Data) {
    let model = load(ROBOT);
    let data = model.make_data();
    (model, data)
}

#[test]
fn every_kind_is_found_by_its_name_and_knows_it() {
    let (model, _) = robot();
    macro_rules! check {
        ($($one:ident, $all:ident, $count:expr, $name:literal, $id:expr;)*) => {$(
            let handle = model.$one($name).unwrap();
            assert_eq!((handle.id(), handle.name(&model)), ($id, $name), "{}", stringify!($one));
            assert_eq!(model.$all().len(), $count, "{}", stringify!($all));
            assert_eq!(model.$all().nth($id), Some(handle), "{}", stringify!($all));
            assert_eq!(model.$all().filter(|h| h.name(&model) == $name).count(), 1);
            let error = model.$one("nowhere to be found").unwrap_err();
            assert_eq!((error.name.as_str(), error.suggestion), ("nowhere to be found", None));
        )*};
    }
    check! {
        body, bodies, 5, "arm", 3;
        joint, joints, 4, "hip", 2;
        geom, geoms, 5, "fist", 3;
        site, sites, 2, "knuckle", 1;
        camera, cameras, 1, "eye", 0;
        light, lights, 1, "sun", 0;
        mesh, meshes, 2, "wedge", 1;
        material, materials, 1, "steel", 0;
        equality, equalities, 2, "couple", 1;
        tendon, tendons, 2, "string", 1;
        actuator, actuators, 3, "servo", 1;
        sensor, sensors, 3, "where", 1;
        keyframe, keyframes, 2, "crouch", 1;
    }
    assert_eq!(model.geoms().nth(2).unwrap().name(&model), "");
}

#[test]
fn an_unknown_name_is_an_error_with_its_kind_and_the_closest_match() {
    let (model, _) = robot();
    let text = |error: NameError| Error::from(error).to_string();
    assert_eq!(text(model.joint("hpi").unwrap_err()), "no joint 'hpi'; did you mean 'hip'?");
    assert_eq!(text(model.body("trso").unwrap_err()), "no body 'trso'; did you mean 'torso'?");
    assert_eq!(text(model.actuator("banana").unwrap_err()), "no actuator 'banana'");
    // the name of another kind does not count
    assert_eq!(text(model.sensor("hip").unwrap_err()), "no sensor 'hip'");
    assert_eq!(
        text(model.equality("cuple").unwrap_err()),
        "no equality constraint 'cuple'; did you mean 'couple'?"
    );
    assert!(model.geom("").is_err());
}

#[test]
fn a_number_gives_the_same_handle_as_a_name() {
    let (model, _) = robot();
    assert_eq!(Joint::from_id(&model, 2), model.joint("hip").ok());
    assert_eq!(Joint::from_id(&model, 4), None);
}

#[test]
fn joints_read_and_write_their_own_values() {
    let (model, mut data) = robot();
    for (name, positions, dofs) in [
        ("root", 0..7, 0..6),
        ("shoulder", 7..11, 6..9),
        ("hip", 11..12, 9..10),
        ("twist", 12..13, 10..11),
    ] {
        let joint = model.joint(name).unwrap();
        assert_eq!((joint.qpos_range(), joint.dof_range()), (positions.clone(), dofs.clone()));
        assert_eq!(joint.qpos(&data), &data.qpos()[positions.clone()]);
        let values: Vec<f64> = dofs.clone().map(|i| 0.01 * (i + 1) as f64).collect();
        joint.qvel_mut(&mut data).copy_from_slice(&values);
        assert_eq!(data.qvel()[dofs.clone()], values);
        joint.qfrc_applied_mut(&mut data)[0] = 7.0;
        assert_eq!(data.qfrc_applied()[dofs.start], 7.0);
    }
    let hip = model.joint("hip").unwrap();
    hip.qpos_mut(&mut data)[0] = 0.5;
    assert_eq!(data.qpos()[11], 0.5);
    data.forward(&model).unwrap();
    assert_eq!(hip.qacc(&data), &data.qacc()[9..10]);
    assert_eq!(hip.qfrc_bias(&data), &data.qfrc_bias()[9..10]);
    assert_eq!(hip.qfrc_passive(&data)[0], -0.3 * 0.1);
    assert_eq!((hip.xaxis(&data), hip.xanchor(&data)), (data.xaxis()[2], data.xanchor()[2]));
    assert_eq!(hip.kind(&model), MjJointType::Hinge);
    assert!(hip.limited(&model) && !model.joint("twist").unwrap().limited(&model));
    assert!((hip.range(&model)[1] - 45f64.to_radians()).abs() < 1e-12);
    assert_eq!(
        (hip.damping(&model), model.joint("root").unwrap().qpos0(&model)[2]),
        (&[0.3][..], 2.0)
    );
}

#[test]
fn actuators_read_and_write_their_own_values() {
    let (model, mut data) = robot();
    let [push, servo, pull] = ["push", "servo", "pull"].map(|name| model.actuator(name).unwrap());
    servo.set_ctrl(&mut data, 1.5);
    assert_eq!(data.ctrl(), [0.0, 1.5, 0.0]);
    servo.act_mut(&mut data)[0] = 0.25;
    assert_eq!((data.act(), push.act(&data).len()), (&[0.25][..], 0));
    model.joint("hip").unwrap().qpos_mut(&mut data)[0] = 0.1;
    data.forward(&model).unwrap();
    assert_eq!((servo.ctrl(&data), servo.force(&data)), (1.5, 0.25));
    assert_eq!((servo.length(&data), pull.length(&data)), (0.5, 0.2));
    assert_eq!(servo.act_dot(&data), [12.5]);
    assert_eq!((servo.ctrlrange(&model), servo.gear(&model)[0]), ([-2.0, 3.0], 5.0));
    assert!(servo.ctrllimited(&model) && !push.ctrllimited(&model));
    assert_eq!((servo.joint(&model), servo.tendon(&model)), (model.joint("hip").ok(), None));
    assert_eq!((pull.joint(&model), pull.tendon(&model)), (None, model.tendon("cord").ok()));
}

#[test]
fn bodies_read_and_write_their_own_values() {
    let (model, mut data) = robot();
    let [torso, leg] = ["torso", "leg"].map(|name| model.body(name).unwrap());
    leg.set_xfrc_applied(&mut data, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(data.xfrc_applied()[4][5], 6.0);
    assert_eq!(leg.xfrc_applied(&data)[0], 1.0);
    data.forward(&model).unwrap();
    assert_eq!(
        (torso.xpos(&data), leg.xpos(&data)),
        (Vec3::new(0.0, 0.0, 2.0), Vec3::new(0.0, 0.0, 1.7))
    );
    assert_eq!((leg.xquat(&data), leg.xmat(&data)), (Quat::IDENTITY, data.xmat()[4]));
    assert_eq!((leg.mass(&model), leg.pos(&model)), (3.0, Vec3::new(0.0, 0.0, -0.3)));
    assert_eq!(torso.subtreemass(&model), model.body_subtreemass[2]);
}

#[test]
fn velocities_of_bodies_are_those_of_their_centres_of_mass() {
    let (model, mut data) = robot();
    data.qvel_mut().copy_from_slice(&[0.3, -0.2, 0.1, 1.0, 2.0, -1.0, 0.5, 0.2, 0.1, 3.0, -2.0]);
    data.forward(&model).unwrap();
    // how far the centres of mass move in a short time, by the configuration alone
    let (h, mut later) = (1e-7, data.clone());
    let mut small = model.clone();
    small.edit(|m| (m.opt.timestep, m.opt.gravity) = (h, Vec3::ZERO));
    later.step(&small).unwrap();
    later.forward(&small).unwrap();
    for body in model.bodies() {
        let moved = (body.xipos(&later) - body.xipos(&data)) * (1.0 / h);
        assert!((body.linear_velocity(&data) - moved).norm() < 1e-4, "{}", body.name(&model));
    }
    let turn = model.body("torso").unwrap().angular_velocity(&data);
    assert!((turn - Vec3::new(1.0, 2.0, -1.0)).norm() < 1e-12);
}

#[test]
fn only_mocap_bodies_have_mocap_poses() {
    let (model, mut data) = robot();
    let (target, torso) = (model.body("target").unwrap(), model.body("torso").unwrap());
    *target.mocap_pos_mut(&mut data).unwrap() = Vec3::new(4.0, 5.0, 6.0);
    *target.mocap_quat_mut(&mut data).unwrap() = Quat([0.0, 1.0, 0.0, 0.0]);
    data.forward(&model).unwrap();
    assert_eq!(target.xpos(&data), Vec3::new(4.0, 5.0, 6.0));
    assert_eq!(target.mocap_pos(&data), Some(target.xpos(&data)));
    assert_eq!(target.mocap_quat(&data), Some(target.xquat(&data)));
    assert!(torso.mocap_pos(&data).is_none() && torso.mocap_quat(&data).is_none());
    assert!(torso.mocap_pos_mut(&mut data).is_none() && torso.mocap_quat_mut(&mut data).is_none());
}

#[test]
fn geoms_sites_tendons_and_sensors_read_their_own_values() {
    let (model, mut data) = robot();
    data.qpos_mut()[0] = 0.4;
    model.joint("hip").unwrap().qpos_mut(&mut data)[0] = 0.2;
    model.joint("hip").unwrap().qvel_mut(&mut data)[0] = 0.5;
    data.forward(&model).unwrap();
    let (chest, fist) = (model.geom("chest").unwrap(), model.geom("fist").unwrap());
    assert_eq!((chest.xpos(&data), fist.xmat(&data)), (data.geom_xpos()[1], data.geom_xmat()[3]));
    assert_eq!((chest.size(&model), chest.kind(&model)), (Vec3::new(0.1, 0.2, 0.3), GeomType::Box));
    assert_eq!(fist.friction(&model), Vec3::new(0.7, 0.01, 0.001));
    let knuckle = model.site("knuckle").unwrap();
    assert!((knuckle.xpos(&data) - Vec3::new(0.4, 0.5, 2.0)).norm() < 1e-12);
    assert_eq!(knuckle.xmat(&data), data.site_xmat()[1]);
    let (cord, string) = (model.tendon("cord").unwrap(), model.tendon("string").unwrap());
    assert_eq!((cord.length(&data), cord.velocity(&data)), (0.4, 1.0));
    assert!((string.length(&data) - 0.26f64.sqrt()).abs() < 1e-12);
    let (place, bend) = (model.sensor("where").unwrap(), model.sensor("bend").unwrap());
    assert_eq!((place.data(&data), place.dim()), (&[0.5, 0.0, 2.0][..], 3));
    assert_eq!((bend.data(&data), bend.kind(&model)), (&[0.2][..], SensorType::JointPos));
    assert_eq!(model.camera("eye").unwrap().xpos(&data), Vec3::new(0.0, -3.0, 1.0));
    assert_eq!(model.light("sun").unwrap().xpos(&data), Vec3::new(0.0, 0.0, 9.0));
}

#[test]
fn equality_constraints_are_switched_in_one_world() {
    let (model, mut data) = robot();
    let couple = model.equality("couple").unwrap();
    assert!(couple.active0(&model) && couple.active(&data));
    assert_eq!(couple.kind(&model), EqualityType::Joint);
    couple.set_active(&mut data, false);
    assert_eq!((data.eq_active(), couple.active(&data)), (&[0, 0][..], false));
    assert!(couple.active(&model.make_data()));
}

#[test]
fn a_keyframe_holds_a_state_and_gives_it_to_a_world() {
    let (model, mut data) = robot();
    let crouch = model.keyframe("crouch").unwrap();
    assert_eq!((crouch.time(&model), crouch.qpos(&model)[11]), (2.0, 0.25));
    assert_eq!((crouch.ctrl(&model), crouch.qvel(&model).len()), (&[1.0, 2.0, 3.0][..], 11));
    crouch.reset(&model, &mut data).unwrap();
    assert_eq!(
        (data.time(), data.qpos(), data.ctrl()),
        (2.0, crouch.qpos(&model), crouch.ctrl(&model))
    );
}

#[test]
fn relations_lead_from_object_to_object() {
    let (model, _) = robot();
    let body = |name| model.body(name).unwrap();
    let names = |bodies: Vec<Body>| bodies.iter().map(|b| b.name(&model)).collect::<Vec<_>>();
    let torso = body("torso");
    assert_eq!(names(torso.children(&model).collect()), ["arm", "leg"]);
    assert_eq!(names(body("world").children(&model).collect()), ["target", "torso"]);
    assert_eq!((torso.parent(&model), body("world").parent(&model)), (Some(body("world")), None));
    let joints: Vec<_> = body("leg").joints(&model).map(|j| j.name(&model)).collect();
    assert_eq!(joints, ["hip", "twist"]);
    assert_eq!(body("target").joints(&model).count(), 0);
    let geoms: Vec<_> = body("arm").geoms(&model).map(Geom::id).collect();
    assert_eq!(geoms, [2, 3]);
    let sites: Vec<_> = body("arm").sites(&model).map(|s| s.name(&model)).collect();
    assert_eq!(sites, ["knuckle"]);
    assert_eq!(model.joint("hip").unwrap().body(&model), body("leg"));
    assert_eq!(model.geom("fist").unwrap().body(&model), body("arm"));
    assert_eq!(model.site("badge").unwrap().body(&model), torso);
    let mesh: Option<Mesh> = model.geom("fist").unwrap().mesh(&model);
    assert_eq!((mesh, model.geom("chest").unwrap().mesh(&model)), (model.mesh("wedge").ok(), None));
    assert_eq!(mesh.unwrap().vertices(&model).len(), 4);
    let material: Option<Material> = model.geom("chest").unwrap().material(&model);
    assert_eq!(
        (material, model.geom("fist").unwrap().material(&model)),
        (model.material("steel").ok(), None)
    );
    // a handle that comes from another one works with data as one that comes from a name
    assert!(torso.children(&model).all(|child| child.fits(&model.make_data())));
}

#[test]
fn parameters_are_set_where_a_model_is_edited() {
    let (mut model, mut data) = robot();
    let before = model.clone();
    let (hip, leg, eye) =
        (model.joint("hip").unwrap(), model.body("leg").unwrap(), model.camera("eye").unwrap());
    model.edit(|m| {
        hip.damping_mut(m)[0] = 9.0;
        hip.set_range(m, [-1.0, 1.0]);
        leg.set_mass(m, 4.0);
        eye.set_fovy(m, 30.0);
    });
    assert_eq!(
        (model.dof_damping[9], model.jnt_range[2], model.body_mass[4]),
        (9.0, [-1.0, 1.0], 4.0)
    );
    assert_eq!((Camera::from_id(&model, 0).unwrap().fovy(&model), eye.fovy(&before)), (30.0, 50.0));
    // the handles are still good, for both models and for the world
    assert_eq!((hip.damping(&model)[0], hip.damping(&before)[0]), (9.0, 0.3));
    hip.qpos_mut(&mut data)[0] = 0.1;
    data.step(&model).unwrap();
}

#[test]
fn parameters_are_read_within_hooks() {
    let (model, mut data) = robot();
    let hip = model.joint("hip").unwrap();
    let mut seen = 0.0;
    let mut hooks = Callbacks::new().control(|m, d| {
        seen = hip.damping(m)[0];
        d.ctrl_mut()[1] = hip.range(m)[1] - d.qpos[hip.qpos_range()][0];
    });
    data.step_with(&model, &mut hooks).unwrap();
    drop(hooks);
    assert_eq!((seen, data.ctrl()[1]), (0.3, hip.range(&model)[1]));
}

#[test]
fn a_model_that_was_saved_takes_the_handles_of_the_original() {
    let (model, mut data) = robot();
    let path = std::env::temp_dir().join(format!("handles_{}.fdb", std::process::id()));
    model.save_binary(&path).unwrap();
    let loaded = Model::from_binary_path(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let hip = model.joint("hip").unwrap();
    assert_eq!(loaded.joint("hip").unwrap(), hip);
    data.step(&model).unwrap();
    let restored = Data::from_bytes(&loaded, &data.to_bytes()).unwrap();
    assert_eq!(hip.qvel(&restored), hip.qvel(&data));
}

/// Two joints on two bodies.
fn legs(first: &str, second: &str) -> Model {
    let text = format!(
        "<mujoco><worldbody><body>{first}<geom size='.1'/></body><body>{second}<geom size='.1'/></body></worldbody></mujoco>"
    );
    load(&text)
}

/// The message of a panic.
fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(f())));
    *outcome.expect_err("nothing was refused").downcast::<String>().unwrap()
}

#[test]
fn a_handle_refuses_a_model_and_a_world_of_another_structure_in_words() {
    let one = legs("<joint type='ball'/>", "<joint name='hip'/>");
    let two = legs("<joint name='hip'/>", "<joint type='ball'/>");
    let (hip, mut data) = (one.joint("hip").unwrap(), two.make_data());
    // as many joints, positions and degrees of freedom: sizes alone do not tell them apart
    assert_eq!(one.sizes.all().map(|s| s.1)[..2], two.sizes.all().map(|s| s.1)[..2]);
    assert!(hip.belongs_to(&one) && hip.fits(&one.make_data()));
    assert!(!hip.belongs_to(&two) && !hip.fits(&data));
    let words = "the handle of joint 1 belongs to another model than this ";
    assert!(panic_of(|| hip.range(&two)).starts_with(&format!("{words}model")));
    assert!(panic_of(|| hip.name(&two).to_owned()).starts_with(&format!("{words}model")));
    assert!(panic_of(|| hip.body(&two)).starts_with(&format!("{words}model")));
    assert!(panic_of(|| hip.qpos(&data).to_vec()).starts_with(&format!("{words}data")));
    assert!(panic_of(|| hip.qvel_mut(&mut data)[0] = 1.0).starts_with(&format!("{words}data")));
    assert!(panic_of(|| hip.xaxis(&data)).starts_with(&format!("{words}data")));
    assert!(data.qvel().iter().all(|v| *v == 0.0));
}

#[test]
fn a_handle_refuses_a_world_whose_values_lie_elsewhere() {
    // one structure for MuJoCo, but the activation belongs to the other actuator, and the mocap pose to the other body
    let text = |first: &str, second: &str, mocap: [bool; 2]| {
        load(&format!(
            "<mujoco><worldbody><body name='a' mocap='{}'/><body name='b' mocap='{}'/>
             <body><joint name='j'/><geom size='.1'/></body></worldbody><actuator>
             <general name='first' joint='j' dyntype='{first}'/><general name='second' joint='j' dyntype='{second}'/>
             </actuator></mujoco>",
            mocap[0], mocap[1]
        ))
    };
    let one = text("integrator", "none", [true, false]);
    let two = text("none", "integrator", [true, false]);
    let three = text("integrator", "none", [false, true]);
    assert!(one.signature == two.signature && one.signature == three.signature);
    let (first, a) = (one.actuator("first").unwrap(), one.body("a").unwrap());
    assert!(panic_of(|| first.act(&two.make_data()).to_vec()).contains("actuator 0"));
    assert!(panic_of(|| a.mocap_pos(&three.make_data())).contains("body 1"));
    assert!(!a.fits(&three.make_data()) && first.belongs_to(&two));
}

#[test]
fn a_world_that_is_copied_over_takes_the_handles_of_its_new_model() {
    let (model, data) = robot();
    let mut other = legs("<joint/>", "<joint/>").make_data();
    let hip = model.joint("hip").unwrap();
    assert!(!hip.fits(&other));
    other.copy_from(&data);
    assert_eq!(hip.qpos(&other), hip.qpos(&data));
}

#[test]
fn an_object_that_a_model_of_the_same_signature_does_not_have_is_refused() {
    // the first equality constraint is not part of MuJoCo's signature
    let text = |equality: &str| {
        load(&format!(
            "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><equality>{equality}</equality></mujoco>"
        ))
    };
    let (one, none) = (text("<joint name='lock' joint1='j'/>"), text(""));
    assert_eq!(one.signature, none.signature);
    let lock = one.equality("lock").unwrap();
    assert!(lock.belongs_to(&one) && !lock.belongs_to(&none));
    assert!(panic_of(|| lock.solref(&none)).starts_with("the handle of equality constraint 0"));
    assert!(panic_of(|| lock.active(&none.make_data())).contains("this data"));
}
