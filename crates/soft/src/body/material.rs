//! What a body is made of.

use ferrodyn_math::Real;

use crate::SoftError;
use crate::error::check;

/// An isotropic elastic material.
///
/// ```
/// use ferrodyn_soft::{Material, MaterialPreset};
/// let rubber = Material::preset(MaterialPreset::Rubber);
/// assert!(rubber.poisson < 0.5 && rubber.young > 1e6);
/// assert_eq!(Material::default().friction, 0.5);
/// assert_eq!(MaterialPreset::from_name("rubber").unwrap(), MaterialPreset::Rubber);
/// assert!(Material { poisson: 0.5, ..rubber }.check().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus, in Pa.
    pub young: Real,
    /// Poisson's ratio.
    pub poisson: Real,
    /// Density, in kg/m³.
    pub density: Real,
    /// Sliding friction; with a geom it counts as the geometric mean of both.
    pub friction: Real,
}

impl Default for Material {
    /// A soft rubber-like solid with friction 0.5.
    fn default() -> Material {
        Material { young: 1e6, poisson: 0.3, density: 1000.0, friction: 0.5 }
    }
}

macro_rules! presets {
    ($($variant:ident, $name:literal, $doc:literal: $young:literal, $poisson:literal, $density:literal, $friction:literal;)*) => {
        /// Materials with names. The numbers are of the order that handbooks give; each real one varies by more than their digits.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum MaterialPreset {
            $(#[doc = $doc] $variant,)*
        }

        impl MaterialPreset {
            /// Every preset.
            pub const ALL: &'static [MaterialPreset] = &[$(MaterialPreset::$variant),*];

            /// The name of each.
            const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name, as in MJCF.
            pub fn name(self) -> &'static str {
                match self { $(MaterialPreset::$variant => $name,)* }
            }
        }

        impl Material {
            /// The material of a preset.
            pub fn preset(preset: MaterialPreset) -> Material {
                match preset {
                    $(MaterialPreset::$variant => Material {
                        young: $young, poisson: $poisson, density: $density, friction: $friction,
                    },)*
                }
            }
        }
    };
}

// Young's modulus in Pa, Poisson's ratio, density in kg/m³, friction
presets! {
    Rubber, "rubber", "Vulcanized rubber.": 5e6, 0.48, 1100.0, 0.9;
    Silicone, "silicone", "Soft silicone.": 5e5, 0.48, 1100.0, 0.7;
    Gelatin, "gelatin", "Gelatin.": 1e4, 0.45, 1000.0, 0.3;
    SoftTissue, "soft_tissue", "Soft tissue of a body.": 2e4, 0.45, 1050.0, 0.4;
    Muscle, "muscle", "Muscle at rest.": 1e5, 0.45, 1060.0, 0.4;
    Skin, "skin", "Skin.": 5e5, 0.45, 1100.0, 0.6;
    Foam, "foam", "Open-cell foam.": 3e4, 0.1, 50.0, 0.6;
    Stiff, "stiff", "A stiff plastic.": 1e8, 0.35, 1200.0, 0.4;
    Cotton, "cotton", "Woven cotton.": 5e6, 0.3, 400.0, 0.5;
    Silk, "silk", "Woven silk.": 3e6, 0.3, 300.0, 0.3;
    Leather, "leather", "Leather.": 5e7, 0.35, 860.0, 0.6;
    Paper, "paper", "Paper.": 2e9, 0.3, 800.0, 0.4;
    Nylon, "nylon", "Nylon rope.": 1e9, 0.35, 1100.0, 0.4;
    Steel, "steel", "Steel.": 2e11, 0.29, 7850.0, 0.4;
}

impl MaterialPreset {
    /// The preset of a name.
    pub fn from_name(name: &str) -> Result<MaterialPreset, SoftError> {
        let found = MaterialPreset::ALL.iter().copied().find(|preset| preset.name() == name);
        found.ok_or(SoftError::UnknownPreset { known: MaterialPreset::NAMES })
    }
}

impl Material {
    /// Refuse numbers that no material has. A Poisson's ratio of one half would need an infinite bulk modulus.
    pub fn check(&self) -> Result<(), SoftError> {
        let Material { young, poisson, density, friction } = *self;
        check("Young's modulus", young, young > 0.0, "more than zero")?;
        check(
            "Poisson's ratio",
            poisson,
            (-1.0..0.5).contains(&poisson) && poisson > -1.0,
            "between -1 and 0.5",
        )?;
        check("density", density, density > 0.0, "more than zero")?;
        check("friction", friction, friction >= 0.0, "zero or more")
    }

    /// Bulk modulus `K = E / (3 (1 - 2 ν))`, in Pa.
    pub(crate) fn bulk(&self) -> Real {
        self.young / (3.0 * (1.0 - 2.0 * self.poisson))
    }

    /// Bending stiffness of a plate, `D = E t³ / (12 (1 - ν²))`, in N m.
    pub(crate) fn plate(&self, thickness: Real) -> Real {
        self.young * thickness * thickness * thickness
            / (12.0 * (1.0 - self.poisson * self.poisson))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_fourteen_presets_and_each_is_found_by_its_name() {
        assert_eq!(MaterialPreset::ALL.len(), 14);
        for &preset in MaterialPreset::ALL {
            assert_eq!(MaterialPreset::from_name(preset.name()), Ok(preset));
            Material::preset(preset).check().unwrap();
        }
        let unknown = MaterialPreset::from_name("rubbber");
        assert_eq!(unknown, Err(SoftError::UnknownPreset { known: MaterialPreset::NAMES }));
        let message = alloc::format!("{}", unknown.unwrap_err());
        assert!(message.contains(" known are rubber, silicone, "), "{message}");
    }

    #[test]
    fn numbers_that_no_material_has_are_refused_by_name() {
        let good = Material::default();
        for (bad, name) in [
            (Material { poisson: 0.5, ..good }, "Poisson's ratio"),
            (Material { poisson: -1.0, ..good }, "Poisson's ratio"),
            (Material { young: 0.0, ..good }, "Young's modulus"),
            (Material { young: Real::NAN, ..good }, "Young's modulus"),
            (Material { density: -1.0, ..good }, "density"),
            (Material { friction: Real::INFINITY, ..good }, "friction"),
        ] {
            match bad.check() {
                Err(SoftError::Parameter { what, .. }) => assert_eq!(what, name),
                other => panic!("{other:?}"),
            }
        }
    }
}
