//! Compiled numbers. The expected ones were computed by MuJoCo 3.5.0.

use ferrodyn_mjcf::compile_text;
use ferrodyn_model::{Model, ObjType};

fn model(text: &str) -> Model {
    compile_text(text).unwrap_or_else(|e| panic!("{e}"))
}

fn world(inner: &str) -> Model {
    model(&format!("<mujoco><worldbody>{inner}</worldbody></mujoco>"))
}

#[track_caller]
fn close(actual: impl IntoIterator<Item = f64>, expected: &[f64]) {
    let actual: Vec<f64> = actual.into_iter().collect();
    assert_eq!(actual.len(), expected.len());
    for (a, e) in actual.iter().zip(expected) {
        assert!((a - e).abs() <= 1e-12 + 1e-10 * e.abs(), "{actual:?}, expected {expected:?}");
    }
}

#[test]
fn several_geoms_add_up_to_the_inertia_of_their_body() {
    let m = world(
        "<body><geom size='.1'/><geom type='box' size='.1 .2 .3' pos='.5 0 .2' euler='30 0 0'/></body>",
    );
    close([m.body_mass[1]], &[52.1887902047864]);
    close(m.body_ipos[1].0, &[0.459868870418822, 0.0, 0.18394754816752878]);
    close(
        m.body_iquat[1].0,
        &[0.4627791658147843, 0.3047800985752681, -0.014929213659488627, 0.8322990170484],
    );
    close(m.body_inertia[1].0, &[2.771162277536755, 2.378006429458297, 1.6155980705423731]);
}

#[test]
fn solids_and_shells_have_their_own_mass_and_inertia() {
    let cases = [
        (
            "sphere",
            "false",
            [4.188790204786391, 0.01675516081914557, 0.01675516081914557, 0.01675516081914557],
        ),
        (
            "sphere",
            "true",
            [125.66370614359174, 0.8377580409572783, 0.8377580409572783, 0.8377580409572783],
        ),
        (
            "capsule",
            "false",
            [16.75516081914557, 0.44610615680975085, 0.44610615680975085, 0.07958701389094144],
        ),
        (
            "capsule",
            "true",
            [376.9911184307752, 12.985249634837814, 12.985249634837814, 3.351032163829113],
        ),
        (
            "cylinder",
            "false",
            [12.566370614359174, 0.19896753472735362, 0.19896753472735362, 0.06283185307179588],
        ),
        (
            "cylinder",
            "true",
            [314.1592653589793, 7.278022980816355, 7.278022980816355, 2.827433388230814],
        ),
        (
            "ellipsoid",
            "false",
            [25.132741228718345, 0.653451271946677, 0.5026548245743669, 0.25132741228718347],
        ),
        (
            "ellipsoid",
            "true",
            [489.7193333371731, 18.075174882542342, 14.068366576335393, 8.102680936804973],
        ),
        (
            "box",
            "false",
            [48.00000000000001, 2.0800000000000005, 1.6000000000000003, 0.8000000000000003],
        ),
        ("box", "true", [880.0, 54.13333333333334, 42.13333333333334, 24.266666666666673]),
    ];
    for (kind, shell, expected) in cases {
        let m = world(&format!(
            "<body><geom type='{kind}' size='.1 .2 .3' shellinertia='{shell}'/></body>"
        ));
        close([m.body_mass[1]].into_iter().chain(m.body_inertia[1].0), &expected);
    }
}

#[test]
fn a_full_inertia_is_diagonalized() {
    let m = world(
        "<body><inertial pos='0 0 0' mass='1' fullinertia='2 2.5 3 .1 .2 .3'/><joint/></body>",
    );
    close(m.body_inertia[1].0, &[3.1827601656659157, 2.359564977158295, 1.9576748571757892]);
    close(
        m.body_iquat[1].0,
        &[0.17295088417164312, 0.750295756714762, 0.13475502845376242, 0.6236869017596083],
    );
}

#[test]
fn two_points_give_a_long_shape_its_pose_and_length() {
    let m = world(
        "<geom type='capsule' fromto='0 0 0 .3 .4 -.5' size='.05'/>\
         <geom type='box' fromto='0 0 0 0 1 0' size='.1'/>",
    );
    close(m.geom_pos[0].0, &[0.15, 0.2, -0.25]);
    close(m.geom_quat[0].0, &[0.9238795325112867, 0.30614674589207186, -0.22961005941905385, 0.0]);
    close(m.geom_size[0].0, &[0.05, 0.3535533905932738, 0.0]);
    close(m.geom_size[1].0, &[0.1, 0.1, 0.5]);
    close(m.geom_rbound.iter().copied(), &[0.4035533905932738, 0.5196152422706632]);
}

