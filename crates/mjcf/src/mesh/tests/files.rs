//! One box in every format, and what the formats refuse.

use super::*;

/// Corners of a box of size 1 × 2 × 3, and its sides.
const CORNERS: [[f32; 3]; 8] = [
    [0., 0., 0.],
    [1., 0., 0.],
    [1., 2., 0.],
    [0., 2., 0.],
    [0., 0., 3.],
    [1., 0., 3.],
    [1., 2., 3.],
    [0., 2., 3.],
];
const SIDES: [[i32; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

fn faces() -> Vec<[i32; 3]> {
    SIDES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect()
}

pub(super) fn stl() -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend(12u32.to_le_bytes());
    for face in faces() {
        bytes.extend([0; 12]);
        for x in face.iter().flat_map(|&id| CORNERS[id as usize]) {
            bytes.extend(x.to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    bytes
}

pub(super) fn text_stl() -> String {
    let mut text = String::from("solid box\n");
    for face in faces() {
        text += " facet normal 0 0 0\n  outer loop\n";
        for [x, y, z] in face.map(|id| CORNERS[id as usize]) {
            text += &format!("   vertex {x} {y} {z:e}\n");
        }
        text += "  endloop\n endfacet\n";
    }
    text + "endsolid box\n"
}

pub(super) fn obj() -> String {
    let mut text = String::from("# a box\nmtllib none.mtl\no box\n");
    for [x, y, z] in CORNERS {
        text += &format!("v {x} {y} {z:.6}\nvt {x} {y}\n");
    }
    text += "vn 0 0 1\nusemtl none\ns off\n";
    for side in SIDES {
        text += "f";
        for id in side {
            text += &format!(" {}/{}/1", id + 1, id - 8);
        }
        text += "\n";
    }
    text + "o second\nf 1 2 3\n"
}

pub(super) fn msh() -> Vec<u8> {
    let mut bytes: Vec<u8> = [8i32, 0, 8, 12].iter().flat_map(|n| n.to_le_bytes()).collect();
    bytes.extend(CORNERS.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend([0.5f32; 16].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(faces().as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

fn read(format: MeshFormat, bytes: &[u8]) -> Result<CompiledMesh, MeshError> {
    let source = MeshSource { file: Some((format, bytes)), ..MeshSource::default() };
    compile(&source, &MeshOptions::default(), &TETRAHEDRON_GRAPH)
}

#[test]
fn all_formats_give_the_same_box() {
    let face = faces();
    let source = MeshSource {
        vertex: CORNERS.as_flattened(),
        face: face.as_flattened(),
        ..MeshSource::default()
    };
    let inline = compile(&source, &MeshOptions::default(), &[]).unwrap();
    close(&[inline.volume], &[6.0]);
    close(&inline.pos, &[0.5, 1.0, 1.5]);
    close(&inline.inertia_box, &[0.5, 1.0, 1.5]);
    assert_eq!(inline.polygons.vertnum, [4; 6]);
    assert_eq!(inline.tree.nodeid.len(), 23);

    let files = [
        read(MeshFormat::Stl, &stl()),
        read(MeshFormat::Stl, text_stl().as_bytes()),
        read(MeshFormat::Obj, obj().as_bytes()),
        read(MeshFormat::Obj, obj().replace('\n', "\r\n").as_bytes()),
        read(MeshFormat::Msh, &msh()),
    ];
    for mesh in files.map(Result::unwrap) {
        assert_eq!((mesh.vert.len(), mesh.face.len()), (8, 12));
        close(&[mesh.volume], &[6.0]);
        close(&mesh.pos, &inline.pos);
        close(&mesh.inertia_box, &inline.inertia_box);
        assert_eq!(mesh.polygons.vertnum, [4; 6]);
    }
}

#[test]
fn corners_of_stl_files_are_merged_in_order() {
    let mesh = RawMesh::read(
        &MeshSource { file: Some((MeshFormat::Stl, &stl())), ..MeshSource::default() },
        &[1.0, -1.0, 1.0],
        &MeshBudget::default(),
    )
    .unwrap();
    // the mirror exchanges the second and the third corner
    assert_eq!(mesh.face[..3], [[0, 2, 1], [0, 3, 2], [4, 6, 5]]);
    assert_eq!(mesh.vert[1], CORNERS[3]);
}

#[test]
fn indices_of_obj_files() {
    let text = obj();
    let source =
        MeshSource { file: Some((MeshFormat::Obj, text.as_bytes())), ..MeshSource::default() };
    let mesh = RawMesh::read(&source, &[1.0; 3], &MeshBudget::default()).unwrap();
    // an ear is cut from the first corner that can be one; texture indices count from the end
    assert_eq!(mesh.face[..2], [[0, 3, 2], [0, 2, 1]]);
    assert_eq!(mesh.facetexcoord, mesh.face);
    assert_eq!(mesh.facenormal, [[0; 3]; 12]);
    assert_eq!(mesh.texcoord[2], [1.0, -1.0]);
    let left = RawMesh::read(&source, &[-1.0, 1.0, 1.0], &MeshBudget::default()).unwrap();
    assert_eq!(left.face[0], [0, 2, 3]);
}

#[test]
fn concave_polygons_are_cut_into_ears() {
    let text = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nf 1 2 3 4 5 6\n";
    let source =
        MeshSource { file: Some((MeshFormat::Obj, text.as_bytes())), ..MeshSource::default() };
    let mesh = RawMesh::read(&source, &[1.0; 3], &MeshBudget::default()).unwrap();
    assert_eq!(mesh.face, [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]);

    // polygons of more than 100 corners are left out
    for (corners, faces) in [(100, 98), (101, 0)] {
        let circle = |i: i32| f64::from(i) * core::f64::consts::TAU / f64::from(corners);
        let mut text: String = (0..corners)
            .map(|i| format!("v {} {} 0\n", libm::cos(circle(i)), libm::sin(circle(i))))
            .collect();
        text += "f";
        text.extend((1..=corners).map(|i| format!(" {i}")));
        let source =
            MeshSource { file: Some((MeshFormat::Obj, text.as_bytes())), ..MeshSource::default() };
        let mesh = RawMesh::read(&source, &[1.0; 3], &MeshBudget::default()).unwrap();
        assert_eq!(mesh.face.len(), faces);
    }
}

#[test]
fn data_beside_a_file() {
    let stl = stl();
    let texcoord = [0.25; 16];
    let source = MeshSource {
        file: Some((MeshFormat::Stl, &stl)),
        texcoord: &texcoord,
        ..MeshSource::default()
    };
    let mesh = compile(&source, &MeshOptions::default(), &[]).unwrap();
    assert_eq!((mesh.texcoord.len(), &mesh.facetexcoord), (8, &mesh.face));
    let short = MeshSource { texcoord: &texcoord[..4], ..source };
    let error = compile(&short, &MeshOptions::default(), &[]).unwrap_err();
    assert_eq!(error, MeshError::Texcoord);
    let twice = MeshSource { vertex: &TETRAHEDRON, ..source };
    let error = compile(&twice, &MeshOptions::default(), &[]).unwrap_err();
    assert_eq!(error, MeshError::Repeated("vertex"));
}

#[test]
fn normals_of_the_model_are_one_or_more_per_vertex() {
    let normal = [[0f32, 0., 2.]; 8];
    let source = MeshSource { normal: normal.as_flattened(), ..tetrahedron() };
    let mesh = compile(&source, &MeshOptions::default(), &[]).unwrap();
    assert_eq!(mesh.normal.len(), 8);
    assert_eq!(mesh.facenormal[0], [0, 4, 2]);
}

#[test]
fn formats_are_told_by_content_type_or_extension() {
    for (name, content_type, format) in [
        ("a.STL", "", Some(MeshFormat::Stl)),
        ("dir.x/a.obj", "", Some(MeshFormat::Obj)),
        ("a.b.msh", "", Some(MeshFormat::Msh)),
        ("a.obj", "model/stl", Some(MeshFormat::Stl)),
        ("a", "model/obj;charset=utf-8", Some(MeshFormat::Obj)),
        ("a", "model/vnd.mujoco.msh", Some(MeshFormat::Msh)),
        ("a", "", None),
        ("a.ply", "", None),
        ("a.stl", "model/ply", None),
        ("a.stl", "model", None),
        ("a.stl", "model/", None),
        ("a.stl", "model/stl;x", None),
    ] {
        assert_eq!(MeshFormat::detect(name, content_type).ok(), format, "{name} {content_type}");
    }
}

fn inline<'a>(vertex: &'a [f32], face: &'a [i32]) -> MeshSource<'a> {
    MeshSource { vertex, face, ..MeshSource::default() }
}

#[test]
fn what_no_mesh_may_be() {
    let run = |source: &MeshSource<'_>, inertia| {
        let options = MeshOptions { inertia, ..MeshOptions::default() };
        compile(source, &options, &[]).unwrap_err()
    };
    let legacy = MeshInertia::Legacy;

    let error = run(&inline(&TETRAHEDRON[..11], &[]), legacy);
    assert_eq!(error, MeshError::Width { what: "vertex", width: 3, found: 11 });
    assert_eq!(run(&inline(&TETRAHEDRON[..9], &[]), legacy), MeshError::TooFewVertices(3));
    assert_eq!(run(&inline(&TETRAHEDRON, &[]), legacy), MeshError::Hull("no hull".to_owned()));
    for vertex in [4, -1] {
        let error = run(&inline(&TETRAHEDRON, &[0, 1, 2, 1, 2, vertex]), legacy);
        assert_eq!(error, MeshError::FaceIndex { face: 1, vertex });
    }
    let mut vertex = TETRAHEDRON;
    vertex[4] = f32::INFINITY;
    assert_eq!(run(&inline(&vertex, &TETRAHEDRON_FACE), legacy), MeshError::NotFinite(1));

    let same_way = [0, 1, 2, 0, 3, 2, 0, 1, 3, 1, 2, 3];
    let error = run(&inline(&TETRAHEDRON, &same_way), MeshInertia::Exact);
    assert_eq!(error, MeshError::Orientation(1, 2));
    let mut inside_out = TETRAHEDRON_FACE;
    inside_out.chunks_mut(3).for_each(<[i32]>::reverse);
    let error = run(&inline(&TETRAHEDRON, &inside_out), MeshInertia::Exact);
    assert_eq!(error, MeshError::NegativeVolume);
    let error = run(&inline(&TETRAHEDRON, &[0, 1, 2]), legacy);
    assert_eq!(error, MeshError::SmallVolume);
    assert_eq!(run(&inline(&[0.0; 12], &[0, 1, 2]), legacy), MeshError::SmallSurface);
    for scale in [1e60, 1e200] {
        let options = MeshOptions { scale: [scale; 3], ..MeshOptions::default() };
        let error = compile(&tetrahedron(), &options, &[]).unwrap_err();
        assert!(matches!(error, MeshError::Inertia(_) | MeshError::NotFinite(_)), "{error}");
    }
}
