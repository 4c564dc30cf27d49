//! The deformable bodies that a model describes.
use alloc::boxed::Box;
use alloc::vec::Vec;

use ferrodyn_math::{Quat, Real, Vec3};
use ferrodyn_model::Model;
use ferrodyn_soft::{
    CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableBody, Material, MaterialPreset,
    SoftBody, SoftBodyConfig, SoftError, SolverConfig,
};

use crate::{OwnedWorld, StepError};

/// A body that was made, and how it is registered.
type Made = (Box<dyn DeformableBody + Send + Sync>, SolverConfig, [i32; 2]);

/// A number that is given, unless it is -1.
fn given(x: Real) -> Option<Real> {
    (x != -1.0).then_some(x)
}

/// Check the deformable bodies that a model describes: the first that makes no sense, and why.
pub fn check_model(m: &Model) -> Result<(), (usize, SoftError)> {
    (0..m.nsoft).try_for_each(|i| make(m, i).map(|_| ()).map_err(|error| (i, error)))
}

/// Register all deformable bodies of a model on a world that has none.
pub(crate) fn register_all(m: &Model, data: &mut OwnedWorld) -> Result<(), StepError> {
    for body in 0..m.nsoft {
        let refused = |error| StepError::Deformable { body, error };
        let (made, config, bits) = make(m, body).map_err(refused)?;
        data.register_deformable_with(&*made, config, bits).map_err(refused)?;
    }
    Ok(())
}

/// Where a body of the tree is in the reference pose, in which no joint has moved.
fn place(m: &Model, body: usize) -> (Vec3, Quat) {
    let (mut pos, mut quat, mut b) = (Vec3::ZERO, Quat::IDENTITY, body);
    // parents come before their children
    while b != 0 {
        pos = m.body_quat[b].rotate(pos) + m.body_pos[b];
        quat = m.body_quat[b] * quat;
        b = m.body_parent(b).min(b - 1);
    }
    (pos, quat)
}

fn make(m: &Model, i: usize) -> Result<Made, SoftError> {
    let (first, count) = (m.soft_vertadr[i].max(0) as usize, m.soft_vertnum[i].max(0) as usize);
    let (pos, quat) = place(m, m.soft_bodyid[i] as usize);
    let local = &m.soft_vert[first..first + count];
    let positions: Vec<Vec3> = local.iter().map(|x| quat.rotate(*x) + pos).collect();
    let pinned: Vec<usize> = (0..count).filter(|k| m.soft_pinned[first + k] != 0).collect();
    if let Some(vertex) = pinned.first()
        && m.body_weldid[m.soft_bodyid[i] as usize] != 0
    {
        return Err(SoftError::MovingPin(*vertex));
    }
    let dim = m.soft_dim[i];
    let start = m.soft_elemadr[i].max(0) as usize;
    let ids = &m.soft_elem[start..start + (m.soft_elemnum[i] * (dim + 1)).max(0) as usize];
    let ids: Vec<u32> = ids.iter().map(|id| u32::try_from(*id).unwrap_or(u32::MAX)).collect();

    let preset = usize::try_from(m.soft_material[i]).ok();
    let mut material = preset
        .and_then(|k| MaterialPreset::ALL.get(k))
        .map_or_else(Material::default, |preset| Material::preset(*preset));
    material.young = given(m.soft_young[i]).unwrap_or(material.young);
    material.poisson = given(m.soft_poisson[i]).unwrap_or(material.poisson);
    material.friction = given(m.soft_friction[i]).unwrap_or(material.friction);
    let (margin, mass) = (m.soft_margin[i], Some(m.soft_mass[i]));
    let stretch_compliance = given(m.soft_stretch[i]);
    let body: Box<dyn DeformableBody + Send + Sync> = match dim {
        1 => {
            let config =
                ChainConfig { radius: margin, material, mass, pinned, ..ChainConfig::rope() };
            Box::new(CapsuleChain::of_segments(positions, ids.as_chunks().0, config)?)
        }
        2 => {
            let config = ClothConfig {
                thickness: m.soft_thickness[i],
                material,
                mass,
                stretch_compliance,
                bend_compliance: given(m.soft_bend[i]),
                margin: Some(margin),
                pinned,
            };
            Box::new(Cloth::new(positions, ids.as_chunks().0, config)?)
        }
        _ => {
            let config = SoftBodyConfig {
                material,
                margin,
                mass,
                stretch_compliance,
                volume_compliance: given(m.soft_volume[i]),
                pinned,
            };
            Box::new(SoftBody::new(positions, ids.as_chunks().0, config)?)
        }
    };
    let config = SolverConfig {
        num_substeps: m.soft_substeps[i].max(0) as usize,
        num_iterations: m.soft_iterations[i].max(0) as usize,
        damping: m.soft_damping[i],
        damping_time: m.soft_dampingtime[i],
        sleep_speed: 0.0,
    };
    config.check()?;
    Ok((body, config, [m.soft_contype[i], m.soft_conaffinity[i]]))
}
