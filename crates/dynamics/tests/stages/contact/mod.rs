//! Which geoms touch, and with which parameters: masks, exclusions, explicit pairs, degenerate
//! geometry.
#[cfg(not(feature = "f32"))]
mod sdf;

use ferrodyn::math::by_precision;
use ferrodyn::prelude::*;

/// Spheres a, a2 (one body), c (its child) and b, and a floor; `mask` is their contact mask.
fn model(mask: u32, contact: &str) -> Model {
    let text = format!(
        r#"<mujoco>
             <default>
               <geom contype="{mask}" conaffinity="{mask}"/>
               <default class="four"><pair condim="4"/></default>
             </default>
             <worldbody>
               <geom name="floor" type="plane" size="1 1 .1"/>
               <body name="a" pos="0 0 .09">
                 <freejoint/>
                 <geom name="a" size=".1"/>
                 <geom name="a2" size=".1" pos=".15 0 0"/>
                 <body name="child" pos="0 .15 0"><joint/><geom name="c" size=".1"/></body>
               </body>
               <body name="b" pos="0 0 .25"><freejoint/><geom name="b" size=".1"/></body>
             </worldbody>
             <contact>{contact}</contact>
           </mujoco>"#
    );
    load_model(&text).unwrap()
}

/// Geoms and dimensions of all contacts: floor 0, a 1, a2 2, c 3, b 4.
fn touching(model: &Model) -> Vec<([i32; 2], i32)> {
    let mut data = model.make_data();
    data.forward(model).unwrap();
    data.contacts().iter().map(|c| (c.geom, c.dim)).collect()
}

#[test]
fn bitmasks_decide_without_pairs() {
    assert!(touching(&model(0, "")).is_empty());
    let found: Vec<_> = touching(&model(1, "")).into_iter().map(|(geoms, _)| geoms).collect();
    // not a with a2 (one body) nor with c (its child)
    assert_eq!(found, [[0, 1], [0, 2], [0, 3], [1, 4]]);
}

