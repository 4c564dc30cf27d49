//! A simulation built of exchangeable parts.
use ferrodyn_dynamics::constants::set_materials;
pub use ferrodyn_dynamics::force::Enabled;
pub use ferrodyn_dynamics::force::gain::{
    ActuatorGainModel, AffineGain, DefaultGain, FixedGain, Gain, GainDispatch, GainInput,
    MuscleGain, SeriesElasticGain,
};
use ferrodyn_dynamics::hooks::Hooks;
pub use ferrodyn_dynamics::integrate::FlexMatrix;
use ferrodyn_dynamics::parts::check_materials;
pub use ferrodyn_dynamics::parts::{
    BridsonBending, ContactSolver, ContactSolverType, CotangentBending, FlexBendingModel,
    FlexElasticityModel, GainLaw, LcpSolver, LinearElastic, NeoHookean, PartError, XpbdSolver,
};
use ferrodyn_dynamics::{StepError, StepReport, World};
use ferrodyn_model::{FlexBendingType, FlexElasticityType};

use crate::{Data, Error, Model, ModelArrays};

/// Makes a [`Sim`] of a law of bending, a law of elasticity, a law of actuator gains and a solver of contacts.
///
/// ```
/// use ferrodyn::sim::{BridsonBending, SimBuilder, XpbdSolver};
///
/// let model = ferrodyn::load_model(
///     "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
///      <body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>",
/// )?;
/// let mut sim = SimBuilder::new()
///     .bending(BridsonBending::new(1e-3, 1e-5))
///     .contact_solver(XpbdSolver::new(4))
///     .build(model)?;
/// for _ in 0..100 {
///     sim.step()?;
/// }
/// assert!((sim.data().qpos()[2] - 0.1).abs() < 1e-3);
/// # Ok::<(), ferrodyn::Error>(())
/// ```
///
/// What a model chooses itself comes before what the builder says: see [`parts`](crate::dynamics::parts).
#[derive(Clone, Copy, Debug, Default)]
pub struct SimBuilder<B = CotangentBending, E = LinearElastic, A = DefaultGain, C = LcpSolver> {
    bending: B,
    elasticity: E,
    actuators: A,
    contact: C,
}

impl SimBuilder {
    /// MuJoCo's parts.
    pub fn new() -> SimBuilder {
        SimBuilder::default()
    }
}

impl<B, E, A, C> SimBuilder<B, E, A, C> {
    /// Another law of bending.
    pub fn bending<N: FlexBendingModel>(self, bending: N) -> SimBuilder<N, E, A, C> {
        let SimBuilder { elasticity, actuators, contact, .. } = self;
        SimBuilder { bending, elasticity, actuators, contact }
    }

    /// Another law of elasticity.
    pub fn elasticity<N: FlexElasticityModel>(self, elasticity: N) -> SimBuilder<B, N, A, C> {
        let SimBuilder { bending, actuators, contact, .. } = self;
        SimBuilder { bending, elasticity, actuators, contact }
    }

    /// A law of the gains of actuators with `gaintype="user"`.
    pub fn actuators<N: ActuatorGainModel>(self, actuators: N) -> SimBuilder<B, E, N, C> {
        let SimBuilder { bending, elasticity, contact, .. } = self;
        SimBuilder { bending, elasticity, actuators, contact }
    }

    /// Another solver of contacts.
    pub fn contact_solver<N: ContactSolver>(self, contact: N) -> SimBuilder<B, E, A, N> {
        let SimBuilder { bending, elasticity, actuators, .. } = self;
        SimBuilder { bending, elasticity, actuators, contact }
    }
}

impl<B, E, A, C> SimBuilder<B, E, A, C>
where
    B: FlexBendingModel,
    E: FlexElasticityModel,
    A: ActuatorGainModel,
    C: ContactSolver,
{
    /// The simulation of a model, at its reference pose. The parts may write their choices into this model; others that share it
    /// keep theirs.
    pub fn build(self, mut model: Model) -> Result<Sim<B, E, A, C>, Error> {
        let SimBuilder { mut bending, mut elasticity, actuators, mut contact } = self;
        let mut outcome = Ok(());
        model.edit(|m| {
            outcome = prepare(m, &mut bending, &mut elasticity, &mut contact);
        });
        outcome?;
        let data = model.make_data();
        Ok(Sim { model, data, bending, elasticity, actuators, contact })
    }
}

/// Let the parts see the model, and compute what their choices need.
fn prepare(
    m: &mut ModelArrays,
    bending: &mut impl FlexBendingModel,
    elasticity: &mut impl FlexElasticityModel,
    contact: &mut impl ContactSolver,
) -> Result<(), Error> {
    let chosen = |m: &ModelArrays| (m.flex_bending_model.clone(), m.flex_elasticity_model.clone());
    let before = chosen(m);
    for flex in 0..m.nflex {
        if m.bending_model(flex) == Some(FlexBendingType::Unstated) {
            bending.precompute(m, flex)?;
        }
        if m.elasticity_model(flex) == Some(FlexElasticityType::Unstated) {
            elasticity.precompute(m, flex)?;
        }
    }
    contact.prepare(m)?;
    if chosen(m) != before {
        set_materials(m);
        check_materials(m)?;
    }
    Ok(())
}

