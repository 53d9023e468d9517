//! `redraft serve`: solves over HTTP, until it is told to stop.
//!
//! Invariant: it says where it listens once it does, on stdout; runs that are open when it stops go on at the next start.
//! Absent here: routes.

use super::{block_on, configured, review::home_caps, together::settle_programs};
use crate::{
    config::{CallFlags, Flags},
    desk::House,
    exit::{Code, Failure},
    say, solve,
};
use redraft_server::{Config, Limits, Token, bind};
use redraft_store::Store;
use serde_json::json;
use std::{net::SocketAddr, path::Path, sync::Arc};
use tokio_util::sync::CancellationToken;

/// Answer questions over HTTP
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4180")]
    listen: SocketAddr,
    /// A name, `host` or `host:port`, under which clients may address it beside loopback; may be given several times
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// The variable that holds the token clients have to send; needed beyond loopback
    #[arg(long, value_name = "NAME", default_value = "REDRAFT_SERVER_TOKEN")]
    token_env: String,
    /// The most runs at once
    #[arg(long, value_name = "N", default_value_t = 512)]
    max_runs: usize,
    /// Who criticises; several side by side
    #[arg(long, value_name = "AGENT")]
    reviewer: Vec<String>,
    #[command(flatten)]
    calls: CallFlags,
}

const COMMAND: &str = "serve";

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let here = Path::new(".");
    let flags =
        Flags { calls: args.calls.clone(), reviewer: args.reviewer.clone(), ..Flags::default() };
    let config = configured(here, &flags)?;
    let home = solve::home(here)?;
    let table = solve::table(&config, &args.calls, &home)?;
    let token = token(&args.token_env)?;
    allow_all_files();
    let served = block_on(async {
        let store = Store::open(&home)?;
        home_caps::hold(&store, &config).await?;
        let limits = Limits::STANDARD;
        let wanted = Config { listen: args.listen, hosts: args.host.clone(), token, limits };
        let bound = bind(wanted).await.map_err(|error| Failure::usage(error.to_string()))?;
        let house = House::new(store, home, table, args.max_runs);
        let picked_up = house.pick_up()?;
        let address = bound.address();
        let fields = json!({"address": address, "resumed": picked_up});
        match as_json {
            true => say::json(COMMAND, Code::Done, fields),
            false => say::out(&format!("Listening: http://{address}")),
        }
        if picked_up > 0 {
            say::err(&format!("{} go on from before", say::count(picked_up, "run")));
        }
        let stop = CancellationToken::new();
        let signals = tokio::spawn(until_told(stop.clone()));
        bound.serve(Arc::new(house.clone()), stop).await;
        signals.abort();
        house.close().await;
        Ok(Code::Done)
    });
    settle_programs();
    served
}

fn token(variable: &str) -> Result<Option<Token>, Failure> {
    let Some(text) = std::env::var_os(variable) else { return Ok(None) };
    let token = text.to_str().and_then(Token::new);
    let refused =
        || Failure::usage(format!("{variable}: no token: it has to be visible ASCII characters"));
    token.map(Some).ok_or_else(refused)
}

/// A run takes up to three files: its lock, its client's connection and its model's. Many systems give a process 1,024
/// unless it asks for what it may have.
fn allow_all_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let now = getrlimit(Resource::Nofile);
        // Where more cannot be had, the server works with what there is.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: now.maximum, ..now });
    }
}

/// Ctrl-C, and on Unix what a service manager sends.
async fn until_told(stop: CancellationToken) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut ended) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = ended.recv() => {}
            }
            return stop.cancel();
        }
    }
    let _ = tokio::signal::ctrl_c().await;
    stop.cancel();
}
