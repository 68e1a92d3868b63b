//! How much memory there is.

use std::fs;
use std::path::Path;

/// The memory that can be used, in bytes, where the system tells: what is free without swapping, and no more than the limit
/// under which this process runs, as in a container.
pub fn available_memory() -> Option<u64> {
    let free = fs::read_to_string("/proc/meminfo").ok().and_then(|text| free_memory(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    free.into_iter().chain(limits(&groups, Path::new("/sys/fs/cgroup"))).min()
}

/// What can be used without swapping, by the text of `/proc/meminfo`.
fn free_memory(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The limits of the control groups of a process and of those around them (Linux, both versions of cgroups), by the text of
/// `/proc/self/cgroup`. How much of a limit is used is left aside: it counts caches that the system gives back.
fn limits(groups: &str, mount: &Path) -> Vec<u64> {
    let file = |line: &str| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, own) = (fields.next()?, fields.next()?);
        let (root, name) = match controllers {
            "" => (mount.to_path_buf(), "memory.max"),
            "memory" => (mount.join("memory"), "memory.limit_in_bytes"),
            _ => return None,
        };
        Some((root.join(own.trim_start_matches('/')), root, name))
    };
    let mut limits = Vec::new();
    for (own, root, name) in groups.lines().filter_map(file) {
        // A container may see its own group as the root, whatever path its process is said to be in.
        let enclosing = own.ancestors().take_while(|group| group.starts_with(&root));
        limits.extend(enclosing.filter_map(|group| {
            let text = fs::read_to_string(group.join(name)).ok()?;
            text.trim().parse::<u64>().ok()
        }));
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_read_in_bytes() {
        assert_eq!(free_memory("MemTotal: 9 kB\nMemAvailable:    2048 kB\n"), Some(2 << 20));
        assert_eq!(free_memory("MemTotal: 9 kB\n"), None);
    }

    #[test]
    fn limits_of_all_enclosing_groups_count() {
        let directory = tempfile::tempdir().unwrap();
        let mount = directory.path();
        fs::create_dir_all(mount.join("a/b")).unwrap();
        fs::create_dir_all(mount.join("memory/c")).unwrap();
        fs::write(mount.join("a/memory.max"), "5000\n").unwrap();
        fs::write(mount.join("a/b/memory.max"), "max\n").unwrap();
        fs::write(mount.join("memory/memory.limit_in_bytes"), "9000\n").unwrap();
        fs::write(mount.join("memory/c/memory.limit_in_bytes"), "7000\n").unwrap();
        assert_eq!(limits("3:cpu:/c\n1:memory:/c\n0::/a/b\n", mount), [7000, 9000, 5000]);
        assert!(limits("0::/elsewhere\n", mount).is_empty());
        assert!(limits("garbage", mount).is_empty());
    }
}
