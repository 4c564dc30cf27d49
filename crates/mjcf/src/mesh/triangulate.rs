//! Polygons into triangles, by cutting off ears in the plane of two coordinate axes. Single
//! precision and the order of the cuts decide the result, and are those of MuJoCo's OBJ reader.
//!
//! An ear is a corner that turns as the polygon does and whose triangle contains no other corner: it can be cut off, which leaves a
//! polygon with one corner less. Every simple polygon has two. One that crosses itself may have none, and what is left of it is dropped.

use super::MeshError;
use super::obj::{Corner, error};

/// Polygons with more corners than this are left out, as MuJoCo 3.5.0 does.
const MAX_CORNERS: usize = 100;

/// Most tests of a point against an ear in one file: the work of a polygon grows with the cube of its corners, and a hostile file has
/// many.
const MAX_TESTS: usize = 1_000_000_000;

/// Triangles cut from polygons.
pub(super) struct Triangulator<'a> {
    vert: &'a [[f32; 3]],
    /// The triangles so far.
    pub(super) triangles: Vec<[Corner; 3]>,
    /// What is left of the current polygon.
    remaining: Vec<Corner>,
    /// Tests that may still be made.
    tests: usize,
}

impl<'a> Triangulator<'a> {
    /// A triangulator of so many polygons over these vertices.
    pub(super) fn new(vert: &'a [[f32; 3]], polygons: usize) -> Self {
        let triangles = Vec::with_capacity(polygons);
        Self { vert, triangles, remaining: Vec::new(), tests: MAX_TESTS }
    }

    /// Adds the triangles of a polygon. Fewer than three corners or more than [`MAX_CORNERS`] make
    /// none, and a polygon without an ear loses what is left of it.
    pub(super) fn add(&mut self, polygon: &[Corner]) -> Result<(), MeshError> {
        // nothing to cut
        if let Ok(triangle) = polygon.try_into() {
            self.triangles.push(triangle);
        }
        if polygon.len() <= 3 || polygon.len() > MAX_CORNERS {
            return Ok(());
        }
        // work in the coordinate plane where the polygon is not a line
        let axes = self.axes(polygon);
        let area = self.area(polygon, axes);
        self.remaining.clear();
        self.remaining.extend_from_slice(polygon);

        // try corner after corner; a whole round without an ear ends it
        let mut guess = 0;
        let mut tries = polygon.len();
        let mut previous = polygon.len();
        while self.remaining.len() > 3 && tries > 0 {
            let count = self.remaining.len();
            if guess >= count {
                guess -= count;
            }
            // no cut since the last try: one try less; after a cut, a whole round again
            if previous == count {
                tries -= 1;
            } else {
                previous = count;
                tries = count;
            }
            if !self.is_ear(guess, axes, area)? {
                guess += 1;
                continue;
            }
            // the ear goes, and the corner at its tip
            let ear = core::array::from_fn(|k| self.remaining[(guess + k) % count]);
            self.triangles.push(ear);
            self.remaining.remove((guess + 1) % count);
        }
        if let Ok(triangle) = self.remaining[..].try_into() {
            self.triangles.push(triangle);
        }
        Ok(())
    }

    fn vertex(&self, corner: &Corner) -> Option<&[f32; 3]> {
        self.vert.get(usize::try_from(corner.vertex).ok()?)
    }

    /// The two axes of the plane to work in, from the first corner that turns.
    fn axes(&self, polygon: &[Corner]) -> [usize; 2] {
        let count = polygon.len();
        for k in 0..count {
            let at = |i: usize| self.vertex(&polygon[(k + i) % count]);
            let (Some(v0), Some(v1), Some(v2)) = (at(0), at(1), at(2)) else { continue };
            let e0: [f32; 3] = core::array::from_fn(|i| v1[i] - v0[i]);
            let e1: [f32; 3] = core::array::from_fn(|i| v2[i] - v1[i]);
            // the largest coordinate of the normal is left out
            let cx = (e0[1] * e1[2] - e0[2] * e1[1]).abs();
            let cy = (e0[2] * e1[0] - e0[0] * e1[2]).abs();
            let cz = (e0[0] * e1[1] - e0[1] * e1[0]).abs();
            if cx > f32::EPSILON || cy > f32::EPSILON || cz > f32::EPSILON {
                return if cx > cy && cx > cz {
                    [1, 2]
                } else if cz > cx && cz > cy {
                    [0, 1]
                } else {
                    [0, 2]
                };
            }
        }
        [1, 2]
    }

    /// The signed area in the plane.
    fn area(&self, polygon: &[Corner], axes: [usize; 2]) -> f32 {
        let count = polygon.len();
        let mut area = 0.0;
        for k in 0..count {
            let (v0, v1) = (self.vertex(&polygon[k]), self.vertex(&polygon[(k + 1) % count]));
            if let (Some(v0), Some(v1)) = (v0, v1) {
                area += (v0[axes[0]] * v1[axes[1]] - v0[axes[1]] * v1[axes[0]]) * 0.5;
            }
        }
        area
    }

    /// Whether the three corners from `guess` turn the right way and contain no other corner.
    fn is_ear(&mut self, guess: usize, axes: [usize; 2], area: f32) -> Result<bool, MeshError> {
        let count = self.remaining.len();
        let at = |k: usize| {
            let v = self.vertex(&self.remaining[(guess + k) % count]);
            v.map(|v| axes.map(|axis| v[axis]))
        };
        let ear = [0, 1, 2].map(|k| at(k).unwrap_or_default());
        let e0 = [ear[1][0] - ear[0][0], ear[1][1] - ear[0][1]];
        let e1 = [ear[2][0] - ear[1][0], ear[2][1] - ear[1][1]];
        // a corner that turns inwards
        if (e0[0] * e1[1] - e0[1] * e1[0]) * area < 0.0 {
            return Ok(false);
        }
        // no other corner may be inside of the ear
        let inside = (3..count).position(|k| at(k).is_some_and(|point| contains(&ear, point)));
        let tests = inside.map_or(count, |k| k + 1);
        self.tests =
            self.tests.checked_sub(tests).ok_or(error("its polygons are too costly to divide"))?;
        Ok(inside.is_none())
    }
}

/// Whether a triangle contains a point, by counting crossings.
fn contains(triangle: &[[f32; 2]; 3], [x, y]: [f32; 2]) -> bool {
    let mut inside = false;
    let mut b = triangle[2];
    for &a in triangle {
        // a ray to the right crosses this side
        if ((a[1] > y) != (b[1] > y)) && (x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]) {
            inside = !inside;
        }
        b = a;
    }
    inside
}
