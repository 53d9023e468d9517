//! What one run that belongs to no workspace would call and cost at most, and which caps stand in its way.
//!
//! The bound takes the dearest calls that the run's cap on calls admits, each with room for all that may be written
//! before it.
//! Invariant: nothing is sent or written; a journal that is there is read.
//! Absent here: which steps a workflow asks, and how often.

use super::{Asked, ask, calls, left, most};
use crate::{
    commands::money,
    config::{Caps as Configured, Config},
    exit::Failure,
    play::Caps,
    say,
    standalone::{self, Place, Wanted},
};
use redraft_engine::Agent;
use redraft_loop::{Amount, CastMember, Run, RunId, Spent, StepId};
use redraft_store::{CALLS, HOME, HOME_SCOPE, MICRODOLLARS, Store, TOKENS};
use redraft_workflows::Workflow;
use serde::Serialize;

/// What would be done.
#[derive(Serialize)]
pub(crate) struct Forecast {
    /// The run that goes on; null where a new one would be opened.
    pub(crate) run_id: Option<RunId>,
    /// What holds for the run, before what it has used already.
    caps: Caps,
    calls_without_retries: usize,
    calls_at_most: usize,
    tokens_at_most: u64,
    /// Millionths of a US dollar; null where the price of a call is unknown.
    cost_at_most: Option<u64>,
    /// Millionths of a US dollar, of the calls whose price is known.
    #[serde(skip)]
    priced_at_most: u64,
    /// Calls whose price is unknown.
    unpriced_calls: u32,
    prompts: Vec<Asked>,
    home: Vec<Bar>,
}

/// A cap of the home.
#[derive(Serialize)]
struct Bar {
    unit: &'static str,
    cap: u64,
    left: u64,
    /// Whether the run may need more than is left.
    in_the_way: bool,
}

/// Calls of one role that are bounded by the same prompt.
pub(crate) struct Turns<'a> {
    pub(crate) member: &'a CastMember,
    pub(crate) agent: &'a dyn Agent,
    /// The step whose prompt it is.
    pub(crate) step: StepId,
    /// How often it is asked when nothing fails.
    pub(crate) times: usize,
}

/// A run as it would be played.
pub(crate) struct Expected<'a> {
    pub(crate) workflow: &'a dyn Workflow,
    /// The run as it stands.
    pub(crate) run: &'a Run,
    /// Whether it was there before.
    pub(crate) is_open: bool,
    pub(crate) caps: Caps,
    pub(crate) turns: Vec<Turns<'a>>,
    /// Answers that it has already.
    pub(crate) said: usize,
    /// The room in a prompt for texts that nobody has written yet, in bytes.
    pub(crate) room: usize,
}

/// The journal that a command would write to, and the newest open run of the same there that it would go on with.
///
/// # Errors
/// When the journal cannot be read.
pub(crate) fn open_run(
    place: &Place,
    wanted: &impl Wanted,
    again: bool,
) -> Result<(Option<Store>, Option<Run>), Failure> {
    let store = place.home.as_ref().map(Store::open_existing).transpose()?.flatten();
    let open = match store.as_ref().filter(|_| !again) {
        Some(store) => standalone::open_runs(store, wanted)?.into_iter().next(),
        None => None,
    };
    Ok((store, open))
}

