//! Sweep and prune: which of many boxes overlap, without testing all pairs.
//!
//! Ends of boxes are sorted along one axis, that in which they are spread most ([`widest_axis`]); going through them in order, a
//! box that begins while another one is open overlaps it there, and only such a pair is compared in the other two axes. From
//! step to step the order hardly changes, so that the caller keeps the sorted ends and a sort by insertion has little to
//! mend. A few boxes are compared each with each ([`compare_all`]).
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{List, Mat3, Real, Vec3, double, sort_by, sort_keys};

/// A box in the axes of the sweep.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Extent {
    low: Vec3,
    high: Vec3,
    /// Whose box it is.
    pub owner: u32,
    /// Fills the last word.
    unused: u32,
}

impl Extent {
    /// A box around nothing, which [`Extent::cover`] makes larger.
    #[inline]
    pub fn empty(owner: u32) -> Extent {
        let low = Vec3::new(Real::MAX, Real::MAX, Real::MAX);
        Extent { low, high: -low, owner, unused: 0 }
    }

    /// A box between two corners, in the axes of the sweep.
    #[inline]
    pub fn between(owner: u32, low: Vec3, high: Vec3) -> Extent {
        Extent { low, high, owner, unused: 0 }
    }

    /// Make the box reach around a sphere, in the axes of the world.
    #[inline]
    pub fn cover(&mut self, center: Vec3, radius: Real) {
        // one instruction each, other than `min` and `max`, which ask for NaN; that is left out here, too
        for j in 0..3 {
            let (low, high) = (center[j] - radius, center[j] + radius);
            self.low[j] = if low < self.low[j] { low } else { self.low[j] };
            self.high[j] = if high > self.high[j] { high } else { self.high[j] };
        }
    }

    /// Make the box reach around a sphere. Its centre is in the axes of the world; `axes` are those of the sweep, as rows.
    #[inline]
    pub fn cover_along(&mut self, axes: &Mat3, center: Vec3, radius: Real, margin: Real) {
        for j in 0..3 {
            let center = center.dot(axes.row(j));
            self.low[j] = self.low[j].min(center - radius - margin);
            self.high[j] = self.high[j].max(center + radius + margin);
        }
    }

    /// Does it overlap another one in the second and third axis?
    #[inline]
    fn overlaps_aside(&self, other: &Extent) -> bool {
        [1, 2].iter().all(|k| self.low[*k] <= other.high[*k] && other.low[*k] <= self.high[*k])
    }

    /// Exchange an axis with the first one.
    #[inline]
    pub fn exchange_axes(&mut self, axis: usize) {
        self.low.0.swap(0, axis);
        self.high.0.swap(0, axis);
    }
}

/// A number in single precision that is not above: less by two units of the last place, and by a bit for zero.
#[inline(always)]
fn below(x: Real) -> f32 {
    let x = double(x) as f32;
    x * (1.0 - 2.0 * f32::EPSILON * x.signum()) - f32::MIN_POSITIVE
}

/// The lower ends of a box in all three axes, then its upper ones with the opposite sign, in single precision and rounded outwards: two
/// boxes overlap where no number of the one is greater than that of the other seen from the opposite side, which are two vector comparisons.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Corner([f32; 8]);

impl Corner {
    fn new(extent: &Extent) -> Corner {
        let (low, high) = (extent.low, -extent.high);
        Corner(core::array::from_fn(|i| match i {
            0..3 => below(low[i]),
            3..6 => below(high[i - 3]),
            _ => 0.0,
        }))
    }

    /// The upper ends, then the lower ones with the opposite sign.
    #[inline(always)]
    fn opposite(&self) -> [f32; 8] {
        let c = &self.0;
        [-c[3], -c[4], -c[5], -c[0], -c[1], -c[2], 0.0, 0.0]
    }
}

/// Call `found` with the owners of every two boxes that overlap or nearly do, the later one first. `corners` has room for every box.
pub fn compare_all(
    extents: &[Extent],
    corners: &mut [Corner],
    mut found: impl FnMut(usize, usize),
) {
    for (i, a) in extents.iter().enumerate() {
        let corner = Corner::new(a);
        let opposite = corner.opposite();
        for (b, lower) in extents.iter().zip(&corners[..i]) {
            // all of them at once, since which one fails cannot be foreseen
            if (0..8).fold(true, |all, k| all & (lower.0[k] <= opposite[k])) {
                found(a.owner as usize, b.owner as usize);
            }
        }
        corners[i] = corner;
    }
}

