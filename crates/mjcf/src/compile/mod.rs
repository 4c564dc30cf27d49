//! Compiles a [`Spec`] into a [`Model`]: what `mjCModel::TryCompile` is in MuJoCo.
//!
//! In this order:
//!
//! | what | where | MuJoCo (`user_model.cc`, `user_objects.cc`, `user_mesh.cc`) |
//! |---|---|---|
//! | defaults over elements, in the order of the model | `resolve` | `mjCDef`, `MakeTreeLists` |
//! | numbers of user data | `user_sizes` | `SetNuser` |
//! | names to numbers | `index` | `IndexAssets`, `ProcessLists`, `ResolveReferences` |
//! | meshes, height fields, textures, materials | `asset`, `mesh` | `CompileMeshesAndTextures`, `mjCHField::Compile` |
//! | bodies and what lies in them | `tree`, `body`, `geom`, `camera` | `mjCBody::Compile`, `mjCGeom::Compile`, ... |
//! | fixed bodies into their parents | `fuse` | `FuseStatic` |
//! | what only shows left out | `discard` | `discardvisual`, in `IndexAssets` |
//! | contacts, constraints, tendons, actuators, sensors | `relations` and its parts | `Compile` of each |
//! | sizes, names, arrays | `model_sizes`, `names`, `fill`, `custom` | `SetSizes`, `CopyNames`, `CopyTree`, `CopyObjects` |
//! | masses to a total | `scale_mass` | `mj_setTotalmass` |
//! | constants | `ferrodyn_dynamics::constants` | `mj_setConst` |
//! | springs of a time constant, length ranges | `match_springs`, `length_range` | `AutoSpringDamper`, `LengthRange` |

mod actuator;
mod asset;
mod body;
mod camera;
mod contact;
mod custom;
mod discard;
mod equality;
mod file_reader;
mod fill;
mod flex;
mod fuse;
mod geom;
mod index;
mod length_range;
mod mesh;
mod names;
mod objects;
mod plugin;
mod relations;
mod resolve;
mod sensor;
mod settings;
mod shape;
mod skin;
mod soft;
mod sparse;
mod tendon;
mod tree;

use ferrodyn_dynamics::StepError;
use ferrodyn_math::{MIN_VAL, Real};
use ferrodyn_model::{EnableBit, Model, Sizes, SleepPolicy};

use self::asset::Assets;
use self::index::Index;
use self::names::Names;
use self::objects::Objects;
use self::plugin::Plugins;
use self::relations::Relations;
use self::resolve::Elements;
use self::settings::Settings;
pub use self::settings::flags_to_bits;
use self::tree::{TreeCompiler, UserSizes, problem};
use crate::defaults::DefaultResolver;
use crate::error::{Diagnostic, DiagnosticKind, MjcfError, Problem, Sink};
use crate::schema::Settings as _;
use crate::spec::{MAIN_CLASS, Object, Spec};

/// The most bodies of a model, MuJoCo's number: two of them share 32 bits in `pair_signature` and `exclude_signature`.
const MAX_BODIES: usize = 65533;

/// A compiled model, with what was accepted but is probably a mistake.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compiled {
    /// The model.
    pub model: Model,
    /// Warnings of the text and of its compilation.
    pub warnings: Vec<Diagnostic>,
}

impl Spec {
    /// Compiles the model. Every problem is reported, not only the first.
    pub fn compile(&self) -> Result<Compiled, MjcfError> {
        let mut sink = Sink::default();
        let model = compile(&*self.prepared()?, &mut sink);
        let mut warnings = self.warnings.clone();
        warnings.extend(sink.finish(&self.files)?);
        match model {
            Some(model) => Ok(Compiled { model, warnings }),
            None => {
                let message = "the model could not be compiled";
                let problem = Problem::new(DiagnosticKind::Model, message);
                Err(MjcfError { diagnostics: vec![problem.finish(&self.files)], omitted: 0 })
            }
        }
    }
}

