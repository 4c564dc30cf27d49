//! What is remembered from step to step, and who looks at marks: no result depends on it.
use ferrodyn::prelude::*;
use ferrodyn_testing::{conformance_model, load};

/// Hulls, cylinders, ellipsoids and boxes that fall into a heap.
fn heap() -> Model {
    let mut bodies = String::new();
    let shapes = [
        r#"type="mesh" mesh="gem""#,
        r#"type="cylinder" size=".1 .08""#,
        r#"type="ellipsoid" size=".12 .08 .1""#,
        r#"type="mesh" mesh="wedge""#,
        r#"type="box" size=".1 .07 .09""#,
    ];
    for i in 0..20 {
        let (x, y) = (0.21 * (i % 3) as f64, 0.19 * (i / 3 % 3) as f64);
        let z = 0.2 + 0.24 * (i / 9) as f64;
        let shape = shapes[i % shapes.len()];
        // two colliding geoms, and one that only shows
        bodies += &format!(
            r#"<body pos="{x} {y} {z}" euler="{} 40 0">
                 <freejoint/>
                 <geom {shape}/>
                 <geom size=".05" pos=".05 .05 0"/>
                 <geom size=".2" contype="0" conaffinity="0" mass="0"/>
               </body>"#,
            23 * i
        );
    }
    load(&format!(
        r#"<mujoco>
             <asset>
               <mesh name="gem" builtin="sphere" params="2" scale=".1 .08 .12"/>
               <mesh name="wedge" vertex="-.1 -.1 -.1  .1 -.1 -.1  0 .12 -.1  0 0 .12"/>
             </asset>
             <worldbody><geom type="plane" size="5 5 .1"/>{bodies}</worldbody>
           </mujoco>"#
    ))
}

/// Fingerprints and numbers of contacts of all steps; before those that `forget` names, everything that was kept is forgotten.
fn steps(model: &Model, count: usize, mut forget: impl FnMut(usize) -> bool) -> Vec<(u64, usize)> {
    steps_of(model, model.make_data(), count, &mut forget)
}

fn steps_of(
    model: &Model,
    mut data: Data,
    count: usize,
    forget: &mut dyn FnMut(usize) -> bool,
) -> Vec<(u64, usize)> {
    (0..count)
        .map(|step| {
            if forget(step) {
                data.forget_searches();
            }
            data.step(model).unwrap();
            (data.state_hash(), data.contacts().len())
        })
        .collect()
}

#[test]
fn steps_are_the_same_with_it_without_it_and_with_gaps() {
    let hand = conformance_model("hand");
    let meshes = conformance_model("meshes");
    for (model, count) in [(&heap(), 400), (&hand, 200), (&meshes, 200)] {
        let with = steps(model, count, |_| false);
        assert_eq!(with, steps(model, count, |_| true));
        // at steps that look random
        assert_eq!(with, steps(model, count, |step| step * step % 7 == 2));
        assert!(with.iter().any(|(_, contacts)| *contacts > 0));
        // with marks all geoms count, and trees are descended
        let mut watched = model.make_data();
        watched.watch_boxes(model).unwrap();
        assert_eq!(with, steps_of(model, watched, count, &mut |_| false));
    }
}
