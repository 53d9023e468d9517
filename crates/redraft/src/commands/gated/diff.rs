//! `redraft gated diff`: code and reviews of two iterations, side by side.
//!
//! Invariant: nothing is written; what was approved is shown as the journal has it, what waits as it stands in the folder.
//! Absent here: the comparison itself; see `redraft_workflows::gated::change`.

mod printed;

use super::Where;
use crate::{
    exit::{Code, Failure},
    gated::Desk,
    say,
};
use redraft_workflows::{
    gated::{
        Code as Sources, Reviewed,
        change::{Became, became, diff},
        profile::Phase,
    },
    pair::patch::{self, FileChange, Line},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Code and reviews of an iteration beside those of the one before
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session; the beginning of its id is enough
    id: String,
    /// The later of the two iterations [default: the newest that has code]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    iteration: Option<u32>,
    #[command(flatten)]
    place: Where,
}

/// What an iteration has.
struct Version {
    iteration: u32,
    code: Sources,
    review: Option<Reviewed>,
}

/// Two iterations against each other; the first has none before it.
struct Compared {
    before: Option<Version>,
    after: Version,
    became: BTreeMap<String, Became>,
    diff: String,
}

pub(super) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let desk = args.place.look(&args.id)?;
    let iteration = chosen(&desk, args.iteration)?;
    let none = Sources::new();
    let after = version(&desk, iteration)?;
    let before = match iteration {
        1 => None,
        later => Some(version(&desk, later - 1)?),
    };
    let old = before.as_ref().map_or(&none, |before| &before.code);
    let (became, diff) = (became(old, &after.code), diff(old, &after.code));
    let compared = Compared { before, after, became, diff };
    if as_json {
        say::json_line("gated diff", Code::Done, fields(&desk, &compared));
        return Ok(Code::Done);
    }
    say::out(&format!("Session: {}", desk.id()));
    printed::print(&compared);
    Ok(Code::Done)
}

/// The iteration that is named, or the newest that has code.
fn chosen(desk: &Desk, named: Option<u32>) -> Result<u32, Failure> {
    let session = &desk.session;
    let known = (1..=session.iteration()).rev().find(|n| session.code_of(*n).is_some());
    let id = desk.id();
    let Some(newest) = known else {
        let failure = Failure::usage(format!("session {id} has no code yet"));
        return Err(match session.state.is_open() {
            true => failure.help(format!("it comes with the generation: redraft gated step {id}")),
            false => failure,
        });
    };
    match named {
        Some(named) if named > newest => {
            let there_is = match newest {
                1 => "iteration 1".to_owned(),
                newest => format!("iterations 1 to {newest}"),
            };
            let message = format!(
                "session {id} has no code of iteration {named}; there is code of {there_is}"
            );
            Err(Failure::usage(message).help("name one of them with --iteration"))
        }
        Some(named) => Ok(named),
        None => Ok(newest),
    }
}

/// An iteration as it stands.
fn version(desk: &Desk, iteration: u32) -> Result<Version, Failure> {
    let session = &desk.session;
    let waits = session.at_gate().and(session.asked()).filter(|_| session.iteration() == iteration);
    let standing = match waits {
        Some(_) => Some(desk.folder.standing(session)?),
        None => None,
    };
    let (mut code, mut edited) = (None, None);
    if let (Some((phase, _)), Some(standing)) = (waits, standing) {
        match phase {
            Phase::Generation | Phase::Revision => code = standing.code,
            Phase::Review => edited = standing.response,
            Phase::Planning => {}
        }
    }
    Ok(Version {
        iteration,
        code: code.or_else(|| session.code_of(iteration)).unwrap_or_default(),
        review: session.reviewed(iteration, edited.as_deref()),
    })
}

/// The comparison for a program.
fn fields(desk: &Desk, compared: &Compared) -> Value {
    let Compared { before, after, became, diff } = compared;
    let side =
        |version: &Version| json!({"iteration": version.iteration, "review": version.review});
    let changes = patch::read(diff);
    let file = |(name, became): (&String, &Became)| {
        let change = changes.iter().find(|change| change.path() == name);
        let (inserted, removed) = change.map(FileChange::counts).unwrap_or_default();
        let hunks: Vec<Value> = change.iter().flat_map(|change| &change.hunks).map(hunk).collect();
        json!({"name": name, "became": became, "inserted": inserted, "removed": removed, "hunks": hunks})
    };
    json!({
        "session_id": desk.id().as_str(),
        "from": before.as_ref().map(side),
        "to": side(after),
        "files": became.iter().map(file).collect::<Vec<_>>(),
    })
}

fn hunk(hunk: &patch::Hunk<'_>) -> Value {
    let line = |line: &Line<'_>| match *line {
        Line::Kept { old, new, text } => {
            json!({"line": "kept", "old": old, "new": new, "text": text})
        }
        Line::Removed { old, text } => json!({"line": "removed", "old": old, "text": text}),
        Line::Inserted { new, text } => json!({"line": "inserted", "new": new, "text": text}),
        Line::Note(text) => json!({"line": "note", "text": text}),
    };
    json!({"head": hunk.head, "lines": hunk.lines.iter().map(line).collect::<Vec<_>>()})
}
