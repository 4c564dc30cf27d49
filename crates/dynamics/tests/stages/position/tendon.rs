//! Lengths, Jacobians and velocities of tendons, with reference values from MuJoCo.
use ferrodyn::Model;
use ferrodyn::math::{Real, Vec3, dot};
use ferrodyn_testing::{close, forward_at, load};

const CHAIN: &str = r#"<body name="b1" pos="0 0 1"><joint type="hinge" axis="0 1 0"/>
  <geom type="capsule" size=".05 .25"/><site name="s1"/>
  <body name="b2" pos="0 0 -.5"><joint type="hinge" axis="0 1 0"/>
    <geom type="capsule" size=".04 .2"/><site name="s2" pos="0 0 -.2"/>REST</body></body>"#;

fn with_tendon(world: &str, path: &str) -> Model {
    load(&format!(
        "<mujoco><worldbody>{world}</worldbody><tendon><spatial>{path}</spatial></tendon></mujoco>"
    ))
}

fn sites(names: &[&str]) -> String {
    names.iter().map(|n| format!("<site site='{n}'/>")).collect()
}

fn chain(rest: &str) -> String {
    CHAIN.replace("REST", rest)
}

/// Two bodies with a joint and a site each, at both sides of an obstacle at the origin.
fn sides(joint: &str, left: &str, right: &str, obstacle: &str) -> String {
    format!(
        "<body><joint {joint}/><geom size='.01'/><site name='s1' pos='{left}'/></body>
         <body><joint {joint}/><geom size='.01'/><site name='s2' pos='{right}'/></body>{obstacle}"
    )
}

fn sphere(sidesite: &str) -> String {
    format!("<geom name='g' size='.1'/><site name='side' pos='{sidesite}'/>")
}

fn cylinder(sidesite: &str) -> String {
    format!("<geom name='g' type='cylinder' size='.08 .3'/><site name='side' pos='{sidesite}'/>")
}

const AROUND: &str = "<site site='s1'/><geom geom='g'/><site site='s2'/>";
const ASIDE: &str = "<site site='s1'/><geom geom='g' sidesite='side'/><site site='s2'/>";

fn length(model: &Model, qpos: &[f64]) -> f64 {
    forward_at(model, qpos, &[]).ten_length()[0]
}

fn assert_length(world: &str, path: &str, expected: f64) {
    let model = with_tendon(world, path);
    let found = length(&model, &[]);
    assert!((found - expected).abs() < 1e-8, "{found}, expected {expected}");
    assert_eq!(found, model.tendon_length0[0]);
}

#[test]
fn two_sites_are_as_far_apart_as_they_are() {
    let model = with_tendon(&chain(""), &sites(&["s1", "s2"]));
    assert!((length(&model, &[]) - 0.7).abs() < 1e-8);
    for elbow in [0.0, 0.3, 1.0, 2.5, core::f64::consts::PI] {
        let expected = (0.29 + 0.2 * f64::cos(elbow)).sqrt();
        for shoulder in [0.0, 0.7] {
            assert!((length(&model, &[shoulder, elbow]) - expected).abs() < 1e-8);
        }
    }
}

#[test]
fn several_sites_add_up() {
    let third = "<body pos='0 0 -.4'><joint axis='0 1 0'/><geom size='.03'/><site name='s3' pos='0 0 -.15'/></body>";
    assert_length(&chain(third), &sites(&["s1", "s2", "s3"]), 1.05);
}

#[test]
fn a_sphere_in_the_way_is_wrapped() {
    let hinge = "axis='0 0 1' pos='-.3 .05 0'";
    let world = sides(hinge, "-.3 .05 0", ".3 .05 0", &sphere("0 1 0"));
    assert_length(&world, AROUND, 0.60843263);
    // a line that clears the sphere stays straight
    let clear = sides(hinge, "-.3 .2 0", ".3 .2 0", &sphere("0 1 0"));
    assert_length(&clear, AROUND, 0.6);
    // unless the side asks for the other way round
    let forced = sides(hinge, "-.3 .2 0", ".3 .2 0", &sphere("0 -.3 0"));
    assert_length(&forced, ASIDE, 0.86662782);
    let model = with_tendon(&forced, ASIDE);
    assert_eq!(forward_at(&model, &[], &[]).ten_wrapnum()[0], 4);
}

