//! Which models have worlds that can go abreast.
use ferrodyn_model::{
    BiasType, DynType, EnableBit, GainType, Integrator, Model, Storage, TransmissionType, WrapType,
};

use crate::force::fluid::has_fluid;
use crate::force::gain::keeps_control;

/// Why the worlds of a model step alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported(
    /// What the model has.
    pub &'static str,
);

impl core::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "worlds with {} step alone", self.0)
    }
}

impl core::error::Error for Unsupported {}

/// Can worlds of this model go abreast? What a model must not have is computed world by world, in the middle of the stages that they share.
///
/// ```
/// use ferrodyn_dynamics::lanes::supports;
/// # use ferrodyn_model::{EnableBit, Model, Sizes};
/// # let mut model = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
/// # model.body_mocapid[0] = -1;
/// # model.body_treeid[0] = -1;
/// assert!(supports(&model).is_ok());
/// model.opt.enableflags |= EnableBit::Sleep as i32;
/// assert_eq!(supports(&model).unwrap_err().to_string(), "worlds with sleep step alone");
/// ```
pub fn supports(m: &Model<impl Storage>) -> Result<(), Unsupported> {
    use TransmissionType::{Joint, JointInParent, Tendon};
    let spatial = |t: usize| {
        m.tendon_path(t).next().is_some_and(|w| m.wrap_type[w] != WrapType::Joint as i32)
    };
    let moved = |i: usize| matches!(m.transmission_kind(i), Some(Joint | JointInParent | Tendon));
    let lawful = |i: usize| {
        use DynType::{Filter, FilterExact, Integrator};
        let smooth = [Some(DynType::None), Some(Integrator), Some(Filter), Some(FilterExact)];
        smooth.contains(&m.dynamics_kind(i))
            && matches!(m.gain_kind(i), Some(GainType::Fixed | GainType::Affine))
            && matches!(m.bias_kind(i), Some(BiasType::None | BiasType::Affine))
            && !keeps_control(m, i)
    };
    let found = [
        // trees that sleep differ from world to world
        (m.opt.enabled(EnableBit::Sleep), "sleep"),
        (m.opt.enabled(EnableBit::FwdInv), "the comparison with inverse dynamics"),
        (m.flex_count() > 0, "flexes"),
        (m.nsoft > 0, "deformable bodies"),
        (m.nplugin > 0, "plugins"),
        (m.nhistory > 0, "delays"),
        // of which the implicit integrator needs the derivative
        (has_fluid(m) && m.integrator() == Integrator::ImplicitFast, "a fluid, with implicitfast"),
        // their paths wrap or not, world by world
        ((0..m.ntendon).any(spatial), "spatial tendons"),
        (!(0..m.nu).all(moved), "actuators of sites or bodies"),
        (!(0..m.nu).all(lawful), "muscles or user-defined actuators"),
    ];
    match found.into_iter().find(|(has, _)| *has) {
        Some((_, what)) => Err(Unsupported(what)),
        None => Ok(()),
    }
}
