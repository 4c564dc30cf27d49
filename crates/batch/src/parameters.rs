//! Model parameters that differ from world to world, for domain randomization.
//!
//! A model's arrays are shared by all worlds but for those that were declared as varying. Each world has values of its own for
//! these, and for whatever follows from them: a world's constants are derived on a copy of the model, and every array in which the copy
//! then differs from the shared model is kept for that world. A step reads a model that is put together from both.
use ferrodyn_dynamics::constants::{set_bounds, set_const};
use ferrodyn_math::{Element, Real, ScalarKind, words_of};
use ferrodyn_model::{ArrayInfo, EnableBit, Model, ModelRef, Options, Sizes, Statistic};

use crate::output::check_length;
use crate::{BatchError, BatchSim, ParameterError};

/// An array that was declared as varying.
#[derive(Debug)]
struct Declared {
    field: usize,
    info: ArrayInfo,
    /// First word in the row of a world.
    start: usize,
}

impl Declared {
    fn bytes(&self) -> usize {
        self.info.len() * self.info.kind.size()
    }
}

/// An array that worlds have for themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stored {
    field: usize,
    /// First word in the row of a world, and length in bytes.
    start: usize,
    bytes: usize,
}

/// What of a world's model is no array.
#[derive(Clone, Debug)]
struct Scalars {
    opt: Options,
    stat: Statistic,
    ngravcomp: usize,
}

impl Scalars {
    fn put_into(&self, own: &mut ModelRef<'_>) {
        own.opt.clone_from(&self.opt);
        own.stat.clone_from(&self.stat);
        own.sizes.ngravcomp = self.ngravcomp;
    }
}

/// The parameters that differ.
#[derive(Debug)]
pub(crate) struct Parameters {
    declared: Vec<Declared>,
    /// Values as they were set: a row of words for each world.
    values: Vec<u64>,
    /// Options of each world as they were set, where they vary.
    options: Option<Vec<Options>>,
    /// Worlds whose values were changed since constants were derived.
    stale: Vec<bool>,
    stored: Vec<Stored>,
    /// Everything that a world has for itself: a row of words for each world.
    rows: Vec<u64>,
    scalars: Vec<Scalars>,
    /// What worlds had in their last call, where that has changed since.
    earlier: Vec<Option<Box<Earlier>>>,
}

/// What a world had for itself: arrays by their number, and what is no array.
#[derive(Debug)]
struct Earlier {
    arrays: Vec<(usize, Vec<u8>)>,
    scalars: Scalars,
}

fn words(bytes: usize) -> usize {
    words_of::<u8>(bytes)
}

/// Why an array cannot vary, if it cannot.
fn reason(info: &ArrayInfo) -> Option<&'static str> {
    const ASSETS: [&str; 10] = [
        "bvh_",
        "oct_",
        "mesh_",
        "skin_",
        "tex_",
        "hfield_size",
        "flex_vert",
        "flex_node",
        "flex_size",
        "flex_texcoord",
    ];
    const DERIVED: [&str; 23] = [
        "body_subtreemass",
        "body_invweight0",
        "body_margin",
        "dof_invweight0",
        "dof_M0",
        "dof_length",
        "geom_aabb",
        "geom_rbound",
        "cam_poscom0",
        "cam_pos0",
        "cam_mat0",
        "light_poscom0",
        "light_pos0",
        "light_dir0",
        "flexedge_length0",
        "flexedge_invweight0",
        "flexhinge_angle0",
        "flexrest_inverse",
        "flexrest_volume",
        "tendon_length0",
        "tendon_invweight0",
        "actuator_acc0",
        "actuator_length0",
    ];
    if !matches!(info.kind, ScalarKind::F64 | ScalarKind::F32) {
        Some("its elements are whole numbers, which say how the model is built")
    } else if ASSETS.iter().any(|prefix| info.name.starts_with(prefix)) {
        Some("shapes that many vertices make are shared by all worlds")
    } else if DERIVED.contains(&info.name) {
        Some("it follows from other parameters")
    } else {
        None
    }
}

