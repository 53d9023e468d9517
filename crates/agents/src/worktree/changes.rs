//! What git says of a change, path by path, and of the files of a worktree.
//!
//! Absent here: which paths may be touched.

use super::{
    protected::{Protected, Refusal, shown},
    state::{LONGEST, below},
};
use std::{
    collections::BTreeSet,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// The most files that may be new or changed.
const MOST_FILES: usize = 20_000;

const FILE: &str = "100644";
const PROGRAM: &str = "100755";
const LINK: &str = "120000";
const SUBMODULE: &str = "160000";
const NOTHING: &str = "000000";

/// One path of a change, as git's raw format has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change<'a> {
    old_mode: &'a str,
    mode: &'a str,
    /// The name of what stands there now.
    pub(super) blob: String,
    path: &'a [u8],
}

/// The paths of a list that ends each with a zero.
pub(super) fn paths(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|&byte| byte == 0).filter(|path| !path.is_empty())
}

/// All changes in git's raw format. A line that is not of that form is passed over; git writes none.
pub(super) fn read(raw: &[u8]) -> Vec<Change<'_>> {
    let mut fields = paths(raw);
    std::iter::from_fn(|| Some((fields.next()?, fields.next()?)))
        .filter_map(|(head, path)| {
            let head = std::str::from_utf8(head).ok()?.strip_prefix(':')?;
            let mut head = head.split(' ');
            let (old_mode, mode, _, blob) =
                (head.next()?, head.next()?, head.next()?, head.next()?);
            Some(Change { old_mode, mode, blob: blob.to_owned(), path })
        })
        .collect()
}

impl Change<'_> {
    /// Whether a symbolic link stands there now.
    pub(super) fn is_link(&self) -> bool {
        self.mode == LINK
    }

    /// Whether it may be made. `target` is where the link leads, if it is one.
    pub(super) fn check(&self, rules: &Protected, target: Option<&[u8]>) -> Result<(), Refusal> {
        rules.path(self.path)?;
        for mode in [self.old_mode, self.mode] {
            check_mode(mode, self.path)?;
        }
        match target {
            Some(target) => super::links::check(self.path, target),
            None => Ok(()),
        }
    }
}

/// Whether a file may have this mode.
pub(super) fn check_mode(mode: &str, path: &[u8]) -> Result<(), Refusal> {
    match mode {
        FILE | PROGRAM | LINK | NOTHING => Ok(()),
        SUBMODULE => Err(Refusal::Submodule { path: shown(path) }),
        odd => Err(Refusal::OddMode { path: shown(path), mode: odd.to_owned() }),
    }
}