#[test]
fn euler_angles_follow_their_sequence() {
    let cases = [
        ("xyz", [0.7852207150935987, 0.3600421736976789, 0.19662822552874049, 0.463826910250329]),
        ("XYZ", [0.860042173697679, 0.08080468869083995, 0.40219849353410964, 0.30337177447125957]),
        ("zyX", [0.860042173697679, 0.30337177447125957, 0.19662822552874049, 0.3600421736976789]),
    ];
    for (sequence, expected) in cases {
        let m = model(&format!(
            "<mujoco><compiler eulerseq='{sequence}'/><worldbody><site euler='30 40 50'/></worldbody></mujoco>"
        ));
        close(m.site_quat[0].0, &expected);
    }
}

#[test]
fn orientations_have_several_forms() {
    let m = world("<site axisangle='1 1 0 60'/><site xyaxes='1 1 0 0 1 1'/><site zaxis='1 2 3'/>");
    close(m.site_quat[0].0, &[0.8660254037844387, 0.3535533905932737, 0.3535533905932737, 0.0]);
    close(
        m.site_quat[1].0,
        &[0.8204732385702833, 0.42470820027786693, 0.1759198966061612, 0.3398511429799873],
    );
    close(m.site_quat[2].0, &[0.9491532346616307, -0.28157860306687144, 0.14078930153343572, 0.0]);
}

#[test]
fn frames_move_what_lies_in_them() {
    let m = world(
        "<frame pos='1 2 3' euler='0 0 90'><frame pos='1 0 0'><body pos='0 1 0'>\
         <joint type='slide'/><geom size='.1'/>\
         <frame euler='90 0 0' pos='0 0 1'><joint pos='1 0 0'/></frame></body></frame></frame>",
    );
    close(m.body_pos[1].0, &[0.0, 3.0, 3.0]);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    close(m.body_quat[1].0, &[half, 0.0, 0.0, half]);
    close(m.jnt_pos[1].0, &[1.0, 0.0, 1.0]);
    close(m.jnt_axis[1].0, &[0.0, -1.0, 0.0]);
}

#[test]
fn an_aligned_free_body_moves_its_frame_to_its_inertia() {
    let m = world(
        "<body pos='1 0 0'><freejoint align='true'/><geom size='.1' pos='.5 0 0'/>\
         <geom type='box' size='.1 .2 .3' euler='0 0 30'/><site pos='0 0 1'/></body>",
    );
    close(
        m.qpos0.iter().copied(),
        &[1.040131129581178, 0.0, 0.0, 0.7930661440750691, 0.0, 0.0, 0.6091355277127605],
    );
    close(m.geom_pos[0].0, &[0.11860377682372487, -0.44431128964210664, 0.0]);
    close(m.site_pos[0].0, &[-0.010350132054372704, 0.03877347454018469, 1.0]);
    close(m.body_ipos[1].0, &[0.0; 3]);
    assert_eq!(m.body_simple[1], 1);
}

#[test]
fn angles_are_degrees_unless_the_compiler_says_radians() {
    let text = |angle: &str| {
        format!(
            "<mujoco><compiler angle='{angle}'/><worldbody><body>\
             <joint range='-90 180' ref='90' springref='45'/><joint type='slide' range='-1 2' ref='3'/>\
             <geom size='1'/></body></worldbody></mujoco>"
        )
    };
    let pi = std::f64::consts::PI;
    let m = model(&text("degree"));
    close(m.jnt_range[0], &[-pi / 2.0, pi]);
    close(m.jnt_range[1], &[-1.0, 2.0]);
    close(m.qpos0.iter().copied(), &[pi / 2.0, 3.0]);
    close(m.qpos_spring.iter().copied(), &[pi / 4.0, 0.0]);
    let m = model(&text("radian"));
    close(m.jnt_range[0], &[-90.0, 180.0]);
    close(m.qpos0.iter().copied(), &[90.0, 3.0]);
}

#[test]
fn a_range_is_a_limit_unless_told_otherwise() {
    let m = world(
        "<body><joint range='0 1'/><joint axis='1 0 0' range='0 1' limited='false'/><joint axis='0 1 0'/>\
         <geom size='1'/></body>",
    );
    assert_eq!(*m.jnt_limited, [1, 0, 0]);
}

