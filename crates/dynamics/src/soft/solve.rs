//! Deformable bodies and what they touch, moved together through the substeps of a step.
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::sparse::solve_ldl;
use ferrodyn_math::{Real, Stack, Vec3, words_of};
use ferrodyn_model::{DisableBit, Model, Storage};
use ferrodyn_soft::SolverConfig;
use ferrodyn_soft::xpbd::{Memory, Touch, Vertices, advance};

use super::detect::{Detector, find_contacts};
use super::rigid::Rigid;
use super::{DeformableContact, Soft};
use crate::data::memory::frame;
use crate::position::inertia::pattern;
use crate::solver::solve_rows;
use crate::{StepError, World};

/// A contact rests at this share of the margin, not at its edge, so that it is there in every step.
const REST_DEPTH: Real = 0.01;

/// Share of a violation that a substep of `h` removes: `h / (h + 2 timeconst dampratio)`, or from stiffness and damping where they are
/// negative, `h k / (h k + b)`.
///
/// ```
/// use ferrodyn_dynamics::soft::compute_erp;
/// assert!((compute_erp([0.02, 1.0], 0.01) - 0.2).abs() < 1e-6);
/// assert!((compute_erp([-100.0, -3.0], 0.01) - 0.25).abs() < 1e-6);
/// ```
pub fn compute_erp(solref: [Real; 2], h: Real) -> Real {
    let [first, second] = solref;
    let erp =
        if first > 0.0 { h / (h + 2.0 * first * second) } else { h * first / (h * first + second) };
    // parameters that make no sense leave the violation alone, or remove it
    if erp.is_nan() { 0.0 } else { erp.clamp(0.0, 1.0) }
}

/// A contact while it is solved.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Row {
    /// The vertex within its body, the touched body (-1 for what does not move), and the contact.
    vertex: u32,
    slot: i32,
    contact: u32,
    unused: u32,
    /// Normal and tangents.
    axes: [Vec3; 3],
    /// From the centre of the touched body.
    offset: Vec3,
    /// The depth is this less `normal · x`, and plus what the touched body moves.
    base: Real,
    /// Inverse mass of the touched body along the axes.
    weights: [Real; 3],
    friction: Real,
    /// Share of the depth that a substep removes.
    erp: Real,
    /// By how much the distance shall grow in this substep.
    target: Real,
    /// Multipliers of this substep, and of all.
    multiplier: [Real; 3],
    total: [Real; 3],
}

/// The contacts of a body while it moves.
struct Contacts<'r, 'a> {
    rows: &'r mut [Row],
    rigid: &'r mut Rigid<'a>,
    rest: Real,
}

impl Touch for Contacts<'_, '_> {
    fn begin(&mut self, x: &[Vec3], dt: Real) {
        self.rigid.accelerate(dt);
        for row in self.rows.iter_mut() {
            let normal = row.axes[0];
            let mut depth = row.base - normal.dot(x[row.vertex as usize]);
            if let Ok(slot) = usize::try_from(row.slot) {
                depth += normal.dot(self.rigid.moved(slot, row.offset));
            }
            // an overlap shrinks by its share; a gap may close
            let over = depth - self.rest;
            row.target = if over > 0.0 { row.erp * over } else { over };
            row.multiplier = [0.0; 3];
        }
    }

