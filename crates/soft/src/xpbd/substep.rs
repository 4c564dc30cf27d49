//! The substeps of a body.
use core::ops::Range;

use ferrodyn_math::{Real, Vec3};

use super::SolverConfig;
use crate::Shape;

/// The vertices of a body.
#[derive(Debug)]
pub struct Vertices<'a> {
    /// Positions, in m.
    pub x: &'a mut [Vec3],
    /// Velocities, in m/s.
    pub v: &'a mut [Vec3],
    /// Forces from outside, in N.
    pub f: &'a [Vec3],
}

/// Temporary memory of a substep.
#[derive(Debug)]
pub struct Memory<'a> {
    /// Positions at its beginning, one for each vertex.
    pub before: &'a mut [Vec3],
    /// Multipliers of constraints of one number: [`Shape::scalar_multipliers`].
    pub scalars: &'a mut [Real],
    /// Multipliers of bends: [`Shape::bend_multipliers`].
    pub bends: &'a mut [Vec3],
}

impl Shape {
    /// How many multipliers constraints of one number need: none where one iteration is enough.
    pub fn scalar_multipliers(&self, config: &SolverConfig) -> usize {
        let count = self.distances.len() + self.flex_edges.len() + self.volumes.len();
        if config.remembers() { count } else { 0 }
    }

    /// How many multipliers bends need.
    pub fn bend_multipliers(&self, config: &SolverConfig) -> usize {
        if config.remembers() { self.bends.len() } else { 0 }
    }
}

/// What touches a body while it moves. It is solved after all constraints of the body, in every iteration.
pub trait Touch {
    /// A substep of `dt` begins; these are the positions.
    fn begin(&mut self, x: &[Vec3], dt: Real);
    /// Push vertices, which were `before` at the beginning.
    fn solve(&mut self, x: &mut [Vec3], before: &[Vec3], w: &[Real], dt: Real);
    /// The substep ends.
    fn end(&mut self, dt: Real);
}

/// Nothing touches the body.
#[derive(Clone, Copy, Debug)]
pub struct NoTouch;

impl Touch for NoTouch {
    fn begin(&mut self, _: &[Vec3], _: Real) {}
    fn solve(&mut self, _: &mut [Vec3], _: &[Vec3], _: &[Real], _: Real) {}
    fn end(&mut self, _: Real) {}
}

/// Advance a body by `count` substeps of `dt`: see the module for the equations.
///
/// Vertices fly just before the first distance that needs them is solved, so that a large body goes through memory less often.
pub fn advance(
    shape: &Shape,
    config: &SolverConfig,
    vertices: &mut Vertices<'_>,
    memory: &mut Memory<'_>,
    gravity: Vec3,
    (count, dt): (usize, Real),
    touch: &mut impl Touch,
) {
    let w = shape.inverse_masses();
    let inv_dt2 = 1.0 / (dt * dt);
    // what the positions did is the velocity, less the resistance of the air
    let rate = 1.0 / (dt * (1.0 + dt * config.damping));
    let pushed = vertices.f.iter().any(|f| !f.is_zero());
    for substep in 0..count {
        touch.begin(vertices.x, dt);
        let flight = Flight { gravity, dt, rate: (substep > 0).then_some(rate), pushed };
        if config.remembers() {
            flight.fly(vertices, memory.before, w, 0..w.len());
            memory.scalars.fill(0.0);
            memory.bends.fill(Vec3::ZERO);
            for _ in 0..config.num_iterations {
                iterate(shape, vertices.x, w, inv_dt2, config.damping_time / dt, memory);
                touch.solve(vertices.x, memory.before, w, dt);
            }
        } else {
            fly_and_iterate_once(shape, &flight, vertices, memory.before, inv_dt2);
            touch.solve(vertices.x, memory.before, w, dt);
        }
        touch.end(dt);
    }
    if count > 0 {
        for (i, v) in vertices.v.iter_mut().enumerate() {
            *v = (vertices.x[i] - memory.before[i]) * rate;
        }
    }
}

/// How vertices fly in a substep.
struct Flight {
    gravity: Vec3,
    dt: Real,
    /// Makes a velocity of what the last substep did to a position; none in the first one, where the velocity is known.
    rate: Option<Real>,
    /// Are there forces from outside?
    pushed: bool,
}

impl Flight {
    /// Let some vertices fly: velocity first, then position; pinned ones stay.
    #[inline]
    fn fly(
        &self,
        vertices: &mut Vertices<'_>,
        before: &mut [Vec3],
        w: &[Real],
        range: Range<usize>,
    ) {
        let Flight { gravity, dt, .. } = *self;
        let Vertices { x, v, f } = vertices;
        let (x, v, f) = (&mut x[range.clone()], &v[range.clone()], &f[range.clone()]);
        let (before, w) = (&mut before[range.clone()], &w[range]);
        for (i, &w) in w.iter().enumerate() {
            let start = x[i];
            if w > 0.0 {
                let speed = match self.rate {
                    Some(rate) => (start - before[i]) * rate,
                    None => v[i],
                };
                let pull = if self.pushed { gravity.add_scaled(f[i], w) } else { gravity };
                x[i] = start.add_scaled(speed.add_scaled(pull, dt), dt);
            }
            before[i] = start;
        }
    }
}

/// One iteration where no other follows, so that multipliers need not be kept; vertices fly before.
fn fly_and_iterate_once(
    shape: &Shape,
    flight: &Flight,
    vertices: &mut Vertices<'_>,
    before: &mut [Vec3],
    inv_dt2: Real,
) {
    let w = shape.inverse_masses();
    let mut flown = 0;
    for (ahead, block) in shape.distance_blocks() {
        flown = ahead.end;
        flight.fly(vertices, before, w, ahead);
        for c in block {
            c.solve(vertices.x, w, inv_dt2, &mut 0.0);
        }
    }
    flight.fly(vertices, before, w, flown..w.len());
    let x = &mut *vertices.x;
    for c in &shape.flex_edges {
        c.solve(x, w, inv_dt2, &mut 0.0);
    }
    // all distances first: sweeps that solve both kinds for some vertices and go on to others can feed waves that go with them
    for c in &shape.bends {
        c.solve_once(x, w, inv_dt2);
    }
    for c in &shape.volumes {
        c.solve(x, w, inv_dt2, &mut 0.0);
    }
}

/// One of several iterations, or one with damping.
fn iterate(
    shape: &Shape,
    x: &mut [Vec3],
    w: &[Real],
    inv_dt2: Real,
    gamma: Real,
    memory: &mut Memory<'_>,
) {
    let Memory { before, scalars, bends } = memory;
    let (distances, rest) = scalars.split_at_mut(shape.distances.len());
    let (edges, volumes) = rest.split_at_mut(shape.flex_edges.len());
    for (c, multiplier) in shape.distances.iter().zip(distances) {
        c.solve_damped(x, before, w, inv_dt2, gamma, multiplier);
    }
    for (c, multiplier) in shape.flex_edges.iter().zip(edges) {
        c.solve(x, w, inv_dt2, multiplier);
    }
    for (c, multiplier) in shape.bends.iter().zip(bends.iter_mut()) {
        c.solve_damped(x, before, w, inv_dt2, gamma, multiplier);
    }
    for (c, multiplier) in shape.volumes.iter().zip(volumes) {
        c.solve(x, w, inv_dt2, multiplier);
    }
}
