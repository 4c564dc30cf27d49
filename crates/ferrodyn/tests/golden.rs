//! Every small model of `conformance/models` against golden data from MuJoCo 3.5.0.
use std::fs;
use std::path::{Path, PathBuf};

use ferrodyn::math::ScalarKind;
use ferrodyn::{Data, DisableBit, Model};
use serde_json::{Map, Value};

type Fields = Map<String, Value>;

fn conformance() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

/// Names and golden data of all models.
fn golden() -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> = fs::read_dir(conformance().join("golden"))
        .expect("golden data")
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_stem()?.to_str()?.to_owned();
            let text = fs::read_to_string(&path).ok()?;
            (name != "refused").then(|| (name, serde_json::from_str(&text).expect("JSON")))
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(all.len() > 40, "only {} models", all.len());
    all
}

fn load(name: &str) -> Model {
    let path = conformance().join("models").join(format!("{name}.xml"));
    Model::from_xml_path(&path).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The numbers of a golden array.
fn numbers(array: &Value) -> Vec<f64> {
    let number = |v: &Value| match v.as_str() {
        Some("nan") => f64::NAN,
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => v.as_f64().expect("a number"),
    };
    array["data"].as_array().expect("data").iter().map(number).collect()
}

/// The numbers of an array of the table.
fn scalars(kind: ScalarKind, bytes: &[u8]) -> Vec<f64> {
    fn read<const N: usize>(bytes: &[u8], convert: impl Fn([u8; N]) -> f64) -> Vec<f64> {
        bytes.as_chunks::<N>().0.iter().map(|&chunk| convert(chunk)).collect()
    }
    match kind {
        ScalarKind::F64 => read(bytes, f64::from_ne_bytes),
        ScalarKind::F32 => read(bytes, |b| f32::from_ne_bytes(b).into()),
        ScalarKind::I32 => read(bytes, |b| i32::from_ne_bytes(b).into()),
        ScalarKind::I64 => read(bytes, |b| i64::from_ne_bytes(b) as f64),
        ScalarKind::U64 => read(bytes, |b| u64::from_ne_bytes(b) as f64),
        _ => bytes.iter().map(|&b| b.into()).collect(),
    }
}

/// The same number, or both not finite in the same way.
fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance || a.is_nan() && b.is_nan()
}

/// Largest allowed error of a model number: a few operations on parsed text.
fn model_tolerance(kind: ScalarKind, expected: f64) -> f64 {
    match kind {
        ScalarKind::F64 => 1e-12 + 1e-10 * expected.abs(),
        // single precision keeps 24 bits
        ScalarKind::F32 => 1e-6 * (1.0 + expected.abs()),
        _ => 0.0,
    }
}

/// Quantities of pure kinematics agree to round-off; what solves with the inertia loses two digits.
fn data_tolerance(name: &str, largest: f64) -> f64 {
    let kinematic = name.starts_with(['x', 'g', 's', 'l']) && !name.starts_with("subtree_")
        || name.starts_with("cam_")
        || ["subtree_com", "cinert", "cdof", "qpos", "qvel"].contains(&name);
    (if kinematic { 1e-12 } else { 1e-10 }) * (1.0 + largest)
}

#[test]
fn compiled_models_equal_the_oracles() {
    let mut failures = Vec::new();
    for (name, golden) in golden() {
        let mut model = (*load(&name)).clone();
        let fields = golden["model"].as_object().expect("model");
        let mut seen: Vec<String> = Vec::new();
        let mut check = |field: &str, kind: ScalarKind, found: Vec<f64>| {
            seen.push(field.to_owned());
            // golden data has no empty arrays
            let expected = fields.get(field).map(numbers).unwrap_or_default();
            let equal = expected.len() == found.len()
                && expected
                    .iter()
                    .zip(&found)
                    .all(|(&e, &f)| close(e, f, model_tolerance(kind, e)));
            if !equal {
                failures.push(format!("{name}: {field}: {found:?}, expected {expected:?}"));
            }
        };
        for array in model.arrays() {
            check(array.info.name, array.info.kind, scalars(array.info.kind, array.bytes));
        }
        for (size, value, _) in model.sizes.all() {
            check(size, ScalarKind::I64, vec![value as f64]);
        }
        check("njmax", ScalarKind::I64, vec![model.sizes.njmax as f64]);
        check("nconmax", ScalarKind::I64, vec![model.sizes.nconmax as f64]);
        for (group, settings) in
            [("opt", model.opt.fields_mut()), ("stat", model.stat.fields_mut())]
        {
            for (field, kind, _, bytes) in settings {
                check(&format!("{group}.{field}"), kind, scalars(kind, bytes));
            }
        }
        let signature = fields["signature"]["data"][0].as_u64();
        if signature != Some(model.signature) {
            failures.push(format!("{name}: signature {}, expected {signature:?}", model.signature));
        }
        for field in fields.keys().filter(|f| *f != "signature" && !seen.contains(f)) {
            failures.push(format!("{name}: {field} is missing"));
        }
    }
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
}

