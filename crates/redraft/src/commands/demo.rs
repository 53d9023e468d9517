//! `redraft demo`: shows the loop on a bundled episode, offline and free.

use super::review;
use crate::{
    cli,
    exit::{Code, Failure},
    say,
};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Show the loop on a bundled episode: scripted first, then all 13 assets by the offline agent
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the demo's workspaces are made
    #[arg(long, value_name = "DIR", default_value = "redraft-demo")]
    dir: PathBuf,
}

const TRANSCRIPT: &str = include_str!("../../demo/episode.md");
const CHAPTERS: &str = include_str!("../../demo/chapters.txt");
const EPISODE: &str = "quiet-machinery";

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let (scripted, episode) = (args.dir.join("scripted"), args.dir.join(EPISODE));
    let sources = args.dir.join("sources");
    for place in [&scripted, &episode, &sources] {
        if place.exists() {
            return Err(Failure::usage(format!("{}: already exists", place.display()))
                .help("choose another folder with --dir, or remove it"));
        }
    }
    let tell = |line: &str| if as_json { say::err(line) } else { say::out(line) };
    tell("1. A scripted loop: the reviewer asks for more, the creator revises, both agree.");
    write_sources(&sources)?;
    review::make_demo_at(&scripted)?;
    podcast(&scripted, "review --fake-runner --asset-id description", as_json)?;
    tell("");
    tell("2. The offline agent writes and reviews all 13 assets of a bundled episode.");
    podcast(&episode, &format!("init --episode-id {EPISODE}"), as_json)?;
    ingest(&episode, &sources, as_json)?;
    podcast(&episode, "summarize", as_json)?;
    // Assets that wait for a person are an outcome of the demo, not a failure of it.
    let code = podcast(&episode, "review --all", as_json)?;
    if code == Code::Interrupted {
        return Err(Failure::new(code, "the demo was interrupted")
            .help(format!("go on with: redraft podcast review {} --all", say::at(&episode))));
    }
    let code = if code == Code::Waiting { Code::Done } else { code };
    if as_json {
        let fields = json!({"scripted": scripted.display().to_string(), "episode": episode.display().to_string(), "next": next(&episode)});
        say::json("demo", code, fields);
    } else {
        say::out("");
        say::out("Next:");
        next(&episode).iter().for_each(|command| say::out(&format!("  {command}")));
    }
    Ok(code)
}

/// The bundled episode as files, so that a reader of the demo can repeat its commands.
fn write_sources(sources: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::in_file(Code::Usage, sources, &error);
    std::fs::create_dir_all(sources).map_err(failed)?;
    std::fs::write(sources.join("episode.md"), TRANSCRIPT).map_err(failed)?;
    std::fs::write(sources.join("chapters.txt"), CHAPTERS).map_err(failed)
}

fn ingest(episode: &Path, sources: &Path, quiet: bool) -> Result<Code, Failure> {
    let (transcript, chapters) = (sources.join("episode.md"), sources.join("chapters.txt"));
    let quoted = |path: &Path| say::quoted(&path.display().to_string());
    let [shown_transcript, shown_chapters] = [quoted(&transcript), quoted(&chapters)];
    let words = format!("ingest --transcript {shown_transcript} --chapters {shown_chapters}");
    shown(&words, episode, quiet);
    let words: [std::ffi::OsString; 5] = [
        "ingest".into(),
        "--transcript".into(),
        transcript.into(),
        "--chapters".into(),
        chapters.into(),
    ];
    cli::play_podcast(words.into_iter().chain(at(episode)), quiet)
}

fn podcast(workspace: &Path, words: &str, quiet: bool) -> Result<Code, Failure> {
    shown(words, workspace, quiet);
    let words = words.split(' ').map(std::ffi::OsString::from);
    cli::play_podcast(words.chain(at(workspace)), quiet)
}

/// The command that is played, as one would type it.
fn shown(words: &str, workspace: &Path, quiet: bool) {
    if !quiet {
        say::out(&format!("$ redraft podcast {words} {}", say::at(workspace)));
    }
}

fn at(workspace: &Path) -> [std::ffi::OsString; 2] {
    ["--workspace".into(), workspace.into()]
}

fn next(episode: &Path) -> [String; 3] {
    let at = say::at(episode);
    [
        format!("redraft podcast status {at}"),
        format!("redraft podcast pick {at} --asset-id slug"),
        format!("redraft runs list {at}"),
    ]
}
