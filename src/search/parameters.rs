//! The numbers of the search that may be tuned, each declared once.

/// One parameter as the table declares it.
#[derive(Clone, Copy, Debug)]
pub struct ParameterSpec {
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    /// A step that is likely to be felt in play.
    pub step: i32,
    /// What it is and in which unit.
    pub doc: &'static str,
}

macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal, $min:literal ..= $max:literal, step $step:literal;)+) => {
        /// A set of search parameters: a value, so that two sets can play each other in one process.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[doc = $doc])+ pub $name: i32,)+
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $default,)+ }
            }
        }

        impl Parameters {
            /// All parameters, in the order of their declaration.
            pub const SPECS: &[ParameterSpec] = &[$(ParameterSpec {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
                doc: concat!($($doc),+),
            },)+];

            /// The parameter with this name, to read or to set.
            pub fn by_name_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

parameters! {
    /// Half-width of the first aspiration window, in centipawns.
    aspiration_window = 8, 4 ..= 60, step 2;
    /// Reverse futility: margin above beta for each ply of depth, in centipawns.
    reverse_futility_margin = 30, 10 ..= 200, step 5;
    /// Reverse futility: greatest depth, in plies.
    reverse_futility_depth = 8, 2 ..= 14, step 1;
    /// Razoring: margin below alpha for each ply of depth, in centipawns.
    razoring_margin = 160, 100 ..= 500, step 20;
    /// Razoring: greatest depth, in plies.
    razoring_depth = 1, 0 ..= 6, step 1;
    /// Null move: plies taken off at least.
    null_move_base = 7, 2 ..= 9, step 1;
    /// Null move: plies of depth for each further ply taken off.
    null_move_divisor = 5, 2 ..= 8, step 1;
    /// Null move: centipawns above beta for each further ply taken off.
    null_move_evaluation_divisor = 150, 80 ..= 400, step 20;
    /// Futility: margin below alpha at depth 0, in centipawns.
    futility_base = 60, 20 ..= 250, step 10;
    /// Futility: further margin for each ply of depth, in centipawns.
    futility_margin = 65, 30 ..= 200, step 8;
    /// Futility: greatest depth, in plies.
    futility_depth = 8, 2 ..= 14, step 1;
    /// Late move pruning: moves tried before, at depth 0.
    late_move_base = 4, 1 ..= 10, step 1;
    /// History pruning: greatest depth, in plies; 0 for none.
    history_pruning_depth = 4, 0 ..= 10, step 1;
    /// History pruning: a history below minus this for each ply of depth leaves a quiet move out.
    history_pruning_margin = 4000, 500 ..= 12000, step 500;
    /// Static exchange pruning of quiet moves: loss allowed for each ply of depth, in centipawns.
    quiet_exchange_margin = 50, 20 ..= 150, step 8;
    /// Static exchange pruning of captures: loss allowed for each ply of depth, in centipawns.
    noisy_exchange_margin = 55, 30 ..= 250, step 10;
    /// Late move reductions: constant part, in hundredths of a ply.
    reduction_base = 110, 0 ..= 200, step 10;
    /// Late move reductions: divisor of ln(depth) * ln(move number), in hundredths.
    reduction_divisor = 185, 120 ..= 400, step 12;
    /// Late move reductions of quiet moves: history for a ply less, or below zero for one more.
    reduction_history_divisor = 7500, 2000 ..= 20000, step 500;
    /// Late move reductions of captures and queen promotions: history for a ply less, or below zero for one more.
    reduction_noisy_history_divisor = 8000, 2000 ..= 20000, step 500;
    /// Late move reductions: more where the side to move is in check or stands no better than at its last move, in 1024ths of a ply.
    reduction_not_improving = 1280, 0 ..= 3072, step 128;
    /// Late move reductions: more where a cutoff is expected, in 1024ths of a ply.
    reduction_cut_node = 896, 0 ..= 3072, step 128;
    /// Late move reductions: more where replies to earlier moves have cut off, in 1024ths of a ply.
    reduction_cutoffs = 1024, 0 ..= 3072, step 128;
    /// Late move reductions: less on the principal variation, in 1024ths of a ply.
    reduction_pv = 512, 0 ..= 3072, step 128;
    /// Late move reductions: less where the principal variation once was, in 1024ths of a ply.
    reduction_was_pv = 256, 0 ..= 3072, step 128;
    /// Late move reductions: less for a check, in 1024ths of a ply.
    reduction_gives_check = 768, 0 ..= 3072, step 128;
    /// Late move reductions: less in check, in 1024ths of a ply.
    reduction_in_check = 1024, 0 ..= 3072, step 128;
    /// Singular extension: least depth, in plies.
    singular_depth = 5, 3 ..= 12, step 1;
    /// Singular extension: how far below the singular threshold all other moves must fall for a double extension, in centipawns.
    singular_double_margin = 20, 0 ..= 200, step 5;
    /// Quiescence: margin by which a capture may fall short of alpha, in centipawns.
    quiescence_margin = 100, 50 ..= 400, step 15;
    /// Quiescence in check: greatest number of quiet evasions, unless all moves tried so far are mated.
    quiescence_evasions = 3, 0 ..= 20, step 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges_and_names_lead_to_them() {
        let mut parameters = Parameters::default();
        for spec in Parameters::SPECS {
            assert!((spec.min..=spec.max).contains(&spec.default), "{}", spec.name);
            assert_eq!(parameters.by_name_mut(spec.name).copied(), Some(spec.default));
        }
        assert_eq!(parameters.by_name_mut("no_such_parameter"), None);
    }
}
