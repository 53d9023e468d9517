//! A session's folder: written from the journal, and read for what a person has put there.
//!
//! Invariant: a response and a file that was approved are never written over; what differs from the journal and was not a
//! person's to change is named, and nothing is written then. Who is killed half-way is made up for by the next command.
//! Absent here: what the files mean.

mod due;
mod repair;

use crate::{
    episode::read_text,
    exit::{Code, Failure},
};
use due::Due;
use redraft_loop::Fact;
use redraft_store::WorkspaceFiles;
use redraft_workflows::gated::{
    Code as Sources, Session, Standing, bundle, code_folder, profile::Phase, response_path,
};
pub(crate) use repair::Repaired;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// What stands in the name of a file that a repair has put aside.
const DAMAGED: &str = ".damaged-";

/// A session's folder.
pub(crate) struct Folder {
    files: WorkspaceFiles,
    /// As it was named.
    place: PathBuf,
}

impl Folder {
    /// The folder at this place, made where there is none.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn open(place: &Path) -> Result<Self, Failure> {
        Ok(Self { files: WorkspaceFiles::create(place)?, place: place.to_owned() })
    }

    /// Where a file of the session stands.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        self.place.join(path)
    }

    /// Brings the folder up to what the journal says.
    ///
    /// # Errors
    /// When something differs that was not a person's to change; then nothing is written.
    pub(super) fn bring_up(&self, facts: &[Fact], now: &Session) -> Result<(), Failure> {
        let due = self.due(facts, now)?;
        if !due.damage.is_empty() {
            return Err(self.damaged(&due.damage));
        }
        self.carry_out(&due)
    }

    /// Does what is due.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn carry_out(&self, due: &Due) -> Result<(), Failure> {
        for (from, to) in &due.asides {
            self.files.rename(from, to)?;
        }
        // `session.json` comes last: who reads it finds all that it names.
        for (path, text) in &due.writes {
            self.files.write(path, text.as_bytes())?;
        }
        Ok(self.files.sync()?)
    }

    /// The response to a phase's prompt, where there is one.
    ///
    /// # Errors
    /// When it is no text.
    pub(crate) fn response(&self, phase: Phase, iteration: u32) -> Result<Option<String>, Failure> {
        let text = read_text(&self.files, &response_path(phase, iteration), Code::Usage)?;
        // A file that somebody is about to write is not written yet.
        Ok(text.filter(|text| !text.trim().is_empty()))
    }

    /// What stands there for the turn at hand.
    ///
    /// # Errors
    /// When a file is no text, or one lies under `code/` that no response could bring.
    pub(crate) fn standing(&self, session: &Session) -> Result<Standing, Failure> {
        let Some((phase, _)) = session.asked() else {
            return Ok(Standing { response: None, code: None });
        };
        let iteration = session.iteration();
        let response = self.response(phase, iteration)?;
        let extension = session.begun.profile.extension();
        let code = match phase {
            Phase::Generation | Phase::Revision => Some(self.code(iteration, extension)?),
            Phase::Planning | Phase::Review => None,
        };
        Ok(Standing { response, code })
    }

    /// The files under an iteration's `code/`.
    ///
    /// # Errors
    /// When one has a name that no response could bring, is a link or a folder, or no text.
    fn code(&self, iteration: u32, extension: &str) -> Result<Sources, Failure> {
        let folder = code_folder(iteration);
        let place = self.place(&folder);
        let entries = match fs::read_dir(&place) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Sources::new());
            }
            Err(error) => return Err(Failure::in_file(Code::Failure, &place, &error)),
        };
        let (mut code, mut twins) = (Sources::new(), BTreeMap::new());
        for entry in entries {
            let entry = entry.map_err(|error| Failure::in_file(Code::Failure, &place, &error))?;
            let refused = |why: &str| {
                let at = entry.path();
                Failure::usage(format!("{}: {why}", at.display()))
                    .help("take it out of code/: everything there is approved together")
            };
            let name = entry.file_name();
            let Some(name) = name.to_str() else { return Err(refused("its name is no text")) };
            // What a repair has put aside is told by it, and is no file of the iteration.
            if name.contains(DAMAGED) {
                continue;
            }
            let kind = entry.file_type();
            if !kind.is_ok_and(|kind| kind.is_file()) {
                return Err(refused("it is a link or a folder, and no plain file"));
            }
            bundle::check_name(name, extension).map_err(|fault| refused(&fault.to_string()))?;
            if let Some(other) = twins.insert(bundle::twin(name), name.to_owned()) {
                return Err(refused(&format!("on some systems it is the same file as {other}")));
            }
            let text = read_text(&self.files, &format!("{folder}/{name}"), Code::Usage)?;
            code.insert(name.to_owned(), text.unwrap_or_default().into());
        }
        Ok(code)
    }

    fn damaged(&self, damage: &[(String, &'static str)]) -> Failure {
        let one = |(path, why): &(String, &str)| format!("{}: {why}", self.place(path).display());
        let told: Vec<String> = damage.iter().map(one).collect();
        let id = self.place.file_name().unwrap_or_default().to_string_lossy();
        Failure::new(Code::Damaged, told.join("; ")).help(format!(
            "redraft repair --session {id} puts what differs aside as NAME.damaged-N and restores what the journal has"
        ))
    }
}
