//! Compiles a [`Spec`] into a [`Model`].

mod body;
mod bvh;
mod camera;
mod custom;
mod fill;
mod geom;
mod names;
mod objects;
mod pose;
mod resolve;
mod settings;
mod shape;
mod sparse;
mod tree;
mod unsimulated;

use std::collections::BTreeMap;

use ferrodyn_math::{MIN_VAL, Real};
use ferrodyn_model::{JointType, Model, Sizes};

use self::names::Names;
use self::objects::Objects;
use self::resolve::Elements;
use self::settings::Settings;
use self::tree::{TreeCompiler, UserSizes, problem};
use crate::error::{Diagnostic, DiagnosticKind, MjcfError, Problem, Sink};
use crate::spec::Spec;

/// Bodies and flexes share one range of numbers in contact pairs.
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
        let model = compile(self, &mut sink);
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
    let nkey = spec.keys.len().max(positive(spec.size.nkey));
    if nkey > spec.budget.array {
        return budget(sink, format!("{nkey} keyframes are more than the budget allows"));
    }
    let settings = Settings::new(spec);
    let elements = Elements::new(spec);
    let user = user_sizes(spec, &elements);
    let body_ids: BTreeMap<&str, usize> = spec
        .bodies
        .iter()
        .enumerate()
        .filter(|(_, b)| !b.name.is_empty())
        .map(|(i, b)| (b.name.as_str(), i))
        .collect();
    let vis = settings::visual(spec);
    let objects = TreeCompiler {
        spec,
        settings: &settings,
        elements: &elements,
        user,
        body_ids: &body_ids,
        znear: vis.map.znear,
        sink,
        frames: Vec::new(),
        objects: Objects::default(),
    }
    .run();
    // masses mean something only when everything that has mass is in order
    if !sink.has_errors() {
        check_moving_masses(spec, &elements, &objects, sink);
    }
    if sink.has_errors() {
        return None;
    }

    let mut key_names: Vec<String> = spec.keys.iter().map(|k| k.name.clone()).collect();
    key_names.resize(nkey, String::new());
    let names = Names::new(spec, &elements, &key_names);
    let sizes = model_sizes(spec, &elements, &objects, user, &names, nkey);
    let largest = Model::layout(&sizes)
        .iter()
        .map(|a| (a.rows.saturating_mul(a.cols.unwrap_or(1)), a.name))
        .chain([(sizes.nuserdata, "userdata")])
        .max();
    if let Some((length, name)) = largest.filter(|(length, _)| *length > spec.budget.array) {
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
    custom::fill_custom(&mut m, spec);
    custom::fill_tuples(&mut m, spec, &elements, sink);
    custom::fill_keys(&mut m, spec, &elements, sink);
    m.fill_patterns();
    if settings.settotalmass > 0.0 {
        scale_mass(&mut m, settings.settotalmass);
    }
    m.signature = names::signature(spec, &elements, &m);
    if sink.has_errors() {
        return None;
    }
    ferrodyn_dynamics::set_const(&mut m);
    match_springs(&mut m, &elements);
    override_statistics(&mut m, spec);
    unsimulated::warn_unsimulated(&m, sink);
    Some(m)
}

fn positive(n: Option<i32>) -> usize {
    n.and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
}

/// Numbers of user data: as stated, or as many as an object has.
fn user_sizes(spec: &Spec, elements: &Elements<'_>) -> UserSizes {
    let length = |user: &Option<Vec<f64>>| user.as_ref().map_or(0, Vec::len);
    let size = |stated: Option<i32>, most: usize| match stated {
        Some(n) if n >= 0 => n as usize,
        _ => most,
    };
    let bodies = spec.bodies.iter().map(|b| length(&b.attr.user)).max().unwrap_or(0);
    UserSizes {
        body: size(spec.size.nuser_body, bodies),
        jnt: size(spec.size.nuser_jnt, elements.joints.most(|j| length(&j.attr.user))),
        geom: size(spec.size.nuser_geom, elements.geoms.most(|g| length(&g.user))),
        site: size(spec.size.nuser_site, elements.sites.most(|s| length(&s.user))),
        cam: size(spec.size.nuser_cam, elements.cameras.most(|c| length(&c.user))),
    }
}

