//! Options, visual settings and statistics.

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
    for (flag, bit) in spec.flags.disabling() {
        let bit = bit as i32;
        if (old.disableflags ^ new.disableflags) & bit != 0 {
            *flag = Some(Switch(new.disableflags & bit == 0));
        }
    }
    for (flag, bit) in spec.flags.enabling() {
        let bit = bit as i32;
        if (old.enableflags ^ new.enableflags) & bit != 0 {
            *flag = Some(Switch(new.enableflags & bit != 0));
        }
    }
}
