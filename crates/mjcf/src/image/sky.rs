//! The gradient of a sky: a colour that depends on the elevation above the horizon.
//!
//! A side of the sky has hundreds of thousands of pixels and some hundred colours. The colour is computed with an arc sine and
//! two roots, but each of its channels rises, falls or stays the same with the sine of the elevation. So the places where it changes are searched
//! once, and a pixel looks up between which of them it lies; one that lies too near to such a place for rounding is computed.

use core::f64::consts::PI;

use ferrodyn_math::elementary::{acos, asin};

use super::builtin::interpolate;

/// A change of colour is searched until it is known to this much of the sine, and pixels this near to it are computed. Rounding
/// moves a byte, before it is cut, by less than 1e-12 (a few operations on numbers up to 510). A channel that [`changes`] moves by
/// 0.04 for one of the sine at least (0.25 of its range, at least 0.25 by the sigmoid, 2/π by the arc sine), hence by 4e-11 within
/// this much: further away rounding does not decide.
const NEAR: f64 = 1e-9;

/// Sides of a cube that differ from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// One of the four upright ones, which are the same.
    Upright,
    Up,
    Down,
}

impl Side {
    /// The least and the largest sine of elevation, without sign, on this side; rounded outwards.
    fn range(self) -> (f64, f64) {
        match self {
            Self::Upright => (-0.708, 0.708),
            Self::Up | Self::Down => (0.577, 1.0),
        }
    }

    /// Elevation above the horizon, between -1 and 1.
    fn elevation(self, sine: f64) -> f64 {
        match self {
            Self::Upright => asin(sine) / (0.5 * PI),
            Self::Up => 1.0 - acos(sine) / (0.5 * PI),
            Self::Down => -(1.0 - acos(sine) / (0.5 * PI)),
        }
    }
}

/// Paints a square side in three channels, from the colour at the zenith to that at the nadir.
pub(super) fn paint(
    data: &mut [u8],
    width: usize,
    side: Side,
    zenith: &[f64; 3],
    nadir: &[f64; 3],
) {
    let color = |sine: f64| interpolate(zenith, nadir, side.elevation(sine));
    let known = zenith.iter().zip(nadir).all(|(a, b)| changes(*a, *b) || is_constant(*a, *b));
    let mut steps = if known { Steps::search(side.range(), color) } else { Steps::none(color) };
    let n = width as f64 - 1.0;
    let across: Vec<f64> = (0..width).map(|column| 2.0 * column as f64 / n - 1.0).collect();
    let mut sines = vec![0.0; width];
    for (row, pixels) in data.chunks_exact_mut(3 * width).take(width).enumerate() {
        let y = 1.0 - 2.0 * row as f64 / n;
        for (sine, x) in sines.iter_mut().zip(&across) {
            let reach = (1.0 + x * x + y * y).sqrt();
            *sine = if side == Side::Upright { y / reach } else { 1.0 / reach };
        }
        for (pixel, sine) in pixels.as_chunks_mut().0.iter_mut().zip(&sines) {
            *pixel = steps.at(*sine);
        }
    }
}

/// Whether a channel between two values rises or falls by more than rounding, everywhere.
fn changes(a: f64, b: f64) -> bool {
    255.0 * (a - b).abs() >= 0.25 && a.abs().max(b.abs()) <= 2.0
}

/// Whether a channel between two values is one byte, however it is rounded.
fn is_constant(a: f64, b: f64) -> bool {
    // `alpha + (1 - alpha)` is 1: the difference is off by 2⁻⁵⁴ at most, half of the last bit of the sum
    let exact = a == b && (a == 0.0 || a == 1.0);
    let (low, high) = (255.0 * a.min(b), 255.0 * a.max(b));
    let same_byte = (low - NEAR).floor() == (high + NEAR).floor();
    exact || (low >= 0.0 && high <= 510.0 && same_byte)
}

/// Numbers from `low` to `high` that all have one colour.
#[derive(Clone, Copy, Debug)]
struct Step {
    low: f64,
    high: f64,
    color: [u8; 3],
}

/// A colour as a function of a number, each channel of which rises or falls, by its steps.
struct Steps<F> {
    color: F,
    /// In ascending order, with gaps around the changes.
    steps: Vec<Step>,
    /// The step of the last pixel; the next one is on it or near it.
    last: usize,
}

