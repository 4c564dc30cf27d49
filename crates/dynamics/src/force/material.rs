//! Laws of flexes beyond MuJoCo's: Neo-Hookean elements and Bridson's hinges (crate `ferrodyn-soft`), applied to the vertices of a model.
//!
//! Both are passive forces on vertices; a vertex may lie on any body, and its force reaches the degrees of freedom that move it.
//! A Neo-Hookean element is damped by `-b K v` with its own stiffness `K` and the damping `b` of the flex (Rayleigh), a hinge by a
//! torque against the rate of its angle.
use ferrodyn_math::{Mat3, Real, Vec3};
use ferrodyn_model::{FlexBendingType, FlexElasticityType, Integrator, Model, Storage};
use ferrodyn_soft::material::bridson::Hinge;
use ferrodyn_soft::material::neo_hookean::{Lame, Rest, Solid};

use super::flex::Enabled;
use crate::World;
use crate::position::chain::{apply_ft, point_velocity};

/// Velocity of a vertex.
pub(crate) fn vertex_velocity(m: &Model<impl Storage>, d: &World<'_>, v: usize) -> Vec3 {
    let body = m.flex_vertbodyid[v] as usize;
    point_velocity(&d.cvel[body], d.flexvert_xpos[v] - d.subtree_com[m.body_root(body)])
}

/// Does an integrator take the stiffness of materials into its matrix?
pub(crate) fn is_implicit(m: &Model<impl Storage>) -> bool {
    matches!(m.integrator(), Integrator::Implicit | Integrator::ImplicitFast)
}

/// The Lamé constants of a flex.
pub(crate) fn lame(m: &Model<impl Storage>, f: usize) -> Lame {
    Lame::from_young(m.flex_young[f], m.flex_poisson[f])
}

/// The vertices of element `t` of a flex, by their numbers in the model.
pub(crate) fn corners<const N: usize>(m: &Model<impl Storage>, f: usize, t: usize) -> [usize; N] {
    let (first, numbers) = (m.flex_vertices(f).start, m.flex_element(f, t));
    core::array::from_fn(|k| first + numbers[k] as usize)
}

/// The vertices of a hinge, by their numbers in the model.
pub(crate) fn hinge_vertices(m: &Model<impl Storage>, f: usize, hinge: usize) -> [usize; 4] {
    let first = m.flex_vertices(f).start;
    m.flexhinge_vert[hinge].map(|v| first + v as usize)
}

/// Element `t` of a flex at rest.
pub(crate) fn rest(m: &Model<impl Storage>, f: usize, t: usize) -> Rest {
    let at = m.flex_restadr[f] as usize + t;
    Rest { inverse: m.flexrest_inverse[at], volume: m.flexrest_volume[at] }
}

/// Has a flex its elements at rest? Not where the law was chosen after the constants were computed.
pub(crate) fn has_rest(m: &Model<impl Storage>, f: usize) -> bool {
    m.elasticity_model(f) == Some(FlexElasticityType::NeoHookean) && m.flex_restadr[f] >= 0
}

/// Is a flex made of hinges?
pub(crate) fn has_hinges(m: &Model<impl Storage>, f: usize) -> bool {
    m.bending_model(f) == Some(FlexBendingType::Bridson) && m.flex_hingenum[f] > 0
}

/// Move the forces that were collected on the vertices of a flex to the degrees of freedom.
fn apply(m: &Model<impl Storage>, d: &mut World<'_>, f: usize, to_dampers: bool) {
    let World { qfrc_spring, qfrc_damper, scratch, .. } = d;
    let qfrc = if to_dampers { &mut **qfrc_damper } else { &mut **qfrc_spring };
    for v in m.flex_vertices(f) {
        let body = m.flex_vertbodyid[v] as usize;
        let (com, point) = (d.subtree_com[m.body_root(body)], d.flexvert_xpos[v]);
        apply_ft(m, d.cdof, com, scratch.flex_force[v], Vec3::ZERO, point, body, qfrc);
    }
}

fn clear(m: &Model<impl Storage>, d: &mut World<'_>, f: usize) {
    d.scratch.flex_force[m.flex_vertices(f)].fill(Vec3::ZERO);
}

/// Elasticity and damping of a Neo-Hookean flex, `-∂W/∂x` and `-b K v` summed over its elements.
#[inline(never)]
pub(crate) fn neo_hookean(m: &Model<impl Storage>, d: &mut World<'_>, f: usize, enabled: Enabled) {
    if !has_rest(m, f) {
        return;
    }
    if enabled.springs {
        clear(m, d, f);
        match m.flex_dim[f] {
            2 => element_springs::<2, 3>(m, d, f),
            _ => element_springs::<3, 4>(m, d, f),
        }
        apply(m, d, f, false);
    }
    if enabled.dampers && m.flex_damping[f] > 0.0 {
        clear(m, d, f);
        match m.flex_dim[f] {
            2 => element_dampers::<2, 3>(m, d, f),
            _ => element_dampers::<3, 4>(m, d, f),
        }
        apply(m, d, f, true);
    }
}

