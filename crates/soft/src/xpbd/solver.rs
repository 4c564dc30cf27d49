//! A body that moves by itself, without a world.
use alloc::vec::Vec;

use ferrodyn_math::{Real, Vec3, is_bad};

use super::{Memory, NoTouch, SolverConfig, Vertices, advance};
use crate::body::BodyMut;
use crate::error::check;
use crate::{DeformableBody, SoftError};

/// The solver of a body that no world holds. It keeps its memory from step to step.
///
/// ```
/// use ferrodyn_math::Vec3;
/// use ferrodyn_soft::{CapsuleChain, ChainConfig, DeformableBody, SolverConfig, XpbdSolver};
/// let mut rope = CapsuleChain::line(Vec3::ZERO, Vec3::X, 8, ChainConfig::rope())?;
/// let mut solver = XpbdSolver::new(SolverConfig { damping: 0.0, ..SolverConfig::realtime() })?;
/// solver.step(&mut rope, Vec3::new(0.0, 0.0, -10.0), 0.1)?;
/// // free fall
/// assert!(rope.velocities().iter().all(|v| (v[2] + 1.0).abs() < 1e-5));
/// # Ok::<(), ferrodyn_soft::SoftError>(())
/// ```
#[derive(Clone, Debug)]
pub struct XpbdSolver {
    config: SolverConfig,
    before: Vec<Vec3>,
    scalars: Vec<Real>,
    bends: Vec<Vec3>,
    /// Steps in which every vertex was slow.
    quiet: u32,
}

impl XpbdSolver {
    /// A solver; settings that make no sense are refused.
    pub fn new(config: SolverConfig) -> Result<XpbdSolver, SoftError> {
        config.check()?;
        let (before, scalars, bends) = (Vec::new(), Vec::new(), Vec::new());
        Ok(XpbdSolver { config, before, scalars, bends, quiet: 0 })
    }

    /// Its settings.
    pub fn config(&self) -> &SolverConfig {
        &self.config
    }

    /// Advance a body by `dt`. A body that sleeps stays where it is until its velocities or forces are set.
    pub fn step(
        &mut self,
        body: &mut dyn DeformableBody,
        gravity: Vec3,
        dt: Real,
    ) -> Result<(), SoftError> {
        check("dt", dt, dt > 0.0, "more than zero")?;
        let BodyMut { shape, positions, velocities, forces, .. } = body.split_mut();
        if self.sleeps(velocities, forces) {
            velocities.fill(Vec3::ZERO);
            return Ok(());
        }
        self.before.resize(positions.len(), Vec3::ZERO);
        self.scalars.resize(shape.scalar_multipliers(&self.config), 0.0);
        self.bends.resize(shape.bend_multipliers(&self.config), Vec3::ZERO);
        let vertices = &mut Vertices { x: positions, v: velocities, f: forces };
        let memory = &mut Memory {
            before: &mut self.before,
            scalars: &mut self.scalars,
            bends: &mut self.bends,
        };
        let count = self.config.num_substeps;
        let substeps = (count, dt / count as Real);
        advance(shape, &self.config, vertices, memory, gravity, substeps, &mut NoTouch);
        self.quiet = if is_slow(velocities, self.config.sleep_speed) { self.quiet + 1 } else { 0 };
        let bad = |x: &Vec3| x.0.iter().any(|x| is_bad(*x));
        match positions.iter().zip(&*velocities).position(|(x, v)| bad(x) || bad(v)) {
            Some(vertex) => Err(SoftError::Diverged { vertex }),
            None => Ok(()),
        }
    }

    fn sleeps(&self, velocities: &[Vec3], forces: &[Vec3]) -> bool {
        self.quiet >= SolverConfig::SLEEP_STEPS
            && is_slow(velocities, self.config.sleep_speed)
            && forces.iter().all(|f| f.is_zero())
    }
}

