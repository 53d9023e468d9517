//! `redraft prompts show`: the prompt of a call as it would leave now, or one file.
//!
//! Invariant: what is shown is written by the code that writes the prompts of reviews.
//! Absent here: the nonce of a call, which stands as a placeholder.

use super::{OfHere, as_value, place};
use crate::{
    briefing::{self, prompt_source},
    commands::{WorkspaceArg, agents, slips},
    episode::{Episode, View},
    exit::{Code, Failure},
    play::{self, DEFAULT_ITERATIONS},
    say,
};
use redraft_engine::sha256;
use redraft_workflows::{
    Prompt,
    review::{
        LockedSelection,
        brief::{Brief, Briefed, Side, Task},
        kept,
        model::{AssetId, Candidate, ReviewIteration},
        shape,
    },
};
use serde_json::json;

/// Stands where a call has its nonce.
const NONCE: &str = "NONCE";

/// How the names of prompts begin that have no variables.
const PLAIN: [&str; 2] = ["solve/", "pair/"];

/// Show what a model would be asked for an asset now, or one prompt's file
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
    /// The asset, such as slug; or a prompt of solves or pairs, such as solve/critic; with --template any prompt's name, such as
    /// creator or lenses/facts
    #[arg(value_name = "ASSET")]
    asset: String,
    /// Whose prompt
    #[arg(long, value_enum, default_value = "creator")]
    role: Role,
    /// What the reviewer looks at above all, such as facts
    #[arg(long, value_name = "LENS")]
    lens: Option<String>,
    /// The iteration [default: the next one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    iteration: Option<u32>,
    /// Show the file that is in force as it is, with nothing filled in
    #[arg(long, conflicts_with_all = ["lens", "iteration"])]
    template: bool,
    /// Show the built-in file, whatever the project has
    #[arg(long, requires = "template")]
    built_in: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Role {
    Creator,
    Reviewer,
}

impl From<Role> for Side {
    fn from(role: Role) -> Self {
        match role {
            Role::Creator => Self::Creator,
            Role::Reviewer => Self::Reviewer,
        }
    }
}

pub(super) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    // What such a prompt says beside its file is the run's.
    let is_plain = PLAIN.iter().any(|plain| args.asset.starts_with(plain));
    if is_plain && args.lens.is_some() {
        return Err(Failure::usage(format!("{}: only reviewers have lenses", args.asset))
            .help(format!("leave --lens out: redraft prompts show {}", args.asset)));
    }
    if let Some(failure) = meant_by_step(args) {
        return Err(failure);
    }
    if args.template || is_plain { file(args, as_json) } else { prompt(args, as_json) }
}

/// The prompt of a step that a person means who leaves its first word out; an asset of that name comes first, once it has
/// a run.
fn meant_by_step(args: &Args) -> Option<Failure> {
    let built_in = OfHere::built_in().ok()?;
    let mut names = PLAIN.iter().map(|plain| format!("{plain}{}", args.asset));
    let name = names.find(|name| built_in.get(name).is_some())?;
    let asset = AssetId::parse(&args.asset).ok()?;
    let view = args.workspace.open().and_then(|episode| episode.view());
    if view.is_ok_and(|view| view.current_run(&asset).is_some()) {
        return None;
    }
    let failure = Failure::usage(format!("nothing is known of an asset {asset}"));
    Some(failure.help(format!("redraft prompts show {name} shows that prompt")))
}

fn file(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let prompts = match args.built_in {
        // The project's own files are not read: one of them may be what is being written.
        true => OfHere::built_in()?,
        false => OfHere::read(&args.workspace.workspace)?,
    };
    let template = prompts.named(&args.asset)?;
    if as_json {
        let fields = json!({"prompt": as_value(template), "text": template.file});
        say::json("prompts show", Code::Done, fields);
        return Ok(Code::Done);
    }
    let (name, version, hash) = (&template.name, template.version, sha256(&template.file));
    say::err(&format!("{name} version {version}, {}, sha256 {}", place(template), hash.as_str()));
    template.file.lines().for_each(say::out);
    Ok(Code::Done)
}

fn prompt(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let asset = AssetId::parse(&args.asset).map_err(|error| Failure::usage(error.to_string()))?;
    let episode = args.workspace.open()?;
    let view = episode.view()?;
    slips::check(&episode, &view, std::slice::from_ref(&asset))?;
    let brief = brief(&episode, &view)?;
    check_lens(args, &brief)?;
    let moment = Moment::of(&asset, args.role.into(), args.iteration, &episode, &view)?;
    let (side, lens) = (args.role.into(), args.lens.as_deref());
    let Briefed { instructions, parts } = brief.write(&moment.task(&asset, side, lens));
    let prompt = Prompt { instructions, parts, reply: None, request: String::new() };
    let rendered = prompt.render(NONCE);
    let sources: Vec<_> = brief.used(&asset, side, lens).into_iter().map(prompt_source).collect();
    let (iteration, last) = (moment.iteration, moment.last_iteration);
    if as_json {
        let fields = json!({
            "workspace": episode.root.display().to_string(), "asset_id": asset,
            "role": side.template(), "lens": lens, "iteration": iteration, "max_iterations": last,
            "sources": sources, "system": rendered.system, "user": rendered.user, "bytes": prompt.len(),
        });
        say::json("prompts show", Code::Done, fields);
        return Ok(Code::Done);
    }
    say::err(&format!("{asset}, {}, iteration {iteration} of {last}", side.template()));
    for source in sources {
        let (name, version, hash) = (&source.name, &source.version, source.sha256.as_str());
        say::err(&format!("Source: {name} version {version}, sha256 {hash}"));
    }
    say::out("--- instructions");
    rendered.system.lines().for_each(say::out);
    say::out("--- message");
    rendered.user.lines().for_each(say::out);
    if moment.candidate.is_none() && side == Side::Reviewer {
        say::err(&format!("There is no candidate of {asset} yet, so none is shown."));
    }
    Ok(Code::Done)
}

