//! Calls, tokens and money in words.
//!
//! Invariant: what has no price is called unpriced, never 0.

use crate::say;
use redraft_engine::RunRecord;
use redraft_loop::{Run, Spent, Usage};
use redraft_store::{BudgetUse, MICRODOLLARS, UNPRICED};
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

/// Tells what a run was charged with.
pub(crate) fn tell_used(run: &Run) {
    let (calls, spent) = (say::count(run.calls(), "call"), run.spent());
    match spent.tokens {
        0 => say::err(&format!("used: {calls}")),
        tokens => {
            let tokens = say::count(tokens, "token");
            say::err(&format!("used: {calls}, {tokens}, {}", cost(spent)));
        }
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

/// How far the budgets of a scope are used, a line each. Calls without a price stand in the line of money.
pub(crate) fn lines(whose: &str, budgets: &[BudgetUse]) -> Vec<String> {
    let unpriced = unpriced(budgets);
    let counted = budgets.iter().filter(|budget| budget.unit != UNPRICED);
    let mut lines: Vec<String> = counted.map(|budget| line(whose, budget, unpriced)).collect();
    // A scope none of whose calls has a price may have no row of money.
    if unpriced > 0 && !budgets.iter().any(|budget| budget.unit == MICRODOLLARS) {
        let none = BudgetUse { unit: MICRODOLLARS.to_owned(), cap: None, used: 0 };
        lines.push(line(whose, &none, unpriced));
    }
    lines
}

/// How many calls are counted whose price is unknown.
pub(crate) fn unpriced(budgets: &[BudgetUse]) -> u64 {
    budgets.iter().find(|budget| budget.unit == UNPRICED).map_or(0, |budget| budget.used)
}

/// How far a budget is used, in one line that begins with whose it is; money tells so many unpriced calls beside it.
pub(crate) fn line(whose: &str, budget: &BudgetUse, unpriced: u64) -> String {
    if unpriced > 0 && budget.unit == MICRODOLLARS {
        let unpriced = u32::try_from(unpriced).unwrap_or(u32::MAX);
        let used = cost(Spent { tokens: 0, cost: budget.used, unpriced });
        let cap = budget.cap.map_or("no cap".to_owned(), |cap| format!("cap {}", dollars(cap)));
        return format!("{whose}: money: {used}, {cap}");
    }
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
    fn a_budget_names_its_unpriced_calls_beside_its_money() {
        let row = |unit: &str, used, cap| BudgetUse { unit: unit.to_owned(), cap, used };
        let unpriced = row(UNPRICED, 84, None);
        let told = |money: BudgetUse| lines("Home", &[money, unpriced.clone()]).concat();
        let none = told(row(MICRODOLLARS, 0, None));
        assert_eq!(none, "Home: money: unpriced (84 calls), no cap");
        assert_eq!(lines("Home", std::slice::from_ref(&unpriced)), [none], "with no row of money");
        let some = told(row(MICRODOLLARS, 5_000, Some(10_000)));
        assert_eq!(some, "Home: money: $0.005 and 84 calls unpriced, cap $0.01");
        let priced = lines("Home", &[row(MICRODOLLARS, 0, None), row(UNPRICED, 0, None)]);
        assert_eq!(priced, ["Home: money: $0.00 used, no cap"]);
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
