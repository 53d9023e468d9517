//! Approving and sending back: what a person's word binds, and when it cannot be given.
//!
//! Invariant: an approval binds the bytes that stood there when it was given; what cannot be read is not approved.
//! Absent here: reading and writing files.

use super::{
    artifact::{Kind, code_folder, response_path, sha256},
    bundle,
    code::{self, Code},
    disputes,
    profile::{Gate, Phase},
    review::{self, iteration_of},
    session::Session,
    state::State,
};
use redraft_loop::{Action, Approved, Hash, Reading, Rejected, Time};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// An approval as a session tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// Where the session stood.
    pub phase: State,
    /// The iteration, from 1.
    pub iteration: u32,
    /// The SHA-256 of each file that it binds, by path.
    pub files: BTreeMap<String, Hash>,
    /// Who approved.
    pub by: String,
    /// When.
    pub at: Time,
}

/// What stands on the disk for the turn at hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The response; `None` where its file is gone.
    pub response: Option<String>,
    /// The files under `code/`, where the turn made some.
    pub code: Option<Code>,
}

/// Why an approval cannot be given, or must wait.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotApproved {
    /// Nothing waits.
    #[error("nothing waits for a person's word in phase {0}")]
    NoGate(State),
    /// It was given.
    #[error("it is approved already, by {0}; a step uses the approval")]
    Already(String),
    /// The response is gone.
    #[error("{0}: the response is not there; put it back, or reject it to have it asked for again")]
    NoResponse(String),
    /// The response, as it stands, cannot be read.
    #[error("{path}: {why}")]
    Unreadable {
        /// Its path in the session's folder.
        path: String,
        /// What is wrong and what to do.
        why: String,
    },
    /// A file was changed in the response after the files were taken out of it.
    #[error(
        "{path}: the file {name} was changed here after it was written to {folder}/{name}; change it there and undo it here, or reject the response to have it written again"
    )]
    ChangedInResponse {
        /// The response's path.
        path: String,
        /// The file.
        name: String,
        /// The folder that counts.
        folder: String,
    },
    /// All files are gone.
    #[error("{0}: there is no file left; reject the response to have it asked for again")]
    NoCode(String),
}

/// Why the session waits although nothing is missing but a person's word.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Hold {
    /// A review asks for an iteration more than there may be.
    #[error(
        "iteration {last} is the last one: allow more with --max-iterations N, or cancel the session"
    )]
    LastIteration {
        /// The last one.
        last: u32,
    },
    /// Reviewer and author disagree for good.
    #[error("{} was disputed twice and upheld twice: a person decides; approve the review, edit it before you do, or reject it", .ids.join(", "))]
    Disputed {
        /// The issues.
        ids: Vec<String>,
    },
    /// A gate that is open lets pass what the cast agent said, and no file in its place.
    #[error(
        "the response came from a file, and not from the agent that is cast: a person approves it"
    )]
    ByFile,
    /// A gate that is open lets pass what came, and nothing else.
    #[error("{} is not as it came: a person approves it", .paths.join(", "))]
    Edited {
        /// What differs.
        paths: Vec<String>,
    },
    /// Nobody can read the review.
    #[error("the review cannot be read: edit it, or reject it to have it written again")]
    Malformed,
}

/// The hash of all that an approval binds.
pub fn seal(files: &BTreeMap<String, Hash>) -> Hash {
    let lines = files.iter().map(|(path, sha256)| format!("{sha256}  {path}\n"));
    sha256(&lines.collect::<String>())
}

impl Session {
    /// What an approval of the turn at hand would bind, of what stands there.
    pub fn bound(&self, standing: &Standing) -> BTreeMap<String, Hash> {
        let Some((phase, round)) = self.asked() else { return BTreeMap::new() };
        let iteration = iteration_of(phase, round);
        let folder = code_folder(iteration);
        let response = standing.response.iter();
        let response = response.map(|text| (response_path(phase, iteration), sha256(text)));
        let code = standing.code.iter().flatten();
        let code = code.map(|(name, text)| (format!("{folder}/{name}"), sha256(text)));
        response.chain(code).collect()
    }

    /// The paths of what stands there otherwise than it was approved last, or was added or removed since.
    pub fn changed_since_approval(&self, bound: &BTreeMap<String, Hash>) -> Vec<String> {
        let approval = self.approvals.last();
        approval.map_or_else(Vec::new, |approval| differing(&approval.files, bound))
    }

    /// The approval of the turn at hand as it stands there.
    ///
    /// # Errors
    /// [`NotApproved`]; nothing has changed then.
    pub fn approve(
        &self,
        standing: &Standing,
        by: &str,
        at: Time,
    ) -> Result<Approved, NotApproved> {
        let seal = seal(&self.bound(standing));
        // One of other bytes is void, and gives way.
        if let Some((by, sealed)) = self.run.approval()
            && *sealed == seal
        {
            return Err(NotApproved::Already(by.to_owned()));
        }
        let edited = self.edited(standing)?;
        Ok(Approved { by: by.to_owned(), at, seal, edited })
    }