fn element_springs<const DIM: usize, const N: usize>(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    f: usize,
) {
    let solid = Solid::<DIM>(lame(m, f));
    for t in 0..m.flex_elements(f).len() {
        let vertices = corners::<N>(m, f, t);
        let rest = rest(m, f, t);
        let gradient = rest.gradient(&vertices.map(|v| d.flexvert_xpos[v]));
        let slope = rest.spread::<N>(&solid.stress(&gradient));
        for (v, slope) in vertices.into_iter().zip(slope) {
            d.scratch.flex_force[v] -= slope;
        }
    }
}

fn element_dampers<const DIM: usize, const N: usize>(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    f: usize,
) {
    let solid = Solid::<DIM>(lame(m, f));
    for t in 0..m.flex_elements(f).len() {
        let vertices = corners::<N>(m, f, t);
        let rest = rest(m, f, t);
        let gradient = rest.gradient(&vertices.map(|v| d.flexvert_xpos[v]));
        let rate = rest.gradient(&vertices.map(|v| vertex_velocity(m, d, v)));
        // the stress of a viscous part, b Σ λ Q (Q : Ḟ), over the modes Q that resist
        let mut stress = Mat3::default();
        solid.each_mode(&gradient, |value, mode| {
            let along: Real = (0..9).map(|k| mode[k] * rate[k]).sum();
            let size = value.max(0.0) * along * m.flex_damping[f];
            for k in 0..9 {
                stress[k] += size * mode[k];
            }
        });
        let slope = rest.spread::<N>(&stress);
        for (v, slope) in vertices.into_iter().zip(slope) {
            d.scratch.flex_force[v] -= slope;
        }
    }
}

/// Energy of the elements of a Neo-Hookean flex.
pub(crate) fn neo_hookean_energy(m: &Model<impl Storage>, d: &World<'_>, f: usize) -> Real {
    let mut energy = 0.0;
    for t in 0..if has_rest(m, f) { m.flex_elements(f).len() } else { 0 } {
        let rest = rest(m, f, t);
        let density = if m.flex_dim[f] == 2 {
            let x = corners::<3>(m, f, t).map(|v| d.flexvert_xpos[v]);
            Solid::<2>(lame(m, f)).energy(&rest.gradient(&x))
        } else {
            let x = corners::<4>(m, f, t).map(|v| d.flexvert_xpos[v]);
            Solid::<3>(lame(m, f)).energy(&rest.gradient(&x))
        };
        energy += rest.volume * density;
    }
    energy
}

/// Bending of a flex with hinges: `-(k (θ - θ₀) + c θ̇) ∂θ/∂x`, each of both torques within Bridson's limit where the integrator is explicit.
///
/// The limit keeps an explicit step from turning a hinge too far; with an implicit one it would only make stiff hinges soft.
#[inline(never)]
pub(crate) fn bridson(m: &Model<impl Storage>, d: &mut World<'_>, f: usize, enabled: Enabled) {
    if !has_hinges(m, f) {
        return;
    }
    if enabled.springs {
        clear(m, d, f);
        each_hinge(m, d, f, |_, hinge, angle, _| {
            m.flex_bend_stiffness[f] * angle.deviation(m.flexhinge_angle0[hinge])
        });
        apply(m, d, f, false);
    }
    if enabled.dampers && m.flex_bend_damping[f] > 0.0 {
        clear(m, d, f);
        each_hinge(m, d, f, |d, _, angle, vertices| {
            m.flex_bend_damping[f] * angle.rate(&vertices.map(|v| vertex_velocity(m, d, v)))
        });
        apply(m, d, f, true);
    }
}

/// Add the forces of a torque about every hinge of a flex to those of its vertices.
fn each_hinge(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    f: usize,
    torque: impl Fn(&World<'_>, usize, &Hinge, [usize; 4]) -> Real,
) {
    let limited = !is_implicit(m);
    for hinge in m.flex_hinges(f) {
        let vertices = hinge_vertices(m, f, hinge);
        // a triangle that has lost its area has no angle
        let Some(angle) = Hinge::new(vertices.map(|v| d.flexvert_xpos[v])) else { continue };
        let mut torque = torque(d, hinge, &angle, vertices);
        if limited {
            let weight = |v: usize| m.body_invweight0[m.flex_vertbodyid[v] as usize][0];
            let limit = angle.torque_limit(&vertices.map(weight), m.opt.timestep);
            torque = torque.clamp(-limit, limit);
        }
        for (v, slope) in vertices.into_iter().zip(angle.gradient) {
            d.scratch.flex_force[v] -= slope * torque;
        }
    }
}

/// Energy of the hinges of a flex, `½ k (θ - θ₀)²`.
pub(crate) fn bridson_energy(m: &Model<impl Storage>, d: &World<'_>, f: usize) -> Real {
    let mut energy = 0.0;
    for hinge in if has_hinges(m, f) { m.flex_hinges(f) } else { 0..0 } {
        let place = hinge_vertices(m, f, hinge).map(|v| d.flexvert_xpos[v]);
        let deviation = Hinge::new(place).map_or(0.0, |h| h.deviation(m.flexhinge_angle0[hinge]));
        energy += 0.5 * m.flex_bend_stiffness[f] * deviation * deviation;
    }
    energy
}