fn brief(episode: &Episode, view: &View) -> Result<Brief, Failure> {
    let heard = agents::hear(episode, view, episode.store()?.as_ref())?;
    let transcript = heard.as_ref().map(|heard| &heard.transcript);
    let names = briefing::names(episode, transcript);
    briefing::brief(episode, view, &names, transcript)
}

fn check_lens(args: &Args, brief: &Brief) -> Result<(), Failure> {
    match (&args.lens, args.role) {
        (None, _) => Ok(()),
        (Some(_), Role::Creator) => {
            Err(Failure::usage("a creator has no lens").help("add --role reviewer"))
        }
        (Some(lens), Role::Reviewer) if brief.templates.lens(lens).is_some() => Ok(()),
        (Some(lens), Role::Reviewer) => {
            let known: Vec<&str> = brief.templates.lenses().collect();
            Err(Failure::usage(format!("there is no lens {lens}"))
                .help(format!("lenses are: {}", known.join(", "))))
        }
    }
}

/// Where an asset's review stands, or stood.
struct Moment {
    iteration: u32,
    last_iteration: u32,
    candidate: Option<Candidate>,
    review: Option<ReviewIteration>,
    locked: Option<LockedSelection>,
}

impl Moment {
    fn of(
        asset: &AssetId,
        side: Side,
        wanted: Option<u32>,
        episode: &Episode,
        view: &View,
    ) -> Result<Self, Failure> {
        let protocol = view.protocol(asset);
        let iterations = protocol.as_ref().map_or(&[][..], |protocol| &protocol.iterations);
        let last = match iterations.last() {
            Some(last) => last.iteration,
            None => view.last_iteration(asset)?,
        };
        let next = last + 1;
        let iteration = wanted.unwrap_or(next);
        if iteration > next {
            let message =
                format!("{asset}: iteration {iteration} is not reached; the next one is {next}");
            return Err(Failure::usage(message).help("leave --iteration out"));
        }
        let of = |n: u32| iterations.iter().find(|i| i.iteration == n);
        let before = of(iteration.saturating_sub(1));
        let candidate = match (side, before, of(iteration)) {
            (Side::Reviewer, _, Some(now)) => Some(now.creator.candidate.clone()),
            (Side::Reviewer, _, None) => newest(asset, view)?,
            (Side::Creator, Some(before), _) => Some(before.creator.candidate.clone()),
            (Side::Creator, None, _) => seed(asset, view)?,
        };
        let limit =
            protocol.as_ref().map_or(DEFAULT_ITERATIONS, |protocol| protocol.max_iterations);
        Ok(Self {
            iteration,
            last_iteration: limit.max(iteration),
            candidate,
            review: before.map(|before| before.reviewer.clone()),
            locked: play::locked(asset, &episode.files, view)?,
        })
    }

    fn task<'a>(&'a self, asset: &'a AssetId, side: Side, lens: Option<&'a str>) -> Task<'a> {
        Task {
            asset,
            side,
            lens,
            iteration: self.iteration,
            last_iteration: self.last_iteration,
            locked: self.locked.as_ref().map(|locked| locked.text.as_str()),
            candidate: self.candidate.as_ref(),
            previous_review: self.review.as_ref(),
            open_findings: None,
            more: Vec::new(),
        }
    }
}

/// The candidate that the next review would be of.
fn newest(asset: &AssetId, view: &View) -> Result<Option<Candidate>, Failure> {
    let run = view.current_run(asset).map(|stored| &stored.run);
    let written = run.and_then(|run| run.newest(&shape::CREATE.into()));
    let written = written.and_then(|turn| turn.readings.first());
    match written.and_then(|reading| kept::candidate_of(asset, reading)) {
        Some(candidate) => Ok(Some(candidate)),
        None => seed(asset, view),
    }
}

/// The candidate that the first iteration begins with: that of its run, or the newest there is.
fn seed(asset: &AssetId, view: &View) -> Result<Option<Candidate>, Failure> {
    if let Some(stored) = view.current_run(asset) {
        let seed = stored.run.opened().seed.as_ref();
        return Ok(seed.and_then(|reading| kept::candidate_of(asset, reading)));
    }
    let state = view.state()?;
    Ok(state.asset(asset).and_then(|asset| asset.newest_candidate()).cloned())
}
