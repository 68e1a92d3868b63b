//! What more than one command asks of files: to have one alone, and to tell whether two names are one place.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

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

/// The place of a file in the tree of folders by whatever way one gets there, also where there is none yet.
pub fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let with_folder = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(with_folder).unwrap_or_else(|| path.to_owned())
}

/// The path with one more ending.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Writes a file so that an older one stays until the new one is whole: first beside it, with the ending `part`.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = with_ending(path, "part");
    fs::write(&partial, bytes)?;
    fs::rename(&partial, path)
}
