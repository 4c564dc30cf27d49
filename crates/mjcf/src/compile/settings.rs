//! Settings of the compiler with their defaults, and the options and visual settings of the model.

use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::{DisableBit, EnableBit, Options, Visual};

use crate::keywords::{AngleUnit, Tristate};
use crate::pose::double;
use crate::schema::{CompilerAttrs, FlagAttrs};
use crate::spec::Spec;
use crate::values::{Partial, Switch};

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
        Self {
            degree: c.angle != Some(AngleUnit::Radian),
            eulerseq: c.eulerseq.map_or(*b"xyz", |s| s.0),
            autolimits: c.autolimits.unwrap_or(true),
            boundmass: c.boundmass.unwrap_or(0.0),
            boundinertia: c.boundinertia.unwrap_or(0.0),
            balanceinertia: c.balanceinertia.unwrap_or(false),
            settotalmass: c.settotalmass.unwrap_or(-1.0),
            inertiafromgeom: c.inertiafromgeom.unwrap_or(Tristate::Auto),
            inertiagrouprange: c.inertiagrouprange.unwrap_or([0, 5]),
            alignfree: c.alignfree.unwrap_or(false),
            fitaabb: c.fitaabb.unwrap_or(false),
            discardvisual: c.discardvisual.unwrap_or(false),
            fusestatic: c.fusestatic.unwrap_or(false),
        }
    }
}

/// A value of the text as the model stores it.
trait Stored<T> {
    fn stored(&self, present: &T) -> T;
}

impl Stored<Real> for f64 {
    fn stored(&self, _: &Real) -> Real {
        *self as Real
    }
}

impl Stored<Vec3> for [f64; 3] {
    fn stored(&self, _: &Vec3) -> Vec3 {
        Vec3(self.map(|x| x as Real))
    }
}

impl<const N: usize> Stored<[Real; N]> for Partial<N> {
    fn stored(&self, present: &[Real; N]) -> [Real; N] {
        self.or(present.map(double)).map(|x| x as Real)
    }
}

impl Stored<i32> for i32 {
    fn stored(&self, _: &i32) -> i32 {
        *self
    }
}

impl Stored<i32> for bool {
    fn stored(&self, _: &i32) -> i32 {
        i32::from(*self)
    }
}

impl Stored<f32> for f32 {
    fn stored(&self, _: &f32) -> f32 {
        *self
    }
}

impl<const N: usize> Stored<[f32; N]> for [f32; N] {
    fn stored(&self, _: &[f32; N]) -> [f32; N] {
        *self
    }
}

/// Writes the given ones of some attributes to the fields of the same names.
macro_rules! write_given {
    ($target:expr, $source:expr, [$($field:ident)+]) => {$(
        if let Some(value) = &$source.$field {
            $target.$field = value.stored(&$target.$field);
        }
    )+};
}

/// The physics options of the model.
pub(super) fn options(spec: &Spec) -> Options {
    let mut opt = Options::default();
    let o = &spec.option;
    write_given!(opt, o, [
        timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance
        gravity wind magnetic density viscosity o_margin o_solref o_solimp o_friction
        iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints
    ]);
    opt.integrator = o.integrator.map_or(opt.integrator, |x| x as i32);
    opt.cone = o.cone.map_or(opt.cone, |x| x as i32);
    opt.jacobian = o.jacobian.map_or(opt.jacobian, |x| x as i32);
    opt.solver = o.solver.map_or(opt.solver, |x| x as i32);
    opt.disableactuator = o.actuatorgroupdisable.map_or(0, |m| m.0);

    (opt.disableflags, opt.enableflags) = flags_to_bits(&spec.flags);
    opt
}

/// The bits that `<flag>` sets: what is disabled, as [`DisableBit`], and what is enabled, as [`EnableBit`].
///
/// ```
/// use ferrodyn_mjcf::{FlagAttrs, flags_to_bits};
/// use ferrodyn_model::{DisableBit, EnableBit};
/// let flags = FlagAttrs::default().contact(false).gravity(true).energy(true);
/// assert_eq!(flags_to_bits(&flags), (DisableBit::Contact as i32, EnableBit::Energy as i32));
/// ```
pub fn flags_to_bits(f: &FlagAttrs) -> (i32, i32) {
    let disable = [
        (f.constraint, DisableBit::Constraint),
        (f.equality, DisableBit::Equality),
        (f.frictionloss, DisableBit::FrictionLoss),
        (f.limit, DisableBit::Limit),
        (f.contact, DisableBit::Contact),
        (f.spring, DisableBit::Spring),
        (f.damper, DisableBit::Damper),
        (f.gravity, DisableBit::Gravity),
        (f.clampctrl, DisableBit::ClampCtrl),
        (f.warmstart, DisableBit::Warmstart),
        (f.filterparent, DisableBit::FilterParent),
        (f.actuation, DisableBit::Actuation),
        (f.refsafe, DisableBit::RefSafe),
        (f.sensor, DisableBit::Sensor),
        (f.midphase, DisableBit::Midphase),
        (f.eulerdamp, DisableBit::EulerDamp),
        (f.autoreset, DisableBit::AutoReset),
        (f.nativeccd, DisableBit::NativeCcd),
        (f.island, DisableBit::Island),
    ];
    let enable = [
        (f.overrides, EnableBit::Override),
        (f.energy, EnableBit::Energy),
        (f.fwdinv, EnableBit::FwdInv),
        (f.invdiscrete, EnableBit::InvDiscrete),
        (f.multiccd, EnableBit::MultiCcd),
        (f.sleep, EnableBit::Sleep),
    ];
    let off = disable.iter().filter(|(switch, _)| *switch == Some(Switch(false)));
    let on = enable.iter().filter(|(switch, _)| *switch == Some(Switch(true)));
    (
        off.fold(0, |bits, (_, bit)| bits | *bit as i32),
        on.fold(0, |bits, (_, bit)| bits | *bit as i32),
    )
}

/// The visual settings of the model.
pub(super) fn visual(spec: &Spec) -> Visual {
    let mut vis = Visual::default();
    let v = &spec.visual;
    write_given!(vis.global, v.global, [
        cameraid orthographic fovy ipd azimuth elevation linewidth glow realtime offwidth
        offheight ellipsoidinertia bvactive
    ]);
    write_given!(vis.quality, v.quality, [shadowsize offsamples numslices numstacks numquads]);
    write_given!(vis.headlight, v.headlight, [ambient diffuse specular active]);
    write_given!(vis.map, v.map, [
        stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip
        shadowscale actuatortendon
    ]);
    write_given!(vis.scale, v.scale, [
        forcewidth contactwidth contactheight connect com camera light selectpoint jointlength
        jointwidth actuatorlength actuatorwidth framelength framewidth constraint slidercrank
        frustum
    ]);
    write_given!(vis.rgba, v.rgba, [
        fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light
        selectpoint connect contactpoint contactforce contactfriction contacttorque contactgap
        rangefinder constraint slidercrank crankbroken frustum bv bvactive
    ]);
    vis
}
