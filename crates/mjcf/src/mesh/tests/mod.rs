//! Small meshes against numbers computed by MuJoCo 3.5.0.

mod files;
mod hostile;

use super::*;

/// Corners of a tetrahedron.
const TETRAHEDRON: [f32; 12] = [0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.];
const TETRAHEDRON_FACE: [i32; 12] = [0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3];
/// Its hull.
const TETRAHEDRON_GRAPH: [i32; 38] = [
    4, 4, 0, 4, 8, 12, 3, 2, 1, 0, 2, 3, 1, -1, 2, 3, 0, -1, 1, 3, 0, -1, 1, 2, 0, -1, 2, 1, 0, 1,
    3, 0, 3, 2, 0, 2, 3, 1,
];

/// A prism over the letter L.
fn letter() -> (Vec<f32>, Vec<i32>) {
    let outline = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 3.], [0., 3.]];
    let vertex = [0f32, 1.].iter().flat_map(|&z| outline.iter().flat_map(move |p| [p[0], p[1], z]));
    let mut face = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        face.extend([a, c, b, a + 6, b + 6, c + 6]);
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        face.extend([i, j, j + 6, i, j + 6, i + 6]);
    }
    (vertex.collect(), face)
}

/// A hull that is known beforehand; none if it is empty.
fn compile(
    source: &MeshSource<'_>,
    options: &MeshOptions,
    graph: &[i32],
) -> Result<CompiledMesh, MeshError> {
    let hull = |_: &[[f64; 3]], _: Option<usize>| {
        let graph = graph.to_vec();
        if graph.is_empty() { Err("no hull".to_owned()) } else { Ok(HullData { graph }) }
    };
    compile_mesh(source, options, &hull, &MeshBudget::default())
}

fn tetrahedron() -> MeshSource<'static> {
    MeshSource { vertex: &TETRAHEDRON, face: &TETRAHEDRON_FACE, ..MeshSource::default() }
}

#[track_caller]
fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1e-3f64, |m, x| m.max(x.abs()));
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= 1e-9 * scale, "{found:?} is not {expected:?}");
    }
}

/// Frame, mass and inertia for unit density.
#[track_caller]
fn check_mass(mesh: &CompiledMesh, pos: [f64; 3], quat: [f64; 4], mass: f64, inertia: [f64; 3]) {
    close(&mesh.pos, &pos);
    close(&mesh.quat, &quat);
    close(&[mesh.volume], &[mass]);
    let [x, y, z] = mesh.inertia_box.map(|half| half * half);
    close(&[y + z, x + z, x + y].map(|sum| mesh.volume * sum / 3.0), &inertia);
}

#[test]
fn inertia_of_a_tetrahedron() {
    let corner = [0.25; 3];
    let solid = [0.016666666666666656, 0.010416666666666664, 0.010416666666666664];
    let by_face =
        [0.8204732385702844, 0.33985114297998775, -0.1759198966061614, 0.4247082002778675];
    let by_hull =
        [0.7045563426109892, 0.5406250962371628, -0.06000300064686612, 0.45576803893928297];
    let run = |inertia, graph: &[i32]| {
        let options = MeshOptions { inertia, ..MeshOptions::default() };
        compile(&tetrahedron(), &options, graph).unwrap()
    };
    check_mass(&run(MeshInertia::Legacy, &[]), corner, by_face, 1.0 / 6.0, solid);
    check_mass(&run(MeshInertia::Exact, &[]), corner, by_face, 1.0 / 6.0, solid);
    let convex = run(MeshInertia::Convex, &TETRAHEDRON_GRAPH);
    check_mass(&convex, corner, by_hull, 1.0 / 6.0, solid);
    assert_eq!(convex.graph, TETRAHEDRON_GRAPH);
    let shell = run(MeshInertia::Shell, &[]);
    let inertia = [0.3943375672974064, 0.24528130608117196, 0.24528130608117196];
    check_mass(&shell, [0.26289171153160434; 3], by_hull, 2.3660254037844384, inertia);
    assert!(shell.graph.is_empty());
}

