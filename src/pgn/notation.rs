use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveNotation {
    /// As the PGN standard has it: `Nf3`.
    #[default]
    San,
    /// With both squares: `Ng1-f3`, `Ng1xf3`.
    Lan,
    /// As engines speak: `g1f3`.
    Uci,
}

impl FromStr for MoveNotation {
    type Err = ();

    fn from_str(text: &str) -> Result<MoveNotation, ()> {
        match text {
            "san" => Ok(MoveNotation::San),
            "lan" => Ok(MoveNotation::Lan),
            "uci" => Ok(MoveNotation::Uci),
            _ => Err(()),
        }
    }
}
