//! Options, visual settings and statistics.

use ferrodyn_model::{DisableBit, EnableBit};

use super::Changes;
use crate::schema::Settings;
use crate::spec::Spec;
use crate::values::Switch;

pub(super) fn copy(spec: &mut Spec, changes: &Changes<'_>) {
    let (old, new) = (changes.old, changes.new);
    spec.option.take_changed(&old.opt, &new.opt);
    copy_flags(spec, changes);
    spec.statistic.take_changed(&old.stat, &new.stat);
    let v = &mut spec.visual;
    v.global.take_changed(&old.vis.global, &new.vis.global);
    v.quality.take_changed(&old.vis.quality, &new.vis.quality);
    v.headlight.take_changed(&old.vis.headlight, &new.vis.headlight);
    v.map.take_changed(&old.vis.map, &new.vis.map);
    v.scale.take_changed(&old.vis.scale, &new.vis.scale);
    v.rgba.take_changed(&old.vis.rgba, &new.vis.rgba);
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