/// The model, or none if a problem was reported.
fn compile(spec: &Spec, sink: &mut Sink) -> Option<Model> {
    let budget = |sink: &mut Sink, message: String| {
        sink.error(Problem::new(DiagnosticKind::Budget, message));
        None
    };
    if spec.bodies.len() > MAX_BODIES {
        return budget(sink, format!("more than {MAX_BODIES} bodies"));
    }
    let nkey =
        spec.keys.len().max(positive(spec.size.or_default().nkey())) + spec.pending_keys.len();
    if nkey > spec.options.budget.array {
        return budget(sink, format!("{nkey} keyframes are more than the budget allows"));
    }
    let settings = Settings::of_origins(spec);
    let defaults = DefaultResolver::new(spec);
    let mut elements = Elements::new(spec, &defaults);
    let user = user_sizes(spec, &elements, &defaults);
    let vis = settings::visual(spec);
    let asset_names = asset::names(spec, sink);
    let mut index = Index::new(spec, &elements, &asset_names, sink);
    let mut plugins = Plugins::new(spec);
    let mut assets = Assets::compile(spec, &defaults, &elements, &index, &asset_names, sink);
    let mut objects = TreeCompiler {
        spec,
        settings: &settings,
        elements: &elements,
        user,
        index: &index,
        assets: &assets,
        plugins: &mut plugins,
        znear: vis.map.znear,
        sink,
        frames: Vec::new(),
        objects: Objects::default(),
    }
    .run();
    if sink.has_errors() {
        return None;
    }
    let mut spare_nodes = 0;
    if settings[0].fusestatic {
        match fuse::fuse_static(spec, &mut elements, &mut objects, &mut index) {
            Ok(spare) => spare_nodes = spare,
            Err(message) => {
                sink.error(Problem::new(DiagnosticKind::Model, message));
                return None;
            }
        }
    }
    if settings[0].discardvisual {
        discard::discard_visual(spec, &mut elements, &mut objects, &mut assets, &mut index);
    }
    let relations = Relations::compile(
        spec,
        &settings,
        &defaults,
        &elements,
        &index,
        &objects,
        &assets,
        &mut plugins,
        user,
        sink,
    );
    // masses mean something only when everything that has mass is in order
    if !sink.has_errors() {
        check_moving_masses(spec, &elements, &objects, sink);
    }
    let configurations = plugins.configurations(sink);
    if sink.has_errors() {
        return None;
    }

    let names = all_names(spec, &elements, &objects, &assets, &relations, &plugins, nkey);
    let mut sizes = model_sizes(spec, &elements, &objects, user, &names, nkey);
    relations.add_sizes(&objects, &mut sizes);
    assets.add_sizes(&mut sizes);
    sizes.nbvh += spare_nodes;
    sizes.nbvhstatic += spare_nodes;
    sizes.nplugin = plugins.len();
    sizes.npluginattr = configurations.iter().map(Vec::len).sum();
    let largest = Model::layout(&sizes)
        .iter()
        .map(|a| (a.rows.saturating_mul(a.cols.unwrap_or(1)), a.name))
        .chain([(sizes.nuserdata, "userdata"), (sizes.nsensordata, "sensordata")])
        .chain([(sizes.nhistory, "history")])
        .max();
    if let Some((length, name)) = largest.filter(|(length, _)| *length > spec.options.budget.array)
    {
        return budget(
            sink,
            format!("{length} values in '{name}' are more than the budget allows"),
        );
    }

    let mut m = Model::zeroed(sizes);
    m.opt = settings::options(spec);
    m.vis = vis;
    names.fill(&mut m);
    fill::fill_tree(&mut m, spec, &elements, &objects, sink);
    assets.fill(&mut m);
    relations.fill(&mut m, &objects);
    plugin::fill(&mut m, &plugins, &configurations);
    fill::fill_simple_runs(&mut m);
    custom::fill_custom(&mut m, spec);
    custom::fill_tuples(&mut m, spec, &index, sink);
    custom::fill_keys(&mut m, spec, &elements, &objects, sink);
    m.sizes.nJmom = actuator::moment_entries(&m);
    m.fill_patterns();
    if settings[0].settotalmass > 0.0 {
        scale_mass(&mut m, settings[0].settotalmass);
    }
    m.signature = names::signature(&elements, &m);
    flex::check_planes(&m, spec, sink);
    soft::check(&m, spec, sink);
    if sink.has_errors() {
        return None;
    }
    ferrodyn_dynamics::constants::set_const(&mut m);
    flex::check_rest(&m, spec, sink);
    match_springs(&mut m, &elements);
    length_range::fill(&mut m, spec, sink);
    check_sleep(&m, spec, sink);
    plugins.check(&m, sink);
    if sink.has_errors() {
        return None;
    }
    // what the text states replaces what was computed
    spec.statistic.write_given(&mut m.stat);
    check_begin_asleep(&m, spec, &objects, sink);
    if sink.has_errors() {
        return None;
    }
    Some(m)
}

