//! `redraft budget`: the caps that all runs of a home share, shown and set.
//!
//! Invariant: only `budget set` raises or lifts a cap; what is used stays used.
//! Absent here: the caps of one run, which its flags set.

use super::{block_on, money};
use crate::{
    config::MicroUsd,
    exit::{Code, Failure},
    say,
};
use redraft_store::{BudgetUse, CALLS, HOME_SCOPE, Home, MICRODOLLARS, Store, TOKENS};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The caps that all runs of a home share
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Budget {
    /// Show what the home's runs have used, and the caps
    Show(At),
    /// Set caps of the home exactly, also higher ones; `none` lifts one
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
    /// The most calls of all runs together, or `none`
    #[arg(long, value_name = "N|none", value_parser = whole)]
    calls: Option<Cap>,
    /// The most tokens of all runs together, or `none`
    #[arg(long, value_name = "N|none", value_parser = whole)]
    tokens: Option<Cap>,
    /// The most US dollars of all runs together, or `none`
    #[arg(long, value_name = "AMOUNT|none", value_parser = amount)]
    usd: Option<Cap>,
}

/// A cap as it is wanted; `None` lifts it.
#[derive(Debug, Clone, Copy)]
struct Cap(Option<u64>);

const NONE: &str = "none";

/// More cannot be counted.
const MOST: u64 = i64::MAX as u64;

fn whole(text: &str) -> Result<Cap, String> {
    if text == NONE {
        return Ok(Cap(None));
    }
    let number = text.parse::<u64>().ok().filter(|number| *number <= MOST);
    number.map(|number| Cap(Some(number))).ok_or(format!("expected a whole number or {NONE}"))
}

fn amount(text: &str) -> Result<Cap, String> {
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
    let (home, budgets) = match command {
        Budget::Show(at) => {
            let home = home(&at.workspace)?;
            let store = Store::open_existing(&home)?;
            (home, budgets(store.as_ref())?)
        }
        Budget::Set(args) => {
            let home = home(&args.at.workspace)?;
            let store = Store::open(&home)?;
            block_on(set(&store, args))?;
            (home, budgets(Some(&store))?)
        }
    };
    if as_json {
        let rows: Vec<Value> = budgets.iter().map(money::home_json).collect();
        let place = home.dir().display().to_string();
        say::json(command.name(), Code::Done, json!({ "place": place, "home": rows }));
    } else {
        budgets.iter().for_each(|budget| say::out(&money::home_line(budget)));
    }
    Ok(Code::Done)
}

fn home(from: &Path) -> Result<Home, Failure> {
    Home::find(from)?.ok_or_else(|| {
        Failure::usage(format!("{}: there is no home (.redraft) here or above", from.display()))
            .help("name a workspace with --workspace, or make a home: redraft init")
    })
}

async fn set(store: &Store, args: &Set) -> Result<(), Failure> {
    let caps = [(CALLS, args.calls), (TOKENS, args.tokens), (MICRODOLLARS, args.usd)];
    for (unit, cap) in caps {
        if let Some(Cap(cap)) = cap {
            store.set_cap(HOME_SCOPE, unit, cap).await?;
        }
    }
    Ok(store.checkpoint().await?)
}

/// The home's budgets in one order, also those of which nothing is used yet.
fn budgets(store: Option<&Store>) -> Result<Vec<BudgetUse>, Failure> {
    let known = store.map(|store| store.usage(HOME_SCOPE)).transpose()?.unwrap_or_default();
    let row = |unit: &str| {
        let found = known.iter().find(|budget| budget.unit == unit).cloned();
        found.unwrap_or_else(|| BudgetUse { unit: unit.to_owned(), cap: None, used: 0 })
    };
    Ok([CALLS, TOKENS, MICRODOLLARS].map(row).into())
}