/// The axis along which the middles of boxes vary most, or `last`, if that is nearly as good: to stay with one keeps its order.
pub fn widest_axis(extents: &[Extent], last: usize) -> usize {
    // another axis has to be better by half: less would not make up for sorting anew
    const BETTER: Real = 1.5;
    let middle = |extent: &Extent| extent.low + extent.high;
    let mean = extents.iter().fold(Vec3::ZERO, |sum, extent| sum + middle(extent))
        * (1.0 / extents.len().max(1) as Real);
    let variance = extents.iter().fold(Vec3::ZERO, |sum, extent| {
        let dif = middle(extent) - mean;
        sum + dif.mul_elem(dif)
    });
    let last = last.min(2);
    let mut best = last;
    for axis in 0..3 {
        if variance[axis] > variance[best] {
            best = axis;
        }
    }
    if variance[best] > BETTER * variance[last] { best } else { last }
}

/// One end of a box on the first axis.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct End {
    /// In single precision, which MuJoCo sorts in too.
    value: f32,
    /// Twice the number of the box, plus one for the upper end.
    which: u32,
}

/// A box that has begun, in the other two axes: side by side in memory, since each box that begins is held against all of them.
///
/// Its lower ends, and the upper ones with the opposite sign, rounded outwards as in [`Corner`]: what does not overlap most often shows in one
/// vector comparison, and what may is compared again in full precision.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Open {
    corner: [f32; 4],
    /// Number of the box.
    which: u32,
    /// Fills the last word.
    unused: u32,
}

impl Open {
    fn new(which: u32, extent: &Extent) -> Open {
        let (low, high) = (extent.low, -extent.high);
        let corner = [below(low[1]), below(low[2]), below(high[1]), below(high[2])];
        Open { corner, which, unused: 0 }
    }

    /// The upper ends, then the lower ones with the opposite sign.
    #[inline(always)]
    fn opposite(&self) -> [f32; 4] {
        let c = &self.corner;
        [-c[2], -c[3], -c[0], -c[1]]
    }
}

/// What is known of the order of the ends.
#[derive(Debug)]
pub enum Order<'a> {
    /// That of the last sweep, which has hardly changed.
    Kept,
    /// Nothing. The memory has two words for each box, and speeds up the sort; it may be empty.
    Fresh(&'a mut [[u64; 2]]),
}

/// The frame of a sweep, its axes as rows: `R` with `Rᵀ C R` diagonal, the largest variance first, where `C` is the covariance of
/// the points; none without points.
///
/// The eigenvectors of `C` are the columns of `R`; MuJoCo's `mj_broadphase` takes the rows, and so does this. Boxes that
/// touch overlap in every orthonormal frame, so that no pair is lost but by the rounding of [`End`], which is MuJoCo's; in
/// this one more of them overlap that do not touch, and are ruled out later: the axes of the world are as good, and are taken
/// where only contacts count. MuJoCo: `updateCov`, in `mj_broadphase`.
pub fn principal_axes<I: Iterator<Item = Vec3>>(points: impl Fn() -> I) -> Option<Mat3> {
    let (count, sum) = points().fold((0usize, Vec3::ZERO), |(count, sum), x| (count + 1, sum + x));
    if count == 0 {
        return None;
    }
    let inv = 1.0 / count as Real;
    let mean = sum * inv;
    // covariance: Σ (x - mean) (x - mean)ᵀ / count, the upper half first
    let mut covariance: Mat3 = Mat3::default();
    for x in points() {
        let dif = x - mean;
        for i in [0, 1, 2, 4, 5, 8] {
            covariance[i] += dif[i / 3] * dif[i % 3];
        }
    }
    [covariance[3], covariance[6], covariance[7]] = [covariance[1], covariance[2], covariance[5]];
    Some(Mat3(covariance.0.map(|c| c * inv)).eigen_symmetric().1.to_mat())
}

