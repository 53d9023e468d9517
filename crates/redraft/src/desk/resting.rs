//! Runs that rest, and how they go on.
//!
//! An earlier server's go on at the start, others when they are asked for, those that wait for a person once there is an
//! answer.
//!
//! Invariant: a run that waits for a person is not asked again before the person has laid something new into the inbox.
//! Absent here: driving.

use super::{House, known::Resting, reading};
use crate::{
    exit::{Code, Failure},
    solve,
};
use redraft_engine::Rest;
use redraft_loop::{Run, RunId};
use redraft_server::{DeskError, Standing};
use std::time::Duration;
use tokio::time::sleep;

/// How often the inbox is looked into.
const CALM: Duration = Duration::from_secs(2);

/// What a server finds when it starts.
pub(crate) struct PickedUp {
    /// How many runs go on.
    pub(crate) go_on: usize,
    /// Runs that cannot be read, with what is wrong.
    pub(crate) unreadable: Vec<Failure>,
}

impl House {
    /// Goes on with the runs that an earlier server has left, and from now on with those that a person answers.
    pub(crate) fn pick_up(&self) -> Result<PickedUp, Failure> {
        let solve::Open { runs, unreadable } = solve::open_runs(&self.0.store, &self.0.table)?;
        let go_on = runs.len();
        for run in runs {
            if let Some(seen) = self.0.known.expect(&run.opened().run, run.facts()) {
                self.start(run, seen, None);
            }
        }
        self.look_into_inbox();
        Ok(PickedUp { go_on, unreadable })
    }

    fn look_into_inbox(&self) {
        let house = self.clone();
        self.tasks().spawn(async move {
            loop {
                tokio::select! {
                    biased;
                    () = house.0.cancel.soon.cancelled() => return,
                    () = sleep(CALM) => {}
                }
                let looking = house.clone();
                // It reads folders and, where there is an answer, the journal.
                drop(tokio::task::spawn_blocking(move || looking.go_on_with_answered()).await);
            }
        });
    }

    fn go_on_with_answered(&self) {
        for (run, before) in self.0.known.waiting() {
            if self.0.inbox.look(&run) != before {
                // One that cannot be read now is looked at again the next time.
                drop(self.go_on(&run));
            }
        }
    }

    /// Lets a run of the server go on that rests; one that is driven or decided stays as it is.
    pub(super) fn go_on(&self, run: &RunId) -> Result<(), DeskError> {
        let read = reading::run(&self.0.store, run)?;
        if read.decision().is_some() || self.0.known.watcher(run).is_some() {
            return Ok(());
        }
        if !solve::is_of(&read, &self.0.table) {
            let told = "was opened by a command, which may be at it:";
            let told = format!("run {run} {told} redraft solve --resume {run} goes on with it");
            return Err(DeskError::Refused(told));
        }
        if self.0.cancel.soon.is_cancelled() {
            return Err(DeskError::Unavailable("the server is stopping".to_owned()));
        }
        let person = self.0.known.resting(run).and_then(|resting| resting.person);
        if person.is_some_and(|before| before == self.0.inbox.look(run)) {
            return Ok(());
        }
        self.take_up(run)
    }

    fn take_up(&self, run: &RunId) -> Result<(), DeskError> {
        let rest = self.0.known.resting(run);
        let Some(seen) = self.0.known.expect(run, 0) else { return Ok(()) };
        // Read now that nobody else goes on with it.
        match reading::run(&self.0.store, run) {
            Ok(read) if read.decision().is_none() => self.start(read, seen, None),
            Ok(_) => self.0.known.left(run, None),
            Err(error) => {
                self.0.known.left(run, rest);
                return Err(error);
            }
        }
        Ok(())
    }

    /// The same for a run that is asked for by its key: nothing is read where this process has not seen it rest.
    pub(super) fn go_on_if_resting(&self, run: &RunId) -> Result<(), DeskError> {
        self.0.known.resting(run).map_or(Ok(()), |_| self.go_on(run))
    }

    /// Where a run stands, as far as this process knows.
    pub(super) fn standing(&self, run: &Run) -> Standing {
        let id = &run.opened().run;
        match (run.decision(), self.0.known.watcher(id)) {
            (Some(exit), _) => {
                let code = solve::code(&Rest::Decided(exit.clone()), run);
                Standing::Decided { outcome: reading::outcome(exit), exit_code: code as u8 }
            }
            (None, Some(_)) => Standing::Running,
            // It may have been decided between being read and being looked for; it changes no more.
            (None, None) => match reading::run(&self.0.store, id) {
                Ok(read) if read.decision().is_some() => self.standing(&read),
                Ok(_) | Err(_) => {
                    let Resting { why, code, .. } = self.rest_of(id);
                    Standing::Resting { why, exit_code: code as u8 }
                }
            },
        }
    }

    /// Why a run rests that nobody drives here.
    pub(super) fn rest_of(&self, run: &RunId) -> Resting {
        self.0.known.resting(run).unwrap_or_else(|| Resting {
            why: "nobody drives it here".to_owned(),
            code: Code::Interrupted,
            person: None,
        })
    }
}
