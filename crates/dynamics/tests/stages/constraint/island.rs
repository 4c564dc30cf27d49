//! Trees that share constraints are islands.
use ferrodyn::Data;
use ferrodyn_testing::{forward, load};

#[test]
fn all_trees_of_both_tendons_are_one_island() {
    let model = load(
        "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/></body><body pos='0 1 0'><joint name='b'/>\
         <geom size='.1'/></body><body pos='0 2 0'><joint name='c'/><geom size='.1'/></body></worldbody>\
         <tendon><fixed name='one'><joint joint='a' coef='1'/></fixed>\
         <fixed name='two'><joint joint='b' coef='1'/><joint joint='c' coef='1'/></fixed></tendon>\
         <equality><tendon tendon1='one' tendon2='two'/></equality></mujoco>",
    );
    let data = forward(&model);
    assert_eq!((data.header().nisland, data.header().nidof), (1, 3));
}

/// Two boxes on the floor, one of them under a hinge, and a third one that touches nothing unless it is `low`.
fn boxes(low: bool) -> String {
    let height = if low { 0.19 } else { 2.0 };
    format!(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/>\
         <body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body>\
         <body pos='0 0 .28'><freejoint/><geom type='box' size='.1 .1 .1'/>\
         <body pos='.3 0 0'><joint axis='0 1 0' range='-1 -.5' limited='true'/><geom size='.05'/></body></body>\
         <body pos='0 .15 {height}'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"
    )
}

#[test]
fn one_island_of_everything_keeps_all_orders() {
    let data = forward(&load(&boxes(true)));
    let (head, w) = (data.header(), data.work());
    assert_eq!((head.nisland, head.nidof), (1, 19));
    let in_order = |map: &[i32]| map.iter().enumerate().all(|(i, to)| i as i32 == *to);
    assert!(in_order(w.map_itree2tree) && in_order(w.map_dof2idof) && in_order(w.map_idof2dof));
    assert!(in_order(w.map_efc2iefc) && in_order(w.map_iefc2efc));
    assert_eq!(
        (w.efc_island.len(), w.dof_island.len(), w.tree_island),
        (head.nefc as usize, 19, &[0; 3][..])
    );
    assert!(w.efc_island.iter().chain(w.dof_island).all(|island| *island == 0));
    assert_eq!(
        (w.island_ntree, w.island_nv, w.island_nefc),
        (&[3][..], &[19][..], &[head.nefc][..])
    );
}

/// Do the arrays in island order have what those of an island of everything have?
fn filled(data: &Data) -> [bool; 4] {
    let w = data.work();
    [
        (w.iefc_J, w.iefc_D, w.iefc_type) == (w.efc_J, w.efc_D, w.efc_type),
        (w.iM, w.iLD) == (data.M(), data.qLD()),
        (w.iacc, w.ifrc_constraint) == (data.qacc(), data.qfrc_constraint()),
        (w.iefc_force, w.iefc_aref) == (w.efc_force, w.efc_aref),
    ]
}

#[test]
fn arrays_of_an_island_of_everything_are_filled_for_those_who_watch() {
    let model = load(&boxes(true));
    let mut data = forward(&model);
    assert_eq!(filled(&data), [false; 4]);
    data.watch_islands(&model).unwrap();
    assert_eq!(filled(&data), [true; 4]);
    for _ in 0..3 {
        data.step(&model).unwrap();
        assert_eq!(filled(&data), [true; 4]);
    }
    // with and without, the same comes out
    let mut unwatched = forward(&model);
    for _ in 0..3 {
        unwatched.step(&model).unwrap();
    }
    assert_eq!(unwatched.state_hash(), data.state_hash());
    assert!(data.watch_islands(&load("<mujoco/>")).is_err());
}

#[test]
fn a_tree_that_touches_nothing_is_left_out() {
    let data = forward(&load(&boxes(false)));
    let (head, w) = (data.header(), data.work());
    assert_eq!((head.nisland, head.nidof), (1, 13));
    assert_eq!(w.tree_island, [0, 0, -1]);
    assert_eq!(w.map_itree2tree, [0, 1, 2]);
}
