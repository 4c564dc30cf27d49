//! Rays against the flexes of a world.
use ferrodyn_collision::{Flex, FlexParts, Hit, Ray};
use ferrodyn_model::{Model, Storage};

use crate::World;

/// Where a ray meets a flex, and the vertex that is nearest to that point, counted in the flex. Rays against everything
/// ([`ray`](super::ray())) leave flexes out. MuJoCo: `mj_rayFlex`.
pub fn ray_flex(
    m: &Model<impl Storage>,
    d: &World<'_>,
    flex: usize,
    parts: &FlexParts,
    ray: &Ray,
) -> Option<(Hit, usize)> {
    let elements = m.flex_elements(flex);
    let first = m.flex_elemdataadr[flex] as usize;
    let dim = m.flex_dim[flex] as usize;
    let shape = Flex {
        dim,
        radius: m.flex_radius[flex],
        vertices: &d.flexvert_xpos[m.flex_vertices(flex)],
        edges: &m.flex_edge[m.flex_edges(flex)],
        elements: &m.flex_elem[first..first + elements.len() * (dim + 1)],
        layers: &m.flex_elemlayer[elements],
    };
    ferrodyn_collision::ray_flex(ray, &shape, parts)
}
