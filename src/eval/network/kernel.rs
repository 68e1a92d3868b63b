//! The two loops in which the network spends its time, in wide registers where the build has them, and in plain Rust.
//! All wrap around, so that the order of the sums is free and every build gives the same numbers.

use super::outlook::View;
use super::{CLIP, HIDDEN};

/// The greatest unit, shifted, still fits 16 bits with its sign.
const SHIFT: u32 = 5;
const _: () = assert!((CLIP as u32) << SHIFT <= i16::MAX as u32);

/// A number for each hidden unit. Rows stand at the begin of a cache line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [i16; HIDDEN]);

/// Rows of a table that are to be added or taken away: `view` gives the row for each number.
pub struct Rows<'a> {
    pub table: &'a [Row],
    pub view: &'a View,
    pub added: &'a [u16],
    pub removed: &'a [u16],
}

impl<'a> Rows<'a> {
    #[inline]
    fn row(&self, number: u16) -> &'a Row {
        &self.table[usize::from(self.view[usize::from(number)])]
    }
}

/// The units become those of `source`, or stay their own without one, with rows added and others taken away.
#[inline]
pub fn update(source: Option<&Row>, units: &mut Row, rows: &Rows) {
    // SAFETY: the build, and so the processor it is for, has what the function needs.
    #[cfg(target_feature = "avx512bw")]
    unsafe {
        avx512::update(source, units, rows);
    }
    // SAFETY: as above.
    #[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
    unsafe {
        avx2::update(source, units, rows);
    }
    #[cfg(not(any(target_feature = "avx2", target_feature = "avx512bw")))]
    scalar_update(source, units, rows);
}

/// [`update`] without wide registers.
#[cfg(any(test, not(any(target_feature = "avx2", target_feature = "avx512bw"))))]
fn scalar_update(source: Option<&Row>, units: &mut Row, rows: &Rows) {
    if let Some(source) = source {
        units.clone_from(source);
    }
    for &number in rows.added {
        units.0.iter_mut().zip(&rows.row(number).0).for_each(|(unit, weight)| *unit = unit.wrapping_add(*weight));
    }
    for &number in rows.removed {
        units.0.iter_mut().zip(&rows.row(number).0).for_each(|(unit, weight)| *unit = unit.wrapping_sub(*weight));
    }
}

/// The sum over all units of weight times activation. The activation is the square of the unit, which is cut to 0 to
/// [`CLIP`] before, divided by 64 and rounded down: the upper half of the product when the unit is shifted by
/// [`SHIFT`] bits.
#[inline]
pub fn squared_sum(units: &Row, weights: &Row) -> i32 {
    // SAFETY: the build, and so the processor it is for, has what the function needs.
    #[cfg(target_feature = "avx512bw")]
    return unsafe { avx512::squared_sum(units, weights) };
    // SAFETY: as above.
    #[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
    return unsafe { avx2::squared_sum(units, weights) };
    #[cfg(not(any(target_feature = "avx2", target_feature = "avx512bw")))]
    return scalar_squared_sum(units, weights);
}

/// [`squared_sum`] without wide registers.
#[cfg(any(test, not(any(target_feature = "avx2", target_feature = "avx512bw"))))]
fn scalar_squared_sum(units: &Row, weights: &Row) -> i32 {
    let pairs = units.0.iter().zip(&weights.0);
    pairs.fold(0, |sum, (&unit, &weight)| {
        let shifted = i32::from(unit.clamp(0, CLIP)) << SHIFT;
        sum.wrapping_add(((shifted * shifted) >> 16) * i32::from(weight))
    })
}

/// What does not depend on the width of registers: [`update`], and the load of a register. Each set of instructions has
/// registers, so many lanes of units in each, and names of its own.
#[cfg(any(target_feature = "avx2", target_feature = "avx512bw"))]
macro_rules! row_kernels {
    (
        feature: $feature:literal, lanes: LANES, registers: $registers:literal, register: $register:ty,
        load: $load:ident, store: $store:ident, zero: $zero:ident, add: $add:ident, sub: $sub:ident $(,)?
    ) => {
        /// Registers that hold units while all rows pass.
        const REGISTERS: usize = $registers;
        const PART: usize = if HIDDEN < REGISTERS * LANES { HIDDEN } else { REGISTERS * LANES };
        const _: () = assert!(HIDDEN.is_multiple_of(PART));

        /// The register at `at`, a multiple of LANES below [`HIDDEN`].
        #[inline]
        #[target_feature(enable = $feature)]
        fn load(row: &Row, at: usize) -> $register {
            debug_assert!(at + LANES <= HIDDEN && at.is_multiple_of(LANES));
            // SAFETY: LANES numbers from `at` on lie within the row, whose begin and so each of its parts is aligned.
            unsafe { $load(row.0.as_ptr().add(at).cast::<$register>()) }
        }

        #[inline]
        #[target_feature(enable = $feature)]
        pub fn update(source: Option<&Row>, units: &mut Row, rows: &Rows) {
            for start in (0..HIDDEN).step_by(PART) {
                let mut part = [$zero(); PART / LANES];
                for (index, register) in part.iter_mut().enumerate() {
                    *register = load(source.unwrap_or(units), start + index * LANES);
                }
                for &number in rows.added {
                    let row = rows.row(number);
                    for (index, register) in part.iter_mut().enumerate() {
                        *register = $add(*register, load(row, start + index * LANES));
                    }
                }
                for &number in rows.removed {
                    let row = rows.row(number);
                    for (index, register) in part.iter_mut().enumerate() {
                        *register = $sub(*register, load(row, start + index * LANES));
                    }
                }
                for (index, register) in part.into_iter().enumerate() {
                    let at = start + index * LANES;
                    // SAFETY: as in `load`.
                    unsafe { $store(units.0.as_mut_ptr().add(at).cast::<$register>(), register) };
                }
            }
        }
    };
}

