//! Cloth: triangles that keep the length of their edges and resist bending.
use alloc::vec;
use alloc::vec::Vec;

use ferrodyn_math::{Real, Vec3};

use super::Shape;
use super::material::{Material, MaterialPreset};
use super::mesh::{
    Edges, LEAST_QUALITY, check_elements, check_pins, check_positions, inverse_masses,
};
use super::state::{Parts, deformable};
use crate::error::check;
use crate::{BendingConstraint, DistanceConstraint, SoftError};

/// How a cloth is made.
#[derive(Clone, Debug, PartialEq)]
pub struct ClothConfig {
    /// Thickness, in m; the cloth touches others at half of it.
    pub thickness: Real,
    /// What it is made of.
    pub material: Material,
    /// Mass of all of it, in kg; that of the material where it is not given.
    pub mass: Option<Real>,
    /// Inverse stiffness of all edges, in m/N; that of the material where it is not given.
    pub stretch_compliance: Option<Real>,
    /// Inverse stiffness of all bends; that of the material where it is not given.
    pub bend_compliance: Option<Real>,
    /// How far around its vertices it touches others, in m; half the thickness where it is not given.
    pub margin: Option<Real>,
    /// Vertices that stay where they are.
    pub pinned: Vec<usize>,
}

impl Default for ClothConfig {
    fn default() -> ClothConfig {
        ClothConfig::cotton()
    }
}

impl ClothConfig {
    fn of(material: MaterialPreset, thickness: Real) -> ClothConfig {
        ClothConfig {
            thickness,
            material: Material::preset(material),
            mass: None,
            stretch_compliance: None,
            bend_compliance: None,
            margin: None,
            pinned: Vec::new(),
        }
    }

    /// Woven cotton.
    pub fn cotton() -> ClothConfig {
        ClothConfig::of(MaterialPreset::Cotton, 1e-3)
    }

    /// Silk: thin, and easy to bend.
    pub fn silk() -> ClothConfig {
        ClothConfig::of(MaterialPreset::Silk, 3e-4)
    }

    /// Leather.
    pub fn leather() -> ClothConfig {
        ClothConfig::of(MaterialPreset::Leather, 2e-3)
    }

    /// A sheet of rubber.
    pub fn rubber() -> ClothConfig {
        ClothConfig::of(MaterialPreset::Rubber, 2e-3)
    }

    /// Paper: hardly stretches, and keeps flat.
    pub fn paper() -> ClothConfig {
        ClothConfig::of(MaterialPreset::Paper, 2e-4)
    }

    /// A thin elastic membrane that does not resist bending.
    pub fn membrane() -> ClothConfig {
        // a compliance that leaves nothing of the stiffness: 1 N m is that of a plate, not of a membrane
        ClothConfig {
            bend_compliance: Some(1e6),
            ..ClothConfig::of(MaterialPreset::Silicone, 5e-4)
        }
    }

    /// The preset of a name.
    pub fn from_name(name: &str) -> Result<ClothConfig, SoftError> {
        Ok(match name {
            "cotton" => ClothConfig::cotton(),
            "silk" => ClothConfig::silk(),
            "leather" => ClothConfig::leather(),
            "rubber" => ClothConfig::rubber(),
            "paper" => ClothConfig::paper(),
            "membrane" => ClothConfig::membrane(),
            _ => {
                let known = &["cotton", "silk", "leather", "rubber", "paper", "membrane"];
                return Err(SoftError::UnknownPreset { known });
            }
        })
    }

    fn check(&self) -> Result<(), SoftError> {
        self.material.check()?;
        check("thickness", self.thickness, self.thickness > 0.0, "more than zero")?;
        let margin = self.margin.unwrap_or(1.0);
        check("margin", margin, margin > 0.0, "more than zero")?;
        let mass = self.mass.unwrap_or(1.0);
        check("mass", mass, mass > 0.0, "more than zero")?;
        for (what, value) in [
            ("stretch compliance", self.stretch_compliance),
            ("bend compliance", self.bend_compliance),
        ] {
            let value = value.unwrap_or(0.0);
            check(what, value, value >= 0.0, "zero or more")?;
        }
        Ok(())
    }
}