#[test]
fn a_sidesite_chooses_the_side() {
    let slide = "type='slide' axis='1 0 0'";
    let world = |side: &str| sides(slide, "-.3 .15 0", ".3 -.05 0", &sphere(side));
    assert_length(&world("0 .3 0"), ASIDE, 0.64131210);
    assert_length(&world("0 -.3 0"), ASIDE, 0.70101188);
    let helix = |side: &str| sides(slide, "-.3 .1 .2", ".3 -.05 -.2", &cylinder(side));
    assert_length(&helix("0 .2 0"), AROUND, 0.74507207);
    assert_length(&helix("0 .2 0"), ASIDE, 0.74507207);
    assert_length(&helix("0 -.2 0"), ASIDE, 0.76632941);
    // opposite side sites, opposite points of the obstacle
    let touched = |side: &str| {
        let model = with_tendon(&world(side), ASIDE);
        let data = forward_at(&model, &[], &[]);
        (data.wrap_xpos()[0][4], data.wrap_xpos()[1][1])
    };
    let (above, below) = (touched("0 .3 0"), touched("0 -.3 0"));
    assert!(above.0 > 0.05 && below.0 < -0.05, "{above:?} {below:?}");
}

#[test]
fn sites_in_line_with_the_centre_have_a_path() {
    let world = sides("type='slide' axis='0 1 0'", "-.3 0 0", ".3 0 0", &sphere("0 1 0"));
    let d: f64 = 0.3;
    let expected = 2.0 * (d * d - 0.01_f64).sqrt() + 0.1 * (7.0_f64 / 9.0).acos();
    assert!((expected - 0.63365281).abs() < 1e-8);
    assert_length(&world, AROUND, expected);
}

#[test]
fn a_pulley_divides_what_follows() {
    let body = |z: f64, site: &str| {
        format!(
            "<body pos='0 0 {z}'><joint type='slide' axis='0 0 1'/><geom size='.1'/><site name='{site}'/></body>"
        )
    };
    let world = format!(
        "{}<body><site name='s2'/><site name='s3'/></body>{}",
        body(0.5, "s1"),
        body(-0.5, "s4")
    );
    let path =
        "<site site='s1'/><site site='s2'/><pulley divisor='2'/><site site='s3'/><site site='s4'/>";
    assert_length(&world, path, 0.75);
    let model = with_tendon(&world, path);
    let data = forward_at(&model, &[], &[]);
    assert_eq!(data.ten_J()[..2], [1.0, -0.5]);
}

#[test]
fn angular_columns_of_a_free_joint_are_in_the_frame_of_the_body() {
    let world = "<site name='s1'/><body pos='1 0 0' euler='0 45 0'><freejoint/><geom size='.1'/>\
                 <site name='s2' pos='.2 .1 0'/></body>";
    let path = sites(&["s1", "s2"]);
    assert_length(world, &path, 1.15448807);
    let model = with_tendon(world, &path);
    let data = forward_at(&model, &[], &[]);
    let expected = [0.98868, 0.08662, -0.12250, 0.06125, -0.12250, -0.06125];
    for (found, expected) in data.ten_J().iter().zip(expected) {
        assert!((found - expected).abs() < 1e-5, "{found}, expected {expected}");
    }
}

/// Straight from the first site to the second, then around a sphere; `aside` moves the sites off the joint axes.
fn straight_and_wrapped(aside: f64) -> Model {
    let world = format!(
        "<body pos='0 0 1'><joint axis='0 1 0'/><geom size='.01'/><site name='s1' pos='{aside} .3 0'/>
      <body pos='0 0 -.5'><joint axis='0 1 0'/><geom size='.01'/><site name='s2' pos='{aside} .15 0'/>
        <geom name='g' size='.08' pos='0 0 -.2'/>
        <body pos='0 0 -.4'><joint axis='0 1 0'/><geom size='.01'/><site name='s3' pos='{aside} 0 0'/></body></body></body>"
    );
    with_tendon(&world, "<site site='s1'/><site site='s2'/><geom geom='g'/><site site='s3'/>")
}

