//! What safe Rust does not say to a processor: kernels compiled a second time for wider vector instructions, chosen when the program runs, and
//! memory that is asked for ahead ([`prefetch`]).
//!
//! The source is the same, so every element sees the same operations in the same order and the bits
//! do not change: AVX only works on four lanes at once, and fused multiply-add stays off. On a chain of 100
//! hinges it makes a whole step about 1.3 times faster (145 us to 110 us on `benches/models/chain.xml`).
#![allow(unsafe_code, reason = "functions for instructions that not every processor has")]

use core::ops::Range;

use crate::dense::{mul_rows_generic, mul_rows_transposed_generic};
use crate::sparse::{Pattern, factor_ldl_generic, mul_symmetric_generic, solve_ldl_generic};
use crate::sparse_bits::{add_spread_generic, factor_bits_generic};
use crate::tiles::{
    Four, GROUP, Tile, add_products_generic, factor_tiles_generic, solve_tiles_generic,
    update_tiles_generic,
};
use crate::{Number, Real, Run, SparseRows};

/// Ask for memory that is needed soon: it comes nearer while the processor works on something else. Nothing is read, and no result depends on it.
#[inline]
pub fn prefetch(words: &[u64]) {
    #[cfg(target_arch = "x86_64")]
    for line in words.chunks(8) {
        use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: the instruction is one of every x86-64 processor, and a hint: it changes nothing that a program can see
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = words;
}

/// Numbers that are worked on at once: a vector register of AVX, and the interleaved sums of [`dot`](crate::dot).
pub(crate) const LANES: usize = 4;

/// Numbers side by side, each with the operations that it would see alone.
pub(crate) trait Lanes<T = Real>: Copy {
    fn load(from: &[T; LANES]) -> Self;
    fn store(self) -> [T; LANES];
    fn splat(x: T) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
}

/// Lanes for any processor.
#[derive(Clone, Copy)]
pub(crate) struct Plain<T = Real>([T; LANES]);

impl<T: Number> Lanes<T> for Plain<T> {
    #[inline(always)]
    fn load(from: &[T; LANES]) -> Self {
        Plain(*from)
    }

    #[inline(always)]
    fn store(self) -> [T; LANES] {
        self.0
    }

    #[inline(always)]
    fn splat(x: T) -> Self {
        Plain([x; LANES])
    }

    #[inline(always)]
    fn add(self, Plain(b): Self) -> Self {
        let Plain(a) = self;
        Plain([a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]])
    }

    #[inline(always)]
    fn sub(self, Plain(b): Self) -> Self {
        let Plain(a) = self;
        Plain([a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]])
    }

    #[inline(always)]
    fn mul(self, Plain(b): Self) -> Self {
        let Plain(a) = self;
        Plain([a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]])
    }
}

/// Each kernel twice: as it is, and for AVX where the processor has it.
macro_rules! kernels {
    ($($name:ident = $generic:ident $(<$lanes:ident>)? ($($arg:ident: $t:ty),*) $(-> $result:ty)?;)*) => {
        $(
            #[doc = concat!("`", stringify!($generic), "` with the widest instructions that the processor has.")]
            #[inline]
            pub(crate) fn $name($($arg: $t),*) $(-> $result)? {
                #[cfg(target_arch = "x86_64")]
                if x86::has_avx() {
                    // SAFETY: the processor has AVX, and the system saves its registers
                    return unsafe { avx::$name($($arg),*) };
                }
                $(type $lanes = Plain;)?
                $generic $(::<$lanes>)? ($($arg),*)
            }
        )*

        /// The kernels compiled for AVX.
        #[cfg(target_arch = "x86_64")]
        mod avx {
            use super::*;

            $(
                #[target_feature(enable = "avx")]
                pub(super) fn $name($($arg: $t),*) $(-> $result)? {
                    $(type $lanes = x86::Wide;)?
                    $generic $(::<$lanes>)? ($($arg),*)
                }
            )*
        }
    };
}

/// [`factor_ldl_generic`] of one world.
#[inline(always)]
fn factor_ldl_alone<L: Lanes>(
    mat: &mut [Real],
    diag_inv: &mut [Real],
    p: &Pattern<'_>,
    rows: Range<usize>,
) {
    factor_ldl_generic::<Real, L>(mat, diag_inv, p, rows);
}

/// [`solve_ldl_generic`] of one world.
#[inline(always)]
fn solve_ldl_alone<L: Lanes>(
    x: &mut [Real],
    factor: &[Real],
    diag_inv: &[Real],
    p: &Pattern<'_>,
    diagonal: &[i32],
    rows: Range<usize>,
) {
    solve_ldl_generic::<Real, L>(x, factor, diag_inv, p, diagonal, rows);
}

/// [`SparseRows::mul_runs_generic`] as a function.
#[inline(always)]
fn mul_runs_generic<L: Lanes>(rows: &SparseRows<'_>, runs: &[Run], res: &mut [Real], vec: &[Real]) {
    rows.mul_runs_generic::<L>(runs, res, vec);
}