/// A body with joints must have mass and inertia, or be fixed to one that has.
fn check_moving_masses(spec: &Spec, elements: &Elements<'_>, objects: &Objects, sink: &mut Sink) {
    let least = pose::double(MIN_VAL);
    let mut heavy: Vec<bool> = objects
        .bodies
        .iter()
        .map(|b| b.mass >= least && b.inertia.iter().all(|x| *x >= least))
        .collect();
    for i in (1..heavy.len()).rev() {
        let moves = !elements.joints.of_body(i).is_empty();
        if heavy[i] && !moves {
            heavy[spec.bodies[i].parent] = true;
        } else if moves && !heavy[i] {
            let body = &spec.bodies[i];
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
    let parents: Vec<usize> = spec.bodies.iter().map(|b| b.parent).collect();
    let dofs: Vec<usize> = objects.bodies.iter().map(|b| b.dofnum).collect();
    let sparse = sparse::sparse_sizes(&parents, &dofs);
    let nbvh = objects.bodies.iter().map(|b| b.bvh.nodeid.len()).sum();
    // a tree begins where a body with joints hangs on the world by fixed bodies only
    let ntree =
        (1..parents.len()).filter(|&i| dofs[i] > 0 && objects.bodies[parents[i]].weld == 0).count();
    Sizes {
        nq: objects.joints.iter().map(|j| j.kind.nq()).sum(),
        nv: dofs.iter().sum(),
        nbody: spec.bodies.len(),
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
        nnumericdata: spec.numerics.iter().map(|n| custom::numeric_size(n.attr.size)).sum(),
        ntext: spec.texts.len(),
        ntextdata: spec.texts.iter().map(|t| t.attr.data.as_ref().map_or(0, String::len) + 1).sum(),
        ntuple: spec.tuples.len(),
        ntupledata: spec.tuples.iter().map(|t| t.attr.len()).sum(),
        nkey,
        nmocap: spec.bodies.iter().filter(|b| b.attr.mocap == Some(true)).count(),
        nuser_body: user.body,
        nuser_jnt: user.jnt,
        nuser_geom: user.geom,
        nuser_site: user.site,
        nuser_cam: user.cam,
        nuser_tendon: positive(spec.size.nuser_tendon),
        nuser_actuator: positive(spec.size.nuser_actuator),
        nuser_sensor: positive(spec.size.nuser_sensor),
        nnames: names.bytes(),
        npaths: 1,
        nnames_map: names.slots(),
        nuserdata: positive(spec.size.nuserdata),
        njmax: i64::from(spec.size.njmax.unwrap_or(-1)),
        nconmax: i64::from(spec.size.nconmax.unwrap_or(-1)),
        ..Sizes::default()
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
        let [timeconst, dampratio] = item.attr.attr.springdamper.unwrap_or_default();
        if timeconst <= 0.0 || dampratio <= 0.0 {
            continue;
        }
        let kind = item.attr.attr.kind.unwrap_or(JointType::Hinge);
        let dofs = *adr as usize..*adr as usize + kind.nv();
        let weight: Real = m.dof_invweight0[dofs.clone()].iter().sum();
        let inertia = kind.nv() as Real / weight.max(MIN_VAL);
        let (timeconst, dampratio) = (timeconst as Real, dampratio as Real);
        m.jnt_stiffness[j] = inertia / (timeconst * timeconst * dampratio * dampratio).max(MIN_VAL);
        m.dof_damping[dofs].fill(2.0 * inertia / timeconst.max(MIN_VAL));
    }
}

/// Statistics that the text states replace computed ones.
fn override_statistics(m: &mut Model, spec: &Spec) {
    let s = &spec.statistic;
    let given = [
        (s.meaninertia, &mut m.stat.meaninertia),
        (s.meanmass, &mut m.stat.meanmass),
        (s.meansize, &mut m.stat.meansize),
        (s.extent, &mut m.stat.extent),
    ];
    for (value, target) in given {
        if let Some(value) = value {
            *target = value as Real;
        }
    }
    if let Some(center) = s.center {
        m.stat.center = fill::vec3(&center);
    }
}
