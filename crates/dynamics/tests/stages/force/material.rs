//! Laws of flexes beyond MuJoCo's: forces, energies, damping, and what chooses them.
use ferrodyn::math::Vec3;
use ferrodyn::{Data, EnableBit, FlexBendingType, FlexElasticityType, Integrator, Model};
use ferrodyn_testing::{all_close, close, forward_at, relative_error};

use crate::support::{by_configuration, flexcomp, flexcomps, on_bodies, stirred};

const SHEET: &str = "count='3 4 1' spacing='.1 .2 .1' dim='2'";
const BLOCK: &str = "count='3 3 3' dim='3' spacing='.1 .2 .1'";
const NEO_HOOKEAN: &str = "ferrodyn:elasticity_model='neo_hookean'";
const BRIDSON: &str = "ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='.02'";
const MEMBRANE: &str = "<elasticity young='1e3' poisson='.3' thickness='.02'/>";
const SOLID: &str = "<elasticity young='1e3' poisson='.3'/>";

/// The model with energies computed.
fn with_energy(mut model: Model) -> Model {
    model.edit(|m| m.opt.enableflags |= EnableBit::Energy as i32);
    model
}

/// A model with a choice of law for its flexes.
fn chosen(model: &Model, bending: FlexBendingType, elasticity: FlexElasticityType) -> Model {
    let mut model = model.clone();
    model.edit(|m| {
        m.flex_bending_model.fill(bending as i32);
        m.flex_elasticity_model.fill(elasticity as i32);
    });
    model.derive_constants();
    model
}

fn energy(d: &Data) -> f64 {
    d.header().energy[0]
}

/// The world with its vertices, all of them free, where a function takes them.
fn placed(model: &Model, place: impl Fn(Vec3) -> Vec3) -> Data {
    let start = forward_at(model, &[], &[]);
    let qpos: Vec<f64> = start.flexvert_xpos().iter().flat_map(|x| (place(*x) - *x).0).collect();
    forward_at(model, &qpos, &[])
}

/// Every kind of flex that the laws hold for: free vertices, pinned ones, vertices on other bodies.
fn models() -> Vec<(&'static str, Model)> {
    let attributes = |shape: &str, law: &str| format!("{shape} {law}");
    let elastic = |m: Model| chosen(&m, FlexBendingType::Unstated, FlexElasticityType::NeoHookean);
    let mut hinges = on_bodies(2, "0 1 2 1 2 3 2 3 4", MEMBRANE);
    hinges.edit(|m| m.flex_bend_stiffness[0] = 0.02);
    let hinges = chosen(&hinges, FlexBendingType::Bridson, FlexElasticityType::Unstated);
    vec![
        ("sheet", flexcomp(&attributes(SHEET, NEO_HOOKEAN), MEMBRANE)),
        ("block", flexcomp(&attributes(BLOCK, NEO_HOOKEAN), SOLID)),
        ("pinned", flexcomp(&attributes(BLOCK, NEO_HOOKEAN), &format!("<pin id='0 5'/>{SOLID}"))),
        ("hinges", flexcomp(&attributes(SHEET, BRIDSON), "")),
        ("pinned hinges", flexcomp(&attributes(SHEET, BRIDSON), "<pin id='0 5'/>")),
        ("sheet on bodies", elastic(on_bodies(2, "0 1 2 1 2 3 2 3 4", MEMBRANE))),
        ("solid on bodies", elastic(on_bodies(3, "0 1 2 3 1 2 3 4", SOLID))),
        ("hinges on bodies", hinges),
    ]
}

#[test]
fn forces_are_the_slope_of_the_energy() {
    for (what, model) in models() {
        let model = with_energy(model);
        let data = stirred(&model);
        assert!(energy(&data) > 0.0, "{what}");
        let slope: Vec<f64> =
            by_configuration(&model, &data, |d| vec![energy(d)]).iter().map(|x| -x[0]).collect();
        let error = relative_error(data.qfrc_spring(), &slope);
        assert!(error < 1e-6, "{what}: {error:e}");
    }
}

/// `-b K v`: where the stiffness is positive, damping is what springs would do after a motion of `b v`.
#[test]
fn damping_is_stiffness_times_velocity() {
    for (attributes, children) in [
        (SHEET, "<elasticity young='1e3' poisson='.3' thickness='.02' damping='.1'/>"),
        (BLOCK, "<elasticity young='1e3' poisson='.3' damping='.1'/>"),
    ] {
        let model = flexcomp(&format!("{attributes} {NEO_HOOKEAN}"), children);
        // stretched in all directions: nothing buckles
        let stretched = placed(&model, |x| x * 1.2);
        let velocity: Vec<f64> = (0..model.nv).map(|i| (i as f64 * 0.7).sin()).collect();
        let data = forward_at(&model, stretched.qpos(), &velocity);
        let springs = by_configuration(&model, &data, |d| d.qfrc_spring().to_vec());
        let expected: Vec<f64> = (0..model.nv)
            .map(|i| (0..model.nv).map(|j| 0.1 * springs[j][i] * velocity[j]).sum())
            .collect();
        let error = relative_error(data.qfrc_damper(), &expected);
        assert!(error < 1e-6, "{error:e}");
    }
}