/// Write the input of a golden state into a reset world.
fn set_input(data: &mut Data, input: &Fields) {
    for (field, array) in input {
        let values = numbers(array);
        if field == "time" {
            data.set_time(values[0]);
            continue;
        }
        let target = data.arrays_mut().into_iter().find(|a| a.info.name == field);
        let target = target.unwrap_or_else(|| panic!("{field} is missing"));
        match target.info.kind {
            ScalarKind::F64 => {
                for (slot, v) in target.bytes.as_chunks_mut::<8>().0.iter_mut().zip(&values) {
                    *slot = v.to_ne_bytes();
                }
            }
            ScalarKind::U8 => {
                for (slot, v) in target.bytes.iter_mut().zip(&values) {
                    *slot = *v as u8;
                }
            }
            kind => panic!("{field} has unexpected type {kind:?}"),
        }
    }
}

/// Compare arrays and header fields of a world with golden data.
fn compare(data: &mut Data, expected: &Fields, context: &str, failures: &mut Vec<String>) {
    let mut found: Vec<(&str, Vec<f64>)> =
        data.arrays().iter().map(|a| (a.info.name, scalars(a.info.kind, a.bytes))).collect();
    for (name, kind, _, bytes) in data.header_mut().fields_mut() {
        found.push((name, scalars(kind, bytes)));
    }
    // the matrix of moments has room for more entries than it has
    let entries = data.moment_rownnz().iter().sum::<i32>() as usize;
    for (name, values) in &mut found {
        if ["actuator_moment", "moment_colind"].contains(name) {
            values.truncate(entries);
        }
    }
    for (field, array) in expected {
        // the numbers of plugins are compared in the model
        if field == "signature" || field == "nplugin" || field == "plugin" {
            continue;
        }
        let expected = numbers(array);
        let largest = expected.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let tolerance = data_tolerance(field, largest);
        match found.iter().find(|(name, _)| name == field) {
            None => failures.push(format!("{context}: {field} is missing")),
            Some((_, values)) => {
                let equal = values.len() == expected.len()
                    && values.iter().zip(&expected).all(|(&v, &e)| close(v, e, tolerance));
                if !equal {
                    failures.push(format!("{context}: {field}: {values:?}, expected {expected:?}"));
                }
            }
        }
    }
}

#[test]
fn forward_and_steps_equal_the_oracles() {
    let mut failures = Vec::new();
    for (name, golden) in golden() {
        let mut model = load(&name);
        model.edit(|m| m.opt.disableflags |= DisableBit::Constraint as i32);
        let states = golden["states"].as_array().cloned().unwrap_or_default();
        for (index, state) in states.iter().enumerate() {
            let context = format!("{name}, state {index}");
            let start = |data: &mut Data| set_input(data, state["input"].as_object().unwrap());
            let mut data = model.make_data();
            start(&mut data);
            data.forward(&model).unwrap();
            compare(&mut data, state["forward"].as_object().unwrap(), &context, &mut failures);

            for (steps, key) in [(1, "step1"), (50, "step50")] {
                let mut data = model.make_data();
                start(&mut data);
                data.step_n(&model, steps).unwrap();
                let expected = state[key].as_object().unwrap();
                let fields = [
                    ("qpos", data.qpos()),
                    ("qvel", data.qvel()),
                    ("act", data.act()),
                    ("sensordata", data.sensordata()),
                ];
                for (field, values) in fields {
                    let Some(expected) = expected.get(field).map(numbers) else { continue };
                    // one step to round-off; fifty may amplify it
                    let tolerance = if steps == 1 { 1e-9 } else { 1e-6 };
                    let equal = expected.len() == values.len()
                        && expected
                            .iter()
                            .zip(values)
                            .all(|(&e, &v)| close(e, v, tolerance * (1.0 + e.abs())));
                    if !equal {
                        failures.push(format!(
                            "{context}: {key} {field}: {values:?}, expected {expected:?}"
                        ));
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn models_that_the_oracle_refuses_are_refused_with_a_position() {
    let text = fs::read_to_string(conformance().join("golden/refused.json")).expect("refused.json");
    let refused: Fields = serde_json::from_str(&text).expect("JSON");
    assert!(!refused.is_empty());
    for name in refused.keys() {
        let name = name.trim_end_matches(".xml");
        let path = conformance().join("models").join(format!("{name}.xml"));
        let error = Model::from_xml_path(&path).expect_err(name);
        assert!(!error.diagnostics.is_empty(), "{name}");
        let positioned = error.diagnostics.iter().any(|d| d.line > 0);
        assert!(positioned, "{name}: no position in {error}");
    }
}
