//! `redraft budget`: the caps that all runs of a home share, and those of its server's runs, shown and set.
//!
//! Invariant: no configuration raises or lifts a cap; what is used stays used.
//! Absent here: the caps of one run, which its flags set.

use super::{block_on, money};
use crate::{
    config::MicroUsd,
    exit::{Code, Failure},
    say, standalone,
};
use redraft_store::{
    BudgetUse, CALLS, HOME_SCOPE, Home, MICRODOLLARS, SERVER_SCOPE, Store, TOKENS, UNPRICED,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The caps that all runs of a home share
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Budget {
    /// Show what the home's runs have used, and those of its server, and the caps
    Show(At),
    /// Set caps of the home, or of its server, exactly, also higher ones; `none` lifts one
    Set(Set),
}

/// Which home is meant.
#[derive(Debug, clap::Args)]
pub(crate) struct At {
    /// A folder in or above which the home (.redraft) is
    #[arg(long, short = 'w', value_name = "DIR", default_value = ".")]
    workspace: PathBuf,
}

#[derive(Debug, clap::Args)]
#[group(id = "caps", required = true, multiple = true, args = ["calls", "tokens", "usd"])]
pub(crate) struct Set {
    #[command(flatten)]
    at: At,
    /// The caps of the runs that `redraft serve` has opened, and not the home's
    #[arg(long)]
    server: bool,
    /// The most calls of all runs together, or `none`
    #[arg(long, value_name = "N|none", value_parser = whole)]
    calls: Option<Cap>,
    /// The most tokens of all runs together, or `none`
    #[arg(long, value_name = "N|none", value_parser = whole)]
    tokens: Option<Cap>,
    /// The most US dollars of all runs together, or `none`
    #[arg(long, value_name = "AMOUNT|none", value_parser = amount, allow_negative_numbers = true)]
    usd: Option<Cap>,
}

/// A cap as it is wanted; `None` lifts it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cap(Option<u64>);

impl Cap {
    /// Whether there shall be one.
    pub(super) fn is_some(self) -> bool {
        self.0.is_some()
    }
}

const NONE: &str = "none";

/// More cannot be counted.
const MOST: u64 = i64::MAX as u64;

pub(super) fn whole(text: &str) -> Result<Cap, String> {
    if text == NONE {
        return Ok(Cap(None));
    }
    let number = text.parse::<u64>().ok().filter(|number| *number <= MOST);
    number.map(|number| Cap(Some(number))).ok_or(format!("expected a whole number or {NONE}"))
}

pub(super) fn amount(text: &str) -> Result<Cap, String> {
    if text == NONE {
        return Ok(Cap(None));
    }
    let MicroUsd(micros) =
        MicroUsd::parse(text).map_err(|error| format!("{error}; {NONE} lifts the cap"))?;
    Ok(Cap(Some(micros)))
}

impl Budget {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Show(_) => "budget show",
            Self::Set(_) => "budget set",
        }
    }
}

pub(crate) fn run(command: &Budget, as_json: bool) -> Result<Code, Failure> {
    let (home, store) = match command {
        Budget::Show(at) => {
            let home = home(&at.workspace)?;
            let store = Store::open_existing(&home)?;
            (home, store)
        }
        Budget::Set(args) => {
            let home = home(&args.at.workspace)?;
            let store = Store::open(&home)?;
            block_on(set(&store, args))?;
            (home, Some(store))
        }
    };
    let of = |scope| rows(store.as_ref(), scope);
    tell(command, &home, &of(HOME_SCOPE)?, &of(SERVER_SCOPE)?, as_json);
    Ok(Code::Done)
}

fn tell(command: &Budget, home: &Home, of_home: &[BudgetUse], server: &[BudgetUse], as_json: bool) {
    if as_json {
        let rows = |of: &[BudgetUse]| of.iter().map(money::home_json).collect::<Vec<Value>>();
        let place = home.dir().display().to_string();
        let fields = json!({ "place": place, "home": rows(of_home), "server": rows(server) });
        return say::json(command.name(), Code::Done, fields);
    }
    say::err(&format!("home: {}", home.dir().display()));
    money::lines("Home", of_home).iter().for_each(|line| say::out(line));
    // Most homes have no server.
    if server.iter().any(|budget| budget.used > 0 || budget.cap.is_some()) {
        money::lines("Server", server).iter().for_each(|line| say::out(line));
    }
}

fn home(from: &Path) -> Result<Home, Failure> {
    standalone::known(from)?.ok_or_else(|| standalone::nothing(from))
}

async fn set(store: &Store, args: &Set) -> Result<(), Failure> {
    let scope = if args.server { SERVER_SCOPE } else { HOME_SCOPE };
    let caps = [(CALLS, args.calls), (TOKENS, args.tokens), (MICRODOLLARS, args.usd)];
    set_caps(store, scope, caps).await
}

/// Sets those caps of a scope that are named.
pub(super) async fn set_caps(
    store: &Store,
    scope: &str,
    caps: [(&str, Option<Cap>); 3],
) -> Result<(), Failure> {
    for (unit, cap) in caps {
        if let Some(Cap(cap)) = cap {
            store.set_cap(scope, unit, cap).await?;
        }
    }
    Ok(store.checkpoint().await?)
}

/// A scope's budgets in one order, also those of which nothing is used yet.
pub(crate) fn rows(store: Option<&Store>, scope: &str) -> Result<Vec<BudgetUse>, Failure> {
    let known = store.map(|store| store.usage(scope)).transpose()?.unwrap_or_default();
    let row = |unit: &str| {
        let found = known.iter().find(|budget| budget.unit == unit).cloned();
        found.unwrap_or_else(|| BudgetUse { unit: unit.to_owned(), cap: None, used: 0 })
    };
    Ok([CALLS, TOKENS, MICRODOLLARS, UNPRICED].map(row).into())
}
