//! Wavefront OBJ files, with the rules of the reader that MuJoCo uses: the first object or group
//! with faces is the mesh, polygons are cut into triangles, indices may count from the end.

use super::obj_number::{parse_int, parse_real};
use super::raw::RawMesh;
use super::triangulate::Triangulator;
use super::{MeshBudget, MeshError, MeshFormat};

/// An error in a file of this format.
pub(super) const fn error(problem: &'static str) -> MeshError {
    MeshError::File { format: MeshFormat::Obj, problem }
}

/// A corner of a polygon: vertex, texture coordinate and normal, -1 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    pub(super) vertex: i32,
    pub(super) texcoord: i32,
    pub(super) normal: i32,
}

/// Reads a file. A left-handed scale turns the faces over. MuJoCo: `mjCMesh::LoadOBJ`.
pub(super) fn read(
    bytes: &[u8],
    right_handed: bool,
    budget: &MeshBudget,
) -> Result<RawMesh, MeshError> {
    let mut reader = Reader::default();
    // what grows is checked while it grows
    for line in Lines(bytes) {
        reader.line(line)?;
        budget.check("vertices", reader.vert.len(), budget.vertices)?;
        budget.check("normals", reader.normal.len(), budget.vertices)?;
        budget.check("texture coordinates", reader.texcoord.len(), budget.vertices)?;
        budget.check("faces", reader.sizes.len(), budget.faces)?;
    }
    reader.end_object()?;
    let triangles = reader.triangles.unwrap_or_default();
    budget.check("faces", triangles.len(), budget.faces)?;

    // faces of a mirrored mesh go round the other way
    let pick = |index: fn(&Corner) -> i32| {
        let order = if right_handed { [0, 1, 2] } else { [0, 2, 1] };
        triangles.iter().map(|triangle| order.map(|k| index(&triangle[k]))).collect()
    };
    Ok(RawMesh {
        face: pick(|corner| corner.vertex),
        facenormal: if reader.normal.is_empty() { vec![] } else { pick(|corner| corner.normal) },
        facetexcoord: if reader.texcoord.is_empty() {
            vec![]
        } else {
            pick(|corner| corner.texcoord)
        },
        // the second texture coordinate runs the other way
        texcoord: reader.texcoord.iter().map(|t| [t[0], 1.0 - t[1]]).collect(),
        vert: reader.vert,
        normal: reader.normal,
    })
}

/// The lines of a text, ended by a line feed, a carriage return or both, and cut at a zero byte.
struct Lines<'a>(&'a [u8]);

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.0.is_empty() {
            return None;
        }
        // up to a line feed or carriage return, of which a pair is one
        let end = self.0.iter().position(|&c| c == b'\n' || c == b'\r').unwrap_or(self.0.len());
        let (line, rest) = self.0.split_at(end);
        self.0 = match rest {
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
            [] => rest,
        };
        let end = line.iter().position(|&c| c == 0).unwrap_or(line.len());
        Some(&line[..end])
    }
}

/// What has been read of a file.
#[derive(Default)]
struct Reader {
    vert: Vec<[f32; 3]>,
    normal: Vec<[f32; 3]>,
    texcoord: Vec<[f32; 2]>,
    /// Corners of the polygons of the current shape.
    corners: Vec<Corner>,
    /// Number of corners of each of those polygons.
    sizes: Vec<u32>,
    /// Whether the current shape has lines or points.
    other: bool,
    /// The triangles of the first shape, once it has ended.
    triangles: Option<Vec<[Corner; 3]>>,
}

impl Reader {
    /// Reads one line; those that begin with anything else are passed by.
    fn line(&mut self, line: &[u8]) -> Result<(), MeshError> {
        match skip_blank(line) {
            [b'v', b' ' | b'\t', rest @ ..] => self.vert.push(reals(rest)),
            [b'v', b'n', b' ' | b'\t', rest @ ..] => self.normal.push(reals(rest)),
            [b'v', b't', b' ' | b'\t', rest @ ..] => self.texcoord.push(reals(rest)),
            [b'f', b' ' | b'\t', rest @ ..] => {
                let count = self.read_corners(skip_blank(rest))?;
                if self.triangles.is_none() {
                    self.sizes.push(count as u32);
                } else {
                    // only the first shape counts, but all must be well formed
                    self.corners.clear();
                }
            }
            // lines and points are read, and forgotten
            [b'l' | b'p', b' ' | b'\t', rest @ ..] => {
                let count = self.read_corners(rest)?;
                self.corners.truncate(self.corners.len() - count);
                self.other = true;
            }
            [b'g', b' ' | b'\t', ..] => self.end_shape(false)?,
            [b'o', b' ' | b'\t', ..] => self.end_object()?,
            _ => {}
        }
        Ok(())
    }

