//! Forces inside flexes, with reference values from MuJoCo.
use ferrodyn::math::{Quat, Vec3};
use ferrodyn::{Data, DisableBit, Model};
use ferrodyn_testing::{all_close, close, forward_at, relative_error};

use crate::support::{by_configuration, flexcomp, on_bodies, stirred};

/// What `-∂E/∂q` is where `E` is an energy of the configuration.
fn pull_of(model: &Model, data: &Data, energy: impl Fn(&Data) -> f64) -> Vec<f64> {
    by_configuration(model, data, |d| vec![energy(d)]).iter().map(|slope| -slope[0]).collect()
}

/// The world with its vertices, all of them free, where a function takes them.
fn placed(model: &Model, place: impl Fn(Vec3) -> Vec3) -> Data {
    let start = forward_at(model, &[], &[]);
    let qpos: Vec<f64> = start.flexvert_xpos().iter().flat_map(|x| (place(*x) - *x).0).collect();
    forward_at(model, &qpos, &[])
}

/// `¼ Σ Kₐᵦ eₐ eᵦ` of all elements of the first flex, `e` being the changes of squared edge lengths.
fn elastic_energy(model: &Model, data: &Data) -> f64 {
    let count = if model.flex_dim[0] == 2 { 3 } else { 6 };
    let energy = |element: usize| {
        let edges = &model.flex_elemedge[element * count..(element + 1) * count];
        let square = |l: f64| l * l;
        let e: Vec<f64> = edges
            .iter()
            .map(|e| *e as usize)
            .map(|e| square(data.flexedge_length()[e]) - square(model.flexedge_length0[e]))
            .collect();
        let mut upper = model.flex_stiffness[element].iter();
        let mut sum = 0.0;
        for a in 0..count {
            for b in a..count {
                let both = if a == b { 1.0 } else { 2.0 };
                sum += both * upper.next().unwrap() * e[a] * e[b];
            }
        }
        0.25 * sum
    };
    (0..model.nflexelem).map(energy).sum()
}

const SHEET: &str = "count='3 4 1' spacing='.1 .2 .1'";
const BLOCK: &str = "count='3 3 3' dim='3' spacing='.1 .2 .1'";

/// Stretched by `s` and sheared by `c`: with the strain `ε = (Fᵀ F - 1)/2` MuJoCo's energy of a volume is `λ (tr ε)² + μ tr ε²`, in which the first part
/// is twice that of Saint-Venant and Kirchhoff, and that of a sheet a quarter of it for its thickness.
#[test]
fn what_is_stretched_has_the_energy_of_its_material() {
    let sheet = "<elasticity young='1e3' poisson='.3' thickness='.02' elastic2d='stretch'/>";
    let block = "<elasticity young='1e3' poisson='.3'/>";
    let volumes = [0.25 * (0.2 * 0.6 * 0.02), 0.2 * 0.4 * 0.2];
    for ((attributes, children), volume) in
        [(SHEET, sheet), (BLOCK, block)].into_iter().zip(volumes)
    {
        let model = flexcomp(attributes, children);
        let (s, c) = (1.2, 0.3);
        let data = placed(&model, |x| Vec3::new(s * x[0] + c * x[1], x[1], x[2]));
        let [e11, e22, e12] = [(s * s - 1.0) / 2.0, c * c / 2.0, s * c / 2.0];
        let (lambda, mu) = (0.3 * 1e3 / (1.3 * 0.4), 1e3 / 2.6);
        let trace = e11 + e22;
        let squares = e11 * e11 + e22 * e22 + 2.0 * e12 * e12;
        let expected = volume * (lambda * trace * trace + mu * squares);
        close(elastic_energy(&model, &data), expected, 1e-9 * expected);
    }
}

#[test]
fn elements_pull_down_the_slope_of_their_energy() {
    let sheet = "<elasticity young='1e3' poisson='.3' thickness='.02' elastic2d='stretch'/>";
    let block = "<elasticity young='1e3' poisson='.3'/>";
    let models = [
        flexcomp(SHEET, sheet),
        flexcomp(BLOCK, block),
        // a pinned vertex moves with the body that carries the flex
        flexcomp(BLOCK, &format!("<pin id='0 5'/>{block}")),
        on_bodies(2, "0 1 2 1 2 3 2 3 4", sheet),
        on_bodies(3, "0 1 2 3 1 2 3 4", block),
    ];
    for model in &models {
        let data = stirred(model);
        let expected = pull_of(model, &data, |d| elastic_energy(model, d));
        let error = relative_error(data.qfrc_spring(), &expected);
        assert!(error < 1e-6, "{error} with {} joints", model.njnt);
    }
}

