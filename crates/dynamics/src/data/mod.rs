//! The memory of a world: plain blocks, and the view of them that stages work on.
//!
//! A world is two blocks of plain memory, one whose size the model fixes and one for contacts and rows ([`Work`]), which grows;
//! temporary memory is a third one, a stack that belongs to the thread. A [`World`] is a struct of slices over all three. A
//! [`OwnedWorld`] owns blocks that grow; [`Worlds`] are what many of them remember, in one allocation; a [`FixedLayout`] puts worlds into memory that is handed in.
pub(crate) mod fixed;
#[cfg(feature = "alloc")]
pub(crate) mod growing;
#[cfg(not(feature = "alloc"))]
#[path = "growing_without.rs"]
pub(crate) mod growing;
pub(crate) mod hash;
pub(crate) mod header;
pub(crate) mod lane;
pub(crate) mod memory;
#[cfg(feature = "alloc")]
pub(crate) mod owned;
pub(crate) mod reset;
pub(crate) mod scratch;
pub(crate) mod state;
pub(crate) mod work;
pub(crate) mod world;
#[cfg(feature = "alloc")]
pub(crate) mod worlds;

pub use fixed::{Capacity, FixedLayout};
#[cfg(feature = "alloc")]
pub use growing::StackMemory;
pub use header::{Header, HeaderField, WarningStat};
pub use lane::Lane;
#[cfg(feature = "alloc")]
pub use owned::OwnedWorld;
pub use reset::write_keyframe;
#[cfg(feature = "alloc")]
pub use reset::{reset, reset_debug, reset_to_keyframe, set_keyframe};
#[cfg(feature = "alloc")]
pub(crate) use state::write_state_of;
#[cfg(feature = "alloc")]
pub use state::{get_state, read_state_of, set_state};
pub use state::{read_state, state_size, write_state};
pub use work::{SolverStat, Work, WorkArray, WorkField, WorkRef, WorkSizes};
pub(crate) use world::fits;
pub use world::{Layout, World};
#[cfg(feature = "alloc")]
pub use worlds::{WorldOfMany, Worlds, WorldsMut};
