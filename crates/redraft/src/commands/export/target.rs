//! Where an export is written: a folder of the workspace, or one outside that a person named.
//!
//! Invariant: inside, the journal knows every file before it is written, and no folder of the contract is touched but
//! `auphonic/outputs`. Nobody's file is written over unasked.
//! Absent here: what stands in the files.

use super::Made;
use crate::{
    clock,
    commands::{block_on, files::check_changes, ingest::hashes},
    episode::{Episode, LARGEST_FILE, Shared, View, expected},
    exit::{Code, Failure},
};
use redraft_store::WorkspaceFiles;
use redraft_workflows::review::{
    files::{FileChange, OWNED},
    model::AssetId,
    workspace::{Exported, WorkspaceFact},
};
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    path::{Component, Path, PathBuf},
};
use uuid::Uuid;

/// The folder for exports in every workspace.
const OUTPUTS: &str = "auphonic/outputs";

/// A folder to write to.
pub(super) enum Target {
    /// Below the workspace; its path there, empty for the workspace itself.
    Inside(String),
    /// Anywhere else.
    Outside {
        /// The folder, free of links.
        folder: PathBuf,
        /// Whether files that are there may be written over.
        replace: bool,
    },
}

impl Target {
    /// The folder that a person named, or the workspace's own.
    pub(super) fn of(
        episode: &Episode,
        named: Option<&Path>,
        replace: bool,
    ) -> Result<Self, Failure> {
        let Some(named) = named else { return Ok(Self::Inside(OUTPUTS.to_owned())) };
        let refused = |why: &str| Failure::usage(format!("--output {}: {why}", named.display()));
        let folder = real(named).ok_or_else(|| refused("there is no such folder above it"))?;
        let root = episode.files.root();
        if let Ok(inside) = folder.strip_prefix(root) {
            let inside = inside.to_str().ok_or_else(|| refused("its name is not UTF-8"))?;
            let help = format!("leave --output out for {OUTPUTS}, or name a folder of your own");
            return match is_free(inside) {
                true => Ok(Self::Inside(inside.to_owned())),
                false => Err(refused("belongs to the journal or to what you gave").help(help)),
            };
        }
        let looks_inside = std::path::absolute(named)
            .is_ok_and(|path| !has_parents(&path) && path.starts_with(root));
        if looks_inside {
            return Err(refused("leads out of the workspace through a link"));
        }
        if folder.components().any(|part| is_private(part.as_os_str())) {
            return Err(refused("belongs to a journal or a repository"));
        }
        Ok(Self::Outside { folder, replace })
    }

    /// Where a file of this name stands, as a person is told.
    pub(super) fn place(&self, episode: &Episode, name: &str) -> PathBuf {
        match self {
            Self::Inside(folder) => episode.root.join(folder).join(name),
            Self::Outside { folder, .. } => folder.join(name),
        }
    }

    /// Writes the documents, all or none.
    pub(super) fn write(
        &self,
        episode: &Episode,
        view: &View,
        made: &[Made],
        candidates: &BTreeMap<AssetId, Uuid>,
    ) -> Result<(), Failure> {
        let documents = made.iter().filter_map(|made| Some((made.format, made.document.as_ref()?)));
        let named = documents.map(|(format, document)| (format.file_name(), document.text.clone()));
        match self {
            Self::Inside(folder) => {
                let place = |name| {
                    if folder.is_empty() { String::from(name) } else { format!("{folder}/{name}") }
                };
                let files = named.map(|(name, text)| (place(name), text)).collect();
                write_inside(episode, view, &files, candidates)
            }
            Self::Outside { folder, replace } => {
                write_outside(folder, &named.collect::<Vec<_>>(), *replace)
            }
        }
    }
}

fn write_inside(
    episode: &Episode,
    view: &View,
    files: &BTreeMap<String, String>,
    candidates: &BTreeMap<AssetId, Uuid>,
) -> Result<(), Failure> {
    episode.admit(files.keys().map(String::as_str).chain(["state.json"]))?;
    check_changes(episode, view, files.keys())?;
    refuse_foreign(episode, view, files)?;
    let (at, candidates) = (clock::now(), candidates.clone());
    let fact = WorkspaceFact::Exported(Exported { at, candidates, files: hashes(files) });
    let contents = files.values().map(|text| text.clone().into_bytes()).collect();
    let write = |(path, text): (&String, &String)| FileChange::Write {
        path: path.clone(),
        text: text.clone(),
    };
    let changes: Vec<FileChange> = files.iter().map(write).collect();
    let shared = Shared::of(episode)?;
    block_on(shared.record(view.pending.as_ref(), &fact, contents, &changes))
}

/// Refuses to write over a file in the workspace that the journal does not know.
fn refuse_foreign(
    episode: &Episode,
    view: &View,
    files: &BTreeMap<String, String>,
) -> Result<(), Failure> {
    let known = match episode.store()?.filter(|_| view.exists()) {
        Some(store) => expected(view, &store)?,
        None => BTreeMap::new(),
    };
    for (path, text) in files.iter().filter(|(path, _)| !known.contains_key(*path)) {
        if differs(&episode.files, path, text)? {
            let place = episode.root.join(path);
            let message = format!("{}: is there, and Redraft did not write it", place.display());
            return Err(Failure::new(Code::Damaged, message)
                .help("move it away, or name another folder with --output"));
        }
    }
    Ok(())
}

fn write_outside(folder: &Path, named: &[(&str, String)], replace: bool) -> Result<(), Failure> {
    let files = WorkspaceFiles::create(folder)?;
    for (name, text) in named {
        if !replace && differs(&files, name, text)? {
            let place = folder.join(name);
            return Err(Failure::usage(format!("{}: is there and differs", place.display()))
                .help("add --replace to write over it, or name another folder"));
        }
    }
    files.write_all(named)?;
    Ok(files.sync()?)
}

/// Whether something else than this text stands there.
fn differs(files: &WorkspaceFiles, path: &str, text: &str) -> Result<bool, Failure> {
    Ok(files.read(path, LARGEST_FILE)?.is_some_and(|found| found != text.as_bytes()))
}

/// The folder free of links, which need not be there yet; `None` where it leads up from a folder that is not there.
fn real(named: &Path) -> Option<PathBuf> {
    let named = std::path::absolute(named).ok()?;
    let (there, found) =
        named.ancestors().find_map(|folder| Some((folder, folder.canonicalize().ok()?)))?;
    let rest = named.strip_prefix(there).ok()?;
    (!has_parents(rest)).then(|| found.join(rest))
}

fn has_parents(path: &Path) -> bool {
    path.components().any(|part| part == Component::ParentDir)
}

/// Whether exports may stand in this folder of a workspace.
fn is_free(folder: &str) -> bool {
    let is = |part: &str, name: &str| part.eq_ignore_ascii_case(name);
    let path = Path::new(folder);
    let owned =
        OWNED.iter().any(|owned| folder.split('/').next().is_some_and(|first| is(first, owned)));
    path.starts_with(OUTPUTS) || !owned && !path.iter().any(is_private)
}

fn is_private(part: &OsStr) -> bool {
    part.eq_ignore_ascii_case(".redraft") || part.eq_ignore_ascii_case(".git")
}