#[test]
fn bounding_volumes_split_at_the_median() {
    let m = world(
        "<geom size='.1'/><geom size='.1' pos='3 0 0'/>\
         <geom type='box' size='.1 .2 .3' pos='1 0 0' euler='0 0 45'/>\
         <geom size='1' contype='0' conaffinity='0'/>",
    );
    assert_eq!(*m.bvh_child, [[1, 2], [-1, -1], [3, 4], [-1, -1], [-1, -1]]);
    assert_eq!(*m.bvh_nodeid, [-1, 0, -1, 2, 1]);
    assert_eq!(*m.bvh_depth, [0, 1, 1, 2, 2]);
    close(m.bvh_aabb[0], &[1.5, 0.0, 0.0, 1.6, 0.21213203435596426, 0.3]);
    close(
        m.bvh_aabb[2],
        &[1.943933982822018, 0.0, 0.0, 1.1560660171779822, 0.21213203435596426, 0.3],
    );
}

/// Two hinges in a row beside a free ball.
const ARM: &str = "<mujoco model='arm'><worldbody>\
    <body name='upper'><joint name='shoulder'/><geom name='g' size='.1'/>\
    <body name='lower' pos='0 0 1'><joint name='elbow' axis='0 1 0'/><geom size='.1'/></body></body>\
    <body name='ball'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

#[test]
fn names_are_found_through_their_hash_tables() {
    let m = model(ARM);
    assert_eq!(&*m.names, b"arm\0world\0upper\0lower\0ball\0shoulder\0elbow\0\0g\0\0\0");
    assert_eq!(
        *m.names_map,
        [1, 3, -1, -1, -1, -1, 2, 0, 1, -1, -1, 0, -1, -1, -1, -1, 0, -1, -1, -1]
    );
    assert_eq!(m.id(ObjType::Joint, "elbow"), Some(1));
    assert_eq!(m.signature, 10549255011913684282);
}

