//! Contacts of distance fields against those that MuJoCo 3.5.0 finds.
use std::fs;

use ferrodyn::Data;
use ferrodyn_testing::{conformance_model, forward, repository};
use serde_json::Value;

/// Searches end at their tolerance, and gradients are differences.
const TOLERANCE: f64 = 1e-5;

/// The models of `contacts.json` after a forward computation, each with what the oracle finds.
fn worlds() -> Vec<(String, Data, Value)> {
    let text = fs::read_to_string(repository("conformance/contacts.json")).unwrap();
    let golden: Value = serde_json::from_str(&text).unwrap();
    let world = |(name, expected): (&String, &Value)| {
        (name.clone(), forward(&conformance_model(name)), expected.clone())
    };
    golden.as_object().unwrap().iter().map(world).collect()
}

#[test]
fn contacts_come_in_the_same_order_with_the_same_numbers() {
    let mut compared = 0;
    for (name, data, expected) in worlds() {
        let expected = expected["contacts"].as_array().unwrap();
        assert_eq!(data.contacts().len(), expected.len(), "{name}");
        for (i, (contact, row)) in data.contacts().iter().zip(expected).enumerate() {
            let number = |k: usize| row[k].as_f64().unwrap();
            let geoms = [number(0) as i32, number(1) as i32];
            assert_eq!(contact.geom, geoms, "{name}, contact {i}");
            let normal = contact.frame.row(0);
            let ours = [[contact.dist, 0.0, 0.0], contact.pos.0, normal.0].concat();
            let theirs = [[number(2), 0.0, 0.0]]
                .into_iter()
                .chain([3, 6].map(|k| [number(k), number(k + 1), number(k + 2)]));
            for (a, b) in ours.iter().zip(theirs.flatten()) {
                assert!((a - b).abs() < TOLERANCE, "{name}, contact {i}: {a} and {b}");
            }
            compared += 1;
        }
    }
    assert!(compared > 50, "only {compared} contacts");
}

#[test]
fn rays_that_feel_a_mesh_mark_the_same_nodes() {
    let mut marked_in_meshes = 0;
    for (name, mut data, expected) in worlds() {
        data.watch_boxes(&conformance_model(&name)).unwrap();
        let active: Vec<u64> =
            expected["active"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        let ours: Vec<u64> =
            (0..).zip(data.bvh_active()).filter(|(_, mark)| **mark != 0).map(|(n, _)| n).collect();
        assert_eq!(ours, active, "{name}");
        if name == "sdf_mesh" {
            marked_in_meshes = active.len();
        }
    }
    // the trees of bodies have a few nodes, that of the mesh has hundreds
    assert!(marked_in_meshes > 200, "only {marked_in_meshes} nodes");
}
