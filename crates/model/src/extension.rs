//! Enumerations of what goes beyond MuJoCo: the laws that a flex or an actuator may choose.
use crate::NotAMember;

/// Declares enumerations whose numbers arrays hold.
macro_rules! choices {
    ($(
        $(#[$doc:meta])*
        $type:ident { $($(#[$member_doc:meta])* $member:ident = $value:literal,)* }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(i32)]
        pub enum $type { $($(#[$member_doc])* $member = $value,)* }

        impl TryFrom<i32> for $type {
            type Error = NotAMember;
            fn try_from(value: i32) -> Result<$type, NotAMember> {
                match value {
                    $($value => Ok($type::$member),)*
                    _ => Err(NotAMember(value)),
                }
            }
        }
    )*};
}

choices! {
    /// How a flex of triangles resists bending (`flex_bending_model`).
    ///
    /// ```
    /// use ferrodyn_model::FlexBendingType;
    /// assert_eq!(FlexBendingType::try_from(2), Ok(FlexBendingType::Bridson));
    /// assert_eq!(FlexBendingType::default(), FlexBendingType::Unstated);
    /// ```
    FlexBendingType {
        /// The simulation chooses: MuJoCo's law, unless a `Sim` was built with another one.
        #[default]
        Unstated = 0,
        /// MuJoCo's quadratic law, made of the cotangents of angles at rest.
        Cotangent = 1,
        /// Springs on the angles between triangles, after Bridson and others (2003).
        Bridson = 2,
    }

    /// How the elements of a flex resist deformation (`flex_elasticity_model`).
    ///
    /// ```
    /// use ferrodyn_model::FlexElasticityType;
    /// assert_eq!(FlexElasticityType::try_from(2), Ok(FlexElasticityType::NeoHookean));
    /// ```
    FlexElasticityType {
        /// The simulation chooses: MuJoCo's law, unless a `Sim` was built with another one.
        #[default]
        Unstated = 0,
        /// What MuJoCo does for the flex: Saint Venant-Kirchhoff elements, or constraints of edges.
        Linear = 1,
        /// A compressible Neo-Hookean material.
        NeoHookean = 2,
    }

    /// The law of an actuator whose gain is the user's (`actuator_gain_model`).
    ///
    /// ```
    /// use ferrodyn_model::GainModelType;
    /// assert_eq!(GainModelType::try_from(1), Ok(GainModelType::SeriesElastic));
    /// ```
    GainModelType {
        /// The simulation chooses: a hook, or one.
        #[default]
        Unstated = 0,
        /// A motor behind a spring and a damper in series.
        SeriesElastic = 1,
    }
}