    fn solve(&mut self, x: &mut [Vec3], before: &[Vec3], w: &[Real], dt: Real) {
        for row in self.rows.iter_mut() {
            let vertex = row.vertex as usize;
            let weight = w[vertex];
            let slot = usize::try_from(row.slot).ok();
            // motion of the vertex against the surface since the substep began
            let mut against = x[vertex] - before[vertex];
            if let Some(slot) = slot {
                against = against.add_scaled(self.rigid.velocity(slot, row.offset), -dt);
            }
            // along the normal: never pull
            let [normal, first, second] = row.axes;
            let change = (row.target - normal.dot(against)) / (weight + row.weights[0]);
            let total = (row.multiplier[0] + change).max(0.0);
            let mut push = normal * (total - row.multiplier[0]);
            row.multiplier[0] = total;
            // across it: stop sliding, within the disc of Coulomb's law; what the push along the normal moves across it is of the
            // rigid body's turning alone, and is seen by the next iteration
            if row.friction > 0.0 {
                let mut across = [0.0; 2];
                for (k, axis) in [first, second].into_iter().enumerate() {
                    let change = -axis.dot(against) / (weight + row.weights[k + 1]);
                    across[k] = row.multiplier[k + 1] + change;
                }
                let size = Vec3::new(across[0], across[1], 0.0).norm();
                let most = row.friction * total;
                let scale = if size > most { most / size } else { 1.0 };
                for (k, axis) in [first, second].into_iter().enumerate() {
                    let across = across[k] * scale;
                    push = push.add_scaled(axis, across - row.multiplier[k + 1]);
                    row.multiplier[k + 1] = across;
                }
            }
            x[vertex] = x[vertex].add_scaled(push, weight);
            if let Some(slot) = slot {
                self.rigid.push(slot, row.offset, push * (-1.0 / dt));
            }
        }
    }

    fn end(&mut self, dt: Real) {
        self.rigid.advance(dt);
        for row in self.rows.iter_mut() {
            for (total, multiplier) in row.total.iter_mut().zip(row.multiplier) {
                *total += multiplier / dt;
            }
        }
    }
}

frame! {
    /// Temporary memory of one body.
    struct BodyMemory(vertices, scalars, bends, rows) {
        before: slice Vec3 = vertices,
        scalars: slice Real = scalars,
        bends: slice Vec3 = bends,
        rows: slice Row = rows,
    }
}

/// Move all bodies through a step, from the present state into arrays of their own, and add what they do to the rigid ones to `qfrc_constraint`
/// and `qacc`.
///
/// The later stages of Runge-Kutta take the force of the first. What comes back is the residual of the constraint rows, where there are some that had
/// to be solved again.
pub fn solve_deformable_contacts(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
) -> Result<Option<Real>, StepError> {
    let Some(mut soft) = d.soft.take() else { return Ok(None) };
    let outcome = if soft.hold { Ok(()) } else { move_all(m, d, &mut soft) };
    let outcome = outcome.and_then(|()| add_force(m, d, soft.qfrc));
    d.soft = Some(soft);
    outcome
}

/// Run all bodies through the step; once more, from the beginning, where memory was too little.
fn move_all(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    soft: &mut Soft<'_>,
) -> Result<(), StepError> {
    let mut words = likely_words(m, soft);
    loop {
        let outcome = d.with_stack(words, |d, stack| {
            let free = stack.free_words();
            (attempt(m, d, soft, stack), free)
        })?;
        match outcome {
            (Err(StepError::NoRoom { what: "temporary words", missing }), free)
                if !d.is_fixed() =>
            {
                words = free + missing;
            }
            (outcome, _) => return outcome,
        }
    }
}

/// Words that are enough where contacts do not become more within the step, and every touched body is a tree of its own.
fn likely_words(m: &Model<impl Storage>, soft: &Soft<'_>) -> usize {
    let bodies = soft.scene.bodies.iter().map(|body| {
        let (scalars, bends) = multipliers(body);
        BodyMemory::words(body.positions.len(), scalars, bends, soft.head.found as usize)
    });
    // bodies of the rigid side: a slot each; the rest is asked for where it is too little
    Detector::words(m) + words_of::<i32>(m.nbody) + m.nv + bodies.max().unwrap_or(0)
}

/// Numbers of multipliers of a body.
fn multipliers(body: &super::scene::SceneBody) -> (usize, usize) {
    let shape = &body.shape;
    (shape.scalar_multipliers(&body.config), shape.bend_multipliers(&body.config))
}

