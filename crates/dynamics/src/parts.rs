//! Parts of the physics that can be exchanged: the bending and the elasticity of flexes, gains of actuators, the solver of contacts.
//!
//! Each is a trait with MuJoCo's form and others. A simulation is compiled for the four that it is built of (`ferrodyn::Sim`), through the
//! same [`Hooks`](crate::hooks::Hooks) that stages already take: they run inside their stages, and MuJoCo's cost nothing.
//!
//! # What decides
//! 1. What the model says: `flex_bending_model`, `flex_elasticity_model` and `actuator_gain_model` (in MJCF `ferrodyn:bending_model`, ...) where they are
//!    not *unstated*, and `opt.solver`.
//! 2. The parts of the simulation. Those of this module write their choice into the simulation's own model when it is built, for every flex
//!    without one: [`BridsonBending`] and [`NeoHookean`] without parameters take the place of MuJoCo's law where a flex has it, with the
//!    flex's own `young`, `poisson` and `thickness`; with parameters they hold for all flexes of their dimension, and the parameters win. A solver writes its options.
//!    Laws of the user are asked in each step.
//! 3. MuJoCo's laws.
use core::fmt;

use ferrodyn_math::Real;
use ferrodyn_model::{FlexBendingType, FlexElasticityType, GainModelType, GainType, Model, Solver};
use ferrodyn_soft::material::neo_hookean::Lame;

use crate::force::flex::has_material;
use crate::force::gain::{SeriesElasticGain, keeps_control};
use crate::force::{Enabled, cotangent_bending, linear_elasticity};
use crate::integrate::FlexMatrix;
use crate::solver::fwd_constraint;
use crate::{StepError, World};

/// Why a part cannot be used with a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PartError {
    /// A flex lacks something, or a parameter of its law makes no sense.
    Flex {
        /// The flex.
        flex: usize,
        /// What is wrong.
        reason: &'static str,
    },
    /// An actuator cannot have the gain.
    Actuator {
        /// The actuator.
        actuator: usize,
        /// What is wrong.
        reason: &'static str,
    },
    /// A number of the solver makes no sense.
    Solver(&'static str),
}

impl fmt::Display for PartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flex { flex, reason } => write!(f, "flex {flex}: {reason}"),
            Self::Actuator { actuator, reason } => write!(f, "actuator {actuator}: {reason}"),
            Self::Solver(reason) => write!(f, "contact solver: {reason}"),
        }
    }
}

impl core::error::Error for PartError {}

/// How flexes of triangles resist bending.
///
/// ```
/// use ferrodyn_dynamics::World;
/// use ferrodyn_dynamics::force::Enabled;
/// use ferrodyn_dynamics::parts::FlexBendingModel;
/// use ferrodyn_math::Real;
/// use ferrodyn_model::Model;
///
/// /// Sheets that do not resist, in a medium that slows them down.
/// struct Limp(Real);
///
/// impl FlexBendingModel for Limp {
///     fn apply_forces(&self, m: &Model, d: &mut World<'_>, flex: usize, enabled: Enabled) {
///         for body in m.flex_vertices(flex).map(|v| m.flex_vertbodyid[v] as usize) {
///             for dof in m.body_dofs(body) {
///                 d.qfrc_damper[dof] -= self.0 * d.qvel[dof];
///             }
///         }
///     }
/// }
/// ```
pub trait FlexBendingModel: Send {
    /// Called once for each flex without a choice of its own, before the first step: to keep what follows from its rest shape, or to
    /// write a choice into the model.
    fn precompute(&mut self, _m: &mut Model, _flex: usize) -> Result<(), PartError> {
        Ok(())
    }

    /// Add the forces of a flex to `qfrc_spring` and `qfrc_damper`.
    fn apply_forces(&self, m: &Model, d: &mut World<'_>, flex: usize, enabled: Enabled);

    /// Has the law a stiffness for the implicit integrators?
    fn has_stiffness(&self) -> bool {
        false
    }

    /// Add the stiffness and damping of a flex; without it the law is explicit.
    fn add_stiffness(&self, _m: &Model, _d: &World<'_>, _flex: usize, _to: &mut FlexMatrix<'_>) {}
}

/// How the elements of flexes resist deformation. The methods are those of [`FlexBendingModel`].
pub trait FlexElasticityModel: Send {
    /// Called once for each flex without a choice of its own, before the first step.
    fn precompute(&mut self, _m: &mut Model, _flex: usize) -> Result<(), PartError> {
        Ok(())
    }

