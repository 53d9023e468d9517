//! `redraft serve`: solves over HTTP, until it is told to stop.
//!
//! Invariant: it says where it listens once it does, on stdout; runs that are open when it stops go on at the next start.
//! Absent here: routes.

mod caps;
mod signals;

use self::{caps::ServerCaps, signals::Signals};
use super::{block_on, configured, review::home_caps, together::settle_programs};
use crate::{
    config::{CallFlags, Flags, SolverFlags},
    desk::House,
    exit::{Code, Failure},
    say, solve,
};
use redraft_server::{Bound, Config, Limits, Token, bind};
use redraft_store::{LockError, Store};
use serde_json::json;
use std::{net::SocketAddr, path::Path, sync::Arc, time::Instant};
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
    #[command(flatten)]
    solvers: SolverFlags,
    #[command(flatten)]
    caps: ServerCaps,
    #[command(flatten)]
    calls: CallFlags,
}

const COMMAND: &str = "serve";

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let here = Path::new(".");
    let flags =
        Flags { calls: args.calls.clone(), solvers: args.solvers.clone(), ..Flags::default() };
    let config = configured(here, &flags)?;
    let place = solve::place(here)?;
    let known = place.home.as_ref().map(Store::open_existing).transpose()?.flatten();
    let shared = args.caps.shared(known.as_ref())?;
    let table = solve::table_within(&config, &args.calls, &place, Some(shared))?;
    let home = place.made()?;
    let token = token(&args.token_env)?;
    let _only = solve::claiming::serving(&home).map_err(another)?;
    allow_all_files();
    let served = block_on(async {
        let store = Store::open(&home)?;
        home_caps::hold(&store, &config).await?;
        let limits = Limits::STANDARD;
        let wanted = Config { listen: args.listen, hosts: args.host.clone(), token, limits };
        let bound = bind(wanted).await.map_err(|error| Failure::usage(error.to_string()))?;
        args.caps.set(&store).await?;
        let (stop, now) = (CancellationToken::new(), CancellationToken::new());
        let signals = tokio::spawn(until_told(Signals::new(), stop.clone(), now.clone()));
        let house = House::new(store, table, args.max_runs);
        announce(bound.address(), house.pick_up()?, as_json);
        let code = tokio::select! {
            biased;
            () = now.cancelled() => Code::Interrupted,
            () = to_the_end(bound, &house, stop) => Code::Done,
        };
        signals.abort();
        Ok(code)
    });
    settle_programs();
    served
}

/// Two servers of one home would go on with the same runs.
fn another(error: LockError) -> Failure {
    match error {
        LockError::Busy { .. } => Failure::of(Code::Busy, &error)
            .help("another server serves this home, or somebody goes on with one of its runs"),
        LockError::Io { .. } => error.into(),
    }
}

fn announce(address: SocketAddr, resumed: usize, as_json: bool) {
    match as_json {
        true => say::json(COMMAND, Code::Done, json!({"address": address, "resumed": resumed})),
        false => say::out(&format!("Listening: http://{address}")),
    }
    if resumed > 0 {
        say::err(&format!("{} go on from before", say::count(resumed, "run")));
    }
}

/// Serves until it is told to stop. From then on the grace is all that answers, and then calls in flight, may take.
async fn to_the_end(bound: Bound, house: &House, stop: CancellationToken) {
    let told = async {
        stop.cancelled().await;
        Instant::now()
    };
    let ((), told) = tokio::join!(bound.serve(Arc::new(house.clone()), stop.clone()), told);
    let left = house.close(Limits::STANDARD.grace.saturating_sub(told.elapsed())).await;
    if left > 0 {
        say::err(&format!("{} go on at the next start", say::count(left, "run")));
    }
}

fn token(variable: &str) -> Result<Option<Token>, Failure> {
    let Some(text) = std::env::var_os(variable) else { return Ok(None) };
    let token = text.to_str().and_then(Token::new);
    let refused =
        || Failure::usage(format!("{variable}: no token: it has to be visible ASCII characters"));
    token.map(Some).ok_or_else(refused)
}

/// A run takes up to two files: its client's connection and its model's. Many systems give a process 1,024
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

/// The first signal stops the server with grace, the second at once.
async fn until_told(mut signals: Signals, stop: CancellationToken, now: CancellationToken) {
    signals.next().await;
    say::err("stopping: what is open goes on at the next start. Once more stops now.");
    stop.cancel();
    signals.next().await;
    now.cancel();
}
