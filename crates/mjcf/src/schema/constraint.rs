//! Rows of contact pairs, equality constraints and tendons.

use ferrodyn_model::EqualityType;

use super::attributes;
use crate::keywords::Tristate;
use crate::values::Partial;

attributes! {
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

    /// Attributes of `<contact><exclude>`.
    ExcludeAttrs {
        own "body1" => body1: String, "Name of the first body.";
        own "body2" => body2: String, "Name of the second body.";
    }

    /// Attributes of the equality constraints; each kind has a part of them.
    EqualityAttrs {
        own "body1" => body1: String, "Name of the first body.";
        own "body2" => body2: String, "Name of the second body; the world if there is none.";
        own "site1" => site1: String, "Name of the first site, in place of bodies.";
        own "site2" => site2: String, "Name of the second site.";
        own "anchor" => anchor: [f64; 3], "Point that is held, in the frame of the first body.";
        own "relpose" => relpose: [f64; 7], "Pose of the second body in the first one's frame.";
        own "torquescale" => torquescale: f64, "Weight of rotation against translation.";
        own "joint1" => joint1: String, "Name of the first joint.";
        own "joint2" => joint2: String, "Name of the second joint.";
        own "tendon1" => tendon1: String, "Name of the first tendon.";
        own "tendon2" => tendon2: String, "Name of the second tendon.";
        own "polycoef" => polycoef: Partial<5>, "Coefficients of the polynomial that ties both.";
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

/// The attributes that an equality element has, beside those that all kinds have.
pub(crate) fn equality_names(kind: EqualityType) -> &'static [&'static str] {
    match kind {
        EqualityType::Connect => &["body1", "body2", "anchor", "site1", "site2"],
        EqualityType::Weld => {
            &["body1", "body2", "relpose", "anchor", "site1", "site2", "torquescale"]
        }
        EqualityType::Joint => &["joint1", "joint2", "polycoef"],
        EqualityType::Tendon => &["tendon1", "tendon2", "polycoef"],
        _ => &[],
    }
}
