//! Kernels compiled a second time for wider vector instructions, chosen when the program runs.
//!
//! The source is the same, so every element sees the same operations in the same order and the bits
//! do not change: AVX only works on four lanes at once, and fused multiply-add stays off. On a chain of 100
//! hinges it makes a whole step about 1.3 times faster (145 us to 110 us on `benches/models/chain.xml`).
#![allow(unsafe_code, reason = "functions for instructions that not every processor has")]

use core::ops::Range;

use crate::Real;
use crate::dense::update_columns_generic;
use crate::sparse::{Pattern, factor_ldl_generic};

/// Factor in place with the widest instructions that the processor has.
#[inline]
pub(crate) fn factor_ldl(
    mat: &mut [Real],
    diag_inv: &mut [Real],
    p: &Pattern<'_>,
    rows: Range<usize>,
) {
    #[cfg(target_arch = "x86_64")]
    if x86::has_avx() {
        // SAFETY: the processor has AVX, and the system saves its registers
        return unsafe { x86::factor_ldl(mat, diag_inv, p, rows) };
    }
    factor_ldl_generic(mat, diag_inv, p, rows);
}

/// Update a factor by its columns with the widest instructions that the processor has.
#[inline]
pub(crate) fn update_columns(columns: &mut [Real], x: &mut [Real], plus: bool) -> usize {
    #[cfg(target_arch = "x86_64")]
    if x86::has_avx() {
        // SAFETY: the processor has AVX, and the system saves its registers
        return unsafe { x86::update_columns(columns, x, plus) };
    }
    update_columns_generic(columns, x, plus)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__cpuid, _xgetbv};
    use core::ops::Range;
    use core::sync::atomic::{AtomicU8, Ordering};

    use super::{Pattern, Real, factor_ldl_generic, update_columns_generic};

    #[target_feature(enable = "avx")]
    pub(super) fn factor_ldl(
        mat: &mut [Real],
        diag_inv: &mut [Real],
        p: &Pattern<'_>,
        rows: Range<usize>,
    ) {
        factor_ldl_generic(mat, diag_inv, p, rows);
    }

    #[target_feature(enable = "avx")]
    pub(super) fn update_columns(columns: &mut [Real], x: &mut [Real], plus: bool) -> usize {
        update_columns_generic(columns, x, plus)
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
            factor_ldl_generic(&mut plain, &mut inv_plain, &p, 0..n);
            factor_ldl(&mut wide, &mut inv_wide, &p, 0..n);
            let bits = |x: &[f64]| x.iter().map(|v| v.to_bits()).collect::<vec::Vec<_>>();
            assert_eq!(bits(&plain), bits(&wide));
            assert_eq!(bits(&inv_plain), bits(&inv_wide));

            let square: vec::Vec<f64> = (0..n * n)
                .map(|k| (k as f64 * 0.37).sin() + if k % (n + 1) == 0 { 3.0 } else { 0.0 })
                .collect();
            let x: vec::Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).cos()).collect();
            let ((mut plain, mut x_plain), (mut wide, mut x_wide)) =
                ((square.clone(), x.clone()), (square, x));
            let rank = update_columns_generic(&mut plain, &mut x_plain, true);
            assert_eq!(update_columns(&mut wide, &mut x_wide, true), rank);
            assert_eq!(bits(&plain), bits(&wide));
            assert_eq!(bits(&x_plain), bits(&x_wide));
        }
    }
}
