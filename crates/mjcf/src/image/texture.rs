//! Compiles textures.

use std::sync::Arc;

use ferrodyn_model::{ColorSpace, TextureType};

use super::builtin::{Pattern, bytes};
use super::{Image, ImageOptions};
use crate::keywords::TextureBuiltin;
use crate::schema::TextureAttrs;

/// A compiled texture.
#[derive(Clone, Debug)]
pub(crate) struct Texture {
    pub(crate) kind: TextureType,
    pub(crate) colorspace: ColorSpace,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) channels: usize,
    pub(crate) data: Arc<Vec<u8>>,
}

/// The files of a texture: one image, or the six sides of a cube where they are given.
pub(crate) fn texture_files(attr: &TextureAttrs) -> Vec<(usize, &str)> {
    let given = |file: &'_ Option<String>| file.as_ref().is_some_and(|f| !f.is_empty());
    if is_builtin(attr) || has_pixels(attr) {
        return Vec::new();
    }
    if let Some(file) = attr.file.as_deref().filter(|f| !f.is_empty()) {
        return vec![(0, file)];
    }
    let sides = [
        &attr.fileright,
        &attr.fileleft,
        &attr.fileup,
        &attr.filedown,
        &attr.filefront,
        &attr.fileback,
    ];
    let sides = sides.into_iter().enumerate().filter(|(_, file)| given(file));
    sides.filter_map(|(i, file)| Some((i, file.as_deref()?))).collect()
}

/// Whether a program gave the pixels.
fn has_pixels(attr: &TextureAttrs) -> bool {
    attr.data.as_ref().is_some_and(|data| !data.is_empty())
}

fn is_builtin(attr: &TextureAttrs) -> bool {
    attr.or_default().builtin() != TextureBuiltin::None
}

/// How many bytes a pixel of a texture has.
pub(crate) fn texture_channels(attr: &TextureAttrs) -> Result<usize, String> {
    match attr.or_default().nchannel() {
        n if has_pixels(attr) && n > 0 => Ok(n as usize),
        n @ (1 | 3 | 4) => Ok(n as usize),
        n if is_builtin(attr) && n > 0 => Ok(n as usize),
        n => Err(format!("a texture cannot have {n} channels")),
    }
}

/// Makes a texture from its attributes and the images in its [files](texture_files), with as many
/// [channels](texture_channels).
pub(crate) fn compile_texture(
    attr: &TextureAttrs,
    images: &[(usize, &str, Arc<Image>)],
    budget: usize,
) -> Result<Texture, String> {
    let channels = texture_channels(attr)?;
    let context = Context { attr, channels, budget };
    let kind = attr.or_default().kind();
    if has_pixels(attr) {
        return context.pixels(kind);
    }
    if is_builtin(attr) {
        return context.builtin(kind);
    }
    let single = attr.file.as_ref().is_some_and(|f| !f.is_empty());
    match (images, kind) {
        ([(_, _, image)], TextureType::Flat) if single => Ok(context.flat(image)),
        ([(_, _, image)], _) if single => context.cube(kind, image),
        (_, TextureType::Flat) => {
            Err(String::from("a 2d texture needs one file or a builtin pattern"))
        }
        ([], _) => Err(String::from("the texture has no file and no builtin pattern")),
        _ => context.sides(kind, images),
    }
}

/// The work on one texture.
struct Context<'a> {
    attr: &'a TextureAttrs,
    channels: usize,
    budget: usize,
}