impl Forecast {
    /// What a run would use, and what that means for its home.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(crate) fn of(
        expected: &Expected<'_>,
        config: &Config,
        store: Option<&Store>,
    ) -> Result<Self, Failure> {
        let forecast = Self::alone(expected);
        Ok(Self { home: bars(&forecast, config, store)?, ..forecast })
    }

    fn alone(expected: &Expected<'_>) -> Self {
        let Expected { run, is_open, caps, turns, said, .. } = expected;
        let left = left(*caps, Some(*run).filter(|_| *is_open));
        let asked: usize = turns.iter().map(|turns| turns.times).sum();
        let (mut prompts, mut bounds): (Vec<Asked>, Vec<Amount>) = (Vec::new(), Vec::new());
        for turns in turns {
            let (prompt, bound) = expected.first_call(turns);
            prompts.push(prompt);
            bounds.extend(std::iter::repeat_n(bound, turns.times * attempts(run, &turns.step)));
        }
        let cap = left.calls.map_or(usize::MAX, |calls| calls as usize);
        let calls_at_most = cap.min(bounds.len());
        let unpriced = bounds.iter().filter(|bound| bound.cost.is_none()).count();
        let unpriced = unpriced.min(calls_at_most);
        let tokens = dearest(bounds.iter().map(|bound| bound.tokens), calls_at_most);
        let priced = dearest(bounds.iter().filter_map(|bound| bound.cost), calls_at_most);
        let priced = left.cost.unwrap_or(u64::MAX).min(priced);
        Self {
            run_id: is_open.then(|| run.opened().run.clone()),
            caps: *caps,
            calls_without_retries: asked.saturating_sub(*said).min(cap),
            calls_at_most,
            tokens_at_most: left.tokens.unwrap_or(u64::MAX).min(tokens),
            cost_at_most: (unpriced == 0).then_some(priced),
            priced_at_most: priced,
            unpriced_calls: u32::try_from(unpriced).unwrap_or(u32::MAX),
            prompts,
            home: Vec::new(),
        }
    }

    /// Prints it, below a line that says what would be done.
    pub(crate) fn tell(&self, place: &Place) {
        let (tokens, cost) = (self.tokens_at_most, self.priced_at_most);
        let spent = Spent { tokens, cost, unpriced: self.unpriced_calls };
        say::out(&calls(self.calls_without_retries, self.calls_at_most, spent));
        self.prompts.iter().for_each(Asked::tell);
        for cap in in_words(self.caps) {
            say::out(&format!("  cap of the run: {cap}"));
        }
        for Bar { unit, cap, left, in_the_way } in &self.home {
            let (cap, left) = (money::of_unit(unit, *cap), money::of_unit(unit, *left));
            let way = if *in_the_way { "; it may stand in the way" } else { "" };
            say::out(&format!("  cap of the home: {cap}, {left} left{way}"));
        }
        say::out(&format!("  writes a run in {}", place.root.join(HOME).display()));
    }
}

impl Expected<'_> {
    /// What a role would be asked first, and the most that any call of these turns can use.
    fn first_call(&self, turns: &Turns<'_>) -> (Asked, Amount) {
        let CastMember { role, agent, .. } = turns.member;
        let prompt = self.workflow.write(self.run, &ask(self.run, turns.step.clone(), role));
        let has_several = self.turns.iter().filter(|other| other.member.role == *role).count() > 1;
        let step = has_several.then(|| turns.step.clone());
        let asked = Asked { step, ..Asked::of(role.clone(), agent.clone(), &prompt) };
        (asked, most(turns.agent, prompt, self.room))
    }
}

/// How often one call may be made: each time that its agent fails, and again to be repaired.
fn attempts(run: &Run, step: &StepId) -> usize {
    let step = run.opened().shape.steps().find(|own| own.id == *step);
    (run.limits().attempts + step.map_or(0, |step| step.repairs)) as usize
}

/// The sum of the largest of these, so many of them.
fn dearest(all: impl Iterator<Item = u64>, count: usize) -> u64 {
    let mut all: Vec<u64> = all.collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.into_iter().take(count).fold(0, u64::saturating_add)
}

/// The caps of the home as they would stand: those of its journal, and tighter ones of the configuration.
fn bars(forecast: &Forecast, config: &Config, store: Option<&Store>) -> Result<Vec<Bar>, Failure> {
    let known = store.map(|store| store.usage(HOME_SCOPE)).transpose()?.unwrap_or_default();
    let Configured { calls, tokens, usd } = &config.home;
    let wanted = [
        (CALLS, calls.as_ref().map(|cap| cap.value), forecast.calls_at_most as u64),
        (TOKENS, tokens.as_ref().map(|cap| cap.value), forecast.tokens_at_most),
        (MICRODOLLARS, usd.as_ref().map(|cap| cap.value.0), forecast.priced_at_most),
    ];
    let bar = |(unit, configured, needed): (&'static str, Option<u64>, u64)| {
        let budget = known.iter().find(|budget| budget.unit == unit);
        let stands = budget.and_then(|budget| budget.cap);
        let cap = stands.into_iter().chain(configured).min()?;
        let left = cap.saturating_sub(budget.map_or(0, |budget| budget.used));
        Some(Bar { unit, cap, left, in_the_way: left < needed })
    };
    Ok(wanted.into_iter().filter_map(bar).collect())
}

/// The caps of a run in words.
fn in_words(caps: Caps) -> Vec<String> {
    let Caps { calls, tokens, cost, time } = caps;
    let all = [
        calls.map(|calls| money::of_unit(CALLS, calls.into())),
        tokens.map(|tokens| money::of_unit(TOKENS, tokens)),
        cost.map(|cost| money::of_unit(MICRODOLLARS, cost)),
        time.map(|time| format!("{} s", time.unsigned_abs() / 1_000_000)),
    ];
    all.into_iter().flatten().collect()
}
