//! Images: textures from files and from parameters, and height fields.

mod builtin;
mod file;
mod hfield;
mod png;
mod random;
mod sky;
mod texture;

pub(crate) use file::{Image, ImageOptions};
pub(crate) use hfield::{Heights, heights_from_file, normalize_heights};
pub(crate) use texture::{Texture, compile_texture, texture_channels, texture_files};

/// The media type of a file: as stated, or by its extension; empty where neither says.
pub(crate) fn media_type(file: &str, stated: Option<&str>) -> String {
    match stated.filter(|s| !s.is_empty()) {
        Some(text) => {
            // parameters follow a semicolon
            let kind = text.split(';').next().unwrap_or("").trim();
            let valid = kind.split('/').filter(|part| !part.is_empty()).count() == 2;
            if valid { kind.to_owned() } else { String::new() }
        }
        None => {
            let extension = file.rfind('.').map_or("", |i| &file[i..]).to_ascii_lowercase();
            String::from(match extension.as_str() {
                ".stl" => "model/stl",
                ".obj" => "model/obj",
                ".ply" => "model/ply",
                ".msh" => "model/vnd.mujoco.msh",
                ".png" => "image/png",
                _ => "",
            })
        }
    }
}
