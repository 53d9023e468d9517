//! Telling which cap stopped a review, where it came from, and what raises it.
//!
//! Invariant: a run keeps its caps over commands, so one that this command did not give is told as remembered.
//! Absent here: holding caps. The loop and the journal do that, and word what they refuse.

use crate::{
    config::{Config, Origin},
    play,
};
use redraft_loop::{Run, Stop};
use redraft_store::HOME_SCOPE;

/// A cap as one of its flags gives it.
struct Cap {
    flag: &'static str,
    /// How the loop, or the journal, words that it is reached.
    told: &'static str,
    /// What the run keeps, in units of its flag.
    of: fn(play::Caps) -> Option<u64>,
    /// What is configured now, or given by this command.
    configured: fn(&Config) -> Option<(u64, &Origin)>,
}

/// The caps of a run.
const OF_RUN: [Cap; 4] = [
    Cap {
        flag: "--max-calls",
        told: "calls of this run",
        of: |caps| caps.calls.map(u64::from),
        configured: |config| config.run.calls.as_ref().map(|cap| (cap.value, &cap.origin)),
    },
    Cap {
        flag: "--max-tokens",
        told: "tokens of this run",
        of: |caps| caps.tokens,
        configured: |config| config.run.tokens.as_ref().map(|cap| (cap.value, &cap.origin)),
    },
    Cap {
        flag: "--total-seconds",
        told: "that may be spent on this run",
        of: |caps| caps.time.map(|micros| micros.unsigned_abs() / 1_000_000),
        configured: |config| config.total_seconds.as_ref().map(|cap| (cap.value, &cap.origin)),
    },
    // Amounts have no word of their own.
    Cap {
        flag: "--max-usd",
        told: "of this run",
        of: |caps| caps.cost,
        configured: |config| config.run.usd.as_ref().map(|cap| (cap.value.0, &cap.origin)),
    },
];

/// A cap of the home: how the journal words it, what `budget set` calls it, and where it is configured.
type OfHome = (&'static str, &'static str, fn(&Config) -> Option<&Origin>);

const OF_HOME: [OfHome; 3] = [
    ("calls", "--calls", |config| config.home.calls.as_ref().map(|cap| &cap.origin)),
    ("tokens", "--tokens", |config| config.home.tokens.as_ref().map(|cap| &cap.origin)),
    ("money", "--usd", |config| config.home.usd.as_ref().map(|cap| &cap.origin)),
];

/// What lets a run go on that stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unblocks {
    /// This flag of its own command, with a number.
    Flag(&'static str),
    /// This flag of `budget set`, with a number.
    OfHome(&'static str),
    /// Nothing that could be given with a command.
    Unsaid,
}

/// What raises the cap that is told so.
fn raises(told: &str) -> Unblocks {
    let of_home = |(unit, ..): &&OfHome| told.starts_with(&format!("{unit} of {HOME_SCOPE}:"));
    if let Some((_, flag, _)) = OF_HOME.iter().find(of_home) {
        return Unblocks::OfHome(flag);
    }
    let cap = OF_RUN.iter().find(|cap| told.contains(cap.told));
    cap.map_or(Unblocks::Unsaid, |cap| Unblocks::Flag(cap.flag))
}

/// What lets a run go on that rests for this reason.
pub(crate) fn unblocks(stop: &Stop) -> Unblocks {
    match stop {
        Stop::Cap(told) => raises(told),
        Stop::Ambiguous { .. } => Unblocks::Flag("--ask-again"),
        Stop::Failed { .. } | Stop::Person { .. } | Stop::Interrupted => Unblocks::Unsaid,
    }
}

/// Where the cap came from that is told so, and what raises it.
pub(super) fn help(told: &str, run: Option<&Run>, config: Option<&Config>) -> String {
    let of_home = |(unit, ..): &&OfHome| told.starts_with(&format!("{unit} of {HOME_SCOPE}:"));
    if let Some((_, flag, configured)) = OF_HOME.iter().find(of_home) {
        let first = config.and_then(configured).map_or(String::new(), |origin| {
            format!("; change {origin} first, which would set its own again")
        });
        return format!(
            "the cap is the home's, which all its runs share; redraft budget set {flag} N raises it{first}"
        );
    }
    let cap = OF_RUN.iter().find(|cap| told.contains(cap.told));
    match (cap, run) {
        (Some(cap), Some(run)) => {
            let (flag, from) = (cap.flag, origin(cap, run, config));
            format!("the cap is {from}; {flag} N gives this run another")
        }
        (Some(Cap { flag, .. }), None) => format!("{flag} N gives this run another cap"),
        (None, _) => "give more, or a price where it is unknown".to_owned(),
    }
}

/// Where a run's cap came from, as far as can be told.
fn origin(cap: &Cap, run: &Run, config: Option<&Config>) -> String {
    let (kept, flag) = ((cap.of)(play::Caps::of(run.limits())), cap.flag);
    let opened_with = (cap.of)(play::Caps::of(&run.opened().shape.limits));
    match config.and_then(cap.configured).filter(|(value, _)| Some(*value) == kept) {
        Some((_, Origin::Flag(flag))) => format!("that of {flag}"),
        // Limits of an open run change by flags alone.
        _ if kept != opened_with => {
            format!("that of {flag} of an earlier command, which the run keeps")
        }
        Some((_, origin)) => format!("that of {origin}, which the run was opened with and keeps"),
        None => format!(
            "one that the run was opened with by an earlier command ({flag} or the configuration of then) and keeps"
        ),
    }
}
