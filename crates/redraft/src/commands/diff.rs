//! `redraft podcast diff`: two versions of an asset word by word, with the issues under the lines they speak of.
//!
//! Invariant: nothing is written, and no issue is left out: what has no place in the text stands at the end.
//! Absent here: the comparison itself.

mod page;

use super::{
    WorkspaceArg, slips,
    versions::{Version, selected, versions},
};
use crate::{
    exit::{Code, Failure},
    say,
};
pub(super) use page::Page;
use redraft_workflows::review::model::AssetId;
use serde_json::{Value, json};

/// Compare two versions of an asset word by word, with the issues their reviews found
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
    /// The asset
    #[arg(value_name = "ASSET")]
    asset: String,
    /// Which versions, as V1..V2: iteration numbers, seed or selected [default: the last two]
    #[arg(value_name = "V1..V2")]
    range: Option<String>,
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let asset = AssetId::parse(&args.asset).map_err(|error| Failure::usage(error.to_string()))?;
    let episode = args.workspace.open()?;
    let view = episode.view()?;
    let state = view.state()?;
    slips::check(&episode, &view, std::slice::from_ref(&asset))?;
    let mut known = versions(&view, &state, &asset);
    let (before, after) = match &args.range {
        None => last_two(&known, &asset)?,
        Some(range) => {
            known.extend(selected(&view, &state, &asset));
            named(range, &known, &asset)?
        }
    };
    let page = Page::of(before, after);
    if as_json {
        say::json("podcast diff", Code::Done, fields(&asset, before, after, &page));
        return Ok(Code::Done);
    }
    say::out(&format!("Asset: {asset}"));
    say::out(&format!("From: {}", title(before)));
    say::out(&format!("To: {}", title(after)));
    page.print();
    Ok(Code::Done)
}

/// The comparison as `--json` shows it.
fn fields(asset: &AssetId, before: &Version, after: &Version, page: &Page) -> Value {
    let version = |Version { name, candidate, review }: &Version| {
        let verdict = review.as_ref().map(|review| review.verdict);
        json!({"version": name, "candidate_id": candidate.candidate_id, "verdict": verdict})
    };
    json!({
        "asset_id": asset,
        "from": version(before),
        "to": version(after),
        "rows": page.rows,
        "about_the_whole": page.about_the_whole,
    })
}

fn title(version: &Version) -> String {
    let verdict =
        version.review.as_ref().map(|review| crate::display::verdict_text(review.verdict));
    format!("{} ({})", version.name, verdict.unwrap_or("no review"))
}

fn last_two<'a>(
    known: &'a [Version],
    asset: &AssetId,
) -> Result<(&'a Version, &'a Version), Failure> {
    match known {
        [.., before, after] => Ok((before, after)),
        [_] | [] => {
            let message = format!("{asset}: {} to compare", told(known));
            Err(Failure::usage(message).help("a second version comes with the next iteration"))
        }
    }
}

fn named<'a>(
    range: &str,
    known: &'a [Version],
    asset: &AssetId,
) -> Result<(&'a Version, &'a Version), Failure> {
    let (before, after) = range.split_once("..").ok_or_else(|| {
        Failure::usage(format!("{range}: is no range of versions"))
            .help("write V1..V2, such as 1..2 or seed..selected")
    })?;
    let find = |name: &str| {
        known.iter().find(|version| version.name == name).ok_or_else(|| {
            let message = format!("{asset}: there is no version {name}; there is {}", told(known));
            Failure::usage(message).help("name two of them, as V1..V2")
        })
    };
    Ok((find(before)?, find(after)?))
}

/// The versions that there are, in words.
fn told(known: &[Version]) -> String {
    let names: Vec<&str> = known.iter().map(|version| version.name.as_str()).collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => format!("only {one}"),
        _ => names.join(", "),
    }
}
