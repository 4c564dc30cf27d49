//! Files on disk. `no_disk.rs` has the same names for builds without the feature `fs`.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Whether there is a disk.
pub(crate) const IS_THERE: bool = true;

/// What is said of a file that is nowhere.
pub(crate) const CANNOT_FIND: &str = "cannot find the file";

/// Time stamps may be as coarse as two seconds: a file younger than this may change unseen.
const SETTLED: Duration = Duration::from_secs(2);

/// One state of a file on disk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileStamp {
    path: PathBuf,
    len: u64,
    modified: SystemTime,
}

impl FileStamp {
    /// Bytes of the file.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }
}

/// A file on disk, not yet read: its path without links, and what the file system says of it.
#[derive(Debug)]
pub(crate) struct DiskFile {
    path: PathBuf,
    metadata: Metadata,
}

impl DiskFile {
    /// The file with this name, if there is one.
    pub(crate) fn find(name: &str) -> Option<Self> {
        let path = Path::new(name).canonicalize().ok()?;
        let metadata = path.metadata().ok()?;
        metadata.is_file().then_some(Self { path, metadata })
    }

    /// Its path, without links.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What tells this state of the file from others; none for one that has changed so recently that
    /// another change might not show.
    pub(crate) fn stamp(&self) -> Option<FileStamp> {
        let modified = self.metadata.modified().ok()?;
        let age = SystemTime::now().duration_since(modified).ok()?;
        let len = self.metadata.len();
        (age > SETTLED).then(|| FileStamp { path: self.path.clone(), len, modified })
    }

    /// The bytes; none if there are more than `limit`.
    pub(crate) fn read(self, limit: usize) -> io::Result<Option<Vec<u8>>> {
        let expected = usize::try_from(self.metadata.len()).unwrap_or(usize::MAX);
        if expected > limit {
            return Ok(None);
        }
        let mut bytes = Vec::with_capacity(expected);
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        File::open(self.path)?.take(most).read_to_end(&mut bytes)?;
        Ok((bytes.len() <= limit).then_some(bytes))
    }
}

/// A path without links.
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}

/// A path from the root of the file system; links stay.
pub(crate) fn absolute(path: &Path) -> io::Result<PathBuf> {
    std::path::absolute(path)
}

/// Whether there is a file with this name.
pub(crate) fn is_file(name: &str) -> bool {
    Path::new(name).is_file()
}
