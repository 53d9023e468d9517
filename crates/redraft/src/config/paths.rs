//! Paths in a configuration start from the file's own folder, and `~/` from the user's.
//!
//! Absent here: whether anything stands there.

use std::path::{Path, PathBuf};

/// The path of a file.
pub(super) fn file(text: &str, folder: &Path) -> PathBuf {
    match (text.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => folder.join(text),
    }
}

/// A program: a bare name is looked up on PATH, a path is taken as one.
pub(super) fn program(text: &str, folder: &Path) -> PathBuf {
    match text.contains('/') {
        true => file(text, folder),
        false => PathBuf::from(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_program_is_looked_up_and_a_path_starts_from_the_files_folder() {
        let folder = Path::new("/p");
        assert_eq!(program("tool", folder), Path::new("tool"));
        assert_eq!(program("./tool", folder), Path::new("/p/./tool"));
        assert_eq!(program("/bin/tool", folder), Path::new("/bin/tool"));
        assert_eq!(file("key.txt", folder), Path::new("/p/key.txt"));
    }
}
