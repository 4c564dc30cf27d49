//! What lies outside the kinematic tree: skins, contacts, constraints, tendons, actuators, sensors.

use ferrodyn_model::{Model, Sizes};

use super::actuator::{self, Actuator, ActuatorCompiler, history_size};
use super::asset::Assets;
use super::contact::{self, Exclude, Pair};
use super::equality::{self, Equality};
use super::flex::{self, Flex, FlexCompiler};
use super::index::Index;
use super::objects::Objects;
use super::plugin::Plugins;
use super::resolve::Elements;
use super::sensor::{self, Sensor, SensorCompiler};
use super::settings::Settings;
use super::skin::{self, Skin};
use super::soft;
use super::tendon::{self, Tendon, TendonCompiler};
use super::tree::UserSizes;
use crate::defaults::DefaultResolver;
use crate::error::Sink;
use crate::spec::Spec;

/// Everything outside the tree, compiled.
#[derive(Clone, Debug)]
pub(super) struct Relations<'a> {
    pub(super) flexes: Vec<Flex<'a>>,
    skins: Vec<Skin>,
    /// Bodies in whose frames deformable bodies begin.
    soft_bodies: Vec<usize>,
    spec: &'a Spec,
    pub(super) pairs: Vec<Pair<'a>>,
    pub(super) excludes: Vec<Exclude<'a>>,
    pub(super) equalities: Vec<Equality>,
    pub(super) tendons: Vec<Tendon>,
    pub(super) actuators: Vec<Actuator>,
    pub(super) sensors: Vec<Sensor>,
}

impl<'a> Relations<'a> {
    pub(super) fn compile(
        spec: &'a Spec,
        settings: &[Settings],
        defaults: &DefaultResolver,
        elements: &Elements<'a>,
        index: &Index<'a>,
        objects: &Objects,
        assets: &Assets,
        plugins: &mut Plugins,
        user: UserSizes,
        sink: &mut Sink,
    ) -> Self {
        let flexes = FlexCompiler { spec, elements, objects, index, sink }.run();
        let skins = skin::skins(spec, index, sink);
        let soft_bodies = soft::bodies(spec, index, sink);
        let pairs = contact::pairs(spec, defaults, elements, index, sink);
        let excludes = contact::excludes(spec, index, sink);
        let equalities =
            equality::equalities(spec, defaults, index, &objects.joints, &flexes, sink);
        let tendons = TendonCompiler {
            spec,
            settings,
            defaults,
            index,
            geoms: &objects.geoms,
            nuser: user.tendon,
            sink,
        }
        .run();
        let actuators = ActuatorCompiler {
            spec,
            settings,
            defaults,
            index,
            joints: &objects.joints,
            tendons: &tendons,
            plugins,
            nuser: user.actuator,
            sink,
        }
        .run();
        let sensors = SensorCompiler {
            spec,
            defaults,
            index,
            objects,
            tendons: &tendons,
            plugins,
            mesh_vertices: &assets.mesh_vertices(),
            nuser: user.sensor,
            sink,
        }
        .run();
        Self {
            flexes,
            skins,
            soft_bodies,
            spec,
            pairs,
            excludes,
            equalities,
            tendons,
            actuators,
            sensors,
        }
    }

    /// Adds the sizes of the arrays.
    pub(super) fn add_sizes(&self, objects: &Objects, sizes: &mut Sizes) {
        flex::add_sizes(&self.flexes, objects, sizes);
        let sum =
            |numbers: &mut dyn Iterator<Item = usize>| numbers.fold(0_usize, usize::saturating_add);
        skin::add_sizes(&self.skins, sizes);
        soft::add_sizes(self.spec, sizes);
        sizes.npair = self.pairs.len();
        sizes.nexclude = self.excludes.len();
        sizes.neq = self.equalities.len();
        sizes.nemax = equality::rows(&self.equalities);
        sizes.ntendon = self.tendons.len();
        sizes.nwrap = sum(&mut self.tendons.iter().map(|t| t.path.len()));
        sizes.nu = self.actuators.len();
        sizes.na = sum(&mut self.actuators.iter().map(|a| a.values.actdim.max(0) as usize));
        sizes.nsensor = self.sensors.len();
        sizes.nsensordata = sum(&mut self.sensors.iter().map(|s| s.dim));
        let actuators = self.actuators.iter().map(|a| history_size(a.values.nsample, 1));
        let sensors =
            self.sensors.iter().map(|s| history_size(s.attr.or_default().nsample(), s.dim));
        sizes.nhistory = sum(&mut actuators.chain(sensors));
    }

    /// Fills the arrays.
    pub(super) fn fill(&self, m: &mut Model, objects: &Objects) {
        flex::fill(m, &self.flexes, objects);
        skin::fill(m, &self.skins);
        soft::fill(m, self.spec, &self.soft_bodies);
        contact::fill(m, &self.pairs, &self.excludes);
        equality::fill(m, &self.equalities);
        tendon::fill(m, &self.tendons);
        let history = actuator::fill(m, &self.actuators);
        sensor::fill(m, &self.sensors, history);
    }
}