#[test]
fn reference_frame_and_scale() {
    let options = MeshOptions {
        scale: [1.0, 2.0, 3.0],
        refpos: [0.1, 0.2, 0.3],
        refquat: [0.5, 0.5, -0.5, 0.5],
        ..MeshOptions::default()
    };
    let mesh = compile(&tetrahedron(), &options, &[]).unwrap();
    check_mass(
        &mesh,
        [-0.05, -0.3, -0.15],
        [0.9729070384154739, 0.1522921195987716, 0.06801203229001727, -0.1601042422096519],
        1.0,
        [0.5024676550253501, 0.3886148147443203, 0.15891753023032995],
    );
    assert_eq!(mesh.scale, options.scale);
}

#[test]
fn faces_come_from_the_hull_if_there_are_none() {
    let source = MeshSource { vertex: &TETRAHEDRON, ..MeshSource::default() };
    let mesh = compile(&source, &MeshOptions::default(), &TETRAHEDRON_GRAPH).unwrap();
    assert_eq!(mesh.face, [[2, 1, 0], [1, 3, 0], [3, 2, 0], [2, 3, 1]]);
    assert_eq!(mesh.facenormal, mesh.face);
    assert_eq!(mesh.facetexcoord, [[0; 3]; 4]);
    assert_eq!(mesh.polygons.vert, [2, 3, 1, 2, 1, 0, 1, 3, 0, 3, 2, 0]);
    close(&mesh.polygons.normal[0], &[1.0, 0.0, 0.0]);
    close(
        &mesh.polygons.normal[1],
        &[-0.5773502691896257, -core::f64::consts::FRAC_1_SQRT_2, -0.40824829046386296],
    );
}

#[test]
fn inertia_of_a_letter() {
    let (vertex, face) = letter();
    let source = MeshSource { vertex: &vertex, face: &face, ..MeshSource::default() };
    let run = |inertia| {
        compile(&source, &MeshOptions { inertia, ..MeshOptions::default() }, &[]).unwrap()
    };
    let (a, b) = (0.40986844459923083, 0.5762012305799151);
    check_mass(
        &run(MeshInertia::Legacy),
        [0.7751966568338249, 1.2420108161258605, 0.5],
        [a, b, -a, b],
        4.161340544083907,
        [4.234053417373224, 3.6972689867471704, 1.2195851517011105],
    );
    let (a, b) = (0.41345260731526534, 0.5736348503222328);
    let exact = run(MeshInertia::Exact);
    let inertia = [25.0 / 6.0, 22.0 / 6.0, 7.0 / 6.0];
    check_mass(&exact, [0.75, 1.25, 0.5], [a, b, -a, b], 4.0, inertia);
    let (a, b) = (0.4120821182470846, 0.5746201596019732);
    check_mass(
        &run(MeshInertia::Shell),
        [7.0 / 9.0, 23.0 / 18.0, 0.5],
        [a, b, -a, b],
        18.0,
        [24.388888888888875, 21.42806953424491, 8.627486021310636],
    );
}

