//! MSH files, MuJoCo's own binary format: four counts (vertices, normals, texture coordinates,
//! faces), then the data in that order.

use super::raw::RawMesh;
use super::{MeshBudget, MeshError, MeshFormat};

/// What is wrong with a file of this format.
const fn error(problem: &'static str) -> MeshError {
    MeshError::File { format: MeshFormat::Msh, problem }
}

/// Reads a file. A left-handed scale turns the faces over. MuJoCo: `mjCMesh::LoadMSH`.
pub(super) fn read(
    bytes: &[u8],
    right_handed: bool,
    budget: &MeshBudget,
) -> Result<RawMesh, MeshError> {
    if bytes.is_empty() {
        return Err(error("it is empty"));
    }
    let (words, rest) = bytes.as_chunks::<4>();
    let (counts, mut body) = words.split_first_chunk::<4>().ok_or(error("missing header"))?;
    let [vertices, normals, texcoords, faces] =
        counts.map(|word| usize::try_from(i32::from_le_bytes(word)).ok());
    let (Some(vertices), Some(normals), Some(texcoords), Some(faces)) =
        (vertices, normals, texcoords, faces)
    else {
        return Err(error("invalid sizes"));
    };
    // normals and texture coordinates come one for each vertex, or not at all
    if vertices < 4
        || (normals > 0 && normals != vertices)
        || (texcoords > 0 && texcoords != vertices)
    {
        return Err(error("invalid sizes"));
    }
    budget.check("vertices", vertices, budget.vertices)?;
    budget.check("faces", faces, budget.faces)?;
    // the numbers that must follow, in 64 bits, where counts of 32 cannot overflow
    let expected = 3 * (vertices as u64 + normals as u64 + faces as u64) + 2 * texcoords as u64;
    if body.len() as u64 != expected || !rest.is_empty() {
        return Err(error("unexpected size"));
    }

    let mut mesh = RawMesh {
        vert: take(&mut body, vertices, f32::from_le_bytes),
        normal: take(&mut body, normals, f32::from_le_bytes),
        texcoord: take(&mut body, texcoords, f32::from_le_bytes),
        face: take(&mut body, faces, i32::from_le_bytes),
        ..RawMesh::default()
    };
    // normals and texture coordinates keep the order of the file
    mesh.facenormal = mesh.face.clone();
    if texcoords > 0 {
        mesh.facetexcoord = mesh.face.clone();
    }
    if !right_handed {
        for face in &mut mesh.face {
            face.swap(1, 2);
        }
    }
    Ok(mesh)
}

/// Takes rows from the front of the data.
fn take<T, const N: usize>(
    body: &mut &[[u8; 4]],
    rows: usize,
    decode: fn([u8; 4]) -> T,
) -> Vec<[T; N]> {
    let (front, rest) = body.split_at(N * rows);
    *body = rest;
    front.as_chunks::<N>().0.iter().map(|row| row.map(decode)).collect()
}