/// The names of all objects, in MuJoCo's order.
fn all_names(
    spec: &Spec,
    elements: &Elements<'_>,
    objects: &Objects,
    assets: &Assets,
    relations: &Relations<'_>,
    plugins: &Plugins,
    nkey: usize,
) -> Names {
    fn of<A>(list: &[Object<A>]) -> Vec<&str> {
        list.iter().map(|o| o.name.as_str()).collect()
    }
    let mut lists: Vec<Vec<&str>> = vec![
        objects.bodies.iter().map(|b| spec.bodies[b.source].name.as_str()).collect(),
        elements.joints.items.iter().map(|e| e.name).collect(),
        elements.geoms.items.iter().map(|e| e.name).collect(),
        elements.sites.items.iter().map(|e| e.name).collect(),
        elements.cameras.items.iter().map(|e| e.name).collect(),
        elements.lights.items.iter().map(|e| e.name).collect(),
        of(&spec.flexes),
    ];
    let named = &assets.names;
    for names in [&named.meshes, &named.skins, &named.hfields, &named.textures, &named.materials] {
        lists.push(names.iter().map(String::as_str).collect());
    }
    lists.extend([
        relations.pairs.iter().map(|p| p.name).collect(),
        relations.excludes.iter().map(|e| e.name).collect(),
        of(&spec.equalities),
        of(&spec.tendons),
        of(&spec.actuators),
        of(&spec.sensors),
        of(&spec.numerics),
        of(&spec.texts),
        of(&spec.tuples),
    ]);
    let mut keys = of(&spec.keys);
    keys.resize(nkey - spec.pending_keys.len(), "");
    keys.extend(spec.pending_keys.iter().map(|k| k.name.as_str()));
    lists.push(keys);
    lists.push(plugins.names());
    Names::new(spec.model_name.as_deref().unwrap_or("MuJoCo Model"), &lists)
}

fn positive(n: i32) -> usize {
    usize::try_from(n).unwrap_or(0)
}

