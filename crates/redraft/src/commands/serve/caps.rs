//! The caps that all runs of the server share, over restarts.
//!
//! Invariant: a cap that no flag names stays as it stands; one that is named is set exactly, also higher: starting a
//! server with it is as explicit an act as `budget set --server`. What is used stays used.
//! Absent here: holding them. The journal does that, in the commits that claim calls.

use crate::{
    commands::{
        budget::{self, Cap},
        money,
    },
    exit::Failure,
    say,
    solve::Shared,
};
use redraft_store::{CALLS, MICRODOLLARS, SERVER_SCOPE, Store, TOKENS};

/// Caps over all runs of the server together; each stays until it is set anew.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct ServerCaps {
    /// The most calls of all runs of the server together, over restarts, or `none`; left out, what was set stays
    #[arg(long, value_name = "N|none", value_parser = budget::whole)]
    server_calls: Option<Cap>,
    /// The most tokens of all runs of the server together, or `none`
    #[arg(long, value_name = "N|none", value_parser = budget::whole)]
    server_tokens: Option<Cap>,
    /// The most US dollars of all runs of the server together, or `none`
    #[arg(long, value_name = "AMOUNT|none", value_parser = budget::amount)]
    server_usd: Option<Cap>,
}

impl ServerCaps {
    fn wanted(&self) -> [(&'static str, Option<Cap>); 3] {
        [(CALLS, self.server_calls), (TOKENS, self.server_tokens), (MICRODOLLARS, self.server_usd)]
    }

    /// The server's scope, with the caps that will stand once these are set.
    pub(super) fn shared(&self, store: Option<&Store>) -> Result<Shared, Failure> {
        let stands = budget::rows(store, SERVER_SCOPE)?;
        let will_stand = |unit: &str| {
            let wanted = self.wanted().into_iter().find(|(named, _)| *named == unit);
            match wanted.and_then(|(_, cap)| cap) {
                Some(cap) => cap.is_some(),
                None => stands.iter().any(|row| row.unit == unit && row.cap.is_some()),
            }
        };
        let (money, tokens) = (will_stand(MICRODOLLARS), will_stand(TOKENS));
        Ok(Shared { scope: SERVER_SCOPE, money, tokens })
    }

    /// Makes them durable, and tells a person what is left of those that stand.
    pub(super) async fn set(&self, store: &Store) -> Result<(), Failure> {
        budget::set_caps(store, SERVER_SCOPE, self.wanted()).await?;
        for row in budget::rows(Some(store), SERVER_SCOPE)?.iter().filter(|row| row.cap.is_some()) {
            say::err(&money::line("Server", row));
        }
        Ok(())
    }
}
