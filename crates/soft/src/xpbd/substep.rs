//! One substep of a body.
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

/// Advance a body by `dt`: see the module for the equations.
pub fn substep(
    shape: &Shape,
    config: &SolverConfig,
    vertices: &mut Vertices<'_>,
    memory: &mut Memory<'_>,
    gravity: Vec3,
    dt: Real,
    touch: &mut impl Touch,
) {
    let w = shape.inverse_masses();
    touch.begin(vertices.x, dt);
    fly(vertices, memory.before, w, gravity, dt);
    let inv_dt2 = 1.0 / (dt * dt);
    let x = &mut *vertices.x;
    if !config.remembers() {
        iterate_once(shape, x, w, inv_dt2);
        touch.solve(x, memory.before, w, dt);
    } else {
        memory.scalars.fill(0.0);
        memory.bends.fill(Vec3::ZERO);
        for _ in 0..config.num_iterations {
            iterate(shape, x, w, inv_dt2, config.damping_time / dt, memory);
            touch.solve(x, memory.before, w, dt);
        }
    }
    touch.end(dt);
    // what the positions did is the velocity, less the resistance of the air
    let rate = 1.0 / (dt * (1.0 + dt * config.damping));
    for (i, v) in vertices.v.iter_mut().enumerate() {
        *v = (x[i] - memory.before[i]) * rate;
    }
}

/// Let the vertices fly: velocity first, then position; pinned ones stay.
fn fly(vertices: &mut Vertices<'_>, before: &mut [Vec3], w: &[Real], gravity: Vec3, dt: Real) {
    let Vertices { x, v, f } = vertices;
    before.copy_from_slice(x);
    for (i, &w) in w.iter().enumerate() {
        if w > 0.0 {
            v[i] = v[i].add_scaled(gravity.add_scaled(f[i], w), dt);
            x[i] = x[i].add_scaled(v[i], dt);
        }
    }
}

/// One iteration where no other follows, so that multipliers need not be kept.
fn iterate_once(shape: &Shape, x: &mut [Vec3], w: &[Real], inv_dt2: Real) {
    for c in &shape.distances {
        c.solve(x, w, inv_dt2, &mut 0.0);
    }
    for c in &shape.flex_edges {
        c.solve(x, w, inv_dt2, &mut 0.0);
    }
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
