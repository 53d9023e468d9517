//! Slips of the pen in an asset's id, told before anybody is paid for them.
//!
//! Why: an id need not be one of the 13 kinds, so that a mistyped one would be reviewed like any other.
//! Invariant: an id that is known to the workspace, or has a rubric in the project, is never a slip.
//! Absent here: what an id may look like.

use crate::{
    briefing,
    episode::{Episode, View},
    exit::Failure,
    say,
};
use redraft_workflows::review::model::{ASSET_KINDS, AssetId};
use std::collections::BTreeSet;

/// Where the rubrics of assets stand among the prompts.
const KINDS: &str = "kinds/";

/// Refuses a new id that is nearly a known one.
pub(crate) fn check(episode: &Episode, view: &View, assets: &[AssetId]) -> Result<(), Failure> {
    if assets.iter().all(|asset| ASSET_KINDS.contains(&asset.as_str())) {
        return Ok(());
    }
    let known = known(episode, view)?;
    for asset in assets.iter().filter(|asset| !known.contains(asset.as_str())) {
        if let Some(meant) = known.iter().find(|name| is_slip(asset.as_str(), name)) {
            let message = format!("{asset}: there is no such asset; did you mean `{meant}`?");
            let help = format!(
                "if it is an asset of its own, give it a rubric first: prompts/review/kinds/{asset}.md; redraft prompts list {} shows those there are",
                say::at(&episode.root)
            );
            return Err(Failure::usage(message).help(help));
        }
    }
    Ok(())
}

/// The 13 kinds, what the project has rubrics for, and what the workspace has texts of.
fn known(episode: &Episode, view: &View) -> Result<BTreeSet<String>, Failure> {
    let templates = briefing::templates(&episode.root)?;
    let rubrics = templates.iter().filter_map(|template| template.name.strip_prefix(KINDS));
    let state = view.state()?;
    let assets = state.assets.iter().map(|asset| asset.asset_id.as_str());
    let runs = view.runs.iter().chain(&view.drafts).map(|stored| stored.asset.as_str());
    let all = ASSET_KINDS.into_iter().chain(rubrics).chain(assets).chain(runs);
    Ok(all.filter(|name| *name != "general").map(str::to_owned).collect())
}

/// Whether one was meant where the other was typed. A number tells things apart that are alike otherwise.
fn is_slip(typed: &str, meant: &str) -> bool {
    let most = if meant.chars().count() > 5 { 2 } else { 1 };
    let bare = |name: &str| name.replace('_', "");
    !is_sibling(typed, meant)
        && !typed.contains(|c: char| c.is_ascii_digit())
        && (strsim::damerau_levenshtein(typed, meant) <= most || bare(typed) == bare(meant))
}

/// Whether both are one text in two languages: they differ in nothing but a last part of two letters, as `_en` and `_de`.
fn is_sibling(typed: &str, meant: &str) -> bool {
    let parts = |name: &str| name.rsplit_once('_').map(|(of, part)| (of.to_owned(), part.len()));
    parts(typed).is_some_and(|(_, letters)| letters == 2) && parts(typed) == parts(meant)
}

#[cfg(test)]
mod tests {
    use super::is_slip;

    #[test]
    fn a_slip_is_one_or_two_letters_and_no_other_word() {
        for (typed, meant) in [
            ("shownote", "shownotes"),
            ("show_notes", "shownotes"),
            ("slgu", "slug"),
            ("linkdin", "linkedin"),
            ("title_soe", "title_seo"),
            ("sumary_en", "summary_en"),
            ("summary_e", "summary_en"),
        ] {
            assert!(is_slip(typed, meant), "{typed}");
        }
        for (typed, meant) in [
            ("description_en", "description"),
            ("slug_2", "slug"),
            ("a1", "a2"),
            ("press", "slug"),
            ("talk", "slug"),
            ("summary_long", "summary_short"),
            ("summary_de", "summary_en"),
            ("description_fr", "description_en"),
        ] {
            assert!(!is_slip(typed, meant), "{typed}");
        }
    }
}
