use super::parameters::Parameters;

/// A ply of reduction. Reductions are summed up in these parts, and only the sum is cut to whole plies.
pub const PLY: i32 = 1_024;

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
                *reduction = (plies * f64::from(PLY)) as i16;
            }
        }
        Reductions(table)
    }

    /// In parts of a [`PLY`], for a depth in plies and the number of the move, from 1.
    #[inline]
    pub fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}
