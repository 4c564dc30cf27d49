//! Numbers that look random, and are the same in every run.

/// A generator: SplitMix64, whose constants these are.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, all equally likely.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        // the upper 53 bits, as many as a number has
        let part = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_generators_own() {
        // the first values of SplitMix64 from seed 1234567
        let mut random = Random::new(1234567);
        assert_eq!(random.next(), 6457827717110365317);
        assert_eq!(random.next(), 3203168211198807973);
    }

    #[test]
    fn numbers_lie_in_their_range() {
        let mut random = Random::new(5);
        let numbers: Vec<f64> = (0..10_000).map(|_| random.between(2.0, 4.0)).collect();
        assert!(numbers.iter().all(|x| (2.0..4.0).contains(x)));
        let mean = numbers.iter().sum::<f64>() / 10_000.0;
        assert!((mean - 3.0).abs() < 0.02, "{mean}");
    }
}
