//! Which geoms touch, and with which parameters: masks, exclusions, explicit pairs, degenerate
//! geometry.
mod distance;
#[cfg(not(feature = "f32"))]
mod element;
#[cfg(not(feature = "f32"))]
mod flex;
mod marks;
mod narrow;
mod params;
mod ray;
mod ray_flex;
#[cfg(not(feature = "f32"))]
mod sdf;
mod separation;

use ferrodyn::prelude::*;
use ferrodyn_testing::{forward, load};

/// Spheres a, a2 (one body), c (its child) and b, and a floor; `mask` is their contact mask.
fn spheres(mask: u32, contact: &str) -> Model {
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
    load(&text)
}

/// Geoms and dimensions of all contacts: floor 0, a 1, a2 2, c 3, b 4.
fn touching(model: &Model) -> Vec<([i32; 2], i32)> {
    let data = forward(model);
    data.contacts().iter().map(|c| (c.geom, c.dim)).collect()
}

#[test]
fn bitmasks_decide_without_pairs() {
    assert!(touching(&spheres(0, "")).is_empty());
    let found: Vec<_> = touching(&spheres(1, "")).into_iter().map(|(geoms, _)| geoms).collect();
    // not a with a2 (one body) nor with c (its child)
    assert_eq!(found, [[0, 1], [0, 2], [0, 3], [1, 4]]);
}

#[test]
fn an_exclusion_removes_the_contacts_of_two_bodies() {
    let found = touching(&spheres(1, r#"<exclude body1="a" body2="b"/>"#));
    assert_eq!(found, [([0, 1], 3), ([0, 2], 3), ([0, 3], 3)]);
    assert_eq!(touching(&spheres(1, r#"<exclude body1="a" body2="a"/>"#)).len(), 4);
}

#[test]
fn a_pair_collides_in_spite_of_exclusions_masks_and_kinship() {
    let excluded = r#"<exclude body1="a" body2="b"/><pair geom1="a" geom2="b"/>"#;
    assert_eq!(touching(&spheres(0, excluded)), [([1, 4], 3)]);
    assert_eq!(touching(&spheres(0, r#"<pair geom1="a" geom2="a2"/>"#)), [([1, 2], 3)]);
    assert_eq!(touching(&spheres(0, r#"<pair geom1="a" geom2="c"/>"#)), [([1, 3], 3)]);
    assert!(touching(&spheres(0, r#"<pair geom1="floor" geom2="b"/>"#)).is_empty());
}

#[test]
fn a_pair_replaces_the_automatic_contact() {
    let found = touching(&spheres(1, r#"<pair geom1="b" geom2="a" condim="1"/>"#));
    let between: Vec<_> = found.iter().filter(|(geoms, _)| *geoms == [1, 4]).collect();
    assert_eq!(between, [&([1, 4], 1)]);
    assert_eq!(touching(&spheres(0, r#"<pair class="four" geom1="a" geom2="b"/>"#)), [([1, 4], 4)]);
    // pairs that repeat are both kept, as in MuJoCo
    let twice = r#"<pair geom1="a" geom2="b" condim="1"/><pair geom1="b" geom2="a" condim="4"/>"#;
    assert_eq!(touching(&spheres(0, twice)), [([1, 4], 1), ([1, 4], 4)]);
}
