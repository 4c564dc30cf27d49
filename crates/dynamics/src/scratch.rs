//! Working memory of the stages, which no one else sees.
use alloc::{vec, vec::Vec};

use ferrodyn_math::{Real, Spatial};
use ferrodyn_model::Sizes;

macro_rules! scratch_fields {
    ($(($name:ident, $t:ty, $rows:ident, $doc:literal))*) => {
        /// Views of the working memory.
        #[derive(Debug)]
        pub(crate) struct Scratch<'a> {
            $(#[doc = $doc] pub(crate) $name: &'a mut [$t],)*
        }

        impl Scratch<'_> {
            pub(crate) fn reborrow(&mut self) -> Scratch<'_> {
                Scratch { $($name: self.$name,)* }
            }
        }

        /// The working memory of one world; contents never outlive a stage.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct ScratchMemory {
            $($name: Vec<$t>,)*
        }

        impl ScratchMemory {
            pub(crate) fn new(sizes: &Sizes) -> ScratchMemory {
                ScratchMemory { $($name: vec![<$t>::default(); sizes.$rows],)* }
            }

            pub(crate) fn view(&mut self) -> Scratch<'_> {
                Scratch { $($name: &mut self.$name,)* }
            }
        }
    };
}

scratch_fields! {
    (body_acc, Spatial, nbody, "acceleration of each body")
    (body_frc, Spatial, nbody, "force on each body")
    (dof_a, Real, nv, "one value per degree of freedom")
    (dof_b, Real, nv, "one value per degree of freedom")
    (step_acc, Real, nv, "acceleration that a step integrates, while delayed sensors are computed")
    (dof_spatial, Spatial, nv, "one spatial vector per degree of freedom")
    (row, (usize, Real), nv, "columns and values of a sparse row")
    (ctrl, Real, nu, "controls, delayed and limited")
    (tendon_force, Real, ntendon, "total actuator force of each tendon")
    (dof_count, i32, nv, "one integer per degree of freedom")
    (rk_qpos, Real, nq, "configuration at the beginning of a Runge-Kutta step")
    (rk_qvel, Real, nv, "velocity at the beginning of a Runge-Kutta step")
    (rk_act, Real, na, "activations at the beginning of a Runge-Kutta step")
    (rk_act_sum, Real, na, "weighted sum of the stage rates of activation")
    (rk_vel_sum, Real, nv, "weighted sum of the stage velocities")
    (rk_acc_sum, Real, nv, "weighted sum of the stage accelerations")
    (deriv_cvel, Spatial, nB, "derivative of `cvel` by velocity")
    (deriv_cacc, Spatial, nB, "derivative of `cacc` by velocity")
    (deriv_cfrc, Spatial, nB, "derivative of the body forces by velocity")
    (deriv_cdofdot, Spatial, nD, "derivative of `cdof_dot` by velocity")
}
