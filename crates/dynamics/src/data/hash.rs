//! Fingerprints of states and of bytes (FNV-1a).
use ferrodyn_math::Real;

use crate::World;

/// The hash of no bytes (FNV-1a).
pub(crate) const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// Continue a hash with some bytes (FNV-1a).
pub(crate) fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The hash of a time and of what belongs to it, bit by bit.
pub(crate) fn state_hash(time: Real, arrays: [&[Real]; 3]) -> u64 {
    let start = fnv1a(FNV_START, bytemuck::bytes_of(&time));
    arrays.into_iter().fold(start, |hash, values| fnv1a(hash, bytemuck::must_cast_slice(values)))
}

impl World<'_> {
    /// A fingerprint of time, `qpos`, `qvel` and `act`, bit by bit.
    pub fn state_hash(&self) -> u64 {
        state_hash(self.head.time, [self.qpos, self.qvel, self.act])
    }
}
