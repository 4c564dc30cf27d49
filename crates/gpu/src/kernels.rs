//! Which kernels there are, and the room that they get. `cargo xtask gpu` reads this file, too, when it builds them.

/// Bytes of stack that every thread of a kernel gets. Kernels of a step take at most half of it as the linker counts, which `cargo xtask gpu` checks.
pub(crate) const STACK_BYTES: usize = 32 * 1024;

/// Modules, with the kernels that are in them.
pub(crate) const KERNELS: [(&str, &[&str]); 8] = [
    ("memory", &["type_sizes", "open", "view", "gather", "scatter"]),
    ("step", &["begin", "accept", "advance", "end", "runge_kutta"]),
    ("smooth", &["position", "velocity", "forces"]),
    ("contacts", &["contacts"]),
    ("rows", &["rows"]),
    ("solve", &["solve"]),
    ("accelerate", &["accelerate"]),
    ("sensors", &["sensors"]),
];
