//! The Hessian of Newton's method: updated or factored anew.
use ferrodyn::math::{Real, by_precision};
use ferrodyn::{ConstraintState, Data};
use ferrodyn_testing::{all_close, load};

/// Boxes that slide on a floor with elliptic cones: each one is an island with twelve rows or more on their cones. A wrong Hessian would lead to the same
/// solution on a longer way.
#[test]
fn many_contacts_that_slide_are_solved_as_with_updates() {
    let model = |jacobian: &str| {
        load(&format!(
            r#"<mujoco>
                 <option cone="elliptic" jacobian="{jacobian}"/>
                 <worldbody>
                   <geom type="plane" size="5 5 .1"/>
                   <body pos="0 0 .099">
                     <freejoint/><geom type="box" size=".2 .3 .1"/><geom size=".1" mass=".1"/>
                   </body>
                   <body pos="2 0 .099"><freejoint/><geom type="box" size=".2 .2 .1" condim="4"/></body>
                   <body pos="-2 0 .099">
                     <freejoint/><geom type="box" size=".2 .2 .1"/>
                     <body pos="0 0 .2"><joint axis="1 0 0"/><geom size=".1" pos="0 .1 .1"/></body>
                   </body>
                 </worldbody>
               </mujoco>"#
        ))
    };
    // dense matrices are factored anew, sparse ones are updated
    let (dense, sparse) = (model("dense"), model("sparse"));
    let (mut a, mut b) = (dense.make_data(), sparse.make_data());
    let mut sliding = 0;
    for step in 0..300 {
        // pushed ahead, and turned; they come to rest
        let push = |data: &mut Data| {
            for body in 0..3 {
                data.qvel_mut()[6 * body] = 1.0 + body as Real;
                data.qvel_mut()[6 * body + 5] = 0.3;
            }
        };
        if step % 150 == 0 {
            push(&mut a);
            push(&mut b);
        }
        a.step(&dense).unwrap();
        b.step(&sparse).unwrap();
        all_close(a.qacc(), b.qacc(), by_precision(1e-7, 0.5));
        let iterations = |data: &Data| data.header().solver_niter;
        assert_eq!(iterations(&a), iterations(&b), "step {step}");
        let cones = a.work().efc_state.iter().filter(|s| **s == ConstraintState::Cone as i32);
        sliding = sliding.max(cones.count());
    }
    assert!(sliding >= 43, "{sliding} rows slide");
}
