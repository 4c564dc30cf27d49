//! Chains of capsules: points that keep their distances and resist bending.
use alloc::vec;
use alloc::vec::Vec;

use ferrodyn_math::{PI, Real, Vec3};

use super::Shape;
use super::material::{Material, MaterialPreset};
use super::mesh::{LEAST_QUALITY, check_pins, check_positions, inverse_masses};
use super::state::{Parts, deformable};
use crate::error::check;
use crate::{BendingConstraint, DistanceConstraint, SoftError};

/// How a chain is made.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainConfig {
    /// Radius of the capsules, in m; the chain touches others there.
    pub radius: Real,
    /// What it is made of.
    pub material: Material,
    /// Share of the bending stiffness of a solid rod of the material: strands that slide on each other have little of it, links none.
    pub bending: Real,
    /// Mass of all of it, in kg; that of the material where it is not given.
    pub mass: Option<Real>,
    /// Vertices that stay where they are.
    pub pinned: Vec<usize>,
}

impl Default for ChainConfig {
    fn default() -> ChainConfig {
        ChainConfig::rope()
    }
}

impl ChainConfig {
    fn of(material: MaterialPreset, radius: Real, bending: Real) -> ChainConfig {
        let material = Material::preset(material);
        ChainConfig { radius, material, bending, mass: None, pinned: Vec::new() }
    }

    /// A nylon rope of a thousand strands.
    pub fn rope() -> ChainConfig {
        ChainConfig::of(MaterialPreset::Nylon, 0.01, 1e-3)
    }

    /// A steel cable.
    pub fn steel_cable() -> ChainConfig {
        ChainConfig::of(MaterialPreset::Steel, 0.005, 1e-2)
    }

    /// A strand of hair, which bends as the rod that it is.
    pub fn hair() -> ChainConfig {
        ChainConfig::of(MaterialPreset::Nylon, 5e-5, 1.0)
    }

    /// A chain of links, which bends freely.
    pub fn chain() -> ChainConfig {
        ChainConfig::of(MaterialPreset::Steel, 0.01, 0.0)
    }

    /// The preset of a name.
    pub fn from_name(name: &str) -> Result<ChainConfig, SoftError> {
        Ok(match name {
            "rope" => ChainConfig::rope(),
            "steel_cable" => ChainConfig::steel_cable(),
            "hair" => ChainConfig::hair(),
            "chain" => ChainConfig::chain(),
            _ => {
                let known = &["rope", "steel_cable", "hair", "chain"];
                return Err(SoftError::UnknownPreset { known });
            }
        })
    }

    fn check(&self) -> Result<(), SoftError> {
        self.material.check()?;
        check("radius", self.radius, self.radius > 0.0, "more than zero")?;
        check("bending", self.bending, self.bending >= 0.0, "zero or more")?;
        let mass = self.mass.unwrap_or(1.0);
        check("mass", mass, mass > 0.0, "more than zero")
    }
}

/// Points that keep their distances and resist bending.
///
/// ```
/// use ferrodyn_math::Vec3;
/// use ferrodyn_soft::{CapsuleChain, ChainConfig, DeformableBody, SoftError};
/// let rope = CapsuleChain::line(Vec3::ZERO, Vec3::Z, 4, ChainConfig::rope())?;
/// assert_eq!(rope.positions()[2], Vec3::new(0.0, 0.0, 0.5));
/// let point = CapsuleChain::new(vec![Vec3::ZERO; 2], ChainConfig::rope());
/// assert_eq!(point.err(), Some(SoftError::Degenerate { what: "segment", index: 0 }));
/// # Ok::<(), SoftError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CapsuleChain {
    pub(super) parts: Parts,
    /// How it was made.
    pub config: ChainConfig,
}

deformable!(CapsuleChain);

impl CapsuleChain {
    /// A chain at rest in the shape in which it is relaxed: each point is joined to the next.
    pub fn new(positions: Vec<Vec3>, config: ChainConfig) -> Result<CapsuleChain, SoftError> {
        let segments: Vec<[u32; 2]> =
            (1..positions.len()).map(|i| [i as u32 - 1, i as u32]).collect();
        CapsuleChain::of_segments(positions, &segments, config)
    }