#[test]
fn whatever_moves_as_a_whole_feels_nothing() {
    let both = "<elasticity young='1e3' poisson='.3' thickness='.02' elastic2d='both'/>";
    let block = "<contact selfcollide='none'/><elasticity young='1e3' poisson='.3'/>";
    let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.7);
    for (attributes, children) in [(SHEET, both), (BLOCK, block)] {
        let model = flexcomp(attributes, children);
        let data = placed(&model, |x| turn.rotate(x) + Vec3::new(1.0, 2.0, 3.0));
        all_close(data.qfrc_spring(), &vec![0.0; model.nv], 1e-10);
    }
    for dof in ["trilinear", "quadratic"] {
        let model =
            flexcomp(&format!("count='6 6 6' dim='3' spacing='.1 .1 .1' dof='{dof}'"), block);
        let nodes = |place: &dyn Fn(Vec3) -> Vec3| {
            let start = forward_at(&model, &[], &[]);
            let at = |n: usize| start.xpos()[model.flex_nodebodyid[n] as usize];
            let qpos: Vec<f64> =
                (0..model.nflexnode).flat_map(|n| (place(at(n)) - at(n)).0).collect();
            forward_at(&model, &qpos, &[])
        };
        let stretched = nodes(&|x| turn.rotate(x * 1.01));
        let size = stretched.qfrc_spring().iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        assert!(size > 0.1, "{size}");
        let turned = nodes(&|x| turn.rotate(x) + Vec3::new(1.0, 2.0, 3.0));
        all_close(turned.qfrc_spring(), &vec![0.0; model.nv], 1e-6 * size);
    }
}

/// In a frame that does not turn, the force of an interpolated flex is linear: it pulls back, and no part of it is left over.
#[test]
fn nodes_are_pulled_back_without_a_net_force() {
    let model = flexcomp(
        "count='4 4 4' dim='3' spacing='.1 .1 .1' dof='trilinear'",
        "<contact selfcollide='none'/><elasticity young='1e3' poisson='.3' damping='.1'/>",
    );
    let data = stirred(&model);
    let work: f64 = data.qfrc_spring().iter().zip(data.qpos()).map(|(f, x)| f * x).sum();
    assert!(work < -0.01, "{work}");
    for force in [data.qfrc_spring(), data.qfrc_damper()] {
        for k in 0..3 {
            let sum: f64 = force.iter().skip(k).step_by(3).sum();
            assert!(sum.abs() < 1e-9 && force.iter().any(|f| f.abs() > 0.01), "{sum}");
        }
    }
}

/// At rest, damping is to velocity what stiffness is to displacement.
#[test]
fn damping_pulls_as_far_as_it_would_move_in_its_time() {
    const TIME: f64 = 0.05;
    let material = |damping: f64| {
        flexcomp(BLOCK, &format!("<elasticity young='1e3' poisson='.3' damping='{damping}'/>"))
    };
    let (damped, plain) = (material(TIME), material(0.0));
    let speed: Vec<f64> = stirred(&plain).qvel().iter().map(|v| 1e-6 * v).collect();
    let displacement: Vec<f64> = speed.iter().map(|v| TIME * v).collect();
    let by_speed = forward_at(&damped, &[], &speed);
    let by_place = forward_at(&plain, &displacement, &[]);
    assert!(relative_error(by_speed.qfrc_spring(), by_place.qfrc_spring()) < 1e-5);
    // without damping, velocity does nothing
    assert!(forward_at(&plain, &[], &speed).qfrc_spring().iter().all(|f| f.abs() < 1e-12));
}

const BENT: &str =
    "<elasticity young='1e4' poisson='.3' thickness='.01' damping='.02' elastic2d='bend'/>";