/// Triangles that keep the length of their edges and resist bending.
///
/// ```
/// use ferrodyn_math::Vec3;
/// use ferrodyn_soft::{Cloth, ClothConfig, DeformableBody, SoftError};
/// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
/// let cloth = Cloth::new(corners.clone(), &[[0, 1, 2]], ClothConfig::silk())?;
/// // half a square metre, 0.3 mm thick
/// let mass: f64 = cloth.inverse_masses().iter().map(|w| 1.0 / *w as f64).sum();
/// assert!((mass - 0.5 * 3e-4 * 300.0).abs() < 1e-6);
/// let no_such = Cloth::new(corners, &[[0, 1, 3]], ClothConfig::silk());
/// assert!(matches!(no_such, Err(SoftError::NoSuchVertex { vertex: 3, .. })));
/// # Ok::<(), SoftError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cloth {
    pub(super) parts: Parts,
    /// How it was made.
    pub config: ClothConfig,
}

deformable!(Cloth);

impl Cloth {
    /// A cloth at rest in the shape in which its triangles are relaxed.
    pub fn new(
        positions: Vec<Vec3>,
        triangles: &[[u32; 3]],
        config: ClothConfig,
    ) -> Result<Cloth, SoftError> {
        config.check()?;
        check_positions(&positions, 3)?;
        check_elements("triangle", triangles, positions.len())?;
        check_pins(&config.pinned, positions.len())?;
        let areas = triangle_areas(&positions, triangles)?;
        let mut shares = vec![0.0; positions.len()];
        for (triangle, area) in triangles.iter().zip(&areas) {
            triangle.iter().for_each(|v| shares[*v as usize] += area);
        }
        let area: Real = areas.iter().sum();
        let mass = config.mass.unwrap_or(area * config.thickness * config.material.density);
        let inverse_masses = inverse_masses(&shares, mass, &config.pinned);

        let (mut distances, mut bends) = (Vec::new(), Vec::new());
        let edges = Edges::of(triangles);
        for edge in &edges.list {
            let sides = edges.elements(edge);
            let [a, b] = edge.vertices;
            if sides.len() > 2 {
                return Err(SoftError::CrowdedEdge([a as usize, b as usize]));
            }
            // k = E t A / l², the share of the membrane around an edge in its stretch
            let length = (positions[a as usize] - positions[b as usize]).norm();
            let around: Real = sides.iter().map(|i| areas[*i as usize]).sum();
            let stiffness = config.material.young * config.thickness * around / (length * length);
            let compliance = config.stretch_compliance.unwrap_or(1.0 / stiffness);
            distances.push(DistanceConstraint { vertices: [a, b], rest: length, compliance });
            // the opposite corners of two triangles; 3 D / A, see `BendingConstraint`
            let [first, second] = sides else { continue };
            let opposite = |i: &u32| {
                let triangle = &triangles[*i as usize];
                triangle.iter().copied().find(|v| !edge.vertices.contains(v)).unwrap_or(a)
            };
            let compliance = config
                .bend_compliance
                .unwrap_or(around / (3.0 * config.material.plate(config.thickness)));
            let vertices = [a, b, opposite(first), opposite(second)];
            bends.extend(BendingConstraint::between_triangles(vertices, &positions, compliance));
        }
        let shape = Shape {
            dim: 2,
            elements: triangles.as_flattened().to_vec(),
            inverse_masses,
            margin: config.margin.unwrap_or(0.5 * config.thickness),
            material: config.material,
            distances,
            bends,
            volumes: Vec::new(),
            flex_edges: Vec::new(),
            needed: Vec::new(),
        };
        Ok(Cloth { parts: Parts::new(shape.ordered(), positions), config })
    }

    /// A flat grid of `count` vertices along x and y, `spacing` apart, that begins at a corner. Vertices of one x follow each other.
    pub fn grid(
        count: [usize; 2],
        spacing: [Real; 2],
        corner: Vec3,
        config: ClothConfig,
    ) -> Result<Cloth, SoftError> {
        let [nx, ny] = count;
        let mut positions = Vec::with_capacity(nx.saturating_mul(ny));
        for i in 0..nx {
            for j in 0..ny {
                let offset = Vec3::new(i as Real * spacing[0], j as Real * spacing[1], 0.0);
                positions.push(corner + offset);
            }
        }
        let mut triangles = Vec::new();
        for i in 1..nx {
            for j in 1..ny {
                let at = |i: usize, j: usize| (i * ny + j) as u32;
                let [a, b, c, d] = [at(i - 1, j - 1), at(i, j - 1), at(i, j), at(i - 1, j)];
                // diagonals alternate, so that no direction is stiffer than another
                if (i + j) % 2 == 0 {
                    triangles.extend([[a, b, c], [a, c, d]]);
                } else {
                    triangles.extend([[a, b, d], [b, c, d]]);
                }
            }
        }
        Cloth::new(positions, &triangles, config)
    }
}

