//! Rows of the settings of a model, of custom data and of keyframes.

use ferrodyn_model::{
    Cone, DisableBit, EnableBit, Integrator, JacobianType, ObjType, Options, Solver, Statistic,
};

use super::{NONE, attributes};
use crate::keywords::{AngleUnit, Coordinate, LengthRangeMode, Tristate};
use crate::values::{EulerSequence, GroupMask, MemorySize, Partial, Switch};

attributes! {
    /// Attributes of `<compiler>`.
    CompilerAttrs {
        "autolimits" => autolimits: bool = true, "Whether a range makes a limit.";
        "boundmass" => boundmass: f64 = 0.0, "Smallest mass of a body, in kg.";
        "boundinertia" => boundinertia: f64 = 0.0, "Smallest moment of inertia of a body, in kg m².";
        "settotalmass" => settotalmass: f64 = -1.0, "Total mass that the model is scaled to, in kg.";
        "balanceinertia" => balanceinertia: bool = false, "Whether impossible inertias are averaged.";
        "strippath" => strippath: bool = false, "Whether directories of file names are dropped.";
        "coordinate" => coordinate: Coordinate, "Coordinates of the model.";
        "angle" => angle: AngleUnit = AngleUnit::Degree, "Unit of angles.";
        "fitaabb" => fitaabb: bool = false, "Whether shapes are fitted to the box of a mesh.";
        "eulerseq" => eulerseq: EulerSequence = *b"xyz", "Order of the axes of euler angles.";
        "meshdir" => meshdir: String = NONE, "Directory of meshes and height fields.";
        "texturedir" => texturedir: String = NONE, "Directory of textures.";
        "assetdir" => assetdir: String, "Directory of both.";
        "discardvisual" => discardvisual: bool = false, "Whether what cannot collide is left out.";
        "usethread" => usethread: bool = true, "Whether compilation may use threads.";
        "fusestatic" => fusestatic: bool = false, "Whether bodies without joints join their parents.";
        "inertiafromgeom" => inertiafromgeom: Tristate = Tristate::Auto, "Whether inertias come from geoms.";
        "inertiagrouprange" => inertiagrouprange: [i32; 2] = [0, 5], "Groups of geoms that have inertia.";
        "saveinertial" => saveinertial: bool = false, "Whether saved models state inertias.";
        "alignfree" => alignfree: bool = false, "Whether free bodies are aligned with their inertia.";
    }

    /// Attributes of `<compiler><lengthrange>`.
    LengthRangeAttrs {
        "mode" => mode: LengthRangeMode = LengthRangeMode::Muscle, "Which actuators get a length range.";
        "useexisting" => useexisting: bool = true, "Whether given ranges are kept.";
        "uselimit" => uselimit: bool = false, "Whether joint limits are used.";
        "accel" => accel: f64 = 20.0, "Target acceleration.";
        "maxforce" => maxforce: f64 = 0.0, "Largest force.";
        "timeconst" => timeconst: f64 = 1.0, "Time constant of the velocity, in s.";
        "timestep" => timestep: f64 = 0.01, "Step, in s.";
        "inttotal" => inttotal: f64 = 10.0, "Total time, in s.";
        "interval" => interval: f64 = 2.0, "Time at the end that is evaluated, in s.";
        "tolrange" => tolrange: f64 = 0.05, "Convergence tolerance.";
    }

    /// Attributes of `<option>`.
    OptionAttrs => Options {
        "timestep" => timestep: f64, "Step in s.";
        "impratio" => impratio: f64, "Ratio of frictional to normal impedance.";
        "tolerance" => tolerance: f64, "Tolerance of the main solver.";
        "ls_tolerance" => ls_tolerance: f64, "Tolerance of the line search.";
        "noslip_tolerance" => noslip_tolerance: f64, "Tolerance of the noslip solver.";
        "ccd_tolerance" => ccd_tolerance: f64, "Tolerance of convex collision.";
        "sleep_tolerance" => sleep_tolerance: f64, "Velocity below which a tree may sleep.";
        "gravity" => gravity: [f64; 3], "Gravity in m/s².";
        "wind" => wind: [f64; 3], "Velocity of the medium in m/s.";
        "magnetic" => magnetic: [f64; 3], "Magnetic flux.";
        "density" => density: f64, "Density of the medium.";
        "viscosity" => viscosity: f64, "Viscosity of the medium.";
        "o_margin" => o_margin: f64, "Override of the contact margin.";
        "o_solref" => o_solref: Partial<2>, "Override of the contact reference.";
        "o_solimp" => o_solimp: Partial<5>, "Override of the contact impedance.";
        "o_friction" => o_friction: Partial<5>, "Override of the contact friction.";
        "integrator" | "ferrodyn:integrator" => integrator: Integrator, "Numerical integrator.";
        "cone" => cone: Cone, "Friction cone.";
        "jacobian" => jacobian: JacobianType, "Storage of the Jacobian.";
        "solver" | "ferrodyn:solver" => solver: Solver, "Constraint solver.";
        "iterations" => iterations: i32, "Most iterations of the main solver.";
        "ls_iterations" => ls_iterations: i32, "Most iterations of the line search.";
        "noslip_iterations" => noslip_iterations: i32, "Most iterations of the noslip solver.";
        "ccd_iterations" => ccd_iterations: i32, "Most iterations of convex collision.";
        "sdf_iterations" => sdf_iterations: i32, "Most iterations of distance fields.";
        "sdf_initpoints" => sdf_initpoints: i32, "Starting points of distance fields.";
        "ferrodyn:deformable_condim" => deformable_condim: i32, "Dimension of contacts of deformable bodies.";
        "ferrodyn:deformable_solref" => deformable_solref: Partial<2>, "Reference of contacts of deformable bodies.";
        "ferrodyn:deformable_solimp" => deformable_solimp: Partial<5>, "Impedance of contacts of deformable bodies.";
        "ferrodyn:deformable_iterations" => deformable_iterations: i32, "How often a step looks for contacts of deformable bodies.";
        "ferrodyn:xpbd_substeps" => xpbd_substeps: i32, "Substeps of position-based contacts.";
        "ferrodyn:xpbd_iterations" => xpbd_iterations: i32, "Sweeps over the contacts in each of their substeps.";
        "actuatorgroupdisable" => actuatorgroupdisable: GroupMask as disableactuator, "Actuator groups that are off.";
    }

    /// Attributes of `<option><flag>`.
    FlagAttrs {
        "constraint" => constraint: Switch, "All constraints.";
        "equality" => equality: Switch, "Equality constraints.";
        "frictionloss" => frictionloss: Switch, "Dry friction.";
        "limit" => limit: Switch, "Limits.";
        "contact" => contact: Switch, "Contacts.";
        "spring" => spring: Switch, "Springs.";
        "damper" => damper: Switch, "Dampers.";
        "gravity" => gravity: Switch, "Gravity.";
        "clampctrl" => clampctrl: Switch, "Clamping of controls.";
        "warmstart" => warmstart: Switch, "Warm start of the solver.";
        "filterparent" => filterparent: Switch, "No collisions between parent and child.";
        "actuation" => actuation: Switch, "Actuators.";
        "refsafe" => refsafe: Switch, "Safe reference time constants.";
        "sensor" => sensor: Switch, "Sensors.";
        "midphase" => midphase: Switch, "Bounding volumes within bodies.";
        "eulerdamp" => eulerdamp: Switch, "Implicit damping in the Euler integrator.";
        "autoreset" => autoreset: Switch, "Reset of diverged simulations.";
        "nativeccd" => nativeccd: Switch, "Native convex collision.";
        "island" => island: Switch, "Solving by islands.";
        "override" => overrides: Switch, "Override of contact parameters.";
        "energy" => energy: Switch, "Computation of energies.";
        "fwdinv" => fwdinv: Switch, "Comparison of forward and inverse dynamics.";
        "invdiscrete" => invdiscrete: Switch, "Inverse dynamics for discrete time.";
        "multiccd" => multiccd: Switch, "Several contacts per convex pair.";
        "sleep" => sleep: Switch, "Sleeping of resting trees.";
    }

    /// Attributes of `<size>`.
    SizeAttrs {
        "memory" => memory: MemorySize, "Memory for one world, in bytes.";
        "njmax" => njmax: i32 = -1, "Most constraint rows; a hint.";
        "nconmax" => nconmax: i32 = -1, "Most contacts; a hint.";
        "nstack" => nstack: i32, "Size of the stack, in numbers; a hint.";
        "nuserdata" => nuserdata: i32 = 0, "Numbers of user data in a world.";
        "nkey" => nkey: i32 = 0, "Keyframes at least.";
        "nuser_body" => nuser_body: i32, "Numbers of user data per body.";
        "nuser_jnt" => nuser_jnt: i32, "Numbers of user data per joint.";
        "nuser_geom" => nuser_geom: i32, "Numbers of user data per geom.";
        "nuser_site" => nuser_site: i32, "Numbers of user data per site.";
        "nuser_cam" => nuser_cam: i32, "Numbers of user data per camera.";
        "nuser_tendon" => nuser_tendon: i32, "Numbers of user data per tendon.";
        "nuser_actuator" => nuser_actuator: i32, "Numbers of user data per actuator.";
        "nuser_sensor" => nuser_sensor: i32, "Numbers of user data per sensor.";
    }

    /// Attributes of `<statistic>`.
    StatisticAttrs => Statistic {
        "meaninertia" => meaninertia: f64, "Mean diagonal of the inertia matrix.";
        "meanmass" => meanmass: f64, "Mean body mass in kg.";
        "meansize" => meansize: f64, "Mean body size in m.";
        "extent" => extent: f64, "Size of the model in m.";
        "center" => center: [f64; 3], "Centre of the model.";
    }

    /// Attributes of `<custom><numeric>`.
    NumericAttrs {
        "size" => size: i32 = 0, "How many numbers there are.";
        "data" => data: Vec<f64> = Vec::new(), "The first of the numbers.";
    }

    /// Attributes of `<custom><text>`.
    TextAttrs {
        "data" => data: String = NONE, "The text.";
    }

    /// Attributes of `<custom><tuple><element>`.
    ElementAttrs {
        "objtype" => objtype: ObjType = ObjType::Unknown, "Type of the object.";
        "objname" => objname: String, "Name of the object.";
        "prm" => prm: f64 = 0.0 => tuple_objprm, "A number.";
    }

    /// Attributes of `<keyframe><key>`.
    KeyAttrs {
        "time" => time: f64 = 0.0 => key_time, "Time in s.";
        "qpos" => qpos: Vec<f64> = Vec::new(), "Positions.";
        "qvel" => qvel: Vec<f64> = Vec::new(), "Velocities.";
        "act" => act: Vec<f64> = Vec::new(), "Activations.";
        "mpos" => mpos: Vec<f64> = Vec::new(), "Positions of mocap bodies.";
        "mquat" => mquat: Vec<f64> = Vec::new(), "Orientations of mocap bodies.";
        "ctrl" => ctrl: Vec<f64> = Vec::new(), "Controls.";
    }
}