/// Whether a new or changed file can become part of a change at all: git is not asked to read what cannot.
pub(super) fn check_file(place: &Path, path: &[u8]) -> Result<(), Refusal> {
    if path.ends_with(b"/") {
        return Err(Refusal::Embedded { path: shown(path) });
    }
    match fs::symlink_metadata(below(place, path)) {
        Ok(found) if found.len() > LONGEST as u64 => {
            Err(Refusal::TooLarge { path: shown(path), bytes: found.len() })
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Whether all of these new files fit in one change; each of their bytes would be in it.
pub(super) fn check_new(place: &Path, new: &[u8]) -> Result<(), Refusal> {
    let size = |path| fs::symlink_metadata(below(place, path)).map_or(0, |found| found.len());
    let sizes: Vec<_> = paths(new).map(|path| (size(path), path)).collect();
    let bytes = sizes.iter().fold(0_u64, |sum, (size, _)| sum.saturating_add(*size));
    match sizes.iter().max() {
        Some((_, path)) if bytes > LONGEST as u64 => {
            Err(Refusal::MuchNew { path: shown(path), bytes })
        }
        Some(_) | None => Ok(()),
    }
}

/// Whether so many paths may change.
pub(super) fn check_number(number: usize) -> Result<(), Refusal> {
    if number > MOST_FILES { Err(Refusal::TooMany { number }) } else { Ok(()) }
}

/// What git passes over without a word in folders with files of its own: repositories, pipes, sockets and devices;
/// each with why it is refused.
pub(super) fn planted(place: &Path, files: &[u8]) -> Vec<(PathBuf, Refusal)> {
    let top: &[u8] = b"";
    let folders: BTreeSet<&[u8]> = paths(files).flat_map(folders_of).chain([top]).collect();
    let entries = folders.into_iter().filter_map(|folder| fs::read_dir(below(place, folder)).ok());
    entries.flatten().flatten().filter_map(|entry| planted_as(place, &entry)).collect()
}

fn planted_as(place: &Path, entry: &fs::DirEntry) -> Option<(PathBuf, Refusal)> {
    let (found, kind) = (entry.path(), entry.file_type().ok()?);
    let path = shown(found.strip_prefix(place).ok()?.as_os_str().as_bytes());
    if path.ends_with("/.git") {
        return Some((found, Refusal::Embedded { path }));
    }
    let usual = kind.is_file() || kind.is_dir() || kind.is_symlink();
    if usual { None } else { Some((found, Refusal::Special { path })) }
}

/// The folders above a path, the highest first.
pub(super) fn folders_of(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| &path[..at])
}

/// The first binary file among these counts of lines.
pub(super) fn binary(counts: &[u8]) -> Option<String> {
    paths(counts).find_map(|count| count.strip_prefix(b"-\t-\t")).map(shown)
}

/// That a diff with these counts of lines has so many bytes: refused by the file with the most lines.
pub(super) fn too_long(bytes: usize, counts: &[u8]) -> Refusal {
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse::<u64>().ok();
    let files = paths(counts).filter_map(|line| {
        let mut line = line.splitn(3, |&byte| byte == b'\t');
        let lines = number(line.next()?)?.saturating_add(number(line.next()?)?);
        Some((lines, line.next()?))
    });
    let most = files.max_by_key(|(lines, _)| *lines);
    most.map_or(Refusal::LongDiff { bytes }, |(_, path)| Refusal::LongChange {
        path: shown(path),
        bytes,
    })
}

/// The diff with these counts of lines as text, if it is.
pub(super) fn text(diff: Vec<u8>, counts: &[u8]) -> Result<String, Refusal> {
    if diff.len() > LONGEST {
        return Err(too_long(diff.len(), counts));
    }
    let zero = diff.iter().position(|&byte| byte == 0);
    match String::from_utf8(diff) {
        Ok(text) => match zero {
            None => Ok(text),
            Some(at) => Err(not_text(text.as_bytes(), at)),
        },
        Err(error) => Err(not_text(error.as_bytes(), error.utf8_error().valid_up_to())),
    }
}

/// The file that the diff speaks of at this byte.
fn not_text(diff: &[u8], at: usize) -> Refusal {
    let before = String::from_utf8_lossy(&diff[..at]);
    let names = before.lines().rev().find_map(|line| line.strip_prefix("diff --git a/"));
    let path = names.and_then(|names| names.split(" b/").next()).unwrap_or("the diff");
    Refusal::NotText { path: path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_lines_are_read_whatever_their_paths_hold() {
        let raw = b":100644 000000 aa 00 D\0a b\n\0:000000 120000 00 bb A\0\xff\0";
        let read = read(raw);
        assert_eq!((read[0].path, read[0].is_link()), (&b"a b\n"[..], false));
        assert_eq!((read[1].path, read[1].is_link()), (&b"\xff"[..], true));
    }

    #[test]
    fn a_text_that_is_none_is_named() {
        let diff = b"diff --git a/x y b/x y\n+ok\ndiff --git a/z b/z\n+\xff\n".to_vec();
        let refusal = text(diff, b"").unwrap_err().to_string();
        assert!(refusal.starts_with("z: "), "{refusal}");
        assert!(
            text(b"diff --git a/x y b/x y\n+\0\n".to_vec(), b"")
                .unwrap_err()
                .to_string()
                .starts_with("x y: ")
        );
    }

    #[test]
    fn modes_beyond_the_usual_are_refused() {
        assert!(check_mode("100755", b"x").is_ok());
        for mode in ["104755", "100666", "160000", "040000"] {
            assert!(check_mode(mode, b"x").is_err(), "{mode}");
        }
    }
}
