//! How a model may be loaded: where its files may lie, what is in memory, and how large it may be.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::cache::AssetCache;
use crate::path;

/// Where the files that a model names may lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Confinement {
    /// Anywhere: the user who names a model is trusted.
    #[default]
    Anywhere,
    /// In the directory of the model file or below it; text without a file reads no files at all.
    ModelDirectory,
    /// In this directory or below it.
    Root(PathBuf),
    /// Nowhere: only files in memory are read.
    MemoryOnly,
}

/// The largest model that is loaded; anything above is refused before memory is spent on it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// Bytes of XML in all files together.
    pub xml_bytes: usize,
    /// Elements in all files together.
    pub elements: usize,
    /// Nesting of elements within one file. What an element contains counts as a level, even if it is nothing, unless
    /// the element ends with `/>`.
    pub depth: usize,
    /// Included files.
    pub includes: usize,
    /// Nesting of included files.
    pub include_depth: usize,
    /// Bytes of one asset file.
    pub asset_bytes: usize,
    /// Values in the largest array of the compiled model.
    pub array: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            xml_bytes: 256 << 20,
            elements: 2_000_000,
            // the deepest nesting that MuJoCo's XML reader accepts
            depth: 499,
            includes: 4096,
            include_depth: 64,
            asset_bytes: 2 << 30,
            array: 1 << 28,
        }
    }
}

/// How a model may be loaded.
///
/// The default trusts the user who names the model: files may lie anywhere and budgets are wide.
/// [`LoadOptions::untrusted`] is for anything that serves strangers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadOptions {
    /// Where files may lie.
    pub confinement: Confinement,
    /// Files in memory, found by name before the file system is asked.
    pub assets: BTreeMap<String, Arc<[u8]>>,
    /// Directories of packages: a file `package://name/rest` is looked for there first.
    pub packages: BTreeMap<String, PathBuf>,
    /// The largest model that is loaded.
    pub budget: Budget,
    /// Where compiled assets are kept for later loads, if anywhere.
    pub cache: Option<Arc<AssetCache>>,
    /// How many models this one is nested in.
    pub(crate) model_depth: usize,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            confinement: Confinement::default(),
            assets: BTreeMap::new(),
            packages: BTreeMap::new(),
            budget: Budget::default(),
            cache: Some(AssetCache::shared()),
            model_depth: 0,
        }
    }
}

impl LoadOptions {
    /// Options for a model that a model in `directory` attaches: its files may lie where those of
    /// the outer model may.
    pub(crate) fn nested(&self, directory: &str) -> Self {
        let confinement = match &self.confinement {
            Confinement::ModelDirectory if directory.is_empty() => Confinement::MemoryOnly,
            Confinement::ModelDirectory => Confinement::Root(PathBuf::from(directory)),
            other => other.clone(),
        };
        Self { confinement, model_depth: self.model_depth + 1, ..self.clone() }
    }

    /// Options for models from strangers: files only from the directory of the model (or from
    /// [`assets`](Self::assets)), tight budgets, and no cache.
    pub fn untrusted() -> Self {
        Self {
            confinement: Confinement::ModelDirectory,
            assets: BTreeMap::new(),
            packages: BTreeMap::new(),
            budget: Budget {
                xml_bytes: 16 << 20,
                elements: 200_000,
                depth: 200,
                includes: 64,
                include_depth: 8,
                asset_bytes: 64 << 20,
                array: 1 << 24,
            },
            cache: None,
            model_depth: 0,
        }
    }

    /// Keeps compiled assets in this cache, or nowhere.
    #[must_use]
    pub fn with_cache(mut self, cache: Option<Arc<AssetCache>>) -> Self {
        self.cache = cache;
        self
    }

    /// Adds a file that exists in memory only.
    #[must_use]
    pub fn with_asset(mut self, name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        self.assets.insert(name.into(), bytes.into());
        self
    }

    /// Names the directory of a package, which files `package://name/...` lie in.
    #[must_use]
    pub fn with_package(mut self, name: impl Into<String>, directory: impl Into<PathBuf>) -> Self {
        self.packages.insert(name.into(), directory.into());
        self
    }

    /// The file that a name `package://...` stands for, if the directory of its package is known.
    pub(crate) fn package_file(&self, name: &str) -> Option<String> {
        let (package, rest) = name.strip_prefix("package://")?.split_once('/')?;
        let directory = self.packages.get(package)?;
        Some(path::join(&directory.to_string_lossy(), rest))
    }

    /// Confines every file to this directory.
    #[must_use]
    pub fn with_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.confinement = Confinement::Root(root.into());
        self
    }
}