/// Points and elements of a cube of side one whose inner points are where no grid has them.
fn irregular_cube() -> (String, String) {
    const N: usize = 4;
    let noise = |i: usize| (i as f64 * 0.618_034).fract() - 0.5;
    let (mut points, mut elements) = (String::new(), String::new());
    let number = |i: usize, j: usize, k: usize| (i * N + j) * N + k;
    for (i, j, k) in (0..N * N * N).map(|n| (n / (N * N), n / N % N, n % N)) {
        for (axis, c) in [i, j, k].into_iter().enumerate() {
            let inner = [i, j, k].iter().all(|c| (1..N - 1).contains(c));
            let by = if inner { 0.1 * noise(3 * number(i, j, k) + axis) } else { 0.0 };
            points += &format!("{} ", c as f64 / (N - 1) as f64 + by);
        }
        if [i, j, k].iter().all(|c| c + 1 < N) {
            // six tetrahedra around the diagonal of a cell
            for [a, b] in [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]] {
                let mut at = [i, j, k];
                elements += &format!("{} ", number(at[0], at[1], at[2]));
                for axis in [a, b, 3 - a - b] {
                    at[axis] += 1;
                    elements += &format!("{} ", number(at[0], at[1], at[2]));
                }
            }
        }
    }
    (points, elements)
}

/// Where all elements have one deformation, inner vertices feel no force and each side of the cube that of the stress.
#[test]
fn a_uniform_deformation_has_a_uniform_stress() {
    let (points, elements) = irregular_cube();
    let attributes =
        format!("type='direct' dim='3' point='{points}' element='{elements}' {NEO_HOOKEAN}");
    let model = flexcomp(&attributes, SOLID);
    let rest = forward_at(&model, &[], &[]);
    assert!(rest.qfrc_spring().iter().all(|f| f.abs() < 1e-11));
    let start = rest.flexvert_xpos().to_vec();
    let (lambda, mu) = (0.3 * 1e3 / (1.3 * 0.4), 1e3 / 2.6);

    let data = placed(&model, |x| Vec3::new(1.2 * x[0] + 0.3 * x[1], 0.9 * x[1], x[2]));
    let mut sides = [Vec3::ZERO; 3];
    for (v, x) in start.iter().enumerate() {
        let force = Vec3::from_slice(&data.qfrc_spring()[3 * v..3 * v + 3]);
        if x.0.iter().all(|c| *c > 0.01 && *c < 0.99) {
            assert!(force.norm() < 1e-11, "{v}: {force:?}");
        }
        for (axis, side) in sides.iter_mut().enumerate() {
            if x[axis] > 0.99 {
                *side += force;
            }
        }
    }
    // P = μ F + (λ ln J - μ) F⁻ᵀ; on a side of area one it pulls back with its column, but vertices of edges also carry the
    // force of the other sides, which is the same at both ends of an axis
    let (f, j): ([f64; 9], f64) = ([1.2, 0.3, 0.0, 0.0, 0.9, 0.0, 0.0, 0.0, 1.0], 1.08);
    let inverse = [0.9 / j, -0.3 / j, 0.0, 0.0, 1.2 / j, 0.0, 0.0, 0.0, 1.0];
    let factor = lambda * j.ln() - mu;
    let column = |axis: usize| {
        Vec3::new(
            mu * f[axis] + factor * inverse[3 * axis],
            mu * f[3 + axis] + factor * inverse[3 * axis + 1],
            mu * f[6 + axis] + factor * inverse[3 * axis + 2],
        )
    };
    for axis in 0..3 {
        all_close(&sides[axis].0, &(-column(axis)).0, 1e-9);
    }
}

/// 1 % of strain, against `σ = 2 μ ε + λ tr ε`, for a solid and for a sheet, which is in plane strain.
#[test]
fn a_strain_of_one_percent_is_that_of_linear_elasticity() {
    let (lambda, mu) = (0.3 * 1e3 / (1.3 * 0.4), 1e3 / 2.6);
    for (attributes, children, area) in [(SHEET, MEMBRANE, 0.6 * 0.02), (BLOCK, SOLID, 0.4 * 0.2)] {
        let model = flexcomp(&format!("{attributes} {NEO_HOOKEAN}"), children);
        let start = forward_at(&model, &[], &[]).flexvert_xpos().to_vec();
        let data = placed(&model, |x| Vec3::new(1.01 * x[0], x[1], x[2]));
        let end = start.iter().fold(f64::MIN, |most, x| most.max(x[0]));
        let pull: f64 = (0..start.len())
            .filter(|v| start[*v][0] > end - 1e-9)
            .map(|v| data.qfrc_spring()[3 * v])
            .sum();
        let expected = -(lambda + 2.0 * mu) * 0.01 * area;
        close(pull, expected, 0.05 * expected.abs());
        assert!((pull - expected).abs() > 1e-6 * expected.abs(), "nothing is this linear");
    }
}