    /// A chain of given segments, which may branch or close; it resists bending where one segment ends at the point where the next
    /// begins.
    pub fn of_segments(
        positions: Vec<Vec3>,
        segments: &[[u32; 2]],
        config: ChainConfig,
    ) -> Result<CapsuleChain, SoftError> {
        config.check()?;
        check_positions(&positions, 2)?;
        super::mesh::check_elements("segment", segments, positions.len())?;
        check_pins(&config.pinned, positions.len())?;
        let size = positions.iter().fold(0.0, |size: Real, x| (*x - positions[0]).norm().max(size));
        let mut lengths = Vec::with_capacity(segments.len());
        for (index, segment) in segments.iter().enumerate() {
            let [a, b] = segment.map(|v| positions[v as usize]);
            let length = (a - b).norm();
            if !length.is_finite() || length <= LEAST_QUALITY * size {
                return Err(SoftError::Degenerate { what: "segment", index });
            }
            lengths.push(length);
        }
        let mut shares = vec![0.0; positions.len()];
        for (segment, length) in segments.iter().zip(&lengths) {
            segment.iter().for_each(|v| shares[*v as usize] += length);
        }
        let total: Real = lengths.iter().sum();
        let section = PI * config.radius * config.radius;
        let mass = config.mass.unwrap_or(section * total * config.material.density);
        let inverse_masses = inverse_masses(&shares, mass, &config.pinned);

        // k = E A / l along a segment
        let young = config.material.young;
        let distances = segments.iter().zip(&lengths).map(|(vertices, &rest)| {
            let compliance = rest / (young * section);
            DistanceConstraint { vertices: *vertices, rest, compliance }
        });
        // E I / l between two, I = π r⁴ / 4
        let stiffness = config.bending * young * 0.25 * section * config.radius * config.radius;
        let mut bends = Vec::new();
        for (pair, length) in segments.windows(2).zip(lengths.windows(2)) {
            if stiffness > 0.0 && pair[0][1] == pair[1][0] {
                let compliance = 0.5 * (length[0] + length[1]) / stiffness;
                let vertices = [pair[0][0], pair[0][1], pair[1][1]];
                bends.extend(BendingConstraint::between_segments(vertices, &positions, compliance));
            }
        }
        let shape = Shape {
            dim: 1,
            elements: segments.as_flattened().to_vec(),
            distances: distances.collect(),
            inverse_masses,
            margin: config.radius,
            material: config.material,
            bends,
            volumes: Vec::new(),
            flex_edges: Vec::new(),
            needed: Vec::new(),
        };
        Ok(CapsuleChain { parts: Parts::new(shape.ordered(), positions), config })
    }

    /// A straight chain of so many equal segments between two points.
    pub fn line(
        from: Vec3,
        to: Vec3,
        segments: usize,
        config: ChainConfig,
    ) -> Result<CapsuleChain, SoftError> {
        let at = |i: usize| from.add_scaled(to - from, i as Real / segments.max(1) as Real);
        CapsuleChain::new((0..=segments).map(at).collect(), config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeformableBody;

    #[test]
    fn presets_are_found_by_their_names() {
        use MaterialPreset::{Nylon, Steel};
        for (name, material, radius) in [
            ("rope", Nylon, 0.01),
            ("steel_cable", Steel, 0.005),
            ("hair", Nylon, 5e-5),
            ("chain", Steel, 0.01),
        ] {
            let config = ChainConfig::from_name(name).unwrap();
            assert_eq!((config.material, config.radius), (Material::preset(material), radius));
            let chain = CapsuleChain::line(Vec3::ZERO, Vec3::X, 5, config).unwrap();
            // links bend freely
            assert_eq!(chain.shape().bends.is_empty(), name == "chain");
        }
        assert!(ChainConfig::from_name("string").is_err());
    }

    #[test]
    fn bad_parameters_are_refused_by_name() {
        let name = |config: ChainConfig| match CapsuleChain::line(Vec3::ZERO, Vec3::X, 3, config) {
            Err(SoftError::Parameter { what, .. } | SoftError::NoSuchVertex { what, .. }) => what,
            other => panic!("{other:?}"),
        };
        let rope = ChainConfig::rope;
        assert_eq!(name(ChainConfig { radius: -1.0, ..rope() }), "radius");
        assert_eq!(name(ChainConfig { bending: Real::NAN, ..rope() }), "bending");
        assert_eq!(name(ChainConfig { mass: Some(0.0), ..rope() }), "mass");
        assert_eq!(name(ChainConfig { pinned: vec![4], ..rope() }), "pin");
        let none = CapsuleChain::line(Vec3::ZERO, Vec3::X, 0, rope());
        assert_eq!(none.err(), Some(SoftError::TooFewVertices { found: 1, needed: 2 }));
    }
}
