//! A step allocates nothing after the first call.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use ferrodyn::Model;

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

#[test]
fn a_step_allocates_nothing_with_any_integrator() {
    for integrator in 0..4 {
        let mut model = Model::from_xml_path(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../benches/models/humanoid.xml"
        ))
        .unwrap();
        model.edit(|m| m.opt.integrator = integrator);
        let mut data = model.make_data();
        data.step(&model).unwrap();
        let allocations = count(|| {
            for _ in 0..100 {
                data.step(&model).unwrap();
            }
            data.step_n(&model, 10).unwrap();
            data.forward(&model).unwrap();
        });
        assert_eq!(allocations, 0, "integrator {integrator}");
    }
}

#[test]
fn copying_a_world_into_another_allocates_nothing() {
    let model = ferrodyn::load_model(
        "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>",
    )
    .unwrap();
    let a = model.make_data();
    let mut b = a.clone();
    assert_eq!(count(|| b.copy_from(&a)), 0);
}
