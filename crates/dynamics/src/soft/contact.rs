//! A contact between a vertex and a geom.
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{Real, Vec3, sqrt};
use ferrodyn_model::{Model, Storage};
use ferrodyn_soft::Material;

/// A vertex of a deformable body at a geom. Where `depth` is not positive they do not touch yet, but may within the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct DeformableContact {
    /// The deformable body.
    pub deformable_idx: u32,
    /// The vertex, counted within its body.
    pub vertex_idx: u32,
    /// The geom.
    pub geom_idx: u32,
    /// Dimension of the contact: 1 without friction, 3, 4 or 6 with.
    pub dim: u32,
    /// The nearest point of the geom's surface, in m.
    pub pos: Vec3,
    /// Unit vector from the surface towards the vertex.
    pub normal: Vec3,
    /// By how much the margin of the vertex overlaps with the geom, in m: a move by `normal · depth` ends it.
    pub depth: Real,
    /// Sliding friction: the geometric mean of both.
    pub friction: Real,
    /// Friction: two tangents, spin, two rolls.
    pub mu: [Real; 5],
    /// Reference parameters.
    pub solref: [Real; 2],
    /// Impedance parameters.
    pub solimp: [Real; 5],
    /// The two tangents.
    pub frame: [Vec3; 2],
    /// Impulse of the last step on the vertex, in N s: along the normal and both tangents.
    pub impulse: [Real; 3],
}

/// Friction of a geom and a material: the geometric mean of each component.
pub(super) fn combined_friction(material: &Material, geom: Vec3) -> [Real; 5] {
    let [slide, spin, roll] = geom.0.map(|mu| sqrt(material.friction * mu.max(0.0)));
    [slide, slide, spin, roll, roll]
}

/// Two unit vectors across a normal: the first is turned out of the axis that the normal is farthest from.
pub(super) fn tangents(normal: Vec3) -> [Vec3; 2] {
    let axis = if normal[0].abs() < 0.5 { Vec3::X } else { Vec3::Y };
    let first = axis.add_scaled(normal, -axis.dot(normal)).normalize().0;
    [first, normal.cross(first)]
}

impl DeformableContact {
    /// A contact with the parameters of the model.
    pub(super) fn new(
        m: &Model<impl Storage>,
        ids: [usize; 3],
        nearest: &ferrodyn_collision::Nearest,
        margin: Real,
        material: &Material,
    ) -> DeformableContact {
        let mu = combined_friction(material, m.geom_friction[ids[2]]);
        let [deformable_idx, vertex_idx, geom_idx] = ids.map(|id| id as u32);
        DeformableContact {
            deformable_idx,
            vertex_idx,
            geom_idx,
            dim: m.opt.deformable_condim.max(1) as u32,
            pos: nearest.point,
            normal: nearest.normal,
            depth: margin - nearest.distance,
            friction: mu[0],
            mu,
            solref: m.opt.deformable_solref,
            solimp: m.opt.deformable_solimp,
            frame: tangents(nearest.normal),
            impulse: [0.0; 3],
        }
    }
}
