//! Rows of assets and of what lies outside the kinematic tree, as far as defaults need them.

use super::attributes;
use crate::keywords::{MeshInertia, Tristate};
use crate::values::Partial;

attributes! {
    /// Attributes of `<mesh>`.
    MeshAttrs {
        "scale" => scale: [f64; 3], "Scale of the vertices.";
        "maxhullvert" => maxhullvert: i32, "Most vertices of the convex hull; -1 is no limit.";
        "inertia" => inertia: MeshInertia, "How the inertia is computed.";
    }

    /// Attributes of `<material>`.
    MaterialAttrs {
        "texture" => texture: String, "Name of the colour texture.";
        "emission" => emission: f32, "Emission.";
        "specular" => specular: f32, "Specularity.";
        "shininess" => shininess: f32, "Shininess.";
        "reflectance" => reflectance: f32, "Reflectance.";
        "metallic" => metallic: f32, "Metallicity; negative is unset.";
        "roughness" => roughness: f32, "Roughness; negative is unset.";
        "rgba" => rgba: [f32; 4], "Colour.";
        "texrepeat" => texrepeat: [f32; 2], "Repetitions of the texture.";
        "texuniform" => texuniform: bool, "Whether repetitions count in m.";
    }

    /// Attributes of `<contact><pair>`.
    PairAttrs {
        own "geom1" => geom1: String, "Name of the first geom.";
        own "geom2" => geom2: String, "Name of the second geom.";
        "condim" => condim: i32, "Dimension of the contact space.";
        "friction" => friction: Partial<5>, "Friction: two sliding, one torsional, two rolling.";
        "solref" => solref: Partial<2>, "Reference of the contact constraint.";
        "solreffriction" => solreffriction: Partial<2>, "Reference in the friction directions.";
        "solimp" => solimp: Partial<5>, "Impedance of the contact constraint.";
        "gap" => gap: f64, "Part of the margin without force, in m.";
        "margin" => margin: f64, "Distance at which a contact is detected, in m.";
    }

    /// Attributes that all kinds of equality constraint share.
    EqualityAttrs {
        "active" => active: bool, "Whether the constraint acts from the start.";
        "solref" => solref: Partial<2>, "Reference of the constraint.";
        "solimp" => solimp: Partial<5>, "Impedance of the constraint.";
    }

    /// Attributes that both kinds of tendon share.
    TendonAttrs {
        "group" => group: i32, "Group for display.";
        "limited" => limited: Tristate, "Whether the range is a limit.";
        own "actuatorfrclimited" => actuatorfrclimited: Tristate, "Whether actuator forces are limited.";
        "range" => range: [f64; 2], "Limits of the length.";
        own "actuatorfrcrange" => actuatorfrcrange: [f64; 2], "Limits of the total actuator force.";
        "solreflimit" => solreflimit: Partial<2>, "Reference of the limit constraint.";
        "solimplimit" => solimplimit: Partial<5>, "Impedance of the limit constraint.";
        "solreffriction" => solreffriction: Partial<2>, "Reference of the friction constraint.";
        "solimpfriction" => solimpfriction: Partial<5>, "Impedance of the friction constraint.";
        "frictionloss" => frictionloss: f64, "Dry friction.";
        "springlength" => springlength: Partial<2>, "Rest length, or the two ends of a dead band.";
        "width" => width: f64, "Width for display, in m.";
        "material" => material: String, "Name of the material.";
        "margin" => margin: f64, "Distance at which a limit becomes active.";
        "stiffness" => stiffness: f64, "Spring stiffness.";
        "damping" => damping: f64, "Viscous damping.";
        own "armature" => armature: f64, "Inertia.";
        "rgba" => rgba: [f32; 4], "Colour.";
        "user" => user: Vec<f64>, "User data.";
    }
}
