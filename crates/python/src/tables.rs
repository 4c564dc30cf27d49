//! The tables of arrays, settings and enumerations, for the Python half and its type stubs.
use ferrodyn_dynamics::data::Header;
use ferrodyn_math::{Element, Inertia10, Mat3, Quat, Real, ScalarKind, Spatial, Vec3};
use ferrodyn_model::{
    ENUMS, Options, Sizes, Statistic, VisualGlobal, VisualHeadlight, VisualMap, VisualQuality,
    VisualRgba, VisualScale,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Name, numpy type, size that counts the rows, shape of a row, documentation.
type Field = (&'static str, &'static str, &'static str, String, &'static str);

/// The numpy name of a scalar type.
pub(crate) fn dtype(kind: ScalarKind) -> &'static str {
    match kind {
        ScalarKind::F64 => "float64",
        ScalarKind::F32 => "float32",
        ScalarKind::I32 => "int32",
        ScalarKind::I64 => "int64",
        ScalarKind::U64 => "uint64",
        _ => "uint8",
    }
}

/// The shape of a row in words: empty for a scalar, else a number, a size, or their product.
fn columns<T: Element>(cols: &str) -> String {
    match (cols, T::COLS) {
        ("1", 1) => String::new(),
        ("1", n) => n.to_string(),
        (size, 1) => size.to_owned(),
        (size, n) => format!("{n}*{size}"),
    }
}

macro_rules! table {
    ($(($name:ident, $t:ty, $rows:ident, $cols:tt, $doc:literal))*) => {
        vec![$((
            stringify!($name),
            dtype(<$t as Element>::KIND),
            stringify!($rows),
            columns::<$t>(stringify!($cols)),
            $doc,
        )),*]
    };
}

macro_rules! model_table {
    ($($fields:tt)*) => {
        /// Every array of a model.
        #[pyfunction]
        fn model_fields() -> Vec<Field> {
            table! { $($fields)* }
        }
    };
}

macro_rules! data_table {
    ($($fields:tt)*) => {
        /// Every array of a world that has a fixed size.
        #[pyfunction]
        fn data_fields() -> Vec<Field> {
            table! { $($fields)* }
        }
    };
}

macro_rules! work_table {
    (($contact:ident, Contact, ncon, 1, $contact_doc:literal) $($fields:tt)*) => {
        /// Every array of a world whose size changes from step to step, the contacts aside.
        #[pyfunction]
        fn work_fields() -> Vec<Field> {
            table! { $($fields)* }
        }
    };
}

ferrodyn_model::model_fields!(model_table);
ferrodyn_model::data_fields!(data_table);
ferrodyn_model::work_fields!(work_table);

/// Name of every scalar and small array of the header of a world.
#[pyfunction]
fn header_fields() -> Vec<&'static str> {
    Header::FIELDS.iter().map(|field| field.0).collect()
}

/// Name and documentation of every size of a model.
#[pyfunction]
fn sizes() -> Vec<(&'static str, &'static str)> {
    Sizes::default().all().iter().map(|(name, _, doc)| (*name, *doc)).collect()
}

/// Name, numpy type, number of scalars and documentation of every field of each settings group.
#[pyfunction]
fn settings(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    macro_rules! group {
        ($name:literal, $type:ident) => {{
            let mut values = $type::default();
            let fields: Vec<_> = values
                .fields_mut()
                .into_iter()
                .zip($type::FIELDS)
                .map(|((name, kind, cols, _), (_, _, doc))| (name, dtype(kind), cols, *doc))
                .collect();
            all.set_item($name, fields)?;
        }};
    }
    group!("opt", Options);
    group!("stat", Statistic);
    group!("global_", VisualGlobal);
    group!("quality", VisualQuality);
    group!("headlight", VisualHeadlight);
    group!("map", VisualMap);
    group!("scale", VisualScale);
    group!("rgba", VisualRgba);
    Ok(all)
}

/// Every enumeration: its name, and its members with their values.
#[pyfunction]
fn enums(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for (name, members) in ENUMS {
        let dict = PyDict::new(py);
        for (member, value) in *members {
            dict.set_item(member, value)?;
        }
        all.set_item(name, dict)?;
    }
    Ok(all)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(model_fields, m)?)?;
    m.add_function(wrap_pyfunction!(data_fields, m)?)?;
    m.add_function(wrap_pyfunction!(work_fields, m)?)?;
    m.add_function(wrap_pyfunction!(header_fields, m)?)?;
    m.add_function(wrap_pyfunction!(sizes, m)?)?;
    m.add_function(wrap_pyfunction!(settings, m)?)?;
    m.add_function(wrap_pyfunction!(enums, m)?)
}
