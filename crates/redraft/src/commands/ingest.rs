//! `redraft podcast ingest`: takes a transcript in, with its chapters.

use super::{WorkspaceArg, block_on, files::check_changes, stale};
use crate::{
    clock,
    episode::{Episode, Shared, View},
    exit::{Code, Failure},
    say,
};
use redraft_agents::offline;
use redraft_engine::sha256;
use redraft_loop::Hash;
use redraft_workflows::{
    episode::{
        Chapter, Transcript, chapters,
        chunks::{self, Chunk},
        transcript,
    },
    review::{
        files::FileChange,
        json,
        model::{Chapter as StateChapter, Track},
        workspace::{Ingested, SourceFile, WorkspaceFact},
    },
};
use serde::Serialize;
use serde_json::json;
use std::{
    collections::BTreeMap,
    io::Read,
    path::{Path, PathBuf},
};

/// Take a transcript in: plain text, Markdown, WebVTT, SRT or Podcasting 2.0 JSON
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
    /// The transcript
    #[arg(long, value_name = "FILE")]
    transcript: PathBuf,
    /// Take the place of another transcript; texts that were decided on it are then marked as stale
    #[arg(long)]
    replace: bool,
    /// Its chapters; without them they come from the transcript's markers
    #[arg(long, value_name = "FILE")]
    chapters: Option<PathBuf>,
}

/// The most characters of a chunk.
pub(crate) const CHUNK: usize = 6_000;
/// The largest file that is read at all; the parsers have tighter limits of their own.
const LARGEST: u64 = 64 * 1024 * 1024;

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let episode = args.workspace.open()?;
    let heard = Given::read(args)?;
    refuse_another(args, &episode, &heard)?;
    let written = heard.files()?;
    take_in(&episode, &heard, &written)?;
    let view = episode.view()?;
    let stale = stale::of_workspace(&view);
    let (turns, speakers) = (heard.transcript.turns.len(), heard.transcript.speakers());
    let fields = json!({
        "workspace": episode.root.display().to_string(),
        "turns": turns,
        "speakers": speakers,
        "chapters": heard.chapters.len(),
        "chunks": heard.chunks.len(),
        "links": heard.transcript.links.len(),
        "stale": stale,
    });
    if as_json {
        say::json("podcast ingest", Code::Done, fields);
    } else {
        say::out(&format!("Workspace: {}", episode.root.display()));
        let counts = [
            (turns, "turn"),
            (speakers.len(), "speaker"),
            (heard.chapters.len(), "chapter"),
            (heard.chunks.len(), "chunk"),
        ];
        let counts = counts.map(|(n, thing)| say::count(n, thing));
        say::out(&format!("Transcript: {}", counts.join(", ")));
        stale::warn(&episode, &view, &stale)?;
    }
    Ok(Code::Done)
}

/// Another transcript under decided texts would make them texts about something else.
fn refuse_another(args: &Args, episode: &Episode, given: &Given) -> Result<(), Failure> {
    let view = episode.view()?;
    let other =
        view.workspace.ingested().filter(|known| known.source.sha256 != sha256(&given.bytes));
    if let Some(other) = other.filter(|_| !args.replace && !view.runs.is_empty()) {
        let (root, name) = (episode.root.display(), &other.source.name);
        let message = format!("{root}: its texts are written from another transcript ({name})");
        return Err(Failure::usage(message).help(
            "make a new workspace, or add --replace: what was decided then counts as stale",
        ));
    }
    Ok(())
}

/// What a person gave, read.
struct Given {
    name: String,
    bytes: Vec<u8>,
    transcript: Transcript,
    chapters: Vec<Chapter>,
    chapters_text: Option<(String, Vec<u8>)>,
    chunks: Vec<Chunk>,
}

/// `transcript/chunks/<id>.json`, in the contract's words.
#[derive(Serialize)]
struct ChunkMeta<'a> {
    chunk_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_sec: Option<f64>,
    text_relpath: String,
    version: u32,
}

/// Reads a file that a person named, up to a bound: its size may not be known, or not true.
pub(crate) fn read(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    let failed = |error: std::io::Error| Failure::in_file(Code::Usage, path, &error);
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        let message =
            format!("{}: it has more than {LARGEST} bytes, which is too much", path.display());
        return Err(Failure::usage(message));
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok((name.unwrap_or_default(), bytes))
}

