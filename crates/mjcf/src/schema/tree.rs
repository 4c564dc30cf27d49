//! Rows of the elements of the kinematic tree.

use ferrodyn_model::defaults::{FRICTION, SOLIMP, SOLREF};
use ferrodyn_model::{GeomType, JointType, LightType, Projection, SleepPolicy, TrackingMode};

use super::{GREY, NONE, UNSET, attributes};
use crate::keywords::{CameraOutputs, CompositeKind, FluidShape, ShellInertia, Tristate};
use crate::pose::UNIT;
use crate::values::{Orientation, Partial, RawQuat};

/// Coefficients of the fluid model: blunt, slender and angular drag, Kutta and Magnus lift.
const FLUID: [f64; 5] = [0.5, 0.25, 1.5, 1.0, 1.0];

attributes! {
    /// Attributes of `<body>`.
    BodyAttrs {
        "pos" => pos: [f64; 3] = [0.0; 3] => body_pos computed, "Position in the frame of the parent, in m.";
        "quat" => quat: RawQuat = UNIT => body_quat computed, "Orientation in the frame of the parent.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
        "mocap" => mocap: bool = false, "Whether the user moves the body.";
        "gravcomp" => gravcomp: f64 = 0.0 => body_gravcomp, "Share of the body's weight that is compensated.";
        "sleep" => sleep: SleepPolicy = SleepPolicy::Auto, "How the tree of the body falls asleep.";
        "user" => user: Vec<f64> = Vec::new() => body_user * nuser_body, "User data.";
    }

    /// Attributes of `<frame>`.
    FrameAttrs {
        "pos" => pos: [f64; 3] = [0.0; 3], "Position in the enclosing frame, in m.";
        "quat" => quat: RawQuat = UNIT, "Orientation in the enclosing frame.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
    }

    /// Attributes of `<inertial>`.
    InertialAttrs {
        "pos" => pos: [f64; 3] = [f64::NAN, 0.0, 0.0] => body_ipos computed,
            "Centre of mass in the frame of the body, in m.";
        "quat" => quat: RawQuat = UNIT => body_iquat computed, "Orientation of the principal axes.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
        "mass" => mass: f64 = 0.0 => body_mass computed, "Mass in kg.";
        "diaginertia" => diaginertia: [f64; 3] = [0.0; 3] => body_inertia computed,
            "Principal moments of inertia in kg m².";
        "fullinertia" => fullinertia: [f64; 6] = UNSET, "Inertia matrix: xx, yy, zz, xy, xz, yz.";
    }

    /// Attributes of `<joint>`.
    JointAttrs {
        cable "type" => kind: JointType = JointType::Hinge, "Type of joint.";
        cable "group" => group: i32 = 0 => jnt_group fill, "Group for display.";
        "pos" => pos: [f64; 3] = [0.0; 3] => jnt_pos computed, "Anchor in the frame of the body, in m.";
        cable "axis" => axis: [f64; 3] = [0.0, 0.0, 1.0] => jnt_axis computed, "Axis of rotation or sliding.";
        "springdamper" => springdamper: [f64; 2] = [0.0; 2], "Time constant and damping ratio of a matched spring.";
        "limited" => limited: Tristate = Tristate::Auto, "Whether the range is a limit.";
        "actuatorfrclimited" => actuatorfrclimited: Tristate = Tristate::Auto, "Whether actuator forces are limited.";
        cable "solreflimit" => solreflimit: Partial<2> = SOLREF => jnt_solref, "Reference of the limit constraint.";
        cable "solimplimit" => solimplimit: Partial<5> = SOLIMP => jnt_solimp, "Impedance of the limit constraint.";
        cable "solreffriction" => solreffriction: Partial<2> = SOLREF => dof_solref[dof],
            "Reference of the friction constraint.";
        cable "solimpfriction" => solimpfriction: Partial<5> = SOLIMP => dof_solimp[dof],
            "Impedance of the friction constraint.";
        cable "stiffness" => stiffness: f64 = 0.0 => jnt_stiffness, "Spring stiffness.";
        cable "range" => range: [f64; 2] = [0.0; 2] => jnt_range back,
            "Limits, in the angle unit of the model or in m.";
        "actuatorfrcrange" => actuatorfrcrange: [f64; 2] = [0.0; 2] => jnt_actfrcrange,
            "Limits of the total actuator force.";
        "actuatorgravcomp" => actuatorgravcomp: bool = false => jnt_actgravcomp fill,
            "Whether actuators supply gravity compensation.";
        cable "margin" => margin: f64 = 0.0 => jnt_margin, "Distance at which a limit becomes active.";
        "ref" => reference: f64 = 0.0 => qpos0[qpos] back, "Position of the joint in the initial configuration.";
        "springref" => springref: f64 = 0.0 => qpos_spring[qpos] back, "Position in which the spring is at rest.";
        cable "armature" => armature: f64 = 0.0 => dof_armature[dof], "Inertia of the rotor.";
        cable "damping" => damping: f64 = 0.0 => dof_damping[dof], "Viscous damping.";
        cable "frictionloss" => frictionloss: f64 = 0.0 => dof_frictionloss[dof], "Dry friction.";
        "user" => user: Vec<f64> = Vec::new() => jnt_user * nuser_jnt, "User data.";
    }

    /// Attributes of `<freejoint>`.
    FreeJointAttrs {
        "group" => group: i32 = 0, "Group for display.";
        "align" => align: Tristate = Tristate::Auto, "Whether the body frame is aligned with the inertial frame.";
    }

    /// Attributes of `<replicate>`.
    ReplicateAttrs {
        "count" => count: i32, "Number of copies.";
        "offset" => offset: [f64; 3] = [0.0; 3], "Position of each copy in the frame of the one before, in m.";
        "euler" => euler: [f64; 3] = [0.0; 3], "Turn of each copy against the one before.";
        "sep" => sep: String = NONE, "What comes between the name and the number of a copy.";
    }

    /// Attributes of `<composite>`.
    CompositeAttrs {
        "prefix" => prefix: String = NONE, "What the names of all parts begin with.";
        "type" => kind: CompositeKind, "Kind of object.";
        "count" => count: Vec<i32>, "Number of points.";
        "offset" => offset: [f64; 3] = [0.0; 3], "Position of the first point, in m.";
        "vertex" => vertex: Vec<f32>, "Points.";
        "initial" => initial: String = "ball".to_owned(), "Joint of the first body: free, ball or none.";
        "curve" => curve: String = NONE, "Functions that give the points, in place of a list.";
        "size" => size: Partial<3> = [1.0, 0.0, 0.0], "Length, radius and number of half turns of the curve.";
        "quat" => quat: [f64; 4] = UNIT, "Orientation of the curve.";
    }

    /// Attributes of `<geom>`.
    GeomAttrs {
        cable "type" => kind: GeomType = GeomType::Sphere, "Shape.";
        "pos" => pos: [f64; 3] = [0.0; 3] => geom_pos computed, "Position in the frame of the body, in m.";
        "quat" => quat: RawQuat = UNIT => geom_quat computed, "Orientation in the frame of the body.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
        "fromto" => fromto: [f64; 6] = UNSET, "End points of a long shape, in place of pose and length.";
        cable "size" => size: Partial<3> = [0.0; 3] => geom_size computed, "Sizes, by shape, in m.";
        cable "contype" => contype: i32 = 1 => geom_contype fill, "Bits of contact types.";
        cable "conaffinity" => conaffinity: i32 = 1 => geom_conaffinity fill, "Bits of contact affinities.";
        cable "condim" => condim: i32 = 3 => geom_condim fill, "Dimension of the contact space.";
        cable "group" => group: i32 = 0 => geom_group fill, "Group for display and inertia.";
        cable "priority" => priority: i32 = 0 => geom_priority fill, "Priority of the contact parameters.";
        cable "material" => material: String = NONE, "Name of the material.";
        cable "friction" => friction: Partial<3> = FRICTION => geom_friction, "Friction: sliding, torsional, rolling.";
        cable "mass" => mass: f64 = f64::NAN, "Mass in kg, in place of density.";
        cable "density" => density: f64 = 1000.0, "Density in kg/m³, or kg/m² for a shell.";
        "shellinertia" => shellinertia: ShellInertia = ShellInertia::Volume, "Whether the mass lies on the surface.";
        cable "solmix" => solmix: f64 = 1.0 => geom_solmix, "Weight when contact parameters are mixed.";
        cable "solref" => solref: Partial<2> = SOLREF => geom_solref, "Reference of the contact constraint.";
        cable "solimp" => solimp: Partial<5> = SOLIMP => geom_solimp, "Impedance of the contact constraint.";
        cable "margin" => margin: f64 = 0.0 => geom_margin, "Distance at which a contact is detected, in m.";
        cable "gap" => gap: f64 = 0.0 => geom_gap, "Part of the margin without force, in m.";
        "hfield" => hfield: String = NONE, "Name of the height field.";
        "mesh" => mesh: String = NONE, "Name of the mesh.";
        "fitscale" => fitscale: f64 = 1.0, "Scale of a shape that is fitted to a mesh.";
        cable "rgba" => rgba: [f32; 4] = GREY => geom_rgba, "Colour.";
        "fluidshape" => fluidshape: FluidShape = FluidShape::None, "Fluid model.";
        "fluidcoef" => fluidcoef: Partial<5> = FLUID, "Coefficients of the fluid model.";
        "user" => user: Vec<f64> = Vec::new() => geom_user * nuser_geom, "User data.";
    }

    /// Attributes of `<site>`.
    SiteAttrs {
        "pos" => pos: [f64; 3] = [0.0; 3] => site_pos computed, "Position in the frame of the body, in m.";
        "quat" => quat: RawQuat = UNIT => site_quat computed, "Orientation in the frame of the body.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
        "fromto" => fromto: [f64; 6] = UNSET, "End points of a long shape, in place of pose and length.";
        cable "size" => size: Partial<3> = [0.005; 3] => site_size computed, "Sizes, by shape, in m.";
        cable "group" => group: i32 = 0 => site_group fill, "Group for display.";
        "type" => kind: GeomType = GeomType::Sphere, "Shape.";
        cable "material" => material: String = NONE, "Name of the material.";
        cable "rgba" => rgba: [f32; 4] = GREY => site_rgba, "Colour.";
        "user" => user: Vec<f64> = Vec::new() => site_user * nuser_site, "User data.";
    }

    /// Attributes of `<camera>`.
    CameraAttrs {
        "projection" => projection: Projection = Projection::Perspective => cam_projection fill, "Projection.";
        "fovy" => fovy: f64 = 45.0 => cam_fovy back, "Vertical field of view in degrees, or extent in m.";
        "ipd" => ipd: f64 = 0.068 => cam_ipd, "Distance between the pupils, in m.";
        "resolution" => resolution: [i32; 2] = [1, 1] => cam_resolution, "Image size in pixels.";
        "output" => output: CameraOutputs = 1 => cam_output fill, "What the camera produces.";
        "pos" => pos: [f64; 3] = [0.0; 3] => cam_pos computed, "Position in the frame of the body, in m.";
        "quat" => quat: RawQuat = UNIT => cam_quat computed, "Orientation in the frame of the body.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
        "mode" => mode: TrackingMode = TrackingMode::Fixed => cam_mode fill, "How the camera follows its body.";
        own "target" => target: String = NONE, "Name of the body that is looked at.";
        "focal" => focal: [f32; 2] = [0.0; 2], "Focal length in m.";
        "focalpixel" => focalpixel: [f32; 2] = [0.0; 2], "Focal length in pixels.";
        "principal" => principal: [f32; 2] = [0.0; 2], "Principal point in m.";
        "principalpixel" => principalpixel: [f32; 2] = [0.0; 2], "Principal point in pixels.";
        "sensorsize" => sensorsize: [f32; 2] = [0.0; 2] => cam_sensorsize fill, "Size of the sensor in m.";
        "user" => user: Vec<f64> = Vec::new() => cam_user * nuser_cam, "User data.";
    }

    /// Attributes of `<light>`.
    LightAttrs {
        "type" | "directional" => kind: LightType = LightType::Spot => light_type fill, "Type of light.";
        "castshadow" => castshadow: bool = true => light_castshadow fill, "Whether the light casts shadows.";
        "active" => active: bool = true => light_active fill, "Whether the light is on.";
        "pos" => pos: [f64; 3] = [0.0; 3] => light_pos computed, "Position in the frame of the body, in m.";
        "dir" => dir: [f64; 3] = [0.0, 0.0, -1.0] => light_dir computed, "Direction.";
        "bulbradius" => bulbradius: f32 = 0.02 => light_bulbradius fill, "Radius for soft shadows, in m.";
        "intensity" => intensity: f32 = 0.0 => light_intensity fill, "Intensity in candela.";
        "range" => range: f32 = 10.0 => light_range fill, "Reach in m.";
        "attenuation" => attenuation: [f32; 3] = [1.0, 0.0, 0.0] => light_attenuation,
            "Attenuation: constant, linear, quadratic.";
        "cutoff" => cutoff: f32 = 45.0 => light_cutoff, "Half angle of a spot, in degrees.";
        "exponent" => exponent: f32 = 10.0 => light_exponent, "Softness of a spot.";
        "ambient" => ambient: [f32; 3] = [0.0; 3] => light_ambient, "Ambient colour.";
        "diffuse" => diffuse: [f32; 3] = [0.7; 3] => light_diffuse, "Diffuse colour.";
        "specular" => specular: [f32; 3] = [0.3; 3] => light_specular, "Specular colour.";
        "mode" => mode: TrackingMode = TrackingMode::Fixed => light_mode fill, "How the light follows its body.";
        own "target" => target: String = NONE, "Name of the body that is looked at.";
        own "texture" => texture: String = NONE, "Name of the texture of an image light.";
    }
}