#[test]
fn bending_has_the_numbers_of_mujoco() {
    let model = flexcomp("count='4 4 1' spacing='.1 .1 .1' mass='1.6'", BENT);
    let data = stirred(&model);
    let spring = [
        9.61538461538461592e-03,
        -7.69230769230768580e-03,
        1.92307692307692665e-03,
        -1.15384615384615408e-02,
        9.61538461538460551e-03,
        -8.59230221694762264e-18,
        -1.92307692307695007e-03,
        1.92307692307689890e-03,
        7.69230769230767539e-03,
        1.38777878078144568e-17,
        2.08166817117216851e-17,
        -7.69230769230768406e-03,
        -5.76923076923077736e-03,
        1.73076923076922844e-02,
        -5.76923076923075914e-03,
        9.61538461538460378e-03,
        -2.11538461538461030e-02,
        -7.69230769230771702e-03,
        5.76923076923083894e-03,
        -5.76923076923074960e-03,
        1.92307692307698130e-03,
        1.92307692307691494e-03,
        -1.92307692307694400e-03,
        7.69230769230768840e-03,
        -1.92307692307691538e-03,
        -7.69230769230762508e-03,
        1.92307692307687201e-03,
        -5.76923076923074700e-03,
        7.69230769230755656e-03,
        2.30769230769231545e-02,
        -9.61538461538463327e-03,
        7.69230769230773524e-03,
        -2.11538461538461689e-02,
        5.76923076923072098e-03,
        3.84615384615384897e-03,
        -1.92307692307697176e-03,
        0.00000000000000000e+00,
        -4.33680868994201774e-17,
        2.77555756156289135e-17,
        1.92307692307691711e-03,
        7.22078646875345953e-17,
        -9.61538461538463674e-03,
        1.15384615384615079e-02,
        -1.92307692307693121e-03,
        5.76923076923073139e-03,
        -9.61538461538457082e-03,
        -1.92307692307693880e-03,
        3.84615384615389190e-03,
    ];
    let damper = [
        -7.69230769230768146e-03,
        1.92307692307693077e-03,
        -1.92307692307691646e-03,
        9.61538461538460724e-03,
        -3.78169717762943974e-18,
        -3.84615384615385287e-03,
        1.92307692307691299e-03,
        7.69230769230767018e-03,
        -5.76923076923078256e-03,
        6.38378239159465038e-18,
        -7.69230769230767625e-03,
        7.69230769230769707e-03,
    ];
    all_close(data.qfrc_spring(), &spring, 1e-16);
    all_close(&data.qfrc_damper()[..12], &damper, 1e-16);
}

#[test]
fn edges_of_the_boundary_do_not_bend() {
    let model = flexcomp("count='4 4 1' spacing='.1 .1 .1' mass='1.6'", BENT);
    let boundary: Vec<usize> =
        (0..model.nflexedge).filter(|&e| model.flex_edgeflap[e][1] == -1).collect();
    assert_eq!(boundary.len(), 12);
    assert!(boundary.iter().all(|&e| model.flex_bending[e] == [0.0; 17]));
    // two triangles, folded at the edge between them alone
    let model = flexcomp("count='2 2 1' spacing='.1 .1 .1'", BENT);
    assert_eq!(model.flex_edgeflap.iter().filter(|flap| flap[1] != -1).count(), 1);
    // nor does anything, with an edge of the boundary as the last
    let single = "type='direct' dim='2' point='0 0 0 .1 0 0 0 .1 0' element='0 1 2'";
    let model = flexcomp(single, BENT);
    assert!(stirred(&model).qfrc_spring().iter().all(|f| *f == 0.0));
}

/// A roof: two triangles that are not in one plane at rest. MuJoCo's forces do not vanish there, but their sum does.
#[test]
fn a_sheet_that_is_curved_at_rest_has_the_numbers_of_mujoco() {
    let roof = "type='direct' dim='2' point='0 0 0  0 .1 0  .1 .03 .03  -.1 .02 .02' element='0 1 2 0 3 1'";
    let mut model = flexcomp(roof, BENT);
    let edge = (0..5).find(|&e| model.flex_bending[e][16] != 0.0).unwrap();
    let expected = [
        -0.00013092508436859463,
        -2.6255065926656267e-05,
        0.0028145772424292273,
        -4.525005196278102e-05,
        2.625506592665632e-05,
        0.0009351757440122237,
        0.00010015024696506149,
        4.336808689942018e-19,
        -0.0018522514672393345,
        7.602488936631459e-05,
        2.168404344971009e-19,
        -0.0018975015192021158,
    ];
    let found = forward_at(&model, &[], &[]).qfrc_spring().to_vec();
    all_close(&found, &expected, 1e-16);
    for k in 0..3 {
        close(found.iter().skip(k).step_by(3).sum(), 0.0, 1e-17);
    }
    // without the part of the curvature it is another force
    model.edit(|m| m.flex_bending[edge][16] = 0.0);
    let flat = forward_at(&model, &[], &[]);
    assert!(relative_error(flat.qfrc_spring(), &expected) > 1e-3);
}

