//! A session's folder: written from the journal, and read for what a person has put there.
//!
//! Invariant: a response and a file that was approved are never written over; what differs from the journal and was not a
//! person's to change is named, and nothing is written then. Who is killed half-way is made up for by the next command.
//! Absent here: what the files mean.

use crate::{
    episode::{LARGEST_FILE, read_text},
    exit::{Code, Failure},
};
use redraft_loop::Fact;
use redraft_store::WorkspaceFiles;
use redraft_workflows::gated::{
    Aside, Code as Sources, Kind, SESSION, Session, Standing, aside, bundle, code_folder,
    profile::Phase, response_path,
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// A session's folder.
pub(crate) struct Folder {
    files: WorkspaceFiles,
    /// As it was named.
    place: PathBuf,
}

/// What `session.json` says of itself.
#[derive(Deserialize)]
struct Told {
    facts: usize,
}

/// What has to be done for the folder to be as the journal has it.
#[derive(Debug, Default)]
pub(crate) struct Due {
    /// Files to be written, with their texts.
    pub(crate) writes: Vec<(String, Arc<str>)>,
    /// Responses and code that were sent back, with the places they are put aside to.
    pub(crate) asides: Vec<(String, String)>,
    /// Files that are not as the journal has them, and why.
    pub(crate) damage: Vec<(String, &'static str)>,
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
            let (from, to) = (self.files.resolve(from), self.files.resolve(to));
            let (from, to) = (from.map_err(path_failure)?, to.map_err(path_failure)?);
            fs::rename(&from, &to)
                .map_err(|error| Failure::in_file(Code::Failure, &from, &error))?;
        }
        // `session.json` comes last: who reads it finds all that it names.
        for (path, text) in &due.writes {
            self.files.write(path, text.as_bytes())?;
        }
        Ok(self.files.sync()?)
    }

    /// What has to be done, and what is damaged.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(crate) fn due(&self, facts: &[Fact], now: &Session) -> Result<Due, Failure> {
        let mut due = Due::default();
        let before = self.before(facts, now, &mut due)?;
        let sent_back = self.asides_due(before.as_ref(), now, &mut due);
        for (path, file) in &now.artifacts {
            let is_at = |from: &String| {
                path.strip_prefix(from.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('/'))
            };
            // What is carried over stood in the folder that was sent back, whether that is put aside already or not.
            let was_sent_back = sent_back.iter().any(is_at);
            let found = match due.asides.iter().any(|(from, _)| is_at(from)) {
                true => None,
                false => self.read(path)?,
            };
            let old = before.as_ref().and_then(|before| before.artifacts.get(path));
            let was_ours = |text: &str| old.is_some_and(|old| *old.text == *text);
            let is_response = path.ends_with("-response.md");
            match (found, file.kind) {
                (Some(text), _) if *text == *file.text => {}
                (None, _) if old.is_none() || was_sent_back => {
                    due.writes.push((path.clone(), Arc::clone(&file.text)));
                }
                (None, Kind::Input) => {}
                (None, Kind::Kept) => due.damage.push((path.clone(), "it is gone")),
                (Some(text), _) if was_ours(&text) && !is_response => {
                    due.writes.push((path.clone(), Arc::clone(&file.text)));
                }
                (Some(_), Kind::Input)
                    if is_response
                        || old.is_some_and(|old| {
                            old.kind == Kind::Input && old.text == file.text
                        }) => {}
                (Some(_), _) => due.damage.push((path.clone(), "it was changed")),
            }
        }
        let json: Arc<str> = now.json().into();
        if self.read(SESSION)?.is_none_or(|found| *found != *json) {
            due.writes.push((SESSION.to_owned(), json));
        }
        Ok(due)
    }

    /// The session as it stood when its folder was last brought up; `None` where it never was.
    fn before(
        &self,
        facts: &[Fact],
        now: &Session,
        due: &mut Due,
    ) -> Result<Option<Session>, Failure> {
        let Some(found) = self.read(SESSION)? else {
            if facts.len() > 1 {
                due.damage.push((SESSION.to_owned(), "it is gone"));
            }
            return Ok(None);
        };
        let told = serde_json::from_str::<Told>(&found).ok();
        let before = match told.map(|told| told.facts) {
            Some(n) if n == facts.len() => Some(now.clone()),
            Some(n) if n < facts.len() => Session::replay(facts[..n].iter().cloned()).ok(),
            Some(_) | None => None,
        };
        if before.as_ref().is_none_or(|before| before.json() != found) {
            due.damage.push((SESSION.to_owned(), "it was changed"));
        }
        Ok(before)
    }

    /// Responses and code that were sent back since, those that are put aside already included.
    fn asides_due(
        &self,
        before: Option<&Session>,
        now: &Session,
        due: &mut Due,
    ) -> Vec<String> {
        let mut sent_back = Vec::new();
        for ((phase, iteration), n) in &now.rejections {
            let known = before.and_then(|before| before.rejections.get(&(*phase, *iteration)));
            if known == Some(n) {
                continue;
            }
            let response = response_path(*phase, *iteration);
            let code = code_folder(*iteration);
            let made_code = matches!(phase, Phase::Generation | Phase::Revision);
            for from in [Some(response), made_code.then_some(code)].into_iter().flatten() {
                let to = aside(&from, Aside::Rejected, *n);
                let there = |path: &str| self.place(path).symlink_metadata().is_ok();
                if there(&from) && !there(&to) {
                    due.asides.push((from.clone(), to));
                }
                sent_back.push(from);
            }
        }
        sent_back
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

    /// Puts what is damaged aside, and restores it. Gives the restored paths and where the others stand now.
    ///
    /// # Errors
    /// When a file cannot be moved or written.
    pub(crate) fn repair(
        &self,
        facts: &[Fact],
        now: &Session,
    ) -> Result<(Vec<String>, Vec<String>), Failure> {
        let due = self.due(facts, now)?;
        let mut kept = Vec::new();
        let mut restored = Vec::new();
        for (path, _) in &due.damage {
            if self.place(path).symlink_metadata().is_ok() {
                kept.push(self.files.rename_damaged(path)?);
            }
            restored.push(path.clone());
            if let Some(file) = now.artifacts.get(path) {
                self.files.write(path, file.text.as_bytes())?;
            }
        }
        self.carry_out(&due)?;
        Ok((restored, kept))
    }

    fn read(&self, path: &str) -> Result<Option<String>, Failure> {
        let Some(bytes) = self.files.read(path, LARGEST_FILE)? else { return Ok(None) };
        // What is no text is not what was written.
        Ok(Some(
            String::from_utf8(bytes)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        ))
    }

    fn damaged(&self, damage: &[(String, &'static str)]) -> Failure {
        let one = |(path, why): &(String, &str)| format!("{}: {why}", self.place(path).display());
        let told: Vec<String> = damage.iter().map(one).collect();
        Failure::new(Code::Damaged, told.join("; ")).help(
            "redraft repair puts what differs aside as NAME.damaged-N and restores what the journal has",
        )
    }
}

fn path_failure(error: redraft_store::PathError) -> Failure {
    Failure::of(Code::Usage, &error)
}
