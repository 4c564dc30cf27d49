//! Every kind of sensor and of actuator in a model of its own, beside numbers of MuJoCo 3.5.0.
use ferrodyn::Data;
use ferrodyn_testing::{conformance_model, repository};
use serde_json::{Map, Value};

/// Relative to one plus the largest element.
const TOLERANCE: f64 = 1e-9;

fn array<'a>(data: &'a Data, name: &str) -> &'a [f64] {
    match name {
        "qpos" => data.qpos(),
        "qvel" => data.qvel(),
        "act" => data.act(),
        "sensordata" => data.sensordata(),
        "actuator_length" => data.actuator_length(),
        "actuator_velocity" => data.actuator_velocity(),
        "actuator_force" => data.actuator_force(),
        "qfrc_actuator" => data.qfrc_actuator(),
        _ => panic!("{name} is not compared"),
    }
}

fn compare(data: &Data, expected: &Map<String, Value>, context: &str, wrong: &mut Vec<String>) {
    for (name, expected) in expected {
        let expected: Vec<f64> =
            expected.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        let found = array(data, name);
        let scale = 1.0 + expected.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE * scale;
        if found.len() != expected.len() || !found.iter().zip(&expected).all(close) {
            wrong.push(format!("{context}: {name} is {found:?}, expected {expected:?}"));
        }
    }
}

fn golden() -> Map<String, Value> {
    let text = std::fs::read_to_string(repository("conformance/kinds.json")).unwrap();
    let golden: Map<String, Value> = serde_json::from_str(&text).unwrap();
    assert!(golden.len() > 70, "only {} kinds", golden.len());
    golden
}

/// Kinds that have nothing to show: a user sensor is filled by a callback, and none is set.
const SILENT: [&str; 1] = ["sensor_user"];

#[test]
fn every_kind_acts() {
    for (name, states) in &golden() {
        let some = |field: &str| {
            let values = ["forward", "step20"].map(|state| states[state].get(field));
            let mut values = values.into_iter().flatten().flat_map(|v| v.as_array().unwrap());
            values.any(|x| x.as_f64() != Some(0.0))
        };
        let results = match name.starts_with("sensor_") {
            true => vec!["sensordata"],
            false => vec!["actuator_force", "actuator_velocity", "qfrc_actuator"],
        };
        for field in results {
            assert_eq!(some(field), !SILENT.contains(&name.as_str()), "{name}: {field}");
        }
    }
}

#[test]
fn every_kind_gives_the_oracles_numbers() {
    let mut wrong = Vec::new();
    for (name, expected) in &golden() {
        let model = conformance_model(&format!("kinds/{name}"));
        let mut data = model.make_data();
        data.reset_to_keyframe(&model, 0).unwrap();
        data.ctrl_mut().fill(0.6);
        data.forward(&model).unwrap();
        let state = |s: &str| expected[s].as_object().unwrap();
        compare(&data, state("forward"), &format!("{name}, forward"), &mut wrong);
        data.step_n(&model, 20).unwrap();
        compare(&data, state("step20"), &format!("{name}, 20 steps"), &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
