//! `redraft adopt`: takes a person's change of a file into the journal.

use super::{WorkspaceArg, block_on, files::is_as_written, person};
use crate::{
    clock,
    episode::{Episode, Expected, Shared, View, expected, read_text},
    exit::{Code, Failure},
    say,
};
use redraft_engine::sha256;
use redraft_workflows::review::{
    kept,
    model::{AssetId, Candidate, ProvenanceRef, TextFormat},
    workspace::{Drafted, FileAdopted, Picked, WorkspaceFact},
};
use serde_json::json;
use std::collections::BTreeMap;

/// Take your change of a file into the journal: an edited text becomes a candidate of yours
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
    /// The changed file, relative to the workspace
    #[arg(value_name = "FILE")]
    file: String,
    /// Who changed it [default: the user's name]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let episode = args.workspace.open()?;
    episode.files.resolve(&args.file)?;
    let view = episode.view()?;
    let store = episode.store()?.filter(|_| view.exists()).ok_or_else(|| {
        Failure::usage(format!(
            "{}: the journal does not know this workspace",
            episode.root.display()
        ))
    })?;
    let known = expected(&view, &store)?;
    let own = own_selection(&args.file);
    let Some(file) = known.get(&args.file).or(own.as_ref()) else {
        return Err(Failure::usage(format!("{}: not a file that Redraft wrote", args.file))
            .help("name it relative to the workspace, such as copy/selected/slug.txt"));
    };
    if is_as_written(&episode.files, &args.file, file)? {
        return Err(Failure::usage(format!(
            "{}: is as Redraft wrote it; there is no change",
            args.file
        )));
    }
    let (facts, contents) = facts(args, &episode, &view, file)?;
    let shared = Shared::of(&episode)?;
    block_on(async {
        for fact in &facts {
            shared.desk.append(fact, contents.clone()).await?;
        }
        Ok(())
    })?;
    bring_up_to_date(&shared, &known)?;
    if as_json {
        say::json("adopt", Code::Done, json!({"file": args.file, "by": person(args.by.as_ref())}));
    } else {
        say::out(&format!("Adopted: {}", args.file));
    }
    Ok(Code::Done)
}

/// A text of a person's own in a selection's place is taken in too.
fn own_selection(path: &str) -> Option<Expected> {
    let name = path.strip_prefix("copy/selected/")?;
    let (asset, _) = name.split_once('.')?;
    let asset = AssetId::parse(asset).ok()?;
    Some(Expected { bytes: Vec::new(), asset: Some(asset), is_input: false })
}

type Facts = (Vec<WorkspaceFact>, Vec<Vec<u8>>);

fn facts(args: &Args, episode: &Episode, view: &View, file: &Expected) -> Result<Facts, Failure> {
    let by = person(args.by.as_ref());
    if args.file.ends_with(".json") {
        let message =
            format!("{}: is a projection of the journal and cannot be changed by hand", args.file);
        return Err(Failure::usage(message).help("redraft repair restores it"));
    }
    let text = read_text(&episode.files, &args.file, Code::Usage)?;
    match (&file.asset, text) {
        (Some(asset), Some(text)) if args.file.starts_with("copy/") => {
            let candidate = candidate(args, asset, text, view, &by)?;
            let drafted =
                Drafted { at: clock::now(), by: by.clone(), candidates: vec![candidate.clone()] };
            let mut facts = vec![WorkspaceFact::Drafted(drafted)];
            if args.file.starts_with("copy/selected/") {
                facts.push(WorkspaceFact::Picked(Picked {
                    at: clock::now(),
                    by,
                    asset_id: asset.clone(),
                    candidate_id: candidate.candidate_id,
                }));
            }
            Ok((facts, Vec::new()))
        }
        (_, text) => {
            let sha256 = text.as_ref().map(sha256);
            let adopted = FileAdopted { at: clock::now(), by, path: args.file.clone(), sha256 };
            let contents = text.map(String::into_bytes).into_iter().collect();
            Ok((vec![WorkspaceFact::FileAdopted(adopted)], contents))
        }
    }
}

/// The edited text as a candidate of the person's own.
fn candidate(
    args: &Args,
    asset: &AssetId,
    text: String,
    view: &View,
    by: &str,
) -> Result<Candidate, Failure> {
    let extension = args.file.rsplit('.').next().unwrap_or_default();
    let format = TextFormat::ALL.into_iter().find(|format| format.extension() == extension);
    let state = view.state()?;
    let sources = state.asset(asset).into_iter().flat_map(|asset| &asset.candidates);
    let derived = format == Some(TextFormat::Html)
        && sources.into_iter().any(|candidate| candidate.format == TextFormat::Markdown);
    let format = format.filter(|_| !derived).ok_or_else(|| {
        Failure::usage(format!("{}: is derived from the Markdown beside it", args.file))
            .help("change the .md file and adopt that")
    })?;
    let created_at = jiff::Timestamp::from_microsecond(clock::now().0).unwrap_or_default();
    let reference = "adopt".to_owned();
    let metadata =
        BTreeMap::from([("by".to_owned(), json!(by)), ("file".to_owned(), json!(args.file))]);
    Ok(Candidate {
        asset_id: asset.clone(),
        candidate_id: kept::named_uuid(&format!("adopted:{asset}:{created_at}:{text}")),
        content: text,
        created_at,
        format,
        provenance: vec![ProvenanceRef {
            created_at: None,
            kind: "person".into(),
            metadata,
            reference,
        }],
    })
}

/// Writes what the journal has now. The person's text stands in a candidate of its own, so nothing is lost.
fn bring_up_to_date(shared: &Shared, before: &BTreeMap<String, Expected>) -> Result<(), Failure> {
    let mut view = View::default();
    view.refresh(&shared.desk.store, &shared.desk.key)?;
    let now = expected(&view, &shared.desk.store)?;
    for path in before.keys().filter(|path| !now.contains_key(*path)) {
        if path.starts_with("copy/selected/") {
            shared.files.remove(path)?;
        }
    }
    let writes: Vec<(&String, &Vec<u8>)> = now
        .iter()
        .filter(|(path, file)| {
            !file.is_input && before.get(*path) != Some(file) || path.starts_with("copy/")
        })
        .map(|(path, file)| (path, &file.bytes))
        .collect();
    shared.files.write_all(&writes)?;
    block_on(shared.mark(&view))
}
