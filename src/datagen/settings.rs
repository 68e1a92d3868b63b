use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::bytes::{is_sealed, put, seal, take};
use super::opening::OpeningSettings;
use super::record::RECORD_LENGTH;

/// Length of the header of a file, in bytes.
pub const HEADER_LENGTH: usize = 80;
/// How every file begins.
pub(super) const MAGIC: [u8; 8] = *b"AKGAMES\n";
const FORMAT: u16 = 1;
const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");
const ENGINE_VERSION_LENGTH: usize = 16;
const _: () = assert!(ENGINE_VERSION.len() <= ENGINE_VERSION_LENGTH);

/// All that decides which games a file holds and how they go: its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The version of the engine that plays.
    pub engine: String,
    pub seed: u64,
    pub shard: Shard,
    /// A search begins no further depth after this many nodes.
    pub soft_nodes: u64,
    /// A search is broken off after this many nodes.
    pub hard_nodes: u64,
    /// Size of the transposition table, megabytes.
    pub hash: u32,
    pub openings: OpeningSettings,
    /// The checksum of the network that the engine evaluates with; 0 for an engine that had none.
    pub network: u32,
}

/// A part of a run: the games whose numbers leave the same remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `count`.
    pub number: u32,
    pub count: u32,
}

impl Shard {
    /// The number in the whole run of a game of this shard; both count from 0. `None` if it is too large for a record.
    pub fn game(self, index: u64) -> Option<u32> {
        let number = index.checked_mul(self.count.into())?.checked_add(u64::from(self.number) - 1)?;
        u32::try_from(number).ok()
    }

    /// How many of the first `total` games of the run are in this shard.
    pub fn games(self, total: u32) -> u64 {
        let [total, count, number] = [total, self.count, self.number].map(u64::from);
        (total + count - number) / count
    }
}

/// `NUMBER/COUNT`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, &'static str> {
        let numbers =
            text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Shard { number, count }),
            _ => Err("it is not NUMBER/COUNT with NUMBER from 1 to COUNT"),
        }
    }
}

/// Why bytes are no header.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HeaderFault {
    #[error("it does not begin like a file of games")]
    Magic,
    #[error("it is written in version {0} of the format; this program knows version {FORMAT}")]
    Version(u16),
    #[error("the checksum of the header does not fit")]
    Checksum,
    #[error("the header has lengths or settings that cannot be")]
    Impossible,
}

impl Settings {
    /// The version of this engine, as a header has it.
    pub fn this_engine() -> String {
        ENGINE_VERSION.to_owned()
    }

    pub(super) fn encode(&self) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        put(&mut bytes, 0, MAGIC);
        put(&mut bytes, 8, FORMAT.to_le_bytes());
        put(&mut bytes, 10, (HEADER_LENGTH as u16).to_le_bytes());
        put(&mut bytes, 12, (RECORD_LENGTH as u16).to_le_bytes());
        put(&mut bytes, 14, self.openings.random_plies.to_le_bytes());
        let version = self.engine.bytes().take(ENGINE_VERSION_LENGTH);
        bytes[16..].iter_mut().zip(version).for_each(|(byte, letter)| *byte = letter);
        put(&mut bytes, 32, self.seed.to_le_bytes());
        put(&mut bytes, 40, self.shard.number.to_le_bytes());
        put(&mut bytes, 44, self.shard.count.to_le_bytes());
        put(&mut bytes, 48, self.soft_nodes.to_le_bytes());
        put(&mut bytes, 56, self.hard_nodes.to_le_bytes());
        put(&mut bytes, 64, self.hash.to_le_bytes());
        put(&mut bytes, 68, self.openings.bound.to_le_bytes());
        bytes[70] = self.openings.anti_king_share;
        put(&mut bytes, 72, self.network.to_le_bytes());
        seal(&mut bytes);
        bytes
    }

    /// # Errors
    /// What is wrong with the bytes.
    pub(super) fn decode(bytes: &[u8; HEADER_LENGTH]) -> Result<Settings, HeaderFault> {
        if take(bytes, 0) != MAGIC {
            return Err(HeaderFault::Magic);
        }
        let format = u16::from_le_bytes(take(bytes, 8));
        if format != FORMAT {
            return Err(HeaderFault::Version(format));
        }
        if !is_sealed(bytes) {
            return Err(HeaderFault::Checksum);
        }
        let version: [u8; ENGINE_VERSION_LENGTH] = take(bytes, 16);
        let settings = Settings {
            engine: String::from_utf8_lossy(&version).trim_end_matches('\0').to_owned(),
            seed: u64::from_le_bytes(take(bytes, 32)),
            shard: Shard { number: u32::from_le_bytes(take(bytes, 40)), count: u32::from_le_bytes(take(bytes, 44)) },
            soft_nodes: u64::from_le_bytes(take(bytes, 48)),
            hard_nodes: u64::from_le_bytes(take(bytes, 56)),
            hash: u32::from_le_bytes(take(bytes, 64)),
            openings: OpeningSettings {
                random_plies: u16::from_le_bytes(take(bytes, 14)),
                anti_king_share: bytes[70],
                bound: u16::from_le_bytes(take(bytes, 68)),
            },
            network: u32::from_le_bytes(take(bytes, 72)),
        };
        let is_possible = (1..=settings.shard.count).contains(&settings.shard.number) && settings.encode() == *bytes;
        if is_possible { Ok(settings) } else { Err(HeaderFault::Impossible) }
    }

    /// In words, what differs from the settings of a file; `None` if nothing does.
    pub(super) fn differences(&self, there: &Settings) -> Option<String> {
        let here = self.named();
        let pairs = there.named().into_iter().zip(here).filter(|(there, here)| there != here);
        let texts: Vec<String> =
            pairs.map(|((name, there), (_, here))| format!("{name} is {there} there and {here} here")).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    }

    /// Each setting under the name of its flag.
    fn named(&self) -> [(&'static str, String); 10] {
        [
            ("the engine's version", self.engine.clone()),
            ("network", format!("{:08x}", self.network)),
            ("seed", self.seed.to_string()),
            ("shard", self.shard.to_string()),
            ("nodes", self.soft_nodes.to_string()),
            ("hard-nodes", self.hard_nodes.to_string()),
            ("hash", self.hash.to_string()),
            ("random-plies", self.openings.random_plies.to_string()),
            ("anti-king-share", self.openings.anti_king_share.to_string()),
            ("opening-bound", self.openings.bound.to_string()),
        ]
    }
}

