//! A session, folded from its facts: where it stands, what was approved, and which files it has.
//!
//! Invariant: two sessions folded from the same facts are equal, their files byte for byte.
//! Absent here: what stands on the disk.

mod files;

use super::{
    approval::Approval,
    artifact::{Artifact, Kind, STANDARDS},
    code::{self, Code},
    profile::Phase,
    review::{self, iteration_of},
    settings::{Begun, SettingsError},
    shape::phase_of,
    state::{State, Status},
};
use redraft_loop::{Action, Fact, Failure, Opened, Outcome, ReplayError, Run, Stop, Time, Turn};
use std::{collections::BTreeMap, sync::Arc};

/// A person with a response file, among agents: who is cast so, and who served a response that came from a file.
pub const MANUAL: &str = "manual";

/// A session as its facts tell it.
#[derive(Debug, Clone)]
pub struct Session {
    /// What it was begun with.
    pub begun: Arc<Begun>,
    /// The run it is.
    pub run: Run,
    /// Where it stands.
    pub state: State,
    /// Where it stood when, the present included.
    pub passages: Vec<Passage>,
    /// The approvals that hold, the oldest first.
    pub approvals: Vec<Approval>,
    /// Its files by path, `session.json` apart.
    pub artifacts: BTreeMap<String, Artifact>,
    /// What went wrong last, and what to do, until the session has moved on.
    pub last_error: Option<String>,
    /// The response that could not be read, until there is another.
    pub refused: Option<String>,
    /// How often the response of a phase was sent back, by iteration, and the last one.
    pub rejections: BTreeMap<(Phase, u32), Rejection>,
    refusals: BTreeMap<(Phase, u32), u32>,
    /// Whether its agent failed and not its response.
    fails: bool,
    /// Whether the response at hand came from a file although an agent is cast.
    pub(super) by_file: bool,
    /// The approval whose seal is of other bytes than the facts have.
    unsealed: Option<(State, u32)>,
}

/// Responses of a phase that were sent back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rejection {
    /// How many.
    pub times: u32,
    /// The last one, as it stood then.
    pub response: Arc<str>,
}

/// A session came to a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage {
    /// Which.
    pub phase: State,
    /// How it was doing then.
    pub status: Status,
    /// When.
    pub at: Time,
}

/// Why facts are no session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// They are no run.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// They are a run of another kind.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// What was approved is not what the facts say now.
    #[error(
        "the approval of {phase} in iteration {iteration} binds other bytes than the journal has: it was written by another version, or is damaged"
    )]
    Seal {
        /// Where the session stood.
        phase: State,
        /// The iteration.
        iteration: u32,
    },
}

impl Session {
    /// Folds a journal.
    ///
    /// # Errors
    /// When the facts are no session.
    pub fn replay(facts: impl IntoIterator<Item = Fact>) -> Result<Self, SessionError> {
        let mut facts = facts.into_iter();
        let mut session = match facts.next() {
            Some(Fact::Opened(opened)) => Self::open(opened)?,
            Some(other) => return Err(ReplayError::NotOpened(other.kind()).into()),
            None => return Err(ReplayError::Empty.into()),
        };
        facts.for_each(|fact| session.apply(&fact));
        match session.unsealed {
            Some((phase, iteration)) => Err(SessionError::Seal { phase, iteration }),
            None => Ok(session),
        }
    }

    /// The session that a first fact opens.
    ///
    /// # Errors
    /// When it opens none.
    pub fn open(opened: Opened) -> Result<Self, SessionError> {
        let begun = Arc::new(Begun::of(&opened)?);
        let run = Run::open(opened)?;
        let at = run.opened().at;
        let mut session = Self {
            state: State::of(&run),
            begun,
            run,
            passages: Vec::new(),
            approvals: Vec::new(),
            artifacts: BTreeMap::new(),
            last_error: None,
            refused: None,
            rejections: BTreeMap::new(),
            refusals: BTreeMap::new(),
            fails: false,
            by_file: false,
            unsealed: None,
        };
        let standards = session.begun.standards().into();
        session.put(STANDARDS.into(), 1, standards, Kind::Kept);
        session.passages.push(Passage { phase: session.state, status: session.status(), at });
        Ok(session)
    }

