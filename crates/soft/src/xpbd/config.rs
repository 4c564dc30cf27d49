//! Settings of the solver.
use ferrodyn_math::Real;

use crate::SoftError;
use crate::error::check;

/// Settings of the solver of a body.
///
/// ```
/// use ferrodyn_soft::SolverConfig;
/// let config = SolverConfig { num_substeps: 20, ..SolverConfig::realtime() };
/// assert!(config.check().is_ok());
/// assert!(SolverConfig { damping: -1.0, ..config }.check().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverConfig {
    /// How many substeps a step is cut into.
    pub num_substeps: usize,
    /// Iterations over all constraints in each substep.
    pub num_iterations: usize,
    /// Rate at which velocities decay, in 1/s: the resistance of the air.
    pub damping: Real,
    /// Damping of stretching and bending, as a time in s: a rate of strain counts as this time of strain. It leaves momentum alone.
    pub damping_time: Real,
    /// A body all of whose vertices stay slower than this, in m/s, for [`SolverConfig::SLEEP_STEPS`] steps sleeps until something
    /// moves it; zero is never.
    pub sleep_speed: Real,
}

impl SolverConfig {
    /// Steps below the speed before a body sleeps: half a second at 60 steps a second, long enough for the turning point of a slow swing
    /// to pass.
    pub const SLEEP_STEPS: u32 = 30;

    /// Ten substeps with one iteration each: ten thousand vertices at 60 steps a second on one core.
    pub fn realtime() -> SolverConfig {
        SolverConfig {
            num_substeps: 10,
            num_iterations: 1,
            damping: 0.2,
            damping_time: 0.0,
            sleep_speed: 0.0,
        }
    }

    /// Four substeps: quick and stretchy.
    pub fn preview() -> SolverConfig {
        SolverConfig { num_substeps: 4, ..SolverConfig::realtime() }
    }

    /// Thirty substeps with two iterations each.
    pub fn quality() -> SolverConfig {
        SolverConfig { num_substeps: 30, num_iterations: 2, ..SolverConfig::realtime() }
    }

    /// Does a constraint need to know what it did before, or where it came from?
    pub(crate) fn remembers(&self) -> bool {
        self.num_iterations > 1 || self.damping_time > 0.0
    }

    /// Refuse settings that make no sense.
    pub fn check(&self) -> Result<(), SoftError> {
        // more would only be a mistake, and a step would never end
        let count = |n: usize| (1..=10_000).contains(&n);
        let (substeps, iterations) = (self.num_substeps, self.num_iterations);
        check("num_substeps", substeps as Real, count(substeps), "between 1 and 10000")?;
        check("num_iterations", iterations as Real, count(iterations), "between 1 and 10000")?;
        check("damping", self.damping, self.damping >= 0.0, "zero or more")?;
        check("damping_time", self.damping_time, self.damping_time >= 0.0, "zero or more")?;
        check("sleep_speed", self.sleep_speed, self.sleep_speed >= 0.0, "zero or more")
    }
}

impl Default for SolverConfig {
    fn default() -> SolverConfig {
        SolverConfig::realtime()
    }
}
