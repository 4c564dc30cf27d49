//! The 64-bit Mersenne Twister, which decides where random marks of a texture lie.

const N: usize = 312;
const M: usize = 156;

/// The generator.
pub(super) struct MersenneTwister {
    state: [u64; N],
    next: usize,
}

impl MersenneTwister {
    pub(super) fn new(seed: u64) -> Self {
        let mut state = [seed; N];
        for i in 1..N {
            let previous = state[i - 1];
            state[i] = 6364136223846793005_u64
                .wrapping_mul(previous ^ (previous >> 62))
                .wrapping_add(i as u64);
        }
        Self { state, next: N }
    }

    fn refill(&mut self) {
        for i in 0..N {
            let x =
                (self.state[i] & 0xffff_ffff_8000_0000) | (self.state[(i + 1) % N] & 0x7fff_ffff);
            let magic = if x & 1 == 1 { 0xb502_6f5a_a966_19e9 } else { 0 };
            self.state[i] = self.state[(i + M) % N] ^ (x >> 1) ^ magic;
        }
        self.next = 0;
    }

    /// The next integer.
    pub(super) fn next_u64(&mut self) -> u64 {
        if self.next == N {
            self.refill();
        }
        let mut x = self.state[self.next];
        self.next += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71d6_7fff_eda6_0000;
        x ^= (x << 37) & 0xfff7_eee0_0000_0000;
        x ^ (x >> 43)
    }

    /// The next number between 0 and 1.
    pub(super) fn next_unit(&mut self) -> f64 {
        const SCALE: f64 = 1.0 / 18446744073709551616.0;
        (self.next_u64() as f64 * SCALE).min(1.0 - f64::EPSILON / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::MersenneTwister;

    #[test]
    fn the_ten_thousandth_number_is_that_of_the_standard() {
        let mut generator = MersenneTwister::new(5489);
        for _ in 0..9999 {
            generator.next_u64();
        }
        assert_eq!(generator.next_u64(), 9981545732273789042);
    }
}