    /// Reads corners to the end of a line and returns their number.
    fn read_corners(&mut self, mut rest: &[u8]) -> Result<usize, MeshError> {
        let start = self.corners.len();
        while !rest.is_empty() {
            let corner = self.read_corner(&mut rest);
            self.corners.push(corner.ok_or(error("a corner has no valid index"))?);
            rest = skip_blank(rest);
        }
        Ok(self.corners.len() - start)
    }

    /// Reads `v`, `v/t`, `v//n` or `v/t/n`.
    fn read_corner(&self, rest: &mut &[u8]) -> Option<Corner> {
        // v, then what may follow it
        let mut corner =
            Corner { vertex: index(parse_int(rest), self.vert.len())?, texcoord: -1, normal: -1 };
        if !next_field(rest) {
            return Some(corner);
        }
        // v//n
        if let [b'/', tail @ ..] = *rest {
            *rest = tail;
            corner.normal = index(parse_int(rest), self.normal.len())?;
            *rest = skip_field(rest);
            return Some(corner);
        }
        corner.texcoord = index(parse_int(rest), self.texcoord.len())?;
        if next_field(rest) {
            corner.normal = index(parse_int(rest), self.normal.len())?;
            *rest = skip_field(rest);
        }
        Some(corner)
    }

    /// Ends an object, which counts if it has anything in it.
    fn end_object(&mut self) -> Result<(), MeshError> {
        self.end_shape(self.other || !self.sizes.is_empty())
    }

    /// Ends a shape. The first one that has triangles, or that is to be kept without, is the mesh.
    fn end_shape(&mut self, keep_empty: bool) -> Result<(), MeshError> {
        // only the first shape with triangles counts
        if self.triangles.is_none() {
            // polygon by polygon, in the order of the file
            let mut triangulator = Triangulator::new(&self.vert, self.sizes.len());
            let mut rest = &self.corners[..];
            for &size in &self.sizes {
                let (polygon, tail) = rest.split_at(size as usize);
                triangulator.add(polygon)?;
                rest = tail;
            }
            if keep_empty || !triangulator.triangles.is_empty() {
                self.triangles = Some(triangulator.triangles);
            }
        }
        self.corners = Vec::new();
        self.sizes = Vec::new();
        self.other = false;
        Ok(())
    }
}

/// An index from 0, of one that counts from 1, or from the end if negative.
fn index(number: i32, count: usize) -> Option<i32> {
    match number {
        0 => None,
        1.. => Some(number - 1),
        _ => (count as i32).checked_add(number),
    }
}

/// What follows spaces and tabs.
fn skip_blank(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&c| c != b' ' && c != b'\t').unwrap_or(text.len());
    &text[start..]
}

/// What follows the rest of a field.
fn skip_field(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|c| b"/ \t".contains(c)).unwrap_or(text.len());
    &text[end..]
}

/// Goes to the next field of a corner, if there is one.
fn next_field(rest: &mut &[u8]) -> bool {
    *rest = skip_field(rest);
    match *rest {
        [b'/', tail @ ..] => {
            *rest = tail;
            true
        }
        _ => false,
    }
}

/// Numbers from the start of a line; those that are missing or malformed are 0.
fn reals<const N: usize>(mut rest: &[u8]) -> [f32; N] {
    core::array::from_fn(|_| {
        rest = skip_blank(rest);
        let end = rest.iter().position(|&c| c == b' ' || c == b'\t').unwrap_or(rest.len());
        let (word, tail) = rest.split_at(end);
        rest = tail;
        parse_real(word)
    })
}