/// Is every vertex slower than that?
pub(crate) fn is_slow(velocities: &[Vec3], speed: Real) -> bool {
    speed > 0.0 && velocities.iter().all(|v| v.dot(*v) < speed * speed)
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::by_precision;

    use super::*;
    use crate::{
        CapsuleChain, ChainConfig, Cloth, ClothConfig, Constraint, FlexEdgeConstraint,
        FlexEdgeKind, SoftBody, SoftBodyConfig,
    };

    const GRAVITY: Vec3 = Vec3([0.0, 0.0, -9.81]);

    fn undamped() -> SolverConfig {
        SolverConfig { damping: 0.0, ..SolverConfig::realtime() }
    }

    /// `Σ m v` and `Σ m x × v`.
    fn momentum(body: &dyn DeformableBody) -> [Vec3; 2] {
        let mut sums = [Vec3::ZERO; 2];
        for i in 0..body.positions().len() {
            let push = body.velocities()[i] * (1.0 / body.inverse_masses()[i]);
            sums[0] += push;
            sums[1] += body.positions()[i].cross(push);
        }
        sums
    }

    #[test]
    fn inner_forces_leave_momentum_alone() {
        let mut jelly =
            SoftBody::grid([3, 3, 3], [0.1; 3], Vec3::ZERO, SoftBodyConfig::gelatin()).unwrap();
        for (i, v) in jelly.velocities_mut().iter_mut().enumerate() {
            let i = i as Real;
            *v = Vec3::new((7.0 * i) % 3.0 - 1.0, (5.0 * i) % 2.0 - 1.0, (3.0 * i) % 1.7);
        }
        let before = momentum(&jelly);
        let mut solver = XpbdSolver::new(undamped()).unwrap();
        for _ in 0..20 {
            solver.step(&mut jelly, Vec3::ZERO, 0.01).unwrap();
        }
        let after = momentum(&jelly);
        assert!(before[0].norm() > 0.1);
        let error = (after[0] - before[0]).norm() / before[0].norm();
        assert!(error < by_precision(1e-12, 1e-4), "{error}");
        // constraints move vertices along gradients of the substep, whose positions have moved on: to first order only
        let error = (after[1] - before[1]).norm() / before[0].norm();
        assert!(error < 0.05, "{error}");
    }

    #[test]
    fn a_squashed_body_gets_its_volume_back() {
        // edges that hardly pull: it is the volumes that push it apart
        let config = SoftBodyConfig { stretch_compliance: Some(1.0), ..SoftBodyConfig::rubber() };
        let mut block = SoftBody::grid([4, 4, 4], [0.1; 3], Vec3::ZERO, config).unwrap();
        for x in block.positions_mut() {
            x[2] *= 0.3;
        }
        let volume = |block: &SoftBody| -> Real {
            let x = block.positions();
            let corners = block.shape().elements().as_chunks::<4>().0;
            corners.iter().map(|t| crate::xpbd::volume(t.map(|v| x[v as usize]))).sum()
        };
        assert!((volume(&block) / 0.027 - 0.3).abs() < 1e-5);
        let config = SolverConfig { damping: 5.0, ..SolverConfig::quality() };
        let mut solver = XpbdSolver::new(config).unwrap();
        for _ in 0..200 {
            solver.step(&mut block, Vec3::ZERO, 0.01).unwrap();
        }
        let share = volume(&block) / 0.027;
        assert!((share - 1.0).abs() < 0.02, "{share}");
    }

    #[test]
    fn a_hanging_chain_stretches_as_its_stiffness_says() {
        // E A ε = m g for the weight at the end of a massless thread
        let mut config = ChainConfig::rope();
        config.material.young = 1e6;
        config.pinned = alloc::vec![0];
        let to = Vec3::new(0.0, 0.0, -1.0);
        let mut rope = CapsuleChain::line(Vec3::ZERO, to, 1, config).unwrap();
        let mass = 1.0 / rope.inverse_masses()[1];
        let config = SolverConfig { damping: 20.0, ..SolverConfig::realtime() };
        let mut solver = XpbdSolver::new(config).unwrap();
        for _ in 0..300 {
            solver.step(&mut rope, GRAVITY, 0.01).unwrap();
        }
        let strain = -rope.positions()[1][2] - 1.0;
        let expected = mass * 9.81 / (1e6 * ferrodyn_math::PI * 1e-4);
        assert!((strain / expected - 1.0).abs() < 0.02, "{strain}, expected {expected}");
    }

    #[test]
    fn damping_of_stretch_takes_oscillation_and_leaves_momentum() {
        let swing = |damping_time: Real| {
            let mut config = ChainConfig::rope();
            config.material.young = 1e5;
            let mut rope = CapsuleChain::line(Vec3::ZERO, Vec3::X, 4, config).unwrap();
            rope.velocities_mut()[4] = Vec3::new(1.0, 0.0, 0.0);
            let before = momentum(&rope)[0];
            let mut solver = XpbdSolver::new(SolverConfig { damping_time, ..undamped() }).unwrap();
            let mut largest = 0.0;
            for step in 0..400 {
                solver.step(&mut rope, Vec3::ZERO, 0.002).unwrap();
                if step >= 300 {
                    let length = (rope.positions()[4] - rope.positions()[0]).norm();
                    largest = (length - 1.0).abs().max(largest);
                }
            }
            let error = (momentum(&rope)[0] - before).norm() / before.norm();
            // a velocity is a difference of positions near 1 m, rounded by 6e-8 m, over a substep of some 1e-4 s: in single precision its error of about 3e-4 m/s
            // adds up over 4000 substeps to 2e-2 m/s, a tenth of the mean velocity
            assert!(error < by_precision(1e-10, 0.1), "{error}");
            largest
        };
        let (free, damped) = (swing(0.0), swing(0.02));
        // in single precision the same rounding keeps shaking the rope a little
        let rest = by_precision(0.02, 0.05);
        assert!(free > 1e-3 && damped < rest * free, "{free}, {damped}");
    }

    #[test]
    fn the_air_slows_a_body_down() {
        let mut rope = CapsuleChain::line(Vec3::ZERO, Vec3::X, 4, ChainConfig::rope()).unwrap();
        rope.velocities_mut().fill(Vec3::new(0.0, 2.0, 0.0));
        let config = SolverConfig { damping: 3.0, ..SolverConfig::realtime() };
        let mut solver = XpbdSolver::new(config).unwrap();
        for _ in 0..50 {
            solver.step(&mut rope, Vec3::ZERO, 0.01).unwrap();
        }
        // v̇ = -3 v for half a second
        let expected = 2.0 * 0.2231302;
        assert!(rope.velocities().iter().all(|v| (v[1] / expected - 1.0).abs() < 0.01));
    }

    #[test]
    fn several_iterations_do_not_make_a_body_stiffer() {
        let stretch = |iterations: usize| {
            let mut config = ClothConfig::rubber();
            config.pinned = (0..5).collect();
            let mut sheet = Cloth::grid([2, 5], [0.1; 2], Vec3::ZERO, config).unwrap();
            let config = SolverConfig {
                num_iterations: iterations,
                damping: 20.0,
                ..SolverConfig::quality()
            };
            let mut solver = XpbdSolver::new(config).unwrap();
            for _ in 0..300 {
                solver.step(&mut sheet, Vec3::new(500.0, 0.0, 0.0), 0.01).unwrap();
            }
            sheet.positions()[7][0] / 0.1 - 1.0
        };
        let (few, many) = (stretch(2), stretch(20));
        assert!(few > 1e-5 && (few / many - 1.0).abs() < 0.02, "{few}, {many}");
    }

    #[test]
    fn constraints_of_the_user_count() {
        let points = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0)];
        let make = || CapsuleChain::new(points.to_vec(), ChainConfig::chain()).unwrap();
        let (mut free, mut held) = (make(), make());
        let angle =
            FlexEdgeConstraint::new(FlexEdgeKind::Shear, [1, 0, 2, 1], &points, 0.0).unwrap();
        held.add_constraint(Constraint::FlexEdge(angle)).unwrap();
        let mut solver = XpbdSolver::new(undamped()).unwrap();
        for body in [&mut free, &mut held] {
            body.velocities_mut()[2] = Vec3::new(-2.0, 0.0, 0.0);
            for _ in 0..20 {
                solver.step(body, Vec3::ZERO, 0.01).unwrap();
            }
        }
        let cosine = |body: &CapsuleChain| {
            let x = body.positions();
            (x[0] - x[1]).normalize().0.dot((x[2] - x[1]).normalize().0)
        };
        assert!(cosine(&free) > 0.1 && cosine(&held).abs() < 0.01);
        let mut outside = angle;
        outside.vertices = [0, 1, 3, 0];
        let refused = held.add_constraint(Constraint::FlexEdge(outside));
        assert!(matches!(refused, Err(SoftError::NoSuchVertex { vertex: 3, .. })));
    }

    #[test]
    fn a_body_that_came_to_rest_sleeps_until_it_is_pushed() {
        let config = ChainConfig { pinned: alloc::vec![0], ..ChainConfig::rope() };
        let mut rope = CapsuleChain::line(Vec3::ZERO, -Vec3::Z, 5, config).unwrap();
        let config = SolverConfig { damping: 30.0, sleep_speed: 1e-2, ..SolverConfig::realtime() };
        let mut solver = XpbdSolver::new(config).unwrap();
        for _ in 0..200 {
            solver.step(&mut rope, GRAVITY, 0.01).unwrap();
        }
        let asleep = rope.positions().to_vec();
        assert!(rope.velocities().iter().all(|v| v.is_zero()));
        // not even another gravity moves it
        solver.step(&mut rope, Vec3::new(5.0, 0.0, 0.0), 0.01).unwrap();
        assert_eq!(rope.positions(), asleep);
        rope.forces_mut()[5] = Vec3::X;
        solver.step(&mut rope, GRAVITY, 0.01).unwrap();
        assert_ne!(rope.positions(), asleep);
    }

    #[test]
    fn a_body_that_diverges_is_reported_by_its_vertex() {
        let mut rope = CapsuleChain::line(Vec3::ZERO, Vec3::X, 5, ChainConfig::rope()).unwrap();
        rope.velocities_mut()[3] = Vec3::new(Real::INFINITY, 0.0, 0.0);
        let found = XpbdSolver::new(undamped()).unwrap().step(&mut rope, GRAVITY, 0.01);
        // constraints have spread it: the first one is named
        let bad = |x: &Vec3| x.0.iter().any(|x| !x.is_finite());
        let vertex = rope.positions().iter().position(bad).unwrap();
        assert_eq!(found, Err(SoftError::Diverged { vertex }));
        let still = XpbdSolver::new(SolverConfig { num_substeps: 0, ..undamped() });
        assert!(matches!(still, Err(SoftError::Parameter { what: "num_substeps", .. })));
    }
}
