//! PNG files, converted to bytes with a given number of channels.

use std::sync::Arc;

use png::{BitDepth, ColorType, Decoder, Transformations};

use super::Image;

/// Decodes a file into pixels of one, three or four channels. Of a colour image that becomes grey,
/// the red channel is taken.
pub(super) fn decode(bytes: &[u8], channels: usize, budget: usize) -> Result<Image, String> {
    let failed = |e: png::DecodingError| format!("cannot decode the PNG file: {e}");
    let mut decoder = Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(failed)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let srgb = reader.info().srgb.is_some();
    let pixels = width.checked_mul(height).filter(|n| n.saturating_mul(4) <= budget);
    let Some(pixels) = pixels else {
        return Err(format!(
            "an image of {width} by {height} pixels is more than the budget allows"
        ));
    };
    let size = reader.output_buffer_size().unwrap_or(usize::MAX);
    if size > budget.saturating_mul(2) {
        return Err(String::from("the image is larger than the budget allows"));
    }
    let mut raw = vec![0; size];
    let frame = reader.next_frame(&mut raw).map_err(failed)?;
    // what follows the image is checked too
    reader.finish().map_err(failed)?;
    if frame.bit_depth != BitDepth::Eight {
        return Err(String::from("cannot decode the PNG file: unexpected bit depth"));
    }
    let source = match frame.color_type {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
        ColorType::Indexed => return Err(String::from("cannot decode the palette")),
    };
    raw.truncate(frame.buffer_size());
    if source == channels {
        return Ok(Image { width, height, srgb, data: Arc::new(raw) });
    }
    let mut data = Vec::with_capacity(pixels * channels);
    for pixel in raw.chunks_exact(source) {
        let (color, alpha) = match pixel {
            [grey] => ([*grey; 3], 255),
            [grey, alpha] => ([*grey; 3], *alpha),
            [r, g, b] => ([*r, *g, *b], 255),
            [r, g, b, alpha] => ([*r, *g, *b], *alpha),
            _ => ([0; 3], 0),
        };
        match channels {
            1 => data.push(color[0]),
            3 => data.extend_from_slice(&color),
            _ => data.extend_from_slice(&[color[0], color[1], color[2], alpha]),
        }
    }
    Ok(Image { width, height, srgb, data: Arc::new(data) })
}