#[test]
fn polygons_tree_and_normals_of_a_letter() {
    let (vertex, face) = letter();
    let source = MeshSource { vertex: &vertex, face: &face, ..MeshSource::default() };
    let options = MeshOptions { inertia: MeshInertia::Shell, ..MeshOptions::default() };
    let mesh = compile(&source, &options, &[]).unwrap();

    // faces without a hull are joined to the eight sides
    assert_eq!(mesh.polygons.vertnum, [4, 4, 4, 4, 6, 6, 4, 4]);
    assert_eq!(
        mesh.polygons.vert,
        [
            1, 2, 8, 7, 3, 4, 10, 9, 2, 3, 9, 8, 4, 5, 11, 10, 6, 7, 8, 9, 10, 11, 2, 1, 0, 5, 4,
            3, 0, 1, 7, 6, 5, 0, 6, 11
        ]
    );
    assert_eq!(mesh.polygons.mapnum, [3; 12]);
    assert_eq!(mesh.polygons.map[..3], [5, 6, 7]);
    assert_eq!(mesh.polygons.mapadr[..3], [0, 3, 6]);

    assert_eq!(
        mesh.tree.nodeid,
        [
            -1, -1, -1, -1, 16, 17, -1, 4, -1, 5, 14, -1, -1, 15, 18, -1, 19, -1, 6, 7, -1, -1, -1,
            10, 11, -1, 12, -1, 13, 2, -1, -1, 3, 0, -1, 1, -1, 8, 9
        ]
    );
    assert_eq!(mesh.tree.depth[..12], [0, 1, 2, 3, 4, 4, 3, 4, 4, 5, 5, 2]);
    assert_eq!(mesh.tree.child[0], [1, 20]);

    close(&mesh.normal[5].map(f64::from), &[0.0, 0.9471627473831177, -0.3207533061504364]);
    let smooth = MeshOptions { smoothnormal: true, ..MeshOptions::default() };
    let mesh = compile(&source, &smooth, &[]).unwrap();
    let expected = [-0.847998321056366, 0.4394885003566742, 0.2962241470813751];
    close(&mesh.normal[0].map(f64::from), &expected);
}

/// Counts (vertices, normals, faces, polygons), position, quaternion, mass, inertia.
type Golden = ([usize; 4], [f64; 3], [f64; 4], f64, [f64; 3]);

#[test]
fn builtin_shapes_with_faces() {
    let half = 0.5000000000000007;
    let quarter = 0.7071067811865489;
    let shapes: [(Builtin, &[f64], Golden); 6] = [
        (
            Builtin::Sphere,
            &[0.0],
            ([12, 12, 20, 20], [0.; 3], pose::UNIT, 2.5361504726624076, [0.7340702430338126; 3]),
        ),
        (
            Builtin::Sphere,
            &[2.0],
            (
                [162, 162, 320, 320],
                [0.; 3],
                [half, half, -half, half],
                4.047044661651024,
                [1.5821694633536252, 1.5821694526509997, 1.5821694513676372],
            ),
        ),
        (
            Builtin::Hemisphere,
            &[0.0],
            (
                [6, 6, 8, 5],
                [0., 0., 0.25],
                [half, half, -half, half],
                2.0 / 3.0,
                [0.13333333333333333, 0.09166666666666667, 0.09166666666666667],
            ),
        ),
        (
            Builtin::Hemisphere,
            &[3.0],
            (
                [42, 42, 80, 65],
                [0., 0., 0.36260610739429655],
                [half, half, -half, half],
                1.9097436909829886,
                [0.7187665140993021, 0.46766732320773857, 0.46766732320773857],
            ),
        ),
        (
            Builtin::Supersphere,
            &[6.0, 0.5, 0.7],
            (
                [32, 32, 60, 43],
                [0., -2.865617268563807e-10, 0.],
                pose::UNIT,
                4.69772515274797,
                [2.119439060903001, 2.065130485644641, 2.0063475044952224],
            ),
        ),
        (
            Builtin::Supertorus,
            &[7.0, 0.3, 0.5, 2.0],
            (
                [49, 49, 98, 65],
                [0.015468215219986406, 0., 0.],
                [0., quarter, 0., quarter],
                1.8413106007337252,
                [0.9182921275633894, 0.4976627026571642, 0.4973937430184873],
            ),
        ),
    ];
    for (shape, parameters, (counts, pos, quat, mass, inertia)) in shapes {
        let source = MeshSource { builtin: Some((shape, parameters)), ..MeshSource::default() };
        let mesh = compile(&source, &MeshOptions::default(), &[]).unwrap();
        let polygons = mesh.polygons.normal.len();
        assert_eq!([mesh.vert.len(), mesh.normal.len(), mesh.face.len(), polygons], counts);
        check_mass(&mesh, pos, quat, mass, inertia);
    }
}

