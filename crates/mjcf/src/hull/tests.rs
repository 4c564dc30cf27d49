//! Properties of hulls, degenerate input, and graphs recorded from MuJoCo 3.5.0 for the same points.

use super::{Hull, HullError, convex_hull};

/// Pseudo-random points that single precision holds exactly.
fn scattered(n: usize, seed: u32) -> Vec<[f64; 3]> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        (f64::from(state >> 16) - 32768.0) / 1024.0
    };
    (0..n).map(|_| [next(), next(), next()]).collect()
}

fn single(p: [f64; 3]) -> [f64; 3] {
    p.map(|x| f64::from(x as f32))
}

fn on_sphere(n: usize, seed: u32) -> Vec<[f64; 3]> {
    let to_sphere = |p: [f64; 3]| {
        let norm = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
        single(p.map(|x| x / norm))
    };
    scattered(n, seed).into_iter().map(to_sphere).collect()
}

/// Corners and face centres.
fn cube() -> Vec<[f64; 3]> {
    let mut points = Vec::new();
    for i in 0..8 {
        points.push([4, 2, 1].map(|bit| if i & bit == 0 { -1.0 } else { 1.0 }));
    }
    for k in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut p = [0.0; 3];
            p[k] = sign;
            points.push(p);
        }
    }
    points
}

/// A prism over twelve points of a circle.
fn prism() -> Vec<[f64; 3]> {
    let quarter = [[5.0, 0.0], [4.0, 3.0], [3.0, 4.0]];
    let mut circle: Vec<[f64; 2]> = Vec::new();
    for turn in 0..4 {
        for [x, y] in quarter {
            circle.push([[x, y], [-y, x], [-x, -y], [y, -x]][turn]);
        }
    }
    [-1.0, 2.0].into_iter().flat_map(|z| circle.iter().map(move |c| [c[0], c[1], z])).collect()
}

/// A rotated lattice: many points that are coplanar up to the rounding to single precision.
fn lattice() -> Vec<[f64; 3]> {
    let mut points = Vec::new();
    for i in 0..9 * 9 * 9 {
        let [x, y, z] = [i / 81, i / 9 % 9, i % 9].map(|k| f64::from(k) - 4.0);
        let (a, b) = (0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y);
        points.push(single([a, 0.28 * b - 0.96 * z, 0.96 * b + 0.28 * z]));
    }
    points
}

/// FNV-1a, to compare graphs too long to write down.
fn fingerprint(graph: &[i32]) -> u64 {
    let mix = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x100000001b3);
    graph.iter().flat_map(|x| x.to_le_bytes()).fold(0xcbf29ce484222325, mix)
}

/// Checks that the faces form a closed surface of one piece, oriented outward, with no point above a face.
fn check(points: &[[f64; 3]], hull: &Hull, tolerance: f64) {
    let (nv, nf) = (hull.vertices().len(), hull.faces().len());
    assert_eq!(nf, 2 * nv - 4, "Euler characteristic");
    let mut edges: Vec<(usize, usize)> =
        hull.faces().iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    edges.sort_unstable();
    let reversed: Vec<_> = edges.iter().map(|&(a, b)| (b, a)).collect();
    edges.dedup();
    assert_eq!(edges.len(), 3 * nf, "every directed edge occurs once");
    assert!(reversed.iter().all(|e| edges.binary_search(e).is_ok()), "every edge has two faces");
    for &[a, b, c] in hull.faces() {
        let d = |i: usize, k: usize| points[i][k] - points[a][k];
        let normal = [
            d(b, 1) * d(c, 2) - d(b, 2) * d(c, 1),
            d(b, 2) * d(c, 0) - d(b, 0) * d(c, 2),
            d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0),
        ];
        let norm = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        for i in 0..points.len() {
            let height: f64 = (0..3).map(|k| normal[k] * d(i, k)).sum();
            assert!(height <= tolerance * norm, "point {i} is {} above a face", height / norm);
        }
    }
}

#[test]
fn hulls_are_closed_convex_and_oriented() {
    for (points, tolerance) in [
        (cube(), 0.0),
        (prism(), 1e-14),
        (scattered(4, 3), 0.0),
        (scattered(500, 1), 1e-12),
        (on_sphere(500, 2), 1e-14),
    ] {
        let hull = convex_hull(&points, None).unwrap();
        check(&points, &hull, tolerance);
    }
}

