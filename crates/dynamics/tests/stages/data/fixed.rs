//! Worlds in memory that is handed in, with a fixed capacity.
use ferrodyn::dynamics::data::{Capacity, FixedLayout};
use ferrodyn::dynamics::hooks::NoHooks;
use ferrodyn::dynamics::plugin::Plugins;
use ferrodyn::dynamics::step::{step, step_world};
use ferrodyn::dynamics::{OwnedWorld, StepError, World};
use ferrodyn::{Cone, Integrator, JacobianType, ModelArrays as Model, ModelRef, Solver};
use ferrodyn_testing::{conformance_model, repository};

fn box_stack() -> Model {
    Model::clone(&conformance_model("box_stack"))
}

/// The words of a world with a fixed capacity and of its temporary memory.
struct Memory {
    layout: FixedLayout,
    block: Vec<u64>,
    stack: Vec<u64>,
    plugins: Plugins,
}

impl Memory {
    fn new(m: &Model, capacity: Capacity) -> Memory {
        let layout = FixedLayout::new(m, capacity);
        // what was there before is of no importance
        let (mut block, mut stack) = (vec![7; layout.words()], vec![7; layout.stack_words()]);
        let plugins = OwnedWorld::new(m).plugins().clone();
        layout.make(m, &mut block, &mut stack, &plugins).unwrap();
        Memory { layout, block, stack, plugins }
    }

    fn world(&mut self) -> World<'_> {
        self.layout.view(&mut self.block, &mut self.stack, &self.plugins).unwrap()
    }

    fn step(&mut self, m: &Model) -> Result<(), StepError> {
        step_world(m, &mut self.world(), &mut NoHooks).map(|_| ())
    }
}

/// What a step moves, bit by bit.
fn state(d: &World<'_>) -> Vec<u64> {
    let time = [d.head.time];
    let arrays =
        [&time, &*d.qpos, &*d.qvel, &*d.act, &*d.history, &*d.qacc_warmstart, &*d.plugin_state];
    let bits = arrays.into_iter().flatten().map(|x| ferrodyn::math::double(*x).to_bits());
    bits.chain(d.tree_asleep.iter().map(|x| *x as u64)).collect()
}

/// Both kinds of worlds take the same steps, and temporary memory of the stated size is enough. The fixed world has exactly the room
/// that the growing one ends with.
fn check_same_steps(m: &Model, what: &str) {
    let Ok(mut grown) = OwnedWorld::try_new(m) else { return };
    if (0..30).any(|_| step(m, &mut grown).is_err()) {
        return;
    }
    let mut memory = Memory::new(m, Capacity::of(&grown.view_mut()));
    let view: ModelRef<'_> = m.borrowed();
    for step in 0..30 {
        let stepped = step_world(&view, &mut memory.world(), &mut NoHooks);
        assert!(stepped.is_ok(), "{what}, step {step}: {stepped:?}");
    }
    let expected = state(&grown.view_mut());
    assert_eq!(state(&memory.world()), expected, "{what}");
}

#[test]
fn a_fixed_world_takes_the_same_steps_as_one_that_grows() {
    let mut checked = 0;
    for folder in ["conformance/models", "conformance/models/kinds"] {
        for file in std::fs::read_dir(repository(folder)).unwrap() {
            let path = file.unwrap().path();
            let Ok(m) = ferrodyn::Model::from_xml_path(&path) else { continue };
            // PGS and noslip take minutes with the thousands of rows of large flexes
            if m.nflex > 0 && m.nv + m.nflexvert > 240 {
                continue;
            }
            let mut m = Model::clone(&m);
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            check_same_steps(&m, &name);
            // other solvers and integrators take other temporary memory
            m.opt.solver = Solver::Pgs as i32;
            m.opt.integrator = Integrator::Implicit as i32;
            check_same_steps(&m, &format!("{name} with PGS"));
            m.opt.solver = Solver::Newton as i32;
            m.opt.cone = Cone::Elliptic as i32;
            m.opt.jacobian = JacobianType::Sparse as i32;
            m.opt.noslip_iterations = 3;
            check_same_steps(&m, &format!("{name} with a sparse Newton and noslip"));
            checked += 1;
        }
    }
    assert!(checked > 150, "only {checked} models");
}

/// A model in contact whose solver works on forces, so that everything in the workspace is used.
fn boxes() -> (Model, Capacity) {
    let mut m = box_stack();
    m.opt.noslip_iterations = 2;
    let mut data = OwnedWorld::new(&m);
    for _ in 0..20 {
        step(&m, &mut data).unwrap();
    }
    let d = data.view_mut();
    let (ncon, nefc) = (d.head.ncon as usize, d.head.nefc as usize);
    let room = Capacity::of(&d);
    let capacity = Capacity {
        contacts: ncon,
        rows: nefc,
        jacobian: d.head.nJ as usize,
        projected: d.head.nA as usize,
        ..room
    };
    (m, capacity)
}

