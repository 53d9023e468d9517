//! `redraft serve`: solves over HTTP, until it is told to stop.
//!
//! Invariant: it says where it listens once it does, on stdout; runs that are open when it stops go on at the next start.
//! Absent here: routes.

mod caps;
mod signals;

use self::caps::ServerCaps;
use super::{
    block_on_with_threads, configured, review::home_caps, runs::cast_line,
    together::settle_programs,
};
use crate::{
    config::{CallFlags, Flags, SolverFlags},
    desk::{House, PickedUp},
    exit::{Code, Failure},
    players::OFFLINE,
    say,
    solve::{self, Table},
    standalone,
};
use clap::builder::RangedU64ValueParser;
use redraft_server::{Bound, Config, Limits, ServeError, Token, authority, bind};
use redraft_store::{Home, LockError, Store};
use serde_json::json;
use std::{
    net::SocketAddr,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;

/// Answer questions over HTTP
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4180", value_parser = address)]
    listen: SocketAddr,
    /// A name, `host` or `host:port`, under which clients may address it beside loopback; may be given several times
    #[arg(long, value_name = "NAME", value_parser = host)]
    host: Vec<String>,
    /// The variable that holds the token clients have to send; needed beyond loopback
    #[arg(long, value_name = "NAME", default_value = "REDRAFT_SERVER_TOKEN")]
    token_env: String,
    /// The most runs at once
    #[arg(long, value_name = "N", default_value = "512", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    max_runs: usize,
    #[command(flatten)]
    solvers: SolverFlags,
    #[command(flatten)]
    caps: ServerCaps,
    #[command(flatten)]
    calls: CallFlags,
}

const COMMAND: &str = "serve";
/// How long work that is under way is waited for when everything else has ended.
const LEAVE: Duration = Duration::from_millis(500);

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let here = Path::new(".");
    let flags =
        Flags { calls: args.calls.clone(), solvers: args.solvers.clone(), ..Flags::default() };
    let config = configured(here, &flags)?;
    let place = standalone::place(here)?;
    let (token, limits) = (token(&args.token_env)?, Limits::STANDARD);
    let wanted = Config { listen: args.listen, hosts: args.host.clone(), token, limits };
    wanted.check().map_err(|error| no_server(&error, args))?;
    let known = place.home.as_ref().map(Store::open_existing).transpose()?.flatten();
    let shared = args.caps.shared(known.as_ref())?;
    let table = solve::table_within(&config, &args.calls, &place, Some(shared))?;
    let home = place.made()?;
    let _only = solve::claiming::serving(&home).map_err(another)?;
    allow_all_files();
    let served = block_on_with_threads(LEAVE, async {
        let store = Store::open(&home)?;
        home_caps::hold(&store, &config).await?;
        let bound = bind(wanted).await.map_err(|error| no_server(&error, args))?;
        args.caps.set(&store).await?;
        let (stop, now) = (CancellationToken::new(), CancellationToken::new());
        signals::listen(stop.clone(), now.clone())?;
        introduce(&home, &table);
        let house = House::new(store, table, place.inbox(), args.max_runs);
        announce(bound.address(), &house.pick_up()?, as_json);
        Ok(tokio::select! {
            biased;
            () = now.cancelled() => Code::Interrupted,
            () = to_the_end(bound, &house, stop) => Code::Done,
        })
    });
    settle_programs();
    served
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let example = "an IP address and a port are needed, such as 127.0.0.1:4180 or [::1]:4180";
    text.parse().map_err(|_| example.to_owned())
}

fn host(text: &str) -> Result<String, String> {
    let example = "a name as clients send it in Host is needed, such as solver.example or solver.example:8443";
    authority(text).ok_or_else(|| example.to_owned())
}

fn no_server(error: &ServeError, args: &Args) -> Failure {
    match error {
        ServeError::NoToken { .. } => Failure::of(Code::Usage, error).help(format!(
            "put a secret of your own into the variable {}, which clients send as Authorization: Bearer …; or listen on 127.0.0.1",
            args.token_env
        )),
        ServeError::Listen { .. } => Failure::of(Code::Failure, error)
            .help("name another place with --listen; port 0 takes a free one"),
    }
}

/// Two servers of one home would go on with the same runs.
fn another(error: LockError) -> Failure {
    match error {
        LockError::Busy { .. } => Failure::of(Code::Busy, &error)
            .help("another server serves this home, or somebody goes on with one of its runs"),
        LockError::Io { .. } => error.into(),
    }
}

/// Where runs are kept, and who answers.
fn introduce(home: &Home, table: &Table) {
    say::err(&format!("home: {}", home.dir().display()));
    table.members.iter().for_each(|member| say::err(&cast_line(member)));
    if table.members.iter().any(|member| member.agent == OFFLINE) {
        say::err(
            "The offline agent answers where no model is configured: with sentences of the context, word for word.",
        );
    }
}

fn announce(address: SocketAddr, picked_up: &PickedUp, as_json: bool) {
    let resumed = picked_up.go_on;
    match as_json {
        true => say::json(COMMAND, Code::Done, json!({"address": address, "resumed": resumed})),
        false => say::out(&format!("Listening: http://{address}")),
    }
    if resumed > 0 {
        say::err(&format!("{} go on from before", say::count(resumed, "run")));
    }
    for failure in &picked_up.unreadable {
        say::err(&format!("left as it is: {}; redraft verify says more", failure.message));
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
    // An empty variable says nothing, as everywhere.
    let set = std::env::var_os(variable).filter(|text| !text.is_empty());
    let Some(text) = set else { return Ok(None) };
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