#[test]
fn sparse_patterns_follow_the_tree() {
    let m = model(ARM);
    assert_eq!((m.nM, m.nB, m.nC, m.nD, m.ntree), (24, 18, 9, 40, 2));
    assert_eq!(*m.M_rownnz, [1, 2, 1, 1, 1, 1, 1, 1]);
    assert_eq!(*m.M_colind, [0, 0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(*m.mapM2M, [0, 2, 1, 3, 4, 6, 9, 13, 18]);
    assert_eq!(*m.mapD2M, [0, 2, 3, 4, 11, 18, 25, 32, 39]);
    assert_eq!(m.mapM2D[..12], [0, 1, 1, 2, 3, -1, -1, -1, -1, -1, -1, 4]);
    assert_eq!(*m.D_diag, [0, 1, 0, 1, 2, 3, 4, 5]);
    assert_eq!(*m.B_colind, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(*m.dof_simplenum, [0, 0, 6, 5, 4, 3, 2, 1]);
    assert_eq!(*m.body_simple, [1, 0, 0, 1]);
}

#[test]
fn a_camera_with_a_sensor_computes_its_field_of_view() {
    let m = world(
        "<camera sensorsize='.01 .02' resolution='640 480' focal='.03 .04' principalpixel='3 4'/>",
    );
    close([m.cam_fovy[0]], &[28.07248730010261]);
    assert_eq!(m.cam_intrinsic[0], [0.03, 0.04, 4.6875e-05, 0.00016666666]);
}

#[test]
fn a_geom_in_a_fluid_has_virtual_mass() {
    let m = world("<geom type='capsule' size='.1 .3' fluidshape='ellipsoid' fluidcoef='.7'/>");
    close(
        m.geom_fluid[0],
        &[
            1.0,
            0.7,
            0.25,
            1.5,
            1.0,
            1.0,
            0.014405432431269162,
            0.014405432431269162,
            0.001366504876116645,
            0.0003463275046479919,
            0.0003463275046479919,
            0.0,
        ],
    );
}

#[test]
fn a_matched_spring_suits_the_inertia_of_its_joint() {
    let m = world(
        "<body pos='0 0 1'><joint springdamper='.1 1'/>\
         <geom type='capsule' size='.1 .3' pos='1 0 0'/></body>",
    );
    close([m.jnt_stiffness[0], m.dof_damping[0]], &[2314.934906675199, 462.9869813350398]);
}

#[test]
fn keyframes_are_completed_and_their_quaternions_normalized() {
    let m = model(
        "<mujoco><size nkey='3'/><worldbody><body><joint ref='30'/><geom size='1'/></body>\
         <body pos='4 5 6'><freejoint/><geom size='1'/></body></worldbody>\
         <keyframe><key qpos='0.5'/><key name='k' time='2' qpos='1 2 3 4 0 0 3 4'/></keyframe></mujoco>",
    );
    close(m.key_qpos[..8].iter().copied(), &[0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    close(m.key_qpos[8..16].iter().copied(), &[1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.6, 0.8]);
    close(
        m.key_qpos[16..].iter().copied(),
        &[std::f64::consts::PI / 6.0, 4.0, 5.0, 6.0, 1.0, 0.0, 0.0, 0.0],
    );
    close(m.key_time.iter().copied(), &[0.0, 2.0, 0.0]);
    assert_eq!(m.id(ObjType::Key, "k"), Some(1));
}

#[test]
fn the_total_mass_can_be_set() {
    let m = model(
        "<mujoco><compiler settotalmass='6'/><worldbody><body><geom size='.1' mass='1'/></body>\
         <body><geom size='.1' mass='2'/></body></worldbody></mujoco>",
    );
    close(m.body_mass.iter().copied(), &[0.0, 2.0, 4.0]);
    close([m.body_subtreemass[0]], &[6.0]);
}

#[test]
fn impossible_inertias_are_balanced_on_demand() {
    let text = |compiler: &str| {
        format!(
            "<mujoco><compiler {compiler}/><worldbody><body>\
             <inertial pos='0 0 0' mass='1' diaginertia='1 1 7'/></body></worldbody></mujoco>"
        )
    };
    assert!(compile_text(&text("")).is_err());
    close(model(&text("balanceinertia='true'")).body_inertia[1].0, &[3.0; 3]);
    close(model(&text("boundinertia='6'")).body_inertia[1].0, &[6.0, 6.0, 7.0]);
}

#[test]
fn user_data_is_padded_to_the_longest() {
    let m = world("<geom size='1' user='1 2 3'/><geom size='1' user='4'/><geom size='1'/>");
    assert_eq!(m.nuser_geom, 3);
    close(m.geom_user.iter().copied(), &[1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let text =
        "<mujoco><size nuser_geom='1'/><worldbody><geom size='1' user='1 2'/></worldbody></mujoco>";
    assert!(compile_text(text).is_err());
}

#[test]
fn options_add_up_over_several_sections() {
    let m = model(
        "<mujoco><option timestep='0.1' o_solimp='.5'><flag gravity='disable' energy='enable'/></option>\
         <option actuatorgroupdisable='1'><flag gravity='enable' contact='disable'/></option>\
         <option actuatorgroupdisable='3'/></mujoco>",
    );
    assert_eq!(m.opt.timestep, 0.1);
    assert_eq!(m.opt.o_solimp, [0.5, 0.95, 0.001, 0.5, 2.0]);
    assert_eq!(m.opt.disableflags, 1 << 4);
    assert_eq!(m.opt.enableflags, 1 << 1);
    assert_eq!(m.opt.disableactuator, 0b1010);
}

#[test]
fn stated_statistics_replace_computed_ones() {
    let m = model("<mujoco><statistic extent='7' center='1 2 3'/></mujoco>");
    assert_eq!(m.stat.extent, 7.0);
    assert_eq!(m.stat.center.0, [1.0, 2.0, 3.0]);
}

#[test]
fn custom_data_is_stored_in_one_piece() {
    let m = model(
        "<mujoco><custom><numeric name='a' data='1 2'/><numeric name='b' size='3' data='4'/>\
         <text name='t' data='two\nlines'/><tuple name='u'><element objtype='body' objname='world' prm='5'/>\
         </tuple></custom></mujoco>",
    );
    close(m.numeric_data.iter().copied(), &[1.0, 2.0, 4.0, 0.0, 0.0]);
    assert_eq!(*m.numeric_adr, [0, 2]);
    assert_eq!(&*m.text_data, b"two\nlines\0");
    assert_eq!((m.tuple_objtype[0], m.tuple_objid[0], m.tuple_objprm[0]), (1, 0, 5.0));
}

#[test]
fn a_specification_can_be_sent_and_compiled_again() {
    fn sendable<T: Send + Clone>(value: &T) -> T {
        value.clone()
    }
    let spec = ferrodyn_mjcf::Spec::from_xml_str(ARM, &Default::default()).unwrap();
    let again = sendable(&spec).compile().unwrap().model;
    assert_eq!(spec.compile().unwrap().model, again);
}
