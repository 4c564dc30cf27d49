//! Skins: vertices that hang on bones. Their file format is `.skn`, little-endian:
//!
//! ```text
//! i32  vertices, texture coordinates, faces, bones
//! f32  3 for each vertex, 2 for each texture coordinate
//! i32  3 for each face
//! then for each bone
//!      40 bytes: name of its body, ended by a zero byte
//! f32  3: position, 4: orientation in the bind pose
//! i32  number of its vertices, then their numbers
//! f32  their weights
//! ```

use crate::cache::Asset;

/// Bytes of the name of a body in a file, the last of which is zero.
const NAME: usize = 40;

/// A skin, as it is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Skin {
    pub(crate) vertex: Vec<f32>,
    pub(crate) texcoord: Vec<f32>,
    pub(crate) face: Vec<i32>,
    pub(crate) bones: Vec<Bone>,
}

/// A bone of a skin.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bone {
    pub(crate) body: String,
    pub(crate) pos: [f32; 3],
    pub(crate) quat: [f32; 4],
    pub(crate) ids: Vec<i32>,
    pub(crate) weights: Vec<f32>,
}

impl Asset for Skin {
    fn bytes(&self) -> usize {
        let bones = self.bones.iter().map(|b| size_of::<Bone>() + b.body.len() + 8 * b.ids.len());
        4 * (self.vertex.len() + self.texcoord.len() + self.face.len()) + bones.sum::<usize>()
    }
}

/// What is left of a file.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The next bytes; an error that says what they should have been.
    fn take(&mut self, bytes: usize, what: &dyn Fn() -> String) -> Result<&'a [u8], String> {
        match self.rest.split_at_checked(bytes) {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(taken)
            }
            None => Err(format!(
                "the file ends within {}: {bytes} bytes expected, {} left",
                what(),
                self.rest.len()
            )),
        }
    }

    /// The next numbers, made from four bytes each. Nothing is allocated for numbers that are not there.
    fn numbers<T>(
        &mut self,
        count: usize,
        number: fn([u8; 4]) -> T,
        what: &dyn Fn() -> String,
    ) -> Result<Vec<T>, String> {
        let bytes = self.take(count.saturating_mul(4), what)?;
        let words = bytes.chunks_exact(4).filter_map(|word| word.try_into().ok());
        Ok(words.map(number).collect())
    }
}

/// Reads a `.skn` file.
pub(crate) fn read_skn(bytes: &[u8]) -> Result<Skin, String> {
    let mut reader = Reader { rest: bytes };
    let header = reader.numbers(4, i32::from_le_bytes, &|| String::from("its header"))?;
    let mut counts = [0; 4];
    let words = ["vertices", "texture coordinates", "faces", "bones"];
    for ((count, given), word) in counts.iter_mut().zip(&header).zip(words) {
        *count = usize::try_from(*given)
            .map_err(|_| format!("the file has a negative number of {word}, {given}"))?;
    }
    let [vertices, texcoords, faces, bones] = counts;
    let what = |count: usize, word: &str| format!("its {count} {word}");
    let reals = f32::from_le_bytes;
    let mut skin = Skin {
        vertex: reader.numbers(vertices.saturating_mul(3), reals, &|| what(vertices, words[0]))?,
        texcoord: reader
            .numbers(texcoords.saturating_mul(2), reals, &|| what(texcoords, words[1]))?,
        face: reader
            .numbers(faces.saturating_mul(3), i32::from_le_bytes, &|| what(faces, words[2]))?,
        bones: Vec::new(),
    };
    for i in 0..bones {
        skin.bones.push(read_bone(&mut reader, i, bones)?);
    }
    match reader.rest.len() {
        0 => Ok(skin),
        left => Err(format!("the file has {left} bytes after its last bone")),
    }
}