    /// Add the forces of a flex to `qfrc_spring` and `qfrc_damper`.
    fn apply(&self, m: &Model, d: &mut World<'_>, flex: usize, enabled: Enabled);

    /// Has the law a stiffness for the implicit integrators?
    fn has_stiffness(&self) -> bool {
        false
    }

    /// Add the stiffness and damping of a flex; without it the law is explicit.
    fn add_stiffness(&self, _m: &Model, _d: &World<'_>, _flex: usize, _to: &mut FlexMatrix<'_>) {}
}

/// How constraint forces are found.
pub trait ContactSolver: Send {
    /// Called once before the first step, to write options into the model.
    fn prepare(&mut self, _m: &mut Model) -> Result<(), PartError> {
        Ok(())
    }

    /// Compute `efc_force`, `qfrc_constraint` and `qacc` from the rows, `qacc_smooth` and `qfrc_smooth`.
    fn solve(&self, m: &Model, d: &mut World<'_>) -> Result<(), StepError>;
}

/// Is a flex free to deform by a law of its own?
fn deforms(m: &Model, flex: usize) -> bool {
    m.flex_rigid[flex] == 0 && m.flex_interp[flex] == 0
}

/// Do all elements and hinges of laws beyond MuJoCo's have a rest shape?
pub fn check_materials(m: &Model) -> Result<(), PartError> {
    for flex in 0..m.flex_count() {
        let elements = m.flex_elements(flex).len();
        let rest = usize::try_from(m.flex_restadr[flex]).map_or(0..0, |at| at..at + elements);
        if m.flexrest_volume[rest].iter().any(|volume| !volume.is_finite()) {
            return Err(PartError::Flex { flex, reason: "an element has no volume at rest" });
        }
        if m.flexhinge_angle0[m.flex_hinges(flex)].iter().any(|angle| !angle.is_finite()) {
            return Err(PartError::Flex { flex, reason: "a triangle has no area at rest" });
        }
    }
    Ok(())
}

/// MuJoCo's bending, quadratic in the vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CotangentBending;

impl FlexBendingModel for CotangentBending {
    #[inline(always)]
    fn apply_forces(&self, m: &Model, d: &mut World<'_>, flex: usize, enabled: Enabled) {
        cotangent_bending(m, d, flex, enabled);
    }
}

/// Springs on the angles between triangles, after Bridson and others (2003).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BridsonBending {
    /// Stiffness, in N m/rad, and damping, in N m s/rad; without them those of the flex, or of a plate of its material.
    pub parameters: Option<[Real; 2]>,
}

impl BridsonBending {
    /// With a stiffness, in N m/rad, and a damping, in N m s/rad, for all flexes.
    pub fn new(stiffness: Real, damping: Real) -> BridsonBending {
        BridsonBending { parameters: Some([stiffness, damping]) }
    }
}

impl FlexBendingModel for BridsonBending {
    fn precompute(&mut self, m: &mut Model, flex: usize) -> Result<(), PartError> {
        if m.flex_dim[flex] != 2 || !deforms(m, flex) {
            return Ok(());
        }
        if let Some([stiffness, damping]) = self.parameters {
            let known = |x: Real| x >= 0.0 && x.is_finite();
            if !known(stiffness) || !known(damping) {
                let reason = "stiffness and damping of hinges must be finite and not negative";
                return Err(PartError::Flex { flex, reason });
            }
            m.flex_bend_stiffness[flex] = stiffness;
            m.flex_bend_damping[flex] = damping;
        } else if m.flex_edges(flex).all(|e| m.flex_edgeflap[e][1] == -1) {
            // MuJoCo's law has no edges there that bend
            return Ok(());
        }
        let plate = m.flex_young[flex] > 0.0 && m.flex_thickness[flex] > 0.0;
        if m.flex_bend_stiffness[flex] < 0.0 && !plate {
            let reason = "hinges need a stiffness, or a material with a thickness";
            return Err(PartError::Flex { flex, reason });
        }
        m.flex_bending_model[flex] = FlexBendingType::Bridson as i32;
        Ok(())
    }

