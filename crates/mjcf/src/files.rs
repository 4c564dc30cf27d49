//! Where the bytes of a file come from, within what the options allow.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::disk::{self, DiskFile, FileStamp};
use crate::options::{Confinement, LoadOptions};
use crate::path;

/// A file that was found, not yet read.
#[derive(Debug)]
pub(crate) enum Found {
    /// A file in memory, with its name.
    Memory(String, Arc<[u8]>),
    /// A file on disk, with the name to show.
    Disk(String, DiskFile),
}

impl Found {
    /// The name of the file, as it was looked for.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Memory(name, _) | Self::Disk(name, _) => name,
        }
    }

    /// A text that is the same for two names of one file.
    pub(crate) fn identity(&self) -> String {
        match self {
            Self::Memory(name, _) => format!("memory:{name}"),
            Self::Disk(_, file) => file.path().to_string_lossy().into_owned(),
        }
    }

    /// What tells this state of the file from others; none for a file in memory, or one that has
    /// changed so recently that another change might not show.
    pub(crate) fn stamp(&self) -> Option<FileStamp> {
        match self {
            Self::Memory(..) => None,
            Self::Disk(_, file) => file.stamp(),
        }
    }

    /// The bytes, unless there are more than `limit`.
    pub(crate) fn read(self, limit: usize) -> Result<Vec<u8>, String> {
        let too_large = || format!("the file is larger than the {limit} bytes still allowed");
        match self {
            Self::Memory(_, bytes) if bytes.len() > limit => Err(too_large()),
            Self::Memory(_, bytes) => Ok(bytes.to_vec()),
            Self::Disk(_, file) => match file.read(limit) {
                Ok(bytes) => bytes.ok_or_else(too_large),
                Err(e) => Err(format!("cannot read the file: {e}")),
            },
        }
    }
}

/// Finds files by name, in memory first, then on disk where that is allowed.
#[derive(Debug)]
pub(crate) struct Files<'a> {
    options: &'a LoadOptions,
    /// Directory of the model file, absolute and with a separator; empty for text without a file.
    pub(crate) model_directory: String,
    /// The only directory that files may come from, without links.
    root: Option<PathBuf>,
    /// Whether files on disk are out of bounds altogether.
    memory_only: bool,
}

impl<'a> Files<'a> {
    /// Files for a model that lies in `directory`, or for text without a file.
    pub(crate) fn new(directory: Option<&Path>, options: &'a LoadOptions) -> Result<Self, String> {
        let canonical = |path: &Path| {
            disk::canonical(path)
                .map_err(|e| format!("cannot find the directory '{}': {e}", path.display()))
        };
        let (root, memory_only) = match (&options.confinement, directory) {
            _ if !disk::IS_THERE => (None, true),
            (Confinement::Anywhere, _) => (None, false),
            (Confinement::MemoryOnly, _) => (None, true),
            (Confinement::ModelDirectory, Some(dir)) => (Some(canonical(dir)?), false),
            (Confinement::ModelDirectory, None) => (None, true),
            (Confinement::Root(root), _) => (Some(canonical(root)?), false),
        };
        let model_directory = match directory {
            None => String::new(),
            Some(dir) => {
                let absolute = disk::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
                format!("{}/", absolute.to_string_lossy().trim_end_matches(['/', '\\']))
            }
        };
        Ok(Self { options, model_directory, root, memory_only })
    }

    /// Files for a model whose directory is known by name; empty for text without a file.
    pub(crate) fn at(directory: &str, options: &'a LoadOptions) -> Result<Self, String> {
        let directory = Some(Path::new(directory)).filter(|d| !d.as_os_str().is_empty());
        Self::new(directory, options)
    }

    /// The file with this name, if there is one that may be read.
    pub(crate) fn find(&self, name: &str) -> Result<Option<Found>, String> {
        let in_model = name.strip_prefix(&self.model_directory).unwrap_or(name);
        for key in [name, in_model] {
            if let Some(found) = self.find_in_memory(key) {
                return Ok(Some(found));
            }
        }
        if self.memory_only {
            return Ok(None);
        }
        let Some(file) = DiskFile::find(name) else { return Ok(None) };
        if let Some(root) = &self.root
            && !file.path().starts_with(root)
        {
            return Err(String::from("the file lies outside the directory that may be read"));
        }
        Ok(Some(Found::Disk(name.to_owned(), file)))
    }

    /// The file in memory with this name.
    pub(crate) fn find_in_memory(&self, name: &str) -> Option<Found> {
        // only names that end alike can be the same
        let last = path::file_name(name);
        let same = |asset: &str| asset.ends_with(last) && path::reduce(asset) == name;
        let found = self.options.assets.iter().find(|(asset, _)| same(asset))?;
        Some(Found::Memory(found.0.clone(), Arc::clone(found.1)))
    }
}
