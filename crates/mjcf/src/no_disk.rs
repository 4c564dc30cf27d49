//! The disk of builds without the feature `fs`, on which there are no files. The names are those of `disk.rs`.

use std::io;
use std::path::{Path, PathBuf};

/// Whether there is a disk.
pub(crate) const IS_THERE: bool = false;

/// What is said of a file that is nowhere.
pub(crate) const CANNOT_FIND: &str =
    "cannot find in memory (this build has no access to a disk) the file";

/// One state of a file on disk: there is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FileStamp {}

impl FileStamp {
    /// Bytes of the file.
    pub(crate) fn len(&self) -> u64 {
        match *self {}
    }
}

/// A file on disk: there is none.
#[derive(Debug)]
pub(crate) enum DiskFile {}

impl DiskFile {
    /// No file.
    pub(crate) fn find(_name: &str) -> Option<Self> {
        None
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        match *self {}
    }

    /// What tells this state of the file from others.
    pub(crate) fn stamp(&self) -> Option<FileStamp> {
        match *self {}
    }

    /// The bytes.
    pub(crate) fn read(self, _limit: usize) -> io::Result<Option<Vec<u8>>> {
        match self {}
    }
}

/// No path leads anywhere.
pub(crate) fn canonical(_path: &Path) -> io::Result<PathBuf> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The path as it is: names of files in memory have no root.
pub(crate) fn absolute(path: &Path) -> io::Result<PathBuf> {
    Ok(path.to_path_buf())
}

/// Whether there is a file with this name: never.
pub(crate) fn is_file(_name: &str) -> bool {
    false
}