#[test]
fn builtin_shapes_without_faces() {
    let graph = [
        6, 8, 0, 6, 12, 16, 21, 26, 5, 3, 4, 0, 1, 2, 4, 3, 2, 5, 1, -1, 0, 5, 2, 3, 4, -1, 0, 3,
        1, -1, 0, 2, 4, 1, -1, 0, 5, 3, 1, -1, 4, 0, 1, -1, 5, 4, 0, 5, 1, 2, 1, 5, 0, 3, 5, 2, 5,
        3, 4, 4, 3, 0, 1, 3, 2, 3, 1, 0,
    ];
    let cone = MeshSource { builtin: Some((Builtin::Cone, &[5.0, 0.0])), ..MeshSource::default() };
    let mesh = compile(&cone, &MeshOptions::default(), &graph).unwrap();
    assert_eq!(mesh.polygons.vertnum.iter().sum::<i32>(), 20);
    check_mass(
        &mesh,
        [2.048792362017136e-09, 0., -0.5],
        pose::UNIT,
        1.585094227875054,
        [0.42076461583225405, 0.42076461137733173, 0.36600095884706985],
    );

    let graph = [
        12, 20, 0, 4, 8, 13, 20, 27, 32, 40, 48, 56, 62, 68, 4, 7, 2, 0, 3, 1, 6, 5, 8, 11, 10, 9,
        3, 7, 8, -1, 9, 4, 6, -1, 6, 4, 3, 5, -1, 0, 7, 5, 8, 2, 4, -1, 6, 2, 1, 9, 3, 8, -1, 3, 7,
        2, 6, -1, 2, 4, 1, 9, 10, 5, 7, -1, 3, 5, 0, 8, 11, 6, 10, -1, 3, 0, 7, 11, 4, 9, 10, -1,
        1, 6, 4, 10, 8, -1, 6, 9, 8, 11, 7, -1, 8, 7, 10, -1, 5, 0, 1, 4, 0, 5, 6, 2, 3, 8, 0, 4,
        8, 5, 9, 8, 4, 5, 11, 7, 3, 7, 6, 3, 6, 7, 11, 10, 6, 11, 2, 0, 3, 0, 2, 1, 2, 6, 1, 6, 5,
        1, 0, 8, 3, 8, 11, 3, 8, 10, 11, 10, 8, 9, 6, 10, 5, 5, 10, 9,
    ];
    let parameters = [3.0, 4.0, 60.0, 40.0, 0.5];
    let wedge =
        MeshSource { builtin: Some((Builtin::Wedge, &parameters)), ..MeshSource::default() };
    let mesh = compile(&wedge, &MeshOptions::default(), &graph).unwrap();
    let quarter = 0.7071067811865489;
    check_mass(
        &mesh,
        [0., 0., -0.8197607675833127],
        [0., quarter, 0., quarter],
        0.12436637528620496,
        [0.01435192668272966, 0.008663296447892889, 0.006430974966329598],
    );
    // a normal and two tangents at each vertex
    assert_eq!(mesh.normal.len(), 36);
    assert_eq!(mesh.facenormal[7], mesh.face[7].map(|id| 3 * id));
}

#[test]
fn a_plate_is_a_shell() {
    let plate =
        MeshSource { builtin: Some((Builtin::Plate, &[3.0, 4.0])), ..MeshSource::default() };
    let mesh = compile(&plate, &MeshOptions::default(), &[]).unwrap();
    assert_eq!((mesh.vert.len(), mesh.normal.len(), mesh.face.len()), (12, 36, 12));
    // the corners are single-precision numbers
    assert!((mesh.volume - 2.0).abs() < 1e-6);
    assert_eq!(mesh.pos[2], -1.0);
}

