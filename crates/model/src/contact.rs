//! One contact between two geoms.
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{Mat3, Real, Vec3};

/// A detected contact, laid out as MuJoCo's `mjContact`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Contact {
    /// Distance between the surfaces; negative when they overlap.
    pub dist: Real,
    /// Position, midway between the surfaces.
    pub pos: Vec3,
    /// Contact frame; the first row is the normal, from the first geom to the second.
    pub frame: Mat3,
    /// The contact exerts a force when `dist` is below this.
    pub includemargin: Real,
    /// Friction: two tangents, spin, two rolls.
    pub friction: [Real; 5],
    /// Reference parameters, normal direction.
    pub solref: [Real; 2],
    /// Reference parameters, friction directions.
    pub solreffriction: [Real; 2],
    /// Impedance parameters.
    pub solimp: [Real; 5],
    /// Friction of the regularized cone, `friction[0] √(R₁ / R₀)`.
    pub mu: Real,
    /// Hessian of the cost of a contact that slides on its elliptic cone, `dim`×`dim`; set by Newton's method.
    pub h: [Real; 36],
    /// Dimension: 1, 3, 4 or 6.
    pub dim: i32,
    /// `geom[0]`, under MuJoCo's deprecated name; no stage reads it.
    pub geom1: i32,
    /// `geom[1]`, under MuJoCo's deprecated name; no stage reads it.
    pub geom2: i32,
    /// Both geoms, -1 for a flex.
    pub geom: [i32; 2],
    /// Both flexes, -1 for a geom.
    pub flex: [i32; 2],
    /// Both flex elements, -1 for none.
    pub elem: [i32; 2],
    /// Both flex vertices, -1 for none.
    pub vert: [i32; 2],
    /// Why the contact exerts no force. 0: it does; 1: it is in the gap (`includemargin ≤ dist < margin`); 2: fused
    /// (flexes); 3: no degree of freedom moves it; 4: passive (flexes).
    pub exclude: i32,
    /// First constraint row, -1 for none.
    pub efc_address: i32,
    /// Makes the size a multiple of eight bytes.
    pub padding: i32,
}
