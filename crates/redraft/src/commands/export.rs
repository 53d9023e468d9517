//! `redraft podcast export`: the selected texts and chapters as files a publisher takes.
//!
//! Invariant: what is exported is what the journal has as selected; a selection that somebody changed on disk is not
//! passed over, it ends the command.
//! Absent here: the formats themselves, and any sending of files.

mod report;
mod target;

use super::{WorkspaceArg, files::check_changes, stale};
use crate::exit::{Code, Failure};
use redraft_workflows::{
    episode::export::{Document, Format, Part},
    review::{
        export::{self, Selected},
        files,
        model::TextFormat,
    },
};
use report::Report;
use std::{collections::BTreeSet, path::PathBuf};
use target::Target;

/// Write the selected texts and chapters as files a publisher takes
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
    /// The formats
    #[arg(long, value_name = "FORMAT", num_args = 1.., value_delimiter = ',', default_value = ALL, value_parser = NAMES)]
    format: Vec<String>,
    /// The folder to write to [default: auphonic/outputs of the workspace]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Write over files that stand in a folder outside the workspace
    #[arg(long)]
    replace: bool,
}

const ALL: &str = "all";
const NAMES: [&str; 7] =
    ["auphonic", "chapters", "podlove", "youtube", "ffmetadata", "markdown", ALL];

/// A format and what was made of it: a document, or nothing for want of what it needs.
struct Made {
    format: Format,
    document: Option<Document>,
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let episode = args.workspace.open()?;
    let view = episode.view()?;
    let state = view.state()?;
    let formats = args.formats();
    let parts: BTreeSet<Part> = formats
        .iter()
        .flat_map(|format| format.needs().iter().chain(format.takes()))
        .copied()
        .collect();
    let selected = export::selected(&state, &parts);
    let texts = selected
        .candidates
        .keys()
        .flat_map(|asset| TextFormat::ALL.map(|format| files::selection_path(asset, format)));
    check_changes(&episode, &view, texts)?;
    let made = made(&formats, &selected)?;
    let target = Target::of(&episode, args.output.as_deref(), args.replace)?;
    if made.iter().any(|made| made.document.is_some()) {
        target.write(&episode, &view, &made, &selected.candidates)?;
    }
    let report = Report::of(&episode, &view, &state, &target, &made, &selected);
    stale::warn(&episode, &view, &report.stale)?;
    Ok(report.tell(args.code(&made), as_json))
}

fn made(formats: &[Format], selected: &Selected) -> Result<Vec<Made>, Failure> {
    let mut made = Vec::new();
    for format in formats {
        let document = format.write(&selected.export);
        let document = document.map_err(|error| Failure::of(Code::Failure, &error))?;
        made.push(Made { format: *format, document });
    }
    Ok(made)
}

impl Args {
    fn formats(&self) -> Vec<Format> {
        let wanted =
            |format: &Format| self.format.iter().any(|name| name == ALL || name == format.name());
        Format::ALL.into_iter().filter(wanted).collect()
    }

    /// A person has to act where nothing could be written, or where a format was asked for by name and could not.
    fn code(&self, made: &[Made]) -> Code {
        let written = made.iter().filter(|made| made.document.is_some()).count();
        let named = !self.format.iter().any(|name| name == ALL);
        match written == 0 || named && written < made.len() {
            true => Code::Waiting,
            false => Code::Done,
        }
    }
}
