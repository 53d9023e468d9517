//! The record of a run: its journal, folded for reading.
//!
//! Invariant: the record follows from the facts alone, and shows every attempt, failed ones too.
//! Absent here: prompts (the journal holds their hashes) and any rendering.

use redraft_loop::{
    Amount, CallId, CastMember, Exit, Fact, Failure, Hash, Issue, Limits, Opened, ReplayError,
    Reply, Role, Rule, Run, RunId, Served, Source, Spent, StepId, Time, Turn, Usage, Verdict,
};
use redraft_workflows::{findings::Finding, time::rfc3339};
use serde::Serialize;

/// A run's journal, folded for reading. Versioned; fields are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRecord {
    /// The version of this format.
    pub schema_version: u32,
    /// The run.
    pub run_id: RunId,
    /// The workflow's name.
    pub workflow: String,
    /// What the run is about.
    pub subject: String,
    /// When it was opened, RFC 3339.
    pub opened_at: String,
    /// When its newest fact came about, RFC 3339.
    pub updated_at: String,
    /// The rules in force, first wins.
    pub rules: Vec<Rule>,
    /// The limits in force.
    pub limits: Limits,
    /// Which agent plays which role.
    pub cast: Vec<CastMember>,
    /// Versions and hashes of what the run works with.
    pub sources: Vec<Source>,
    /// Every claimed call, in order.
    pub calls: Vec<CallRecord>,
    /// Calls that count against the caps.
    pub calls_charged: u32,
    /// Tokens of all attempts, as far as agents told.
    pub usage: Usage,
    /// What all attempts are charged with: what they used, or what is reserved for those of which nobody told.
    pub spent: Spent,
    /// What of that belongs to calls that a crash cut off: they may have been billed.
    pub maybe_billed: Spent,
    /// What a reader should know before trusting the result.
    pub warnings: Vec<String>,
    /// Every finished turn, in order.
    pub turns: Vec<TurnRecord>,
    /// What reviews found and what became of it, oldest first.
    pub findings: Vec<Finding>,
    /// Why drivers rested without a decision.
    pub stops: Vec<StopRecord>,
    /// The decision, once there is one.
    pub decision: Option<Exit>,
    /// How many facts the journal holds.
    pub facts: u64,
}

/// One claimed call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallRecord {
    /// Its number.
    pub call: CallId,
    /// The round.
    pub round: u32,
    /// The step.
    pub step: StepId,
    /// Who was asked.
    pub role: Role,
    /// Which attempt it was.
    pub attempt: u32,
    /// The SHA-256 of the prompt.
    pub prompt: Hash,
    /// When it was claimed, RFC 3339.
    pub asked_at: String,
    /// How it went.
    pub state: CallState,
    /// Milliseconds from claim to result, where there is one.
    pub latency_ms: Option<i64>,
    /// What it used; null where nobody told.
    pub usage: Option<Usage>,
    /// The most it could use; charged where nobody told what it did use.
    pub reserve: Amount,
    /// What it cost, in millionths of a US dollar; null where nobody can tell.
    pub cost: Option<u64>,
    /// Who served it, as far as the other side told.
    pub served: Option<Served>,
    #[serde(skip)]
    asked: Time,
}

/// How a call went.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// Claimed and not answered yet.
    InFlight,
    /// Claimed by a driver that was gone before the answer was durable: it may have been billed.
    MaybeBilled,
    /// Given back: it never left.
    Released,
    /// Answered and read.
    Answered,
    /// Answered, and not readable.
    Unreadable {
        /// What was wrong with it.
        why: String,
    },
    /// Failed.
    Failed {
        /// Whether trying again could help.
        failure: Failure,
        /// What happened.
        message: String,
    },
}

/// One finished turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnRecord {
    /// The round.
    pub round: u32,
    /// The step.
    pub step: StepId,
    /// When it finished, RFC 3339.
    pub at: String,
    /// The merged verdict, where one was given.
    pub verdict: Option<Verdict>,
    /// Whether its author is done.
    pub done: bool,
    /// All issues.
    pub issues: Vec<Issue>,
    /// The text of the first seat.
    pub text: String,
}

/// Why a driver rested without a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StopRecord {
    /// When, RFC 3339.
    pub at: String,
    /// Why.
    pub why: String,
}

impl RunRecord {
    /// The version of the format that is written.
    pub const SCHEMA_VERSION: u32 = 1;

    /// Folds a journal.
    ///
    /// # Errors
    /// When the facts do not make a run.
    pub fn fold(facts: &[Fact]) -> Result<Self, ReplayError> {
        let run = Run::replay(facts.iter().cloned())?;
        let mut record = Self::begin(run.opened(), &run);
        facts.iter().for_each(|fact| record.apply(fact));
        record.turns = run.turns().iter().map(turn).collect();
        Ok(record)
    }

