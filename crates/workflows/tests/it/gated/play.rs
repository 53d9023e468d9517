//! A session on stage: its facts come about as a driver would give them, and are folded as they come.
//!
//! Invariant: after every fact the session moved along the table only, and what is kept stands as it stood.

use super::setting::Setting;
use redraft_loop::*;
use redraft_workflows::{
    Workflow,
    gated::{Begun, Code, Kind, NotApproved, Session, Standing, State, profile::Phase},
};
use std::{collections::BTreeSet, sync::Arc};

/// A session with its facts.
#[derive(Clone)]
pub(crate) struct Play {
    pub(crate) session: Session,
    pub(crate) facts: Vec<Fact>,
    /// Which ways it went.
    pub(crate) walked: BTreeSet<(State, State)>,
    asked: Option<Ask>,
    clock: i64,
}

impl Play {
    pub(crate) fn begin(setting: Setting) -> Self {
        let opened = setting.opened();
        let session = Session::open(opened.clone()).unwrap();
        Self {
            session,
            facts: vec![Fact::Opened(opened)],
            walked: BTreeSet::new(),
            asked: None,
            clock: 1_000_000,
        }
    }

    fn now(&mut self) -> Time {
        self.clock += 1_000_000;
        Time(self.clock)
    }

    /// Gives an input; a fact that comes of it is folded, and what may never change is compared.
    pub(crate) fn give(&mut self, input: Input) -> Result<(), Refusal> {
        let fact = self.session.run.decide(input)?;
        let before = self.session.clone();
        self.session.apply(&fact);
        let (from, to) = (before.state, self.session.state);
        let goes_nowhere = from == to && !matches!(fact, Fact::Passed(_));
        assert!(goes_nowhere || from.leads_to(to), "{from} to {to} by {}", fact.kind());
        if !goes_nowhere {
            self.walked.insert((from, to));
        }
        for (path, file) in before.artifacts.iter().filter(|(_, file)| file.kind == Kind::Kept) {
            let is_asked_again = path.ends_with("-prompt.md") && matches!(fact, Fact::Rejected(_));
            let now = self.session.artifacts.get(path);
            let now = now.unwrap_or_else(|| panic!("{path} was dropped by {}", fact.kind()));
            assert!(is_asked_again || now.text == file.text, "{path} changed by {}", fact.kind());
            assert_eq!(now.kind, Kind::Kept, "{path}");
        }
        self.facts.push(fact);
        Ok(())
    }

    fn must(&mut self, input: Input) -> &mut Self {
        self.give(input).unwrap();
        self
    }

    /// A driver takes it over and goes as far as it can alone.
    pub(crate) fn drive(&mut self) -> &mut Self {
        let (epoch, at) = (Epoch(self.session.run.epoch().0 + 1), self.now());
        if self.give(Input::Drive(Driven { epoch, at })).is_ok() {
            self.go_on();
        }
        self
    }

    /// Claims, plays and decides what is due.
    pub(crate) fn go_on(&mut self) {
        loop {
            let begun = Arc::clone(&self.session.begun);
            let at = self.now();
            match self.session.run.next() {
                Action::Ask(asks) => {
                    let (ask, reserve) = (asks[0].clone(), Amount::FREE);
                    let prompt = begun.write(&self.session.run, &ask).digest();
                    let prompt =
                        prompt.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
                    self.asked = Some(ask.clone());
                    self.must(Input::Claim { ask, prompt: Hash::new(prompt), reserve, at });
                }
                Action::Play(play) => {
                    let reading = begun.play(&self.session.run, &play);
                    let seat = play.instead.map(|(seat, _)| seat);
                    self.must(Input::Play(Played { seat, reading, at }));
                }
                Action::Decide(_) => {
                    self.must(Input::Decide { at });
                }
                Action::Await(_)
                | Action::Wait(_)
                | Action::Pass(_)
                | Action::Stop(_)
                | Action::Done(_) => return,
            }
        }
    }

    /// The player who is asked says this, read as a driver reads it; nothing where nobody is asked.
    pub(crate) fn says(&mut self, text: &str) -> &mut Self {
        let Some(ask) = self.asked.clone() else { return self };
        let Some((call, _)) = self.session.run.unanswered().first().cloned() else { return self };
        let read = self.session.begun.read(&self.session.run, &ask, text);
        let reply = match read {
            Ok(reading) => Reply::Read(reading),
            Err(unreadable) => Reply::Unreadable { why: unreadable.why, text: text.to_owned() },
        };
        let at = self.now();
        let replied = Replied { call, at, reply, usage: None, cost: None, served: None };
        self.must(Input::Reply(replied));
        self.go_on();
        self
    }

