//! `redraft prompts diff`: a project's prompts against ours, or a run's sources against what holds now.
//!
//! Absent here: the texts that an earlier version had; a run keeps their hashes.

use super::{OfHere, place};
use crate::{
    briefing::{self, names_source, prompt_source},
    commands::{WorkspaceArg, agents, runs},
    episode::Episode,
    exit::{Code, Failure},
    say,
};
use redraft_loop::Source;
use redraft_workflows::review::{
    brief::{Origin, Template},
    model::AssetId,
};
use serde_json::{Value, json};
use similar::TextDiff;

/// Compare the project's prompts with the built-in ones, or those of a run with what holds now
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
    /// An asset, or a prompt's name, such as creator [default: all that the project has]
    #[arg(value_name = "ASSET|PROMPT")]
    name: Option<String>,
    /// Tell which sources of this run have changed since it was opened; the beginning of its id is enough
    #[arg(long, value_name = "RUN", conflicts_with = "name")]
    run: Option<String>,
}

pub(super) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    match &args.run {
        Some(run) => since(args, run, as_json),
        None => from_built_in(args, as_json),
    }
}

fn from_built_in(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let (ours, here) = (OfHere::built_in()?, OfHere::read(&args.workspace.workspace)?);
    let wanted: Vec<&Template> = match &args.name {
        Some(name) => vec![here.named(name)?],
        None => here.iter().filter(|template| template.origin != Origin::BuiltIn).collect(),
    };
    let diffs: Vec<(&Template, String)> =
        wanted.into_iter().map(|template| (template, diff(&ours, template))).collect();
    if as_json {
        let row = |(template, diff): &(&Template, String)| {
            let built_in = ours.get(&template.name).map(prompt_source);
            json!({"name": template.name, "built_in": built_in, "here": prompt_source(template), "diff": diff})
        };
        let rows: Vec<Value> = diffs.iter().map(row).collect();
        say::json("prompts diff", Code::Done, json!({ "prompts": rows }));
        return Ok(Code::Done);
    }
    if diffs.is_empty() {
        say::err("The project has no prompts of its own; the built-in ones hold.");
    }
    for (template, diff) in diffs {
        if diff.is_empty() {
            say::err(&format!("{}: the same as the built-in prompt", template.name));
        }
        diff.lines().for_each(say::out);
    }
    Ok(Code::Done)
}

/// What the template says otherwise than ours of its name, line by line; empty where nothing.
fn diff(ours: &OfHere, template: &Template) -> String {
    let built_in = ours.get(&template.name).map_or("", |template| template.file.as_str());
    let before = format!("built-in/{}.md", template.name);
    TextDiff::from_lines(built_in, &template.file)
        .unified_diff()
        .header(&before, place(template))
        .to_string()
}

/// How a source of a run stands now.
struct Compared {
    then: Source,
    now: Option<Source>,
}

impl Compared {
    fn state(&self) -> &'static str {
        match &self.now {
            None => "not here now",
            Some(now) if now.sha256 == self.then.sha256 => "unchanged",
            Some(_) => "changed",
        }
    }
}

fn since(args: &Args, run: &str, as_json: bool) -> Result<Code, Failure> {
    let (home, store) = runs::journal(&args.workspace.workspace)?;
    let rows = runs::rows(&store)?;
    let row = runs::find(&rows, run)?;
    let record = runs::record(&store, &row.stream)?;
    let now = match row.registration.workspace.as_deref() {
        None => {
            OfHere::read(&args.workspace.workspace)?.by_step.iter().map(prompt_source).collect()
        }
        Some(key) => {
            let episode = Episode::open(&home.root().join(key))?;
            let asset =
                AssetId::parse(&record.subject).map_err(|e| Failure::of(Code::Damaged, &e))?;
            sources(&episode, &asset)?
        }
    };
    let compared: Vec<Compared> = record
        .sources
        .into_iter()
        .map(|then| Compared { now: now.iter().find(|now| now.name == then.name).cloned(), then })
        .collect();
    if as_json {
        let row = |c: &Compared| json!({"name": c.then.name, "state": c.state(), "then": c.then, "now": c.now});
        let rows: Vec<Value> = compared.iter().map(row).collect();
        let fields = json!({"run_id": record.run_id, "asset_id": record.subject, "sources": rows});
        say::json("prompts diff", Code::Done, fields);
        return Ok(Code::Done);
    }
    if compared.is_empty() {
        say::err(&format!("{}: the run names no sources", record.run_id));
    }
    for compared in compared {
        let (name, state) = (&compared.then.name, compared.state());
        let now = compared.now.as_ref().filter(|_| state == "changed");
        let now = now.map_or(String::new(), |now| format!(", now version {}", now.version));
        say::out(&format!("{state}: {name} version {}{now}", compared.then.version));
    }
    Ok(Code::Done)
}

/// Everything that a run of this asset could name now.
fn sources(episode: &Episode, asset: &AssetId) -> Result<Vec<Source>, Failure> {
    let view = episode.view()?;
    let mut sources = agents::rubrics(asset);
    sources.extend(briefing::templates(&episode.root)?.iter().map(prompt_source));
    sources.extend(names_source(&briefing::names(episode, None))?);
    let heard = agents::hear(episode, &view, episode.store()?.as_ref())?;
    sources.extend(heard.map(|heard| heard.source));
    Ok(sources)
}
