//! A warp as a team: its thirty-two lanes work on one world.
use core::arch::asm;
use core::mem::size_of;

use ferrodyn_math::{Real, Team};

/// Lanes of a warp.
pub(crate) const LANES: usize = 32;
/// All of them, as bits.
const ALL: u32 = u32::MAX;

/// One lane of a warp, whose others run the same code.
#[derive(Clone, Copy)]
pub(crate) struct Warp {
    lane: u32,
    /// Memory of the warp, through which values of one lane come to all.
    shared: *mut u64,
}

/// Words of that memory: enough for every value that a lane hands on, which is checked when kernels are compiled.
pub(crate) const SHARED_WORDS: usize = 64;

/// Lanes wait for each other, and see what each of them wrote before.
#[inline(always)]
fn meet() {
    // SAFETY: all lanes of a warp come to the same verbs in the same order, which is what a team promises
    unsafe { asm!("bar.warp.sync {};", in(reg32) ALL) }
}

/// What a lane holds in a register, for all lanes.
#[inline(always)]
fn from_lane(word: u32, lane: u32) -> u32 {
    let out: u32;
    // SAFETY: as in `meet`; the instruction only exchanges registers
    unsafe {
        asm!(
            "shfl.sync.idx.b32 {}, {}, {}, 31, {};",
            out(reg32) out, in(reg32) word, in(reg32) lane, in(reg32) ALL,
        );
    }
    out
}

/// The lanes, as bits, for which it is true.
#[inline(always)]
fn vote(holds: bool) -> u32 {
    let out: u32;
    // SAFETY: as in `from_lane`
    unsafe {
        asm!(
            "{{ .reg .pred %p; setp.ne.u32 %p, {}, 0; vote.sync.ballot.b32 {}, %p, {}; }}",
            in(reg32) u32::from(holds), out(reg32) out, in(reg32) ALL,
        );
    }
    out
}

/// A number that a lane holds, for all lanes.
#[inline(always)]
fn real_from_lane(x: Real, lane: u32) -> Real {
    #[cfg(not(feature = "f32"))]
    {
        let bits = x.to_bits();
        let low = from_lane(bits as u32, lane);
        let high = from_lane((bits >> 32) as u32, lane);
        Real::from_bits(u64::from(low) | u64::from(high) << 32)
    }
    #[cfg(feature = "f32")]
    {
        Real::from_bits(from_lane(x.to_bits(), lane))
    }
}

impl Warp {
    /// The lane that asks. Blocks have one warp each.
    ///
    /// # Safety
    /// `shared` are [`SHARED_WORDS`] words that belong to this warp.
    #[inline(always)]
    pub(crate) unsafe fn here(shared: *mut u64) -> Warp {
        // SAFETY: reads a register
        Warp { lane: unsafe { core::arch::nvptx::_thread_idx_x() as u32 }, shared }
    }

    /// Is it the lane that does what one lane does?
    #[inline(always)]
    pub(crate) fn is_first(self) -> bool {
        self.lane == 0
    }
}

impl Team for Warp {
    #[inline(always)]
    fn each(&self, n: usize, mut f: impl FnMut(usize)) {
        meet();
        let mut i = self.lane as usize;
        while i < n {
            f(i);
            i += LANES;
        }
        meet();
    }

    #[inline(always)]
    fn sums<const N: usize>(
        &self,
        start: [Real; N],
        n: usize,
        f: impl Fn(usize) -> [Real; N],
    ) -> [Real; N] {
        let mut sums = start;
        let mut first = 0;
        meet();
        while first < n {
            let i = first + self.lane as usize;
            let mine = if i < n { f(i) } else { [0.0; N] };
            // one after the other, in the order of a loop
            for lane in 0..LANES.min(n - first) {
                for k in 0..N {
                    sums[k] += real_from_lane(mine[k], lane as u32);
                }
            }
            first += LANES;
        }
        meet();
        sums
    }

    #[inline(always)]
    fn once<R: Copy>(&self, f: impl FnOnce() -> R) -> R {
        const { assert!(size_of::<R>() <= 8 * SHARED_WORDS && align_of::<R>() <= 8) };
        meet();
        let value = self.shared.cast::<R>();
        if self.is_first() {
            // SAFETY: memory of this warp, in which no other lane reads or writes before the next meeting
            unsafe { value.write(f()) };
        }
        meet();
        // SAFETY: the first lane has written it
        let value = unsafe { value.read() };
        meet();
        value
    }

    #[inline(always)]
    fn any(&self, n: usize, f: impl Fn(usize) -> bool) -> bool {
        meet();
        let mut holds = false;
        let mut i = self.lane as usize;
        while i < n {
            holds |= f(i);
            i += LANES;
        }
        vote(holds) != 0
    }

    #[inline(always)]
    fn filter(&self, n: usize, kept: &mut [i32], f: impl Fn(usize) -> bool) -> usize {
        meet();
        let (mut count, mut first) = (0, 0);
        while first < n {
            let i = first + self.lane as usize;
            let holds = i < n && f(i);
            let lanes = vote(holds);
            if holds {
                let before = (lanes & ((1 << self.lane) - 1)).count_ones() as usize;
                if let Some(place) = kept.get_mut(count + before) {
                    *place = i as i32;
                }
            }
            count += lanes.count_ones() as usize;
            first += LANES;
        }
        meet();
        count
    }
}
