//! The table of outcomes, as Markdown, and what it falls short of.

use super::Episode;
use super::outcome::Outcome;
use std::fmt::Write;

/// What the project promises for each real episode.
const CONVERGED_AT_LEAST: usize = 11;
const CHANGED_AT_LEAST: usize = 3;

/// Assets down, episodes across, then the totals and what a person has to look at.
pub(super) fn table(episodes: &[Episode]) -> String {
    let mut out = String::from("\n| asset |");
    episodes.iter().for_each(|episode| out += &format!(" {} |", episode.name));
    out += &format!("\n| --- |{}\n", " --- |".repeat(episodes.len()));
    for asset in assets(episodes) {
        row(&mut out, &asset, episodes, |episode| cell(episode, &asset));
    }
    row(&mut out, "**converged**", episodes, |episode| {
        format!("{} of {}", converged(episode), episode.outcomes.len())
    });
    row(&mut out, "**changed**", episodes, |episode| changed(episode).to_string());
    out += "\nnumber: iterations; `*`: the text changed after its first review\n";
    episodes.iter().for_each(|episode| waiting(&mut out, episode));
    out
}

/// One sentence for each promise that an episode breaks.
pub(super) fn shortfalls(episodes: &[Episode]) -> Vec<String> {
    let mut short = Vec::new();
    for episode in episodes {
        let (name, of) = (&episode.name, episode.outcomes.len());
        let (converged, changed) = (converged(episode), changed(episode));
        if converged < CONVERGED_AT_LEAST {
            short.push(format!("{name}: {converged} of {of} converge, not {CONVERGED_AT_LEAST}"));
        }
        if changed < CHANGED_AT_LEAST {
            short.push(format!("{name}: {changed} assets changed, not {CHANGED_AT_LEAST}"));
        }
    }
    short
}

/// Every asset that any episode has, in the order of its first appearance.
fn assets(episodes: &[Episode]) -> Vec<String> {
    let mut assets: Vec<String> = Vec::new();
    for outcome in episodes.iter().flat_map(|episode| &episode.outcomes) {
        if !assets.contains(&outcome.asset) {
            assets.push(outcome.asset.clone());
        }
    }
    assets
}

fn row(out: &mut String, head: &str, episodes: &[Episode], cell: impl Fn(&Episode) -> String) {
    let cells: Vec<String> = episodes.iter().map(cell).collect();
    let _ = writeln!(out, "| {head} | {} |", cells.join(" | "));
}

fn cell(episode: &Episode, asset: &str) -> String {
    let Some(outcome) = episode.outcomes.iter().find(|outcome| outcome.asset == asset) else {
        return "absent".to_owned();
    };
    let mark = if outcome.changed { "*" } else { "" };
    format!("{} {}{mark}", outcome.outcome, outcome.iteration)
}

fn waiting(out: &mut String, episode: &Episode) {
    for outcome in episode.outcomes.iter().filter(|outcome| !outcome.converged()) {
        let (name, asset) = (&episode.name, &outcome.asset);
        let why = outcome.blocking.join("; ");
        let _ = writeln!(out, "{name}: {asset}: {} ({}): {why}", outcome.outcome, outcome.reason);
    }
}

fn converged(episode: &Episode) -> usize {
    episode.outcomes.iter().filter(|outcome| outcome.converged()).count()
}

fn changed(episode: &Episode) -> usize {
    episode.outcomes.iter().filter(|outcome: &&Outcome| outcome.changed).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn episode(converged: usize, changed: usize) -> Episode {
        let outcome = |at: usize| Outcome {
            asset: format!("asset_{at}"),
            outcome: if at < converged { "converged" } else { "needs_human" }.to_owned(),
            reason: "iteration_limit".to_owned(),
            iteration: 2,
            changed: at < changed,
            blocking: vec!["too long".to_owned()],
        };
        Episode { name: "tides".to_owned(), outcomes: (0..13).map(outcome).collect() }
    }

    #[test]
    fn eleven_of_thirteen_and_three_changed_keep_the_promise() {
        assert_eq!(shortfalls(&[episode(11, 3)]), [""; 0]);
        assert_eq!(shortfalls(&[episode(10, 3)]), ["tides: 10 of 13 converge, not 11"]);
        assert_eq!(shortfalls(&[episode(13, 2)]), ["tides: 2 assets changed, not 3"]);
    }

    #[test]
    fn the_table_shows_each_asset_the_totals_and_what_waits() {
        let table = table(&[episode(12, 3)]);
        assert!(table.contains("| asset_0 | converged 2* |"), "{table}");
        assert!(table.contains("| **converged** | 12 of 13 |"), "{table}");
        assert!(table.contains("tides: asset_12: needs_human (iteration_limit): too long"));
    }
}