impl<F: Fn(f64) -> [u8; 3]> Steps<F> {
    /// Every number is computed.
    fn none(color: F) -> Self {
        Self { color, steps: Vec::new(), last: 0 }
    }

    /// Searches the steps of a colour within a range.
    fn search((low, high): (f64, f64), color: F) -> Self {
        let mut steps = vec![Step { low, high, color: color(low) }];
        // ranges that are still to be searched, the lowest on top, each with the colour of its end
        let mut ranges = vec![(high, color(high))];
        let mut start = low;
        while let Some(&(end, last)) = ranges.last() {
            let current = steps.len() - 1;
            if steps[current].color == last {
                // the channels are monotonic: it has the same colour everywhere
                start = end;
                ranges.pop();
            } else if end - start > NEAR {
                let middle = 0.5 * (start + end);
                ranges.push((middle, color(middle)));
            } else {
                steps[current].high = start - NEAR;
                steps.push(Step { low: end + NEAR, high, color: last });
                start = end;
                ranges.pop();
            }
        }
        Self { color, steps, last: 0 }
    }

    /// The colour of a number.
    fn at(&mut self, x: f64) -> [u8; 3] {
        let mut i = self.last;
        while i > 0 && x < self.steps[i].low {
            i -= 1;
        }
        while i + 1 < self.steps.len() && x >= self.steps[i + 1].low {
            i += 1;
        }
        self.last = i;
        match self.steps.get(i) {
            Some(step) if step.low <= x && x <= step.high => step.color,
            _ => (self.color)(x),
        }
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    /// Every pixel by itself.
    fn painted(width: usize, side: Side, zenith: &[f64; 3], nadir: &[f64; 3]) -> Vec<u8> {
        let n = width as f64 - 1.0;
        let mut data = Vec::new();
        for row in 0..width {
            for column in 0..width {
                let x = 2.0 * column as f64 / n - 1.0;
                let y = 1.0 - 2.0 * row as f64 / n;
                let reach = (1.0 + x * x + y * y).sqrt();
                let sine = if side == Side::Upright { y / reach } else { 1.0 / reach };
                data.extend(interpolate(zenith, nadir, side.elevation(sine)));
            }
        }
        data
    }

    #[test]
    fn every_pixel_has_the_colour_that_is_computed_for_it() {
        let colors = [
            ([0.3, 0.5, 0.7], [0.0, 0.0, 0.0]),
            ([0.0, 0.9, 0.41], [1.0, 0.1, 0.41]),
            ([1.0, 1.0, 1.0], [0.6, 0.8, 1.0]),
            ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]),
            // rounding decides everywhere
            ([0.0, 0.9, 0.4], [1.0, 0.1, 0.4]),
            // not colours, but MuJoCo paints them
            ([2.0, -1.0, f64::NAN], [0.0, 0.5, 1.0]),
        ];
        for (zenith, nadir) in &colors {
            for side in [Side::Upright, Side::Up, Side::Down] {
                for width in [1, 2, 7, 64, 255] {
                    let mut data = vec![0; 3 * width * width];
                    paint(&mut data, width, side, zenith, nadir);
                    let expected = painted(width, side, zenith, nadir);
                    assert!(data == expected, "{side:?} {width} {zenith:?}");
                }
            }
        }
    }

    #[test]
    fn numbers_near_a_change_are_computed() {
        let calls = Cell::new(0);
        let mut steps = Steps::search((0.0, 1.0), |x| {
            calls.set(calls.get() + 1);
            if x < 0.3 { [1, 0, 0] } else { [2, 0, 0] }
        });
        assert_eq!(steps.steps.len(), 2);
        let searched = calls.get();
        assert_eq!([0.1, 0.9, 0.29, 0.31].map(|x| steps.at(x)[0]), [1, 2, 1, 2]);
        assert_eq!(calls.get(), searched);
        let near = [0.3 - 1e-16, 0.3, 1.5, -0.5, f64::NAN];
        assert_eq!(near.map(|x| steps.at(x)[0]), [1, 2, 2, 1, 2]);
        assert_eq!(calls.get(), searched + near.len());
    }
}
