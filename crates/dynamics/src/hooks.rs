//! Functions of the user that a step calls: controls, forces, sensors, actuators, filters of contacts.
//!
//! Hooks belong to one call of a step; there are no global callbacks. They are called where MuJoCo calls
//! its `mjcb_*` functions.
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
#[cfg(feature = "alloc")]
use core::fmt;
use core::ops::Deref;

use ferrodyn_math::{Quat, Real, Vec3};
use ferrodyn_model::{Model, Owned, Stage, Storage};

use crate::force::{Enabled, Gain, GainInput, cotangent_bending, linear_elasticity};
use crate::integrate::FlexMatrix;
use crate::solver::fwd_constraint;
use crate::{StepError, World};

/// What a user can add to a step. Every method does nothing, or leaves the choice to the engine, unless it is
/// written.
///
/// ```
/// use ferrodyn_dynamics::hooks::{HookWorld, Hooks};
/// use ferrodyn_math::Real;
/// use ferrodyn_model::Model;
///
/// /// Pushes every degree of freedom back towards zero.
/// struct Spring(Real);
///
/// impl Hooks for Spring {
///     fn passive(&mut self, _: &Model, d: &mut HookWorld<'_, '_>) {
///         for i in 0..d.qvel.len().min(d.qpos.len()) {
///             let force = -self.0 * d.qpos[i];
///             d.qfrc_passive_mut()[i] += force;
///         }
///     }
/// }
/// ```
#[allow(unused_variables, reason = "the names document the arguments")]
pub trait Hooks<S: Storage = Owned>: Send {
    /// Set controls and applied forces (`mjcb_control`); position, velocity and their sensors are known.
    ///
    /// Not called while actuation is disabled, except by the first half of a split step.
    fn control(&mut self, m: &Model<S>, d: &mut HookWorld<'_, '_>) {}

    /// Add to `qfrc_passive` (`mjcb_passive`). Not called where springs and dampers are both disabled.
    fn passive(&mut self, m: &Model<S>, d: &mut HookWorld<'_, '_>) {}

    /// Fill in the values of user sensors of a stage (`mjcb_sensor`), which are zero until then; called if there
    /// are any. Cutoffs are applied afterwards.
    fn sensor(&mut self, m: &Model<S>, d: &mut HookWorld<'_, '_>, stage: Stage) {}

    /// Rate of activation of an actuator with user dynamics (`mjcb_act_dyn`); zero for `None`.
    ///
    /// With several activations the result is ignored: write all rates into `act_dot`.
    fn act_dyn(
        &mut self,
        m: &Model<S>,
        d: &mut HookWorld<'_, '_>,
        actuator: usize,
    ) -> Option<Real> {
        None
    }

    /// Gain of an actuator with a user gain (`mjcb_act_gain`); one for `None`.
    fn act_gain(
        &mut self,
        m: &Model<S>,
        d: &mut HookWorld<'_, '_>,
        actuator: usize,
    ) -> Option<Real> {
        None
    }

    /// Bias of an actuator with a user bias (`mjcb_act_bias`); zero for `None`.
    fn act_bias(
        &mut self,
        m: &Model<S>,
        d: &mut HookWorld<'_, '_>,
        actuator: usize,
    ) -> Option<Real> {
        None
    }

    /// Shall two geoms not collide (`mjcb_contactfilter`)? `None` asks the bits in `contype` and `conaffinity`
    /// of the geoms, which count no more once there is an answer.
    ///
    /// Explicit pairs are not asked for, nor bodies that were ruled out before: by their masks, by exclusions, as
    /// parent and child, or by distance.
    fn contact_filter(
        &mut self,
        m: &Model<S>,
        d: &World<'_>,
        g1: usize,
        g2: usize,
    ) -> Option<bool> {
        None
    }

    /// Bending of a flex of triangles for which the model chooses no law, added to `qfrc_spring` and `qfrc_damper`: MuJoCo's, unless written.
    fn flex_bending(&mut self, m: &Model<S>, d: &mut World<'_>, flex: usize, enabled: Enabled) {
        cotangent_bending(m, d, flex, enabled);
    }

    /// Elasticity of a flex for which the model chooses no law, added to `qfrc_spring` and `qfrc_damper`: MuJoCo's, unless written.
    fn flex_elasticity(&mut self, m: &Model<S>, d: &mut World<'_>, flex: usize, enabled: Enabled) {
        linear_elasticity(m, d, flex, enabled);
    }

    /// Have [`flex_bending`](Self::flex_bending) and [`flex_elasticity`](Self::flex_elasticity) a stiffness that implicit integrators are to know?
    fn has_stiffness(&self) -> bool {
        false
    }

    /// Add the stiffness and damping of [`flex_bending`](Self::flex_bending) and [`flex_elasticity`](Self::flex_elasticity)
    /// for the implicit integrators, for a flex for which the model does not choose both laws.
    fn add_stiffness(&mut self, m: &Model<S>, d: &World<'_>, flex: usize, to: &mut FlexMatrix<'_>) {
    }

