//! Which parts of flexes touch: bodies, other flexes, the flex itself.
use std::collections::BTreeMap;

use ferrodyn::dynamics::contact::collision;
use ferrodyn::dynamics::forward::fwd_kinematics;
use ferrodyn::dynamics::hooks::NoHooks;
use ferrodyn::math::Real;
use ferrodyn::prelude::Contact;
use ferrodyn::{Data, DisableBit, FlexSelf, Model};
use ferrodyn_testing::{forward, load};

/// A generated flex in a body of its own.
fn flex(name: &str, place: &str, attributes: &str, contact: &str) -> String {
    format!(
        "<body name='{name}' pos='{place}'><flexcomp name='{name}' radius='.02' {attributes}><contact {contact}/></flexcomp></body>"
    )
}

fn scene(world: &str) -> Model {
    load(&format!("<mujoco><worldbody>{world}</worldbody></mujoco>"))
}

const ROPE: &str = "count='12 1 1' spacing='.05 .05 .05' dim='1'";
const SHEET: &str = "count='4 4 1' spacing='.1 .1 .1' dim='2'";
const BLOCK: &str = "count='3 2 2' spacing='.1 .1 .1' dim='3'";

/// Contacts at a configuration, without what follows from them.
fn collide(model: &Model, data: &mut Data) -> Vec<Contact> {
    let d = &mut data.view_mut();
    fwd_kinematics(model, d);
    collision(model, d, &mut NoHooks).unwrap();
    data.contacts().to_vec()
}

/// Numbers between -1 and 1, always the same.
fn numbers(mut seed: u64) -> impl FnMut() -> Real {
    move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 40) as Real / (1u64 << 23) as Real - 1.0
    }
}

/// The model with another way to look for contacts of its flex with itself.
fn in_mode(model: &Model, mode: FlexSelf) -> Model {
    let mut model = model.clone();
    model.edit(|m| m.flex_selfcollide[0] = mode as i32);
    model
}

/// Contacts of a flex with itself by their elements, in the order in which they were compared.
fn by_elements(contacts: &[Contact]) -> BTreeMap<[i32; 2], (Real, [Real; 3])> {
    let entry = |c: &Contact| {
        assert_eq!((c.flex, c.geom, c.vert), ([0, 0], [-1, -1], [-1, -1]));
        (c.elem, (c.dist, c.pos.0))
    };
    // two capsules that are parallel can have two
    contacts.iter().map(entry).collect()
}

/// The same flex with its elements in the opposite order, so that each pair is compared the other way round.
fn reversed(model: &Model) -> Model {
    let mut model = model.clone();
    let corners = model.flex_dim[0] as usize + 1;
    let turned: Vec<i32> = model.flex_elem.rchunks(corners).flatten().copied().collect();
    model.edit(|m| {
        m.flex_elem.copy_from_slice(&turned);
        m.flex_elemlayer.reverse();
    });
    model
}

/// A crumpled flex meets itself where comparing all pairs says, however pairs are found: by the tree and by the sweep. Which element of a pair is the first
/// decides the last digits, so both ways round are compared, and each contact is exactly the one of its way.
fn compare_ways(attributes: &str, states: usize, seed: u64) -> usize {
    let contact = "selfcollide='narrow' activelayers='3'";
    let model = scene(&flex("f", "0 0 1", attributes, contact));
    let turned = reversed(&model);
    let last = model.nflexelem as i32 - 1;
    let modes = [FlexSelf::Bvh, FlexSelf::Sap, FlexSelf::Auto];
    let ways: Vec<_> = modes.map(|mode| in_mode(&model, mode)).into();
    let mut next = numbers(seed);
    let (mut data, mut found) = (model.make_data(), 0);
    for _ in 0..states {
        // every vertex goes somewhere else
        data.qpos_mut().iter_mut().for_each(|q| *q = 0.1 * next());
        let straight = by_elements(&collide(&model, &mut data));
        let other: BTreeMap<_, _> = by_elements(&collide(&turned, &mut data))
            .into_iter()
            .map(|([a, b], contact)| ([last - a, last - b], contact))
            .collect();
        for way in &ways {
            let contacts = by_elements(&collide(way, &mut data));
            for (pair, contact) in &contacts {
                let expected = if pair[0] < pair[1] { &straight } else { &other };
                assert_eq!(expected.get(pair), Some(contact), "{pair:?}");
            }
            let met =
                |[a, b]: [i32; 2]| contacts.contains_key(&[a, b]) || contacts.contains_key(&[b, a]);
            for [a, b] in straight.keys() {
                // what is found both ways round must be found
                assert!(met([*a, *b]) || !other.contains_key(&[*b, *a]), "{a} {b} was missed");
            }
            found += contacts.len();
        }
    }
    found
}