    fn begin(opened: &Opened, run: &Run) -> Self {
        Self {
            schema_version: Self::SCHEMA_VERSION,
            run_id: opened.run.clone(),
            workflow: opened.shape.workflow.clone(),
            subject: opened.subject.clone(),
            opened_at: rfc3339(opened.at),
            updated_at: rfc3339(run.now()),
            rules: opened.shape.rules.clone(),
            limits: run.limits().clone(),
            cast: opened.cast.clone(),
            sources: opened.sources.clone(),
            calls: Vec::new(),
            calls_charged: run.calls(),
            usage: Usage::default(),
            spent: run.spent(),
            maybe_billed: Spent::default(),
            warnings: cast_warnings(&opened.cast),
            turns: Vec::new(),
            findings: redraft_workflows::findings_of(run).all().to_vec(),
            stops: Vec::new(),
            decision: run.decision().cloned(),
            facts: run.facts(),
        }
    }

    fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::Asked(asked) => self.calls.push(CallRecord {
                call: asked.call,
                round: asked.round,
                step: asked.step.clone(),
                role: asked.role.clone(),
                attempt: asked.attempt,
                prompt: asked.prompt.clone(),
                asked_at: rfc3339(asked.at),
                state: CallState::InFlight,
                latency_ms: None,
                usage: None,
                reserve: asked.reserve,
                cost: None,
                served: None,
                asked: asked.at,
            }),
            Fact::Driven(_) => self.lose_what_is_in_flight(),
            Fact::Released(fact) => {
                self.close(fact.call, fact.at, CallState::Released, Told::default());
            }
            Fact::Replied(fact) => {
                let state = match &fact.reply {
                    Reply::Read(_) => CallState::Answered,
                    Reply::Unreadable { why, .. } => CallState::Unreadable { why: why.clone() },
                };
                let told = Told::of(fact.usage, fact.cost, fact.served.as_ref());
                self.close(fact.call, fact.at, state, told);
            }
            Fact::Failed(fact) => {
                let state =
                    CallState::Failed { failure: fact.failure, message: fact.message.clone() };
                let told = Told::of(fact.usage, fact.cost, fact.served.as_ref());
                self.close(fact.call, fact.at, state, told);
            }
            Fact::CapReached(fact) => self.stop(fact.at, &fact.cap),
            Fact::Interrupted(fact) => self.stop(fact.at, "interrupted"),
            Fact::Opened(_)
            | Fact::Played(_)
            | Fact::Approved(_)
            | Fact::Rejected(_)
            | Fact::Voided(_)
            | Fact::Passed(_)
            | Fact::Bounded(_)
            | Fact::Decided(_) => {}
        }
    }

    fn lose_what_is_in_flight(&mut self) {
        let lost = self.calls.iter_mut().filter(|call| call.state == CallState::InFlight);
        for call in lost {
            call.state = CallState::MaybeBilled;
            self.maybe_billed.add(call.reserve);
        }
    }

    fn close(&mut self, call: CallId, at: Time, state: CallState, told: Told) {
        // Results come in for recent calls, so the search from the end is short.
        if let Some(record) = self.calls.iter_mut().rev().find(|record| record.call == call) {
            record.state = state;
            record.latency_ms = Some((at.0 - record.asked.0) / 1000);
            (record.usage, record.cost, record.served) = (told.usage, told.cost, told.served);
            let used = told.usage.unwrap_or_default();
            self.usage.input_tokens += used.input_tokens;
            self.usage.output_tokens += used.output_tokens;
        }
    }

    fn stop(&mut self, at: Time, why: &str) {
        self.stops.push(StopRecord { at: rfc3339(at), why: why.to_owned() });
    }
}

/// What the other side told about a call.
#[derive(Default)]
struct Told {
    usage: Option<Usage>,
    cost: Option<u64>,
    served: Option<Served>,
}

impl Told {
    fn of(usage: Option<Usage>, cost: Option<u64>, served: Option<&Served>) -> Self {
        Self { usage, cost, served: served.cloned() }
    }
}

/// What a reader should know of a cast: a reviewer of the creator's own family tends to like what it would have
/// written.
pub fn cast_warnings(cast: &[CastMember]) -> Vec<String> {
    let Some((first, others)) = cast.split_first() else { return Vec::new() };
    let Some(family) = &first.family else { return Vec::new() };
    let same = others.iter().filter(|member| member.family.as_ref() == Some(family));
    let warning = |member: &CastMember| {
        let (creator, reviewer) = (&first.role, &member.role);
        format!(
            "{creator} and {reviewer} are of one model family ({family}); another family reviews more independently"
        )
    };
    same.map(warning).collect()
}

fn turn(turn: &Turn) -> TurnRecord {
    TurnRecord {
        round: turn.round,
        step: turn.step.clone(),
        at: rfc3339(turn.at),
        verdict: turn.verdict(),
        done: turn.done(),
        issues: turn.issues().cloned().collect(),
        text: turn.text().to_owned(),
    }
}
