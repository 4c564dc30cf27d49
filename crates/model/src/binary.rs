//! Binary save and load.
//!
//! A file is a header (magic, version, scalar size, number of sizes), the sizes, the settings and
//! then every array of the table in order, little-endian, each from a multiple of eight bytes on: a file
//! in memory is a model as it is. It belongs to one version of the table: a file of another version is
//! refused, never guessed at.
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

use bytemuck::Pod;
use ferrodyn_math::Real;

#[cfg(feature = "alloc")]
use crate::Storage;
use crate::{Borrowed, InvalidModel, Model, ModelRef, Options, Sizes, Statistic, Visual};

const MAGIC: [u8; 8] = *b"FERRODYN";
/// Changes whenever the tables or the layout of the file change.
const VERSION: u32 = 2;

/// The input ended before the value did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truncated;

/// Why a binary model was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// The file does not begin as a model file does.
    NotAModel,
    /// The file was written by another version of the format.
    Version {
        /// Version found.
        found: u32,
        /// Version that can be read.
        expected: u32,
    },
    /// The file holds reals of another width.
    RealSize {
        /// Bytes per real in the file.
        found: u32,
        /// Bytes per real in this build.
        expected: u32,
    },
    /// The length of the file does not fit the sizes it states.
    Length,
    /// A world of this model would be larger than the budget.
    TooLarge {
        /// The size that is too large.
        size: &'static str,
    },
    /// The bytes do not begin at a multiple of eight, so that they cannot be used where they are.
    Unaligned,
    /// There is too little memory for checking the model.
    NoRoom {
        /// Words of eight bytes that are missing.
        missing: usize,
    },
    /// The arrays contradict each other.
    Invalid(InvalidModel),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NotAModel => write!(f, "not a binary model"),
            LoadError::Version { found, expected } => {
                write!(f, "binary model has version {found}, expected {expected}")
            }
            LoadError::RealSize { found, expected } => {
                write!(f, "binary model has {found}-byte reals, expected {expected}-byte reals")
            }
            LoadError::Length => write!(f, "binary model is truncated or too long"),
            LoadError::TooLarge { size } => {
                write!(f, "binary model asks for more memory than the budget allows ({size})")
            }
            LoadError::Unaligned => {
                write!(f, "binary model does not begin at a multiple of eight bytes")
            }
            LoadError::NoRoom { missing } => {
                write!(f, "checking a binary model needs {missing} more words of memory")
            }
            LoadError::Invalid(e) => write!(f, "binary model is inconsistent: {e}"),
        }
    }
}

impl core::error::Error for LoadError {}

impl From<Truncated> for LoadError {
    fn from(_: Truncated) -> LoadError {
        LoadError::Length
    }
}

/// Most values of one kind that a world may have without any of them being in the file.
const WORLD_BUDGET: usize = 1 << 24;

/// Sizes that only worlds have arrays of, so that the length of the file says nothing about them.
fn check_world(sizes: &Sizes) -> Result<(), LoadError> {
    let only_in_worlds = [
        ("na", sizes.na),
        ("nuserdata", sizes.nuserdata),
        ("nsensordata", sizes.nsensordata),
        ("npluginstate", sizes.npluginstate),
        ("nhistory", sizes.nhistory),
        ("nJmom", sizes.nJmom),
        ("nbvhdynamic", sizes.nbvhdynamic),
        ("nmocap", sizes.nmocap),
        ("ntendon", sizes.ntendon.saturating_mul(sizes.nv)),
    ];
    match only_in_worlds.into_iter().find(|&(_, n)| n > WORLD_BUDGET) {
        Some((size, _)) => Err(LoadError::TooLarge { size }),
        None => Ok(()),
    }
}

/// A cursor over the bytes of a file.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// The next value.
    pub(crate) fn read<T: Pod>(&mut self) -> Result<T, Truncated> {
        let (head, rest) = self.rest.split_at_checked(size_of::<T>()).ok_or(Truncated)?;
        self.rest = rest;
        Ok(bytemuck::pod_read_unaligned(head))
    }
}