/// The forces of Bridson's paper, in its own terms: vertices 1 and 2 across from each other, 3 and 4 on the edge.
fn reference_hinge(x: [Vec3; 4], rest: f64, k: f64) -> [Vec3; 4] {
    let [x3, x4, x1, x2] = x;
    let edge = x4 - x3;
    let length = edge.norm();
    let n1 = (x1 - x3).cross(x1 - x4);
    let n2 = (x2 - x4).cross(x2 - x3);
    let (s1, s2) = (n1 * (1.0 / n1.dot(n1)), n2 * (1.0 / n2.dot(n2)));
    let u1 = s1 * length;
    let u2 = s2 * length;
    let u3 = s1 * ((x1 - x4).dot(edge) / length) + s2 * ((x2 - x4).dot(edge) / length);
    let u4 = s1 * (-(x1 - x3).dot(edge) / length) + s2 * (-(x2 - x3).dot(edge) / length);
    // the sign of the angle is that of the side to which the sheet folds
    let cosine = (n1.dot(n2) / (n1.norm() * n2.norm())).clamp(-1.0, 1.0);
    let sine = (n1.cross(n2)).dot(edge);
    let angle = cosine.acos() * if sine < 0.0 { -1.0 } else { 1.0 };
    // the u are slopes of the paper's angle, which runs the other way
    let size = k * (angle - rest);
    [u3 * size, u4 * size, u1 * size, u2 * size].map(|u| u * reference_sign(x))
}

/// Whether the paper's `u` are along or against the slope of the angle, by a difference.
fn reference_sign(x: [Vec3; 4]) -> f64 {
    let angle = |x: [Vec3; 4]| {
        let [x3, x4, x1, x2] = x;
        let edge = x4 - x3;
        let (n1, n2) = ((x1 - x3).cross(x1 - x4), (x2 - x4).cross(x2 - x3));
        (n1.cross(n2).dot(edge) / edge.norm()).atan2(n1.dot(n2))
    };
    let n1 = (x[2] - x[0]).cross(x[2] - x[1]);
    let mut moved = x;
    moved[2] += n1 * (1e-6 / n1.norm());
    if angle(moved) > angle(x) { -1.0 } else { 1.0 }
}

#[test]
fn hinges_pull_as_in_the_paper() {
    let model = flexcomp(&format!("{SHEET} {BRIDSON}"), "");
    // curved, so that no hinge is at rest
    let data =
        placed(&model, |x| Vec3::new(x[0], x[1] + 0.1 * x[0], x[0] * x[0] + 0.7 * x[1] * x[0]));
    let x = data.flexvert_xpos();
    let mut expected = vec![0.0; model.nv];
    for (vertices, rest) in model.flexhinge_vert.iter().zip(&model.flexhinge_angle0) {
        let vertices = vertices.map(|v| v as usize);
        let forces = reference_hinge(vertices.map(|v| x[v]), *rest, 0.02);
        for (v, force) in vertices.into_iter().zip(forces) {
            for k in 0..3 {
                expected[3 * v + k] += force[k];
            }
        }
    }
    // 3 x 4 points have 2 x 3 cells of two triangles: 11 inner edges along the grid's cells and across them
    assert_eq!(model.nflexhinge, 13);
    let size = expected.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
    assert!(size > 1e-3);
    all_close(data.qfrc_spring(), &expected, 1e-8 * size);
}

#[test]
fn hinges_rest_in_the_shape_of_the_model() {
    let points = "0 0 0  1 0 .2  0 1 .3  1 1 -.2  .5 2 .4";
    let attributes =
        format!("type='direct' dim='2' point='{points}' element='0 1 2 1 3 2 2 3 4' {BRIDSON}");
    let model = flexcomp(&attributes, "");
    assert!(model.flexhinge_angle0.iter().all(|angle| angle.abs() > 0.1));
    let data = forward_at(&model, &[], &[]);
    assert!(data.qfrc_spring().iter().all(|f| f.abs() < 1e-15));
    assert!(stirred(&model).qfrc_spring().iter().any(|f| f.abs() > 1e-4));
}

