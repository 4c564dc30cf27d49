//! Warnings for what a model holds but the engine does not simulate yet.

use ferrodyn_model::{DisableBit, Model};

use crate::error::{DiagnosticKind, Problem, Sink};

/// Warn of constraints that a step leaves out, unless the model switches them off itself.
pub(super) fn warn_unsimulated(m: &Model, sink: &mut Sink) {
    let active = |bit| !m.opt.disabled(DisableBit::Constraint) && !m.opt.disabled(bit);
    let mut warn = |what: String| {
        let message = format!("{what} not simulated yet");
        sink.warn(Problem::new(DiagnosticKind::Unsupported, message));
    };
    let limited = m.jnt_limited.iter().filter(|&&limited| limited != 0).count();
    if active(DisableBit::Limit) && limited > 0 {
        warn(format!("the limits of {limited} joints are"));
    }
    let rubbing = m.dof_frictionloss.iter().filter(|&&loss| loss > 0.0).count();
    if active(DisableBit::FrictionLoss) && rubbing > 0 {
        warn(format!("the friction loss of {rubbing} degrees of freedom is"));
    }
    if active(DisableBit::Contact) && can_collide(m) {
        warn("contacts between geoms are".into());
    }
    if active(DisableBit::Equality) && m.neq > 0 {
        warn(format!("{} equality constraints are", m.neq));
    }
}

/// Can geoms of a moving body touch those of another body?
fn can_collide(m: &Model) -> bool {
    let bits = |b: usize| (m.body_contype[b], m.body_conaffinity[b]);
    let mut solid = (0..m.nbody).filter(|&b| bits(b) != (0, 0)).map(|b| m.body_weldid[b]);
    let first = solid.next();
    if !solid.any(|weld| Some(weld) != first) {
        return false;
    }
    let (types, affinities) =
        (0..m.nbody).map(bits).fold((0, 0), |all, b| (all.0 | b.0, all.1 | b.1));
    (1..m.nbody).filter(|&b| m.body_weldid[b] != 0).any(|b| {
        let (contype, conaffinity) = bits(b);
        contype & affinities != 0 || types & conaffinity != 0
    })
}
