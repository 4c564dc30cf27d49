//! Options, visual settings and statistics.

use ferrodyn_model::{Cone, DisableBit, EnableBit, Integrator, JacobianType, Solver};

use super::{Changes, Stated};
use crate::spec::Spec;
use crate::values::{GroupMask, Switch};

/// States those of some attributes whose fields of the same names changed.
macro_rules! state_fields {
    ($old:expr, $new:expr, $attr:expr, [$($field:ident)+]) => {$(
        if $old.$field != $new.$field {
            $attr.$field = Some(Stated::stated(&$new.$field));
        }
    )+};
}

pub(super) fn copy(spec: &mut Spec, changes: &Changes<'_>) {
    let (old, new) = (changes.old, changes.new);
    let o = &mut spec.option;
    state_fields!(old.opt, new.opt, o, [
        timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance
        gravity wind magnetic density viscosity o_margin o_solref o_solimp o_friction
        iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints
    ]);
    if old.opt.integrator != new.opt.integrator {
        o.integrator = Integrator::try_from(new.opt.integrator).ok();
    }
    if old.opt.cone != new.opt.cone {
        o.cone = Cone::try_from(new.opt.cone).ok();
    }
    if old.opt.jacobian != new.opt.jacobian {
        o.jacobian = JacobianType::try_from(new.opt.jacobian).ok();
    }
    if old.opt.solver != new.opt.solver {
        o.solver = Solver::try_from(new.opt.solver).ok();
    }
    if old.opt.disableactuator != new.opt.disableactuator {
        o.actuatorgroupdisable = Some(GroupMask(new.opt.disableactuator));
    }
    copy_flags(spec, changes);

    state_fields!(old.stat, new.stat, spec.statistic, [
        meaninertia meanmass meansize extent center
    ]);
    let v = &mut spec.visual;
    state_fields!(old.vis.global, new.vis.global, v.global, [
        cameraid orthographic fovy ipd azimuth elevation linewidth glow realtime offwidth
        offheight ellipsoidinertia bvactive
    ]);
    state_fields!(old.vis.quality, new.vis.quality, v.quality, [
        shadowsize offsamples numslices numstacks numquads
    ]);
    state_fields!(old.vis.headlight, new.vis.headlight, v.headlight, [
        ambient diffuse specular active
    ]);
    state_fields!(old.vis.map, new.vis.map, v.map, [
        stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip
        shadowscale actuatortendon
    ]);
    state_fields!(old.vis.scale, new.vis.scale, v.scale, [
        forcewidth contactwidth contactheight connect com camera light selectpoint jointlength
        jointwidth actuatorlength actuatorwidth framelength framewidth constraint slidercrank
        frustum
    ]);
    state_fields!(old.vis.rgba, new.vis.rgba, v.rgba, [
        fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light
        selectpoint connect contactpoint contactforce contactfriction contacttorque contactgap
        rangefinder constraint slidercrank crankbroken frustum bv bvactive
    ]);
}

/// States the switches that changed.
fn copy_flags(spec: &mut Spec, changes: &Changes<'_>) {
    let (old, new) = (&changes.old.opt, &changes.new.opt);
    let f = &mut spec.flags;
    let disable = [
        (&mut f.constraint, DisableBit::Constraint),
        (&mut f.equality, DisableBit::Equality),
        (&mut f.frictionloss, DisableBit::FrictionLoss),
        (&mut f.limit, DisableBit::Limit),
        (&mut f.contact, DisableBit::Contact),
        (&mut f.spring, DisableBit::Spring),
        (&mut f.damper, DisableBit::Damper),
        (&mut f.gravity, DisableBit::Gravity),
        (&mut f.clampctrl, DisableBit::ClampCtrl),
        (&mut f.warmstart, DisableBit::Warmstart),
        (&mut f.filterparent, DisableBit::FilterParent),
        (&mut f.actuation, DisableBit::Actuation),
        (&mut f.refsafe, DisableBit::RefSafe),
        (&mut f.sensor, DisableBit::Sensor),
        (&mut f.midphase, DisableBit::Midphase),
        (&mut f.eulerdamp, DisableBit::EulerDamp),
        (&mut f.autoreset, DisableBit::AutoReset),
        (&mut f.nativeccd, DisableBit::NativeCcd),
        (&mut f.island, DisableBit::Island),
    ];
    for (flag, bit) in disable {
        let bit = bit as i32;
        if (old.disableflags ^ new.disableflags) & bit != 0 {
            *flag = Some(Switch(new.disableflags & bit == 0));
        }
    }
    let enable = [
        (&mut f.overrides, EnableBit::Override),
        (&mut f.energy, EnableBit::Energy),
        (&mut f.fwdinv, EnableBit::FwdInv),
        (&mut f.invdiscrete, EnableBit::InvDiscrete),
        (&mut f.multiccd, EnableBit::MultiCcd),
        (&mut f.sleep, EnableBit::Sleep),
    ];
    for (flag, bit) in enable {
        let bit = bit as i32;
        if (old.enableflags ^ new.enableflags) & bit != 0 {
            *flag = Some(Switch(new.enableflags & bit != 0));
        }
    }
}
