//! Soft bodies: tetrahedra that keep the length of their edges and their volume.
use alloc::vec;
use alloc::vec::Vec;

use ferrodyn_math::{Real, Vec3};

use super::material::{Material, MaterialPreset};
use super::mesh::{
    Edges, LEAST_QUALITY, check_elements, check_pins, check_positions, inverse_masses,
};
use super::state::{Parts, deformable};
use super::{DEFAULT_MARGIN, Shape};
use crate::error::check;
use crate::xpbd::volume;
use crate::{DistanceConstraint, SoftError, VolumeConstraint};

/// How a soft body is made.
#[derive(Clone, Debug, PartialEq)]
pub struct SoftBodyConfig {
    /// What it is made of.
    pub material: Material,
    /// How far around its vertices it touches others, in m.
    pub margin: Real,
    /// Mass of all of it, in kg; that of the material where it is not given.
    pub mass: Option<Real>,
    /// Inverse stiffness of all edges, in m/N; that of the material where it is not given.
    pub stretch_compliance: Option<Real>,
    /// Inverse stiffness of all volumes, in m³/Pa; that of the material where it is not given.
    pub volume_compliance: Option<Real>,
    /// Vertices that stay where they are.
    pub pinned: Vec<usize>,
}

impl Default for SoftBodyConfig {
    fn default() -> SoftBodyConfig {
        SoftBodyConfig::rubber()
    }
}

macro_rules! presets {
    ($($name:ident: $material:ident, $doc:literal;)*) => {
        impl SoftBodyConfig {
            $(
                #[doc = $doc]
                pub fn $name() -> SoftBodyConfig {
                    SoftBodyConfig::of(MaterialPreset::$material)
                }
            )*

            /// The preset of a name.
            pub fn from_name(name: &str) -> Result<SoftBodyConfig, SoftError> {
                $(if name == stringify!($name) { return Ok(SoftBodyConfig::$name()); })*
                Err(SoftError::UnknownPreset { known: &[$(stringify!($name)),*] })
            }
        }
    };
}

presets! {
    rubber: Rubber, "Rubber.";
    gelatin: Gelatin, "Gelatin.";
    soft_tissue: SoftTissue, "Soft tissue of a body.";
    muscle: Muscle, "Muscle at rest.";
    foam: Foam, "Foam.";
    stiff: Stiff, "A stiff plastic.";
}

impl SoftBodyConfig {
    fn of(material: MaterialPreset) -> SoftBodyConfig {
        SoftBodyConfig {
            material: Material::preset(material),
            margin: DEFAULT_MARGIN,
            mass: None,
            stretch_compliance: None,
            volume_compliance: None,
            pinned: Vec::new(),
        }
    }

    fn check(&self) -> Result<(), SoftError> {
        self.material.check()?;
        check("margin", self.margin, self.margin > 0.0, "more than zero")?;
        let mass = self.mass.unwrap_or(1.0);
        check("mass", mass, mass > 0.0, "more than zero")?;
        for (what, value) in [
            ("stretch compliance", self.stretch_compliance),
            ("volume compliance", self.volume_compliance),
        ] {
            let value = value.unwrap_or(0.0);
            check(what, value, value >= 0.0, "zero or more")?;
        }
        Ok(())
    }
}

/// Tetrahedra that keep the length of their edges and their volume.
///
/// ```
/// use ferrodyn_math::Vec3;
/// use ferrodyn_soft::{DeformableBody, SoftBody, SoftBodyConfig, SoftError};
/// let cube = SoftBody::grid([3, 3, 3], [0.1; 3], Vec3::ZERO, SoftBodyConfig::gelatin())?;
/// assert_eq!((cube.positions().len(), cube.shape().elements().len()), (27, 8 * 6 * 4));
/// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let inside_out = SoftBody::new(corners, &[[0, 2, 1, 3]], SoftBodyConfig::gelatin());
/// assert!(matches!(inside_out, Err(SoftError::Inverted { index: 0, .. })));
/// # Ok::<(), SoftError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SoftBody {
    pub(super) parts: Parts,
    /// How it was made.
    pub config: SoftBodyConfig,
}

deformable!(SoftBody);

impl SoftBody {
    /// A body at rest in the shape in which its tetrahedra are relaxed.
    pub fn new(
        positions: Vec<Vec3>,
        tetrahedra: &[[u32; 4]],
        config: SoftBodyConfig,
    ) -> Result<SoftBody, SoftError> {
        config.check()?;
        check_positions(&positions, 4)?;
        check_elements("tetrahedron", tetrahedra, positions.len())?;
        check_pins(&config.pinned, positions.len())?;
        let rests = rest_volumes(&positions, tetrahedra)?;
        let mut shares = vec![0.0; positions.len()];
        for (tetrahedron, rest) in tetrahedra.iter().zip(&rests) {
            tetrahedron.iter().for_each(|v| shares[*v as usize] += rest);
        }
        let total: Real = rests.iter().sum();
        let mass = config.mass.unwrap_or(total * config.material.density);
        let inverse_masses = inverse_masses(&shares, mass, &config.pinned);

        let edges = Edges::of(tetrahedra);
        let distances = edges.list.iter().map(|edge| {
            // k = E V / l², the share of the solid around an edge in its stretch
            let [a, b] = edge.vertices;
            let length = (positions[a as usize] - positions[b as usize]).norm();
            let around: Real = edges.elements(edge).iter().map(|i| rests[*i as usize]).sum();
            let stiffness = config.material.young * around / (length * length);
            let compliance = config.stretch_compliance.unwrap_or(1.0 / stiffness);
            DistanceConstraint { vertices: [a, b], rest: length, compliance }
        });
        let volumes = tetrahedra.iter().zip(&rests).map(|(vertices, &rest)| {
            let compliance = config.volume_compliance.unwrap_or(rest / config.material.bulk());
            VolumeConstraint { vertices: *vertices, rest, compliance }
        });
        let shape = Shape {
            dim: 3,
            elements: tetrahedra.as_flattened().to_vec(),
            distances: distances.collect(),
            volumes: volumes.collect(),
            inverse_masses,
            margin: config.margin,
            material: config.material,
            bends: Vec::new(),
            flex_edges: Vec::new(),
            needed: Vec::new(),
        };
        Ok(SoftBody { parts: Parts::new(shape.ordered(), positions), config })
    }

