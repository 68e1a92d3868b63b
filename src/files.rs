//! Files that one process has for itself.

use std::fs::File;

/// Takes the file for this process alone, as long as it is open; false when another one has it. Where the system has no
/// such locks, everybody gets it.
#[cfg(unix)]
pub fn lock(file: &File) -> bool {
    rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_ok()
}

#[cfg(not(unix))]
pub fn lock(_file: &File) -> bool {
    true
}