/// Numbers of user data: as stated, or as many as an object has.
fn user_sizes(spec: &Spec, elements: &Elements<'_>, defaults: &DefaultResolver) -> UserSizes {
    let length = |user: &Option<Vec<f64>>| user.as_ref().map_or(0, Vec::len);
    let size = |stated: Option<i32>, most: usize| match stated {
        Some(n) if n >= 0 => n as usize,
        _ => most,
    };
    let bodies = spec.bodies.iter().map(|b| length(&b.attr.user)).max().unwrap_or(0);
    let most = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let tendons = most(&mut spec.tendons.iter().map(|t| {
        let attr = defaults.apply_to_tendon(t.class_name(), &t.attr.attr);
        length(&attr.user)
    }));
    let actuators = most(&mut spec.actuators.iter().map(|a| {
        let class = &defaults.get_defaults(a.class_name()).actuator.user;
        a.attr.attr.user.as_ref().unwrap_or(class).len()
    }));
    let sensors = most(
        &mut spec
            .sensors
            .iter()
            .map(|s| length(&defaults.apply_to_sensor(MAIN_CLASS, &s.attr.attr).user)),
    );
    UserSizes {
        body: size(spec.size.nuser_body, bodies),
        jnt: size(spec.size.nuser_jnt, elements.joints.most(|j| length(&j.attr.user))),
        geom: size(spec.size.nuser_geom, elements.geoms.most(|g| length(&g.user))),
        site: size(spec.size.nuser_site, elements.sites.most(|s| length(&s.user))),
        cam: size(spec.size.nuser_cam, elements.cameras.most(|c| length(&c.user))),
        tendon: size(spec.size.nuser_tendon, tendons),
        actuator: size(spec.size.nuser_actuator, actuators),
        sensor: size(spec.size.nuser_sensor, sensors),
    }
}

/// A body with joints must have mass and inertia, or be fixed to one that has.
fn check_moving_masses(spec: &Spec, elements: &Elements<'_>, objects: &Objects, sink: &mut Sink) {
    let least = crate::pose::double(MIN_VAL);
    let mut heavy: Vec<bool> = objects
        .bodies
        .iter()
        .map(|b| b.mass >= least && b.inertia.iter().all(|x| *x >= least))
        .collect();
    for i in (1..heavy.len()).rev() {
        let moves = !elements.joints.of_body(i).is_empty();
        if heavy[i] && !moves {
            heavy[objects.bodies[i].parent] = true;
        } else if moves && !heavy[i] {
            let body = &spec.bodies[objects.bodies[i].source];
            let message = "a body with joints must have mass and inertia";
            sink.error(problem("body", &body.name, body.span, message));
        }
    }
}

fn model_sizes(
    spec: &Spec,
    elements: &Elements<'_>,
    objects: &Objects,
    user: UserSizes,
    names: &Names,
    nkey: usize,
) -> Sizes {
    let parents: Vec<usize> = objects.bodies.iter().map(|b| b.parent).collect();
    let dofs: Vec<usize> = objects.bodies.iter().map(|b| b.dofnum).collect();
    let sparse = sparse::sparse_sizes(&parents, &dofs);
    let nbvh = objects.bodies.iter().map(|b| b.bvh.nodeid.len()).sum();
    // a tree begins where a body with joints hangs on the world by fixed bodies only
    let ntree =
        (1..parents.len()).filter(|&i| dofs[i] > 0 && objects.bodies[parents[i]].weld == 0).count();
    Sizes {
        nq: objects.joints.iter().map(|j| j.kind.nq()).sum(),
        nv: dofs.iter().sum(),
        nbody: objects.bodies.len(),
        nbvh,
        nbvhstatic: nbvh,
        njnt: objects.joints.len(),
        ntree,
        nM: sparse.nM,
        nB: sparse.nB,
        nD: sparse.nD,
        ngeom: elements.geoms.items.len(),
        nsite: elements.sites.items.len(),
        ncam: elements.cameras.items.len(),
        nlight: elements.lights.items.len(),
        nnumeric: spec.numerics.len(),
        nnumericdata: spec.numerics.iter().map(|n| custom::numeric_size(&n.attr)).sum(),
        ntext: spec.texts.len(),
        ntextdata: spec.texts.iter().map(|t| t.attr.data.as_ref().map_or(0, String::len) + 1).sum(),
        ntuple: spec.tuples.len(),
        ntupledata: spec.tuples.iter().map(|t| t.attr.len()).sum(),
        nkey,
        nmocap: (objects.bodies.iter())
            .filter(|b| spec.bodies[b.source].attr.or_default().mocap())
            .count(),
        nuser_body: user.body,
        nuser_jnt: user.jnt,
        nuser_geom: user.geom,
        nuser_site: user.site,
        nuser_cam: user.cam,
        nuser_tendon: user.tendon,
        nuser_actuator: user.actuator,
        nuser_sensor: user.sensor,
        nnames: names.bytes(),
        nnames_map: names.slots(),
        nuserdata: positive(spec.size.or_default().nuserdata()),
        njmax: i64::from(spec.size.or_default().njmax()),
        nconmax: i64::from(spec.size.or_default().nconmax()),
        ..Sizes::default()
    }
}