#[test]
fn straight_and_wrapped_segments_add_up() {
    let model = straight_and_wrapped(0.0);
    let data = forward_at(&model, &[], &[]);
    assert!((data.ten_length()[0] - 0.94967236).abs() < 1e-8);
    assert_eq!(data.ten_length()[0], model.tendon_length0[0]);
    // two sites, two ends of the arc, one site; the straight part is a distance
    assert_eq!(data.ten_wrapnum()[0], 5);
    let points: Vec<Vec3> = data
        .wrap_xpos()
        .iter()
        .flat_map(|p| [Vec3::from_slice(&p[..3]), Vec3::from_slice(&p[3..])])
        .take(5)
        .collect();
    let straight = [0, 1, 3].map(|i| (points[i + 1] - points[i]).norm());
    let centre = data.geom_xpos()[model.wrap_objid[2] as usize];
    let [a, b] = [2, 3].map(|i| (points[i] - centre).normalize().0);
    let arc = 0.08 * a.dot(b).acos();
    let sum = straight.iter().sum::<f64>() + arc;
    assert!((data.ten_length()[0] - sum).abs() < 1e-12, "{sum}");
    assert!((straight[0] - (0.15_f64.powi(2) + 0.25).sqrt()).abs() < 1e-12);
}

/// Central differences of a length.
fn slopes(model: &Model, q: &[f64]) -> Vec<f64> {
    let eps = 1e-7;
    let at = |i: usize, by: f64| {
        let mut q = q.to_vec();
        q[i] += by;
        length(model, &q)
    };
    (0..q.len()).map(|i| (at(i, eps) - at(i, -eps)) / (2.0 * eps)).collect()
}

#[test]
fn the_jacobian_is_the_derivative_of_the_length() {
    let slide = "type='slide' axis='1 0 0'";
    let models = [
        with_tendon(&chain(""), &sites(&["s1", "s2"])),
        with_tendon(&sides(slide, "-.3 .1 .2", ".3 -.05 -.2", &cylinder("0 .2 0")), AROUND),
        with_tendon(
            &sides("type='slide' axis='0 1 0'", "-.3 .02 0", ".3 0 0", &sphere("0 1 0")),
            AROUND,
        ),
        straight_and_wrapped(0.05),
    ];
    for model in models {
        let q = &[0.05, 0.4, -0.1][..model.nq];
        let data = forward_at(&model, q, &[]);
        // few degrees of freedom: the rows are dense
        let (found, expected) = (&data.ten_J()[..model.nv], slopes(&model, q));
        for (found, slope) in found.iter().zip(&expected) {
            assert!((found - slope).abs() < 1e-7, "{found} {slope}");
        }
        assert!(found.iter().any(|x| x.abs() > 1e-2), "{found:?}");
    }
    let helix = sides(slide, "-.3 .1 .2", ".3 -.05 -.2", &cylinder("0 .2 0"));
    let model = with_tendon(&helix, AROUND);
    let data = forward_at(&model, &[], &[]);
    let found = data.ten_J();
    assert!((found[0] + 0.841835).abs() < 1e-6 && (found[1] - 0.766403).abs() < 1e-6, "{found:?}");
}

#[test]
fn the_velocity_is_the_jacobian_times_the_velocities() {
    let model = with_tendon(&chain(""), &sites(&["s1", "s2"]));
    let mut data = model.make_data();
    data.qpos_mut().copy_from_slice(&[0.2, 0.7]);
    data.qvel_mut().copy_from_slice(&[1.5, -0.4]);
    data.forward(&model).unwrap();
    let expected: f64 = data.ten_J().iter().zip(data.qvel()).map(|(j, v)| j * v).sum();
    assert_eq!(data.ten_velocity()[0], expected);
    assert!(expected.abs() > 1e-3);
}

