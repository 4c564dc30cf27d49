//! A world and a model that do not belong together: every function that takes both says so in the same way.
use ferrodyn::math::Vec3;
use ferrodyn::{
    Callbacks, Data, DerivativeConfig, Error, Model, RayFilter, StateBit, StepError, load_model,
};

/// A ball over a plane, as often as asked.
fn balls(n: usize) -> Model {
    let ball = "<body pos='0 0 .09'><freejoint/><geom size='.1' contype='0'/></body>".repeat(n);
    load_model(&format!(
        "<mujoco><size nkey='1'/><worldbody><geom type='plane' size='1 1 .1'/>{ball}</worldbody></mujoco>"
    ))
    .unwrap()
}

#[test]
fn every_function_refuses_a_model_that_the_world_was_not_made_for() {
    let (model, other) = (balls(1), balls(2));
    let mut data = model.make_data();
    data.forward(&model).unwrap();
    let before = data.to_bytes();
    let parts = StateBit::FullPhysics as i32;
    let state = data.state(&model, parts).unwrap();
    let (point, down) = (Vec3::new(0.0, 0.0, 2.0), Vec3::new(0.0, 0.0, -1.0));
    let filter = RayFilter::default();
    let mut hooks = Callbacks::new();
    let mut answers: Vec<(&str, Result<(), Error>)> = vec![];
    macro_rules! ask {
        ($($function:ident($($argument:expr),*),)*) => {
            $(answers.push((
                stringify!($function),
                data.$function(&other, $($argument),*).map(|_| ()).map_err(Error::from),
            ));)*
        };
    }
    ask! {
        step(), step_n(3), forward(), inverse(),
        step_with(&mut hooks), step_n_with(2, &mut hooks), forward_with(&mut hooks), inverse_with(&mut hooks),
        reset(), reset_to_keyframe(0), state(parts), set_state(&state, parts),
        contact_force(0), ray(point, down, &filter), multi_ray(point, &[down], &filter, 1e9),
        geom_contacts(0, 1, None), geom_distance(0, 1, 1.0),
        transition_derivatives(&DerivativeConfig::default()),
    }
    answers
        .push(("from_bytes", Data::from_bytes(&other, &before).map(|_| ()).map_err(Error::from)));
    for (function, answer) in answers {
        let text = answer.expect_err(function).to_string();
        assert_eq!(text, StepError::ModelMismatch.to_string(), "{function}");
    }
    assert_eq!(data.to_bytes(), before);
}

#[test]
fn numbers_of_objects_that_do_not_exist_are_named() {
    let model = balls(1);
    let mut data = model.make_data();
    data.forward(&model).unwrap();
    let missing = |kind, id, count| StepError::NoSuchObject { kind, id, count };
    assert_eq!(data.geom_distance(&model, 0, 7, 1.0), Err(missing("geom", 7, 2)));
    assert_eq!(data.geom_contacts(&model, 2, 0, None).err(), Some(missing("geom", 2, 2)));
    let contacts = data.contacts().len();
    assert_eq!(data.contact_force(&model, 5), Err(missing("contact", 5, contacts)));
}
