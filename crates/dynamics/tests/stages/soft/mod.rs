//! Deformable bodies in a world.
#[cfg(not(feature = "f32"))]
mod detect;
mod from_model;
mod owned;
mod rigid;
mod solve;
mod step;

use ferrodyn::math::{Real, Vec3};
use ferrodyn::soft::{Cloth, ClothConfig, SolverConfig};
use ferrodyn::{Data, Model};

/// A solver without the resistance of the air, which takes momentum away.
pub(crate) fn undamped() -> SolverConfig {
    SolverConfig { damping: 0.0, ..SolverConfig::realtime() }
}

/// A square cloth of `n` vertices on each side around a point.
pub(crate) fn square(n: usize, side: Real, center: Vec3, config: ClothConfig) -> Cloth {
    let spacing = side / (n - 1) as Real;
    let corner = center - Vec3::new(0.5 * side, 0.5 * side, 0.0);
    Cloth::grid([n, n], [spacing; 2], corner, config).unwrap()
}

/// Vertices of the border of a square cloth.
pub(crate) fn border(n: usize) -> Vec<usize> {
    (0..n * n).filter(|i| [i / n, i % n].iter().any(|k| *k == 0 || *k == n - 1)).collect()
}

/// Momentum of a deformable body.
pub(crate) fn momentum(data: &Data, index: usize) -> Vec3 {
    let body = data.deformable(index).unwrap();
    let masses = body.inverse_masses().iter().map(|w| if *w > 0.0 { 1.0 / w } else { 0.0 });
    masses.zip(body.velocities()).fold(Vec3::ZERO, |sum, (m, v)| sum.add_scaled(*v, m))
}

/// A world with a body in it.
pub(crate) fn world(
    model: &Model,
    body: &dyn ferrodyn::soft::DeformableBody,
    config: SolverConfig,
) -> Data {
    let mut data = model.make_data();
    assert_eq!(data.register_deformable(body, config), Ok(0));
    data
}
