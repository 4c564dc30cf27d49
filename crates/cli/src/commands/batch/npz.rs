//! Arrays for numpy: a `.npz` file is an archive (ZIP) of `.npy` files, which are a header and the plain numbers.
use std::fs::File;
use std::io::{BufWriter, Error, ErrorKind, Result, Write};
use std::path::Path;

use ferrodyn::math::Real;

/// An archive that is being written. Its files are stored as they are, as `numpy.savez` does.
pub(super) struct Npz<W: Write> {
    out: W,
    /// Name, check sum, length and place of every file.
    files: Vec<(String, u32, u32, u32)>,
    /// How much has been written.
    written: u64,
}

/// The numbers of an array.
#[derive(Clone, Copy)]
pub(super) enum Values<'a> {
    Reals(&'a [Real]),
    /// Bytes that are zero or one.
    Flags(&'a [u8]),
}

impl Values<'_> {
    /// What numpy calls their type.
    fn kind(self) -> &'static str {
        match self {
            Values::Reals(_) if size_of::<Real>() == 4 => "<f4",
            Values::Reals(_) => "<f8",
            Values::Flags(_) => "|b1",
        }
    }

    fn bytes(self) -> Vec<u8> {
        match self {
            Values::Reals(values) => values.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Values::Flags(values) => values.to_vec(),
        }
    }
}

/// Signatures of the parts of an archive.
const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;

/// The version of the format that stored files need: 2.0.
const VERSION: u16 = 20;

/// The date of files without one: the first of January 1980.
const DATE: u16 = 0x21;

impl Npz<BufWriter<File>> {
    pub(super) fn create(path: &Path) -> Result<Self> {
        Ok(Npz::new(BufWriter::new(File::create(path)?)))
    }
}

impl<W: Write> Npz<W> {
    fn new(out: W) -> Npz<W> {
        Npz { out, files: Vec::new(), written: 0 }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    /// Add an array.
    pub(super) fn add(&mut self, name: &str, shape: &[usize], values: Values<'_>) -> Result<()> {
        let name = format!("{name}.npy");
        let mut content = header(values.kind(), shape);
        content.extend(values.bytes());
        let place = small(self.written)?;
        let length = small(content.len() as u64)?;
        let mut sum = crc32fast::Hasher::new();
        sum.update(&content);
        let sum = sum.finalize();
        self.put(&LOCAL.to_le_bytes())?;
        self.put(&common(sum, length, &name))?;
        self.put(name.as_bytes())?;
        self.put(&content)?;
        self.files.push((name, sum, length, place));
        Ok(())
    }

    /// Write the list of files, which ends the archive.
    pub(super) fn finish(mut self) -> Result<W> {
        let start = small(self.written)?;
        let files = std::mem::take(&mut self.files);
        for (name, sum, length, place) in &files {
            self.put(&CENTRAL.to_le_bytes())?;
            self.put(&VERSION.to_le_bytes())?;
            self.put(&common(*sum, *length, name))?;
            // no remark, first disk, no attributes
            self.put(&[0; 10])?;
            self.put(&place.to_le_bytes())?;
            self.put(name.as_bytes())?;
        }
        let length = small(self.written)? - start;
        let count = (files.len() as u16).to_le_bytes();
        self.put(&END.to_le_bytes())?;
        self.put(&[0; 4])?;
        self.put(&count)?;
        self.put(&count)?;
        self.put(&length.to_le_bytes())?;
        self.put(&start.to_le_bytes())?;
        self.put(&[0; 2])?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// What is said of a file both before it and in the list: version, flags, method (stored), time, date, check sum, twice the length, lengths of the
/// name and of what is extra.
fn common(sum: u32, length: u32, name: &str) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(VERSION.to_le_bytes());
    out.extend([0; 6]);
    out.extend(DATE.to_le_bytes());
    out.extend(sum.to_le_bytes());
    out.extend(length.to_le_bytes());
    out.extend(length.to_le_bytes());
    out.extend((name.len() as u16).to_le_bytes());
    out.extend([0; 2]);
    out
}

/// The archive has room for places and lengths of four bytes.
fn small(x: u64) -> Result<u32> {
    let message = "arrays of 4 GiB and more do not fit into the file: write fewer states (--every)";
    u32::try_from(x).map_err(|_| Error::new(ErrorKind::FileTooLarge, message))
}

/// The header of a `.npy` file: a magic word, the version, and a Python dictionary that is filled up to a multiple of 64 bytes.
fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let shape: String = shape.iter().map(|n| format!("{n},")).collect();
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    // ten bytes come before the text, and a line break ends it
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((text.len() as u16).to_le_bytes());
    out.extend(text.as_bytes());
    out
}