    /// The turn at hand as a person left it; `None` where it is as it came.
    fn edited(&self, standing: &Standing) -> Result<Option<Reading>, NotApproved> {
        let (Some(turn), Some((phase, round))) = (self.at_gate(), self.asked()) else {
            return Err(NotApproved::NoGate(self.state));
        };
        let path = response_path(phase, iteration_of(phase, round));
        let Some(response) = &standing.response else { return Err(NotApproved::NoResponse(path)) };
        let unreadable = |why| NotApproved::Unreadable { path: path.clone(), why };
        if response != turn.text() || phase == Phase::Review {
            let reading = self.begun.reading(&self.run, phase, round, response);
            let reading = reading.map_err(|error| unreadable(error.why))?;
            if phase == Phase::Review || phase == Phase::Planning {
                let same = turn.readings.first() == Some(&reading);
                return Ok((!same).then_some(reading));
            }
        }
        match (phase, &standing.code) {
            (Phase::Planning | Phase::Review, _) => Ok(None),
            (Phase::Generation | Phase::Revision, Some(code)) => {
                self.edited_code(&path, response, turn.text(), code)
            }
            // Nobody looked at its files: without them the approval would bind nothing of theirs.
            (Phase::Generation | Phase::Revision, None) => {
                Err(NotApproved::NoCode(code_folder(iteration_of(phase, round))))
            }
        }
    }

    fn edited_code(
        &self,
        path: &str,
        response: &str,
        came: &str,
        code: &Code,
    ) -> Result<Option<Reading>, NotApproved> {
        let folder = code_folder(self.iteration());
        if code.is_empty() {
            return Err(NotApproved::NoCode(folder));
        }
        let path = path.to_owned();
        if let Some(name) = changed(came, response, self.begun.profile.extension()) {
            return Err(NotApproved::ChangedInResponse { path, name, folder });
        }
        let same = response == came && *code == self.code();
        Ok((!same).then(|| code::reading(response.to_owned(), Some(code.clone()))))
    }

    /// Why nobody but a person may let the turn at hand pass, or nobody at all for now.
    pub fn hold(&self, standing: &Standing) -> Option<Hold> {
        let (phase, _) = self.asked()?;
        let of_review = match phase {
            Phase::Review => self.hold_of_review(standing),
            Phase::Planning | Phase::Generation | Phase::Revision => None,
        };
        of_review.or_else(|| {
            if self.is_auto() && self.by_file {
                return Some(Hold::ByFile);
            }
            let paths = self.edited_paths(standing);
            (self.is_auto() && !paths.is_empty()).then_some(Hold::Edited { paths })
        })
    }

    /// What stands there otherwise than it came, or came to be approved, or was added or removed.
    pub fn edited_paths(&self, standing: &Standing) -> Vec<String> {
        let Some((phase, _)) = self.asked().filter(|_| self.at_gate().is_some()) else {
            return Vec::new();
        };
        differing(&self.open_files(phase, self.iteration()), &self.bound(standing))
    }

    fn hold_of_review(&self, standing: &Standing) -> Option<Hold> {
        let (turn, (phase, round)) = (self.at_gate()?, self.asked()?);
        let response = standing.response.as_deref().unwrap_or_default();
        let reading = if self.run.approval().is_some() {
            turn.readings.first().cloned()
        } else {
            self.begun.reading(&self.run, phase, round, response).ok()
        };
        let Some(meta) = reading.as_ref().and_then(review::meta) else {
            return Some(Hold::Malformed);
        };
        if meta.verdict == super::review_meta::Verdict::Pass {
            return None;
        }
        let last = self.run.limits().rounds;
        if round >= last {
            return Some(Hold::LastIteration { last });
        }
        let extension = self.begun.profile.extension();
        let ids = disputes::upheld_twice(&self.run, round, response, extension);
        (!ids.is_empty() && self.run.approval().is_none()).then_some(Hold::Disputed { ids })
    }

    /// The turn at hand sent back, as a person left it.
    ///
    /// # Errors
    /// [`NotApproved::NoGate`] when nothing waits.
    pub fn reject(
        &self,
        response: Option<String>,
        (by, feedback): (String, String),
        at: Time,
    ) -> Result<Rejected, NotApproved> {
        let Some(turn) = self.at_gate() else { return Err(NotApproved::NoGate(self.state)) };
        let edited = response.filter(|response| response != turn.text()).map(Reading::text);
        Ok(Rejected { by, at, feedback, edited })
    }

    /// Whether its profile lets the turn at hand pass without a person.
    pub fn is_auto(&self) -> bool {
        let phase = self.asked().map(|(phase, _)| phase);
        let gate = phase.map(|phase| self.begun.profile.phase(phase).gate);
        matches!(self.run.next(), Action::Wait(_)) && gate == Some(Gate::Auto)
    }

    /// The texts of the session's files that a person may still change.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, &Arc<str>)> {
        let inputs = self.artifacts.iter().filter(|(_, file)| file.kind == Kind::Input);
        inputs.map(|(path, file)| (path.as_str(), &file.text))
    }
}

/// The paths whose hashes differ, or that only one of both has.
fn differing(one: &BTreeMap<String, Hash>, other: &BTreeMap<String, Hash>) -> Vec<String> {
    let paths: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    paths.into_iter().filter(|path| one.get(*path) != other.get(*path)).cloned().collect()
}

/// The first file that a response tells otherwise than the one that came.
fn changed(came: &str, response: &str, extension: &str) -> Option<String> {
    if came == response {
        return None;
    }
    let files = |text: &str| -> BTreeMap<String, String> {
        let bundle = bundle::read(text, extension).map(|bundle| bundle.files).unwrap_or_default();
        bundle.into_iter().map(|file| (file.name, file.text)).collect()
    };
    let (then, now) = (files(came), files(response));
    let names = then.keys().chain(now.keys());
    names.into_iter().find(|name| then.get(*name) != now.get(*name)).cloned()
}
