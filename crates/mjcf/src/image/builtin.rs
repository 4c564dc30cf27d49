//! Textures that are made from parameters: gradients, checkers, flat colours, with marks.

use super::random::MersenneTwister;
use super::sky::{self, Side};
use crate::keywords::{TextureBuiltin, TextureMark};

/// The parameters of a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    pub(super) builtin: TextureBuiltin,
    pub(super) rgb1: [f64; 3],
    pub(super) rgb2: [f64; 3],
    pub(super) mark: TextureMark,
    pub(super) markrgb: [f64; 3],
    pub(super) random: f64,
}

/// A colour as bytes.
pub(super) fn bytes(rgb: &[f64; 3]) -> [u8; 3] {
    rgb.map(|x| (255.0 * x) as u8)
}

/// A picture of three channels within a buffer.
struct Canvas<'a> {
    data: &'a mut [u8],
    width: usize,
    height: usize,
}

impl Canvas<'_> {
    fn set(&mut self, row: usize, column: usize, color: [u8; 3]) {
        let start = 3 * (row * self.width + column);
        self.data[start..start + 3].copy_from_slice(&color);
    }

    fn fill(&mut self, color: impl Fn(usize, usize) -> [u8; 3]) {
        let rows = self.data.chunks_exact_mut(3 * self.width.max(1)).take(self.height);
        for (row, pixels) in rows.enumerate() {
            for (column, pixel) in pixels.as_chunks_mut().0.iter_mut().enumerate() {
                *pixel = color(row, column);
            }
        }
    }

    /// Two by two squares.
    fn checker(&mut self, first: [u8; 3], second: [u8; 3]) {
        let (w, h) = (self.width / 2, self.height / 2);
        self.fill(|row, column| if (row < h) == (column < w) { first } else { second });
    }

    /// Marks along the edges or through the middle.
    fn mark(&mut self, mark: TextureMark, color: [u8; 3]) {
        let (w, h) = (self.width, self.height);
        let (columns, rows) = match mark {
            TextureMark::Edge => (vec![0, w - 1], vec![0, h - 1]),
            TextureMark::Cross => (vec![w / 2], vec![h / 2]),
            _ => return,
        };
        for row in 0..h {
            for &column in &columns {
                self.set(row, column, color);
            }
        }
        for column in 0..w {
            for &row in &rows {
                self.set(row, column, color);
            }
        }
    }
}

/// A colour between two, by a sigmoid of a position between -1 and 1.
pub(super) fn interpolate(rgb1: &[f64; 3], rgb2: &[f64; 3], pos: f64) -> [u8; 3] {
    let correction = 1.0 / 2.0_f64.sqrt();
    let alpha = (0.5 * (1.0 + pos / (1.0 + pos * pos).sqrt() / correction)).clamp(0.0, 1.0);
    bytes(&core::array::from_fn(|j| alpha * rgb1[j] + (1.0 - alpha) * rgb2[j]))
}

impl Pattern {
    /// Paints a flat texture.
    pub(super) fn paint_flat(&self, data: &mut [u8], width: usize, height: usize) {
        let [color1, color2, marked] = [&self.rgb1, &self.rgb2, &self.markrgb].map(bytes);
        let mut canvas = Canvas { data, width, height };
        let across = |i: usize, n: usize| 2.0 * i as f64 / (n as f64 - 1.0);
        match self.builtin {
            TextureBuiltin::Gradient => canvas.fill(|row, column| {
                let x = across(column, width) - 1.0;
                let y = 1.0 - across(row, height);
                interpolate(&self.rgb2, &self.rgb1, 2.0 * (x * x + y * y).sqrt() - 1.0)
            }),
            TextureBuiltin::Checker => canvas.checker(color1, color2),
            _ => canvas.fill(|_, _| color1),
        }
        canvas.mark(self.mark, marked);
        self.paint_dots(data, width, height);
    }

    /// Paints the six sides of a cube: right, left, up, down, front, back.
    pub(super) fn paint_cube(&self, data: &mut [u8], width: usize) {
        let [color1, color2, marked] = [&self.rgb1, &self.rgb2, &self.markrgb].map(bytes);
        let side_bytes = 3 * width * width;
        for side in 0..6 {
            let (before, rest) = data.split_at_mut(side * side_bytes);
            let mut canvas = Canvas { data: &mut rest[..side_bytes], width, height: width };
            match self.builtin {
                // the upright sides are the same
                TextureBuiltin::Gradient if matches!(side, 1 | 4 | 5) => {
                    canvas.data.copy_from_slice(&before[..side_bytes]);
                }
                TextureBuiltin::Gradient => {
                    let side = match side {
                        2 => Side::Up,
                        3 => Side::Down,
                        _ => Side::Upright,
                    };
                    sky::paint(canvas.data, width, side, &self.rgb1, &self.rgb2);
                }
                TextureBuiltin::Checker if side < 4 => canvas.checker(color1, color2),
                TextureBuiltin::Checker => canvas.checker(color2, color1),
                _ => canvas.fill(|_, _| if side == 3 { color2 } else { color1 }),
            }
        }
        for data in data.chunks_exact_mut(side_bytes).take(6) {
            Canvas { data, width, height: width }.mark(self.mark, marked);
        }
        self.paint_dots(data, width, 6 * width);
    }

    fn paint_dots(&self, data: &mut [u8], width: usize, height: usize) {
        if self.mark != TextureMark::Random || self.random <= 0.0 {
            return;
        }
        let color = bytes(&self.markrgb);
        let mut generator = MersenneTwister::new(42);
        for pixel in data.chunks_exact_mut(3).take(width * height) {
            if generator.next_unit() < self.random {
                pixel.copy_from_slice(&color);
            }
        }
    }
}