#[test]
fn builtin_parameters_are_checked() {
    for (shape, parameters) in [
        (Builtin::Sphere, &[5.0][..]),
        (Builtin::Sphere, &[-1.0]),
        (Builtin::Sphere, &[]),
        (Builtin::Hemisphere, &[11.0]),
        (Builtin::Cone, &[3.0]),
        (Builtin::Cone, &[-3.0, 0.0]),
        (Builtin::Cone, &[1e9, 0.0]),
        (Builtin::Supersphere, &[2.0, 1.0, 1.0]),
        (Builtin::Supersphere, &[1e9, 1.0, 1.0]),
        (Builtin::Supersphere, &[5.0, -1.0, 1.0]),
        (Builtin::Supertorus, &[5.0, 1.5, 1.0, 1.0]),
        (Builtin::Supertorus, &[5.0, 0.5, 0.0, 1.0]),
        (Builtin::Wedge, &[3.0, 3.0, 181.0, 10.0, 0.0]),
        (Builtin::Wedge, &[3.0, 3.0, 90.0, 10.0, 2.0]),
        (Builtin::Plate, &[0.0, 3.0]),
        (Builtin::Plate, &[1e9, 1e9]),
        (Builtin::Plate, &[f64::NAN, 1e9]),
    ] {
        let source = MeshSource { builtin: Some((shape, parameters)), ..MeshSource::default() };
        let error = RawMesh::read(&source, &[1.0; 3], &MeshBudget::default()).unwrap_err();
        assert!(
            matches!(error, MeshError::Builtin(_) | MeshError::Budget { .. }),
            "{shape:?} {parameters:?}: {error}"
        );
    }
}

#[test]
fn signed_distances_of_a_letter() {
    let (vertex, face) = letter();
    let source = MeshSource { vertex: &vertex, face: &face, ..MeshSource::default() };
    let options = MeshOptions { need_sdf: true, ..MeshOptions::default() };
    let octree = compile(&source, &options, &[]).unwrap().octree;
    let count = |depth| octree.depth.iter().filter(|&&d| d == depth).count();
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(count), [1, 8, 64, 512, 3680, 16032, 37632]);
    let (a, b) = (0.6439091991027792, 1.092761790638842);
    let (c, d) = (0.4749571432291635, 0.8224976000626227);
    close(&octree.coeff[0], &[a, a, b, b, c, c, d, d]);
    let sum: f64 = octree.coeff.iter().flatten().map(|x| x.abs()).sum();
    close(&[sum], &[29605.89819097186]);
    assert!(octree.coeff.iter().flatten().any(|&x| x < 0.0));
}

#[test]
fn primitives_are_fitted() {
    let mesh = compile(&tetrahedron(), &MeshOptions::default(), &[]).unwrap();
    let [a, b, c] = mesh.inertia_box;
    let none = [0.0; 3];
    let (size, centre) = mesh.fit(FitShape::Sphere, false, 2.0, none);
    close(&size, &[2.0 * (a + b + c) / 3.0, 0.0, 0.0]);
    assert_eq!(centre, none);
    let radius = (a + b) / 2.0;
    close(&mesh.fit(FitShape::Capsule, false, 1.0, none).0, &[radius, c - radius / 2.0, 0.0]);
    close(&mesh.fit(FitShape::Box, false, 1.0, none).0, &[a, b, c]);

    let aabb = mesh.geom_aabb();
    let (size, centre) = mesh.fit(FitShape::Box, true, 1.0, none);
    close(&size, &aabb[3..]);
    close(&centre, &aabb[..3]);
    let (size, _) = mesh.fit(FitShape::Capsule, true, 1.0, none);
    close(&[size[0] + size[1]], &aabb[5..]);
    let far = mesh.vert.iter().map(|v| v.map(f64::from)).map(|v| pose::dot(&v, &v).sqrt());
    assert!(far.fold(0.0, f64::max) <= mesh.geom_rbound());
    close(&mesh.original_position(&none), &mesh.pos);
}
