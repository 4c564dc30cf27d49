//! The plugins that MuJoCo ships, built in under their names.
//!
//! The configuration of an instance is text in the model; it is read once, when a world is made.
mod cable;
mod config;
mod pid;
mod touch_grid;

use alloc::{string::String, vec::Vec};
use core::fmt;

use ferrodyn_collision::SdfShape;
use ferrodyn_model::{Model, Stage, Storage};

use crate::World;
use crate::contact::read_shape;
use crate::position::kinematics;
use crate::sensor::{apply_cutoff, prepare};
use cable::{Cable, CableConfig};
use config::Config;
use pid::Pid;
use touch_grid::TouchGrid;

/// The configuration of a plugin makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginError {
    /// The instance.
    pub instance: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plugin instance {}: {}", self.instance, self.message)
    }
}

impl core::error::Error for PluginError {}

/// What an instance does in a step.
#[derive(Clone, Debug)]
enum Instance {
    Pid(Pid),
    Cable(Cable),
    TouchGrid(TouchGrid),
    /// A distance field, which collision detection reads.
    Shape(SdfShape),
    /// Cannot work.
    Idle,
}

/// What the configuration of an instance says.
enum Settings {
    Pid(Pid),
    Cable(CableConfig),
    TouchGrid(TouchGrid),
    Shape(SdfShape),
    Idle,
}

/// The plugin instances of a model, ready for worlds.
#[derive(Clone, Debug, Default)]
pub struct Plugins {
    instances: Vec<Instance>,
}

fn settings(m: &Model<impl Storage>, instance: usize) -> Result<Settings, String> {
    let config = Config::new(m, instance);
    Ok(match config.plugin() {
        "mujoco.pid" => Settings::Pid(Pid::new(m, instance, &config)?),
        "mujoco.elasticity.cable" => Settings::Cable(CableConfig::new(m, instance, &config)?),
        "mujoco.sensor.touch_grid" => Settings::TouchGrid(TouchGrid::new(m, instance, &config)?),
        _ => read_shape(m, instance).map_or(Settings::Idle, Settings::Shape),
    })
}

/// Can all plugin instances of a model work?
pub fn check_plugins(m: &Model<impl Storage>) -> Result<(), PluginError> {
    for instance in 0..m.nplugin {
        settings(m, instance).map_err(|message| PluginError { instance, message })?;
    }
    Ok(())
}

impl Plugins {
    /// Read all configurations. Leaves the world at its reference pose where a plugin needs it.
    pub(crate) fn new(m: &Model<impl Storage>, d: &mut World<'_>) -> Plugins {
        let mut placed = false;
        let mut instances = Vec::with_capacity(m.nplugin);
        for i in 0..m.nplugin {
            instances.push(match settings(m, i) {
                Ok(Settings::Pid(pid)) => Instance::Pid(pid),
                Ok(Settings::TouchGrid(grid)) => Instance::TouchGrid(grid),
                Ok(Settings::Shape(shape)) => Instance::Shape(shape),
                Ok(Settings::Cable(config)) => {
                    if !placed {
                        d.qpos.copy_from_slice(&m.qpos0);
                        kinematics(m, d);
                        placed = true;
                    }
                    Instance::Cable(config.build(m, d))
                }
                Ok(Settings::Idle) | Err(_) => Instance::Idle,
            });
        }
        Plugins { instances }
    }

    pub(crate) fn count(&self) -> usize {
        self.instances.len()
    }

    /// The distance field of an instance, if it is one.
    pub(crate) fn shape(&self, instance: usize) -> Option<SdfShape> {
        match self.instances.get(instance)? {
            Instance::Shape(shape) => Some(*shape),
            _ => None,
        }
    }
}

/// Call a function with every instance and its number.
fn each<'a>(d: &mut World<'a>, mut call: impl FnMut(usize, &Instance, &mut World<'a>)) {
    for (i, instance) in d.plugins.instances.iter().enumerate() {
        call(i, instance, d);
    }
}

/// Rates of activation of actuator plugins.
pub(crate) fn activation_rates(m: &Model<impl Storage>, d: &mut World<'_>) {
    each(d, |_, instance, d| {
        if let Instance::Pid(pid) = instance {
            pid.activation_rates(m, d);
        }
    });
}

/// Forces of actuator plugins.
pub(crate) fn actuator_forces(m: &Model<impl Storage>, d: &mut World<'_>) {
    each(d, |_, instance, d| {
        if let Instance::Pid(pid) = instance {
            pid.forces(m, d);
        }
    });
}

/// Add the forces of passive plugins to `qfrc_passive`.
pub(crate) fn passive_forces(m: &Model<impl Storage>, d: &mut World<'_>) {
    each(d, |_, instance, d| {
        if let Instance::Cable(cable) = instance {
            cable.forces(m, d);
        }
    });
}

/// Values of the touch grids, which belong to the acceleration stage.
pub(crate) fn touch_grids(m: &Model<impl Storage>, d: &mut World<'_>) {
    each(d, |i, instance, d| {
        let Instance::TouchGrid(grid) = instance else { return };
        prepare(m, d, Stage::Acc);
        grid.compute(m, d);
        for sensor in 0..m.nsensor {
            let own = m.sensor_plugin[sensor] == i as i32;
            if own && m.sensor_stage(sensor) == Some(Stage::Acc) {
                apply_cutoff(m, sensor, &mut d.sensordata[m.sensor_values(sensor)]);
            }
        }
    });
}
