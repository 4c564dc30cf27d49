//! What geoms take from a mesh: frame, box, radius, and the size of a primitive in its place.

use super::CompiledMesh;
use crate::pose::rotate;

/// A primitive that can take the place of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FitShape {
    /// A sphere.
    Sphere,
    /// A capsule.
    Capsule,
    /// A cylinder.
    Cylinder,
    /// An ellipsoid.
    Ellipsoid,
    /// A box.
    Box,
}

impl CompiledMesh {
    /// The size of a primitive in place of the mesh, and its centre in the frame of the mesh.
    ///
    /// It has the inertia of the mesh, or with `fitaabb` contains its bounding box. All sizes are
    /// multiplied by `fitscale`, also those of `size` that the shape does not have. MuJoCo: `mjCMesh::FitGeom`.
    #[must_use]
    pub(crate) fn fit(
        &self,
        shape: FitShape,
        fitaabb: bool,
        fitscale: f64,
        size: [f64; 3],
    ) -> ([f64; 3], [f64; 3]) {
        let [_, y, z] = size;
        let (size, centre) = if fitaabb {
            // around the bounding box; a capsule's caps are part of its length
            let (low, high) = self.bounds();
            let centre = core::array::from_fn(|i| (low[i] + high[i]) / 2.0);
            let half: [f64; 3] = core::array::from_fn(|i| high[i] - centre[i]);
            // the largest half width for what is round
            let size = match shape {
                FitShape::Sphere => [half[0].max(half[1]).max(half[2]), y, z],
                FitShape::Cylinder => [half[0].max(half[1]), half[2], z],
                FitShape::Capsule => {
                    let radius = half[0].max(half[1]);
                    [radius, half[2] - radius, z]
                }
                FitShape::Ellipsoid | FitShape::Box => half,
            };
            (size, centre)
        } else {
            // radii are means of the box with the same inertia
            let half = self.inertia_box;
            let size = match shape {
                FitShape::Sphere => [(half[0] + half[1] + half[2]) / 3.0, y, z],
                FitShape::Cylinder => [(half[0] + half[1]) / 2.0, half[2], z],
                FitShape::Capsule => {
                    let radius = (half[0] + half[1]) / 2.0;
                    [radius, (half[2] - radius / 2.0).max(0.0), z]
                }
                FitShape::Ellipsoid | FitShape::Box => half,
            };
            (size, [0.0; 3])
        };
        (size.map(|x| x * fitscale), centre)
    }

    /// The position of a point of the mesh frame, such as the centre of a [`fit`](Self::fit), in
    /// the frame that the mesh was given in. Its axes are those of the mesh: [`Self::quat`].
    #[must_use]
    pub(crate) fn original_position(&self, point: &[f64; 3]) -> [f64; 3] {
        let turned = rotate(point, &self.quat);
        core::array::from_fn(|i| turned[i] + self.pos[i])
    }

    /// The size of a mesh geom: the largest distances from the origin along the axes.
    #[must_use]
    pub(crate) fn geom_size(&self) -> [f64; 3] {
        let (low, high) = self.bounds();
        core::array::from_fn(|i| low[i].abs().max(high[i].abs()))
    }

    /// The bounding radius of a mesh geom, about the origin.
    #[must_use]
    pub(crate) fn geom_rbound(&self) -> f64 {
        // the far corner of the box around the origin
        let [x, y, z] = self.geom_size();
        (x * x + y * y + z * z).sqrt()
    }

    /// The bounding box of a mesh geom: centre and half sizes.
    #[must_use]
    pub(crate) fn geom_aabb(&self) -> [f64; 6] {
        let (low, high) = self.bounds();
        core::array::from_fn(|i| {
            let k = i % 3;
            if i < 3 { (high[k] + low[k]) / 2.0 } else { (high[k] - low[k]) / 2.0 }
        })
    }

    /// Smallest and largest coordinates.
    fn bounds(&self) -> ([f64; 3], [f64; 3]) {
        let [a, b, c, d, e, f] = self.aamm;
        ([a, b, c], [d, e, f])
    }
}
