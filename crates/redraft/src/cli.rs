//! The command line as data: one definition gives parser and help.
//!
//! Absent here: what commands do.

#[cfg(unix)]
use crate::commands::pair;
use crate::{
    commands::{
        adopt, budget, config, demo, diff, doctor, draft, export, gated, ingest, init, pick,
        podcast_init, prompts, repair, review, runs, serve, solve, status, summarize, verify,
    },
    exit::{Code, Failure, TABLE},
    say,
};
use clap::{CommandFactory, Parser, Subcommand};
use std::{ffi::OsString, process::ExitCode};

/// Bounded review loops: one agent drafts, another reviews, until both agree, a bound is reached or a person
/// decides. Every step is durable.
#[derive(Debug, Parser)]
#[command(name = "redraft", version, after_help = TABLE)]
struct Redraft {
    #[command(subcommand)]
    command: Command,
    /// Print the result as one JSON document on stdout
    #[arg(long, global = true)]
    json: bool,
}

/// The texts around a podcast episode, written and reviewed.
#[derive(Debug, Parser)]
#[command(name = "podcast", version, after_help = TABLE)]
struct PodcastAlone {
    #[command(subcommand)]
    command: Podcast,
    /// Print the result as one JSON document on stdout
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The texts around a podcast episode, written and reviewed
    #[command(subcommand)]
    Podcast(Podcast),
    /// What runs there are, and what happened in them
    #[command(subcommand)]
    Runs(runs::Runs),
    /// The caps that all runs of a home share
    #[command(subcommand)]
    Budget(budget::Budget),
    /// What models are told, and what of it is the project's own
    #[command(subcommand)]
    Prompts(prompts::Prompts),
    Solve(solve::Args),
    #[cfg(unix)]
    Pair(Box<pair::Args>),
    /// Code by a profile: planned, generated, reviewed and revised, with a person's word at each gate
    #[command(subcommand)]
    Gated(gated::Gated),
    Serve(serve::Args),
    Init(init::Args),
    Verify(verify::Args),
    Repair(repair::Args),
    Adopt(adopt::Args),
    /// Which settings are in force, and where each came from
    #[command(subcommand)]
    Config(config::Settings),
    Doctor(doctor::Args),
    Demo(demo::Args),
}

#[derive(Debug, Subcommand)]
enum Podcast {
    Init(podcast_init::Args),
    Ingest(ingest::Args),
    Summarize(summarize::Args),
    Draft(draft::Args),
    Review(Box<review::Args>),
    Pick(pick::Args),
    Status(status::Args),
    Diff(diff::Args),
    Export(export::Args),
}

/// Runs the `redraft` program.
pub fn redraft(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    let Redraft { command, json } = match Redraft::try_parse_from(&args) {
        Ok(parsed) => parsed,
        Err(error) => return usage(&Redraft::command(), &args, &error),
    };
    let name = command.name();
    finish(name, command.run(json), json)
}

/// Runs the `podcast` program.
pub fn podcast(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    let PodcastAlone { command, json } = match PodcastAlone::try_parse_from(&args) {
        Ok(parsed) => parsed,
        Err(error) => return usage(&PodcastAlone::command(), &args, &error),
    };
    let name = command.name();
    finish(name, command.run(json), json)
}

/// Plays one command of `podcast` inside another command, without its data on stdout where that is wanted.
pub(crate) fn play_podcast(
    words: impl Iterator<Item = OsString>,
    quiet: bool,
) -> Result<Code, Failure> {
    let args = std::iter::once(OsString::from("podcast")).chain(words);
    let PodcastAlone { command, .. } =
        PodcastAlone::try_parse_from(args).map_err(|error| Failure::usage(error.to_string()))?;
    let _quiet = quiet.then(say::quietly);
    command.run(false)
}

fn usage(program: &clap::Command, args: &[OsString], error: &clap::Error) -> ExitCode {
    let name = &named(program, args);
    if error.use_stderr() && args.iter().any(|arg| arg == "--json") {
        let text = error.render().to_string();
        let message = text.trim().trim_start_matches("error: ");
        let failure = Failure::usage(message);
        let result = match gated::is_named(name) {
            true => Ok(gated::failed(name, &failure)),
            false => Err(failure),
        };
        return finish(name, result, true);
    }
    // Help and version go to stdout, mistakes to stderr.
    let printed = error.print();
    if error.use_stderr() {
        return Code::Usage.into();
    }
    say::written(printed);
    finish(name, Ok(Code::Done), false)
}

