//! Functions about the text of models: its grammar, and the files that it refers to.
use ferrodyn_mjcf::{LoadOptions, SchemaFormat, dependencies, schema};
use pyo3::prelude::*;

use crate::args::Flag;
use crate::errors::FatalError;

/// The elements and attributes of the model language, as text or, with `flg_html`, as a table in HTML,
/// indented by styles with `flg_pad`.
#[pyfunction]
fn mj_printSchema(flg_html: Flag, flg_pad: Flag) -> String {
    schema(match (flg_html.0, flg_pad.0) {
        (false, _) => SchemaFormat::Text,
        (true, false) => SchemaFormat::Html,
        (true, true) => SchemaFormat::HtmlPadded,
    })
}

/// The files that a model needs: itself, what it includes and attaches, meshes, textures, height fields.
#[pyfunction]
fn mju_getXMLDependencies(filename: &str) -> PyResult<Vec<String>> {
    dependencies(filename, &LoadOptions::default()).map_err(FatalError::new_err)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_printSchema, m)?)?;
    m.add_function(wrap_pyfunction!(mju_getXMLDependencies, m)?)
}
