//! Worlds on a GPU, as far as that can be told without one: what is refused, what is used instead, how much room there is.
use ferrodyn::dynamics::data::Capacity;
use ferrodyn::{BatchError, BatchSim, Model};
use ferrodyn_gpu::{Batch, GpuBatch, GpuError, available, capacity, check_model};
use ferrodyn_testing::{benchmark_model, conformance_model, load};

/// A box that lies on the floor: four contacts, each with the four edges of its pyramid.
const BOX: &str = "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>
  <body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>";

fn reason(model: &Model) -> Option<&'static str> {
    match check_model(model) {
        Ok(()) => None,
        Err(GpuError::Unsupported(what)) => Some(what),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn what_kernels_leave_out_is_refused_by_name() {
    let cloth = load(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><worldbody>
           <flexcomp name='cloth' ferrodyn:solver='xpbd' type='grid' dim='2' count='4 3 1' spacing='.1 .1 .1' radius='.01'/>
         </worldbody></mujoco>",
    );
    let substeps = load(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option ferrodyn:solver='xpbd'/><worldbody/></mujoco>",
    );
    let compared = load("<mujoco><option><flag fwdinv='enable'/></option></mujoco>");
    for (model, what) in [
        (conformance_model("flex_grid"), "flexes"),
        (cloth, "deformable bodies"),
        (conformance_model("pid"), "plugins"),
        (conformance_model("sdf_mesh"), "distance fields"),
        (substeps, "position-based contacts"),
        (conformance_model("kinds/sensor_tactile"), "tactile sensors"),
        (compared, "the comparison with inverse dynamics"),
        (conformance_model("sleep_stacks"), "sleeping trees"),
    ] {
        assert_eq!(reason(&model), Some(what));
        // a model is refused before a GPU is looked for
        let error = GpuBatch::new(model.shared(), 2).expect_err(what);
        assert_eq!(error.to_string(), format!("{what}: not on a GPU"));
    }
}

#[test]
fn what_robots_are_made_of_is_not_refused() {
    for name in [
        "hand",
        "tendons",
        "actuators",
        "equality",
        "hfields",
        "meshes",
        "contact_dims",
        "integrator_rk4",
    ] {
        assert_eq!(reason(&conformance_model(name)), None, "{name}");
    }
    assert_eq!(reason(&benchmark_model("humanoid")), None);
}

/// Step some worlds of a batch and of one on the processor, and compare them.
fn assert_same_bits(model: &Model, mut batch: Batch, steps: usize) {
    const WORLDS: usize = 3;
    let mut processor = BatchSim::new(model.shared(), WORLDS).unwrap();
    for step in 0..steps {
        let controls: Vec<_> = (0..WORLDS * model.nu)
            .map(|i| ((i * 7 + step) % 13) as ferrodyn::math::Real / 13.0)
            .collect();
        batch.set_controls(&controls).unwrap();
        processor.set_controls(&controls).unwrap();
        let own: Vec<u64> = batch.step_all().unwrap().states.iter().map(|x| x.to_bits()).collect();
        let theirs: Vec<u64> =
            processor.step_all().unwrap().states.iter().map(|x| x.to_bits()).collect();
        assert_eq!(own, theirs, "after {} steps", step + 1);
    }
    let marks = [false, true, false];
    batch.reset_where(&marks).unwrap();
    processor.reset_where(&marks).unwrap();
    assert_eq!(batch.step_all().unwrap().states, processor.step_all().unwrap().states);
}

#[test]
fn a_batch_steps_wherever_it_can_and_says_why() {
    let model = benchmark_model("humanoid");
    let batch = Batch::auto(model.shared(), 3).unwrap();
    match (available(), batch.why_not_gpu()) {
        (Ok(_), why) => assert_eq!(why, None),
        (Err(GpuError::NoDevice(what)), Some(why)) => {
            assert_eq!(why.to_string(), format!("there is no GPU to use: {what}"));
            assert!(!what.is_empty());
        }
        (Err(error), why) => assert_eq!(why, Some(&error)),
    }
    assert_same_bits(&model, batch, 20);
}

#[test]
fn a_model_that_is_refused_steps_on_the_processor() {
    let model = conformance_model("sleep_stacks");
    let batch = Batch::auto(model.shared(), 3).unwrap();
    assert_eq!(batch.why_not_gpu(), Some(&GpuError::Unsupported("sleeping trees")));
    assert_same_bits(&model, batch, 20);
}

#[test]
fn wrong_lengths_name_both() {
    let model = benchmark_model("humanoid");
    let mut batch = Batch::auto(model.shared(), 3).unwrap();
    let expected = 3 * model.nu;
    let error = batch.set_controls(&[0.0; 5]).unwrap_err();
    let what = BatchError::Length { what: "controls", found: 5, expected };
    assert_eq!(error, GpuError::Batch(what));
    assert_eq!(
        error.to_string(),
        format!("controls: 5 elements were given, and {expected} are needed")
    );
    let error = batch.reset_where(&[true; 4]).unwrap_err();
    assert_eq!(
        error,
        GpuError::Batch(BatchError::Length { what: "the mask", found: 4, expected: 3 })
    );
}

#[test]
fn there_is_twice_the_room_that_a_trial_needs() {
    let room = capacity(&load(BOX)).unwrap();
    assert_eq!((room.contacts, room.rows), (2 * 4 + 16, 2 * 16 + 16));
    assert!(room.jacobian >= 2 * 16 * 6);
}

#[test]
fn a_trial_begins_at_keyframes_too() {
    let high = BOX.replace("0 0 .09", "0 0 9").replace(
        "</worldbody>",
        "</worldbody><keyframe><key/><key qpos='0 0 .09 1 0 0 0'/></keyframe>",
    );
    assert_eq!(capacity(&load(&high)).unwrap().contacts, 2 * 4 + 16);
    let never = high.replace(".09", "9");
    assert_eq!(capacity(&load(&never)).unwrap().contacts, 16);
}

#[test]
fn a_trial_gives_actuators_their_whole_range() {
    // only a push lets the arm reach its limit
    let arm = load(
        "<mujoco><option gravity='0 0 0'/><worldbody><body>
           <joint name='j' limited='true' range='-20 20'/><geom size='.1' pos='1 0 0'/>
         </body></worldbody><actuator><motor joint='j' ctrlrange='0 400'/></actuator></mujoco>",
    );
    assert_eq!(capacity(&arm).unwrap().rows, 2 + 16);
}

#[test]
fn a_trial_whose_step_is_refused_is_no_error() {
    // conjugate gradients that miss their tolerance after one iteration
    let strict = BOX.replace(
        "<mujoco>",
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option ferrodyn:solver='CGStrict' iterations='1' tolerance='1e-14'/>",
    );
    let model = load(&strict);
    assert!(model.make_data().step(&model).is_err());
    assert!(capacity(&model).unwrap().contacts >= 16);
}

#[test]
fn sparse_rows_have_room_for_their_entries_alone() {
    let model = load(&pile(20));
    let room = capacity(&model).unwrap();
    let dense = Capacity::new(&model, room.contacts, room.rows);
    assert!(room.jacobian < dense.jacobian / 2, "{room:?}");
    assert_eq!((room.records, room.pairs), (dense.records, dense.pairs));
}

/// So many boxes side by side.
fn pile(count: usize) -> String {
    let boxes: String = (0..count)
        .map(|i| {
            format!("<body pos='{i} 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body>")
        })
        .collect();
    format!("<mujoco><worldbody><geom type='plane' size='5 5 .1'/>{boxes}</worldbody></mujoco>")
}
