//! The caps that all runs of a home share, as they are configured.
//!
//! Invariant: what is used stays used, whatever becomes of a cap.

use crate::{config::Config, exit::Failure};
use redraft_store::{CALLS, HOME_SCOPE, MICRODOLLARS, Store, TOKENS};

/// Sets what differs from the configuration.
pub(super) async fn hold(store: &Store, config: &Config) -> Result<(), Failure> {
    let home = &config.home;
    let wanted = [
        (CALLS, home.calls.as_ref().map(|calls| calls.value)),
        (TOKENS, home.tokens.as_ref().map(|tokens| tokens.value)),
        (MICRODOLLARS, home.usd.as_ref().map(|usd| usd.value.0)),
    ];
    let known = store.usage(HOME_SCOPE)?;
    for (unit, cap) in wanted {
        let stands = known.iter().find(|budget| budget.unit == unit).and_then(|budget| budget.cap);
        if stands != cap {
            store.set_cap(HOME_SCOPE, unit, cap).await?;
        }
    }
    Ok(())
}
