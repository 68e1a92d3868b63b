use std::fs;
use std::io;
use std::path::Path;

use thiserror::Error;

use super::{ACTIVE_ONE, BUCKETS, HIDDEN, Network, ROWS, Row};

const MAGIC: [u8; 8] = *b"AKNNUE\x1a\n";
/// Another one for each change of what the numbers mean, also of the order of rows.
const FORMAT: u16 = 2;
const HEADER_LENGTH: usize = 16;
const CHECKSUM_LENGTH: usize = 4;
/// Length of a file, in bytes; small enough for a repository.
const LENGTH: usize = HEADER_LENGTH + 2 * HIDDEN * (ROWS + 1 + 2 * BUCKETS) + 4 * BUCKETS + CHECKSUM_LENGTH;
const _: () = assert!(LENGTH < 3_000_000);

/// Why a file gives no network.
#[derive(Debug, Error)]
#[error("{file}: {fault}")]
pub struct NetworkError {
    pub file: String,
    pub fault: NetworkFault,
}

/// What is wrong with the file.
#[derive(Debug, Error)]
pub enum NetworkFault {
    #[error("cannot read: {0}")]
    Read(#[from] io::Error),
    #[error("it does not begin like a network")]
    Magic,
    #[error("it is written in version {0} of the format; this program knows version {FORMAT}")]
    Version(u16),
    #[error(
        "it has {rows} rows of weights, {hidden} hidden units and {buckets} outputs; this program has {ROWS}, {HIDDEN} and {BUCKETS}"
    )]
    Shape { rows: u16, hidden: u16, buckets: u16 },
    #[error("it is {0} bytes long instead of {LENGTH}")]
    Length(usize),
    #[error("its checksum does not fit: it is damaged")]
    Checksum,
    #[error("the output weights of bucket {0} are so large that their sum can overflow")]
    OutputWeights(usize),
}

impl Network {
    /// Reads a network from a file.
    ///
    /// # Errors
    /// When the file cannot be read or is no network of this shape.
    pub fn load(path: &Path) -> Result<Network, NetworkError> {
        let read = fs::read(path).map_err(NetworkFault::from).and_then(|bytes| Network::decode(&bytes));
        read.map_err(|fault| NetworkError { file: path.display().to_string(), fault })
    }

    /// The bytes of a file, as the module's documentation tells.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.extend(MAGIC);
        for number in [FORMAT, ROWS as u16, HIDDEN as u16, BUCKETS as u16] {
            bytes.extend(number.to_le_bytes());
        }
        let outputs = self.output_weights.iter().flatten();
        let rows = self.hidden_weights.iter().chain([&self.hidden_biases]).chain(outputs);
        bytes.extend(rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes));
        bytes.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The CRC-32 with which a file ends, which tells networks from each other.
    pub fn checksum(&self) -> u32 {
        self.encode().last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    /// Reads the bytes of a file and checks all of them.
    ///
    /// # Errors
    /// The first fault that is found.
    pub fn decode(bytes: &[u8]) -> Result<Network, NetworkFault> {
        let mut source = Source { bytes, at: 0 };
        if source.take() != Some(MAGIC) {
            return Err(NetworkFault::Magic);
        }
        let mut number = || source.take().map(u16::from_le_bytes).ok_or(NetworkFault::Length(bytes.len()));
        let format = number()?;
        if format != FORMAT {
            return Err(NetworkFault::Version(format));
        }
        let (rows, hidden, buckets) = (number()?, number()?, number()?);
        if [rows, hidden, buckets].map(usize::from) != [ROWS, HIDDEN, BUCKETS] {
            return Err(NetworkFault::Shape { rows, hidden, buckets });
        }
        if bytes.len() != LENGTH {
            return Err(NetworkFault::Length(bytes.len()));
        }
        let (content, checksum) = bytes.split_at(LENGTH - CHECKSUM_LENGTH);
        if crc32fast::hash(content).to_le_bytes() != checksum {
            return Err(NetworkFault::Checksum);
        }
        let hidden_weights = (0..ROWS).map(|_| source.row()).collect();
        let hidden_biases = source.row();
        let output_weights: [[Row; 2]; BUCKETS] = std::array::from_fn(|_| [source.row(), source.row()]);
        if let Some(bucket) = output_weights.iter().position(|sides| sides.iter().any(can_overflow)) {
            return Err(NetworkFault::OutputWeights(bucket));
        }
        let output_biases = std::array::from_fn(|_| source.take().map_or(0, i32::from_le_bytes));
        Ok(Network { hidden_weights, hidden_biases, output_weights, output_biases })
    }
}

/// True if the sum over all units of weight times activation may leave 32 bits.
fn can_overflow(weights: &Row) -> bool {
    let sum: u32 = weights.0.iter().map(|weight| u32::from(weight.unsigned_abs())).sum();
    sum > i32::MAX.unsigned_abs() / ACTIVE_ONE.unsigned_abs()
}

/// Bytes from front to back. Behind the end everything is zero or `None`.
struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Source<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = self.bytes.get(self.at..self.at + N)?.try_into().ok()?;
        self.at += N;
        Some(taken)
    }

    fn row(&mut self) -> Row {
        Row(std::array::from_fn(|_| self.take().map_or(0, i16::from_le_bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resealed(change: impl FnOnce(&mut Vec<u8>)) -> Result<Network, NetworkFault> {
        let mut bytes = Network::embedded().encode();
        bytes.truncate(LENGTH - CHECKSUM_LENGTH);
        change(&mut bytes);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Network::decode(&bytes)
    }

    #[test]
    fn networks_round_trip() {
        let network = Network::embedded();
        let bytes = network.encode();
        assert_eq!(bytes.len(), LENGTH);
        assert_eq!(bytes, include_bytes!("../default.nnue"));
        assert_eq!(&Network::decode(&bytes).unwrap(), network.as_ref());
    }

    #[test]
    fn each_fault_is_told() {
        let bytes = Network::embedded().encode();
        let fault = |bytes: &[u8]| Network::decode(bytes).unwrap_err().to_string();
        assert_eq!(fault(b""), "it does not begin like a network");
        assert_eq!(fault(b"4k3/8/8/8/4r2A/8/8/a2RK3 w - - 0 1"), "it does not begin like a network");
        assert_eq!(fault(&bytes[..9]), format!("it is 9 bytes long instead of {LENGTH}"));
        assert_eq!(fault(&bytes[..1_000]), format!("it is 1000 bytes long instead of {LENGTH}"));
        for at in [20, 100_000, LENGTH - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(fault(&damaged), "its checksum does not fit: it is damaged", "byte {at}");
        }
        let version = resealed(|bytes| bytes[8] = 9).unwrap_err();
        assert!(version.to_string().starts_with("it is written in version 9"), "{version}");
        let shape = resealed(|bytes| bytes[12] ^= 64).unwrap_err();
        assert!(shape.to_string().contains(&format!("this program has {ROWS}, {HIDDEN} and {BUCKETS}")), "{shape}");
        let outputs = LENGTH - CHECKSUM_LENGTH - 4 * BUCKETS - 2 * HIDDEN;
        let large = resealed(|bytes| bytes[outputs..outputs + 2 * HIDDEN].fill(0x7f)).unwrap_err();
        assert!(large.to_string().contains(&format!("bucket {}", BUCKETS - 1)), "{large}");
    }

    #[test]
    fn the_file_is_named() {
        let error = Network::load(Path::new("no/such.nnue")).unwrap_err();
        assert!(error.to_string().starts_with("no/such.nnue: cannot read: "), "{error}");
    }
}
