//! Reads the files of assets, or finds in the cache what was made from them before.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::cache::{Asset, Key};
use crate::disk::CANNOT_FIND;
use crate::files::{Files, Found};
use crate::path;
use crate::spec::Spec;

/// A directory of assets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directory {
    /// That of meshes, skins and height fields.
    Meshes,
    /// That of textures.
    Textures,
}

/// Where the assets of one origin lie.
#[derive(Debug)]
struct Place<'a> {
    files: Files<'a>,
    meshes: String,
    textures: String,
}

/// Reads the files of assets, within what the options of the model allow.
#[derive(Debug)]
pub(super) struct FileReader<'a> {
    spec: &'a Spec,
    strip: bool,
    /// By origin.
    places: Vec<OnceCell<Result<Place<'a>, String>>>,
}

impl<'a> FileReader<'a> {
    pub(super) fn new(spec: &'a Spec) -> Self {
        let places = (0..=spec.attached.len()).map(|_| OnceCell::new()).collect();
        Self { spec, strip: spec.compiler.strippath == Some(true), places }
    }

    /// The name of a file, without its directory where the compiler says so.
    pub(super) fn stripped<'f>(&self, file: &'f str) -> &'f str {
        if self.strip { path::file_name(file) } else { file }
    }

    /// The largest array of the model.
    pub(super) fn budget(&self) -> usize {
        self.spec.options.budget.array
    }

    /// What `make` makes from the bytes of a file. It is taken from the cache if the same file was
    /// treated in the same way before.
    pub(super) fn load<A: Asset>(
        &self,
        origin: usize,
        directory: Directory,
        file: &str,
        treatment: impl FnOnce() -> String,
        make: impl FnOnce(Vec<u8>) -> Result<A, String>,
    ) -> Result<Arc<A>, String> {
        let options = &self.spec.options;
        let found = self.find(origin, directory, file)?;
        let limit = options.budget.asset_bytes;
        let stamp = found.stamp().filter(|stamp| stamp.len() <= limit as u64);
        let cache = options.cache.as_ref().zip(stamp);
        let cache = cache.map(|(cache, file)| (cache, Key { file, treatment: treatment() }));
        if let Some(kept) = cache.as_ref().and_then(|(cache, key)| cache.get(key)) {
            return Ok(kept);
        }
        let name = found.name().to_owned();
        let bytes = found.read(limit)?;
        if bytes.is_empty() {
            return Err(format!("the file '{name}' is empty"));
        }
        let made = Arc::new(make(bytes)?);
        if let Some((cache, key)) = cache {
            cache.insert(key, &made);
        }
        Ok(made)
    }

    fn find(&self, origin: usize, directory: Directory, file: &str) -> Result<Found, String> {
        let place = self.places[origin].get_or_init(|| self.place(origin));
        let place = place.as_ref().map_err(String::clone)?;
        let directory = match directory {
            Directory::Meshes => &place.meshes,
            Directory::Textures => &place.textures,
        };
        let usual = path::join(directory, self.stripped(file));
        let mut tried = Vec::new();
        for name in self.spec.options.package_file(file).into_iter().chain([usual]) {
            if let Some(found) = place.files.find(&name)? {
                return Ok(found);
            }
            tried.push(format!("'{name}'"));
        }
        // a file in memory may also be known by its bare name
        place.files.find_in_memory(path::file_name(file)).ok_or_else(|| match tried.as_slice() {
            [name] => format!("{CANNOT_FIND} {name}"),
            names => format!("{CANNOT_FIND} '{file}', tried {}", names.join(" and ")),
        })
    }

    fn place(&self, origin: usize) -> Result<Place<'a>, String> {
        let directory = self.spec.directory_of(origin);
        let compiler = self.spec.compiler_of(origin);
        let assets = |name: &Option<String>| path::join(directory, name.as_deref().unwrap_or(""));
        Ok(Place {
            files: Files::at(directory, &self.spec.options)?,
            meshes: assets(&compiler.meshdir),
            textures: assets(&compiler.texturedir),
        })
    }
}