impl Parameters {
    fn new(model: &Model, count: usize) -> Parameters {
        let scalars = Scalars {
            opt: model.opt.clone(),
            stat: model.stat.clone(),
            ngravcomp: model.sizes.ngravcomp,
        };
        Parameters {
            declared: Vec::new(),
            values: Vec::new(),
            options: None,
            stale: vec![false; count],
            stored: Vec::new(),
            rows: Vec::new(),
            scalars: vec![scalars; count],
            earlier: (0..count).map(|_| None).collect(),
        }
    }

    fn count(&self) -> usize {
        self.stale.len()
    }

    /// Words of a row of values.
    fn value_words(&self) -> usize {
        self.declared.last().map_or(0, |last| last.start + words(last.bytes()))
    }

    /// Words of a row of everything that a world has for itself.
    fn row_words(&self) -> usize {
        self.stored.last().map_or(0, |last| last.start + words(last.bytes))
    }

    /// Declare one more array; it has the values of the model at first.
    fn declare(&mut self, model: &Model, field: usize) {
        let array = model.arrays()[field];
        let (old, start) = (self.value_words(), self.value_words());
        self.declared.push(Declared { field, info: array.info, start });
        let new = self.value_words();
        let mut values = vec![0; self.count() * new];
        for (i, row) in values.chunks_exact_mut(new.max(1)).enumerate() {
            row[..old].copy_from_slice(&self.values[i * old..(i + 1) * old]);
            let bytes = bytemuck::must_cast_slice_mut::<u64, u8>(&mut row[start..]);
            bytes[..array.bytes.len()].copy_from_slice(array.bytes);
        }
        self.values = values;
    }

    /// The values of one declared array in one world, as bytes.
    fn value(&self, declared: &Declared, world: usize) -> &[u8] {
        let row = self.value_words();
        let bytes = bytemuck::must_cast_slice(&self.values[world * row + declared.start..]);
        &bytes[..declared.bytes()]
    }

    /// The model of one world.
    fn model<'a>(&'a self, model: &'a Model, world: usize) -> ModelRef<'a> {
        let mut own = model.borrowed();
        self.put_into(&mut own, world);
        own
    }