    pub(crate) fn fails(&mut self, failure: Failure) -> &mut Self {
        let Some((call, _)) = self.session.run.unanswered().first().cloned() else { return self };
        let at = self.now();
        self.must(Input::Fail(Failed {
            call,
            at,
            failure,
            message: "it fell over".into(),
            not_before: None,
            usage: None,
            cost: None,
            served: None,
            unsent: false,
        }));
        self.go_on();
        self
    }

    /// What stands on the disk while nobody has touched it.
    pub(crate) fn standing(&self) -> Standing {
        let turn = self.session.at_gate();
        let phase = self.session.asked().map(|(phase, _)| phase);
        let has_code = matches!(phase, Some(Phase::Generation | Phase::Revision));
        Standing {
            response: turn.map(|turn| turn.text().to_owned()),
            code: has_code.then(|| self.session.code()),
        }
    }

    /// A person approves what stands there, where that can be approved.
    pub(crate) fn approve_as(&mut self, standing: &Standing) -> Result<(), NotApproved> {
        let at = self.now();
        let approved = self.session.approve(standing, "ada", at)?;
        if self.session.run.approval().is_some() {
            // What was approved before is not what stands there any more.
            self.must(Input::Void(Voided { why: "approved anew".into(), at }));
        }
        self.must(Input::Approve(approved));
        Ok(())
    }

    pub(crate) fn approve(&mut self) -> &mut Self {
        let standing = self.standing();
        self.approve_as(&standing).unwrap();
        self
    }

    pub(crate) fn pass(&mut self) -> &mut Self {
        let at = self.now();
        self.must(Input::Pass(Passed { at }));
        self.go_on();
        self
    }

    /// Approves what waits, and uses the approval.
    pub(crate) fn let_pass(&mut self) -> &mut Self {
        self.approve().pass()
    }

    pub(crate) fn person(&mut self, input: impl FnOnce(String, Time) -> Input) -> &mut Self {
        let at = self.now();
        if self.give(input("ada".into(), at)).is_ok() {
            self.go_on();
        }
        self
    }

    pub(crate) fn rejects(&mut self, feedback: &str) -> &mut Self {
        let feedback = feedback.to_owned();
        self.person(|by, at| Input::Reject(Rejected { by, at, feedback, edited: None }))
    }

    pub(crate) fn voids(&mut self) -> &mut Self {
        self.person(|_, at| Input::Void(Voided { why: "a file has changed".into(), at }))
    }

    pub(crate) fn cancels(&mut self) -> &mut Self {
        self.person(|by, at| Input::Cancel(Cancelled { by, at }))
    }

    pub(crate) fn allows(&mut self, rounds: u32) -> &mut Self {
        let limits = Limits { rounds, ..self.session.run.limits().clone() };
        self.person(|_, at| Input::Bound(Bounded { limits, at }))
    }

    pub(crate) fn at(&self, state: State) {
        assert_eq!(self.session.state, state, "{:?}", self.session.run.next());
    }

    /// The facts as they stand in a journal, folded from the first on.
    pub(crate) fn replayed(&self) -> Session {
        let lines = self.facts.iter().map(|fact| serde_json::to_string(fact).unwrap());
        Session::replay(lines.map(|line| serde_json::from_str(&line).unwrap())).unwrap()
    }
}

/// A response with one file.
pub(crate) fn files(name: &str, text: &str) -> String {
    format!("<<<FILE: {name}>>>\n{text}\n")
}

pub(crate) fn code(files: &[(&str, &str)]) -> Code {
    files.iter().map(|(name, text)| ((*name).to_owned(), Arc::from(*text))).collect()
}

/// A review that does not pass, signed, with this below its block.
pub(crate) fn fail(play: &Play, below: &str) -> String {
    signed(play, "FAIL", 1, below)
}

pub(crate) fn pass(play: &Play) -> String {
    signed(play, "PASS", 0, "Well done.\n")
}

fn signed(play: &Play, verdict: &str, critical: u32, below: &str) -> String {
    let block = super::block(verdict, critical, critical, 0);
    let line = format!("review_token: {}", token(play));
    format!("{}\n{below}", super::with_line(&block, &line))
}

/// The token that the reviewer at hand was told.
pub(crate) fn token(play: &Play) -> String {
    let session = &play.session;
    let (phase, round) = session.asked().unwrap();
    let begun: &Begun = &session.begun;
    let told = begun.written(&session.run, phase, round, None).instructions;
    let behind = told.split("review_token: ").nth(1).unwrap();
    behind.split_whitespace().next().unwrap().to_owned()
}

/// A session whose files wait to be reviewed.
pub(crate) fn under_review(setting: Setting, plan: &str, response: &str) -> Play {
    let mut play = Play::begin(setting);
    play.drive().says(plan).let_pass().says(response).let_pass();
    play.at(State::Reviewing);
    play
}
