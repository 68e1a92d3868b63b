use super::parameters::Parameters;

/// Into how many parts a ply is divided where reductions are summed up; only the sum is cut to whole plies.
pub const PLY_PARTS: i32 = 1_024;

/// The base of late move reductions: grows with the logarithms of depth and of the move's number (Chess Programming
/// Wiki, "Late Move Reductions").
pub struct Reductions(Box<[[i16; 64]; 64]>);

impl Reductions {
    pub fn new(parameters: &Parameters) -> Reductions {
        let base = f64::from(parameters.reduction_base) / 100.0;
        let divisor = f64::from(parameters.reduction_divisor) / 100.0;
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                let plies = base + (depth as f64).ln() * (number as f64).ln() / divisor;
                *reduction = (plies * f64::from(PLY_PARTS)) as i16;
            }
        }
        Reductions(table)
    }

    /// In 1024ths of a ply ([`PLY_PARTS`]), for a depth in plies and the number of the move, from 1.
    #[inline]
    pub fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduction_is_in_parts_of_a_ply_and_grows_with_depth_and_number() {
        let reductions =
            Reductions::new(&Parameters { reduction_base: 50, reduction_divisor: 200, ..Parameters::default() });
        // The logarithm of 1 is 0.
        assert_eq!(reductions.get(1, 20), PLY_PARTS / 2);
        assert_eq!(reductions.get(20, 1), PLY_PARTS / 2);
        let expected = f64::from(PLY_PARTS) * (0.5 + 10f64.ln() * 20f64.ln() / 2.0);
        assert_eq!(reductions.get(10, 20), expected as i32);
        assert!(reductions.get(11, 20) > reductions.get(10, 20) && reductions.get(10, 21) > reductions.get(10, 20));
        assert_eq!(reductions.get(500, 500), reductions.get(63, 63));
    }
}