#[test]
fn tree_and_sweep_find_what_comparing_all_pairs_finds_in_10000_crumpled_states() {
    let parts = [(ROPE, 4000), (SHEET, 4000), (BLOCK, 2000)];
    for (i, (attributes, states)) in parts.into_iter().enumerate() {
        let found = compare_ways(attributes, states, i as u64);
        // far more contacts than states: sheets that are merely bent would have none
        assert!(found > 3 * states, "{attributes}: {found}");
    }
}

/// A sheet of two squares, folded so that one half lies over the other.
fn folded(contact: &str, pin: &str) -> Model {
    let points = "0 0 0  .3 0 0  .3 .3 0  0 .3 0  0 0 .03  .3 0 .03  .3 .3 .03  0 .3 .03";
    let attributes =
        format!("type='direct' dim='2' point='{points}' element='0 1 2 0 2 3 4 5 6 4 6 7' {pin}");
    scene(&flex("f", "0 0 1", &attributes, contact))
}

#[test]
fn elements_that_lie_over_each_other_touch() {
    let model = folded("selfcollide='narrow'", "");
    let mut data = forward(&model);
    // triangle over triangle, and over the other half of the square across the diagonal, where they meet in an edge
    let contacts = collide(&model, &mut data);
    let pairs: Vec<_> = contacts.iter().map(|c| c.elem).collect();
    assert_eq!(pairs, [[0, 2], [0, 3], [1, 2], [1, 3]]);
    for contact in &contacts {
        // 0.03 apart, less both radii
        assert!((contact.dist + 0.01).abs() < 1e-5, "{}", contact.dist);
        assert_eq!((contact.flex, contact.includemargin, contact.dim), ([0; 2], 0.0, 3));
    }
}

#[test]
fn within_a_flex_there_is_neither_margin_nor_gap() {
    let model = folded("selfcollide='narrow' margin='.02' gap='.01'", "");
    let mut data = model.make_data();
    let at_rest = collide(&model, &mut data);
    assert!(at_rest.len() == 4 && at_rest.iter().all(|c| c.includemargin == 0.0));
    // the upper half rises to 0.045: its surface is 0.005 above that of the lower one
    data.qpos_mut()[12..].chunks_mut(3).for_each(|vertex| vertex[2] = 0.015);
    assert!(collide(&model, &mut data).is_empty());
}

#[test]
fn each_geom_of_a_body_has_its_own_masks() {
    let world = "<body pos='.1 .1 1'><freejoint/><geom size='.05'/><geom size='.05' pos='.1 .1 0' contype='2' conaffinity='2'/></body>";
    let model = scene(&(world.to_string() + &flex("f", "0 0 1", SHEET, "selfcollide='none'")));
    let mut flat = model.clone();
    flat.edit(|m| m.opt.disableflags |= DisableBit::Midphase as i32);
    for model in [&model, &flat] {
        let contacts = collide(model, &mut model.make_data());
        assert!(!contacts.is_empty() && contacts.iter().all(|c| c.geom == [0, -1]));
    }
}

#[test]
fn masks_of_zero_and_one_body_for_all_vertices_end_self_collision() {
    let count = |model: &Model| collide(model, &mut model.make_data()).len();
    for mode in ["narrow", "bvh", "sap", "auto"] {
        let contact = format!("selfcollide='{mode}' internal='true'");
        assert!(count(&folded(&contact, "")) > 0, "{mode}");
        assert_eq!(count(&folded(&format!("{contact} contype='0'"), "")), 0, "{mode}");
        assert_eq!(count(&folded(&format!("{contact} conaffinity='2'"), "")), 0, "{mode}");
        // carried by one body: rigid
        let rigid = folded(&contact, "rigid='true'");
        assert_eq!((rigid.flex_rigid[0], count(&rigid)), (1, 0), "{mode}");
    }
    // a tetrahedron that is thinner than its own radius is in contact with itself at rest
    let thin = |rigid: &str| {
        let attributes = format!(
            "type='direct' dim='3' point='0 0 0 .3 0 0 0 .3 0 .1 .1 -.03' element='0 1 2 3' {rigid}"
        );
        count(&scene(&flex("f", "0 0 1", &attributes, "internal='true'")))
    };
    assert_eq!((thin("") > 0, thin("rigid='true'")), (true, 0));
}

/// Contacts of elements with vertices next to them, and of elements with elements, in some crumpled states.
fn internal_and_self(model: &Model) -> [usize; 2] {
    let mut data = model.make_data();
    let mut next = numbers(3);
    let mut counts = [0; 2];
    for _ in 0..20 {
        data.qpos_mut().iter_mut().for_each(|q| *q = 0.1 * next());
        for contact in collide(model, &mut data) {
            counts[usize::from(contact.vert == [-1; 2])] += 1;
        }
    }
    counts
}