    /// The gain of an actuator with a user's gain, if it has a law for that; asked before [`act_gain`](Self::act_gain).
    fn gain(&mut self, at: &GainInput<'_>) -> Option<Gain> {
        None
    }

    /// Solve for the constraint forces: `efc_force`, `qfrc_constraint` and `qacc`. The solvers that the options name, unless written.
    fn solve_constraints(&mut self, m: &Model<S>, d: &mut World<'_>) -> Result<(), StepError> {
        fwd_constraint(m, d)
    }

    /// Is there nothing to be called? Then the world is not made ready for it. Laws of flexes and gains, and the solver, are asked all the same.
    fn is_idle(&self) -> bool {
        false
    }

    /// Is the step to be given up? Asked before the state moves; the step is then
    /// [`StepError::Stopped`].
    fn stopped(&self) -> bool {
        false
    }
}

/// Steps without hooks: what would call them is not compiled.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHooks;

impl<S: Storage> Hooks<S> for NoHooks {
    #[inline(always)]
    fn is_idle(&self) -> bool {
        true
    }
}

/// Hooks that are somewhere else, or that may be missing.
macro_rules! pass_on {
    ($(impl $target:ty => |$self:ident| $inner:expr, $inner_ref:expr;)*) => {$(
        impl<S: Storage, H: Hooks<S> + ?Sized> Hooks<S> for $target {
            fn control(&mut $self, m: &Model<S>, d: &mut HookWorld<'_, '_>) {
                if let Some(hooks) = $inner { hooks.control(m, d); }
            }
            fn passive(&mut $self, m: &Model<S>, d: &mut HookWorld<'_, '_>) {
                if let Some(hooks) = $inner { hooks.passive(m, d); }
            }
            fn sensor(&mut $self, m: &Model<S>, d: &mut HookWorld<'_, '_>, stage: Stage) {
                if let Some(hooks) = $inner { hooks.sensor(m, d, stage); }
            }
            fn act_dyn(&mut $self, m: &Model<S>, d: &mut HookWorld<'_, '_>, actuator: usize) -> Option<Real> {
                $inner.and_then(|hooks| hooks.act_dyn(m, d, actuator))
            }
            fn act_gain(&mut $self, m: &Model<S>, d: &mut HookWorld<'_, '_>, actuator: usize) -> Option<Real> {
                $inner.and_then(|hooks| hooks.act_gain(m, d, actuator))
            }
            fn act_bias(&mut $self, m: &Model<S>, d: &mut HookWorld<'_, '_>, actuator: usize) -> Option<Real> {
                $inner.and_then(|hooks| hooks.act_bias(m, d, actuator))
            }
            fn contact_filter(&mut $self, m: &Model<S>, d: &World<'_>, g1: usize, g2: usize) -> Option<bool> {
                $inner.and_then(|hooks| hooks.contact_filter(m, d, g1, g2))
            }
            fn flex_bending(&mut $self, m: &Model<S>, d: &mut World<'_>, flex: usize, enabled: Enabled) {
                match $inner {
                    Some(hooks) => hooks.flex_bending(m, d, flex, enabled),
                    None => cotangent_bending(m, d, flex, enabled),
                }
            }
            fn flex_elasticity(&mut $self, m: &Model<S>, d: &mut World<'_>, flex: usize, enabled: Enabled) {
                match $inner {
                    Some(hooks) => hooks.flex_elasticity(m, d, flex, enabled),
                    None => linear_elasticity(m, d, flex, enabled),
                }
            }
            fn has_stiffness(&$self) -> bool {
                $inner_ref.is_some_and(|hooks| hooks.has_stiffness())
            }
            fn add_stiffness(&mut $self, m: &Model<S>, d: &World<'_>, flex: usize, to: &mut FlexMatrix<'_>) {
                if let Some(hooks) = $inner { hooks.add_stiffness(m, d, flex, to); }
            }
            fn gain(&mut $self, at: &GainInput<'_>) -> Option<Gain> {
                $inner.and_then(|hooks| hooks.gain(at))
            }
            fn solve_constraints(&mut $self, m: &Model<S>, d: &mut World<'_>) -> Result<(), StepError> {
                match $inner {
                    Some(hooks) => hooks.solve_constraints(m, d),
                    None => fwd_constraint(m, d),
                }
            }
            fn is_idle(&$self) -> bool {
                $inner_ref.is_none_or(|hooks| hooks.is_idle())
            }
            fn stopped(&$self) -> bool {
                $inner_ref.is_some_and(|hooks| hooks.stopped())
            }
        }
    )*};
}

pass_on! {
    impl Option<&mut H> => |self| self.as_deref_mut(), self.as_deref();
}

/// The world as a hook sees it: everything can be read, and what a hook may set has a method.
#[derive(Debug)]
pub struct HookWorld<'b, 'a>(&'b mut World<'a>);

impl<'a> Deref for HookWorld<'_, 'a> {
    type Target = World<'a>;
    fn deref(&self) -> &World<'a> {
        self.0
    }
}