    /// Folds one fact in.
    pub fn apply(&mut self, fact: &Fact) {
        let gated = self.at_gate().cloned();
        let asked = self.asked();
        self.run.apply(fact);
        match fact {
            Fact::Replied(replied) => self.replied(asked, replied),
            Fact::Failed(failed) => {
                self.fails = true;
                self.last_error = Some(told(failed.failure, &failed.message));
            }
            Fact::CapReached(reached) => self.last_error = Some(reached.cap.clone()),
            Fact::Approved(approved) => self.approved(approved),
            Fact::Voided(voided) => {
                self.approvals.pop();
                self.last_error = Some(format!("{}: approve it as it is now", voided.why));
            }
            Fact::Passed(_) => self.passed(gated.as_ref()),
            Fact::Rejected(_) => self.rejected(gated.as_ref()),
            Fact::Driven(_) | Fact::Asked(_) => self.fails = false,
            Fact::Opened(_)
            | Fact::Released(_)
            | Fact::Played(_)
            | Fact::Bounded(_)
            | Fact::Interrupted(_)
            | Fact::Cancelled(_)
            | Fact::Decided(_) => {}
        }
        self.moved_on(matches!(fact, Fact::Rejected(_)));
    }

    /// How it is doing.
    pub fn status(&self) -> Status {
        match (self.state, self.run.decision()) {
            (State::Complete, _) => Status::Success,
            (State::Cancelled, _) => Status::Cancelled,
            (State::Error, _) => Status::Error,
            (_, Some(exit)) if exit.outcome != Outcome::Converged => Status::Failed,
            (_, _) => Status::InProgress,
        }
    }

    /// The turn that waits at its gate, or was approved there and not used yet.
    pub fn at_gate(&self) -> Option<&Turn> {
        self.run.gated()
    }

    /// Why nobody can read the review at hand, as it came.
    pub fn malformed(&self) -> Option<&str> {
        self.at_gate()?.readings.first().and_then(review::what_is_wrong)
    }

    /// The phase and round that are asked for or wait; `None` once the session has ended.
    pub fn asked(&self) -> Option<(Phase, u32)> {
        let phase = self.run.step_at_hand().and_then(phase_of)?;
        Some((phase, self.run.round()))
    }

    /// The iteration it stands in, from 1.
    pub fn iteration(&self) -> u32 {
        match self.asked() {
            Some((phase, round)) => iteration_of(phase, round),
            None => self.artifacts.values().map(|file| file.iteration).max().unwrap_or(1),
        }
    }

    /// The files of the iteration at hand, as the journal has them.
    pub fn code(&self) -> Code {
        let extension = self.begun.profile.extension();
        let iteration = self.iteration();
        match (self.asked(), self.at_gate()) {
            (Some((Phase::Generation | Phase::Revision, _)), Some(turn)) => {
                let carried = code::of_iteration(&self.run, iteration - 1, extension);
                code::with(carried, turn, extension)
            }
            (Some((Phase::Revision, round)), None) => {
                code::of_iteration(&self.run, round, extension)
            }
            _ => code::of_iteration(&self.run, iteration, extension),
        }
    }

    /// Where the session stands now that a fact is in, and what comes with it.
    fn moved_on(&mut self, again: bool) {
        let gave_up = matches!(self.run.next(), Action::Stop(Stop::Failed { .. }));
        let state = if gave_up && self.fails { State::Error } else { State::of(&self.run) };
        if state == self.state {
            return;
        }
        let came_back = self.state == State::Error;
        self.state = state;
        let passage = Passage { phase: state, status: self.status(), at: self.run.now() };
        self.passages.push(passage);
        if state == State::Error || came_back && state.is_asking() {
            return;
        }
        self.last_error = None;
        self.refused = None;
        self.entered(state, again);
    }
}

fn told(failure: Failure, message: &str) -> String {
    match failure {
        Failure::Permanent => message.to_owned(),
        Failure::Transient | Failure::Timeout => {
            format!("{message}; the next step tries again")
        }
    }
}
