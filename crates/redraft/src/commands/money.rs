//! Calls, tokens and money in words.
//!
//! Invariant: what has no price is called unpriced, never 0.

use crate::say;
use redraft_engine::RunRecord;
use redraft_loop::{Spent, Usage};
use redraft_store::{BudgetUse, MICRODOLLARS};
use serde_json::{Value, json};

pub(crate) use redraft_loop::dollars;

/// The money of some calls; those without a price are named beside it.
pub(crate) fn cost(spent: Spent) -> String {
    match (spent.cost, spent.unpriced) {
        (cost, 0) => dollars(cost),
        (0, calls) => format!("unpriced ({})", say::count(calls, "call")),
        (cost, calls) => format!("{} and {} unpriced", dollars(cost), say::count(calls, "call")),
    }
}

/// So much of a budget's unit.
pub(crate) fn of_unit(unit: &str, amount: u64) -> String {
    match unit {
        MICRODOLLARS => dollars(amount),
        // Units are told in the plural.
        unit => say::count(amount, unit.strip_suffix('s').unwrap_or(unit)),
    }
}

/// How far a budget of the home is used, in one line.
pub(crate) fn home_line(budget: &BudgetUse) -> String {
    line("Home", budget)
}

/// How far a budget is used, in one line that begins with whose it is.
pub(crate) fn line(whose: &str, budget: &BudgetUse) -> String {
    let (unit, numbers): (&str, fn(u64) -> String) = match budget.unit.as_str() {
        MICRODOLLARS => ("money", dollars),
        unit => (unit, |n| n.to_string()),
    };
    let used = numbers(budget.used);
    match budget.cap {
        Some(cap) => format!("{whose}: {unit}: {used} of {} used", numbers(cap)),
        None => format!("{whose}: {unit}: {used} used, no cap"),
    }
}

/// The same for a program.
pub(crate) fn home_json(budget: &BudgetUse) -> Value {
    json!({"unit": budget.unit, "used": budget.used, "cap": budget.cap})
}

/// What a call has used, to stand behind how it went; nothing where nobody told.
pub(crate) fn of_call(usage: Option<Usage>, cost: Option<u64>) -> String {
    let tokens =
        usage.map_or(String::new(), |usage| format!(", {}", say::count(usage.tokens(), "token")));
    let cost = cost.filter(|cost| *cost > 0);
    let cost = cost.map_or(String::new(), |cost| format!(", {}", dollars(cost)));
    format!("{tokens}{cost}")
}

/// What a run has used, in one line.
pub(crate) fn used(record: &RunRecord) -> String {
    let (calls, spent) = (record.calls_charged, record.spent);
    let used = format!("{}, {}, {}", say::count(calls, "call"), tokens(spent), cost(spent));
    let unsure = record.maybe_billed;
    if unsure == Spent::default() {
        return used;
    }
    format!("{used}; maybe billed of that: {}, {}", tokens(unsure), cost(unsure))
}

fn tokens(spent: Spent) -> String {
    say::count(spent.tokens, "token")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_told_exactly() {
        let told = [0, 10_000, 1_500_000, 1_234_567, 1_000_001, 120].map(dollars);
        assert_eq!(told, ["$0.00", "$0.01", "$1.50", "$1.234567", "$1.000001", "$0.00012"]);
    }

    #[test]
    fn what_has_no_price_is_never_nothing() {
        assert_eq!(cost(Spent { tokens: 9, cost: 0, unpriced: 2 }), "unpriced (2 calls)");
        assert_eq!(
            cost(Spent { tokens: 9, cost: 10_000, unpriced: 1 }),
            "$0.01 and 1 call unpriced"
        );
    }
}
