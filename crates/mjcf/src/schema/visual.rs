//! Rows of the elements of `<visual>`.

use ferrodyn_model::{
    VisualGlobal, VisualHeadlight, VisualMap, VisualQuality, VisualRgba, VisualScale,
};

use super::attributes;

attributes! {
    /// Attributes of `<visual><global>`.
    VisualGlobalAttrs => VisualGlobal {
        "cameraid" => cameraid: i32, "Initial camera; -1 is the free camera.";
        "orthographic" => orthographic: bool, "Whether the free camera is orthographic.";
        "fovy" => fovy: f32, "Field of view of the free camera.";
        "ipd" => ipd: f32, "Distance between the pupils of the free camera.";
        "azimuth" => azimuth: f32, "Initial azimuth of the free camera.";
        "elevation" => elevation: f32, "Initial elevation of the free camera.";
        "linewidth" => linewidth: f32, "Width of lines.";
        "glow" => glow: f32, "Glow of the selected body.";
        "offwidth" => offwidth: i32, "Width of the off-screen buffer.";
        "offheight" => offheight: i32, "Height of the off-screen buffer.";
        "realtime" => realtime: f32, "Initial ratio of simulated to real time.";
        "ellipsoidinertia" => ellipsoidinertia: bool, "Whether inertias are drawn as ellipsoids.";
        "bvactive" => bvactive: bool, "Whether active bounding volumes are kept.";
    }

    /// Attributes of `<visual><quality>`.
    VisualQualityAttrs => VisualQuality {
        "shadowsize" => shadowsize: i32, "Size of the shadow map.";
        "offsamples" => offsamples: i32, "Samples of the off-screen buffer.";
        "numslices" => numslices: i32, "Slices of round shapes.";
        "numstacks" => numstacks: i32, "Stacks of round shapes.";
        "numquads" => numquads: i32, "Quads of boxes.";
    }

    /// Attributes of `<visual><headlight>`.
    VisualHeadlightAttrs => VisualHeadlight {
        "ambient" => ambient: [f32; 3], "Ambient colour.";
        "diffuse" => diffuse: [f32; 3], "Diffuse colour.";
        "specular" => specular: [f32; 3], "Specular colour.";
        "active" => active: i32, "Whether the headlight is on.";
    }

    /// Attributes of `<visual><map>`.
    VisualMapAttrs => VisualMap {
        "stiffness" => stiffness: f32, "Stiffness of the mouse spring.";
        "stiffnessrot" => stiffnessrot: f32, "Rotational stiffness of the mouse spring.";
        "force" => force: f32, "Scale of force arrows.";
        "torque" => torque: f32, "Scale of torque arrows.";
        "alpha" => alpha: f32, "Opacity of transparent geoms.";
        "fogstart" => fogstart: f32, "Where fog begins, in extents.";
        "fogend" => fogend: f32, "Where fog is complete, in extents.";
        "znear" => znear: f32, "Near plane, in extents.";
        "zfar" => zfar: f32, "Far plane, in extents.";
        "haze" => haze: f32, "Share of haze.";
        "shadowclip" => shadowclip: f32, "Reach of directional shadows.";
        "shadowscale" => shadowscale: f32, "Share of the cut-off that casts shadows.";
        "actuatortendon" => actuatortendon: f32, "Width of actuated tendons.";
    }

    /// Attributes of `<visual><scale>`.
    VisualScaleAttrs => VisualScale {
        "forcewidth" => forcewidth: f32, "Width of force arrows.";
        "contactwidth" => contactwidth: f32, "Width of contacts.";
        "contactheight" => contactheight: f32, "Height of contacts.";
        "connect" => connect: f32, "Width of connections.";
        "com" => com: f32, "Radius of centres of mass.";
        "camera" => camera: f32, "Size of cameras.";
        "light" => light: f32, "Size of lights.";
        "selectpoint" => selectpoint: f32, "Radius of the selection point.";
        "jointlength" => jointlength: f32, "Length of joints.";
        "jointwidth" => jointwidth: f32, "Width of joints.";
        "actuatorlength" => actuatorlength: f32, "Length of actuators.";
        "actuatorwidth" => actuatorwidth: f32, "Width of actuators.";
        "framelength" => framelength: f32, "Length of frame axes.";
        "framewidth" => framewidth: f32, "Width of frame axes.";
        "constraint" => constraint: f32, "Width of constraints.";
        "slidercrank" => slidercrank: f32, "Width of slider cranks.";
        "frustum" => frustum: f32, "Size of camera frustums.";
    }

    /// Attributes of `<visual><rgba>`.
    VisualRgbaAttrs => VisualRgba {
        "fog" => fog: [f32; 4], "Fog.";
        "haze" => haze: [f32; 4], "Haze.";
        "force" => force: [f32; 4], "External forces.";
        "inertia" => inertia: [f32; 4], "Inertia boxes.";
        "joint" => joint: [f32; 4], "Joints.";
        "actuator" => actuator: [f32; 4], "Actuators.";
        "actuatornegative" => actuatornegative: [f32; 4], "Actuators at their lower limit.";
        "actuatorpositive" => actuatorpositive: [f32; 4], "Actuators at their upper limit.";
        "com" => com: [f32; 4], "Centres of mass.";
        "camera" => camera: [f32; 4], "Cameras.";
        "light" => light: [f32; 4], "Lights.";
        "selectpoint" => selectpoint: [f32; 4], "Selection point.";
        "connect" => connect: [f32; 4], "Connections.";
        "contactpoint" => contactpoint: [f32; 4], "Contact points.";
        "contactforce" => contactforce: [f32; 4], "Contact forces.";
        "contactfriction" => contactfriction: [f32; 4], "Contact friction.";
        "contacttorque" => contacttorque: [f32; 4], "Contact torques.";
        "contactgap" => contactgap: [f32; 4], "Contacts in the gap.";
        "rangefinder" => rangefinder: [f32; 4], "Range finders.";
        "constraint" => constraint: [f32; 4], "Constraints.";
        "slidercrank" => slidercrank: [f32; 4], "Slider cranks.";
        "crankbroken" => crankbroken: [f32; 4], "Broken slider cranks.";
        "frustum" => frustum: [f32; 4], "Camera frustums.";
        "bv" => bv: [f32; 4], "Bounding volumes.";
        "bvactive" => bvactive: [f32; 4], "Active bounding volumes.";
    }
}