/// What an array or the header is filled up with, so that it ends at a multiple of eight bytes.
#[cfg(feature = "alloc")]
const FILL: [u8; 8] = [0; 8];

#[cfg(feature = "alloc")]
impl<S: Storage> Model<S> {
    /// The model as a binary file. MuJoCo: `mj_saveModel`, whose format is another one.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(&MAGIC);
        for word in [VERSION, size_of::<Real>() as u32, Sizes::COUNT as u32, Self::ARRAYS as u32] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        for (_, n, _) in self.sizes.all() {
            out.extend_from_slice(&(n as u64).to_le_bytes());
        }
        out.extend_from_slice(&self.sizes.njmax.to_le_bytes());
        out.extend_from_slice(&self.sizes.nconmax.to_le_bytes());
        out.extend_from_slice(&self.signature.to_le_bytes());
        self.opt.write(&mut out);
        self.stat.write(&mut out);
        self.vis.write(&mut out);
        let fill = |out: &mut Vec<u8>| {
            out.extend_from_slice(&FILL[..out.len().next_multiple_of(8) - out.len()]);
        };
        fill(&mut out);
        for array in self.arrays() {
            out.extend_from_slice(array.bytes);
            fill(&mut out);
        }
        out
    }
}

impl<'a> ModelRef<'a> {
    /// The model in the image of a file that [`Model::to_bytes`] wrote, used where it lies. The image begins at a multiple of
    /// eight bytes.
    ///
    /// The length is checked against the sizes, and every reference from one array into another is checked before the model is
    /// returned, in memory of at least [`Model::validation_words`].
    ///
    /// ```
    /// use ferrodyn_model::{Model, ModelRef, Sizes};
    /// let model = Model::zeroed(Sizes { nuserdata: 2, ..Sizes::default() });
    /// let mut image = vec![0u64; model.to_bytes().len() / 8];
    /// bytemuck::must_cast_slice_mut(&mut image).copy_from_slice(&model.to_bytes());
    /// let in_place = ModelRef::from_image(bytemuck::must_cast_slice(&image), &mut [0; 64])?;
    /// assert_eq!(in_place.to_owned(), model);
    /// # Ok::<(), ferrodyn_model::LoadError>(())
    /// ```
    pub fn from_image(image: &'a [u8], memory: &mut [u64]) -> Result<ModelRef<'a>, LoadError> {
        let model = ModelRef::unchecked(image)?;
        model.validate_in(memory)?;
        Ok(model)
    }

    /// The model in an image that [`Model::to_bytes`] of this build wrote, of a model that is valid: references from one array into another are not
    /// checked again. For memory to which only images of valid models come, such as that of a GPU.
    pub fn from_written_image(image: &'a [u8]) -> Result<ModelRef<'a>, LoadError> {
        ModelRef::unchecked(image)
    }

    /// The model in an image, whose references were not checked.
    fn unchecked(image: &'a [u8]) -> Result<ModelRef<'a>, LoadError> {
        let mut input = Reader { rest: image };
        if input.read::<[u8; 8]>().ok() != Some(MAGIC) {
            return Err(LoadError::NotAModel);
        }
        let found = u32::from_le_bytes(input.read()?);
        if found != VERSION {
            return Err(LoadError::Version { found, expected: VERSION });
        }
        let (found, expected) = (u32::from_le_bytes(input.read()?), size_of::<Real>() as u32);
        if found != expected {
            return Err(LoadError::RealSize { found, expected });
        }
        let counts = [u32::from_le_bytes(input.read()?), u32::from_le_bytes(input.read()?)];
        if counts != [Sizes::COUNT as u32, Self::ARRAYS as u32] {
            return Err(LoadError::NotAModel);
        }

        let mut values = [0usize; Sizes::COUNT];
        for v in &mut values {
            *v = usize::try_from(u64::from_le_bytes(input.read()?))
                .map_err(|_| LoadError::Length)?;
        }
        let mut sizes = Sizes::from_values(&values);
        sizes.njmax = i64::from_le_bytes(input.read()?);
        sizes.nconmax = i64::from_le_bytes(input.read()?);
        let signature = u64::from_le_bytes(input.read()?);
        let opt = Options::read(&mut input)?;
        let stat = Statistic::read(&mut input)?;
        let vis = Visual::read(&mut input)?;
        let fill = (image.len() - input.rest.len()).next_multiple_of(8);
        let arrays = image.get(fill..).ok_or(LoadError::Length)?;
        if !(image.as_ptr() as usize).is_multiple_of(8) {
            return Err(LoadError::Unaligned);
        }
        let model = Model::<Borrowed<'a>>::in_memory(sizes, arrays).ok_or(LoadError::Length)?;
        check_world(&model.sizes)?;
        Ok(Model { signature, opt, stat, vis, ..model })
    }
}

#[cfg(feature = "alloc")]
impl Model {
    /// Read a model that [`Model::to_bytes`] wrote. MuJoCo: `mj_loadModel`, `mj_loadModelBuffer`.
    ///
    /// The length is checked against the sizes before memory is spent on the model, and every reference
    /// from one array into another is checked before the model is returned.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, LoadError> {
        let mut aligned = Vec::new();
        let image = if (bytes.as_ptr() as usize).is_multiple_of(8) {
            bytes
        } else {
            aligned.resize(bytes.len().div_ceil(8), 0u64);
            let copy = &mut bytemuck::must_cast_slice_mut::<u64, u8>(&mut aligned)[..bytes.len()];
            copy.copy_from_slice(bytes);
            copy
        };
        let model = ModelRef::unchecked(image)?;
        model.validate().map_err(LoadError::Invalid)?;
        Ok(model.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world_only() -> Model {
        let mut m = Model::zeroed(Sizes { nbody: 1, nnames: 1, ..Sizes::default() });
        m.body_jntadr[0] = -1;
        m.body_dofadr[0] = -1;
        m.body_geomadr[0] = -1;
        m.body_mocapid[0] = -1;
        m.body_plugin[0] = -1;
        m.body_treeid[0] = -1;
        m.body_bvhadr[0] = -1;
        m.signature = 42;
        m.opt.timestep = 0.005;
        m.vis.rgba.fog[1] = 0.25;
        m
    }

    #[test]
    fn model_round_trips_through_bytes() {
        let m = world_only();
        assert_eq!(Model::from_bytes(&m.to_bytes()).unwrap(), m);
    }

    #[test]
    fn every_truncation_is_refused() {
        let bytes = world_only().to_bytes();
        for n in (0..bytes.len()).step_by(7) {
            assert!(Model::from_bytes(&bytes[..n]).is_err(), "accepted {n} bytes");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert_eq!(Model::from_bytes(&longer), Err(LoadError::Length));
    }

    #[test]
    fn huge_sizes_are_refused_before_memory_is_spent() {
        let mut bytes = world_only().to_bytes();
        let first_size = 8 + 16;
        bytes[first_size..first_size + 8].copy_from_slice(&(u64::MAX >> 8).to_le_bytes());
        assert_eq!(Model::from_bytes(&bytes), Err(LoadError::Length));
    }

    #[test]
    fn worlds_beyond_the_budget_are_refused() {
        let mut m = world_only();
        m.sizes.nuserdata = 1 << 30;
        assert_eq!(
            Model::from_bytes(&m.to_bytes()),
            Err(LoadError::TooLarge { size: "nuserdata" })
        );
    }

    #[test]
    fn dangling_references_are_refused() {
        let mut m = world_only();
        m.body_geomadr[0] = 5;
        m.body_geomnum[0] = 1;
        assert!(matches!(Model::from_bytes(&m.to_bytes()), Err(LoadError::Invalid(_))));
    }
}