#[test]
fn an_exclusion_removes_the_contacts_of_two_bodies() {
    let found = touching(&model(1, r#"<exclude body1="a" body2="b"/>"#));
    assert_eq!(found, [([0, 1], 3), ([0, 2], 3), ([0, 3], 3)]);
    assert_eq!(touching(&model(1, r#"<exclude body1="a" body2="a"/>"#)).len(), 4);
}

#[test]
fn a_pair_collides_in_spite_of_exclusions_masks_and_kinship() {
    let excluded = r#"<exclude body1="a" body2="b"/><pair geom1="a" geom2="b"/>"#;
    assert_eq!(touching(&model(0, excluded)), [([1, 4], 3)]);
    assert_eq!(touching(&model(0, r#"<pair geom1="a" geom2="a2"/>"#)), [([1, 2], 3)]);
    assert_eq!(touching(&model(0, r#"<pair geom1="a" geom2="c"/>"#)), [([1, 3], 3)]);
    assert!(touching(&model(0, r#"<pair geom1="floor" geom2="b"/>"#)).is_empty());
}

#[test]
fn a_pair_replaces_the_automatic_contact() {
    let found = touching(&model(1, r#"<pair geom1="b" geom2="a" condim="1"/>"#));
    let between: Vec<_> = found.iter().filter(|(geoms, _)| *geoms == [1, 4]).collect();
    assert_eq!(between, [&([1, 4], 1)]);
    assert_eq!(touching(&model(0, r#"<pair class="four" geom1="a" geom2="b"/>"#)), [([1, 4], 4)]);
    // pairs that repeat are both kept, as in MuJoCo
    let twice = r#"<pair geom1="a" geom2="b" condim="1"/><pair geom1="b" geom2="a" condim="4"/>"#;
    assert_eq!(touching(&model(0, twice)), [([1, 4], 1), ([1, 4], 4)]);
}

#[test]
fn a_contact_has_the_parameters_of_its_pair() {
    let model = model(
        0,
        r#"<pair geom1="a" geom2="b" friction="0.5" solref="0.05 0.8" margin="0.1" gap="0.05"
                 solimp="0.85 0.9 0.002 0.4 1.5"/>"#,
    );
    let mut data = model.make_data();
    data.forward(&model).unwrap();
    let contact = &data.contacts()[0];
    assert_eq!(contact.friction, [0.5, 1.0, 0.005, 0.0001, 0.0001]);
    assert_eq!((contact.solref, contact.solreffriction), ([0.05, 0.8], [0.0, 0.0]));
    assert_eq!(contact.solimp, [0.85, 0.9, 0.002, 0.4, 1.5]);
    assert_eq!((contact.includemargin, contact.exclude), (0.05, 0));
}

#[test]
fn parameters_mix_by_priority_and_weight() {
    let two = |first: &str, second: &str| {
        let text = format!(
            r#"<mujoco><worldbody>
                 <body><freejoint/><geom size=".1" {first}/></body>
                 <body pos=".15 0 0"><freejoint/><geom size=".1" {second}/></body>
               </worldbody></mujoco>"#
        );
        let model = load_model(&text).unwrap();
        let mut data = model.make_data();
        data.forward(&model).unwrap();
        data.contacts()[0]
    };
    let mixed = two(r#"solmix="3" solref=".1 1" friction=".2""#, r#"solref=".02 1" condim="6""#);
    assert!((mixed.solref[0] - 0.08).abs() < by_precision(1e-12, 1e-7));
    assert_eq!((mixed.dim, mixed.friction[0]), (6, 1.0));
    let direct = two(r#"solref="-100 -5""#, r#"solref=".02 1""#);
    assert_eq!(direct.solref, [-100.0, -5.0]);
    let prior = two(r#"priority="1" condim="1" friction=".2""#, r#"condim="6""#);
    assert_eq!((prior.dim, prior.friction[0]), (1, 0.2));
}

#[test]
fn degenerate_geometry_gives_finite_contacts() {
    let shapes = [
        r#"type="sphere" size="1e-9""#,
        r#"type="capsule" size="1e-9 1e-9""#,
        r#"type="ellipsoid" size="1e-9 .1 .1""#,
        r#"type="cylinder" size=".1 1e-9""#,
        r#"type="box" size="1e-9 .1 .1""#,
        r#"type="mesh" mesh="flat""#,
        r#"type="mesh" mesh="needle""#,
    ];
    let mut contacts = 0;
    for first in shapes {
        for second in shapes {
            for offset in ["0 0 0", "1e-12 0 0", ".05 0 0", "0 .1 0", "0 0 -.05"] {
                let text = format!(
                    r#"<mujoco><option><flag multiccd="enable"/></option><asset>
                         <mesh name="flat" inertia="shell" vertex="0 0 0 .1 0 0 0 .1 0 .1 .1 1e-9"/>
                         <mesh name="needle" inertia="shell"
                               vertex="0 0 0 .1 0 0 0 1e-7 0 0 0 1e-7"/>
                       </asset><worldbody>
                         <body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
                           <geom {first}/></body>
                         <body pos="{offset}"><freejoint/>
                           <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom {second}/></body>
                       </worldbody></mujoco>"#
                );
                let model = load_model(&text).unwrap();
                let mut data = model.make_data();
                data.forward(&model).unwrap();
                contacts += data.contacts().len();
                for contact in data.contacts() {
                    let numbers = contact.pos.0.iter().chain(&contact.frame.0);
                    assert!(contact.dist.is_finite() && numbers.clone().all(|x| x.is_finite()));
                }
                let (distance, _) = data.geom_distance(&model, 0, 1, 1.0).unwrap();
                assert!(distance.is_finite(), "{first} {second} {offset}");
            }
        }
    } // most of the 245 pairs touch
    assert!(contacts > 200, "{contacts}");
}
