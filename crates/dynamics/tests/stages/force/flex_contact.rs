//! Contacts that are springs.
use ferrodyn::Model;
use ferrodyn_testing::{close, forward, load};

/// A sheet on a floor, 0.01 above it with a radius of 0.03, with passive contacts or without.
fn on_floor(passive: bool, option: &str) -> Model {
    load(&format!(
        "<mujoco><option {option}/><worldbody><geom type='plane' size='1 1 .1'/><body name='b' pos='0 0 .01'>\
         <flexcomp name='f' dim='2' count='3 3 1' spacing='.1 .1 .1' radius='.03'>\
         <contact selfcollide='none' passive='{passive}'/></flexcomp></body></worldbody></mujoco>"
    ))
}

#[test]
fn a_passive_contact_pushes_with_its_depth_and_has_no_row() {
    for option in ["jacobian='dense'", "jacobian='sparse'"] {
        let model = on_floor(true, option);
        let data = forward(&model);
        assert_eq!((data.contacts().len(), data.header().nefc), (9, 0));
        assert!(data.contacts().iter().all(|c| (c.exclude, c.efc_address) == (4, -1)));
        // 10⁴ N/m · 0.02 m upwards on every vertex, nothing sideways
        for vertex in data.qfrc_spring().chunks(3) {
            close(vertex[2], 200.0, 1e-9);
            assert_eq!(vertex[..2], [0.0, 0.0]);
        }
        for (passive, spring) in data.qfrc_passive().iter().zip(data.qfrc_spring()) {
            assert_eq!(passive, spring);
        }
    }
}

#[test]
fn without_it_the_same_contacts_are_rows() {
    let data = forward(&on_floor(false, ""));
    assert_eq!(data.contacts().len(), 9);
    assert!(data.contacts().iter().all(|c| c.exclude == 0 && c.efc_address >= 0));
    assert!(data.qfrc_spring().iter().all(|f| *f == 0.0));
    assert!(data.qfrc_constraint()[2] > 0.0);
}

#[test]
fn passive_contacts_end_with_contacts_or_with_springs_and_dampers() {
    let flag = |flags: &str| {
        let model = on_floor(true, &format!("><flag {flags}/></option><option"));
        let data = forward(&model);
        (data.contacts().len(), data.qfrc_spring()[2] != 0.0)
    };
    assert_eq!(flag("contact='disable'"), (0, false));
    // MuJoCo: they are left out only where all passive forces are
    assert_eq!(flag("spring='disable'"), (9, true));
    assert_eq!(flag("spring='disable' damper='disable'"), (9, false));
}
