//! The files of a profile's folder: built in and a user's are read alike.
//!
//! Invariant: paths are relative and have `/` between their parts; lines end plainly, and no text begins with a mark.
//! Absent here: the disk.

use std::collections::BTreeMap;

/// The name of the file that says what the profile is.
pub const MANIFEST: &str = "profile.toml";

/// Texts by path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Files(BTreeMap<String, String>);

impl Files {
    /// The text of a file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// All paths with their texts, in order of the paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The files below a folder by their paths within it.
    pub(super) fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.iter().filter_map(move |(path, text)| Some((path.strip_prefix(folder)?, text)))
    }
}

impl<P: Into<String>, T: Into<String>> FromIterator<(P, T)> for Files {
    fn from_iter<I: IntoIterator<Item = (P, T)>>(files: I) -> Self {
        Self(files.into_iter().map(|(path, text)| (path.into(), plain(text.into()))).collect())
    }
}

/// Editors of some systems add a mark and longer line ends; prompts and hashes are the same without.
fn plain(text: String) -> String {
    match text.strip_prefix('\u{feff}') {
        None if !text.contains('\r') => text,
        Some(rest) => rest.replace("\r\n", "\n"),
        None => text.replace("\r\n", "\n"),
    }
}