#[cfg(target_feature = "avx512bw")]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16, _mm512_max_epi16,
        _mm512_min_epi16, _mm512_mulhi_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512,
        _mm512_slli_epi16, _mm512_store_si512, _mm512_sub_epi16,
    };

    use super::{CLIP, HIDDEN, Row, Rows, SHIFT};

    /// Units in a register.
    const LANES: usize = 32;
    const _: () = assert!(HIDDEN.is_multiple_of(LANES));

    row_kernels! {
        feature: "avx512bw", lanes: LANES, registers: 16, register: __m512i,
        load: _mm512_load_si512, store: _mm512_store_si512, zero: _mm512_setzero_si512,
        add: _mm512_add_epi16, sub: _mm512_sub_epi16,
    }

    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub fn squared_sum(units: &Row, weights: &Row) -> i32 {
        let (least, most) = (_mm512_setzero_si512(), _mm512_set1_epi16(CLIP));
        let mut sum = _mm512_setzero_si512();
        for at in (0..HIDDEN).step_by(LANES) {
            let (unit, weight) = (load(units, at), load(weights, at));
            let cut = _mm512_min_epi16(_mm512_max_epi16(unit, least), most);
            let shifted = _mm512_slli_epi16::<SHIFT>(cut);
            let active = _mm512_mulhi_epi16(shifted, shifted);
            sum = _mm512_add_epi32(sum, _mm512_madd_epi16(active, weight));
        }
        _mm512_reduce_add_epi32(sum)
    }
}

#[cfg(all(target_feature = "avx2", any(test, not(target_feature = "avx512bw"))))]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16,
        _mm256_min_epi16, _mm256_mulhi_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_slli_epi16,
        _mm256_store_si256, _mm256_sub_epi16,
    };

    use super::{CLIP, HIDDEN, Row, Rows, SHIFT};

    /// Units in a register.
    const LANES: usize = 16;
    const _: () = assert!(HIDDEN.is_multiple_of(LANES));

    #[repr(align(32))]
    struct Sums([i32; LANES / 2]);

    row_kernels! {
        feature: "avx2", lanes: LANES, registers: 8, register: __m256i,
        load: _mm256_load_si256, store: _mm256_store_si256, zero: _mm256_setzero_si256,
        add: _mm256_add_epi16, sub: _mm256_sub_epi16,
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn squared_sum(units: &Row, weights: &Row) -> i32 {
        let (least, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(CLIP));
        let mut sum = _mm256_setzero_si256();
        for at in (0..HIDDEN).step_by(LANES) {
            let (unit, weight) = (load(units, at), load(weights, at));
            let cut = _mm256_min_epi16(_mm256_max_epi16(unit, least), most);
            let shifted = _mm256_slli_epi16::<{ SHIFT as i32 }>(cut);
            let active = _mm256_mulhi_epi16(shifted, shifted);
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(active, weight));
        }
        let mut sums = Sums([0; LANES / 2]);
        // SAFETY: the target is 32 bytes long and aligned to them.
        unsafe { _mm256_store_si256(sums.0.as_mut_ptr().cast::<__m256i>(), sum) };
        sums.0.into_iter().fold(0, i32::wrapping_add)
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::eval::network::inputs::INPUTS;

    fn row(random: &mut SmallRng, least: i16, most: i16) -> Row {
        Row(std::array::from_fn(|_| random.random_range(least..=most)))
    }

    #[test]
    fn wide_registers_sum_as_plain_rust_does() {
        let mut random = SmallRng::seed_from_u64(1);
        for _ in 0..200 {
            let units = row(&mut random, i16::MIN, i16::MAX);
            let near = row(&mut random, -200, 1_200);
            // Also weights that no network may have: wrapping around is the same everywhere.
            for weights in [row(&mut random, -200, 200), row(&mut random, i16::MIN, i16::MAX)] {
                for units in [&units, &near] {
                    let sum = scalar_squared_sum(units, &weights);
                    assert_eq!(squared_sum(units, &weights), sum);
                    #[cfg(target_feature = "avx2")]
                    // SAFETY: the build has the instructions.
                    assert_eq!(unsafe { avx2::squared_sum(units, &weights) }, sum);
                }
            }
        }
    }

    #[test]
    fn rows_are_added_and_removed() {
        let mut random = SmallRng::seed_from_u64(2);
        let table: Vec<Row> = (0..20).map(|_| row(&mut random, i16::MIN, i16::MAX)).collect();
        let source = row(&mut random, -1_000, 1_000);
        let mut view: View = [0; INPUTS];
        view[30..40].copy_from_slice(&[3, 7, 19, 0, 12, 5, 6, 8, 9, 10]);
        let rows = Rows { table: &table, view: &view, added: &[30, 31, 32], removed: &[33, 34] };
        let sums = |unit: usize| {
            let weight = |index: usize| i64::from(table[index].0[unit]);
            i64::from(source.0[unit]) + weight(3) + weight(7) + weight(19) - weight(0) - weight(12)
        };
        let expected = Row(std::array::from_fn(|unit| sums(unit) as i16));
        let updated = |update: fn(Option<&Row>, &mut Row, &Rows)| {
            let mut units = source.clone();
            update(None, &mut units, &rows);
            let mut copied = table[0].clone();
            update(Some(&source), &mut copied, &rows);
            assert_eq!(copied, units);
            units
        };
        assert_eq!(updated(update), expected);
        assert_eq!(updated(scalar_update), expected);
        // SAFETY: the build has the instructions.
        #[cfg(target_feature = "avx2")]
        assert_eq!(updated(|source, units, rows| unsafe { avx2::update(source, units, rows) }), expected);
    }
}