#[test]
fn the_velocity_is_the_difference_of_lengths_over_two_steps() {
    for mut model in [with_tendon(&chain(""), &sites(&["s1", "s2"])), straight_and_wrapped(0.05)] {
        model.edit(|m| m.opt.timestep = 1e-5);
        let mut data = model.make_data();
        data.qpos_mut()[..2].copy_from_slice(&[0.2, 0.7]);
        data.qvel_mut()[..2].copy_from_slice(&[1.5, -0.4]);
        let states: Vec<(f64, f64)> = (0..3)
            .map(|_| {
                data.step(&model).unwrap();
                (data.ten_length()[0], data.ten_velocity()[0])
            })
            .collect();
        let rate = (states[2].0 - states[0].0) / 2e-5;
        assert!((rate - states[1].1).abs() < 1e-3 * rate.abs(), "{rate} {states:?}");
        assert!(rate.abs() > 1e-2);
    }
}

#[test]
fn the_length_is_continuous_where_wrapping_begins() {
    let world = sides("type='slide' axis='0 1 0'", "-.3 .2 0", ".3 .2 0", &sphere("0 1 0"));
    let model = with_tendon(&world, AROUND);
    let straight = |q: f64| forward_at(&model, &[q, q], &[]).ten_wrapnum()[0] == 2;
    // the line touches the sphere where both sites are at its height
    let (mut free, mut touching) = (0.0, -0.15);
    assert!(straight(free) && !straight(touching));
    for _ in 0..60 {
        let middle = 0.5 * (free + touching);
        *(if straight(middle) { &mut free } else { &mut touching }) = middle;
    }
    let jump = length(&model, &[free, free]) - length(&model, &[touching, touching]);
    assert!(jump.abs() < 1e-8, "{jump}");
}

#[test]
fn a_fixed_tendon_is_a_sum_of_joint_positions() {
    let text = r#"<mujoco><worldbody>
        <body><freejoint/><geom size=".1"/></body>
        <body><joint name="a"/><geom size=".1"/><body><joint name="b"/><geom size=".1" pos=".1 0 0"/></body></body>
      </worldbody><tendon>
        <fixed><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed>
        <fixed name="t1"><joint joint="a" coef="1"/></fixed></tendon>
      <actuator><motor tendon="t1"/><motor joint="a"/></actuator></mujoco>"#;
    let model = load(text);
    let mut data = model.make_data();
    // positions of the free joint come first: they are not those of its degrees of freedom
    data.qpos_mut()[7..].copy_from_slice(&[0.7, 0.2]);
    data.qvel_mut()[6..].copy_from_slice(&[1.0, 3.0]);
    data.forward(&model).unwrap();
    assert_eq!(data.ten_length()[0], 0.7 - 0.2);
    assert_eq!(data.ten_J()[6..8], [1.0, -1.0]);
    assert_eq!(data.ten_velocity()[0], -2.0);
    // through a tendon with one joint an actuator acts as on the joint
    assert_eq!(data.actuator_moment()[..2], [1.0, 1.0]);
    assert_eq!(data.actuator_length()[0], data.actuator_length()[1]);
    assert_eq!(model.wrap_objid[..2], [1, 2], "joints, not degrees of freedom");
}

#[test]
fn a_model_without_tendons_has_none() {
    let model = load("<mujoco/>");
    assert_eq!((model.ntendon, model.nwrap), (0, 0));
}

#[test]
fn rest_lengths_are_taken_at_the_reference_of_the_springs() {
    let text = r#"<mujoco><compiler angle="radian"/><worldbody><body><joint name="a" ref=".1" springref=".4"/><geom size=".1"/></body></worldbody>
      <tendon><fixed><joint joint="a" coef="2"/></fixed>
        <fixed springlength=".3"><joint joint="a" coef="2"/></fixed>
        <fixed springlength=".3 .5"><joint joint="a" coef="2"/></fixed></tendon></mujoco>"#;
    let model = load(text);
    assert_eq!(model.tendon_length0[0], 0.2);
    assert_eq!(model.tendon_lengthspring[0], [0.8, 0.8]);
    assert_eq!(model.tendon_lengthspring[1], [0.3, 0.3]);
    assert_eq!(model.tendon_lengthspring[2], [0.3, 0.5]);
}