macro_rules! settable {
    ($($name:ident, $name_mut:ident, $t:ty;)*) => {
        impl HookWorld<'_, '_> {
            $(
                #[doc = concat!("Mutable access to `", stringify!($name), "`.")]
                pub fn $name_mut(&mut self) -> &mut [$t] {
                    self.0.$name
                }
            )*
        }
    };
}

settable! {
    ctrl, ctrl_mut, Real;
    qfrc_applied, qfrc_applied_mut, Real;
    xfrc_applied, xfrc_applied_mut, [Real; 6];
    qfrc_passive, qfrc_passive_mut, Real;
    act_dot, act_dot_mut, Real;
    sensordata, sensordata_mut, Real;
    mocap_pos, mocap_pos_mut, Vec3;
    mocap_quat, mocap_quat_mut, Quat;
    eq_active, eq_active_mut, u8;
    userdata, userdata_mut, Real;
}

impl HookWorld<'_, '_> {
    /// A view of everything, mutable, for stages and functions that need one.
    ///
    /// This is for bindings to other languages. Numbers, contacts and rows that lead into each other have to
    /// stay consistent: what is left of the step relies on them, and can panic.
    pub fn view_mut(&mut self) -> World<'_> {
        self.0.reborrow()
    }
}

impl World<'_> {
    /// Call a hook with the world, if there are hooks.
    #[inline(always)]
    pub(crate) fn with_hooks<S: Storage, H: Hooks<S>, R>(
        &mut self,
        hooks: &mut H,
        f: impl FnOnce(&mut H, &mut HookWorld<'_, '_>) -> R,
    ) -> Option<R> {
        if hooks.is_idle() {
            return None;
        }
        let result = f(hooks, &mut HookWorld(self));
        self.adopt_workspace();
        Some(result)
    }
}

#[cfg(feature = "alloc")]
macro_rules! callbacks {
    ($($name:ident: ($($arg:ident: $t:ty),*) $(-> $r:ty)?, $doc:literal;)*) => {
        /// Hooks made of closures.
        ///
        /// ```
        /// use ferrodyn_dynamics::hooks::Callbacks;
        ///
        /// let mut calls = 0;
        /// let hooks = Callbacks::new().control(|_, d| {
        ///     calls += 1;
        ///     d.ctrl_mut().fill(0.5);
        /// });
        /// # drop(hooks);
        /// # assert_eq!(calls, 0);
        /// ```
        #[derive(Default)]
        #[allow(clippy::type_complexity, reason = "each type is written once, here")]
        pub struct Callbacks<'c> {
            $($name: Option<Box<dyn FnMut(&Model $(, $t)*) $(-> $r)? + Send + 'c>>,)*
        }

        impl<'c> Callbacks<'c> {
            $(
                #[doc = $doc]
                pub fn $name(
                    mut self,
                    f: impl FnMut(&Model $(, $t)*) $(-> $r)? + Send + 'c,
                ) -> Callbacks<'c> {
                    self.$name = Some(Box::new(f));
                    self
                }
            )*
        }

        impl fmt::Debug for Callbacks<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut set = f.debug_set();
                $(if self.$name.is_some() { set.entry(&stringify!($name)); })*
                set.finish()
            }
        }

        impl Hooks for Callbacks<'_> {
            $(callbacks! { @method $name ($($arg: $t),*) $(-> $r)? })*
        }
    };
    (@method $name:ident ($($arg:ident: $t:ty),*)) => {
        fn $name(&mut self, m: &Model $(, $arg: $t)*) {
            if let Some(f) = &mut self.$name {
                f(m $(, $arg)*);
            }
        }
    };
    (@method $name:ident ($($arg:ident: $t:ty),*) -> $r:ty) => {
        fn $name(&mut self, m: &Model $(, $arg: $t)*) -> Option<$r> {
            self.$name.as_mut().map(|f| f(m $(, $arg)*))
        }
    };
}

#[cfg(feature = "alloc")]
callbacks! {
    control: (d: &mut HookWorld<'_, '_>), "Set controls and applied forces: [`Hooks::control`].";
    passive: (d: &mut HookWorld<'_, '_>), "Add passive forces: [`Hooks::passive`].";
    sensor: (d: &mut HookWorld<'_, '_>, stage: Stage), "Fill in user sensors: [`Hooks::sensor`].";
    act_dyn: (d: &mut HookWorld<'_, '_>, actuator: usize) -> Real, "Rate of activation: [`Hooks::act_dyn`].";
    act_gain: (d: &mut HookWorld<'_, '_>, actuator: usize) -> Real, "Gain of an actuator: [`Hooks::act_gain`].";
    act_bias: (d: &mut HookWorld<'_, '_>, actuator: usize) -> Real, "Bias of an actuator: [`Hooks::act_bias`].";
    contact_filter: (d: &World<'_>, g1: usize, g2: usize) -> bool, "Pairs of geoms to leave out: [`Hooks::contact_filter`].";
}

#[cfg(feature = "alloc")]
impl Callbacks<'_> {
    /// No closures yet.
    pub fn new() -> Self {
        Self::default()
    }
}
