//! The talk with a person who picks: which asset, which candidate, and what differs.
//!
//! Invariant: whatever is typed, nothing is written here; leaving is always possible, and the end of the input leaves.
//! Absent here: recording the pick.

use crate::{
    commands::{
        diff::Page,
        versions::{self, Version},
    },
    episode::{Episode, View},
    exit::Failure,
    say,
};
use redraft_workflows::review::{
    best,
    model::{AssetId, Candidate, EpisodeWorkspace, IssueSeverity},
    protocol::LoopOutcome,
};
use uuid::Uuid;

/// How many lines of a candidate the list shows, and how much of each.
const OPENING: (usize, usize) = (3, 76);

/// What a person may answer.
enum Answer {
    Pick(usize),
    Compare(usize),
    Show(usize),
    Leave,
    Unclear,
}

/// Asks for an asset, unless one is given, and for one of its candidates; `None` when the person leaves.
pub(super) fn ask(
    episode: &Episode,
    asset: Option<AssetId>,
) -> Result<Option<(AssetId, Uuid)>, Failure> {
    let view = episode.view()?;
    let state = view.state()?;
    let Some(asset) = asset.or_else(|| ask_asset(episode, &view, &state)) else { return Ok(None) };
    let candidates = candidates(&view, &state, &asset);
    if candidates.is_empty() {
        let help = format!("redraft podcast review {} --asset-id {asset}", say::at(&episode.root));
        return Err(Failure::usage(format!("{asset}: there is no candidate yet")).help(help));
    }
    let selected = state.asset(&asset).and_then(|asset| asset.selected_candidate_id);
    let run = view.current_run(&asset).map(|stored| &stored.run);
    let best = run.and_then(|run| best::of_run(&asset, run)).map(|best| best.candidate_id);
    list(&asset, &candidates, selected, best);
    Ok(ask_candidate(&candidates).map(|id| (asset, id)))
}

/// Which of the assets that wait for a person; the only one is taken as it is.
fn ask_asset(episode: &Episode, view: &View, state: &EpisodeWorkspace) -> Option<AssetId> {
    let waits = |asset: &AssetId| {
        let outcome = view.decision(asset).map(|decision| decision.outcome);
        outcome == Some(LoopOutcome::NeedsHuman) && view.workspace.pick_since_end(asset).is_none()
    };
    let ids = state.assets.iter().map(|asset| &asset.asset_id);
    let waiting: Vec<&AssetId> = ids.filter(|asset| waits(asset)).collect();
    match waiting.as_slice() {
        [] => {
            let at = say::at(&episode.root);
            say::out("No asset waits for a person.");
            say::out(&format!("To select another text: redraft podcast pick {at} --asset-id ID"));
            None
        }
        [only] => Some((*only).clone()),
        _ => ask_which(&waiting).cloned(),
    }
}

fn ask_which<'a>(waiting: &[&'a AssetId]) -> Option<&'a AssetId> {
    say::out("These assets wait for a person:");
    for (n, asset) in (1..).zip(waiting) {
        say::out(&format!("{n:3}  {asset}"));
    }
    loop {
        match answer("Which one? (a number; q leaves)") {
            Answer::Leave => return None,
            Answer::Pick(n) if n <= waiting.len() => return Some(waiting[n - 1]),
            Answer::Pick(_) | Answer::Compare(_) | Answer::Show(_) | Answer::Unclear => {
                say::out(&format!("Type a number from 1 to {}, or q.", waiting.len()));
            }
        }
    }
}

/// The candidates of an asset under their numbers, newest last.
fn candidates(view: &View, state: &EpisodeWorkspace, asset: &AssetId) -> Vec<Version> {
    let mut reviews = versions::reviews(view, asset);
    let known = state.asset(asset).into_iter().flat_map(|asset| &asset.candidates);
    let mut candidates: Vec<_> = known.cloned().collect();
    // Those of one moment stay in the order in which they were written.
    candidates.sort_by_key(|candidate| candidate.created_at);
    let version = |(n, candidate): (usize, Candidate)| Version {
        name: n.to_string(),
        review: reviews.remove(&candidate.candidate_id),
        candidate,
    };
    (1..).zip(candidates).map(version).collect()
}

fn list(asset: &AssetId, candidates: &[Version], selected: Option<Uuid>, best: Option<Uuid>) {
    say::out(&format!("Asset: {asset}"));
    for Version { name, candidate, review } in candidates {
        let mark = if selected == Some(candidate.candidate_id) { "*" } else { " " };
        let verdict = review.as_ref().map(|review| {
            let errors = review.blocking().count();
            let weighs = |severity| review.issues.iter().filter(|i| i.severity == severity).count();
            let warnings = weighs(IssueSeverity::Warning);
            let verdict = crate::display::verdict_text(review.verdict);
            format!("{verdict}, errors: {errors}, warnings: {warnings}")
        });
        let verdict = verdict.unwrap_or_else(|| "not reviewed".to_owned());
        say::out("");
        let offered = if best == Some(candidate.candidate_id) { ", the best so far" } else { "" };
        say::out(&format!("{mark}{name:>2}  {verdict}{offered}  ({})", candidate.created_at));
        let (lines, width) = OPENING;
        for line in candidate.content.lines().filter(|line| !line.trim().is_empty()).take(lines) {
            let opening: String = line.chars().take(width).collect();
            let cut = if opening.len() < line.len() { "…" } else { "" };
            say::out(&format!("    {opening}{cut}"));
        }
    }
    say::out("");
}

fn ask_candidate(candidates: &[Version]) -> Option<Uuid> {
    let newest = candidates.last()?;
    let of = |n: usize| {
        let found = candidates.get(n - 1);
        if found.is_none() {
            say::out(&format!("There is no {n}: type a number from 1 to {}.", candidates.len()));
        }
        found
    };
    let question = "Which one? (a number; d N compares with the newest; s N shows it; q leaves)";
    loop {
        match answer(question) {
            Answer::Leave => return None,
            Answer::Pick(n) => {
                if let Some(version) = of(n) {
                    return Some(version.candidate.candidate_id);
                }
            }
            Answer::Compare(n) if n == candidates.len() => say::out(&format!("{n} is the newest.")),
            Answer::Compare(n) => of(n).into_iter().for_each(|v| Page::of(v, newest).print()),
            Answer::Show(n) => of(n).into_iter().for_each(show),
            Answer::Unclear => say::out("Type a number, d and a number, s and a number, or q."),
        }
    }
}

fn show(version: &Version) {
    say::out("");
    version.candidate.content.lines().for_each(|line| say::out(&format!("  {line}")));
    for issue in version.review.iter().flat_map(|review| &review.issues) {
        let weight = match issue.severity {
            IssueSeverity::Error => "error",
            IssueSeverity::Warning => "warning",
        };
        say::out(&format!("      ^ {weight}: {}", issue.message));
    }
    say::out("");
}

fn answer(question: &str) -> Answer {
    let Some(line) = say::ask(question) else {
        // The cursor still stands behind the question.
        say::out("");
        return Answer::Leave;
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |word: &str| word.parse().ok().filter(|n| *n > 0);
    let found = match words.as_slice() {
        ["q" | "quit"] => Some(Answer::Leave),
        ["d", word] => number(word).map(Answer::Compare),
        ["s", word] => number(word).map(Answer::Show),
        [word] => number(word).map(Answer::Pick),
        _ => None,
    };
    found.unwrap_or(Answer::Unclear)
}