/// Call `found` with the owners of every two boxes that overlap: the one that begins later on the first axis, then the other. Those that one box
/// overlaps come in the order of their lower ends. MuJoCo: `mj_SAP`, with `SAPcmp`.
///
/// `ends` has two for each box. It keeps the order of one sweep for the next. `open` has room for every box.
///
/// ```
/// use ferrodyn_collision::{End, Extent, Open, Order, sweep};
/// use ferrodyn_math::{List, Vec3};
/// let boxes = [0.0, 1.5, 9.0].map(|x| {
///     let mut extent = Extent::empty(x as u32);
///     extent.cover(Vec3::new(x, 0.0, 0.0), 1.0);
///     extent
/// });
/// let (mut ends, mut open) = ([End::default(); 6], [Open::default(); 3]);
/// let mut pairs = vec![];
/// let open = List::new(&mut open);
/// sweep(&boxes, &mut ends, Order::Fresh(&mut []), open, |a, b| pairs.push((a, b)));
/// assert_eq!(pairs, [(1, 0)]);
/// ```
pub fn sweep(
    extents: &[Extent],
    ends: &mut [End],
    order: Order<'_>,
    mut open: List<'_, Open>,
    mut found: impl FnMut(usize, usize),
) {
    sort_ends(extents, ends, order);
    for end in &*ends {
        let this = end.which / 2;
        // an upper end closes its box
        if end.which & 1 == 1 {
            if let Some(place) = open.iter().position(|other| other.which == this) {
                open.remove(place);
            }
            continue;
        }
        // a lower end opens one, and those that are open overlap it on this axis
        let extent = &extents[this as usize];
        let a = Open::new(this, extent);
        let opposite = a.opposite();
        for b in open.iter() {
            // all of them at once, since which one fails cannot be foreseen
            if (0..4).fold(true, |all, k| all & (b.corner[k] <= opposite[k])) {
                let other = &extents[b.which as usize];
                if extent.overlaps_aside(other) {
                    found(extent.owner as usize, other.owner as usize);
                }
            }
        }
        open.push(a);
    }
}

/// Put the ends of boxes in order: by value, ends at the same place by number.
fn sort_ends(extents: &[Extent], ends: &mut [End], order: Order<'_>) {
    let fresh = matches!(order, Order::Fresh(_));
    for (place, end) in ends.iter_mut().enumerate() {
        if fresh {
            end.which = place as u32;
        }
        let extent = &extents[end.which as usize / 2];
        let value: Real = if end.which & 1 == 0 { extent.low[0] } else { extent.high[0] };
        // one zero, as in MuJoCo's comparison
        end.value = value as f32 + 0.0;
    }
    match order {
        Order::Fresh(memory) if memory.len() >= ends.len() => {
            let count = ends.len();
            let (keys, spare) = memory.as_flattened_mut().split_at_mut(count);
            let spare = &mut spare[..count];
            // numbers rise from one key to the next, and a sort of the values leaves it so where they are equal
            for (key, end) in keys.iter_mut().zip(&*ends) {
                *key = u64::from(ascending_bits(end.value)) << 32 | u64::from(end.which);
            }
            sort_keys(keys, spare);
            for (end, key) in ends.iter_mut().zip(&*keys) {
                let value = value_of_bits((key >> 32) as u32);
                *end = End { value, which: *key as u32 };
            }
        }
        _ => sort_by(ends, |a, b| a.value.total_cmp(&b.value).then(a.which.cmp(&b.which)).is_lt()),
    }
}

/// The sign of a number in single precision.
const SIGN: u32 = 1 << 31;