impl FlagAttrs {
    /// The switches that take something away where they are off, and their bits.
    pub(crate) fn disabling(&mut self) -> [(&mut Option<Switch>, DisableBit); 19] {
        [
            (&mut self.constraint, DisableBit::Constraint),
            (&mut self.equality, DisableBit::Equality),
            (&mut self.frictionloss, DisableBit::FrictionLoss),
            (&mut self.limit, DisableBit::Limit),
            (&mut self.contact, DisableBit::Contact),
            (&mut self.spring, DisableBit::Spring),
            (&mut self.damper, DisableBit::Damper),
            (&mut self.gravity, DisableBit::Gravity),
            (&mut self.clampctrl, DisableBit::ClampCtrl),
            (&mut self.warmstart, DisableBit::Warmstart),
            (&mut self.filterparent, DisableBit::FilterParent),
            (&mut self.actuation, DisableBit::Actuation),
            (&mut self.refsafe, DisableBit::RefSafe),
            (&mut self.sensor, DisableBit::Sensor),
            (&mut self.midphase, DisableBit::Midphase),
            (&mut self.eulerdamp, DisableBit::EulerDamp),
            (&mut self.autoreset, DisableBit::AutoReset),
            (&mut self.nativeccd, DisableBit::NativeCcd),
            (&mut self.island, DisableBit::Island),
        ]
    }

    /// The switches that add something where they are on, and their bits.
    pub(crate) fn enabling(&mut self) -> [(&mut Option<Switch>, EnableBit); 6] {
        [
            (&mut self.overrides, EnableBit::Override),
            (&mut self.energy, EnableBit::Energy),
            (&mut self.fwdinv, EnableBit::FwdInv),
            (&mut self.invdiscrete, EnableBit::InvDiscrete),
            (&mut self.multiccd, EnableBit::MultiCcd),
            (&mut self.sleep, EnableBit::Sleep),
        ]
    }
}
