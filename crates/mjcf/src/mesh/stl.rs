//! STL files: binary as MuJoCo reads them, and text.

use super::raw::{RawMesh, VertexMerger};
use super::{MeshBudget, MeshError, MeshFormat};

/// Bytes before the number of triangles.
const HEADER: usize = 80;
/// Bytes of a triangle: normal, three corners, attributes.
const TRIANGLE: usize = 50;
/// Most triangles of a file: MuJoCo's limit.
const MAX_TRIANGLES: usize = 200_000;
/// Largest coordinate: MuJoCo's limit.
const MAX_COORDINATE: f32 = (1u32 << 30) as f32;

/// What is wrong with a file of this format.
const fn error(problem: &'static str) -> MeshError {
    MeshError::File { format: MeshFormat::Stl, problem }
}

/// Reads a file. Corners at the same place become one vertex; a left-handed scale exchanges the
/// second and the third corner. MuJoCo: `mjCMesh::LoadSTL`, for binary files.
pub(super) fn read(
    bytes: &[u8],
    right_handed: bool,
    budget: &MeshBudget,
) -> Result<RawMesh, MeshError> {
    if bytes.is_empty() {
        return Err(error("it is empty"));
    }
    let mut soup = Soup { merger: VertexMerger::default(), face: Vec::new(), right_handed };
    // the size decides: binary files may begin with "solid", too
    match binary_triangles(bytes) {
        Ok(triangles) => {
            budget.check("faces", triangles.len(), budget.faces)?;
            soup.face.reserve_exact(triangles.len());
            for triangle in triangles {
                // the normal before the corners and the attributes after them do not count
                let numbers = triangle[12..48].as_chunks::<4>().0;
                soup.push(core::array::from_fn(|corner| {
                    core::array::from_fn(|i| f32::from_le_bytes(numbers[3 * corner + i]))
                }))?;
            }
        }
        Err(_) if bytes.trim_ascii_start().starts_with(b"solid") => {
            read_text(bytes, &mut soup, budget)?;
        }
        Err(error) => return Err(error),
    }
    budget.check("vertices", soup.merger.vertices.len(), budget.vertices)?;
    Ok(RawMesh { vert: soup.merger.vertices, face: soup.face, ..RawMesh::default() })
}

/// The triangles of a binary file.
fn binary_triangles(bytes: &[u8]) -> Result<&[[u8; TRIANGLE]], MeshError> {
    let count = bytes.get(HEADER..).and_then(|b| b.first_chunk()).ok_or(error("invalid header"))?;
    let count = u32::from_le_bytes(*count) as usize;
    // a text file read as binary has a count that is nonsense
    if !(1..=MAX_TRIANGLES).contains(&count) {
        return Err(error("the number of faces should be between 1 and 200000"));
    }
    let (triangles, rest) = bytes[HEADER + 4..].as_chunks();
    if triangles.len() != count || !rest.is_empty() {
        return Err(error("its size does not match its number of faces"));
    }
    Ok(triangles)
}

/// Reads the text form, of which only the corners matter.
fn read_text(bytes: &[u8], soup: &mut Soup, budget: &MeshBudget) -> Result<(), MeshError> {
    let text = core::str::from_utf8(bytes).map_err(|_| error("it is neither binary nor text"))?;
    // words in any arrangement of lines: "vertex" and three numbers, three times, then "endloop"
    let mut words = text.split_ascii_whitespace();
    let mut corners = Vec::with_capacity(3);
    while let Some(word) = words.next() {
        match word {
            "vertex" => {
                let mut corner = [0.0; 3];
                for x in &mut corner {
                    let number = words.next().and_then(|word| word.parse().ok());
                    *x = number.ok_or(error("a vertex must have three numbers"))?;
                }
                corners.push(corner);
            }
            "endloop" => {
                let corners: [_; 3] = core::mem::take(&mut corners)
                    .try_into()
                    .map_err(|_| error("a face must have three vertices"))?;
                soup.push(corners)?;
                budget.check("faces", soup.face.len(), budget.faces)?;
            }
            _ => {}
        }
    }
    if !corners.is_empty() || soup.face.is_empty() {
        return Err(error("the text ends before a face does"));
    }
    Ok(())
}

/// Triangles on the way to a mesh.
struct Soup {
    merger: VertexMerger,
    face: Vec<[i32; 3]>,
    right_handed: bool,
}

impl Soup {
    /// Adds a triangle.
    fn push(&mut self, corners: [[f32; 3]; 3]) -> Result<(), MeshError> {
        let mut ids = [0; 3];
        for (id, corner) in ids.iter_mut().zip(corners) {
            if corner.iter().any(|x| x.abs() > MAX_COORDINATE) {
                return Err(error("a vertex exceeds the maximum bounds"));
            }
            *id = self.merger.add(corner)?;
        }
        // mirrored: the other way round
        if !self.right_handed {
            ids.swap(1, 2);
        }
        self.face.push(ids);
        Ok(())
    }
}
