//! The native model object.
use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use ferrodyn_mjcf::{LoadOptions, MjcfError, Spec};
use ferrodyn_model::{ArrayInfo, ObjType};
use pyo3::exceptions::{PyKeyError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::views::view;

/// A compiled model that Python owns.
///
/// Its arrays are exported to numpy, so Python code can write them at any time it holds the
/// interpreter lock. They are boxed once and never moved or resized.
#[pyclass(frozen, module = "ferrodyn._native")]
pub(crate) struct Model {
    inner: UnsafeCell<Box<ferrodyn_model::Model>>,
    warnings: Vec<String>,
}

// SAFETY: the arrays hold plain numbers. As with MuJoCo, a program that writes parameters of a model
// in one thread while another thread steps it reads torn parameters; it never reads or writes out
// of bounds, since sizes and boxes cannot be changed from Python.
unsafe impl Sync for Model {}

impl Model {
    fn new(model: ferrodyn_model::Model, warnings: Vec<String>) -> Model {
        Model { inner: UnsafeCell::new(Box::new(model)), warnings }
    }

    /// The model.
    pub(crate) fn get(&self) -> &ferrodyn_model::Model {
        // SAFETY: see `Sync`
        unsafe { &*self.inner.get() }
    }

    /// The model, for functions that change parameters in place.
    #[allow(clippy::mut_from_ref, reason = "the interpreter lock serializes callers")]
    pub(crate) fn get_mut(&self) -> &mut ferrodyn_model::Model {
        // SAFETY: called with the interpreter lock held, and never across a call back into Python
        unsafe { &mut *self.inner.get() }
    }

    fn compile(spec: Result<Spec, MjcfError>) -> PyResult<Model> {
        let compiled = spec
            .and_then(|spec| spec.compile())
            .map_err(|e| PyValueError::new_err(e.to_string()))?;
        let warnings = compiled.warnings.iter().map(ToString::to_string).collect();
        Ok(Model::new(compiled.model, warnings))
    }
}

fn load_options(assets: Option<BTreeMap<String, Vec<u8>>>) -> LoadOptions {
    let mut options = LoadOptions::default();
    for (name, bytes) in assets.unwrap_or_default() {
        options.assets.insert(name, Arc::from(bytes));
    }
    options
}

/// Add a view of a settings struct field to a dictionary.
macro_rules! settings_views {
    ($owner:expr, $settings:expr, $type:ident) => {{
        let dict = PyDict::new($owner.py());
        for (name, kind, cols, bytes) in $settings.fields_mut() {
            let info = ArrayInfo { name, doc: "", kind, rows: cols, cols: None };
            // SAFETY: the settings lie in the boxed model, which the owner keeps in place
            dict.set_item(name, unsafe { view(&info, bytes.as_ptr(), $owner) })?;
        }
        dict
    }};
}

#[pymethods]
impl Model {
    #[staticmethod]
    #[pyo3(signature = (xml, assets=None))]
    fn from_xml_string(
        py: Python<'_>,
        xml: &str,
        assets: Option<BTreeMap<String, Vec<u8>>>,
    ) -> PyResult<Model> {
        let options = load_options(assets);
        py.detach(|| Model::compile(Spec::from_xml_str(xml, &options)))
    }

    #[staticmethod]
    #[pyo3(signature = (path, assets=None))]
    fn from_xml_path(
        py: Python<'_>,
        path: PathBuf,
        assets: Option<BTreeMap<String, Vec<u8>>>,
    ) -> PyResult<Model> {
        let options = load_options(assets);
        py.detach(|| Model::compile(Spec::from_xml_path(&path, &options)))
    }

    #[staticmethod]
    fn from_binary_path(path: PathBuf) -> PyResult<Model> {
        let bytes = std::fs::read(&path)
            .map_err(|e| PyOSError::new_err(format!("{}: {e}", path.display())))?;
        Model::from_bytes(&bytes)
    }

    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Model> {
        let model = ferrodyn_model::Model::from_bytes(bytes)
            .map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(Model::new(model, Vec::new()))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.get().to_bytes())
    }

    fn copy(&self) -> Model {
        Model::new(self.get().clone(), self.warnings.clone())
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    #[getter]
    fn signature(&self) -> u64 {
        self.get().signature
    }

    /// All sizes by name.
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let m = self.get();
        for (name, value, _) in m.sizes.all() {
            dict.set_item(name, value)?;
        }
        dict.set_item("njmax", m.sizes.njmax)?;
        dict.set_item("nconmax", m.sizes.nconmax)?;
        Ok(dict)
    }

    /// Name and documentation of every array.
    fn array_docs(&self) -> Vec<(&'static str, &'static str)> {
        ferrodyn_model::Model::layout(&self.get().sizes).iter().map(|a| (a.name, a.doc)).collect()
    }

    /// A numpy view of an array.
    fn array<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let arrays = slf.get().get().arrays();
        let array = arrays
            .iter()
            .find(|a| a.info.name == name)
            .ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        // SAFETY: the boxes of a model are never replaced while it lives
        Ok(unsafe { view(&array.info, array.bytes.as_ptr(), slf.as_any()) })
    }

    /// Views of options, statistics and visual settings, by group and name.
    fn settings<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let m = slf.get().get_mut();
        let all = PyDict::new(slf.py());
        let owner = slf.as_any();
        all.set_item("opt", settings_views!(owner, m.opt, Options))?;
        all.set_item("stat", settings_views!(owner, m.stat, Statistic))?;
        all.set_item("global_", settings_views!(owner, m.vis.global, VisualGlobal))?;
        all.set_item("quality", settings_views!(owner, m.vis.quality, VisualQuality))?;
        all.set_item("headlight", settings_views!(owner, m.vis.headlight, VisualHeadlight))?;
        all.set_item("map", settings_views!(owner, m.vis.map, VisualMap))?;
        all.set_item("scale", settings_views!(owner, m.vis.scale, VisualScale))?;
        all.set_item("rgba", settings_views!(owner, m.vis.rgba, VisualRgba))?;
        Ok(all)
    }

    /// Id of a named object, -1 when there is none.
    fn name2id(&self, kind: i32, name: &str) -> i64 {
        ObjType::try_from(kind)
            .ok()
            .and_then(|kind| self.get().id(kind, name))
            .map_or(-1, |id| id as i64)
    }

    /// Name of an object; `None` when it has none.
    fn id2name(&self, kind: i32, id: i64) -> Option<&str> {
        self.get().name(ObjType::try_from(kind).ok()?, usize::try_from(id).ok()?)
    }

    /// Number of objects of a kind.
    fn count(&self, kind: i32) -> usize {
        ObjType::try_from(kind).map_or(0, |kind| self.get().count(kind))
    }

    /// Derive all dependent constants again.
    fn set_const(&self) {
        ferrodyn_dynamics::set_const(self.get_mut());
    }
}
