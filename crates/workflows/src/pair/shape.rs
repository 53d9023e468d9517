//! The shape of a pair: a proposal, then turns of implement, check, critique and verify.
//!
//! Invariant: a failing check stands between a run and its convergence, whatever the architect says.
//! Absent here: prompts, and what replies say.

use redraft_loop::{
    Condition::{Accepted, All, Any, Cycle, LastRound, Unchanged},
    Failing, Gate, Limits, Outcome, Player, Role, Rule, Shape, Step, StepId, Timing,
};

/// The name of the workflow.
pub const NAME: &str = "pair";
/// Who proposes, criticises and verifies.
pub const ARCHITECT: &str = "architect";
/// Who implements.
pub const BUILDER: &str = "builder";
/// The program of ours that runs the checks.
pub const CHECKS: &str = "checks";

pub(super) const PROPOSE: &str = "propose";
pub(super) const IMPLEMENT: &str = "implement";
pub(super) const CHECK: &str = "check";
pub(super) const CRITIQUE: &str = "critique";
pub(super) const VERIFY: &str = "verify";

/// The reason of a change that the architect has verified.
pub const VERIFIED: &str = "verified";
/// The reason of a run whose builder repeats itself.
pub const NO_IMPROVEMENT: &str = "no_improvement";
/// The reason of a run that had all its turns.
pub const MAX_TURNS: &str = "max_turns";

/// Turns when nothing else is said (contract §3).
pub const DEFAULT_TURNS: u32 = 3;

/// What a person may set of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// The bounds of the run; its rounds are the turns.
    pub limits: Limits,
    /// Whether there are checks to run.
    pub checks: bool,
}

/// The shape of a pair. A message that breaks its schema is asked for once more (contract §1).
pub fn shape(bounds: &Bounds) -> Shape {
    let step = |id: &str, player| Step {
        id: id.into(),
        player,
        gate: Gate::Open,
        reserve: 0,
        repairs: 1,
        failing: Failing::Stop,
        unreadable: Failing::Stop,
        capped: Failing::Stop,
    };
    let agent = |role: &str| Player::Agent(Role::from(role));
    let check = bounds.checks.then(|| step(CHECK, Player::House(Role::from(CHECKS))));
    let critique = [step(CRITIQUE, agent(ARCHITECT)), step(VERIFY, agent(ARCHITECT))];
    Shape {
        workflow: NAME.into(),
        version: 1,
        opening: vec![step(PROPOSE, agent(ARCHITECT))],
        repeating: [step(IMPLEMENT, agent(BUILDER))]
            .into_iter()
            .chain(check)
            .chain(critique)
            .collect(),
        closing: Vec::new(),
        rules: rules(bounds.checks),
        limits: bounds.limits.clone(),
        timing: Timing::Driven,
    }
}

/// The contract's exits in its order (§3). A diff that comes back is no improvement only if the checks say the same of it.
fn rules(checks: bool) -> Vec<Rule> {
    let id = StepId::from;
    let (repeated, accepted) = match checks {
        true => (vec![id(IMPLEMENT), id(CHECK)], vec![Accepted(id(CHECK)), Accepted(id(VERIFY))]),
        false => (vec![id(IMPLEMENT)], vec![Accepted(id(VERIFY))]),
    };
    let stuck = Any(vec![Unchanged(id(IMPLEMENT)), Cycle(repeated)]);
    vec![
        Rule::new(stuck, Outcome::Ended, NO_IMPROVEMENT),
        Rule::new(All(accepted), Outcome::Converged, VERIFIED),
        Rule::new(LastRound { ends_with: id(VERIFY) }, Outcome::Ended, MAX_TURNS),
    ]
}
