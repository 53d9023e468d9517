//! Measures the house: counts where counting is possible, ratios side by side where it is not.
//!
//! Invariant: what is compared is run in one process, in turns, on one disk. `bench/*.sh` call this program;
//! each of its commands prints its own table and fails when a bound of the plan is missed.
//! Absent here: any part of the product. Only the agents are ours.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its table")]

mod commits;
mod disk;
mod figures;
mod http;
mod loops;
mod messages;
mod play;
mod server;
mod startup;
mod streams;
mod thousand;
mod throughput;
mod workspace;

use std::{error::Error, future::Future, process::ExitCode};

/// The binary's own allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How a measurement ended; any error is only printed.
pub(crate) type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const USAGE: &str =
    "usage: redraft-bench commits | throughput [REPETITIONS] | thousand | startup REDRAFT
       redraft-bench http whole|stream BRIEF_BYTES
       redraft-bench server REDRAFT | streams REDRAFT | question
       redraft-bench solves REDRAFT FOLDER CLIENTS SECONDS | load PORT CLIENTS SECONDS
       redraft-bench messages AJV PROGRAM ROUNDS
       redraft-bench loops sequential|at-once COUNT [ROUNDS [files]]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ended = match words.as_slice() {
        ["commits"] => commits::run(),
        ["throughput"] => throughput::run(5),
        ["throughput", repetitions] => repetitions
            .parse()
            .map_err(|error| format!("{repetitions}: {error}").into())
            .and_then(throughput::run),
        ["thousand"] => thousand::run(),
        ["http", rest @ ..] => http::run(rest),
        // What `http` starts itself as.
        ["serve"] => http::serve(),
        ["startup", redraft] => startup::run(redraft),
        ["server", redraft] => server::run(redraft),
        ["streams", redraft] => streams::run(redraft),
        ["question"] => server::question(),
        ["solves", rest @ ..] => server::solves(rest),
        ["load", rest @ ..] => server::load(rest),
        ["messages", rest @ ..] => messages::run(rest),
        ["loops", rest @ ..] => loops::run(rest),
        _ => Err(USAGE.into()),
    };
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("redraft-bench: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs one future, and what it spawns on all processors, as the binary does.
///
/// The writer wakes its callers from another thread, and by default the runtime looks at those only once in
/// 31 steps. When a thousand answers come in at one moment, none of their successors would leave before all
/// are read: measured, that adds 40 ms to each of six calls. Hence every step.
pub(crate) fn block_on<T>(future: impl Future<Output = Outcome<T>>) -> Outcome<T> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().global_queue_interval(1).build()?.block_on(future)
}