#[test]
fn vertices_are_the_extreme_points() {
    let hull = convex_hull(&cube(), None).unwrap();
    let mut vertices = hull.vertices().to_vec();
    vertices.sort_unstable();
    assert_eq!(vertices, (0..8).collect::<Vec<_>>());
    assert_eq!(convex_hull(&on_sphere(3000, 11), None).unwrap().vertices().len(), 3000);
}

#[test]
fn repeated_points_do_not_matter_for_the_surface() {
    let mut points = prism();
    points.extend(prism());
    let hull = convex_hull(&points, None).unwrap();
    check(&points, &hull, 1e-14);
    assert_eq!(hull.vertices().len(), 24);
}

#[test]
fn a_limit_stops_the_construction() {
    let points = scattered(200, 5);
    let full = convex_hull(&points, None).unwrap().vertices().len();
    for limit in [4, 5, 8, 20] {
        assert_eq!(convex_hull(&points, Some(limit)).unwrap().vertices().len(), limit);
    }
    assert_eq!(convex_hull(&points, Some(1000)).unwrap().vertices().len(), full);
}

#[test]
fn degenerate_input_is_refused() {
    let plane: Vec<[f64; 3]> =
        scattered(50, 9).into_iter().map(|p| [p[0], p[1], p[0] + p[1]]).collect();
    let line: Vec<[f64; 3]> = scattered(50, 9).into_iter().map(|p| [p[0]; 3]).collect();
    assert_eq!(convex_hull(&plane, None), Err(HullError::Flat));
    assert_eq!(convex_hull(&line, None), Err(HullError::Flat));
    assert_eq!(convex_hull(&[[1.0, 2.0, 3.0]; 10], None), Err(HullError::Flat));
    assert_eq!(convex_hull(&cube()[..3], None), Err(HullError::TooFewPoints));
    assert_eq!(convex_hull(&[], None), Err(HullError::TooFewPoints));
    assert_eq!(convex_hull(&cube(), Some(3)), Err(HullError::LimitTooSmall));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut points = cube();
        points[5][1] = bad;
        assert_eq!(convex_hull(&points, None), Err(HullError::NotFinite));
    }
    let huge: Vec<[f64; 3]> = cube().into_iter().map(|p| p.map(|x| x * 1e100)).collect();
    assert_eq!(convex_hull(&huge, None), Err(HullError::TooLarge));
}

#[test]
fn scale_does_not_matter() {
    let points = prism();
    let graph = convex_hull(&points, None).unwrap().graph();
    for scale in [2.0_f64.powi(-120), 2.0_f64.powi(120)] {
        let scaled: Vec<[f64; 3]> = points.iter().map(|p| p.map(|x| x * scale)).collect();
        assert_eq!(convex_hull(&scaled, None).unwrap().graph(), graph);
    }
}

#[test]
fn graphs_match_mujoco() {
    assert_eq!(convex_hull(&cube(), None).unwrap().graph(), CUBE);
    assert_eq!(convex_hull(&prism(), None).unwrap().graph(), PRISM);
    assert_eq!(convex_hull(&scattered(40, 7), Some(12)).unwrap().graph(), SCATTERED_12);
}

#[test]
fn long_graphs_match_mujoco() {
    let graph =
        |points: &[[f64; 3]], limit| fingerprint(&convex_hull(points, limit).unwrap().graph());
    assert_eq!(graph(&scattered(40, 7), None), 0x3d83e19a0e6ae40e);
    assert_eq!(graph(&lattice(), None), 0xdb92c93b54e835fa);
    assert_eq!(graph(&on_sphere(3000, 11), None), 0x5e13f65b427f0e84);
    assert_eq!(graph(&on_sphere(3000, 11), Some(100)), 0xcc3fe4dc836c5c65);
}

/// `mesh_graph` of the cube with face centres.
#[rustfmt::skip]
const CUBE: [i32; 98] = [
    8, 12, 0, 7, 11, 18, 22, 29, 33, 37, 6, 2, 0, 4, 5, 1, 7, 3, 1, 2, 3, 4, 6, 7, -1, 0, 2, 7, -1, 0, 1, 3,
    4, 5, 7, -1, 0, 2, 4, -1, 3, 2, 5, 0, 6, 7, -1, 4, 2, 7, -1, 4, 0, 7, -1, 1, 2, 5, 0, 6, 4, -1, 2, 6, 0,
    6, 4, 0, 4, 5, 0, 5, 1, 0, 6, 5, 4, 5, 6, 7, 3, 2, 0, 1, 3, 0, 3, 6, 2, 6, 3, 7, 5, 3, 1, 3, 5, 7,
];