#[test]
fn what_does_not_fit_is_an_error_that_moves_nothing() {
    let (m, enough) = boxes();
    let less = |change: fn(&mut Capacity)| {
        let mut capacity = enough;
        change(&mut capacity);
        capacity
    };
    let cases = [
        ("contacts", less(|c| c.contacts -= 1)),
        ("constraint rows", less(|c| c.rows -= 1)),
        ("entries of the constraint Jacobian", less(|c| c.jacobian -= 1)),
        ("entries of the projected inertia", less(|c| c.projected -= 1)),
        ("records of solver iterations", less(|c| c.records -= 1)),
        ("pairs of bodies", less(|c| c.pairs = 0)),
    ];
    for (expected, capacity) in cases {
        let mut memory = Memory::new(&m, capacity);
        let mut before = state(&memory.world());
        let error = loop {
            match memory.step(&m) {
                Ok(()) => before = state(&memory.world()),
                Err(error) => break error,
            }
            assert!(memory.world().head.time < 0.1, "{expected}: there was room");
        };
        let StepError::NoRoom { what, missing } = error else { panic!("{expected}: {error}") };
        assert_eq!(what, expected);
        assert!(missing > 0);
        assert_eq!(state(&memory.world()), before, "{expected}");
        // the same world goes on where there is room
        let mut larger = Memory::new(&m, Capacity::new(&m, 200, 800));
        let (d, mut from) = (larger.world(), memory.world());
        d.qpos.copy_from_slice(from.qpos);
        d.qvel.copy_from_slice(from.qvel);
        assert!(step_world(&m, &mut from, &mut NoHooks).is_err(), "{expected}");
        larger.step(&m).unwrap();
    }
}

#[test]
fn too_little_memory_is_an_error() {
    let (m, capacity) = boxes();
    let layout = FixedLayout::new(&m, capacity);
    let (mut block, mut stack) = (vec![0; layout.words()], vec![0; layout.stack_words()]);
    let plugins = Plugins::default();
    let short = layout.words() - 1;
    let error = layout.make(&m, &mut block[..short], &mut stack, &plugins).unwrap_err();
    assert_eq!(error, StepError::NoRoom { what: "words of a world", missing: 1 });
    // memory that no world was made in
    let error = layout.view(&mut block, &mut stack, &plugins).unwrap_err();
    assert_eq!(error, StepError::ModelMismatch);
    // any shorter stack either is enough or is an error that moves nothing
    let mut fewest = usize::MAX;
    for words in (0..stack.len()).step_by(97) {
        match layout.make(&m, &mut block, &mut stack[..words], &plugins) {
            Err(StepError::NoRoom { what: "temporary words", .. }) => continue,
            made => drop(made.unwrap()),
        }
        let mut world = layout.view(&mut block, &mut stack[..words], &plugins).unwrap();
        let (mut before, mut enough) = (state(&world), true);
        for _ in 0..10 {
            match step_world(&m, &mut world, &mut NoHooks) {
                Ok(_) => before = state(&world),
                Err(StepError::NoRoom { what: "temporary words", .. }) => enough = false,
                Err(error) => panic!("{words} words: {error}"),
            }
            assert_eq!(state(&world), before, "{words} words");
        }
        if enough {
            fewest = fewest.min(words);
        }
    }
    assert!(fewest < stack.len(), "the stated size is enough");
}

#[test]
fn many_worlds_lie_in_one_allocation_and_are_copied_as_memory() {
    let (m, capacity) = boxes();
    let layout = FixedLayout::new(&m, capacity);
    let plugins = Plugins::default();
    let (words, count) = (layout.words(), 5);
    let (mut worlds, mut stack) = (vec![0; count * words], vec![0; layout.stack_words()]);
    for (i, block) in worlds.chunks_exact_mut(words).enumerate() {
        let d = layout.make(&m, block, &mut stack, &plugins).unwrap();
        d.qvel[0] = 0.01 * i as ferrodyn::math::Real;
    }
    let mut run = |worlds: &mut [u64]| {
        for block in worlds.chunks_exact_mut(words) {
            let mut d = layout.view(block, &mut stack, &plugins).unwrap();
            for _ in 0..10 {
                step_world(&m, &mut d, &mut NoHooks).unwrap();
            }
        }
    };
    run(&mut worlds);
    let mut copy = worlds.clone();
    run(&mut worlds);
    run(&mut copy);
    assert!(worlds == copy, "a copy of the memory is a copy of the worlds");
    let mut blocks = worlds.chunks_exact(words);
    assert_ne!(blocks.next(), blocks.next(), "each world moves by itself");
}

#[test]
fn arrays_of_a_model_can_be_replaced_for_one_world() {
    let base = box_stack();
    let mut edited = base.clone();
    edited.geom_friction.iter_mut().for_each(|f| f[0] *= 0.1);
    edited.body_mass.iter_mut().for_each(|mass| *mass *= 1.5);
    edited.opt.gravity[0] = 2.0;
    let mut expected = OwnedWorld::new(&edited);
    let capacity = Capacity::new(&base, 100, 400);
    let (mut own, mut shared) = (Memory::new(&base, capacity), Memory::new(&base, capacity));
    // only what differs is there twice
    let (friction, mass) = (edited.geom_friction.clone(), edited.body_mass.clone());
    let mut view = ModelRef { geom_friction: &friction, body_mass: &mass, ..base.borrowed() };
    view.opt.gravity[0] = 2.0;
    for _ in 0..40 {
        step(&edited, &mut expected).unwrap();
        step_world(&view, &mut own.world(), &mut NoHooks).unwrap();
        shared.step(&base).unwrap();
    }
    let expected = state(&expected.view_mut());
    assert_eq!(state(&own.world()), expected);
    assert_ne!(state(&shared.world()), expected);
}