#[cfg(test)]
pub fn test_settings() -> Settings {
    Settings {
        engine: Settings::this_engine(),
        seed: 0x0102_0304_0506_0708,
        shard: Shard { number: 2, count: 3 },
        soft_nodes: 200,
        hard_nodes: 1_600,
        hash: 1,
        openings: OpeningSettings { random_plies: 6, anti_king_share: 25, bound: 400 },
        network: 0x0a0b_0c0d,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_round_trip_and_stand_where_the_docs_say() {
        let settings = test_settings();
        let bytes = settings.encode();
        assert_eq!(Settings::decode(&bytes), Ok(settings));
        assert_eq!(&bytes[..16], b"AKGAMES\n\x01\0\x50\0\x30\0\x06\0");
        assert!(bytes[16..].starts_with(ENGINE_VERSION.as_bytes()));
        assert_eq!(bytes[32..40], [8, 7, 6, 5, 4, 3, 2, 1]);
        assert_eq!(bytes[40..48], [2, 0, 0, 0, 3, 0, 0, 0]);
        assert_eq!((bytes[48], bytes[56..58].to_vec()), (200, vec![0x40, 6]));
        assert_eq!(bytes[64..76], [1, 0, 0, 0, 0x90, 1, 25, 0, 0x0d, 0x0c, 0x0b, 0x0a]);
    }

    #[test]
    fn damaged_headers_are_told_by_their_fault() {
        let good = test_settings().encode();
        let with = |at: usize, value: u8| {
            let mut bytes = good;
            bytes[at] = value;
            Settings::decode(&bytes).unwrap_err()
        };
        assert_eq!(with(0, b'X'), HeaderFault::Magic);
        assert_eq!(with(8, 7), HeaderFault::Version(7));
        for (at, &byte) in good.iter().enumerate().skip(10) {
            assert_eq!(with(at, byte ^ 4), HeaderFault::Checksum, "byte {at}");
        }
        let mut no_shard = Settings { shard: Shard { number: 4, count: 3 }, ..test_settings() };
        assert_eq!(Settings::decode(&no_shard.encode()), Err(HeaderFault::Impossible));
        no_shard.shard.number = 0;
        assert_eq!(Settings::decode(&no_shard.encode()), Err(HeaderFault::Impossible));
    }

    #[test]
    fn shards_have_each_game_once() {
        for (total, count) in [(20, 1), (20, 3), (2, 5), (u32::MAX, 4)] {
            let shards = (1..=count).map(|number| Shard { number, count });
            assert_eq!(shards.map(|shard| shard.games(total)).sum::<u64>(), u64::from(total), "{total} by {count}");
        }
        let shard = Shard { number: 2, count: 3 };
        assert_eq!([0, 1, 2].map(|index| shard.game(index)), [Some(1), Some(4), Some(7)]);
        assert_eq!(shard.games(7), 2);
        assert_eq!(shard.game(u64::MAX), None);
        assert_eq!("2/3".parse(), Ok(shard));
        for bad in ["0/3", "4/3", "3", "1/", "a/b", "-1/2"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn differences_are_named_as_the_flags_are() {
        let there = test_settings();
        let here = Settings { soft_nodes: 300, seed: 1, ..test_settings() };
        let told = here.differences(&there).unwrap();
        assert_eq!(told, "seed is 72623859790382856 there and 1 here, nodes is 200 there and 300 here");
        assert_eq!(there.differences(&there), None);
    }
}
