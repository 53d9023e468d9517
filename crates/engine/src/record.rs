//! The record of a run: its journal, folded for reading.
//!
//! Invariant: the record follows from the facts alone, and shows every attempt, failed ones too.
//! Absent here: prompts (the journal holds their hashes) and any rendering.

mod call;
mod setup;

use call::Told;
pub use call::{CallRecord, CallState};
use redraft_loop::{
    CallId, CastMember, Exit, Fact, Hash, Issue, Limits, Opened, ReplayError, Reply, Rule, Run,
    RunId, Source, Spent, StepId, Time, Turn, Usage, Verdict,
};
use redraft_workflows::{findings::Finding, time::rfc3339};
use serde::Serialize;
pub use setup::Setup;

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
    /// When it was decided, RFC 3339; null while it is open.
    pub finished_at: Option<String>,
    /// Milliseconds that drivers worked on it; rests between them do not count.
    pub worked_ms: i64,
    /// What it was opened with.
    pub config: Setup,
    /// The SHA-256 of that, as JSON without blanks.
    pub config_sha256: Hash,
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
        Self::read(facts).map(|(record, _)| record)
    }

    /// Folds a journal, and gives the run beside it, for what only its workflow can tell.
    ///
    /// # Errors
    /// When the facts do not make a run.
    pub fn read(facts: &[Fact]) -> Result<(Self, Run), ReplayError> {
        let run = Run::replay(facts.iter().cloned())?;
        let mut record = Self::begin(run.opened(), &run);
        facts.iter().for_each(|fact| record.apply(&run, fact));
        record.turns = run.turns().iter().map(turn).collect();
        Ok((record, run))
    }

    fn begin(opened: &Opened, run: &Run) -> Self {
        let setup = Setup::of(opened);
        Self {
            schema_version: Self::SCHEMA_VERSION,
            run_id: opened.run.clone(),
            workflow: opened.shape.workflow.clone(),
            subject: opened.subject.clone(),
            opened_at: rfc3339(opened.at),
            updated_at: rfc3339(run.now()),
            finished_at: None,
            worked_ms: run.elapsed() / 1000,
            config_sha256: setup.sha256(),
            config: setup,
            rules: opened.shape.rules.clone(),
            limits: run.limits().clone(),
            cast: opened.cast.clone(),
            sources: opened.sources.clone(),
            calls: Vec::new(),
            calls_charged: run.calls(),
            usage: Usage::default(),
            spent: run.spent(),
            maybe_billed: Spent::default(),
            warnings: cast_warnings(rounds_cast(opened)),
            turns: Vec::new(),
            findings: redraft_workflows::findings_of(run).all().to_vec(),
            stops: Vec::new(),
            decision: run.decision().cloned(),
            facts: run.facts(),
        }
    }

    fn apply(&mut self, run: &Run, fact: &Fact) {
        match fact {
            Fact::Asked(asked) => self.calls.push(CallRecord::claimed(run, asked)),
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
            Fact::Decided(fact) => self.finished_at = Some(rfc3339(fact.at)),
            Fact::Interrupted(fact) => self.stop(fact.at, "interrupted"),
            Fact::Cancelled(fact) => self.stop(fact.at, &format!("cancelled by {}", fact.by)),
            Fact::Opened(_)
            | Fact::Played(_)
            | Fact::Approved(_)
            | Fact::Rejected(_)
            | Fact::Voided(_)
            | Fact::Passed(_)
            | Fact::Bounded(_) => {}
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
            let used = told.usage.unwrap_or_default();
            record.close(at, state, told);
            self.usage.input_tokens += used.input_tokens;
            self.usage.output_tokens += used.output_tokens;
        }
    }

    fn stop(&mut self, at: Time, why: &str) {
        self.stops.push(StopRecord { at: rfc3339(at), why: why.to_owned() });
    }
}

/// What a reader should know of a cast: a reviewer of the writer's own family tends to like what it would have
/// written. The writer comes first; who else plays and judges nothing is not to be among them.
pub fn cast_warnings<'a>(mut cast: impl Iterator<Item = &'a CastMember>) -> Vec<String> {
    let Some(first) = cast.next() else { return Vec::new() };
    let Some(family) = &first.family else { return Vec::new() };
    let same = cast.filter(|member| member.family.as_ref() == Some(family));
    let warning = |member: &CastMember| {
        let (creator, reviewer) = (&first.role, &member.role);
        format!(
            "{creator} and {reviewer} are of one model family ({family}); another family reviews more independently"
        )
    };
    same.map(warning).collect()
}

/// Who writes and who judges in every round, in the order of their steps.
fn rounds_cast(opened: &Opened) -> impl Iterator<Item = &CastMember> {
    let seats = opened.shape.repeating.iter().flat_map(|step| step.player.seats());
    seats.filter_map(|role| opened.cast.iter().find(|member| member.role == *role))
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