kernels! {
    factor_ldl = factor_ldl_alone<L>(mat: &mut [Real], diag_inv: &mut [Real], p: &Pattern<'_>, rows: Range<usize>);
    solve_ldl = solve_ldl_alone<L>(x: &mut [Real], factor: &[Real], diag_inv: &[Real], p: &Pattern<'_>, diagonal: &[i32], rows: Range<usize>);
    mul_symmetric = mul_symmetric_generic<L>(res: &mut [Real], mat: &[Real], v: &[Real], p: &Pattern<'_>);
    mul_rows = mul_rows_generic<L>(res: &mut [Real], values: &[Real], vec: &[Real]);
    mul_rows_transposed = mul_rows_transposed_generic<L>(res: &mut [Real], values: &[Real], vec: &[Real]);
    add_products = add_products_generic<L>(matrix: &mut [Tile], weighted: &mut [Four], rows: [&[Real]; GROUP], weights: [Real; GROUP]);
    mul_runs = mul_runs_generic<L>(rows: &SparseRows<'_>, runs: &[Run], res: &mut [Real], vec: &[Real]);
    factor_tiles = factor_tiles_generic<L>(matrix: &mut [Tile], n: usize, min_pivot: Real) -> usize;
    solve_tiles = solve_tiles_generic<L>(matrix: &[Tile], x: &mut [Real]);
    add_spread = add_spread_generic<L>(values: &mut [Four], spread: &[Four], across: usize, columns: &[i32], rows: &[&[Real]]);
    factor_bits = factor_bits_generic<L>(values: &mut [Four], pattern: &[u64], parent: &[usize], min_pivot: Real) -> usize;
    update_tiles = update_tiles_generic<L>(matrix: &mut [Tile], vectors: &mut [Four], n: usize, plus: bool) -> usize;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__cpuid, _xgetbv};
    use core::sync::atomic::{AtomicU8, Ordering};

    /// Lanes of kernels for AVX; in single precision four of them fit into a register that every processor has.
    #[cfg(feature = "f32")]
    pub(super) type Wide = super::Plain;
    #[cfg(not(feature = "f32"))]
    pub(super) use double::Wide;

    #[cfg(not(feature = "f32"))]
    mod double {
        use core::arch::x86_64::{
            __m256d, _mm256_add_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_sub_pd,
        };

        use super::super::{LANES, Lanes};

        /// A register of AVX. Only kernels for AVX make one, which are called where the processor has it.
        #[derive(Clone, Copy)]
        pub(in super::super) struct Wide(__m256d);

        impl Lanes for Wide {
            #[inline(always)]
            fn load(from: &[f64; LANES]) -> Self {
                Wide(bytemuck::must_cast(*from))
            }

            #[inline(always)]
            fn store(self) -> [f64; LANES] {
                bytemuck::must_cast(self.0)
            }

            #[inline(always)]
            fn splat(x: f64) -> Self {
                // SAFETY: see the type
                Wide(unsafe { _mm256_set1_pd(x) })
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: see the type
                Wide(unsafe { _mm256_add_pd(self.0, other.0) })
            }

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                // SAFETY: see the type
                Wide(unsafe { _mm256_sub_pd(self.0, other.0) })
            }

            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                // SAFETY: see the type
                Wide(unsafe { _mm256_mul_pd(self.0, other.0) })
            }
        }
    }

    const UNKNOWN: u8 = 0;
    const ABSENT: u8 = 1;
    const PRESENT: u8 = 2;

    /// Can AVX instructions be used? Asked of the processor once.
    #[inline]
    pub(super) fn has_avx() -> bool {
        static AVX: AtomicU8 = AtomicU8::new(UNKNOWN);
        match AVX.load(Ordering::Relaxed) {
            UNKNOWN => {
                let found = detect();
                AVX.store(if found { PRESENT } else { ABSENT }, Ordering::Relaxed);
                found
            }
            known => known == PRESENT,
        }
    }

    #[target_feature(enable = "xsave")]
    fn saved_registers() -> u64 {
        // SAFETY: register 0 exists wherever the instruction does
        unsafe { _xgetbv(0) }
    }

    #[cold]
    fn detect() -> bool {
        const OSXSAVE: u32 = 1 << 27;
        const AVX: u32 = 1 << 28;
        const XMM_AND_YMM: u64 = 0b110;
        // the processor has the instructions, and the system keeps their registers when it changes tasks
        let features = __cpuid(1).ecx;
        if features & (OSXSAVE | AVX) != OSXSAVE | AVX {
            return false;
        }
        // SAFETY: OSXSAVE says that the instruction exists
        unsafe { saved_registers() & XMM_AND_YMM == XMM_AND_YMM }
    }
}

#[cfg(all(test, not(feature = "f32")))]
mod tests {
    extern crate std;
    use std::vec;

    use super::*;

    #[test]
    fn wide_and_plain_kernels_give_the_same_bits() {
        for n in 1..40usize {
            let nnz: vec::Vec<i32> = (1..=n as i32).collect();
            let adr: vec::Vec<i32> = (0..n as i32).map(|i| i * (i + 1) / 2).collect();
            let col: vec::Vec<i32> = (0..n as i32).flat_map(|i| 0..=i).collect();
            let p = Pattern { rownnz: &nnz, rowadr: &adr, colind: &col };
            let mut plain: vec::Vec<f64> =
                (0..col.len()).map(|k| (k as f64 * 0.37).sin() * 0.1).collect();
            for i in 0..n {
                plain[(adr[i] + nnz[i] - 1) as usize] = n as f64;
            }
            let mut wide = plain.clone();
            let (mut inv_plain, mut inv_wide) = (vec![0.0; n], vec![0.0; n]);
            factor_ldl_generic::<Real, Plain>(&mut plain, &mut inv_plain, &p, 0..n);
            factor_ldl(&mut wide, &mut inv_wide, &p, 0..n);
            let bits = |x: &[f64]| x.iter().map(|v| v.to_bits()).collect::<vec::Vec<_>>();
            assert_eq!(bits(&plain), bits(&wide));
            assert_eq!(bits(&inv_plain), bits(&inv_wide));
        }
    }
}
