//! Broken and malicious input is an error or a mesh, never a panic.

use proptest::prelude::*;

use super::files::{msh, obj, stl, text_stl};
use super::*;

/// Compiles with everything switched on that does not need a hull.
fn try_all(source: &MeshSource<'_>) {
    for inertia in [MeshInertia::Legacy, MeshInertia::Exact, MeshInertia::Shell] {
        let options = MeshOptions { inertia, ..MeshOptions::default() };
        let _ = compile(source, &options, &[]);
        let _ = compile(source, &options, &TETRAHEDRON_GRAPH);
    }
}

fn files() -> [(MeshFormat, Vec<u8>); 4] {
    [
        (MeshFormat::Stl, stl()),
        (MeshFormat::Stl, text_stl().into_bytes()),
        (MeshFormat::Obj, obj().into_bytes()),
        (MeshFormat::Msh, msh()),
    ]
}

#[test]
fn truncated_files() {
    for (format, bytes) in files() {
        for end in 0..bytes.len() {
            let file = Some((format, &bytes[..end]));
            let source = MeshSource { file, ..MeshSource::default() };
            try_all(&source);
            if format == MeshFormat::Msh || bytes[0] == 0 {
                assert!(RawMesh::read(&source, &[1.0; 3], &MeshBudget::default()).is_err());
            }
        }
    }
}

#[test]
fn counts_do_not_reserve_memory() {
    let mut file = stl();
    file[80..84].copy_from_slice(&200_000u32.to_le_bytes());
    let source = MeshSource { file: Some((MeshFormat::Stl, &file)), ..MeshSource::default() };
    assert!(RawMesh::read(&source, &[1.0; 3], &MeshBudget::default()).is_err());
    for count in [-1, i32::MAX, i32::MIN, 1 << 24] {
        for place in 0..4 {
            let mut file = msh();
            file[4 * place..4 * place + 4].copy_from_slice(&count.to_le_bytes());
            let source =
                MeshSource { file: Some((MeshFormat::Msh, &file)), ..MeshSource::default() };
            assert!(RawMesh::read(&source, &[1.0; 3], &MeshBudget::default()).is_err());
        }
    }
}

#[test]
fn budgets_hold_for_every_source() {
    let few_vertices = MeshBudget { vertices: 7, faces: 100 };
    let few_faces = MeshBudget { vertices: 100, faces: 11 };
    for (format, bytes) in files() {
        let source = MeshSource { file: Some((format, &bytes)), ..MeshSource::default() };
        for budget in [few_vertices, few_faces] {
            let error = RawMesh::read(&source, &[1.0; 3], &budget).unwrap_err();
            assert!(matches!(error, MeshError::Budget { .. }), "{error}");
        }
    }
    let vertex = [0.0; 24];
    let source = MeshSource { vertex: &vertex, ..MeshSource::default() };
    assert!(RawMesh::read(&source, &[1.0; 3], &few_vertices).is_err());
}

#[test]
fn malformed_hulls_are_refused() {
    let source = MeshSource { vertex: &TETRAHEDRON, ..MeshSource::default() };
    let mut graphs = vec![vec![1], vec![-1, -1], vec![i32::MAX, i32::MAX], vec![0, 0]];
    graphs.push(TETRAHEDRON_GRAPH[..37].to_vec());
    let mut outside = TETRAHEDRON_GRAPH.to_vec();
    outside[37] = 4;
    graphs.push(outside);
    for graph in graphs {
        assert!(compile(&source, &MeshOptions::default(), &graph).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn mutated_files(
        which in 0..4usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let (format, mut bytes) = files()[which].clone();
        for (index, value) in edits {
            let at = index.index(bytes.len());
            bytes[at] = value;
        }
        try_all(&MeshSource { file: Some((format, &bytes)), ..MeshSource::default() });
    }

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in [MeshFormat::Stl, MeshFormat::Obj, MeshFormat::Msh] {
            try_all(&MeshSource { file: Some((format, &bytes)), ..MeshSource::default() });
        }
    }

    #[test]
    fn obj_like_text(text in "((v|vn|vt|f|l|g|o)( [-0-9./e]{1,6}){0,5}\n){0,30}") {
        let file = Some((MeshFormat::Obj, text.as_bytes()));
        try_all(&MeshSource { file, ..MeshSource::default() });
    }

    #[test]
    fn arbitrary_numbers(
        vertex in prop::collection::vec(
            prop_oneof![-2f32..2., Just(0.), Just(1.), Just(f32::MAX), Just(1e-30)], 12..60),
        face in prop::collection::vec(0..8i32, 0..90),
    ) {
        let vertex = &vertex[..vertex.len() / 3 * 3];
        let face = &face[..face.len() / 3 * 3];
        let source = MeshSource { vertex, face, ..MeshSource::default() };
        try_all(&source);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn distances_of_arbitrary_faces(
        vertex in prop::collection::vec(prop_oneof![-2f32..2., Just(0.), Just(1.)], 12..24),
        face in prop::collection::vec(0..4i32, 3..30),
    ) {
        let vertex = &vertex[..vertex.len() / 3 * 3];
        let face = &face[..face.len() / 3 * 3];
        let source = MeshSource { vertex, face, ..MeshSource::default() };
        let options = MeshOptions {
            inertia: MeshInertia::Shell,
            need_sdf: true,
            ..MeshOptions::default()
        };
        let _ = compile(&source, &options, &[]);
    }
}
