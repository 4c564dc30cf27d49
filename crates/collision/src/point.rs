//! Points of contact.
use core::ops::{Deref, DerefMut};

use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{Mat3, Real, Vec3};

/// The most points that one pair of shapes gives: MuJoCo's `mjMAXCONPAIR`.
pub const MAX_POINTS: usize = 50;

/// One point at which two shapes touch, or nearly touch.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ContactPoint {
    /// Distance between the surfaces; negative when they overlap.
    pub dist: Real,
    /// Midway between the surfaces.
    pub pos: Vec3,
    /// Unit vector from the first shape to the second.
    pub normal: Vec3,
    /// The preferred first tangent; zero for none.
    pub tangent: Vec3,
}

impl ContactPoint {
    /// A point without a preferred tangent.
    #[inline]
    pub fn new(dist: Real, pos: Vec3, normal: Vec3) -> ContactPoint {
        ContactPoint { dist, pos, normal, tangent: Vec3::ZERO }
    }

    /// Is every number finite?
    pub fn is_finite(&self) -> bool {
        // one that is not finite makes the sum so, whatever the others are
        let sum = self.dist
            + self.pos[0]
            + self.pos[1]
            + self.pos[2]
            + self.normal[0]
            + self.normal[1]
            + self.normal[2];
        sum.is_finite()
    }

    /// The contact frame: rows are the normal and two tangents. MuJoCo: `mju_makeFrame`.
    ///
    /// Without a preferred tangent it is y made orthogonal to the normal, or z where the normal is
    /// closer to y.
    pub fn frame(&self) -> Mat3 {
        let x = self.normal.normalize().0;
        let mut y = self.tangent;
        // a preferred tangent is a unit vector: shorter than one half is none
        if y.dot(y) < 0.25 {
            y = if x[1] < 0.5 && x[1] > -0.5 { Vec3::Y } else { Vec3::Z };
        }
        // Gram and Schmidt
        let y = (y - x * x.dot(y)).normalize().0;
        let z = x.cross(y);
        Mat3([x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]])
    }
}

/// The points of one pair, at most [`MAX_POINTS`]; further ones are dropped.
///
/// A list in memory with any contents is [cleared](ContactPoints::clear) before it is used.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct ContactPoints {
    points: [ContactPoint; MAX_POINTS],
    /// As wide as this on all machines, so that there is no gap.
    len: u64,
}

impl ContactPoints {
    /// An empty list.
    pub const fn new() -> ContactPoints {
        let none =
            ContactPoint { dist: 0.0, pos: Vec3::ZERO, normal: Vec3::ZERO, tangent: Vec3::ZERO };
        ContactPoints { points: [none; MAX_POINTS], len: 0 }
    }

    /// Forget all points.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Append a point.
    #[inline]
    pub fn push(&mut self, point: ContactPoint) {
        if let Some(slot) = self.points.get_mut(self.len as usize) {
            *slot = point;
            self.len += 1;
        }
    }

    /// Remove points whose position stands again later in the list, in every bit: the last of them stays.
    pub(crate) fn remove_repeated(&mut self) {
        let mut kept = 0;
        for i in 0..self.len as usize {
            // compared with those that follow
            let pos = self.points[i].pos;
            if !self.points[i + 1..self.len as usize].iter().any(|other| other.pos == pos) {
                if kept < i {
                    self.points[kept] = self.points[i];
                }
                kept += 1;
            }
        }
        self.len = kept as u64;
    }

    /// Keep the first `len` points.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len as u64);
    }

    /// Keep the points for which `keep` holds, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(&ContactPoint) -> bool) {
        let mut kept = 0;
        for i in 0..self.len as usize {
            // what is kept closes the gaps before it
            if keep(&self.points[i]) {
                if kept < i {
                    self.points[kept] = self.points[i];
                }
                kept += 1;
            }
        }
        self.len = kept as u64;
    }
}

impl Default for ContactPoints {
    fn default() -> Self {
        ContactPoints::new()
    }
}

impl Deref for ContactPoints {
    type Target = [ContactPoint];
    #[inline]
    fn deref(&self) -> &[ContactPoint] {
        &self.points[..self.len as usize]
    }
}

impl DerefMut for ContactPoints {
    #[inline]
    fn deref_mut(&mut self) -> &mut [ContactPoint] {
        &mut self.points[..self.len as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_orthonormal_and_follows_the_wish() {
        let mut point = ContactPoint::new(0.0, Vec3::ZERO, Vec3::new(0.0, 1.0, 0.0));
        assert_eq!(point.frame().row(1), Vec3::Z);
        point.tangent = Vec3::X;
        let frame = point.frame();
        assert_eq!((frame.row(0), frame.row(1), frame.row(2)), (Vec3::Y, Vec3::X, -Vec3::Z));
    }

    #[test]
    fn the_list_is_bounded() {
        let mut points = ContactPoints::new();
        for i in 0..60 {
            points.push(ContactPoint::new(i as Real, Vec3::ZERO, Vec3::X));
        }
        assert_eq!(points.len(), MAX_POINTS);
        points.retain(|p| p.dist >= 48.0);
        assert_eq!(points.iter().map(|p| p.dist).sum::<Real>(), 97.0);
    }

    #[test]
    fn of_points_at_the_same_place_the_last_stays() {
        let mut points = ContactPoints::new();
        for (dist, x) in [(1.0, 0.5), (2.0, 0.7), (3.0, 0.5)] {
            points.push(ContactPoint::new(dist, Vec3::X * x, Vec3::Z));
        }
        points.remove_repeated();
        assert!(points.iter().map(|p| p.dist).eq([2.0, 3.0]));
        points.truncate(1);
        assert_eq!(points.len(), 1);
        assert!(points[0].is_finite());
        points[0].normal[1] = Real::NAN;
        assert!(!points[0].is_finite());
    }
}