/// A tree that a tendon ties to others by springs or dampers cannot be put to sleep.
fn check_sleep(m: &Model, spec: &Spec, sink: &mut Sink) {
    let asked = [SleepPolicy::Allowed as i32, SleepPolicy::Init as i32];
    for t in 0..m.ntendon {
        let trees = m.tendon_treenum[t];
        let passive = m.tendon_stiffness[t] != 0.0 || m.tendon_damping[t] != 0.0;
        if trees < 2 || (trees == 2 && !passive) {
            continue;
        }
        // of more than two trees only the first two are listed, which is enough to name one
        let sleeps = |tree: &&i32| asked.contains(&m.tree_sleep_policy[**tree as usize]);
        let listed = m.tendon_treeid[t].iter().filter(|tree| **tree >= 0);
        if listed.clone().any(|tree| sleeps(&tree)) {
            let message = "the tendon connects a tree that is allowed to sleep to others";
            let tendon = &spec.tendons[t];
            sink.error(problem("tendon", &tendon.name, tendon.span, message));
        }
    }
}

/// A tree that should begin asleep must not touch one that begins awake.
fn check_begin_asleep(m: &Model, spec: &Spec, objects: &Objects, sink: &mut Sink) {
    if !m.opt.enabled(EnableBit::Sleep)
        || !m.tree_sleep_policy.contains(&(SleepPolicy::Init as i32))
    {
        return;
    }
    match ferrodyn_dynamics::OwnedWorld::try_new(m) {
        Ok(_) => {}
        Err(StepError::CannotSleep { asked, slept, body }) => {
            let body = &spec.bodies[objects.bodies[body].source];
            let message = format!(
                "{asked} trees should begin asleep but only {slept} can; the tree of this body cannot"
            );
            sink.error(problem("body", &body.name, body.span, &message));
        }
        Err(error) => sink.error(Problem::new(DiagnosticKind::Model, error.to_string())),
    }
}

/// Scales all masses and inertias to a total mass.
fn scale_mass(m: &mut Model, total: f64) {
    let present: Real = m.body_mass[1..].iter().sum();
    let scale = (total as Real / present.max(MIN_VAL)).max(MIN_VAL);
    for i in 1..m.nbody {
        m.body_mass[i] *= scale;
        for x in &mut m.body_inertia[i].0 {
            *x *= scale;
        }
    }
}

/// Gives joints with a `springdamper` the stiffness and damping that suit their inertia.
fn match_springs(m: &mut Model, elements: &Elements<'_>) {
    for (j, (item, adr)) in elements.joints.items.iter().zip(m.jnt_dofadr.iter()).enumerate() {
        let attr = item.attr.attr.or_default();
        let [timeconst, dampratio] = attr.springdamper();
        if timeconst <= 0.0 || dampratio <= 0.0 {
            continue;
        }
        let kind = attr.kind();
        let dofs = *adr as usize..*adr as usize + kind.nv();
        let weight: Real = m.dof_invweight0[dofs.clone()].iter().sum();
        let inertia = kind.nv() as Real / weight.max(MIN_VAL);
        let (timeconst, dampratio) = (timeconst as Real, dampratio as Real);
        m.jnt_stiffness[j] = inertia / (timeconst * timeconst * dampratio * dampratio).max(MIN_VAL);
        m.dof_damping[dofs].fill(2.0 * inertia / timeconst.max(MIN_VAL));
    }
}
