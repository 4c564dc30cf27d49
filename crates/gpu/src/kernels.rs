//! Which kernels there are. `cargo xtask gpu` reads this file, too, when it builds them.

/// Modules, with the kernels that are in them.
pub(crate) const KERNELS: [(&str, &[&str]); 9] = [
    ("memory", &["type_sizes", "open", "view", "gather", "scatter"]),
    ("step", &["begin", "accept", "advance", "end", "runge_kutta"]),
    ("smooth", &["position", "velocity", "forces"]),
    ("contacts", &["contacts"]),
    ("rows", &["rows"]),
    ("solve", &["solve_shared"]),
    ("solve_alone", &["solve_alone"]),
    ("accelerate", &["accelerate"]),
    ("sensors", &["sensors"]),
];
