//! How deep other geoms press into the vertices of a mesh, and how they slide along them.
use ferrodyn_math::{List, MIN_VAL, Real, Vec3, transform_spatial, words_of};
use ferrodyn_model::{GeomType, Model, Storage};

use super::{object, reference};
use crate::constraint::sides::geom_bodies;
use crate::contact::tactile_field;
use crate::{StepError, World};

/// The depth, in metres, at which pressure has half of its largest size: at a vertex with the signed distance `p < 0` it is
/// `p / (0.05 - p)`, zero at the surface and -1 infinitely deep. MuJoCo's `kMaxDepth`.
const HALF_DEPTH: Real = 0.05;

/// Words of temporary memory with so many contacts.
pub(super) fn words(ncon: usize) -> usize {
    words_of::<usize>(2 * ncon)
}

/// Compute a tactile sensor: pressure at all vertices, then sliding along both tangents.
pub(super) fn compute(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    out: &mut [Real],
) -> Result<(), StepError> {
    out.fill(0.0);
    let ((_, mesh), Some((_, geom))) = (object(m, i), reference(m, i)) else { return Ok(()) };
    // each contact has two geoms
    let most = 2 * d.ncon();
    d.with_stack(words(d.ncon()), |d, mut stack| {
        let mut others = stack.list(most)?;
        touching(m, d, geom, &mut others);
        for &other in others.iter() {
            feel(m, d, mesh, geom, other, out);
        }
        Ok(())
    })?
}

/// The geoms that touch what the sensor's geom is fixed to.
fn touching(m: &Model<impl Storage>, d: &World<'_>, geom: usize, others: &mut List<'_, usize>) {
    let parent = m.body_weld(m.geom_body(geom));
    for contact in &d.work.contact[..d.ncon()] {
        let Some([body1, body2]) = geom_bodies(m, contact) else { continue };
        let [g1, g2] = contact.geom.map(|g| g as usize);
        for (own, other) in [(body1, g2), (body2, g1)] {
            if m.body_weld(own) == parent && !others.contains(&other) {
                others.extend([other]);
            }
        }
    }
}

/// What one geom does to all vertices.
fn feel(
    m: &Model<impl Storage>,
    d: &World<'_>,
    mesh: usize,
    geom: usize,
    other: usize,
    out: &mut [Real],
) {
    let Some(field) = tactile_field(m, d, other) else { return };
    let single = |v: [f32; 3]| Vec3(v.map(|x| x as Real));
    let count = m.mesh_vertnum[mesh].max(0) as usize;
    let first_vertex = m.mesh_vertadr[mesh].max(0) as usize;
    let first_normal = m.mesh_normaladr[mesh].max(0) as usize;
    // normal and two tangents of each vertex
    let Some(normals) = m.mesh_normal.get(first_normal..first_normal + 3 * count) else { return };
    // a shape is given in the frame that its mesh was made in
    let original = match usize::try_from(m.geom_dataid[other]) {
        Ok(shape) if m.geom_kind(other) == Some(GeomType::Sdf) && m.geom_plugin[other] >= 0 => {
            Some((m.mesh_quat[shape].to_mat(), m.mesh_pos[shape]))
        }
        _ => None,
    };
    let sensor_body = m.body_weld(m.geom_body(geom));
    let other_body = m.geom_body(other);
    let velocity = |b: usize, at: Vec3| {
        let com = d.subtree_com[m.body_root(b)];
        transform_spatial(&d.cvel[b], false, at, com, None).lin()
    };
    for j in 0..count {
        let at = &d.geom_xmat[geom] * single(m.mesh_vert[first_vertex + j]) + d.geom_xpos[geom];
        let mut local = d.geom_xmat[other].mul_transposed(at - d.geom_xpos[other]);
        if let Some((mat, pos)) = &original {
            local = mat * local + *pos;
        }
        let depth = field.distance(local).min(0.0);
        if depth == 0.0 {
            continue;
        }
        let sliding = velocity(sensor_body, at) - velocity(other_body, d.geom_xpos[other]);
        let axis = |k: usize| m.mesh_quat[mesh].rotate(single(normals[3 * j + k]));
        let room = HALF_DEPTH - depth;
        let pressure = depth / if room > MIN_VAL { room } else { MIN_VAL };
        let normal = axis(0);
        // pressure |n|², and how fast the surfaces slide along both tangents
        let felt = [
            (normal * pressure).dot(normal),
            sliding.dot(axis(1)).abs(),
            sliding.dot(axis(2)).abs(),
        ];
        for (channel, value) in felt.into_iter().enumerate() {
            if let Some(slot) = out.get_mut(channel * count + j) {
                *slot = value;
            }
        }
    }
}
