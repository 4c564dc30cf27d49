//! Marks of nodes that were met: those of one step, whoever left them.
use ferrodyn::RayFilter;
use ferrodyn::math::Vec3;
use ferrodyn::prelude::*;
use ferrodyn_testing::load;

/// Two bodies of several geoms, which fall onto each other, and a mesh with many faces.
fn scene() -> Model {
    load(
        r#"<mujoco>
             <asset><mesh name="ball" builtin="sphere" params="4"/></asset>
             <worldbody>
               <geom type="mesh" mesh="ball" pos="0 5 0" contype="0" conaffinity="0"/>
               <body>
                 <geom size=".1"/><geom size=".1" pos=".3 0 0"/>
               </body>
               <body pos="0 0 .4">
                 <freejoint/>
                 <geom size=".1"/><geom size=".1" pos=".3 0 0"/>
               </body>
             </worldbody>
           </mujoco>"#,
    )
}

fn marks(data: &Data) -> usize {
    data.bvh_active().iter().filter(|mark| **mark != 0).count()
}

/// Rays through the mesh, here and there.
fn rays(model: &Model, data: &mut Data, count: usize) {
    for i in 0..count {
        let (x, y) = (0.013 + 0.4 * (i as f64).sin(), 5.1 + 0.2 * (1.7 * i as f64).cos());
        let from = Vec3::new(x as _, y as _, 3.0);
        data.ray(model, from, Vec3::new(0.0, 0.0, -1.0), &RayFilter::default()).unwrap();
    }
}

#[test]
fn marks_are_those_of_the_last_step_alone() {
    let model = scene();
    let mut data = model.make_data();
    data.watch_boxes(&model).unwrap();
    data.step(&model).unwrap();
    assert_eq!(marks(&data), 0, "the bodies are apart");
    // a few nodes of the mesh, then more than are kept
    let room = 2 * model.ngeom + 256;
    for (count, many) in [(1, false), (300, true)] {
        rays(&model, &mut data, count);
        assert_eq!(marks(&data) > room, many);
        assert!(marks(&data) > 5);
        data.step(&model).unwrap();
        assert_eq!(marks(&data), 0, "after {count} rays");
    }
    // marks of others: a copy, a restored world
    rays(&model, &mut data, 1);
    let mut copies = [data.clone(), Data::from_bytes(&model, &data.to_bytes()).unwrap()];
    for copy in &mut copies {
        assert_eq!(marks(copy), marks(&data));
        copy.step(&model).unwrap();
        assert_eq!(marks(copy), 0);
    }
    // the bodies meet, with roots and leaves of their trees; what a ray marked in between is gone
    while marks(&data) == 0 || data.contacts().is_empty() {
        rays(&model, &mut data, 1);
        data.step(&model).unwrap();
        assert!(data.time() < 2.0);
    }
    let met = marks(&data);
    assert!((4..=6).contains(&met), "{met}");
    // who begins to look sees the same
    let mut late = model.make_data();
    late.watch_boxes(&model).unwrap();
    assert_eq!(marks(&late), 0, "nothing was searched yet");
    late = model.make_data();
    while late.time() < data.time() {
        late.step(&model).unwrap();
        assert_eq!(marks(&late), 0, "nobody looks");
    }
    let contacts = late.contacts().to_vec();
    late.watch_boxes(&model).unwrap();
    assert_eq!(late.bvh_active(), data.bvh_active());
    assert_eq!(late.contacts(), contacts);
    // and a reset forgets them
    data.reset(&model).unwrap();
    assert_eq!(marks(&data), 0);
    rays(&model, &mut data, 1);
    data.step(&model).unwrap();
    assert_eq!(marks(&data), 0);
}
