//! Rows of contact pairs, equality constraints and tendons.

use ferrodyn_model::EqualityType;
use ferrodyn_model::defaults::{PAIR_FRICTION, SOLIMP, SOLREF};

use super::{GREY, NONE, attributes};
use crate::keywords::Tristate;
use crate::values::Partial;

attributes! {
    /// Attributes of `<contact><pair>`.
    PairAttrs {
        own "geom1" => geom1: String = NONE, "Name of the first geom.";
        own "geom2" => geom2: String = NONE, "Name of the second geom.";
        "condim" => condim: i32 = 3 => pair_dim fill, "Dimension of the contact space.";
        "friction" => friction: Partial<5> = PAIR_FRICTION => pair_friction,
            "Friction: two sliding, one torsional, two rolling.";
        "solref" => solref: Partial<2> = SOLREF => pair_solref, "Reference of the contact constraint.";
        "solreffriction" => solreffriction: Partial<2> = [0.0; 2] => pair_solreffriction,
            "Reference in the friction directions.";
        "solimp" => solimp: Partial<5> = SOLIMP => pair_solimp, "Impedance of the contact constraint.";
        "gap" => gap: f64 = 0.0 => pair_gap, "Part of the margin without force, in m.";
        "margin" => margin: f64 = 0.0 => pair_margin, "Distance at which a contact is detected, in m.";
    }

    /// Attributes of `<contact><exclude>`.
    ExcludeAttrs {
        own "body1" => body1: String = NONE, "Name of the first body.";
        own "body2" => body2: String = NONE, "Name of the second body.";
    }

    /// Attributes of the equality constraints; each kind has a part of them.
    EqualityAttrs {
        own "body1" => body1: String, "Name of the first body.";
        own "body2" => body2: String, "Name of the second body; the world if there is none.";
        own "site1" => site1: String, "Name of the first site, in place of bodies.";
        own "site2" => site2: String, "Name of the second site.";
        own some "anchor" => anchor: [f64; 3] = [0.0; 3], "Point that is held, in the frame of the first body.";
        own "relpose" => relpose: [f64; 7], "Pose of the second body in the first one's frame.";
        own some "torquescale" => torquescale: f64 = 1.0, "Weight of rotation against translation.";
        own "joint1" => joint1: String, "Name of the first joint.";
        own "joint2" => joint2: String, "Name of the second joint.";
        own "tendon1" => tendon1: String, "Name of the first tendon.";
        own "tendon2" => tendon2: String, "Name of the second tendon.";
        own "flex" => flex: String, "Name of the flex.";
        own some "polycoef" => polycoef: Partial<5> = [0.0, 1.0, 0.0, 0.0, 0.0],
            "Coefficients of the polynomial that ties both.";
        "active" => active: bool = true => eq_active0 fill, "Whether the constraint acts from the start.";
        "solref" => solref: Partial<2> = SOLREF => eq_solref, "Reference of the constraint.";
        "solimp" => solimp: Partial<5> = SOLIMP => eq_solimp, "Impedance of the constraint.";
    }

    /// Attributes that both kinds of tendon share.
    TendonAttrs {
        "group" => group: i32 = 0 => tendon_group fill, "Group for display.";
        "limited" => limited: Tristate = Tristate::Auto, "Whether the range is a limit.";
        own "actuatorfrclimited" => actuatorfrclimited: Tristate = Tristate::False,
            "Whether actuator forces are limited.";
        "range" => range: [f64; 2] = [0.0; 2] => tendon_range, "Limits of the length.";
        own "actuatorfrcrange" => actuatorfrcrange: [f64; 2] = [0.0; 2] => tendon_actfrcrange,
            "Limits of the total actuator force.";
        "solreflimit" => solreflimit: Partial<2> = SOLREF => tendon_solref_lim, "Reference of the limit constraint.";
        "solimplimit" => solimplimit: Partial<5> = SOLIMP => tendon_solimp_lim, "Impedance of the limit constraint.";
        "solreffriction" => solreffriction: Partial<2> = SOLREF => tendon_solref_fri,
            "Reference of the friction constraint.";
        "solimpfriction" => solimpfriction: Partial<5> = SOLIMP => tendon_solimp_fri,
            "Impedance of the friction constraint.";
        "frictionloss" => frictionloss: f64 = 0.0 => tendon_frictionloss, "Dry friction.";
        "springlength" => springlength: Partial<2> = [-1.0; 2] => tendon_lengthspring back,
            "Rest length, or the two ends of a dead band.";
        "width" => width: f64 = 0.003 => tendon_width, "Width for display, in m.";
        "material" => material: String = NONE, "Name of the material.";
        "margin" => margin: f64 = 0.0 => tendon_margin, "Distance at which a limit becomes active.";
        "stiffness" => stiffness: f64 = 0.0 => tendon_stiffness, "Spring stiffness.";
        "damping" => damping: f64 = 0.0 => tendon_damping, "Viscous damping.";
        own "armature" => armature: f64 = 0.0 => tendon_armature, "Inertia.";
        "rgba" => rgba: [f32; 4] = GREY => tendon_rgba, "Colour.";
        "user" => user: Vec<f64> = Vec::new() => tendon_user * nuser_tendon, "User data.";
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
        EqualityType::Flex | EqualityType::FlexVert => &["flex"],
        _ => &[],
    }
}
