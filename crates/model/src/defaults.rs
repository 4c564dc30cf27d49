//! Values that a model has where it says nothing, as MuJoCo's: those that the engine and the language share. The others
//! stand where the language is compiled.

/// Reference parameters of constraints (`solref`): time constant in seconds, damping ratio. MuJoCo: `mj_defaultSolRefImp`.
pub const SOLREF: [f64; 2] = [0.02, 1.0];
/// Impedance parameters of constraints (`solimp`): impedance at zero and at full width, width, midpoint, power.
pub const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];
/// Friction of a geom: sliding, spinning (in metres), rolling (in metres).
pub const FRICTION: [f64; 3] = [1.0, 0.005, 0.0001];
/// Friction of a contact pair, which has both tangents and both rolls by themselves.
pub const PAIR_FRICTION: [f64; 5] =
    [FRICTION[0], FRICTION[0], FRICTION[1], FRICTION[2], FRICTION[2]];
