//! The plugins that MuJoCo ships, which are built in here under their names.

/// What a plugin can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Computes the force of actuators.
    Actuator,
    /// Computes the values of sensors.
    Sensor,
    /// Adds passive forces to bodies.
    Passive,
    /// Is a signed distance field.
    Sdf,
}

/// A plugin.
#[derive(Clone, Copy, Debug)]
pub struct Plugin {
    /// Its name.
    pub name: &'static str,
    /// What it can do.
    pub capability: Capability,
    /// The keys of its configuration.
    pub keys: &'static [&'static str],
}

/// All plugins, in the order of their registration.
pub const PLUGINS: &[Plugin] = &[
    Plugin {
        name: "mujoco.pid",
        capability: Capability::Actuator,
        keys: &["kp", "ki", "kd", "imax", "slewmax"],
    },
    Plugin {
        name: "mujoco.elasticity.cable",
        capability: Capability::Passive,
        keys: &["twist", "bend", "flat", "vmax"],
    },
    Plugin {
        name: "mujoco.sensor.touch_grid",
        capability: Capability::Sensor,
        keys: &["nchannel", "size", "fov", "gamma"],
    },
    Plugin { name: "mujoco.sdf.bolt", capability: Capability::Sdf, keys: &["radius"] },
    Plugin {
        name: "mujoco.sdf.bowl",
        capability: Capability::Sdf,
        keys: &["height", "radius", "thickness"],
    },
    Plugin {
        name: "mujoco.sdf.gear",
        capability: Capability::Sdf,
        keys: &["alpha", "diameter", "teeth", "thickness", "innerdiameter"],
    },
    Plugin { name: "mujoco.sdf.nut", capability: Capability::Sdf, keys: &["radius"] },
    Plugin { name: "mujoco.sdf.torus", capability: Capability::Sdf, keys: &["radius1", "radius2"] },
];

/// The slot and the plugin with this name.
pub fn find(name: &str) -> Option<(usize, &'static Plugin)> {
    PLUGINS.iter().enumerate().find(|(_, p)| p.name == name)
}
