//! The memory of a world: plain blocks, and the view of them that stages work on.
//!
//! A world is two blocks of plain memory, one whose size the model fixes and one for contacts and rows ([`Work`]), which grows;
//! temporary memory is a third one, a stack that belongs to the thread. A [`World`] is a struct of slices over all three. A
//! [`OwnedWorld`] owns blocks that grow; a [`FixedLayout`] puts worlds into memory that is handed in.
pub(crate) mod fixed;
#[cfg(feature = "alloc")]
pub(crate) mod growing;
#[cfg(not(feature = "alloc"))]
#[path = "growing_without.rs"]
pub(crate) mod growing;
pub(crate) mod hash;
pub(crate) mod header;
pub(crate) mod memory;
#[cfg(feature = "alloc")]
pub(crate) mod owned;
pub(crate) mod reset;
pub(crate) mod scratch;
#[cfg(feature = "alloc")]
pub(crate) mod state;
pub(crate) mod work;
pub(crate) mod world;

pub use fixed::{Capacity, FixedLayout};
#[cfg(feature = "alloc")]
pub use growing::StackMemory;
pub use header::{Header, HeaderField, WarningStat};
#[cfg(feature = "alloc")]
pub use owned::OwnedWorld;
#[cfg(feature = "alloc")]
pub use reset::{reset, reset_debug, reset_to_keyframe, set_keyframe};
#[cfg(feature = "alloc")]
pub use state::{get_state, set_state, state_size};
pub use work::{SolverStat, Work, WorkArray, WorkField, WorkRef, WorkSizes};
pub(crate) use world::fits;
pub use world::{Layout, World};