fn read_bone(reader: &mut Reader<'_>, i: usize, of: usize) -> Result<Bone, String> {
    let what = || format!("bone {i} of {of}");
    let name = reader.take(NAME, &what)?;
    let end = name[..NAME - 1].iter().position(|b| *b == 0).unwrap_or(NAME - 1);
    let pose = reader.numbers(7, f32::from_le_bytes, &what)?;
    let count = reader.numbers(1, i32::from_le_bytes, &what)?[0];
    let vertices = usize::try_from(count)
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| format!("bone {i} has {count} vertices, but the number must be positive"))?;
    let parts = || format!("the {vertices} vertices of bone {i}");
    Ok(Bone {
        body: String::from_utf8_lossy(&name[..end]).into_owned(),
        pos: core::array::from_fn(|k| pose[k]),
        quat: core::array::from_fn(|k| pose[3 + k]),
        ids: reader.numbers(vertices, i32::from_le_bytes, &parts)?,
        weights: reader.numbers(vertices, f32::from_le_bytes, &parts)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with one triangle on one bone.
    fn file() -> Vec<u8> {
        let mut bytes = Vec::new();
        let ints = |bytes: &mut Vec<u8>, list: &[i32]| {
            bytes.extend(list.iter().flat_map(|x| x.to_le_bytes()));
        };
        let reals = |bytes: &mut Vec<u8>, list: &[f32]| {
            bytes.extend(list.iter().flat_map(|x| x.to_le_bytes()));
        };
        ints(&mut bytes, &[3, 3, 1, 1]);
        reals(&mut bytes, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        reals(&mut bytes, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
        ints(&mut bytes, &[0, 1, 2]);
        let mut name = [0; NAME];
        name[..3].copy_from_slice(b"arm");
        bytes.extend(name);
        reals(&mut bytes, &[1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
        ints(&mut bytes, &[3, 0, 1, 2]);
        reals(&mut bytes, &[1.0, 2.0, 3.0]);
        bytes
    }

    #[test]
    fn a_file_is_read_to_its_end() {
        let skin = read_skn(&file()).unwrap();
        assert_eq!((skin.vertex.len(), skin.texcoord.len(), skin.face.len()), (9, 6, 3));
        let bone = &skin.bones[0];
        assert_eq!((bone.body.as_str(), bone.pos, bone.quat[0]), ("arm", [1.0, 2.0, 3.0], 1.0));
        assert_eq!(
            (bone.ids.as_slice(), bone.weights.as_slice()),
            (&[0, 1, 2][..], &[1.0, 2.0, 3.0][..])
        );
    }

    #[test]
    fn a_file_that_ends_early_or_late_is_refused_with_the_place() {
        let whole = file();
        for length in 0..whole.len() {
            assert!(read_skn(&whole[..length]).is_err(), "{length}");
        }
        let says = |bytes: &[u8], words: &str| {
            let message = read_skn(bytes).unwrap_err();
            assert!(message.contains(words), "{message}");
        };
        says(&whole[..10], "the file ends within its header: 16 bytes expected, 10 left");
        says(&whole[..40], "its 3 vertices");
        says(&whole[..60], "its 3 texture coordinates");
        says(&whole[..80], "its 1 faces");
        says(&whole[..120], "bone 0 of 1");
        says(&whole[..whole.len() - 4], "the 3 vertices of bone 0");
        says(&[whole.as_slice(), &[0; 3]].concat(), "3 bytes after its last bone");
    }

    #[test]
    fn sizes_are_checked_before_memory_is_spent() {
        for at in 0..4 {
            for count in [-1, i32::MIN, i32::MAX] {
                let mut bytes = file();
                bytes[4 * at..4 * at + 4].copy_from_slice(&i32::to_le_bytes(count));
                assert!(read_skn(&bytes).is_err(), "{at} {count}");
            }
        }
        let mut bytes = file();
        let count = bytes.len() - 28;
        for wrong in [0, -3, i32::MAX] {
            bytes[count..count + 4].copy_from_slice(&i32::to_le_bytes(wrong));
            assert!(read_skn(&bytes).is_err(), "{wrong}");
        }
    }
}
