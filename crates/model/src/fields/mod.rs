//! The tables that declare every size and array once.
//!
//! Each table is a macro that hands its rows to another macro, which makes of them a struct, a
//! layout, a list of properties, or whatever else has to exist once per field.
mod data_fields;
mod model_fields;
mod model_sizes;
mod settings_fields;

/// Elements per row of a table entry: `None` for the literal 1, else the named size.
#[macro_export]
macro_rules! dynamic_cols {
    ($sizes:expr, 1) => {
        None
    };
    ($sizes:expr, $cols:ident) => {
        Some($sizes.$cols)
    };
}