    /// A box of `count` vertices along each axis, `spacing` apart, that begins at a corner; each of its cells is six tetrahedra.
    /// Vertices along z follow each other, then those along y.
    pub fn grid(
        count: [usize; 3],
        spacing: [Real; 3],
        corner: Vec3,
        config: SoftBodyConfig,
    ) -> Result<SoftBody, SoftError> {
        let [nx, ny, nz] = count;
        let mut positions = Vec::new();
        for i in 0..nx {
            for j in 0..ny {
                for k in 0..nz {
                    let at = Vec3::new(i as Real, j as Real, k as Real);
                    positions.push(corner + at.mul_elem(Vec3(spacing)));
                }
            }
        }
        // the ways from one corner of a cell to the opposite one, along the axes in any order (Kuhn), odd orders turned round
        const WAYS: [([usize; 3], bool); 6] = [
            ([0, 1, 2], false),
            ([0, 2, 1], true),
            ([1, 2, 0], false),
            ([1, 0, 2], true),
            ([2, 0, 1], false),
            ([2, 1, 0], true),
        ];
        let mut tetrahedra = Vec::new();
        for i in 1..nx {
            for j in 1..ny {
                for k in 1..nz {
                    for (way, odd) in WAYS {
                        let mut at = [i - 1, j - 1, k - 1];
                        let mut vertices = [0; 4];
                        for (n, vertex) in vertices.iter_mut().enumerate() {
                            if n > 0 {
                                at[way[n - 1]] += 1;
                            }
                            *vertex = ((at[0] * ny + at[1]) * nz + at[2]) as u32;
                        }
                        if odd {
                            vertices.swap(1, 2);
                        }
                        tetrahedra.push(vertices);
                    }
                }
            }
        }
        SoftBody::new(positions, &tetrahedra, config)
    }
}

/// Volumes of tetrahedra; those that have none or are inside out are refused.
fn rest_volumes(x: &[Vec3], tetrahedra: &[[u32; 4]]) -> Result<Vec<Real>, SoftError> {
    let mut volumes = Vec::with_capacity(tetrahedra.len());
    for (index, tetrahedron) in tetrahedra.iter().enumerate() {
        let corners = tetrahedron.map(|v| x[v as usize]);
        let found = volume(corners);
        let mut longest = 0.0;
        for a in 0..4 {
            for b in a + 1..4 {
                longest = (corners[a] - corners[b]).norm().max(longest);
            }
        }
        if !found.is_finite() || found.abs() <= LEAST_QUALITY * longest * longest * longest {
            return Err(SoftError::Degenerate { what: "tetrahedron", index });
        }
        if found < 0.0 {
            return Err(SoftError::Inverted { index, volume: found });
        }
        volumes.push(found);
    }
    Ok(volumes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeformableBody;
    use ferrodyn_math::by_precision;

    #[test]
    fn the_tetrahedra_of_a_box_fill_it() {
        let config = SoftBodyConfig { mass: None, ..SoftBodyConfig::foam() };
        let block = SoftBody::grid([3, 4, 5], [0.1, 0.2, 0.3], Vec3::X, config).unwrap();
        let total: Real = block.shape().volumes.iter().map(|c| c.rest).sum();
        assert!((total - 0.2 * 0.6 * 1.2).abs() < by_precision(1e-12, 1e-6), "{total}");
        let mass: Real = block.inverse_masses().iter().map(|w| 1.0 / w).sum();
        assert!((mass - total * 50.0).abs() < by_precision(1e-10, 1e-4), "{mass}");
    }

    #[test]
    fn presets_are_found_by_their_names() {
        for name in ["rubber", "gelatin", "soft_tissue", "muscle", "foam", "stiff"] {
            let config = SoftBodyConfig::from_name(name).unwrap();
            config.check().unwrap();
            // of the material with the same name
            let material = Material::preset(MaterialPreset::from_name(name).unwrap());
            assert_eq!(config.material, material, "{name}");
        }
        assert!(SoftBodyConfig::from_name("jelly").is_err());
    }

    #[test]
    fn bad_tetrahedra_are_refused_by_name() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let make = |x: &[Vec3], t: &[[u32; 4]]| {
            SoftBody::new(x.to_vec(), t, SoftBodyConfig::rubber()).map(|_| ())
        };
        assert_eq!(make(&corners, &[[0, 1, 2, 3]]), Ok(()));
        let inverted = make(&corners, &[[1, 0, 2, 3]]);
        assert!(matches!(inverted, Err(SoftError::Inverted { index: 0, .. })));
        let mut flat = corners;
        flat[3] = Vec3::new(0.3, 0.4, 0.0);
        let degenerate = Err(SoftError::Degenerate { what: "tetrahedron", index: 0 });
        assert_eq!(make(&flat, &[[0, 1, 2, 3]]), degenerate);
        let missing = make(&corners, &[[0, 1, 2, 7]]);
        assert!(matches!(missing, Err(SoftError::NoSuchVertex { vertex: 7, count: 4, .. })));
    }
}
