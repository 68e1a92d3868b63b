//! Numbers at fixed places of a record, and its checksum.

/// Where the checksum stands: in the last bytes.
const CHECKSUM_LENGTH: usize = 4;

pub fn put<const N: usize>(bytes: &mut [u8], at: usize, value: [u8; N]) {
    bytes[at..at + N].copy_from_slice(&value);
}

pub fn take<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[at + index])
}

/// Writes the checksum of all that stands before it.
pub fn seal(bytes: &mut [u8]) {
    let at = bytes.len() - CHECKSUM_LENGTH;
    put(bytes, at, crc32fast::hash(&bytes[..at]).to_le_bytes());
}

/// True if the checksum is right.
pub fn is_sealed(bytes: &[u8]) -> bool {
    let at = bytes.len() - CHECKSUM_LENGTH;
    u32::from_le_bytes(take(bytes, at)) == crc32fast::hash(&bytes[..at])
}
