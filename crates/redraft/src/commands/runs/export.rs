//! `redraft runs export`: one run as a page of its own, for whoever has no journal.
//!
//! Invariant: the page is written whole or not at all, and over nothing but an earlier page of the same run, unless a
//! person says so.
//! Absent here: what stands in the page; see `crate::page`.

use super::{Where, find, journal, record::read, rows};
use crate::{
    episode::LARGEST_FILE,
    exit::{Code, Failure},
    page, say,
};
use redraft_engine::RunRecord;
use redraft_store::WorkspaceFiles;
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    #[command(flatten)]
    at: Where,
    /// The run's id, or the beginning of it
    run: String,
    /// As one page of HTML, without scripts, and with nothing to load
    #[arg(long)]
    html: bool,
    /// The file to write to, `-` for stdout [default: run_RUN.html in the present folder]
    #[arg(long, short = 'o', alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write over a file that is no page of this run
    #[arg(long)]
    replace: bool,
}

pub(super) fn run(args: &Export, as_json: bool) -> Result<Code, Failure> {
    if !args.html {
        return Err(Failure::usage("say as what the run is exported: --html is what there is")
            .help("redraft runs record RUN prints the whole record as JSON"));
    }
    let to_stdout = args.output.as_deref() == Some(Path::new("-"));
    if to_stdout && as_json {
        return Err(Failure::usage("--output - and --json both want stdout")
            .help("name a file with --output, or leave one of them out"));
    }
    let (_, store) = journal(&args.at.workspace)?;
    let (record, own) = read(&store, &find(&rows(&store)?, &args.run)?.stream)?;
    let html = page::page(&record, own.as_ref())
        .map_err(|error| Failure::new(Code::Failure, format!("run {}: {error}", record.run_id)))?;
    if to_stdout {
        say::file(&html);
        return Ok(Code::Done);
    }
    let standard = || PathBuf::from(format!("run_{}.html", record.run_id));
    let path = args.output.clone().unwrap_or_else(standard);
    write(&path, &html, &record, args.replace)?;
    let (place, run) = (path.display().to_string(), &record.run_id);
    match as_json {
        true => {
            let file = json!({"format": "html", "path": place, "bytes": html.len()});
            say::json("runs export", Code::Done, json!({"run_id": run, "files": [file]}));
        }
        false => say::out(&format!("Written: {place}")),
    }
    Ok(Code::Done)
}

/// Writes the page, if nobody's file stands in its place.
fn write(path: &Path, html: &str, record: &RunRecord, replace: bool) -> Result<(), Failure> {
    let refused = |why: &str| Failure::usage(format!("--output {}: {why}", path.display()));
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.filter(|_| !path.is_dir()).ok_or_else(|| refused("is no name of a file"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder
        .unwrap_or(Path::new("."))
        .canonicalize()
        .map_err(|_| refused("there is no such folder").help("make it first"))?;
    let is_private = |part: &Path| {
        part.file_name().is_some_and(|name| {
            [".redraft", ".git"].iter().any(|private| name.eq_ignore_ascii_case(private))
        })
    };
    if folder.ancestors().any(is_private) {
        return Err(refused("belongs to a journal or a repository"));
    }
    let files = WorkspaceFiles::open(&folder)?;
    let found = files.read(name, LARGEST_FILE)?;
    let ours = |found: &Vec<u8>| page::is_page_of(&String::from_utf8_lossy(found), record);
    if !replace && found.is_some_and(|found| !ours(&found)) {
        return Err(refused("is there, and is no page of this run")
            .help("add --replace to write over it, or name another file"));
    }
    files.write(name, html.as_bytes())?;
    Ok(files.sync()?)
}