    /// Make a model that of one world. It was the shared model, or that of another world.
    pub(crate) fn put_into<'a>(&'a self, own: &mut ModelRef<'a>, world: usize) {
        for (field, bytes) in self.arrays_of(world) {
            // these are as many elements as the model has: they were copied from an array of its shape
            own.replace_array(field, bytes);
        }
        self.scalars[world].put_into(own);
    }

    /// The model that one world had in its last call.
    pub(crate) fn last_model<'a>(&'a self, model: &'a Model, world: usize) -> ModelRef<'a> {
        let Some(earlier) = &self.earlier[world] else { return self.model(model, world) };
        let mut own = model.borrowed();
        for (field, bytes) in &earlier.arrays {
            own.replace_array(*field, bytes);
        }
        earlier.scalars.put_into(&mut own);
        own
    }

    /// Arrays that a world has for itself, by their number.
    fn arrays_of(&self, world: usize) -> impl Iterator<Item = (usize, &[u8])> {
        let row = self.row_words();
        let row = bytemuck::must_cast_slice::<u64, u8>(&self.rows[world * row..(world + 1) * row]);
        self.stored.iter().map(move |at| {
            let start = at.start * size_of::<u64>();
            (at.field, &row[start..start + at.bytes])
        })
    }

    /// Does a world have options with which trees can fall asleep?
    pub(crate) fn let_trees_sleep(&self) -> bool {
        let sleeps = |options: &Options| options.enabled(EnableBit::Sleep);
        self.options.iter().flatten().any(sleeps)
    }

    /// Are all values finite numbers?
    fn check_finite(&self) -> Result<(), ParameterError> {
        for world in (0..self.count()).filter(|&world| self.stale[world]) {
            for declared in &self.declared {
                let bytes = self.value(declared, world);
                let bad = match declared.info.kind {
                    ScalarKind::F32 => first_bad(bytes, |x: f32| x.is_finite()),
                    _ => first_bad(bytes, |x: f64| x.is_finite()),
                };
                if let Some(index) = bad {
                    let name = declared.info.name;
                    return Err(ParameterError::NotFinite { name, world, index });
                }
            }
        }
        Ok(())
    }

    /// Derive the constants of worlds whose values were changed. What worlds had that are idle in this call is kept.
    pub(crate) fn derive(
        &mut self,
        model: &Model,
        idle: impl Fn(usize) -> bool,
    ) -> Result<(), ParameterError> {
        if self.stale.contains(&true) {
            self.derive_stale(model, &idle)?;
        }
        for (world, earlier) in self.earlier.iter_mut().enumerate() {
            if earlier.is_some() && !idle(world) {
                *earlier = None;
            }
        }
        Ok(())
    }

    fn derive_stale(
        &mut self,
        model: &Model,
        idle: &impl Fn(usize) -> bool,
    ) -> Result<(), ParameterError> {
        self.check_finite()?;
        let base = model.arrays();
        let mut own = model.clone();
        let mut scalars = self.scalars.clone();
        // what worlds have for themselves, array by array
        let mut different = vec![Vec::new(); self.count()];
        for (world, different) in different.iter_mut().enumerate() {
            if !self.stale[world] {
                different
                    .extend(self.arrays_of(world).map(|(field, bytes)| (field, bytes.to_vec())));
                continue;
            }
            restore(model, &mut own);
            if let Some(options) = &self.options {
                own.opt.clone_from(&options[world]);
            }
            for (field, array) in own.arrays_mut().into_iter().enumerate() {
                if let Some(declared) = self.declared.iter().find(|one| one.field == field) {
                    array.bytes.copy_from_slice(self.value(declared, world));
                }
            }
            derive_world(model, &mut own, world)?;
            scalars[world] = Scalars {
                opt: own.opt.clone(),
                stat: own.stat.clone(),
                ngravcomp: own.sizes.ngravcomp,
            };
            let arrays = own.arrays();
            let pairs =
                base.iter().zip(&arrays).enumerate().filter(|(_, (a, b))| a.bytes != b.bytes);
            different.extend(pairs.map(|(field, (_, array))| (field, array.bytes.to_vec())));
        }
        for world in (0..self.count()).filter(|&world| self.stale[world] && idle(world)) {
            if self.earlier[world].is_none() {
                let own = self.arrays_of(world).map(|(field, bytes)| (field, bytes.to_vec()));
                let (arrays, scalars) = (own.collect(), self.scalars[world].clone());
                self.earlier[world] = Some(Box::new(Earlier { arrays, scalars }));
            }
        }
        self.pack(model, &different);
        self.scalars = scalars;
        self.stale.fill(false);
        Ok(())
    }

    /// Lay out every array that any world has for itself, and fill the rows of all worlds.
    fn pack(&mut self, model: &Model, different: &[Vec<(usize, Vec<u8>)>]) {
        let base = model.arrays();
        let mut fields: Vec<usize> = different.iter().flatten().map(|(field, _)| *field).collect();
        fields.sort_unstable();
        fields.dedup();
        self.stored.clear();
        for field in fields {
            let (start, bytes) = (self.row_words(), base[field].bytes.len());
            self.stored.push(Stored { field, start, bytes });
        }
        let row = self.row_words();
        self.rows = vec![0; self.count() * row];
        for (own, row) in different.iter().zip(self.rows.chunks_exact_mut(row.max(1))) {
            let row = bytemuck::must_cast_slice_mut::<u64, u8>(row);
            for at in &self.stored {
                let found = own.iter().find(|(field, _)| *field == at.field);
                let bytes = found.map_or(base[at.field].bytes, |(_, bytes)| &bytes[..]);
                let start = at.start * size_of::<u64>();
                row[start..start + at.bytes].copy_from_slice(bytes);
            }
        }
    }
}

fn first_bad<T: Element>(bytes: &[u8], good: impl Fn(T) -> bool) -> Option<usize> {
    bytemuck::cast_slice::<u8, T>(bytes).iter().position(|&x| !good(x))
}

