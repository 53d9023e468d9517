//! What became of one asset: read from `status --json` and from the workspace's protocol.
//!
//! Why also the protocol: a second iteration alone does not prove that the text changed.

use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The end of one asset's loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Which asset.
    pub(super) asset: String,
    /// `converged`, `needs_human` or `in_progress`.
    pub(super) outcome: String,
    /// The reason that the decision gives.
    pub(super) reason: String,
    /// The last iteration.
    pub(super) iteration: u64,
    /// Whether the text after the first review is another one than before it.
    pub(super) changed: bool,
    /// Messages of the issues that still block it.
    pub(super) blocking: Vec<String>,
}

impl Outcome {
    pub(super) fn converged(&self) -> bool {
        self.outcome == "converged"
    }
}

/// Reads all assets of a workspace.
pub(super) fn read(status: &str, workspace: &Path) -> Result<Vec<Outcome>> {
    let mut outcomes = parse(status)?;
    for outcome in &mut outcomes {
        let texts = texts(&workspace.join("copy/protocol").join(&outcome.asset))?;
        outcome.changed = texts.windows(2).any(|pair| pair[0] != pair[1]);
    }
    Ok(outcomes)
}

/// The one place that knows the JSON of `podcast status --json`, schema version 1.
fn parse(status: &str) -> Result<Vec<Outcome>> {
    let status: Value = serde_json::from_str(status)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let asset = |asset: &Value| Outcome {
        asset: text(&asset["asset_id"]),
        outcome: text(&asset["outcome"]),
        reason: text(&asset["reason"]),
        iteration: asset["iteration"].as_u64().unwrap_or_default(),
        changed: false,
        blocking: asset["blocking"]
            .as_array()
            .map(|issues| issues.iter().map(|issue| text(&issue["message"])).collect())
            .unwrap_or_default(),
    };
    let assets = status["assets"].as_array().context("it has no list `assets`")?;
    Ok(assets.iter().map(asset).collect())
}

/// The candidates' texts of `iteration_NN.json` in order; none where nothing was reviewed.
fn texts(protocol: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for number in 1..=99 {
        let path = protocol.join(format!("iteration_{number:02}.json"));
        if !path.exists() {
            break;
        }
        let json = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        let iteration: Value =
            serde_json::from_str(&json).with_context(|| format!("{}", path.display()))?;
        texts.push(iteration["creator"]["candidate"]["content"].to_string());
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str = r#"{"schema_version": 1, "assets": [
        {"asset_id": "slug", "iteration": 2, "max_iterations": 3, "verdict": "ok",
         "outcome": "converged", "reason": "reviewer_ok_and_creator_done", "blocking": []},
        {"asset_id": "mastodon", "iteration": 3, "outcome": "needs_human",
         "reason": "iteration_limit", "blocking": [{"code": "too_long", "message": "too long"}]}]}"#;

    #[test]
    fn status_tells_outcome_reason_and_what_blocks() {
        let outcomes = parse(STATUS).unwrap();
        assert!(outcomes[0].converged());
        assert_eq!((outcomes[1].iteration, outcomes[1].reason.as_str()), (3, "iteration_limit"));
        assert_eq!(outcomes[1].blocking, ["too long"]);
        assert!(parse("{}").is_err());
    }

    #[test]
    fn an_asset_changed_when_a_later_text_differs() {
        let workspace =
            std::env::temp_dir().join(format!("redraft-outcome-{}", std::process::id()));
        for (asset, texts) in [("slug", ["a", "a"]), ("mastodon", ["a", "b"])] {
            let folder = workspace.join("copy/protocol").join(asset);
            fs::create_dir_all(&folder).unwrap();
            for (at, text) in texts.iter().enumerate() {
                let json = format!(r#"{{"creator": {{"candidate": {{"content": "{text}"}}}}}}"#);
                fs::write(folder.join(format!("iteration_0{}.json", at + 1)), json).unwrap();
            }
        }
        let changed: Vec<_> =
            read(STATUS, &workspace).unwrap().iter().map(|outcome| outcome.changed).collect();
        fs::remove_dir_all(&workspace).unwrap();
        assert_eq!(changed, [false, true]);
    }
}
