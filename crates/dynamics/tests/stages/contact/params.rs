//! Parameters of a contact: those of its pair, or a mixture of those of its geoms.

use super::spheres;
use ferrodyn::math::by_precision;
use ferrodyn_testing::{forward, load};

#[test]
fn a_contact_has_the_parameters_of_its_pair() {
    let model = spheres(
        0,
        r#"<pair geom1="a" geom2="b" friction="0.5" solref="0.05 0.8" margin="0.1" gap="0.05"
                 solimp="0.85 0.9 0.002 0.4 1.5"/>"#,
    );
    let data = forward(&model);
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
        let model = load(&text);
        let data = forward(&model);
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
