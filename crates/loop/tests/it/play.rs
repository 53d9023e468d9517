//! Little plays: who says what, and how it ends. After every fact the run is thrown away and replayed
//! from the facts as they stand in a journal.

use redraft_loop::*;

/// A run on stage, with its journal.
pub(crate) struct Stage {
    pub(crate) run: Run,
    pub(crate) journal: Vec<String>,
    /// What each claim reserves.
    pub(crate) reserve: Amount,
    clock: i64,
}

impl Stage {
    pub(crate) fn open(shape: &Shape) -> Self {
        Self::open_as(opened(shape))
    }

    pub(crate) fn open_as(opened: Opened) -> Self {
        let journal = vec![serde_json::to_string(&Fact::Opened(opened.clone())).unwrap()];
        Self { run: Run::open(opened).unwrap(), journal, reserve: Amount::FREE, clock: 0 }
    }

    pub(crate) fn now(&mut self) -> Time {
        self.clock += 1;
        Time(self.clock)
    }

    /// Gives an input; the fact it leads to goes through the journal and a replay.
    pub(crate) fn give(&mut self, input: Input) -> Result<Fact, Refusal> {
        let fact = self.run.decide(input)?;
        self.run.apply(&fact);
        self.journal.push(serde_json::to_string(&fact).unwrap());
        assert_eq!(self.replayed(), self.run, "replay equals live");
        Ok(fact)
    }

    pub(crate) fn replayed(&self) -> Run {
        Run::replay(self.journal.iter().map(|line| serde_json::from_str(line).unwrap())).unwrap()
    }

    /// Claims every call that is asked for now, and plays what is the workflow's own.
    pub(crate) fn prepare(&mut self) {
        loop {
            let at = self.now();
            match self.run.next() {
                Action::Ask(asks) => {
                    let ask = asks[0].clone();
                    let (prompt, reserve) = (Hash::new("0".repeat(64)), self.reserve);
                    self.give(Input::Claim { ask, prompt, reserve, at }).unwrap();
                }
                Action::Decide(_) => {
                    self.give(Input::Decide { at }).unwrap();
                }
                _ => return,
            }
        }
    }

    /// The first call that is asked for now.
    pub(crate) fn wanted(&self) -> Ask {
        match self.run.next() {
            Action::Ask(mut asks) => asks.remove(0),
            other => panic!("{other:?}"),
        }
    }

    /// The call in flight of a role.
    pub(crate) fn call_of(&self, role: &str) -> CallId {
        let asked =
            self.journal.iter().rev().filter_map(|line| {
                match serde_json::from_str::<Fact>(line).unwrap() {
                    Fact::Asked(asked) => Some(asked),
                    _ => None,
                }
            });
        asked.into_iter().find(|asked| asked.role.as_str() == role).expect("a claim").call
    }

    pub(crate) fn reply(&mut self, role: &str, reply: Reply) -> Result<Fact, Refusal> {
        let (call, at) = (self.call_of(role), self.now());
        self.give(Input::Reply(Replied { call, at, reply, usage: None, cost: None, served: None }))
    }

    pub(crate) fn fail(&mut self, role: &str, failure: Failure) -> Result<Fact, Refusal> {
        let (call, at) = (self.call_of(role), self.now());
        let message = format!("{role} fell over");
        self.give(Input::Fail(Failed {
            call,
            at,
            failure,
            message,
            not_before: None,
            usage: None,
            cost: None,
            served: None,
            unsent: false,
        }))
    }

    pub(crate) fn drive(&mut self) {
        let (epoch, at) = (Epoch(self.run.epoch().0 + 1), self.now());
        self.give(Input::Drive(Driven { epoch, at })).unwrap();
    }

    /// One line of a play.
    fn line(&mut self, line: &str) {
        self.prepare();
        let (who, what) = line.split_once(": ").expect("who: what");
        match (who, what.split_once(' ').unwrap_or((what, ""))) {
            ("driver", ("dies", _)) => self.drive(),
            ("person", (verb, words)) => self.person(verb, words),
            ("limits", ("rounds", n)) => {
                let limits = Limits { rounds: n.parse().unwrap(), ..self.run.limits().clone() };
                let at = self.now();
                self.give(Input::Bound(Bounded { limits, at })).unwrap();
            }
            ("workflow", _) => self.workflow(what),
            (role, ("fails", _)) => drop(self.fail(role, Failure::Transient).unwrap()),
            (role, ("breaks", _)) => drop(self.fail(role, Failure::Permanent).unwrap()),
            (role, ("mumbles", text)) => {
                let reply = Reply::Unreadable { why: "no verdict".into(), text: text.into() };
                self.reply(role, reply).unwrap();
            }
            (role, _) => drop(self.reply(role, Reply::Read(reading(what))).unwrap()),
        }
    }