    fn apply_forces(&self, m: &Model, d: &mut World<'_>, flex: usize, enabled: Enabled) {
        // flexes with hinges chose the law when the simulation was built
        cotangent_bending(m, d, flex, enabled);
    }
}

/// What MuJoCo does for a flex: Saint Venant-Kirchhoff elements, a box of nodes, or nothing beside its constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinearElastic;

impl FlexElasticityModel for LinearElastic {
    #[inline(always)]
    fn apply(&self, m: &Model, d: &mut World<'_>, flex: usize, enabled: Enabled) {
        linear_elasticity(m, d, flex, enabled);
    }
}

/// A compressible Neo-Hookean material.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NeoHookean {
    /// Lamé constants; without them, those of `young` and `poisson` of the flex.
    pub lame: Option<Lame>,
}

impl NeoHookean {
    /// With Lamé constants, in Pa, for all flexes.
    pub fn new(mu: Real, lambda: Real) -> NeoHookean {
        NeoHookean { lame: Some(Lame { mu, lambda }) }
    }
}

impl FlexElasticityModel for NeoHookean {
    fn precompute(&mut self, m: &mut Model, flex: usize) -> Result<(), PartError> {
        if m.flex_dim[flex] < 2 || !deforms(m, flex) {
            return Ok(());
        }
        let fail = |reason| Err(PartError::Flex { flex, reason });
        if let Some(lame) = self.lame {
            if !lame.is_valid() {
                return fail(
                    "Lamé constants must be finite, the first positive, the second not negative",
                );
            }
            (m.flex_young[flex], m.flex_poisson[flex]) = lame.to_young();
        } else if !has_material(m, flex) {
            return Ok(());
        }
        if m.flex_dim[flex] == 2 && m.flex_thickness[flex] <= 0.0 {
            return fail("triangles need a thickness");
        }
        m.flex_elasticity_model[flex] = FlexElasticityType::NeoHookean as i32;
        Ok(())
    }

    fn apply(&self, m: &Model, d: &mut World<'_>, flex: usize, enabled: Enabled) {
        // flexes of the material chose it when the simulation was built
        linear_elasticity(m, d, flex, enabled);
    }
}

/// The solvers that the options name: PGS, conjugate gradients, Newton. What is `None` stays as the model says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LcpSolver {
    /// The solver.
    pub solver: Option<Solver>,
    /// Largest number of iterations.
    pub iterations: Option<i32>,
    /// Tolerance.
    pub tolerance: Option<Real>,
    /// Largest number of iterations of the noslip solver.
    pub noslip_iterations: Option<i32>,
}

impl LcpSolver {
    /// One of the solvers, with the other options of the model.
    pub fn new(solver: Solver) -> LcpSolver {
        LcpSolver { solver: Some(solver), ..LcpSolver::default() }
    }
}

impl ContactSolver for LcpSolver {
    fn prepare(&mut self, m: &mut Model) -> Result<(), PartError> {
        if let Some(solver) = self.solver {
            m.opt.solver = solver as i32;
        }
        m.opt.iterations = self.iterations.unwrap_or(m.opt.iterations);
        m.opt.tolerance = self.tolerance.unwrap_or(m.opt.tolerance);
        m.opt.noslip_iterations = self.noslip_iterations.unwrap_or(m.opt.noslip_iterations);
        Ok(())
    }

    #[inline(always)]
    fn solve(&self, m: &Model, d: &mut World<'_>) -> Result<(), StepError> {
        fwd_constraint(m, d)
    }
}

/// Position-based dynamics in substeps. What is `None` stays as the model says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct XpbdSolver {
    /// Substeps of a time step.
    pub substeps: Option<i32>,
    /// Sweeps in each substep.
    pub iterations: Option<i32>,
}

impl XpbdSolver {
    /// With a number of substeps.
    pub fn new(substeps: i32) -> XpbdSolver {
        XpbdSolver { substeps: Some(substeps), iterations: None }
    }
}

impl ContactSolver for XpbdSolver {
    fn prepare(&mut self, m: &mut Model) -> Result<(), PartError> {
        let substeps = self.substeps.unwrap_or(m.opt.xpbd_substeps);
        let iterations = self.iterations.unwrap_or(m.opt.xpbd_iterations);
        if substeps < 1 || iterations < 1 {
            return Err(PartError::Solver("there must be at least one substep and one iteration"));
        }
        m.opt.solver = Solver::Xpbd as i32;
        m.opt.xpbd_substeps = substeps;
        m.opt.xpbd_iterations = iterations;
        Ok(())
    }

