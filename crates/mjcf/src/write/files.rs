//! Names of asset files in a text that has one directory of meshes and one of textures.

use std::collections::BTreeSet;

use super::FileNames;
use crate::disk;
use crate::path;
use crate::spec::Spec;

/// The kinds of asset that have a directory of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Meshes, skins and height fields.
    Mesh,
    Texture,
}

/// The files that a model names, with the origins of the assets.
fn files(spec: &mut Spec, kind: Kind) -> Vec<(usize, &mut String)> {
    let mut list: Vec<(usize, &mut Option<String>)> = Vec::new();
    match kind {
        Kind::Mesh => {
            list.extend(spec.meshes.iter_mut().map(|o| (o.origin, &mut o.attr.file)));
            list.extend(spec.skins.iter_mut().map(|o| (o.origin, &mut o.attr.attr.file)));
            list.extend(spec.hfields.iter_mut().map(|o| (o.origin, &mut o.attr.file)));
        }
        Kind::Texture => {
            for texture in &mut spec.textures {
                let a = &mut texture.attr;
                let sides = [
                    &mut a.file,
                    &mut a.fileright,
                    &mut a.fileleft,
                    &mut a.fileup,
                    &mut a.filedown,
                    &mut a.filefront,
                    &mut a.fileback,
                ];
                list.extend(sides.map(|file| (texture.origin, file)));
            }
        }
    }
    let given = |(origin, file): (usize, _)| Some((origin, Option::as_mut(file)?));
    list.into_iter().filter_map(given).filter(|(_, file)| !file.is_empty()).collect()
}

/// The directory of a kind of asset, as a setting.
fn setting(spec: &Spec, origin: usize, kind: Kind) -> Option<&str> {
    let compiler = spec.compiler_of(origin);
    match kind {
        Kind::Mesh => compiler.meshdir.as_deref(),
        Kind::Texture => compiler.texturedir.as_deref(),
    }
}

/// The directory of a kind of asset, from the directory of the model that it comes from.
fn place(spec: &Spec, origin: usize, kind: Kind) -> String {
    path::join(spec.directory_of(origin), setting(spec, origin, kind).unwrap_or(""))
}

/// Gives files of attached models, or all files, their full names. Where all files of a kind lie in
/// one directory of an attached model, they keep their names and the directory becomes a setting.
pub(super) fn name_files(spec: &mut Spec, names: FileNames) {
    let old = spec.clone();
    let strip = old.compiler.strippath == Some(true);
    let absolute = names == FileNames::Absolute;
    for kind in [Kind::Mesh, Kind::Texture] {
        for (_, file) in files(spec, kind) {
            let packaged = old.options.package_file(file).filter(|f| disk::is_file(f));
            match packaged {
                Some(packaged) => *file = packaged,
                None if strip => *file = path::file_name(file).to_owned(),
                None => {}
            }
        }
        let relative = || |(_, file): &(usize, &mut String)| !path::is_absolute(file);
        let origins = files(spec, kind).into_iter().filter(relative()).map(|(origin, _)| origin);
        let places: BTreeSet<String> = origins.map(|origin| place(&old, origin, kind)).collect();
        match (absolute, places.first()) {
            (false, Some(only)) if places.len() == 1 => {
                if *only != place(&old, 0, kind) {
                    let beside = only.strip_prefix(&old.directory).unwrap_or(only);
                    set_directory(spec, kind, Some(beside.to_owned()));
                }
            }
            _ => {
                for (origin, file) in files(spec, kind).into_iter().filter(relative()) {
                    if (absolute || origin != 0) && !old.directory_of(origin).is_empty() {
                        *file = path::join(&place(&old, origin, kind), file);
                    }
                }
            }
        }
        if absolute && !spec.directory.is_empty() {
            set_directory(spec, kind, None);
        }
    }
    if strip {
        spec.compiler.strippath = None;
    }
}

/// Sets the directory of one kind of asset. What stands for both is stated for each anyway.
fn set_directory(spec: &mut Spec, kind: Kind, directory: Option<String>) {
    spec.compiler.assetdir = None;
    match kind {
        Kind::Mesh => spec.compiler.meshdir = directory,
        Kind::Texture => spec.compiler.texturedir = directory,
    }
}