/// Make a copy of a model what it was.
fn restore(model: &Model, own: &mut Model) {
    own.sizes.clone_from(&model.sizes);
    own.opt.clone_from(&model.opt);
    own.stat.clone_from(&model.stat);
    for (to, from) in own.arrays_mut().into_iter().zip(model.arrays()) {
        // assets are shared, and nothing is derived for them
        if reason(&from.info).is_none() || from.info.kind != ScalarKind::U8 {
            to.bytes.copy_from_slice(from.bytes);
        }
    }
}

/// Derive what follows from the parameters of one world.
fn derive_world(model: &Model, own: &mut Model, world: usize) -> Result<(), ParameterError> {
    check_simple(model, own, world)?;
    // what is said to lie where its body does lies somewhere else now
    let moved = |b: usize| {
        own.body_ipos[b] != model.body_ipos[b] || own.body_iquat[b] != model.body_iquat[b]
    };
    let bodies: Vec<bool> = (0..model.nbody).map(moved).collect();
    for b in (0..model.nbody).filter(|&b| bodies[b]) {
        own.body_sameframe[b] = 0;
    }
    for g in 0..model.ngeom {
        let moved = own.geom_pos[g] != model.geom_pos[g] || own.geom_quat[g] != model.geom_quat[g];
        if moved || bodies[model.geom_body(g)] {
            own.geom_sameframe[g] = 0;
        }
    }
    for s in 0..model.nsite {
        let moved = own.site_pos[s] != model.site_pos[s] || own.site_quat[s] != model.site_quat[s];
        if moved || bodies[model.site_body(s)] {
            own.site_sameframe[s] = 0;
        }
    }
    set_bounds(own);
    set_const(own);
    let sizes = Sizes { ngravcomp: model.sizes.ngravcomp, ..own.sizes.clone() };
    if sizes != model.sizes {
        return Err(ParameterError::Structure { world });
    }
    Ok(())
}

/// Bodies whose inertia is known to be diagonal have to stay so: the pattern of the inertia matrix is shared.
fn check_simple(model: &Model, own: &Model, world: usize) -> Result<(), ParameterError> {
    for body in (0..model.nbody).filter(|&b| model.body_simple[b] != 0) {
        let same_inertia = own.body_ipos[body] == model.body_ipos[body]
            && own.body_iquat[body] == model.body_iquat[body];
        let joints = model.body_joints(body);
        let same_joints = own.jnt_pos[joints.clone()] == model.jnt_pos[joints.clone()]
            && own.jnt_axis[joints.clone()] == model.jnt_axis[joints];
        if !(same_inertia && same_joints) {
            return Err(ParameterError::Simple { world, body });
        }
    }
    Ok(())
}

