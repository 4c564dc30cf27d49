//! Image files.

use std::sync::Arc;

use super::{media_type, png};
use crate::cache::Asset;

/// A decoded image: rows from top to bottom.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Whether the file says that its colours are sRGB.
    pub(crate) srgb: bool,
    pub(crate) data: Arc<Vec<u8>>,
}

impl Asset for Image {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.data.len()
    }
}

/// How an image is read.
#[derive(Clone, Debug)]
pub(crate) struct ImageOptions {
    media_type: String,
    channels: usize,
    hflip: bool,
    vflip: bool,
    budget: usize,
}

impl ImageOptions {
    /// How a file with this name is read into pixels of so many bytes.
    pub(crate) fn new(name: &str, stated: Option<&str>, channels: usize, budget: usize) -> Self {
        let media_type = media_type(name, stated);
        Self { media_type, channels, hflip: false, vflip: false, budget }
    }

    /// Whether the image is mirrored.
    pub(crate) fn flipped(self, hflip: Option<bool>, vflip: Option<bool>) -> Self {
        Self { hflip: hflip == Some(true), vflip: vflip == Some(true), ..self }
    }

    /// Reads an image and mirrors it.
    pub(crate) fn read(&self, file: &[u8]) -> Result<Image, String> {
        let mut image = match self.media_type.as_str() {
            "image/png" => png::decode(file, self.channels, self.budget)?,
            "" | "image/vnd.mujoco.texture" => self.raw_image(file)?,
            other => return Err(format!("textures of type '{other}' are not supported")),
        };
        self.mirror(&mut image);
        Ok(image)
    }

    /// Mirrors an image.
    pub(crate) fn mirror(&self, image: &mut Image) {
        let row_bytes = (image.width * self.channels).max(1);
        if self.hflip {
            let pixels = image.width;
            for row in Arc::make_mut(&mut image.data).chunks_exact_mut(row_bytes) {
                for c in 0..pixels / 2 {
                    for k in 0..self.channels {
                        row.swap(c * self.channels + k, (pixels - 1 - c) * self.channels + k);
                    }
                }
            }
        }
        if self.vflip {
            let rows: Vec<&[u8]> = image.data.chunks_exact(row_bytes).rev().collect();
            image.data = Arc::new(rows.concat());
        }
    }

    /// MuJoCo's own format: width and height as integers, then three bytes for each pixel.
    fn raw_image(&self, file: &[u8]) -> Result<Image, String> {
        let number = |i: usize| {
            let bytes: [u8; 4] = file.get(4 * i..4 * i + 4)?.try_into().ok()?;
            usize::try_from(i32::from_le_bytes(bytes)).ok().filter(|n| *n > 0)
        };
        let (Some(width), Some(height)) = (number(0), number(1)) else {
            return Err(String::from("neither a PNG file nor MuJoCo's own format"));
        };
        let size = width.checked_mul(height).and_then(|n| n.checked_mul(3));
        if size.and_then(|n| n.checked_add(8)) != Some(file.len()) {
            return Err(String::from("neither a PNG file nor MuJoCo's own format: wrong size"));
        }
        if self.channels != 3 {
            return Err(String::from("MuJoCo's own format has three channels"));
        }
        Ok(Image { width, height, srgb: false, data: Arc::new(file[8..].to_vec()) })
    }
}