/// One body after the other, each through all of its substeps.
fn attempt(
    m: &Model<impl Storage>,
    d: &World<'_>,
    soft: &mut Soft<'_>,
    mut stack: Stack<'_>,
) -> Result<(), StepError> {
    let h = m.opt.timestep;
    soft.head.contacts = soft.head.found;
    soft.head.stepped = 0;
    soft.next_x.copy_from_slice(soft.x);
    soft.next_v.copy_from_slice(soft.v);
    soft.qfrc.fill(0.0);
    // time that stands still or goes back moves nothing
    if h <= 0.0 {
        return Ok(());
    }
    let found = soft.head.found as usize;
    for contact in &mut soft.contacts[..found] {
        contact.impulse = [0.0; 3];
    }
    let mut rigid = Rigid::new(m, d, &soft.contacts[..found], &mut stack)?;
    let mut first = 0;
    for index in 0..soft.scene.bodies.len() {
        // contacts come in the order of bodies
        let here = |c: &&DeformableContact| c.deformable_idx as usize == index;
        let count = soft.contacts[first..found].iter().take_while(here).count();
        move_body(m, d, soft, &mut rigid, index, first..first + count, stack.scope())?;
        rigid.rewind(h);
        first += count;
    }
    rigid.force(m, d.cdof, h, soft.qfrc);
    Ok(())
}

/// All substeps of one body. Contacts are looked for again a few times, where the model asks for it.
fn move_body(
    m: &Model<impl Storage>,
    d: &World<'_>,
    soft: &mut Soft<'_>,
    rigid: &mut Rigid<'_>,
    index: usize,
    contacts: core::ops::Range<usize>,
    mut stack: Stack<'_>,
) -> Result<(), StepError> {
    let body = &soft.scene.bodies[index];
    let SolverConfig { num_substeps, .. } = body.config;
    let h = m.opt.timestep;
    let dt = h / num_substeps as Real;
    let gravity = if m.opt.disabled(DisableBit::Gravity) { Vec3::ZERO } else { m.opt.gravity };
    if sleeps(soft, rigid, m, index, contacts.clone()) {
        soft.next_v[body.vertices()].fill(Vec3::ZERO);
        return Ok(());
    }
    let rounds = (m.opt.deformable_iterations.clamp(1, 4) as usize).min(num_substeps);
    let (mut contacts, mut done) = (contacts, 0);
    for round in 0..rounds {
        if round > 0 {
            let mut stack = stack.scope();
            let detector = &mut Detector::new(m, d, &mut stack)?;
            let first = soft.head.contacts as usize;
            let left = h - dt * done as Real;
            find_contacts(m, d, soft, detector, index, left, &*rigid)?;
            contacts = first..soft.head.contacts as usize;
        }
        let (scalars, bends) = multipliers(body);
        let vertices = body.vertices();
        let mut stack = stack.scope();
        let BodyMemory { before, scalars, bends, rows } =
            BodyMemory::take(&mut stack, vertices.len(), scalars, bends, contacts.len())?;
        make_rows(m, soft, rigid, contacts.clone(), vertices.start, dt, rows);
        let until = num_substeps * (round + 1) / rounds;
        let memory = &mut Memory { before, scalars, bends };
        let state = &mut Vertices {
            x: &mut soft.next_x[vertices.clone()],
            v: &mut soft.next_v[vertices.clone()],
            f: &soft.f[vertices],
        };
        let mut touch = Contacts { rows, rigid, rest: REST_DEPTH * body.shape.margin() };
        let substeps = (until - done, dt);
        advance(&body.shape, &body.config, state, memory, gravity, substeps, &mut touch);
        done = until;
        for row in rows.iter() {
            soft.contacts[row.contact as usize].impulse = row.total;
        }
    }
    Ok(())
}

