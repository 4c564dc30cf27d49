//! Where a world keeps what separated its pairs of convex shapes.
//!
//! A table of slots; a pair of geoms has one, which it shares with pairs that come later and then take it. What is in a slot is only
//! ever a guess, so that nothing depends on what the table holds.
use ferrodyn_collision::Separation;
use ferrodyn_model::Sizes;

/// The most slots, 32 KiB of them: more pairs of convex shapes are rarely near each other.
const MOST_SLOTS: usize = 1024;

/// How many slots a world has: a power of two. Each geom has few others near it, and pairs that meet in a slot lose only time.
pub(crate) fn separation_slots(sizes: &Sizes) -> usize {
    (2 * sizes.ngeom).next_power_of_two().min(MOST_SLOTS)
}

/// What is known of two geoms, or a slot in which nothing is known yet; none where there are no slots.
pub(super) fn separation(
    slots: &mut [Separation],
    g1: usize,
    g2: usize,
) -> Option<&mut Separation> {
    let owner = [g1 as u32, g2 as u32];
    // pairs are spread by a multiplication (Knuth's factor, 2^64 over the golden ratio), whose upper bits depend on all of both numbers
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = (u64::from(owner[0]) << 32 | u64::from(owner[1])).wrapping_mul(SPREAD);
    let slot = (mixed >> 32) as usize & slots.len().checked_sub(1)?;
    let found = &mut slots[slot];
    if found.owner != owner {
        *found = Separation::unknown(owner);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_finds_its_slot_again_until_another_one_takes_it() {
        let mut slots = [Separation::default(); 4];
        assert!(separation(&mut [], 1, 2).is_none());
        separation(&mut slots, 3, 7).unwrap().keep([1.0, 0.0, 0.0]);
        assert_eq!(separation(&mut slots, 3, 7).unwrap().axis(), [1.0, 0.0, 0.0]);
        // many pairs in four slots: one of them takes this one
        for g in 10..60 {
            separation(&mut slots, g, g + 1);
        }
        assert_eq!(separation(&mut slots, 3, 7).unwrap().axis(), [0.0; 3]);
    }
}
