//! Settling reservations: what the facts of a batch give back to shared budgets, or draw beyond what was reserved.
//!
//! Invariant: what a shared budget counts for a run is what the run's own fold counts, commit by commit.
//! Absent here: caps. The journal holds those over all runs, the loop those of one run.

use redraft_loop::{Amount, CallId, Fact, Run, Usage};

/// An amount of each thing that shared budgets count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spend {
    /// Requests.
    pub calls: u64,
    /// Tokens, read and written.
    pub tokens: u64,
    /// Millionths of a US dollar, of the calls whose price is known.
    pub cost: u64,
    /// Calls whose price is unknown.
    pub unpriced: u64,
}

/// What goes back to shared budgets, and what was used beyond its reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settlement {
    /// Reserved and not used.
    pub refund: Spend,
    /// Used and not reserved; it is counted whatever the caps say.
    pub overdraft: Spend,
}

impl Spend {
    /// What one call may use.
    pub fn of_call(reserve: Amount) -> Self {
        let (cost, unpriced) = reserve.cost.map_or((0, 1), |cost| (cost, 0));
        Self { calls: 1, tokens: reserve.tokens, cost, unpriced }
    }

    /// The same of a program of the house: no cap on calls counts it.
    #[must_use]
    pub fn of_the_house(self) -> Self {
        Self { calls: 0, ..self }
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens: self.tokens.saturating_add(other.tokens),
            cost: self.cost.saturating_add(other.cost),
            unpriced: self.unpriced.saturating_add(other.unpriced),
        }
    }

    fn without(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_sub(other.calls),
            tokens: self.tokens.saturating_sub(other.tokens),
            cost: self.cost.saturating_sub(other.cost),
            unpriced: self.unpriced.saturating_sub(other.unpriced),
        }
    }
}

impl Settlement {
    /// Adds what a fact settles; asked before the run folds it.
    pub(crate) fn add(&mut self, run: &Run, fact: &Fact) {
        match fact {
            Fact::Released(released) => {
                let reserved = spend(run, run.reserved(released.call));
                self.refund = self.refund.and(reserved);
            }
            Fact::Replied(replied) => self.settle(run, replied.call, replied.usage, replied.cost),
            Fact::Failed(failed) => {
                self.settle(run, failed.call, failed.usage, failed.cost);
                self.refund.calls += u64::from(failed.unsent && !run.of_the_house());
            }
            Fact::Opened(_)
            | Fact::Driven(_)
            | Fact::Asked(_)
            | Fact::Played(_)
            | Fact::Approved(_)
            | Fact::Rejected(_)
            | Fact::Voided(_)
            | Fact::Passed(_)
            | Fact::CapReached(_)
            | Fact::Bounded(_)
            | Fact::Interrupted(_)
            | Fact::Cancelled(_)
            | Fact::Decided(_) => {}
        }
    }

    fn settle(&mut self, run: &Run, call: CallId, usage: Option<Usage>, cost: Option<u64>) {
        let reserved = spend(run, run.reserved(call));
        let used = spend(run, run.used(call, usage, cost));
        self.refund = self.refund.and(reserved.without(used));
        self.overdraft = self.overdraft.and(used.without(reserved));
    }
}

/// What a call of the step at hand takes of shared budgets.
fn spend(run: &Run, amount: Amount) -> Spend {
    let spend = Spend::of_call(amount);
    if run.of_the_house() { spend.of_the_house() } else { spend }
}