impl Context<'_> {
    fn check_size(&self, bytes: usize) -> Result<usize, String> {
        if bytes > self.budget {
            return Err(format!("a texture of {bytes} bytes is more than the budget allows"));
        }
        Ok(bytes)
    }

    fn builtin(&self, kind: TextureType) -> Result<Texture, String> {
        let or = self.attr.or_default();
        let pattern = Pattern {
            builtin: or.builtin(),
            rgb1: or.rgb1(),
            rgb2: or.rgb2(),
            mark: or.mark(),
            markrgb: or.markrgb(),
            random: or.random(),
        };
        let positive = |n: i32, what: &str| {
            usize::try_from(n)
                .ok()
                .filter(|n| *n > 0)
                .ok_or_else(|| format!("a builtin texture needs a positive '{what}'"))
        };
        let width = positive(or.width(), "width")?;
        let height = match kind {
            TextureType::Flat => positive(or.height(), "height")?,
            _ => width.saturating_mul(6),
        };
        // patterns have three channels
        let pixels = width.saturating_mul(height);
        let size = pixels.saturating_mul(self.channels.max(3));
        self.check_size(size)?;
        let mut data = vec![0; size];
        match kind {
            TextureType::Flat => pattern.paint_flat(&mut data, width, height),
            _ => pattern.paint_cube(&mut data, width),
        }
        data.truncate(pixels * self.channels);
        let colorspace = or.colorspace();
        Ok(Texture {
            kind,
            colorspace,
            width,
            height,
            channels: self.channels,
            data: Arc::new(data),
        })
    }

    /// The pixels that a program gave.
    fn pixels(&self, kind: TextureType) -> Result<Texture, String> {
        let given = self.attr.data.as_deref().unwrap_or(&[]);
        let or = self.attr.or_default();
        let [width, height] = [or.width(), or.height()].map(|n| usize::try_from(n).unwrap_or(0));
        let expected = width.saturating_mul(height).saturating_mul(self.channels);
        if given.len() != expected {
            let found = given.len();
            return Err(format!(
                "Texture buffer has incorrect size, given {found} expected {expected}"
            ));
        }
        self.check_size(expected)?;
        let mut image = Image { width, height, srgb: false, data: Arc::new(given.to_vec()) };
        ImageOptions::new("", None, self.channels, self.budget)
            .flipped(self.attr.hflip, self.attr.vflip)
            .mirror(&mut image);
        let colorspace = or.colorspace();
        Ok(Texture { kind, colorspace, width, height, channels: self.channels, data: image.data })
    }

    fn colorspace(&self, image: &Image) -> ColorSpace {
        match self.attr.or_default().colorspace() {
            ColorSpace::Auto if image.srgb => ColorSpace::Srgb,
            ColorSpace::Auto => ColorSpace::Linear,
            given => given,
        }
    }

    fn flat(&self, image: &Image) -> Texture {
        Texture {
            kind: TextureType::Flat,
            colorspace: self.colorspace(image),
            width: image.width,
            height: image.height,
            channels: self.channels,
            data: Arc::clone(&image.data),
        }
    }

    fn three_channels(&self) -> Result<(), String> {
        if self.channels == 3 {
            Ok(())
        } else {
            Err(String::from("cube and skybox textures have three channels"))
        }
    }

    /// A cube from one image: the same on all sides, or a grid of sides.
    fn cube(&self, kind: TextureType, image: &Image) -> Result<Texture, String> {
        self.three_channels()?;
        let [rows, columns] = self.attr.or_default().gridsize();
        if rows < 1 || columns < 1 || rows.saturating_mul(columns) > 12 {
            return Err(String::from("'gridsize' must be positive, with at most 12 images"));
        }
        let (rows, columns) = (rows as usize, columns as usize);
        let (w, h) = (image.width, image.height);
        if w / columns != h / rows || w % columns != 0 || h % rows != 0 {
            return Err(String::from("the image does not divide into the squares of 'gridsize'"));
        }
        let colorspace = self.colorspace(image);
        let width = w / columns;
        if rows == 1 && columns == 1 {
            let data = Arc::clone(&image.data);
            return Ok(Texture { kind, colorspace, width, height: width, channels: 3, data });
        }
        let side = 3 * width * width;
        let mut data = vec![0; self.check_size(side.saturating_mul(6))?];
        let mut loaded = [false; 6];
        let layout = self.attr.or_default().gridlayout();
        for (k, letter) in layout.bytes().take(rows * columns).enumerate() {
            let Some(i) = b"RLUDFB".iter().position(|b| *b == letter) else {
                if letter == b'.' {
                    continue;
                }
                return Err(String::from("'gridlayout' may only contain . R L U D F B"));
            };
            let (top, left) = (width * (k / columns), width * (k % columns));
            for row in 0..width {
                let from = 3 * ((row + top) * w + left);
                let to = i * side + row * 3 * width;
                data[to..to + 3 * width].copy_from_slice(&image.data[from..from + 3 * width]);
            }
            loaded[i] = true;
        }
        self.fill_missing(&mut data, &loaded, side);
        Ok(cube_of_sides(kind, colorspace, width, data))
    }

    /// A cube from an image for each side.
    fn sides(
        &self,
        kind: TextureType,
        images: &[(usize, &str, Arc<Image>)],
    ) -> Result<Texture, String> {
        self.three_channels()?;
        let mut loaded = [false; 6];
        let mut data = Vec::new();
        let (mut width, mut colorspace) = (0, ColorSpace::Auto);
        for (i, name, image) in images {
            if image.width != image.height {
                return Err(format!("the image '{name}' is not square"));
            }
            if data.is_empty() {
                width = image.width;
                colorspace = self.colorspace(image);
                data = vec![0; self.check_size((18 * width).saturating_mul(width))?];
            } else if image.width != width {
                return Err(format!("the image '{name}' has another size than the first one"));
            }
            let side = 3 * width * width;
            data[i * side..(i + 1) * side].copy_from_slice(&image.data[..side]);
            loaded[*i] = true;
        }
        self.fill_missing(&mut data, &loaded, 3 * width * width);
        Ok(cube_of_sides(kind, colorspace, width, data))
    }

    /// Sides without an image have the first colour.
    fn fill_missing(&self, data: &mut [u8], loaded: &[bool; 6], side: usize) {
        let color = bytes(&self.attr.or_default().rgb1());
        for (i, _) in loaded.iter().enumerate().filter(|(_, loaded)| !**loaded) {
            for pixel in data[i * side..(i + 1) * side].chunks_exact_mut(3) {
                pixel.copy_from_slice(&color);
            }
        }
    }
}

/// A cube of three channels, side by side.
fn cube_of_sides(
    kind: TextureType,
    colorspace: ColorSpace,
    width: usize,
    data: Vec<u8>,
) -> Texture {
    Texture { kind, colorspace, width, height: 6 * width, channels: 3, data: Arc::new(data) }
}