/// The command that words without a meaning were meant for: `solve`, `podcast review`, or the program itself.
fn named(program: &clap::Command, args: &[OsString]) -> String {
    let mut names: Vec<&str> = match program.get_name() {
        "redraft" => Vec::new(),
        name => vec![name],
    };
    let mut at = program;
    for word in args.iter().skip(1).filter_map(|arg| arg.to_str()) {
        match at.find_subcommand(word) {
            Some(found) => {
                names.push(found.get_name());
                at = found;
            }
            None if word.starts_with('-') => {}
            None => break,
        }
    }
    if names.is_empty() { program.get_name().to_owned() } else { names.join(" ") }
}

fn finish(name: &str, result: Result<Code, Failure>, json: bool) -> ExitCode {
    if let Err(failure) = &result {
        say::failure(name, failure, json);
    }
    // A caller that reads a document would not miss one that a full disk has swallowed.
    let lost = say::lost();
    lost.iter().for_each(|lost| say::failure(name, lost, false));
    match (result, lost) {
        (Err(failure), _) | (Ok(_), Some(failure)) => failure.code.into(),
        (Ok(code), None) => code.into(),
    }
}

impl Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Podcast(command) => command.name(),
            Self::Runs(command) => command.name(),
            Self::Budget(command) => command.name(),
            Self::Prompts(command) => command.name(),
            Self::Solve(_) => "solve",
            #[cfg(unix)]
            Self::Pair(_) => "pair",
            Self::Gated(command) => command.name(),
            Self::Serve(_) => "serve",
            Self::Init(_) => "init",
            Self::Verify(_) => "verify",
            Self::Repair(_) => "repair",
            Self::Adopt(_) => "adopt",
            Self::Config(command) => command.name(),
            Self::Doctor(_) => "doctor",
            Self::Demo(_) => "demo",
        }
    }

    fn run(self, json: bool) -> Result<Code, Failure> {
        match self {
            Self::Podcast(command) => command.run(json),
            Self::Runs(command) => runs::run(&command, json),
            Self::Budget(command) => budget::run(&command, json),
            Self::Prompts(command) => prompts::run(&command, json),
            Self::Solve(args) => solve::run(&args, json),
            #[cfg(unix)]
            Self::Pair(args) => pair::run(&args, json),
            Self::Gated(command) => gated::run(command, json),
            Self::Serve(args) => serve::run(&args, json),
            Self::Init(args) => init::run(&args, json),
            Self::Verify(args) => verify::run(&args, json),
            Self::Repair(args) => repair::run(&args, json),
            Self::Adopt(args) => adopt::run(&args, json),
            Self::Config(command) => config::run(&command, json),
            Self::Doctor(args) => doctor::run(&args, json),
            Self::Demo(args) => demo::run(&args, json),
        }
    }
}

impl Podcast {
    fn name(&self) -> &'static str {
        match self {
            Self::Init(_) => "podcast init",
            Self::Ingest(_) => "podcast ingest",
            Self::Summarize(_) => "podcast summarize",
            Self::Draft(_) => "podcast draft",
            Self::Review(_) => "podcast review",
            Self::Pick(_) => "podcast pick",
            Self::Status(_) => "podcast status",
            Self::Diff(_) => "podcast diff",
            Self::Export(_) => "podcast export",
        }
    }

    fn run(self, json: bool) -> Result<Code, Failure> {
        match self {
            Self::Init(args) => podcast_init::run(&args, json),
            Self::Ingest(args) => ingest::run(&args, json),
            Self::Summarize(args) => summarize::run(&args, json),
            Self::Draft(args) => draft::run(&args, json),
            Self::Review(args) => review::run(&args, json),
            Self::Pick(args) => pick::run(&args, json),
            Self::Status(args) => status::run(&args, json),
            Self::Diff(args) => diff::run(&args, json),
            Self::Export(args) => export::run(&args, json),
        }
    }
}
