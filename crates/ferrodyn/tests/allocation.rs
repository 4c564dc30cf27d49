//! A step allocates nothing once contacts and rows have found their size.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use ferrodyn::dynamics::lanes::Group;
use ferrodyn::{Cone, DisableBit, Integrator, JacobianType, Model, Solver, StateBit};
use ferrodyn_testing::{benchmark_model, conformance_model, load, run};

thread_local! {
    /// Number of allocations made by this thread.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system allocator, counting.
struct Counting;

#[allow(unsafe_code, reason = "an allocator is unsafe by its nature")]
// SAFETY: every call is handed on to the system allocator unchanged
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `ptr` came from `alloc` with this layout
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        // SAFETY: `ptr` came from `alloc` with this layout
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations made by `f`.
fn count(f: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    f();
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn the_counter_counts() {
    assert!(count(|| drop(std::hint::black_box(vec![1u8; 100]))) > 0);
}

fn humanoid() -> Model {
    benchmark_model("humanoid")
}

/// Allocations of a fall of the humanoid, the second time: rows and contacts have found their size.
fn allocations_of_a_second_run(model: &Model, steps: usize) -> usize {
    let mut data = run(model, steps);
    assert!(data.header().nefc > 0);
    data.reset(model).unwrap();
    count(|| {
        for _ in 0..steps - 10 {
            data.step(model).unwrap();
        }
        data.step_n(model, 10).unwrap();
        data.forward(model).unwrap();
    })
}

#[test]
fn a_step_allocates_nothing_with_any_integrator() {
    for integrator in [
        Integrator::Euler,
        Integrator::Rk4,
        Integrator::Implicit,
        Integrator::ImplicitFast,
        Integrator::ImplicitSpringDamper,
    ] {
        let mut model = humanoid();
        model.edit(|m| m.opt.integrator = integrator as i32);
        assert_eq!(allocations_of_a_second_run(&model, 300), 0, "{integrator:?}");
    }
}

#[test]
fn a_step_allocates_nothing_with_any_solver_cone_and_jacobian() {
    for solver in [Solver::Pgs, Solver::Cg, Solver::Newton] {
        for (jacobian, cone) in [
            (JacobianType::Dense, Cone::Pyramidal),
            (JacobianType::Dense, Cone::Elliptic),
            (JacobianType::Sparse, Cone::Pyramidal),
            (JacobianType::Sparse, Cone::Elliptic),
        ] {
            for (islands, noslip) in [(true, 0), (false, 0), (true, 3)] {
                let mut model = humanoid();
                model.edit(|m| {
                    m.opt.solver = solver as i32;
                    m.opt.jacobian = jacobian as i32;
                    m.opt.cone = cone as i32;
                    m.opt.noslip_iterations = noslip;
                    if !islands {
                        m.opt.disableflags |= DisableBit::Island as i32;
                    }
                });
                assert_eq!(
                    allocations_of_a_second_run(&model, 250),
                    0,
                    "{solver:?} {jacobian:?} {cone:?}, islands {islands}, noslip {noslip}"
                );
            }
        }
    }
}

#[test]
fn sensors_and_plugins_allocate_nothing() {
    for name in ["sensors", "touch", "rangefinder", "sensor_history", "pid", "cable_plugin"] {
        let model = conformance_model(name);
        let mut data = model.make_data();
        // a run grows the memory that the same run needs
        data.step_n(&model, 100).unwrap();
        data.reset(&model).unwrap();
        assert_eq!(count(|| assert!(data.step_n(&model, 100).is_ok())), 0, "{name}");
    }
}

#[test]
fn flexes_allocate_nothing_with_any_integrator() {
    for name in ["flex_forces", "flex_implicit"] {
        for integrator in
            [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::ImplicitFast]
        {
            let mut model = conformance_model(name);
            model.edit(|m| m.opt.integrator = integrator as i32);
            let mut data = run(&model, 50);
            data.reset(&model).unwrap();
            let allocations = count(|| assert!(data.step_n(&model, 50).is_ok()));
            assert_eq!(allocations, 0, "{name}, {integrator:?}");
        }
    }
}

#[test]
fn distance_fields_and_rays_allocate_nothing() {
    use ferrodyn::dynamics::contact::{RayFilter, geom_distance, multi_ray, ray};
    use ferrodyn::dynamics::position::kinematics;
    use ferrodyn::math::Vec3;
    let model = load(
        "<mujoco><extension><plugin plugin='mujoco.sdf.torus'><instance name='t'/></plugin></extension>
         <asset><mesh name='t'><plugin instance='t'/></mesh>
         <mesh name='b' vertex='0 0 0  .3 0 0  0 .3 0  0 0 .3'/></asset><worldbody>
         <body><freejoint/><geom type='sdf' mesh='t'><plugin instance='t'/></geom></body>
         <body pos='.4 0 .2'><freejoint/><geom size='.2'/></body>
         <body pos='-.4 0 .2'><freejoint/><geom type='mesh' mesh='b'/></body></worldbody></mujoco>",
    );
    let mut data = model.make_data();
    let mut run = || {
        let world = &mut data.view_mut();
        kinematics(&model, world);
        ferrodyn::dynamics::contact::collision(
            &model,
            world,
            &mut ferrodyn::dynamics::hooks::NoHooks,
        )
        .unwrap();
        assert!(world.ncon() > 0);
        let (pnt, down) = (Vec3::new(0.3, 0.0, 2.0), Vec3::new(0.0, 0.0, -1.0));
        assert!(ray(&model, world, pnt, down, &RayFilter::default()).unwrap().is_some());
        let mut hits = [None; 2];
        multi_ray(&model, world, pnt, &[down; 2], &RayFilter::default(), 9.0, &mut hits).unwrap();
        assert!(hits[1].is_some());
        geom_distance(&model, world, 0, 2, 1.0).unwrap();
    };
    run();
    assert_eq!(count(run), 0);
}

#[test]
fn convex_shapes_and_height_fields_allocate_nothing() {
    let corners = "0 0 0  .2 0 0  0 .2 0  0 0 .2  .2 .2 0  .1 .1 .3";
    let heights = (0..25).map(|i| format!("{} ", i % 3)).collect::<String>();
    let kinds = [
        "mesh' mesh='m",
        "cylinder' size='.1 .1",
        "ellipsoid' size='.1 .2 .1",
        "box' size='.1 .1 .1",
    ];
    let bodies: String = (0..8)
        .map(|i| {
            let (one, two) = (kinds[i % 4], kinds[(i / 2) % 4]);
            format!(
                "<body name='b{i}' pos='0 {} {}'><freejoint/><geom type='{one}'/><geom pos='.2 0 0' type='{two}'/></body>",
                0.05 * (i % 3) as f64,
                0.5 + 0.15 * i as f64
            )
        })
        .collect();
    let model = load(&format!(
        "<mujoco><option><flag multiccd='enable'/></option>
         <asset><mesh name='m' vertex='{corners}'/>
         <hfield name='h' nrow='5' ncol='5' size='2 2 .1 .1' elevation='{heights}'/></asset>
         <worldbody><geom type='hfield' hfield='h'/>{bodies}</worldbody>
         <sensor><distance body1='b0' body2='b5' cutoff='1'/></sensor></mujoco>"
    ));
    assert_eq!(allocations_of_a_second_run(&model, 300), 0);
}

#[test]
fn copying_a_world_into_another_allocates_nothing() {
    let model =
        load("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
    let a = model.make_data();
    let mut b = a.clone();
    assert_eq!(count(|| b.copy_from(&a)), 0);
}

#[test]
fn sleeping_and_waking_allocates_nothing() {
    let model = conformance_model("sleep_stacks");
    let mut data = model.make_data();
    let mut run = || {
        data.reset(&model).unwrap();
        data.step_n(&model, 200).unwrap();
        assert_eq!(data.header().ntree_awake, 1);
        data.step_n(&model, 100).unwrap();
    };
    run();
    assert_eq!(count(run), 0);
}

#[test]
fn a_call_of_a_batch_allocates_nothing() {
    let model = humanoid();
    let mut batch = ferrodyn::BatchSim::new(model.shared(), 4).unwrap();
    // the counter is one of this thread
    batch.set_threads(1).unwrap();
    batch.set_frame_skip(10).unwrap();
    for _ in 0..30 {
        batch.step_all().unwrap();
    }
    let heights = |batch: &ferrodyn::BatchSim| batch.result().states[2];
    assert!(heights(&batch) < 1.0, "the humanoid lies on the ground");
    batch.reset_all().unwrap();
    let again = count(|| {
        for _ in 0..30 {
            batch.step_all().unwrap();
        }
    });
    assert_eq!(again, 0);
}

#[test]
fn a_step_of_worlds_abreast_allocates_nothing() {
    let model = humanoid();
    let mut group = Group::<1>::new(&model).unwrap();
    let state = model.make_data().state(&model, StateBit::Integration as i32).unwrap();
    // a fall, twice: the second time rows and contacts have found their size
    let mut fall = || {
        for world in 0..Group::<1>::WORLDS {
            group.load(world, &state).unwrap();
        }
        for complete in [false, true] {
            group.step(&model, 150, complete).unwrap();
        }
    };
    fall();
    assert_eq!(count(fall), 0);
    assert!(group.results(0).header().nefc > 0);
}