/// A model, a world and the four parts that move it; made by [`SimBuilder`].
///
/// A step is compiled for the parts: it is that of [`Data::step`] where they are MuJoCo's, to the bit.
#[derive(Clone, Debug)]
pub struct Sim<B = CotangentBending, E = LinearElastic, A = DefaultGain, C = LcpSolver> {
    model: Model,
    data: Data,
    bending: B,
    elasticity: E,
    actuators: A,
    contact: C,
}

/// MuJoCo's parts.
pub type MujocoSim = Sim;
/// For pictures: folding cloth, and contacts that are never far off.
pub type AnimationSim = Sim<BridsonBending, LinearElastic, DefaultGain, XpbdSolver>;
/// For soft bodies that deform far.
pub type SoftBodySim = Sim<CotangentBending, NeoHookean, DefaultGain, LcpSolver>;

impl<B, E, A, C> Sim<B, E, A, C>
where
    B: FlexBendingModel,
    E: FlexElasticityModel,
    A: ActuatorGainModel,
    C: ContactSolver,
{
    /// Advance by one time step.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        self.step_n(1)
    }

    /// Advance by `n` time steps with the same controls and applied forces.
    pub fn step_n(&mut self, n: usize) -> Result<StepReport, StepError> {
        let Sim { model, data, bending, elasticity, actuators, contact } = self;
        let mut parts = Parts { bending, elasticity, actuators, contact };
        data.run(|data| ferrodyn_dynamics::step::step_n_with(model, data, n, &mut parts))
    }

    /// Compute everything at the current state, without moving it.
    pub fn forward(&mut self) -> Result<(), StepError> {
        let Sim { model, data, bending, elasticity, actuators, contact } = self;
        let mut parts = Parts { bending, elasticity, actuators, contact };
        data.run(|data| ferrodyn_dynamics::step::forward_with(model, data, &mut parts))
    }

    /// Go on with another solver of the same kind.
    pub fn set_contact_solver(&mut self, mut contact: C) -> Result<(), Error> {
        let mut outcome: Result<(), PartError> = Ok(());
        self.model.edit(|m| outcome = contact.prepare(m));
        outcome?;
        self.contact = contact;
        Ok(())
    }
}

impl<B, E, A, C> Sim<B, E, A, C> {
    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The world.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The world, to set its state, controls and applied forces.
    pub fn data_mut(&mut self) -> &mut Data {
        &mut self.data
    }

    /// The model and the world.
    pub fn into_parts(self) -> (Model, Data) {
        (self.model, self.data)
    }
}

/// The four parts, as the stages ask for them. There are no other hooks: nothing is prepared for them.
struct Parts<'a, B, E, A, C> {
    bending: &'a mut B,
    elasticity: &'a mut E,
    actuators: &'a mut A,
    contact: &'a mut C,
}

impl<B, E, A, C> Hooks for Parts<'_, B, E, A, C>
where
    B: FlexBendingModel,
    E: FlexElasticityModel,
    A: ActuatorGainModel,
    C: ContactSolver,
{
    #[inline(always)]
    fn is_idle(&self) -> bool {
        true
    }

    #[inline]
    fn flex_bending(&mut self, m: &ModelArrays, d: &mut World<'_>, flex: usize, enabled: Enabled) {
        self.bending.apply_forces(m, d, flex, enabled);
    }

    #[inline]
    fn flex_elasticity(
        &mut self,
        m: &ModelArrays,
        d: &mut World<'_>,
        flex: usize,
        enabled: Enabled,
    ) {
        self.elasticity.apply(m, d, flex, enabled);
    }

    #[inline]
    fn has_stiffness(&self) -> bool {
        self.bending.has_stiffness() || self.elasticity.has_stiffness()
    }

    fn add_stiffness(
        &mut self,
        m: &ModelArrays,
        d: &World<'_>,
        flex: usize,
        to: &mut FlexMatrix<'_>,
    ) {
        if m.bending_model(flex) == Some(FlexBendingType::Unstated) {
            self.bending.add_stiffness(m, d, flex, to);
        }
        if m.elasticity_model(flex) == Some(FlexElasticityType::Unstated) {
            self.elasticity.add_stiffness(m, d, flex, to);
        }
    }

    #[inline]
    fn gain(&mut self, at: &GainInput<'_>) -> Option<Gain> {
        self.actuators.evaluate(at)
    }

    #[inline]
    fn solve_constraints(&mut self, m: &ModelArrays, d: &mut World<'_>) -> Result<(), StepError> {
        self.contact.solve(m, d)
    }
}
