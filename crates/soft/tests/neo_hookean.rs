//! Neo-Hookean elements against differences, and against linear elasticity.
use ferrodyn_math::{Mat3, Quat, Real, Vec3, by_precision};
use ferrodyn_soft::material::neo_hookean::{Lame, Rest, Solid};

const RUBBER: Lame = Lame { mu: 1.0, lambda: 4.0 };

/// Deformations of a solid: mild, strongly compressed, flat, inside out, and inside out with two equal stretches.
const SOLID: [Mat3; 5] = [
    Mat3([1.2, 0.3, -0.1, 0.2, 0.8, 0.4, -0.3, 0.1, 1.1]),
    Mat3([0.3, 0.02, 0.0, 0.01, 0.25, 0.0, 0.0, 0.03, 0.06]),
    Mat3([1.0, 0.1, 0.0, 0.0, 0.7, 0.0, 0.0, 0.1, 0.001]),
    Mat3([1.0, 0.1, 0.0, 0.0, 0.9, 0.2, 0.3, 0.0, -0.7]),
    Mat3([1.3, 0.0, 0.0, 0.0, 1.3, 0.0, 0.0, 0.0, -0.4]),
];
/// Deformations of a sheet: mild, narrow, almost a line.
const SHEET: [Mat3; 3] = [
    Mat3([1.2, 0.3, 0.0, 0.2, 0.8, 0.0, -0.3, 0.1, 0.0]),
    Mat3([1.0, 0.3, 0.0, 0.2, 0.1, 0.0, 0.1, 0.0, 0.0]),
    Mat3([1.0, 0.0, 0.0, 0.0, 0.02, 0.0, 0.3, 0.01, 0.0]),
];

const STEP: Real = by_precision(1e-5, 3e-3);

fn moved(f: &Mat3, k: usize, by: Real) -> Mat3 {
    let mut f = *f;
    f[k] += by;
    f
}

/// Entries of `F` of an element with `DIM` edges.
fn entries<const DIM: usize>() -> impl Iterator<Item = usize> {
    (0..9).filter(|k| k % 3 < DIM)
}

fn stress_follows_energy<const DIM: usize>(deformations: &[Mat3]) {
    let solid = Solid::<DIM>(RUBBER);
    for f in deformations {
        let stress = solid.stress(f);
        let size = stress.0.iter().fold(1.0, |most: Real, x| most.max(x.abs()));
        for k in entries::<DIM>() {
            let energy = |by| solid.energy(&moved(f, k, by));
            let slope = (energy(STEP) - energy(-STEP)) / (2.0 * STEP);
            let error = (stress[k] - slope).abs() / size;
            assert!(error < by_precision(1e-6, 2e-2), "{f:?} {k}: {error:e}");
        }
    }
}

#[test]
fn stress_is_the_slope_of_energy_whatever_the_deformation() {
    stress_follows_energy::<3>(&SOLID);
    stress_follows_energy::<2>(&SHEET);
}

fn modes_follow_stress<const DIM: usize>(deformations: &[Mat3]) {
    let solid = Solid::<DIM>(RUBBER);
    for f in deformations {
        let mut stiffness = [[0.0; 9]; 9];
        let mut count = 0;
        solid.each_mode(f, |value, mode| {
            count += 1;
            for (i, j) in (0..81).map(|n| (n / 9, n % 9)) {
                stiffness[i][j] += value * mode[i] * mode[j];
            }
        });
        assert_eq!(count, 3 * DIM);
        let size = stiffness.as_flattened().iter().fold(1.0, |most: Real, x| most.max(x.abs()));
        for j in entries::<DIM>() {
            let (more, less) =
                (solid.stress(&moved(f, j, STEP)), solid.stress(&moved(f, j, -STEP)));
            for i in entries::<DIM>() {
                let slope = (more[i] - less[i]) / (2.0 * STEP);
                let error = (stiffness[i][j] - slope).abs() / size;
                assert!(error < by_precision(1e-6, 2e-2), "{f:?} {i} {j}: {error:e}");
            }
        }
    }
}

#[test]
fn modes_are_the_derivative_of_stress() {
    // the last of the solids has two equal stretches, where differences cross a corner of the singular values: not of the stress
    modes_follow_stress::<3>(&SOLID);
    modes_follow_stress::<2>(&SHEET);
}

#[test]
fn small_strains_are_those_of_linear_elasticity() {
    let solid = Solid::<3>(RUBBER);
    // 1 % in one direction, some shear, turned as a whole
    let strain = Mat3([0.01, 0.004, 0.0, 0.004, -0.003, 0.002, 0.0, 0.002, 0.0]);
    let turn = Quat([0.8, 0.1, -0.5, 0.316227766]).normalize().0.to_mat();
    let stretch = Mat3(core::array::from_fn(|k| strain[k] + if k % 4 == 0 { 1.0 } else { 0.0 }));
    let stress = &turn.transpose() * &solid.stress(&(&turn * &stretch));
    // σ = 2 μ ε + λ tr(ε) 1
    let trace = strain[0] + strain[4] + strain[8];
    for k in 0..9 {
        let volume = if k % 4 == 0 { RUBBER.lambda * trace } else { 0.0 };
        let linear = 2.0 * RUBBER.mu * strain[k] + volume;
        assert!((stress[k] - linear).abs() < 0.05 * 0.04, "{k}: {} {linear}", stress[k]);
    }
}

#[test]
fn a_flat_or_inverted_element_is_pushed_back() {
    let solid = Solid::<3>(RUBBER);
    for height in [0.05, 0.0, -0.3, -1.0] {
        let stress = solid.stress(&Mat3([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, height]));
        assert!(stress[8] < -1.0, "{height}: {}", stress[8]);
    }
    // all vertices in one point
    let stress = solid.stress(&Mat3([0.0; 9]));
    let pushed: Real = stress.0.iter().map(|x| x * x).sum();
    assert!(pushed > 100.0);
}

#[test]
fn rest_shapes_give_the_unit_gradient() {
    let x = [[0.0, 0.1, 0.2], [1.0, 0.0, 0.1], [0.2, 1.5, 0.0], [0.1, 0.3, -0.9]].map(Vec3);
    let rest = Rest::tetrahedron(x).unwrap();
    let f = rest.gradient(&x);
    assert!((0..9).all(|k| (f[k] - if k % 4 == 0 { 1.0 } else { 0.0 }).abs() < 1e-5));
    let [a, b, c, _] = x;
    let sheet = Rest::triangle([a, b, c], 0.01).unwrap();
    let f = sheet.gradient(&[a, b, c]);
    let (first, second) = (f.column(0), f.column(1));
    assert!((first.norm() - 1.0).abs() < 1e-5 && (second.norm() - 1.0).abs() < 1e-5);
    assert!(first.dot(second).abs() < 1e-5);
    assert!((sheet.volume - 0.005 * (b - a).cross(c - a).norm()).abs() < 1e-6);
    // without area or volume
    assert_eq!(Rest::triangle([a, b, a], 0.01), None);
    assert_eq!(Rest::tetrahedron([a, b, c, a]), None);
}