/// The bits of a number such that greater numbers have greater ones.
fn ascending_bits(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The number that has these [`ascending_bits`].
fn value_of_bits(bits: u32) -> f32 {
    f32::from_bits(if bits & SIGN == 0 { !bits } else { bits & !SIGN })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Numbers between 0 and 1, always the same.
    fn numbers(mut seed: u64) -> impl FnMut() -> Real {
        move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as Real / (1u64 << 24) as Real
        }
    }

    #[test]
    fn finds_what_comparing_all_pairs_finds_and_keeps_its_order() {
        let mut next = numbers(1);
        let n = 60;
        let mut centers: Vec<_> = (0..n).map(|_| Vec3::new(next(), next(), next()) * 6.0).collect();
        let mut ends = vec![End::zeroed(); 2 * n];
        let mut open = vec![Open::default(); n];
        let mut memory = vec![[0; 2]; 2 * n];
        let mut overlapping = 0;
        for round in 0..20 {
            let axis = round % 3;
            let extents: Vec<_> = centers
                .iter()
                .enumerate()
                .map(|(i, center)| {
                    let mut extent = Extent::empty(i as u32);
                    extent.cover(*center, 0.31);
                    extent.exchange_axes(axis);
                    extent
                })
                .collect();
            let mut found = vec![];
            let order = if round == 0 { Order::Fresh(&mut []) } else { Order::Kept };
            sweep(&extents, &mut ends, order, List::new(&mut open), |a, b| found.push((a, b)));
            // the same pairs in the same order from a fresh start
            let (mut again, mut fresh) = (vec![], vec![End::zeroed(); 2 * n]);
            let order = Order::Fresh(&mut memory);
            sweep(&extents, &mut fresh, order, List::new(&mut open), |a, b| again.push((a, b)));
            assert_eq!(again, found);
            for (a, b) in fresh.iter().zip(&ends) {
                assert_eq!((a.value, a.which), (b.value, b.which));
            }
            let mut found: Vec<_> =
                found.into_iter().map(|(a, b): (usize, usize)| (a.min(b), a.max(b))).collect();
            found.sort_unstable();
            let near = |a: &Extent, b: &Extent| {
                (0..3).all(|k| a.low[k] <= b.high[k] && b.low[k] <= a.high[k])
            };
            let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            let all: Vec<_> = pairs.filter(|&(i, j)| near(&extents[i], &extents[j])).collect();
            assert_eq!(found, all);
            let mut compared = vec![];
            compare_all(&extents, &mut vec![Corner::default(); n], |a, b| compared.push((b, a)));
            compared.sort_unstable();
            assert_eq!(compared, all);
            overlapping += all.len();
            centers.iter_mut().for_each(|x| *x += Vec3::new(next(), next(), next()) * 0.2);
        }
        assert!(overlapping > 100, "{overlapping}");
    }

    #[test]
    fn bits_of_numbers_rise_with_them() {
        let values = [f32::NEG_INFINITY, -2.0, -1e-30, 0.0, 1e-30, 2.0, 3.5e7, f32::INFINITY];
        assert!(values.map(ascending_bits).is_sorted());
        assert_eq!(values.map(|x| value_of_bits(ascending_bits(x))), values);
    }

    #[test]
    fn boxes_that_touch_in_a_point_are_found_wherever_they_are() {
        for at in [0.0, 1e-20, 0.1, 1.0 / 3.0, -7.7, 1e6, -1e12] {
            let mut boxes = [Extent::empty(0), Extent::empty(1)];
            boxes[0].cover(Vec3::new(at, at, -at), 0.25);
            let corner = boxes[0].high;
            boxes[1] = Extent::between(1, corner, corner + Vec3::new(0.1, 0.1, 0.1));
            let mut found = 0;
            compare_all(&boxes, &mut [Corner::default(); 2], |_, _| found += 1);
            assert_eq!(found, 1, "{at}");
        }
    }

    #[test]
    fn the_widest_axis_is_left_only_for_a_much_wider_one() {
        let boxes = |scale: [Real; 3]| {
            [-1.0, 0.2, 1.0].map(|x| {
                let mut extent = Extent::empty(0);
                // off the origin, which is not what counts
                extent.cover(Vec3(scale.map(|s| 5.0 + s * x)), 0.1);
                extent
            })
        };
        assert_eq!(widest_axis(&boxes([1.0, 3.0, 2.0]), 0), 1);
        assert_eq!(widest_axis(&boxes([1.0, 1.1, 0.5]), 0), 0);
        assert_eq!(widest_axis(&boxes([1.0, 1.1, 0.5]), 2), 1);
    }

    #[test]
    fn the_frame_makes_the_covariance_diagonal_with_the_largest_variance_first() {
        // spread along a direction between the axes
        let points =
            [[3.0, 2.0, 1.0], [-3.0, -2.1, 0.5], [0.5, -1.0, -1.0], [0.2, 0.4, 2.0]].map(Vec3);
        let frame = principal_axes(|| points.into_iter()).unwrap();
        let mean = points.into_iter().fold(Vec3::ZERO, |sum, x| sum + x) * 0.25;
        // Rᵀ C R: covariances of the coordinates Rᵀ (x - mean)
        let turned = points.map(|x| frame.mul_transposed(x - mean));
        let covariance =
            |i: usize, j: usize| turned.iter().map(|x| x[i] * x[j]).sum::<Real>() / 4.0;
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            assert!(covariance(i, j).abs() < 1e-5, "{i} {j}");
            assert!(covariance(i, i) > covariance(j, j), "{i} {j}");
        }
        assert!(principal_axes(|| [].into_iter()).is_none());
    }
}