/// Areas of triangles; those that have none are refused.
fn triangle_areas(x: &[Vec3], triangles: &[[u32; 3]]) -> Result<Vec<Real>, SoftError> {
    let mut areas = Vec::with_capacity(triangles.len());
    for (index, triangle) in triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|v| x[v as usize]);
        let (u, v, w) = (b - a, c - a, c - b);
        let area = 0.5 * u.cross(v).norm();
        let longest = u.dot(u).max(v.dot(v)).max(w.dot(w));
        if !area.is_finite() || area <= LEAST_QUALITY * longest {
            return Err(SoftError::Degenerate { what: "triangle", index });
        }
        areas.push(area);
    }
    Ok(areas)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeformableBody;

    #[test]
    fn presets_are_found_by_their_names() {
        use MaterialPreset::{Cotton, Leather, Paper, Rubber, Silicone, Silk};
        for (name, material) in [
            ("cotton", Cotton),
            ("silk", Silk),
            ("leather", Leather),
            ("rubber", Rubber),
            ("paper", Paper),
            ("membrane", Silicone),
        ] {
            let config = ClothConfig::from_name(name).unwrap();
            assert_eq!(config.material, Material::preset(material), "{name}");
            let cloth = Cloth::grid([3, 3], [0.1; 2], Vec3::ZERO, config.clone()).unwrap();
            assert_eq!(cloth.collision_margin(), 0.5 * config.thickness);
        }
        assert!(ClothConfig::from_name("felt").is_err());
    }

    #[test]
    fn bad_triangles_are_refused_by_name() {
        let square = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
        let make = |x: &[Vec3], t: &[[u32; 3]]| Cloth::new(x.to_vec(), t, ClothConfig::cotton());
        let good = [[0, 1, 2], [1, 3, 2]];
        assert!(make(&square, &good).is_ok());
        let refused = |x: &[Vec3], t: &[[u32; 3]]| make(x, t).map(|_| ()).unwrap_err();
        assert_eq!(refused(&square, &good[..1]), SoftError::LooseVertex(3));
        let twice = SoftError::Degenerate { what: "triangle", index: 1 };
        assert_eq!(refused(&square, &[[0, 1, 2], [1, 1, 3]]), twice);
        let mut line = square.clone();
        line[3] = Vec3::new(0.5, 0.5, 0.0);
        assert_eq!(refused(&line, &good), twice);
        let crowded = [[0, 1, 2], [1, 3, 2], [0, 3, 1], [1, 0, 2]];
        assert_eq!(refused(&square, &crowded), SoftError::CrowdedEdge([0, 1]));
        let mut bad = square.clone();
        bad[2][1] = Real::NAN;
        assert_eq!(refused(&bad, &good), SoftError::NotFinite { what: "position", vertex: 2 });
        assert_eq!(refused(&[], &[]), SoftError::TooFewVertices { found: 0, needed: 3 });
    }

    #[test]
    fn bad_parameters_are_refused_by_name() {
        let name = |change: fn(&mut ClothConfig)| {
            let mut config = ClothConfig::cotton();
            change(&mut config);
            match Cloth::grid([3, 3], [0.1; 2], Vec3::ZERO, config) {
                Err(SoftError::Parameter { what, .. } | SoftError::NoSuchVertex { what, .. }) => {
                    what
                }
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(name(|c| c.mass = Some(-1.0)), "mass");
        assert_eq!(name(|c| c.thickness = 0.0), "thickness");
        assert_eq!(name(|c| c.stretch_compliance = Some(-1e-3)), "stretch compliance");
        assert_eq!(name(|c| c.bend_compliance = Some(Real::NAN)), "bend compliance");
        assert_eq!(name(|c| c.material.poisson = 0.5), "Poisson's ratio");
        assert_eq!(name(|c| c.pinned = vec![9]), "pin");
    }
}
