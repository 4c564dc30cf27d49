//! Height fields.

use super::{media_type, png};
use crate::cache::Asset;
use crate::pose::EPS;

/// Elevations by rows, the lowest y first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heights {
    pub(crate) nrow: usize,
    pub(crate) ncol: usize,
    pub(crate) data: Vec<f32>,
}

impl Asset for Heights {
    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(self.data.as_slice())
    }
}

/// Reads elevations from a file: a PNG image, or MuJoCo's own format (two integers, then numbers).
pub(crate) fn heights_from_file(
    name: &str,
    content_type: Option<&str>,
    file: &[u8],
    budget: usize,
) -> Result<Heights, String> {
    match media_type(name, content_type).as_str() {
        "image/png" => {
            let image = png::decode(file, 1, budget)?;
            // the first row of an image is at the top
            let rows = image.data.chunks_exact(image.width.max(1)).rev();
            let data = rows.flatten().map(|x| f32::from(*x)).collect();
            Ok(Heights { nrow: image.height, ncol: image.width, data })
        }
        "" | "image/vnd.mujoco.hfield" => raw_heights(file),
        other => Err(format!("height fields of type '{other}' are not supported")),
    }
}

fn raw_heights(file: &[u8]) -> Result<Heights, String> {
    let word = |i: usize| file.get(4 * i..4 * i + 4).and_then(|b| <[u8; 4]>::try_from(b).ok());
    let (Some(nrow), Some(ncol)) = (word(0), word(1)) else {
        return Err(String::from("the file is too short for a height field"));
    };
    let size = |bytes| usize::try_from(i32::from_le_bytes(bytes)).ok().filter(|n| *n > 0);
    let (Some(nrow), Some(ncol)) = (size(nrow), size(ncol)) else {
        return Err(String::from("the numbers of rows and columns must be positive"));
    };
    let count = nrow.checked_mul(ncol);
    if count.and_then(|n| n.checked_mul(4)).and_then(|n| n.checked_add(8)) != Some(file.len()) {
        return Err(format!("the file does not hold {nrow} rows of {ncol} numbers"));
    }
    let numbers = file[8..].chunks_exact(4).filter_map(|b| <[u8; 4]>::try_from(b).ok());
    let data: Vec<f32> = numbers.map(f32::from_le_bytes).collect();
    if data.iter().any(|x| !x.is_finite()) {
        return Err(String::from("the file holds numbers that are not finite"));
    }
    Ok(Heights { nrow, ncol, data })
}

/// Beyond any elevation: where the search for the smallest and the largest begins. MuJoCo's.
const FAR: f32 = 1e10;

/// Scales elevations to the range from 0 to 1; a plane, whose range is zero, becomes 0.
pub(crate) fn normalize_heights(data: &mut [f32]) {
    let min = data.iter().copied().fold(FAR, f32::min);
    let max = data.iter().copied().fold(-FAR, f32::max);
    let range = max - min;
    for x in data {
        *x -= min;
        if f64::from(range) > EPS {
            *x /= range;
        }
    }
}