/// Bending forces are explicit, in MuJoCo as here: what is stiffer than a time step can follow diverges.
#[test]
fn bending_is_stable_below_the_limit_of_its_time_step_and_not_far_above() {
    let sheet = |young: &str| {
        let material =
            format!("<elasticity young='{young}' poisson='.3' thickness='.01' elastic2d='bend'/>");
        let mut model = flexcomp("count='4 4 1' spacing='.1 .1 .1' mass='1.6'", &material);
        model.edit(|m| m.opt.timestep = 0.01);
        model
    };
    let diverges = |young: &str| {
        let model = sheet(young);
        let mut data = model.make_data();
        data.qpos_mut()[2] = 1e-3;
        (0..500).any(|_| data.step(&model).unwrap().divergence.is_some())
    };
    assert!(!diverges("1e4"));
    assert!(diverges("1e12"));
}

#[test]
fn edges_are_springs_and_dampers_along_their_jacobian() {
    let model = on_bodies(1, "0 1 1 2 2 3 3 4 4 1 0 4", "<edge stiffness='30' damping='2'/>");
    let data = stirred(&model);
    // the last two vertices are not on one body, the first and the last are
    let soft = |e: &usize| model.flexedge_rigid[*e] == 0;
    let energy = |d: &Data| {
        let stretch = |e: usize| d.flexedge_length()[e] - model.flexedge_length0[e];
        (0..model.nflexedge).filter(soft).map(|e| 15.0 * stretch(e) * stretch(e)).sum()
    };
    let expected = pull_of(&model, &data, energy);
    assert!(relative_error(data.qfrc_spring(), &expected) < 1e-7);
    let power: f64 = data.qfrc_damper().iter().zip(data.qvel()).map(|(f, v)| f * v).sum();
    let rates = (0..model.nflexedge).filter(soft).map(|e| data.flexedge_velocity()[e]);
    close(power, rates.map(|rate| -2.0 * rate * rate).sum(), 1e-12);
}

/// The flags are those of MuJoCo, which does not ask them for the elasticity of elements unless both are off.
#[test]
fn springs_and_dampers_can_be_switched_off() {
    let edges = on_bodies(1, "0 1 1 2 2 3 3 4", "<edge stiffness='30' damping='2'/>");
    let bent = flexcomp("count='4 4 1' spacing='.1 .1 .1'", BENT);
    let block = flexcomp(
        "count='4 4 4' dim='3' spacing='.1 .1 .1' dof='trilinear'",
        "<contact selfcollide='none'/><elasticity young='1e3' poisson='.3' damping='.1'/>",
    );
    let acts = |force: &[f64]| force.iter().any(|f| *f != 0.0);
    for mut model in [edges, bent, block] {
        let mut with = |flags: i32| {
            model.edit(|m| m.opt.disableflags = DisableBit::Contact as i32 | flags);
            let data = stirred(&model);
            (acts(data.qfrc_spring()), acts(data.qfrc_damper()))
        };
        assert_eq!(with(0), (true, true));
        assert_eq!(with(DisableBit::Spring as i32), (false, true));
        assert_eq!(with(DisableBit::Damper as i32), (true, false));
    }
    let mut elements = flexcomp(BLOCK, "<elasticity young='1e3' poisson='.3'/>");
    let mut with = |flags: i32| {
        elements.edit(|m| m.opt.disableflags = DisableBit::Contact as i32 | flags);
        acts(stirred(&elements).qfrc_spring())
    };
    assert!(with(DisableBit::Spring as i32) && with(DisableBit::Damper as i32));
    assert!(!with(DisableBit::Spring as i32 | DisableBit::Damper as i32));
}