#[test]
fn a_sparse_row_of_a_fixed_tendon_is_sorted_and_sums_up_a_repeated_joint() {
    let model = load(
        r#"<mujoco>
             <option jacobian="sparse"/>
             <worldbody>
               <body><joint name="a"/><geom size=".1"/>
                 <body><joint name="b" axis="0 1 0"/><geom size=".1" pos="0 0 1"/>
                   <body><joint name="c"/><geom size=".1" pos="1 0 0"/></body>
                 </body>
               </body>
             </worldbody>
             <tendon>
               <fixed><joint joint="c" coef="2"/><joint joint="a" coef="-3"/><joint joint="c" coef=".5"/></fixed>
               <fixed><joint joint="b" coef="4"/><joint joint="a" coef="1"/></fixed>
             </tendon>
           </mujoco>"#,
    );
    let data = forward_at(&model, &[0.1, 0.2, 0.4], &[0.0; 3]);
    assert_eq!(data.ten_J_rownnz(), [2, 2]);
    assert_eq!(data.ten_J_rowadr(), [0, 2]);
    assert_eq!(data.ten_J_colind()[..4], [0, 2, 0, 1]);
    assert_eq!(data.ten_J()[..4], [-3.0, 2.5, 1.0, 4.0]);
    close(data.ten_length()[0], 2.5 * 0.4 - 0.3, 1e-6);
    close(data.ten_length()[1], 0.9, 1e-6);
}

#[test]
fn rates_and_forces_of_fixed_tendons_are_those_of_their_whole_rows() {
    let joint = |j: char, more: &str| {
        format!("<body><joint name='{j}' {more}/><geom size='.1' pos='.1 .2 .3'/></body>")
    };
    let bodies: String = ('a'..='e').map(|j| joint(j, "")).collect();
    // a damper that is at rest has the force -0, which the zeros of a row can change
    for last in ["", "damping='1'"] {
        let paths = ["a", "e", "ca", "bb", "dabce", "f"].map(|path| {
            let joint = |(i, j): (usize, char)| {
                format!("<joint joint='{j}' coef='{}'/>", 0.7 - 1.3 * i as f64)
            };
            let path: String = path.chars().enumerate().map(joint).collect();
            format!("<fixed stiffness='3' damping='.2' springlength='.1 .3'>{path}</fixed>")
        });
        let model = load(&format!(
            "<mujoco><option jacobian='dense'/><worldbody>{bodies}{}</worldbody><tendon>{}</tendon></mujoco>",
            joint('f', last),
            paths.concat()
        ));
        let data =
            forward_at(&model, &[0.3, -0.2, 0.5, 0.1, 0.7, 0.2], &[0.4, -1.1, 0.6, 0.9, -0.3, 0.0]);
        let (mut spring, mut damper) = ([0.0; 6], [0.0; 6]);
        damper[5] = if last.is_empty() { 0.0 } else { -0.0 };
        for t in 0..model.ntendon {
            let row = &data.ten_J()[6 * t..6 * (t + 1)];
            let velocity = dot(row, data.qvel());
            assert_eq!(data.ten_velocity()[t].to_bits(), velocity.to_bits(), "{t}");
            let length = data.ten_length()[t];
            let stretch = if length > 0.3 { 0.3 - length } else { (0.1 - length).max(0.0) };
            for (sum, force) in [(&mut spring, 3.0 * stretch), (&mut damper, -0.2 * velocity)] {
                if force != 0.0 {
                    sum.iter_mut().zip(row).for_each(|(sum, j)| *sum += j * force);
                }
            }
        }
        let bits = |x: &[Real]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(data.qfrc_spring()), bits(&spring), "{last}");
        assert_eq!(bits(data.qfrc_damper()), bits(&damper), "{last}");
    }
}
