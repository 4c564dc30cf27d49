//! Rows of the elements of the kinematic tree.

use ferrodyn_model::{GeomType, JointType, LightType, Projection, SleepPolicy, TrackingMode};

use super::attributes;
use crate::keywords::{CameraOutputs, CompositeKind, FluidShape, ShellInertia, Tristate};
use crate::values::{Orientation, Partial, RawQuat};

attributes! {
    /// Attributes of `<body>`.
    BodyAttrs {
        "pos" => pos: [f64; 3], "Position in the frame of the parent, in m.";
        "quat" => quat: RawQuat, "Orientation in the frame of the parent.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
        "mocap" => mocap: bool, "Whether the user moves the body.";
        "gravcomp" => gravcomp: f64, "Share of the body's weight that is compensated.";
        "sleep" => sleep: SleepPolicy, "How the tree of the body falls asleep.";
        "user" => user: Vec<f64>, "User data.";
    }

    /// Attributes of `<frame>`.
    FrameAttrs {
        "pos" => pos: [f64; 3], "Position in the enclosing frame, in m.";
        "quat" => quat: RawQuat, "Orientation in the enclosing frame.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
    }

    /// Attributes of `<inertial>`.
    InertialAttrs {
        "pos" => pos: [f64; 3], "Centre of mass in the frame of the body, in m.";
        "quat" => quat: RawQuat, "Orientation of the principal axes.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
        "mass" => mass: f64, "Mass in kg.";
        "diaginertia" => diaginertia: [f64; 3], "Principal moments of inertia in kg m².";
        "fullinertia" => fullinertia: [f64; 6], "Inertia matrix: xx, yy, zz, xy, xz, yz.";
    }

    /// Attributes of `<joint>`.
    JointAttrs {
        "type" => kind: JointType, "Type of joint.";
        "group" => group: i32, "Group for display.";
        "pos" => pos: [f64; 3], "Anchor in the frame of the body, in m.";
        "axis" => axis: [f64; 3], "Axis of rotation or sliding.";
        "springdamper" => springdamper: [f64; 2], "Time constant and damping ratio of a matched spring.";
        "limited" => limited: Tristate, "Whether the range is a limit.";
        "actuatorfrclimited" => actuatorfrclimited: Tristate, "Whether actuator forces are limited.";
        "solreflimit" => solreflimit: Partial<2>, "Reference of the limit constraint.";
        "solimplimit" => solimplimit: Partial<5>, "Impedance of the limit constraint.";
        "solreffriction" => solreffriction: Partial<2>, "Reference of the friction constraint.";
        "solimpfriction" => solimpfriction: Partial<5>, "Impedance of the friction constraint.";
        "stiffness" => stiffness: f64, "Spring stiffness.";
        "range" => range: [f64; 2], "Limits, in the angle unit of the model or in m.";
        "actuatorfrcrange" => actuatorfrcrange: [f64; 2], "Limits of the total actuator force.";
        "actuatorgravcomp" => actuatorgravcomp: bool, "Whether actuators supply gravity compensation.";
        "margin" => margin: f64, "Distance at which a limit becomes active.";
        "ref" => reference: f64, "Position of the joint in the initial configuration.";
        "springref" => springref: f64, "Position in which the spring is at rest.";
        "armature" => armature: f64, "Inertia of the rotor.";
        "damping" => damping: f64, "Viscous damping.";
        "frictionloss" => frictionloss: f64, "Dry friction.";
        "user" => user: Vec<f64>, "User data.";
    }

    /// Attributes of `<freejoint>`.
    FreeJointAttrs {
        "group" => group: i32, "Group for display.";
        "align" => align: Tristate, "Whether the body frame is aligned with the inertial frame.";
    }

    /// Attributes of `<replicate>`.
    ReplicateAttrs {
        "count" => count: i32, "Number of copies.";
        "offset" => offset: [f64; 3], "Position of each copy in the frame of the one before, in m.";
        "euler" => euler: [f64; 3], "Turn of each copy against the one before.";
        "sep" => sep: String, "What comes between the name and the number of a copy.";
    }

    /// Attributes of `<composite>`.
    CompositeAttrs {
        "prefix" => prefix: String, "What the names of all parts begin with.";
        "type" => kind: CompositeKind, "Kind of object.";
        "count" => count: Vec<i32>, "Number of points.";
        "offset" => offset: [f64; 3], "Position of the first point, in m.";
        "vertex" => vertex: Vec<f32>, "Points.";
        "initial" => initial: String, "Joint of the first body: free, ball or none.";
        "curve" => curve: String, "Functions that give the points, in place of a list.";
        "size" => size: Partial<3>, "Length, radius and number of half turns of the curve.";
        "quat" => quat: [f64; 4], "Orientation of the curve.";
    }

    /// Attributes of `<geom>`.
    GeomAttrs {
        "type" => kind: GeomType, "Shape.";
        "pos" => pos: [f64; 3], "Position in the frame of the body, in m.";
        "quat" => quat: RawQuat, "Orientation in the frame of the body.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
        "fromto" => fromto: [f64; 6], "End points of a long shape, in place of pose and length.";
        "size" => size: Partial<3>, "Sizes, by shape, in m.";
        "contype" => contype: i32, "Bits of contact types.";
        "conaffinity" => conaffinity: i32, "Bits of contact affinities.";
        "condim" => condim: i32, "Dimension of the contact space.";
        "group" => group: i32, "Group for display and inertia.";
        "priority" => priority: i32, "Priority of the contact parameters.";
        "material" => material: String, "Name of the material.";
        "friction" => friction: Partial<3>, "Friction: sliding, torsional, rolling.";
        "mass" => mass: f64, "Mass in kg, in place of density.";
        "density" => density: f64, "Density in kg/m³, or kg/m² for a shell.";
        "shellinertia" => shellinertia: ShellInertia, "Whether the mass lies on the surface.";
        "solmix" => solmix: f64, "Weight when contact parameters are mixed.";
        "solref" => solref: Partial<2>, "Reference of the contact constraint.";
        "solimp" => solimp: Partial<5>, "Impedance of the contact constraint.";
        "margin" => margin: f64, "Distance at which a contact is detected, in m.";
        "gap" => gap: f64, "Part of the margin without force, in m.";
        "hfield" => hfield: String, "Name of the height field.";
        "mesh" => mesh: String, "Name of the mesh.";
        "fitscale" => fitscale: f64, "Scale of a shape that is fitted to a mesh.";
        "rgba" => rgba: [f32; 4], "Colour.";
        "fluidshape" => fluidshape: FluidShape, "Fluid model.";
        "fluidcoef" => fluidcoef: Partial<5>, "Coefficients of the fluid model.";
        "user" => user: Vec<f64>, "User data.";
    }

    /// Attributes of `<site>`.
    SiteAttrs {
        "pos" => pos: [f64; 3], "Position in the frame of the body, in m.";
        "quat" => quat: RawQuat, "Orientation in the frame of the body.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
        "fromto" => fromto: [f64; 6], "End points of a long shape, in place of pose and length.";
        "size" => size: Partial<3>, "Sizes, by shape, in m.";
        "group" => group: i32, "Group for display.";
        "type" => kind: GeomType, "Shape.";
        "material" => material: String, "Name of the material.";
        "rgba" => rgba: [f32; 4], "Colour.";
        "user" => user: Vec<f64>, "User data.";
    }

    /// Attributes of `<camera>`.
    CameraAttrs {
        "projection" => projection: Projection, "Projection.";
        "fovy" => fovy: f64, "Vertical field of view in degrees, or extent in m.";
        "ipd" => ipd: f64, "Distance between the pupils, in m.";
        "resolution" => resolution: [i32; 2], "Image size in pixels.";
        "output" => output: CameraOutputs, "What the camera produces.";
        "pos" => pos: [f64; 3], "Position in the frame of the body, in m.";
        "quat" => quat: RawQuat, "Orientation in the frame of the body.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
        "mode" => mode: TrackingMode, "How the camera follows its body.";
        own "target" => target: String, "Name of the body that is looked at.";
        "focal" => focal: [f32; 2], "Focal length in m.";
        "focalpixel" => focalpixel: [f32; 2], "Focal length in pixels.";
        "principal" => principal: [f32; 2], "Principal point in m.";
        "principalpixel" => principalpixel: [f32; 2], "Principal point in pixels.";
        "sensorsize" => sensorsize: [f32; 2], "Size of the sensor in m.";
        "user" => user: Vec<f64>, "User data.";
    }

    /// Attributes of `<light>`.
    LightAttrs {
        "type" | "directional" => kind: LightType, "Type of light.";
        "castshadow" => castshadow: bool, "Whether the light casts shadows.";
        "active" => active: bool, "Whether the light is on.";
        "pos" => pos: [f64; 3], "Position in the frame of the body, in m.";
        "dir" => dir: [f64; 3], "Direction.";
        "bulbradius" => bulbradius: f32, "Radius for soft shadows, in m.";
        "intensity" => intensity: f32, "Intensity in candela.";
        "range" => range: f32, "Reach in m.";
        "attenuation" => attenuation: [f32; 3], "Attenuation: constant, linear, quadratic.";
        "cutoff" => cutoff: f32, "Half angle of a spot, in degrees.";
        "exponent" => exponent: f32, "Softness of a spot.";
        "ambient" => ambient: [f32; 3], "Ambient colour.";
        "diffuse" => diffuse: [f32; 3], "Diffuse colour.";
        "specular" => specular: [f32; 3], "Specular colour.";
        "mode" => mode: TrackingMode, "How the light follows its body.";
        own "target" => target: String, "Name of the body that is looked at.";
        own "texture" => texture: String, "Name of the texture of an image light.";
    }
}
