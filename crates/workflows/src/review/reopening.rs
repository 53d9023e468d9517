//! What a reopened run goes on from: the person's wish, and the last review of the closed record.
//!
//! Invariant: both stand in the run's first fact, so that a replay asks what was asked.
//! Absent here: closing a record, which is a fact of the workspace.

use super::model::ReviewIteration;
use redraft_loop::Run;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Why a person had an asset reviewed again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    /// Who.
    pub by: String,
    /// In their words.
    pub reason: String,
}

const WISH: &str = "reopened";
const REVIEW: &str = "closed_review";

/// The settings of a run that goes on from a closed record.
pub fn settings(wish: &Wish, review: Option<&ReviewIteration>) -> Value {
    json!({ WISH: wish, REVIEW: review })
}

/// The wish that a run was reopened with, and the last review of the record before it.
pub fn of(run: &Run) -> (Option<Wish>, Option<ReviewIteration>) {
    let settings = &run.opened().settings;
    let part = |name: &str| settings.get(name).cloned().unwrap_or_default();
    // Both are written by `settings` alone; a part that is absent reads as none.
    let wish = serde_json::from_value(part(WISH)).ok();
    (wish, serde_json::from_value(part(REVIEW)).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Workflow,
        review::{
            Review, kept,
            model::{AssetId, Candidate},
            shape::{self, Bounds},
        },
    };
    use redraft_loop::{Action, Epoch, Limits, Opened, RunId, Time};

    /// What the first call of a run with these settings is asked.
    fn first_prompt(settings: Value) -> Value {
        let asset = AssetId::parse("slug").unwrap();
        let seed: Candidate = serde_json::from_value(json!({
            "asset_id": "slug", "candidate_id": "00000000-0000-0000-0000-000000000007",
            "content": "old", "created_at": "2000-01-01T00:00:00Z", "format": "plain", "provenance": [],
        }))
        .unwrap();
        let limits = Limits {
            rounds: 5,
            calls: None,
            tokens: None,
            cost: None,
            time: None,
            attempts: 3,
            ask_again: 1,
        };
        let bounds = Bounds { limits, repairs: 0, stop_on_stagnation: false };
        let opened = Opened {
            run: RunId::new("r2"),
            at: Time(0),
            epoch: Epoch(1),
            subject: "slug".into(),
            shape: shape::shape(1, &bounds),
            cast: vec![],
            sources: vec![],
            seed: Some(kept::reading_of_candidate(&seed, false)),
            past: vec![],
            first_round: 3,
            settings,
        };
        let run = Run::open(opened).unwrap();
        let Action::Ask(asks) = run.next() else { panic!("{:?}", run.next()) };
        let review = Review {
            asset,
            locked: None,
            taken: vec![],
            ours: [].into(),
            names: Default::default(),
            brief: None,
        };
        serde_json::from_str(&review.write(&run, &asks[0]).request).unwrap()
    }

    #[test]
    fn the_creator_is_told_the_wish_the_last_candidate_and_the_last_review() {
        let last: ReviewIteration = serde_json::from_value(json!({
            "iteration": 2, "verdict": "changes_requested", "created_at": "2000-01-01T00:00:00Z",
            "issues": [], "reviewer": "mo", "summary": "too long", "provenance": [],
        }))
        .unwrap();
        let wish = Wish { by: "Ada".into(), reason: "the guest's name is wrong".into() };
        let prompt = first_prompt(settings(&wish, Some(&last)));
        assert_eq!(prompt["iteration"], 3);
        assert_eq!(prompt["previous_candidate"]["content"], "old");
        assert_eq!(prompt["previous_review"]["summary"], "too long");
        assert_eq!(prompt["reopened"], json!(wish));
    }

    #[test]
    fn a_run_that_was_not_reopened_is_told_nothing_of_the_kind() {
        for settings in [Value::Null, json!({"of": "another version"})] {
            let prompt = first_prompt(settings);
            let keys: Vec<&String> = prompt.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["asset_id", "iteration", "previous_candidate", "role", "step"]);
        }
    }
}