#[test]
fn internal_contacts_and_self_collision_are_switched_apart() {
    let with = |attributes: &str, contact: &str| {
        internal_and_self(&scene(&flex("f", "0 0 1", attributes, contact)))
    };
    for attributes in [SHEET, BLOCK] {
        let both = with(attributes, "internal='true' selfcollide='auto'");
        assert!(both[0] > 0 && both[1] > 0, "{attributes}: {both:?}");
        assert_eq!(with(attributes, "internal='true' selfcollide='none'"), [both[0], 0]);
        assert_eq!(with(attributes, "internal='false' selfcollide='auto'"), [0, both[1]]);
        assert_eq!(with(attributes, "internal='false' selfcollide='none'"), [0, 0]);
    }
}

#[test]
fn only_active_layers_of_a_volume_collide_with_it() {
    // 4 x 4 x 4 cells, of which eight are inside
    let block = "count='5 5 5' spacing='.1 .1 .1' dim='3'";
    let elements = |layers: usize, mode: &str| {
        let contact = format!("selfcollide='{mode}' activelayers='{layers}'");
        let model = scene(&flex("f", "0 0 1", block, &contact));
        let mut data = model.make_data();
        let mut next = numbers(1);
        data.qpos_mut().iter_mut().for_each(|q| *q = 0.06 * next());
        let contacts = collide(&model, &mut data);
        let layer = |e: i32| model.flex_elemlayer[e as usize];
        (contacts.len(), contacts.iter().flat_map(|c| c.elem).map(layer).max().unwrap())
    };
    for mode in ["narrow", "bvh", "sap"] {
        let (few, outer) = elements(1, mode);
        let (more, inner) = elements(2, mode);
        assert_eq!((outer, inner), (0, 1), "{mode}");
        assert!(more > few && few > 0, "{mode}: {few} {more}");
    }
}

/// A sheet over a floor and a ball, beside which a second sheet lies under the first.
fn over_ball(first: &str, second: &str, outer: &str) -> Model {
    load(&format!(
        "<mujoco>{outer}<worldbody><geom name='floor' type='plane' size='1 1 .1'/>\
         <body name='ball' pos='.1 .1 .06'><freejoint/><geom name='ball' size='.08' margin='.01' gap='.004'/></body>{}{}</worldbody></mujoco>",
        flex("upper", "0 0 .15", SHEET, first),
        flex("lower", "0 0 .12", SHEET, second),
    ))
}

/// How many contacts there are of floor and ball, ball and upper sheet, and of both sheets.
fn counts(model: &Model, data: &mut Data) -> [usize; 3] {
    let contacts = collide(model, data);
    let count = |of: &dyn Fn(&Contact) -> bool| contacts.iter().filter(|c| of(c)).count();
    [
        count(&|c| c.geom == [0, 1]),
        count(&|c| c.geom[0] == 1 && c.flex[1] == 0),
        count(&|c| c.flex == [0, 1]),
    ]
}

#[test]
fn flexes_collide_where_their_masks_agree() {
    let meet = |first: &str, second: &str| {
        let model = over_ball(first, second, "");
        counts(&model, &mut model.make_data())[2]
    };
    let all = meet("", "");
    assert!(all > 20, "{all}");
    assert_eq!(meet("contype='2' conaffinity='0'", "contype='0' conaffinity='2'"), all);
    assert_eq!(meet("contype='0' conaffinity='4'", "contype='4' conaffinity='0'"), all);
    assert_eq!(meet("contype='2' conaffinity='2'", ""), 0);
    assert_eq!(meet("contype='1' conaffinity='0'", "contype='1' conaffinity='0'"), 0);
}

#[test]
fn how_a_flex_meets_others_does_not_change_what_it_meets_in_itself_and_the_other_way_round() {
    let model = over_ball("selfcollide='none'", "selfcollide='none'", "");
    let expected = counts(&model, &mut model.make_data());
    assert!(expected.iter().all(|count| *count > 0), "{expected:?}");
    for mode in ["narrow", "bvh", "sap", "auto"] {
        let model = over_ball(&format!("selfcollide='{mode}' internal='true'"), "", "");
        assert_eq!(counts(&model, &mut model.make_data()), expected, "{mode}");
    }
}

