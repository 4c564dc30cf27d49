//! The state of deformable bodies: what a step, a reset and a divergence do to it.
use ferrodyn_math::{Vec3, is_bad};
use ferrodyn_soft::VertexFlags;

use super::Soft;
use crate::World;

/// What was computed for the end of the step becomes the state. The state before it is kept in its place, for a step that is taken back.
pub fn mj_deformable_step(d: &mut World<'_>) {
    let Some(soft) = &mut d.soft else { return };
    exchange(soft);
    soft.head.stepped = 1;
    for (index, body) in soft.scene.bodies.iter().enumerate() {
        let limit = body.config.sleep_speed;
        let slow = |v: &Vec3| v.dot(*v) < limit * limit;
        let v = &mut soft.v[body.vertices()];
        if limit > 0.0 && v.iter().all(slow) {
            soft.quiet[index] = soft.quiet[index].saturating_add(1);
        } else {
            soft.quiet[index] = 0;
        }
        // it falls asleep: from now on it stands still
        if soft.quiet[index] >= ferrodyn_soft::SolverConfig::SLEEP_STEPS {
            v.fill(Vec3::ZERO);
        }
    }
}

fn exchange(soft: &mut Soft<'_>) {
    soft.x.swap_with_slice(soft.next_x);
    soft.v.swap_with_slice(soft.next_v);
}

/// Put the state before the last step back, if it was taken.
pub(crate) fn take_back(d: &mut World<'_>) {
    if let Some(soft) = &mut d.soft
        && soft.head.stepped != 0
    {
        exchange(soft);
        soft.head.stepped = 0;
    }
}

/// Return to the state in which the bodies were registered; forces and contacts are gone.
pub(crate) fn reset_soft(d: &mut World<'_>) {
    let Some(soft) = &mut d.soft else { return };
    for body in &soft.scene.bodies {
        soft.x[body.vertices()].copy_from_slice(&body.positions);
        soft.v[body.vertices()].copy_from_slice(&body.velocities);
    }
    soft.f.fill(Vec3::ZERO);
    soft.next_x.copy_from_slice(soft.x);
    soft.next_v.copy_from_slice(soft.v);
    soft.flags.fill(VertexFlags::default());
    soft.quiet.fill(0);
    soft.qfrc.fill(0.0);
    *soft.head = Default::default();
}

/// The first vertex whose state is bad, counted over all bodies: of the present state, or of the next one.
pub(crate) fn find_bad(d: &World<'_>, next: bool) -> Option<usize> {
    let soft = d.soft.as_ref()?;
    let (x, v) = if next { (&soft.next_x, &soft.next_v) } else { (&soft.x, &soft.v) };
    let bad = |x: &Vec3| x.0.iter().any(|x| is_bad(*x));
    x.iter().zip(v.iter()).position(|(x, v)| bad(x) || bad(v))
}

/// The first vertex that would be bad after the step, unless the rigid bodies are to blame: their acceleration without constraints.
pub(crate) fn find_diverged(d: &World<'_>) -> Option<usize> {
    let vertex = find_bad(d, true)?;
    (!d.qacc_smooth.iter().any(|x| is_bad(*x))).then_some(vertex)
}

/// Bodies that would be bad after the step do not move in it, and none of them pushes; were there any?
pub(crate) fn stay_where_bad(d: &mut World<'_>) -> bool {
    let bad = |x: &Vec3| x.0.iter().any(|x| is_bad(*x));
    let Some(soft) = &mut d.soft else { return false };
    let mut found = false;
    for body in &soft.scene.bodies {
        let all = body.vertices();
        if all.clone().any(|i| bad(&soft.next_x[i]) || bad(&soft.next_v[i])) {
            soft.next_x[all.clone()].copy_from_slice(&soft.x[all.clone()]);
            soft.next_v[all].fill(Vec3::ZERO);
            found = true;
        }
    }
    if found {
        soft.qfrc.fill(0.0);
    }
    found
}

/// The body of a vertex that is counted over all of them.
pub(crate) fn body_of(d: &World<'_>, vertex: usize) -> usize {
    let bodies = d.soft.iter().flat_map(|soft| &soft.scene.bodies);
    bodies.take_while(|body| body.vertices().end <= vertex).count()
}