    fn solve(&self, m: &Model, d: &mut World<'_>) -> Result<(), StepError> {
        fwd_constraint(m, d)
    }
}

/// A choice among the formulations of contacts that can change from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactSolverType {
    /// One of the solvers of accelerations or forces.
    Lcp(Solver),
    /// Position-based dynamics.
    Xpbd,
}

impl Default for ContactSolverType {
    fn default() -> ContactSolverType {
        ContactSolverType::Lcp(Solver::Newton)
    }
}

impl ContactSolver for ContactSolverType {
    fn prepare(&mut self, m: &mut Model) -> Result<(), PartError> {
        match self {
            Self::Lcp(solver) => LcpSolver::new(*solver).prepare(m),
            Self::Xpbd => XpbdSolver::default().prepare(m),
        }
    }

    fn solve(&self, m: &Model, d: &mut World<'_>) -> Result<(), StepError> {
        fwd_constraint(m, d)
    }
}

/// A law of a gain that a model can hold, with its parameters. Any other law is a part of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum GainLaw {
    /// A constant.
    Fixed(Real),
    /// A constant, and the factors of length and velocity.
    Affine([Real; 3]),
    /// MuJoCo's muscle: range of lengths (two numbers), force, scale, least and largest length, `vmax`, `fpmax`, `fvmax`.
    Muscle([Real; 9]),
    /// A motor behind a spring and a damper.
    SeriesElastic(SeriesElasticGain),
}

impl From<SeriesElasticGain> for GainLaw {
    fn from(gain: SeriesElasticGain) -> GainLaw {
        GainLaw::SeriesElastic(gain)
    }
}

impl GainLaw {
    /// Kind and parameters, as a model has them.
    fn parameters(&self) -> (GainType, [Real; 10]) {
        let mut prm = [0.0; 10];
        let (kind, given): (_, &[Real]) = match self {
            GainLaw::Fixed(gain) => (GainType::Fixed, core::slice::from_ref(gain)),
            GainLaw::Affine(given) => (GainType::Affine, given),
            GainLaw::Muscle(given) => (GainType::Muscle, given),
            GainLaw::SeriesElastic(SeriesElasticGain { k_spring, damping, gear_ratio }) => {
                (GainType::User, &[*k_spring, *damping, *gear_ratio])
            }
        };
        prm[..given.len()].copy_from_slice(given);
        (kind, prm)
    }
}

/// Give an actuator of a model another gain. A series-elastic one needs the one activation that keeps the last control, which only a model that was
/// compiled with one has (`dyntype="user"`); it cannot be replaced by a gain that multiplies the input, since nothing would drive the activation then.
pub fn set_actuator_gain(
    m: &mut Model,
    actuator: usize,
    gain: impl Into<GainLaw>,
) -> Result<(), PartError> {
    let gain = gain.into();
    let fail = |reason| Err(PartError::Actuator { actuator, reason });
    if actuator >= m.nu {
        return fail("there is no such actuator");
    }
    let (kind, prm) = gain.parameters();
    if !prm.iter().all(|x| x.is_finite()) {
        return fail("parameters of a gain must be finite");
    }
    match gain {
        GainLaw::SeriesElastic(_) => {
            if m.actuator_actnum[actuator] != 1 {
                return fail("a series-elastic actuator needs one activation");
            }
            if prm[0] < 0.0 || prm[1] < 0.0 {
                return fail("stiffness and damping cannot be negative");
            }
            m.actuator_dyntype[actuator] = ferrodyn_model::DynType::User as i32;
            m.actuator_gain_model[actuator] = GainModelType::SeriesElastic as i32;
        }
        _ if keeps_control(m, actuator) => {
            return fail("the activation of a series-elastic actuator drives no other gain");
        }
        GainLaw::Muscle([shortest, longest, .., lmin, lmax, vmax, fpmax, fvmax]) => {
            let positive = [prm[3], vmax, fpmax, fvmax].iter().all(|x| *x > 0.0);
            if shortest >= longest || lmin >= 1.0 || lmax <= 1.0 || !positive {
                return fail(
                    "a muscle needs an ascending range, lmin < 1 < lmax, and a positive scale, vmax, fpmax and fvmax",
                );
            }
        }
        GainLaw::Fixed(_) | GainLaw::Affine(_) => {}
    }
    m.actuator_gaintype[actuator] = kind as i32;
    m.actuator_gainprm[actuator] = prm;
    Ok(())
}
