//! Contacts of shapes.
use ferrodyn_testing::{forward, load};

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
                let model = load(&text);
                let mut data = forward(&model);
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