#[test]
fn contacts_of_two_flexes_have_the_parameters_of_both() {
    let first = "margin='.02' gap='.01' condim='1' friction='.5 .1 .1' solmix='1' solref='.02 1' solimp='.8 .9 .01 .5 2'";
    let second = "margin='.03' gap='.005' condim='4' friction='.2 .3 .1' solmix='3' solref='.04 2' solimp='.4 .5 .01 .5 2'";
    let between = |first: &str, second: &str| {
        let model = over_ball(first, second, "");
        let contacts = collide(&model, &mut model.make_data());
        *contacts.iter().find(|c| c.flex == [0, 1]).unwrap()
    };
    let mixed = between(first, second);
    assert_eq!(mixed.dim, 4);
    assert!((mixed.includemargin - (0.05 - 0.015)).abs() < 1e-12);
    // the largest friction, and a quarter of the first with three quarters of the second
    assert_eq!(mixed.friction, [0.5, 0.5, 0.3, 0.1, 0.1]);
    assert!((mixed.solref[0] - 0.035).abs() < 1e-12 && (mixed.solimp[0] - 0.5).abs() < 1e-12);
    // all of the one with the higher priority, but for margin and gap
    let ruled = between(&format!("{first} priority='1'"), second);
    assert_eq!((ruled.dim, ruled.solref, ruled.solimp[0]), (1, [0.02, 1.0], 0.8));
    assert_eq!(ruled.friction, [0.5, 0.5, 0.1, 0.1, 0.1]);
    assert_eq!(ruled.includemargin, mixed.includemargin);
    // a stiffness that is given directly: the least of both
    let direct = between(&first.replace("solref='.02 1'", "solref='-100 -2'"), second);
    assert_eq!(direct.solref, [-100.0, -2.0]);
}

#[test]
fn without_trees_the_same_is_found() {
    let model = over_ball("selfcollide='bvh' internal='true'", "", "");
    let mut flat = model.clone();
    flat.edit(|m| m.opt.disableflags |= DisableBit::Midphase as i32);
    let mut data = model.make_data();
    let mut next = numbers(5);
    for _ in 0..20 {
        data.qpos_mut()[7..].iter_mut().for_each(|q| *q = 0.05 * next());
        let key = |c: &Contact| (c.geom, c.flex, c.vert, c.elem);
        let mut by_tree: Vec<_> = collide(&model, &mut data).iter().map(key).collect();
        let mut all: Vec<_> = collide(&flat, &mut data).iter().map(key).collect();
        // elements of one flex are compared in another order
        for list in [&mut by_tree, &mut all] {
            list.iter_mut().filter(|k| k.1[0] == k.1[1] && k.2 == [-1; 2]).for_each(|k| k.3.sort());
            list.sort();
        }
        assert_eq!(by_tree, all);
        assert!(all.len() > 30);
    }
}

#[test]
fn contacts_of_a_body_and_a_flex_come_by_geom_then_by_element() {
    let world = "<geom type='plane' size='1 1 .1' pos='0 0 .1'/><geom type='box' size='.1 .1 .05' pos='.05 0 .1'/>";
    let model = scene(&(world.to_string() + &flex("f", "0 0 .11", SHEET, "selfcollide='none'")));
    let contacts = collide(&model, &mut model.make_data());
    let keys: Vec<_> = contacts.iter().map(|c| (c.geom[0], c.vert[1].max(c.elem[1]))).collect();
    assert!(keys.is_sorted(), "{keys:?}");
    // the plane meets all vertices, the box some elements
    assert_eq!(keys.iter().filter(|(geom, _)| *geom == 0).count(), 16);
    assert!(keys.iter().filter(|(geom, _)| *geom == 1).count() > 3);
    let vertices = contacts.iter().filter(|c| c.geom[0] == 0);
    assert!(vertices.clone().all(|c| c.elem == [-1; 2] && c.flex == [-1, 0]));
    // 0.01 above the plane, with a radius of 0.02
    assert!(vertices.clone().all(|c| (c.dist + 0.01).abs() < 1e-12));
}

#[test]
fn an_exclusion_of_bodies_does_not_reach_their_flexes_but_pins_do() {
    // the ball is beside its own sheet; a vertex that is pinned moves with the body, and so do its elements' contacts end
    let with = |pin: &str| {
        let world = format!(
            "<body name='b' pos='0 0 1'><freejoint/><geom size='.1'/>\
             <flexcomp name='f' radius='.02' {SHEET}><contact selfcollide='none'/>{pin}</flexcomp></body>"
        );
        let model = scene(&world);
        collide(&model, &mut model.make_data()).iter().map(|c| c.elem[1]).collect::<Vec<_>>()
    };
    let free = with("");
    let pinned = with("<pin id='5'/>");
    assert!(!free.is_empty() && pinned.len() < free.len());
    let model = scene(&flex("f", "0 0 1", SHEET, ""));
    let has_pin = |e: i32| model.flex_element(0, e as usize).contains(&5);
    assert!(free.iter().any(|e| has_pin(*e)) && !pinned.iter().any(|e| has_pin(*e)));
}