    fn person(&mut self, verb: &str, words: &str) {
        let (by, at) = ("ada".to_owned(), self.now());
        let input = match verb {
            "approves" => {
                let edited = (!words.is_empty()).then(|| reading(words));
                Input::Approve(Approved { by, at, seal: Hash::new("1".repeat(64)), edited })
            }
            "rejects" => Input::Reject(Rejected { by, at, feedback: words.into(), edited: None }),
            "edits" => Input::Void(Voided { why: words.into(), at }),
            "passes" => Input::Pass(Passed { at }),
            "cancels" => Input::Cancel(Cancelled { by, at }),
            other => panic!("a person does not {other}"),
        };
        self.give(input).unwrap();
    }

    fn workflow(&mut self, what: &str) {
        let at = self.now();
        let Action::Play(play) = self.run.next() else { panic!("{:?}", self.run.next()) };
        let seat = play.instead.map(|(seat, _)| seat);
        self.give(Input::Play(Played { seat, reading: reading(what), at })).unwrap();
    }

    /// How the run stands, as one line.
    pub(crate) fn ending(&mut self) -> String {
        self.prepare();
        match self.run.next() {
            Action::Done(exit) => format!("{}: {}", name(exit.outcome), exit.reason),
            Action::Stop(Stop::Cap(cap)) => format!("stop: {cap}"),
            Action::Stop(Stop::Person { role, what }) => format!("stop: {role} waits for {what}"),
            Action::Stop(Stop::Failed { role, message }) => format!("stop: {role}: {message}"),
            Action::Stop(Stop::Ambiguous { call, role }) => format!("stop: call {call} of {role}"),
            Action::Stop(Stop::Interrupted) => "stop: interrupted".into(),
            Action::Await(calls) => format!("waits for {} calls", calls.len()),
            Action::Play(play) => format!("plays {}", play.step),
            Action::Wait(turn) => format!("gate: {}", turn.step),
            Action::Pass(turn) => format!("approved: {}", turn.step),
            Action::Ask(_) | Action::Decide(_) => unreachable!("prepare has done it"),
        }
    }
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Converged => "converged",
        Outcome::NeedsHuman => "needs_human",
        Outcome::Ended => "ended",
    }
}

/// `ok`, `human`, `change WHY`, or a text; a trailing `done` says that nothing is left to change.
pub(crate) fn reading(what: &str) -> Reading {
    let verdict = |verdict| Reading { verdict: Some(verdict), ..Reading::text("") };
    match what.split_once(' ').unwrap_or((what, "")) {
        ("ok", "") => verdict(Verdict::Ok),
        ("human", "") => verdict(Verdict::NeedsHuman),
        ("change", why) => Reading {
            issues: vec![issue(Severity::Error, why)],
            ..verdict(Verdict::ChangesRequested)
        },
        ("warn", why) => {
            Reading { issues: vec![issue(Severity::Warning, why)], ..verdict(Verdict::Ok) }
        }
        (text, "done") => Reading { done: true, ..Reading::text(text) },
        _ => Reading::text(what),
    }
}

pub(crate) fn issue(severity: Severity, message: &str) -> Issue {
    Issue { id: message.into(), severity, message: message.into(), code: None, field: None }
}

pub(crate) fn opened(shape: &Shape) -> Opened {
    Opened {
        run: RunId::new("run"),
        at: Time(0),
        epoch: Epoch(1),
        subject: "slug".into(),
        shape: shape.clone(),
        cast: vec![],
        sources: vec![],
        seed: None,
        past: vec![],
        first_round: 1,
        settings: serde_json::Value::Null,
    }
}

/// Plays the lines and compares how the run stands at the end.
pub(crate) fn check(shape: &Shape, lines: &[&str], ending: &str) {
    let mut stage = Stage::open(shape);
    lines.iter().for_each(|line| stage.line(line));
    assert_eq!(stage.ending(), ending, "after {lines:?}");
}

/// Plays the lines and gives the run and its journal.
pub(crate) fn play(shape: &Shape, lines: &[&str]) -> Stage {
    let mut stage = Stage::open(shape);
    lines.iter().for_each(|line| stage.line(line));
    stage.prepare();
    stage
}