impl BatchSim {
    /// Let an array of the model vary from world to world from now on. Every world begins with the values of the model.
    ///
    /// Any array of floating-point numbers can vary but shapes of meshes, skins and flexes, and what follows from others: masses, inertias, sizes
    /// and places of geoms, friction, gains, damping, `qpos0`, height fields, stiffness of flexes. What follows from an array follows for each world.
    ///
    /// ```
    /// use ferrodyn::{BatchSim, load_model};
    /// let model = load_model(
    ///     "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut batch = BatchSim::new(model.shared(), 2)?;
    /// batch.vary("body_mass")?;
    /// batch.parameter_mut("body_mass", 1)?[1] = 5.0;
    /// batch.vary_options();
    /// batch.options_mut(0)?.gravity[2] = 0.0;
    /// let states = &batch.step_all()?.states;
    /// // the first world floats, the second falls
    /// assert_eq!(states[2], 1.0);
    /// assert!(states[13 + 2] < 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn vary(&mut self, name: &str) -> Result<(), BatchError> {
        let model = self.model().clone();
        let arrays = model.arrays();
        let field = arrays.iter().position(|array| array.info.name == name);
        let field = field.ok_or_else(|| ParameterError::Unknown(name.into()))?;
        let info = arrays[field].info;
        if let Some(reason) = reason(&info) {
            return Err(ParameterError::Shared { name: info.name, reason }.into());
        }
        let parameters = self.parameters_mut();
        if !parameters.declared.iter().any(|declared| declared.field == field) {
            parameters.declare(&model, field);
        }
        Ok(())
    }

    /// Let the options (`opt`: gravity, time step, wind, ...) vary from world to world from now on.
    pub fn vary_options(&mut self) {
        let (model, count) = (self.model().clone(), self.len());
        self.parameters_mut().options.get_or_insert_with(|| vec![model.opt.clone(); count]);
    }

    /// The options of a world, to be changed.
    pub fn options_mut(&mut self, world: usize) -> Result<&mut Options, BatchError> {
        self.check_world(world)?;
        let parameters = self.parameters_mut();
        let options = parameters.options.as_mut().ok_or(ParameterError::NotVarying("opt"))?;
        parameters.stale[world] = true;
        Ok(&mut options[world])
    }

    /// The values of a varying array in one world, to be changed: all numbers of the array one after the other.
    pub fn parameter_mut(&mut self, name: &str, world: usize) -> Result<&mut [Real], BatchError> {
        self.parameter_of(name, world)
    }

    /// As [`BatchSim::parameter_mut`], for arrays of other floating-point numbers: those of height fields and of what is only drawn are `f32`.
    pub fn parameter_of<T: Element>(
        &mut self,
        name: &str,
        world: usize,
    ) -> Result<&mut [T], BatchError> {
        self.check_world(world)?;
        let at = self.find(name, T::KIND)?;
        let parameters = self.parameters_mut();
        parameters.stale[world] = true;
        let row = parameters.value_words();
        let Declared { start, .. } = parameters.declared[at];
        let bytes = parameters.declared[at].bytes();
        let words = &mut parameters.values[world * row + start..];
        let all = bytemuck::must_cast_slice_mut::<u64, u8>(words);
        Ok(bytemuck::cast_slice_mut(&mut all[..bytes]))
    }

    /// Set a varying array in all worlds: row-major, one row for each world.
    pub fn set_parameter(&mut self, name: &str, rows: &[Real]) -> Result<(), BatchError> {
        let at = self.find(name, Real::KIND)?;
        let info = self.parameters_mut().declared[at].info;
        check_length(info.name, rows.len(), self.len() * info.len())?;
        for (world, row) in rows.chunks_exact(info.len().max(1)).enumerate() {
            self.parameter_mut(name, world)?.copy_from_slice(row);
        }
        Ok(())
    }

    /// Derive what follows from parameters that were changed. The next call that steps or resets does so by itself; this is for those who want
    /// to hear now that something is wrong with them.
    pub fn derive_constants(&mut self) -> Result<(), BatchError> {
        self.derive(|_| true)
    }

    /// The model of one world, with the parameters that it has for itself.
    pub fn model_of(&mut self, world: usize) -> Result<Model, BatchError> {
        self.check_world(world)?;
        self.derive_constants()?;
        Ok(match &self.parameters {
            None => Model::clone(self.model()),
            Some(parameters) => parameters.model(self.model(), world).to_owned(),
        })
    }

    /// Which of the declared arrays has this name and elements of this type?
    fn find(&mut self, name: &str, kind: ScalarKind) -> Result<usize, BatchError> {
        let arrays = self.model().arrays();
        let info = arrays.iter().map(|array| array.info).find(|info| info.name == name);
        let info = info.ok_or_else(|| ParameterError::Unknown(name.into()))?;
        let declared = &self.parameters_mut().declared;
        let at = declared.iter().position(|declared| declared.info.name == name);
        let at = at.ok_or(ParameterError::NotVarying(info.name))?;
        if info.kind != kind {
            // arrays of other types cannot vary
            let expected = if info.kind == ScalarKind::F32 { "f32" } else { "f64" };
            return Err(ParameterError::Type { name: info.name, expected }.into());
        }
        Ok(at)
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        let (model, count) = (self.model().clone(), self.len());
        self.parameters.get_or_insert_with(|| Parameters::new(&model, count))
    }
}
