//! Settings of the compiler with their defaults, and the options and visual settings of the model.

use ferrodyn_model::{Options, Visual};

use crate::keywords::{AngleUnit, Tristate};
use crate::schema::{CompilerAttrs, FlagAttrs, Settings as _};
use crate::spec::Spec;
use crate::values::Switch;

/// Settings of the compiler.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) degree: bool,
    pub(super) eulerseq: [u8; 3],
    pub(super) autolimits: bool,
    pub(super) boundmass: f64,
    pub(super) boundinertia: f64,
    pub(super) balanceinertia: bool,
    pub(super) settotalmass: f64,
    pub(super) inertiafromgeom: Tristate,
    pub(super) inertiagrouprange: [i32; 2],
    pub(super) alignfree: bool,
    pub(super) fitaabb: bool,
    pub(super) discardvisual: bool,
    pub(super) fusestatic: bool,
}

impl Settings {
    /// The settings for every origin of elements: those of the model itself first.
    pub(super) fn of_origins(spec: &Spec) -> Vec<Self> {
        (0..=spec.attached.len()).map(|origin| Self::new(spec.compiler_of(origin))).collect()
    }

    fn new(c: &CompilerAttrs) -> Self {
        let or = c.or_default();
        Self {
            degree: or.angle() == AngleUnit::Degree,
            eulerseq: or.eulerseq(),
            autolimits: or.autolimits(),
            boundmass: or.boundmass(),
            boundinertia: or.boundinertia(),
            balanceinertia: or.balanceinertia(),
            settotalmass: or.settotalmass(),
            inertiafromgeom: or.inertiafromgeom(),
            inertiagrouprange: or.inertiagrouprange(),
            alignfree: or.alignfree(),
            fitaabb: or.fitaabb(),
            discardvisual: or.discardvisual(),
            fusestatic: or.fusestatic(),
        }
    }
}

/// The physics options of the model.
pub(super) fn options(spec: &Spec) -> Options {
    let mut opt = Options::default();
    spec.option.write_given(&mut opt);
    (opt.disableflags, opt.enableflags) = flags_to_bits(&spec.flags);
    opt
}

/// The bits that `<flag>` sets: what is disabled, as [`DisableBit`](ferrodyn_model::DisableBit), and
/// what is enabled, as [`EnableBit`](ferrodyn_model::EnableBit).
///
/// ```
/// use ferrodyn_mjcf::{FlagAttrs, flags_to_bits};
/// use ferrodyn_model::{DisableBit, EnableBit};
/// let flags = FlagAttrs::default().contact(false).gravity(true).energy(true);
/// assert_eq!(flags_to_bits(&flags), (DisableBit::Contact as i32, EnableBit::Energy as i32));
/// ```
pub fn flags_to_bits(f: &FlagAttrs) -> (i32, i32) {
    let mut flags = f.clone();
    let set = |bits: i32, on: bool, switch: &Option<Switch>, bit: i32| match switch {
        Some(Switch(given)) if *given == on => bits | bit,
        _ => bits,
    };
    let disabled = flags.disabling();
    let disabled = disabled.iter().fold(0, |bits, (s, bit)| set(bits, false, s, *bit as i32));
    let enabled = flags.enabling();
    let enabled = enabled.iter().fold(0, |bits, (s, bit)| set(bits, true, s, *bit as i32));
    (disabled, enabled)
}

/// The visual settings of the model.
pub(super) fn visual(spec: &Spec) -> Visual {
    let mut vis = Visual::default();
    let v = &spec.visual;
    v.global.write_given(&mut vis.global);
    v.quality.write_given(&mut vis.quality);
    v.headlight.write_given(&mut vis.headlight);
    v.map.write_given(&mut vis.map);
    v.scale.write_given(&mut vis.scale);
    v.rgba.write_given(&mut vis.rgba);
    vis
}