/// With an explicit integrator the force of a hinge on a vertex is at most `1 / (h² |∂θ/∂x| m⁻¹)`, and an implicit one has no such limit.
#[test]
fn a_hinge_turns_no_further_than_a_radian_in_a_step() {
    let attributes = "type='direct' dim='2' mass='4' point='0 0 0  1 0 0  0 1 0  1 -1 0' element='0 1 2 1 0 3' \
         ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='1e9'";
    let model = flexcomp(attributes, "");
    let fold = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0];
    let force = |model: &Model| {
        let data = forward_at(model, &fold, &[]);
        (0..4)
            .map(|v| Vec3::from_slice(&data.qfrc_spring()[3 * v..3 * v + 3]).norm())
            .collect::<Vec<_>>()
    };
    let limited = force(&model);
    // the vertex that is alone is at the height √1.25 of its triangle: |∂θ/∂x| = 1/√1.25, and all masses are one
    let bound = 1.25_f64.sqrt() / (0.001 * 0.001);
    assert!(limited.iter().all(|f| *f <= bound * 1.5), "{limited:?}");
    assert!(limited[2] > 0.1 * bound, "{limited:?}");
    let mut implicit = model.clone();
    implicit.edit(|m| m.opt.integrator = Integrator::ImplicitFast as i32);
    assert!(force(&implicit)[2] > 100.0 * limited[2]);
    // in balance, limited or not
    let data = forward_at(&model, &fold, &[]);
    let sum: f64 = data.qfrc_spring().iter().skip(2).step_by(3).sum();
    assert!(sum.abs() < 1e-9 * bound);
}

/// Laws of both kinds side by side do what each does alone.
#[test]
fn flexes_with_different_laws_do_not_disturb_each_other() {
    let bending = "<elasticity young='1e4' poisson='.3' thickness='.02' elastic2d='both'/>";
    let parts = [
        (
            "",
            "count='3 4 1' spacing='.1 .2 .1' dim='2' ferrodyn:bending_model='cotangent'",
            bending,
        ),
        (
            "",
            "count='3 4 1' spacing='.1 .2 .1' dim='2' ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='.02'",
            "",
        ),
        (
            "",
            "count='3 3 3' dim='3' spacing='.1 .2 .1' ferrodyn:elasticity_model='neo_hookean'",
            SOLID,
        ),
        ("", "count='3 3 3' dim='3' spacing='.1 .2 .1' ferrodyn:elasticity_model='linear'", SOLID),
    ];
    let together = flexcomps(&parts);
    let data = stirred(&together);
    for f in 0..4 {
        let alone = flexcomps(&parts[f..=f]);
        let first = 3 * together.flex_vertices(f).start;
        let range = first..first + alone.nv;
        let mut single = alone.make_data();
        single.qpos_mut().copy_from_slice(&data.qpos()[range.clone()]);
        single.qvel_mut().copy_from_slice(&data.qvel()[range.clone()]);
        single.forward(&alone).unwrap();
        assert!(single.qfrc_spring().iter().any(|f| f.abs() > 1e-6), "{f}");
        let error = relative_error(&data.qfrc_spring()[range], single.qfrc_spring());
        assert!(error < 1e-9, "{f}: {error:e}");
    }
}

#[test]
fn the_choice_alone_changes_the_law() {
    let children = "<elasticity young='1e4' poisson='.3' thickness='.02' elastic2d='both'/>";
    let model = flexcomp(SHEET, children);
    let force =
        |bending, elasticity| stirred(&chosen(&model, bending, elasticity)).qfrc_spring().to_vec();
    use FlexBendingType::{Bridson, Cotangent};
    use FlexElasticityType::{Linear, NeoHookean};
    let mujoco = stirred(&model).qfrc_spring().to_vec();
    assert_eq!(force(FlexBendingType::Unstated, FlexElasticityType::Unstated), mujoco);
    assert_eq!(force(Cotangent, Linear), mujoco);
    assert!(relative_error(&force(Bridson, Linear), &mujoco) > 1e-6);
    // it is not only that MuJoCo's bending is gone
    let mut limp = chosen(&model, Bridson, Linear);
    limp.edit(|m| m.flex_bend_stiffness[0] = 0.0);
    let limp = stirred(&limp).qfrc_spring().to_vec();
    assert!(relative_error(&force(Bridson, Linear), &limp) > 1e-6);
    assert!(relative_error(&force(Cotangent, NeoHookean), &mujoco) > 1e-3);
}

/// A choice that was made after the constants were computed has no effect until they are computed again, and does no harm.
#[test]
fn a_choice_without_constants_does_no_harm() {
    let mut model = flexcomp(BLOCK, SOLID);
    model.edit(|m| {
        m.flex_elasticity_model[0] = FlexElasticityType::NeoHookean as i32;
        m.flex_bending_model[0] = FlexBendingType::Bridson as i32;
    });
    let data = stirred(&model);
    assert!(data.qfrc_spring().iter().all(|f| *f == 0.0));
}
