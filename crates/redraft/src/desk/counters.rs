//! What the house counts, for `/metrics`.
//!
//! Invariant: counting reads a few rows of the journal; it folds no run and writes nothing.
//! Absent here: anything about single runs.

use crate::commands::budget;
use redraft_server::{Counter, CounterKind};
use redraft_store::{BudgetUse, CALLS, MICRODOLLARS, SERVER_SCOPE, Store, TOKENS};

/// What this process has counted.
pub(super) struct Counts {
    pub(super) opened: u64,
    pub(super) driven: u64,
}

/// What is counted of a unit, and what that is in words.
struct OfUnit {
    unit: &'static str,
    used: (&'static str, &'static str),
    cap: (&'static str, &'static str),
}

const UNITS: [OfUnit; 3] = [
    OfUnit {
        unit: CALLS,
        used: ("redraft_server_calls_used", "Calls of all runs of the server, over restarts."),
        cap: ("redraft_server_calls_cap", "The most calls of all runs of the server."),
    },
    OfUnit {
        unit: TOKENS,
        used: ("redraft_server_tokens_used", "Tokens used or reserved, over restarts."),
        cap: ("redraft_server_tokens_cap", "The most tokens of all runs of the server."),
    },
    OfUnit {
        unit: MICRODOLLARS,
        used: (
            "redraft_server_microdollars_used",
            "Millionths of a US dollar used or reserved, over restarts.",
        ),
        cap: (
            "redraft_server_microdollars_cap",
            "The most millionths of a US dollar of all runs of the server.",
        ),
    },
];

/// All counters. What cannot be read now is left out.
pub(super) fn all(store: &Store, Counts { opened, driven }: Counts) -> Vec<Counter> {
    let counter = |(name, help), kind, value| Counter { name, help, kind, value };
    let mut counters = vec![
        counter(
            ("redraft_runs_opened_total", "Runs opened since the start."),
            CounterKind::Counter,
            opened,
        ),
        counter(("redraft_runs_driven", "Runs driven now."), CounterKind::Gauge, driven),
        counter(
            ("redraft_commits_total", "Durable commits since the start."),
            CounterKind::Counter,
            store.commits(),
        ),
    ];
    for BudgetUse { unit, cap, used } in budget::rows(Some(store), SERVER_SCOPE).unwrap_or_default()
    {
        let Some(told) = UNITS.iter().find(|of| of.unit == unit) else { continue };
        // What is given back lowers it.
        counters.push(counter(told.used, CounterKind::Gauge, used));
        counters.extend(cap.map(|cap| counter(told.cap, CounterKind::Gauge, cap)));
    }
    counters
}
