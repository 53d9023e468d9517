//! The caps that all runs of a home share, as a configuration may set them.
//!
//! Why: many configurations may share a home, also while runs go on. None lifts what another one has set: raising a
//! cap takes a command that says so, `redraft budget set`.
//! Invariant: a configuration sets a cap where there is none, or tightens it; what is used stays used.

use crate::{commands::money, config::Config, exit::Failure, say, standalone::Place};
use redraft_loop::Limits;
use redraft_store::{CALLS, HOME_SCOPE, MICRODOLLARS, Store, TOKENS};

/// Sets what the configuration tightens, and tells a person which caps stand below it.
pub(crate) async fn hold(store: &Store, config: &Config) -> Result<(), Failure> {
    let home = &config.home;
    let wanted = [
        (CALLS, home.calls.as_ref().map(|calls| calls.value)),
        (TOKENS, home.tokens.as_ref().map(|tokens| tokens.value)),
        (MICRODOLLARS, home.usd.as_ref().map(|usd| usd.value.0)),
    ];
    let known = store.usage(HOME_SCOPE)?;
    for (unit, wanted) in wanted {
        let Some(wanted) = wanted else { continue };
        let stands = known.iter().find(|budget| budget.unit == unit).and_then(|budget| budget.cap);
        match stands {
            Some(stands) if stands < wanted => {
                let cap = money::of_unit(unit, stands);
                say::err(&format!("the home's cap of {cap} stands (redraft budget set raises it)"));
            }
            Some(stands) if stands == wanted => {}
            Some(_) | None => store.tighten_cap(HOME_SCOPE, unit, wanted).await?,
        }
    }
    Ok(())
}

/// Whether a cap on money stands for a scope, whatever is configured now.
pub(crate) fn caps_money(store: Option<&Store>, scope: &str) -> Result<bool, Failure> {
    let Some(store) = store else { return Ok(false) };
    let known = store.usage(scope)?;
    Ok(known.iter().any(|budget| budget.unit == MICRODOLLARS && budget.cap.is_some()))
}

/// Whether a cap on money, and one on tokens, holds for a run of these limits in a home.
pub(crate) fn capped(
    config: &Config,
    limits: &Limits,
    place: &Place,
) -> Result<(bool, bool), Failure> {
    let store = place.home.as_ref().map(Store::open_existing).transpose()?.flatten();
    let stands = caps_money(store.as_ref(), HOME_SCOPE)?;
    let money = stands || limits.cost.is_some() || config.home.usd.is_some();
    Ok((money, limits.tokens.is_some() || config.home.tokens.is_some()))
}
