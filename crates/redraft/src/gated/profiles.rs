//! Where profiles lie: those of the project, those of the user, and those that come with the program.
//!
//! Invariant: a name means the project's profile before the user's, and both before ours; the one that is hidden so is
//! told.
//! Absent here: what a profile says.

use crate::{
    config::Surroundings,
    exit::{Code, Failure},
};
use redraft_store::{HOME, Home};
use redraft_workflows::gated::profile::{self, BUILT_IN, Files, MANIFEST, Profile};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The folder of profiles, in a home and in the configuration's folder.
const PROFILES: &str = "profiles";

/// The most bytes of a profile's file, and the most files.
const MOST_BYTES: u64 = 1 << 20;
const MOST_FILES: usize = 200;

/// Where a profile comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The project's or the user's folder of it.
    Folder(PathBuf),
    /// It comes with the program.
    BuiltIn,
}

/// A profile's files, and where they come from.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) origin: Origin,
    pub(crate) files: Files,
}

impl Found {
    /// The profile, if it has no errors.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub(crate) fn profile(&self) -> Result<Profile, Failure> {
        let name = &self.name;
        Profile::read(&self.files).map_err(|error| {
            Failure::usage(format!("profile {name}: {error}"))
                .help(format!("redraft gated profiles lint {name} tells all of it"))
        })
    }
}

/// The profile of this name.
///
/// # Errors
/// When there is none, or its files cannot be read.
pub(crate) fn find(from: &Path, name: &str) -> Result<Found, Failure> {
    for folder in folders(from)? {
        let place = folder.join(name);
        if is_plain(name) && place.join(MANIFEST).is_file() {
            let files = read(&place)?;
            check_name(&place, name, &files)?;
            return Ok(Found { name: name.to_owned(), origin: Origin::Folder(place), files });
        }
    }
    if let Some(files) = profile::built_in(name) {
        return Ok(Found { name: name.to_owned(), origin: Origin::BuiltIn, files });
    }
    let known: Vec<String> = known(from)?.into_iter().map(|(name, _)| name).collect();
    Err(Failure::usage(format!("there is no profile {name:?}; there are {}", known.join(", ")))
        .help(format!("a profile is a folder with a {MANIFEST}, in {HOME}/{PROFILES} of the project or in profiles of your configuration folder")))
}

/// A name that two places tell otherwise would be another in lists than in commands.
fn check_name(place: &Path, name: &str, files: &Files) -> Result<(), Failure> {
    let Ok(profile) = Profile::read(files) else { return Ok(()) };
    if profile.name() == name {
        return Ok(());
    }
    let (manifest, told) = (place.join(MANIFEST), profile.name());
    Err(Failure::usage(format!(
        "{}: the name is {told}, and the folder's is {name}",
        manifest.display()
    ))
    .help("give both the same"))
}

/// All profiles by name, each where the name leads.
///
/// # Errors
/// When a folder cannot be read.
pub(crate) fn known(from: &Path) -> Result<Vec<(String, Origin)>, Failure> {
    let mut known: Vec<(String, Origin)> = Vec::new();
    for folder in folders(from)? {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_new = !known.iter().any(|(known, _)| *known == name);
            if is_new && entry.path().join(MANIFEST).is_file() {
                known.push((name, Origin::Folder(entry.path())));
            }
        }
    }
    for name in BUILT_IN {
        if !known.iter().any(|(known, _)| known == name) {
            known.push((name.to_owned(), Origin::BuiltIn));
        }
    }
    known.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(known)
}

/// The folder of this path as a profile, wherever it lies.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn read(place: &Path) -> Result<Files, Failure> {
    let mut files = Vec::new();
    gather(place, Path::new(""), &mut files)?;
    Ok(files.into_iter().collect())
}

/// The project's folder, then the user's.
fn folders(from: &Path) -> Result<Vec<PathBuf>, Failure> {
    let home = Home::find(from)?.map(|home| home.dir().join(PROFILES));
    let user = Surroundings::of_process(from).user_folder().map(|folder| folder.join(PROFILES));
    Ok(home.into_iter().chain(user).collect())
}

/// A name that is no path.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

fn gather(root: &Path, below: &Path, files: &mut Vec<(String, String)>) -> Result<(), Failure> {
    let folder = root.join(below);
    let failed = |error: std::io::Error| Failure::in_file(Code::Usage, &folder, &error);
    let mut entries: Vec<_> =
        fs::read_dir(&folder).map_err(failed)?.collect::<Result<_, _>>().map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = below.join(entry.file_name());
        let place = entry.path();
        let in_file = |error: &dyn std::error::Error| Failure::in_file(Code::Usage, &place, error);
        let meta = fs::symlink_metadata(&place).map_err(|error| in_file(&error))?;
        if meta.is_dir() {
            gather(root, &path, files)?;
        } else if meta.is_file() && is_of_profile(&path) {
            if meta.len() > MOST_BYTES || files.len() == MOST_FILES {
                let message = format!(
                    "{}: a profile has at most {MOST_FILES} files of at most {MOST_BYTES} bytes",
                    place.display()
                );
                return Err(Failure::usage(message));
            }
            let text = fs::read_to_string(&place).map_err(|error| in_file(&error))?;
            files.push((path.to_string_lossy().replace('\\', "/"), text));
        }
    }
    Ok(())
}

/// Its manifest, and texts.
fn is_of_profile(path: &Path) -> bool {
    path == Path::new(MANIFEST) || path.extension().is_some_and(|extension| extension == "md")
}