impl Given {
    fn read(args: &Args) -> Result<Self, Failure> {
        let (name, bytes) = read(&args.transcript)?;
        let bad = |error| Failure::in_file(Code::Usage, &args.transcript, &error);
        let transcript = transcript::parse(&name, &bytes).map_err(bad)?;
        let chapters_text = args.chapters.as_deref().map(read).transpose()?;
        let chapters = match (&chapters_text, &args.chapters) {
            (Some((name, bytes)), Some(path)) => chapters::parse(name, bytes)
                .map_err(|error| Failure::in_file(Code::Usage, path, &error))?,
            _ => offline::suggest_chapters(&transcript),
        };
        let chunks = chunks::chunks(&transcript, CHUNK);
        Ok(Self { name, bytes, transcript, chapters, chapters_text, chunks })
    }

    /// The workspace's files for it, path to text.
    fn files(&self) -> Result<BTreeMap<String, String>, Failure> {
        let mut files = BTreeMap::new();
        files.insert("transcript/transcript.txt".to_owned(), text(&self.transcript));
        if !self.chapters.is_empty() {
            files.insert("transcript/chapters.txt".to_owned(), chapter_lines(&self.chapters));
        }
        for chunk in &self.chunks {
            let stem = format!("transcript/chunks/{}", chunk.chunk_id);
            let meta = ChunkMeta {
                chunk_id: &chunk.chunk_id,
                start_sec: chunk.start_sec,
                text_relpath: format!("{stem}.txt"),
                version: 1,
            };
            let meta = json::write(&meta).map_err(|error| Failure::of(Code::Failure, &error))?;
            files.insert(format!("{stem}.txt"), chunk.text.clone());
            files.insert(format!("{stem}.json"), meta);
        }
        Ok(files)
    }

    fn fact(&self, files: &BTreeMap<String, String>) -> Ingested {
        let track = Track {
            label: Some(self.name.clone()),
            path: "transcript/transcript.txt".to_owned(),
            provenance: Vec::new(),
            role: Some("transcript".to_owned()),
            track_id: "transcript".to_owned(),
        };
        Ingested {
            at: clock::now(),
            source: SourceFile { name: self.name.clone(), sha256: sha256(&self.bytes) },
            chapters: self.chapters.iter().cloned().map(StateChapter::from).collect(),
            tracks: vec![track],
            files: hashes(files),
        }
    }
}

/// The hash under which each text is captured.
pub(crate) fn hashes(files: &BTreeMap<String, String>) -> BTreeMap<String, Hash> {
    files.iter().map(|(path, text)| (path.clone(), sha256(text))).collect()
}

fn take_in(
    episode: &Episode,
    given: &Given,
    files: &BTreeMap<String, String>,
) -> Result<(), Failure> {
    episode.admit(files.keys().map(String::as_str).chain(["state.json"]))?;
    let before = episode.view()?;
    check_changes(episode, &before, files.keys())?;
    let fact = WorkspaceFact::Ingested(given.fact(files));
    let mut contents = vec![given.bytes.clone()];
    contents.extend(given.chapters_text.iter().map(|(_, bytes)| bytes.clone()));
    contents.extend(files.values().map(|text| text.clone().into_bytes()));
    let write = |(path, text): (&String, &String)| FileChange::Write {
        path: path.clone(),
        text: text.clone(),
    };
    let mut changes: Vec<FileChange> = files.iter().map(write).collect();
    changes.extend(old_chunks(&before, files));
    let shared = Shared::of(episode)?;
    block_on(shared.record(before.pending.as_ref(), &fact, contents, &changes))
}

/// Chunks of an earlier, longer transcript go.
fn old_chunks(before: &View, files: &BTreeMap<String, String>) -> Vec<FileChange> {
    let old = before.workspace.ingested().into_iter().flat_map(|ingested| ingested.files.keys());
    let gone = old.filter(|path| !files.contains_key(*path));
    gone.map(|path| FileChange::Remove { path: path.clone() }).collect()
}

fn clock_text(seconds: f64) -> String {
    let whole = seconds as u64;
    format!("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
}

fn chapter_lines(chapters: &[Chapter]) -> String {
    chapters.iter().map(|c| format!("{} {}\n", clock_text(c.start_sec), c.title)).collect()
}

fn text(transcript: &Transcript) -> String {
    let mut text = String::new();
    for turn in &transcript.turns {
        let at = turn.start_ms.map(|ms| format!("[{}] ", clock_text(ms as f64 / 1000.0)));
        let who = turn.speaker.as_ref().map(|name| format!("{name}: "));
        text += &format!("{}{}{}\n\n", at.unwrap_or_default(), who.unwrap_or_default(), turn.text);
    }
    text
}