/// Has a body been slow for long, and touches it nothing that moves?
fn sleeps(
    soft: &Soft<'_>,
    rigid: &Rigid<'_>,
    m: &Model<impl Storage>,
    index: usize,
    contacts: core::ops::Range<usize>,
) -> bool {
    let vertices = soft.scene.bodies[index].vertices();
    let still = |c: &DeformableContact| rigid.slot(m, c.geom_idx as usize).is_none();
    soft.quiet[index] >= SolverConfig::SLEEP_STEPS
        && soft.contacts[contacts].iter().all(still)
        && soft.f[vertices.clone()].iter().all(|f| f.is_zero())
        && soft.v[vertices].iter().all(|v| v.is_zero())
}

/// Contacts in the form in which they are solved.
fn make_rows(
    m: &Model<impl Storage>,
    soft: &Soft<'_>,
    rigid: &Rigid<'_>,
    contacts: core::ops::Range<usize>,
    first_vertex: usize,
    dt: Real,
    rows: &mut [Row],
) {
    for (row, index) in rows.iter_mut().zip(contacts) {
        let contact = &soft.contacts[index];
        let (normal, [first, second]) = (contact.normal, contact.frame);
        let axes = [normal, first, second];
        let vertex = contact.vertex_idx;
        let x = soft.next_x[first_vertex + vertex as usize];
        let slot = rigid.slot(m, contact.geom_idx as usize);
        let (mut offset, mut weights) = (Vec3::ZERO, [0.0; 3]);
        // relative to where everything is now
        let mut base = contact.depth + normal.dot(x);
        if let Some(slot) = slot {
            offset = rigid.offset(slot, contact.pos);
            weights = axes.map(|axis| rigid.inverse_mass(slot, offset, axis));
            base -= normal.dot(rigid.moved(slot, offset));
        }
        *row = Row {
            vertex,
            slot: slot.map_or(-1, |slot| slot as i32),
            contact: index as u32,
            unused: 0,
            axes,
            offset,
            base,
            weights,
            friction: if contact.dim > 1 { contact.friction } else { 0.0 },
            erp: compute_erp(contact.solref, dt),
            target: 0.0,
            multiplier: [0.0; 3],
            total: [0.0; 3],
        };
    }
}

/// Add a generalized force after the constraints were solved: to `qfrc_constraint`, and to the acceleration. Constraint rows are solved once more
/// with it, so that what lies on the floor is not pushed into it; their residual comes back.
fn add_force(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    force: &[Real],
) -> Result<Option<Real>, StepError> {
    if force.iter().all(|f| *f == 0.0) {
        return Ok(None);
    }
    let change = core::mem::take(&mut d.scratch.dof_a);
    change.copy_from_slice(force);
    solve_ldl(change, d.qLD, d.qLDiagInv, &pattern(m), &m.dof_simplenum);
    let outcome = if d.nefc() == 0 {
        add(d.qacc, change);
        Ok(None)
    } else {
        solve_with(m, d, force, change).map(Some)
    };
    d.scratch.dof_a = change;
    add(d.qfrc_constraint, force);
    outcome
}

/// Solve the rows as if a force, with the acceleration that it makes, were one of the smooth ones, which then get their own bits back.
fn solve_with(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    force: &[Real],
    acceleration: &[Real],
) -> Result<Real, StepError> {
    let kept = core::mem::take(&mut d.scratch.kept);
    let (smooth, rest) = kept.split_at_mut(m.nv);
    let free = &mut rest[..m.nv];
    smooth.copy_from_slice(d.qfrc_smooth);
    free.copy_from_slice(d.qacc_smooth);
    add(d.qfrc_smooth, force);
    add(d.qacc_smooth, acceleration);
    let residual = solve_rows(m, d);
    d.qfrc_smooth.copy_from_slice(smooth);
    d.qacc_smooth.copy_from_slice(free);
    d.scratch.kept = kept;
    residual
}

fn add(to: &mut [Real], from: &[Real]) {
    to.iter_mut().zip(from).for_each(|(a, b)| *a += b);
}