/// `mesh_graph` of the prism.
#[rustfmt::skip]
const PRISM: [i32; 338] = [
    24, 44, 0, 7, 14, 19, 24, 30, 34, 41, 46, 53, 58, 64, 70, 77, 82, 89, 94, 101, 106, 111, 116, 123, 128,
    141, 18, 7, 6, 19, 5, 17, 20, 8, 9, 21, 22, 10, 13, 1, 0, 12, 2, 14, 15, 3, 23, 11, 4, 16, 1, 2, 3, 4, 5,
    23, -1, 0, 2, 3, 6, 7, 22, -1, 0, 1, 4, 22, -1, 0, 1, 6, 23, -1, 0, 2, 5, 22, 23, -1, 0, 4, 23, -1, 1, 7,
    3, 8, 9, 23, -1, 6, 1, 8, 22, -1, 6, 7, 9, 10, 11, 22, -1, 6, 8, 10, 23, -1, 11, 8, 9, 20, 23, -1, 10, 8,
    20, 21, 22, -1, 13, 14, 15, 16, 17, 23, -1, 12, 14, 16, 22, -1, 12, 13, 15, 20, 21, 22, -1, 12, 14, 20,
    23, -1, 12, 13, 17, 18, 19, 22, -1, 12, 16, 18, 23, -1, 16, 19, 17, 23, -1, 18, 16, 22, 23, -1, 21, 14,
    15, 11, 10, 23, -1, 20, 14, 11, 22, -1, 1, 2, 13, 14, 21, 11, 8, 4, 7, 16, 19, 23, -1, 20, 15, 6, 3, 0,
    12, 5, 9, 10, 17, 18, 4, 22, 19, -1, 7, 18, 6, 18, 7, 19, 18, 5, 6, 5, 18, 17, 20, 7, 8, 7, 20, 19, 20, 8,
    9, 21, 20, 9, 10, 22, 9, 22, 21, 9, 1, 13, 0, 13, 12, 0, 2, 13, 1, 13, 2, 14, 15, 2, 3, 2, 15, 14, 23, 11,
    0, 12, 23, 0, 11, 23, 10, 23, 22, 10, 4, 7, 6, 4, 1, 0, 11, 4, 0, 4, 10, 9, 5, 4, 6, 8, 4, 9, 4, 11, 10,
    7, 4, 8, 2, 4, 3, 4, 2, 1, 16, 23, 12, 20, 16, 19, 16, 18, 19, 13, 16, 12, 18, 16, 17, 16, 20, 21, 22, 16,
    21, 16, 13, 14, 15, 16, 14, 23, 16, 22, 16, 5, 17, 16, 4, 5, 16, 15, 3, 4, 16, 3,
];

/// `mesh_graph` of 40 points with `maxhullvert="12"`.
#[rustfmt::skip]
const SCATTERED_12: [i32; 158] = [
    12, 20, 0, 6, 13, 19, 25, 33, 39, 44, 50, 55, 61, 67, 19, 2, 1, 9, 15, 38, 27, 17, 21, 3, 39, 11, 1, 5, 3,
    10, 11, -1, 5, 6, 0, 3, 2, 7, -1, 3, 1, 7, 8, 9, -1, 0, 10, 1, 2, 9, -1, 5, 6, 7, 8, 9, 10, 11, -1, 1, 6,
    0, 11, 4, -1, 1, 5, 7, 4, -1, 8, 2, 1, 6, 4, -1, 7, 2, 9, 4, -1, 8, 2, 3, 10, 4, -1, 3, 0, 11, 9, 4, -1,
    0, 10, 5, 4, -1, 38, 2, 27, 2, 38, 19, 9, 19, 39, 2, 9, 1, 9, 2, 19, 19, 11, 39, 38, 11, 19, 21, 17, 1, 2,
    17, 27, 17, 2, 1, 3, 21, 1, 3, 9, 39, 9, 3, 1, 15, 38, 27, 17, 15, 27, 15, 17, 21, 3, 15, 21, 15, 3, 39,
    11, 15, 39, 15, 11, 38,
];
