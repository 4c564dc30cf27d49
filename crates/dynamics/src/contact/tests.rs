//! Memory of collision detection, on models made by hand.
use alloc::vec::Vec;

use ferrodyn_math::{Mat3, Real, Vec3};
use ferrodyn_model::{GeomType, Model, Sizes};

use super::{PAIRS_PER_BODY, collision, geom_distance, multi_ray};
use crate::contact::RayFilter;
use crate::hooks::NoHooks;
use crate::{OwnedWorld, StepError};

/// Bodies with so many balls each, all of which touch, and a world without geoms.
fn balls(bodies: usize, each: usize, nodes: usize) -> Model {
    let sizes = Sizes {
        nbody: bodies + 1,
        ngeom: bodies * each,
        nbvh: bodies * nodes,
        nbvhstatic: bodies * nodes,
        ..Sizes::default()
    };
    let mut m = Model::zeroed(sizes);
    m.body_mocapid.fill(-1);
    m.body_treeid.fill(-1);
    m.body_bvhadr.fill(-1);
    m.geom_matid.fill(-1);
    m.geom_plugin.fill(-1);
    m.geom_type.fill(GeomType::Sphere as i32);
    m.geom_size.fill(Vec3::new(1.0, 0.0, 0.0));
    m.geom_aabb.fill([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    m.geom_rbound.fill(1.0);
    m.geom_contype.fill(1);
    m.geom_conaffinity.fill(1);
    m.geom_rgba.fill([1.0; 4]);
    for b in 1..=bodies {
        m.body_weldid[b] = b as i32;
        m.body_contype[b] = 1;
        m.body_conaffinity[b] = 1;
        m.body_geomnum[b] = each as i32;
        m.body_geomadr[b] = ((b - 1) * each) as i32;
        for k in 0..each {
            m.geom_bodyid[(b - 1) * each + k] = b as i32;
        }
    }
    m
}

/// The data of such a model: balls a little beside each other.
fn placed(m: &Model) -> OwnedWorld {
    let mut data = OwnedWorld::new(m);
    let d = data.view_mut();
    for g in 0..m.ngeom {
        d.geom_xpos[g] = Vec3::new(0.01 * g as Real, 0.02 * (g % 7) as Real, 0.0);
    }
    d.geom_xmat.fill(Mat3::IDENTITY);
    d.ximat.fill(Mat3::IDENTITY);
    data
}

#[test]
fn a_search_makes_room_for_more_pairs_than_it_guessed() {
    const BODIES: usize = 40;
    let m = balls(BODIES, 1, 0);
    let all = BODIES * (BODIES - 1) / 2;
    assert!(all > 2 * PAIRS_PER_BODY * BODIES);
    let mut data = placed(&m);
    for _ in 0..2 {
        let d = &mut data.view_mut();
        collision(&m, d, &mut NoHooks).unwrap();
        let found: Vec<[i32; 2]> =
            d.work.contact[..d.ncon()].iter().map(|contact| contact.geom).collect();
        assert_eq!((found.len(), d.head.ncon), (all, all as i32));
        assert!(found.is_sorted());
        assert_eq!(d.kept.pairs, all, "room is made once");
    }
}

#[test]
fn too_little_memory_is_an_error_and_changes_nothing() {
    let m = balls(40, 1, 0);
    let mut data = placed(&m);
    collision(&m, &mut data.view_mut(), &mut NoHooks).unwrap();
    data.view_mut().geom_xpos[3][0] = 0.5;
    let words = data.view_mut().stack.free_words();
    let mut fresh = data.clone();
    // no memory, and memory for the pairs that are guessed but not for those that are found
    for room in [0, words - 1] {
        fresh.copy_from(&data);
        let before = fresh.clone();
        let mut block = alloc::vec![0; room];
        let d = &mut fresh.view_mut();
        d.stack = ferrodyn_math::Stack::new(&mut block);
        d.forbid_growth();
        let error = collision(&m, d, &mut NoHooks).unwrap_err();
        assert!(matches!(error, StepError::NoRoom { missing: 1.., .. }), "{error}");
        assert_eq!(fresh, before);
    }
}

#[test]
fn distances_and_rays_need_memory_too() {
    let m = balls(2, 1, 0);
    let mut data = placed(&m);
    let d = &mut data.view_mut();
    d.forbid_growth();
    let full = |error| matches!(error, StepError::NoRoom { .. });
    assert!(full(geom_distance(&m, d, 0, 1, 1.0).unwrap_err()));
    let mut hits = [None];
    let filter = RayFilter::default();
    let error = multi_ray(&m, d, Vec3::Z, &[Vec3::X], &filter, 9.0, &mut hits).unwrap_err();
    assert!(full(error) && hits == [None]);
}

/// Trees in which every box has a leaf and the rest below it leave one pair behind for each box.
#[test]
fn the_deepest_trees_fit_and_contacts_come_in_order() {
    const BALLS: usize = 9;
    const NODES: usize = 2 * BALLS - 1;
    let mut m = balls(2, BALLS, NODES);
    m.bvh_aabb.fill([0.0, 0.0, 0.0, 9.0, 9.0, 9.0]);
    m.bvh_child.fill([-1; 2]);
    m.bvh_nodeid.fill(-1);
    for b in [1, 2] {
        let root = (b - 1) * NODES;
        m.body_bvhadr[b] = root as i32;
        m.body_bvhnum[b] = NODES as i32;
        for k in 0..BALLS {
            // boxes at the even places, each with a leaf behind it; the last box is a leaf itself
            let leaf = if k + 1 < BALLS { 2 * k + 1 } else { 2 * k };
            m.bvh_nodeid[root + leaf] = m.body_geomadr[b] + k as i32;
            if k + 1 < BALLS {
                m.bvh_child[root + 2 * k] = [leaf as i32, 2 * k as i32 + 2];
            }
        }
    }
    assert_eq!(super::midphase::most_nodes(&m), NODES + 1);
    let mut data = placed(&m);
    let d = &mut data.view_mut();
    collision(&m, d, &mut NoHooks).unwrap();
    let found: Vec<[i32; 2]> =
        d.work.contact[..d.ncon()].iter().map(|contact| contact.geom).collect();
    assert_eq!(found.len(), BALLS * BALLS);
    assert!(found.is_sorted());
    // each contact went to its place as a whole
    for contact in d.work.contact[..d.ncon()].iter() {
        let [a, b] = contact.geom.map(|g| d.geom_xpos[g as usize]);
        assert!((contact.pos - (a + b) * 0.5).norm() < 1e-6);
        assert_eq!(contact.efc_address, -1);
    }
}
