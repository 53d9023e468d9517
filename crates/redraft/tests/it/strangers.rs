//! Workspaces as another implementation writes them: the contract's files, and no journal.

use crate::sandbox::Sandbox;
use serde_json::{Value, json};

const ID: &str = "7d3cf9a2-1c54-4b8e-9a60-0f6f2f1c9e11";
const THEN: &str = "2024-05-06T07:08:09.123456Z";

/// What a stranger's files say.
pub(crate) struct Stranger {
    pub(crate) state: Value,
    pub(crate) protocol: Value,
}

/// The candidate of the first iteration.
pub(crate) fn candidate() -> Value {
    json!({"asset_id": "description", "candidate_id": ID, "content": "one é\n", "created_at": THEN, "format": "markdown", "provenance": []})
}

/// The review of the first iteration.
pub(crate) fn reviewed() -> Value {
    let issue = json!({"code": null, "field": null, "issue_id": "0b9fb1de-57b4-4d6c-8f39-2a3a6e7f5c10", "message": "add more detail", "severity": "error"});
    json!({"created_at": THEN, "issues": [issue], "iteration": 1, "provenance": [], "reviewer": "mo", "summary": null, "verdict": "changes_requested"})
}

/// The first iteration.
pub(crate) fn iteration() -> Value {
    json!({"creator": {"candidate": candidate(), "done": false}, "iteration": 1, "reviewer": reviewed(), "version": 1})
}

/// The decision at the limit.
pub(crate) fn needs_human() -> Value {
    decision("needs_human", "iteration_limit")
}

fn decision(outcome: &str, reason: &str) -> Value {
    json!({"final_iteration": 1, "locked_fields": ["final_iteration", "outcome", "reason"], "outcome": outcome, "reason": reason})
}

/// The description of the episode.
pub(crate) const YAML: &str =
    "episode_id: stranger\ninputs: {}\nnotes: [kept]\nschema_version: 1\n";

impl Stranger {
    /// One of three iterations is played.
    pub(crate) fn open() -> Self {
        let asset = json!({"asset_id": "description", "candidates": [candidate()], "kind": "description", "reviews": [reviewed()], "selected_candidate_id": null});
        let state = json!({"assets": [asset], "chapters": [], "created_at": THEN, "episode_id": "stranger", "provenance": [], "root_dir": "elsewhere", "schema_version": 1, "tracks": []});
        let protocol = json!({"asset_id": "description", "decision": null, "iterations": [iteration()], "max_iterations": 3, "version": 1});
        Self { state, protocol }
    }

    /// The loop is decided.
    pub(crate) fn decided(outcome: &str, reason: &str) -> Self {
        let mut stranger = Self::open();
        stranger.protocol["decision"] = decision(outcome, reason);
        stranger
    }

    /// Its files, in the workspace `w`.
    pub(crate) fn build(&self) -> Sandbox {
        let sandbox = Sandbox::new();
        sandbox.write("w/episode.yaml", YAML);
        sandbox.write("w/state.json", pretty(&self.state));
        sandbox.write("w/copy/protocol/description/state.json", pretty(&self.protocol));
        sandbox.write("w/copy/protocol/description/iteration_01.json", pretty(&iteration()));
        sandbox.write("w/copy/reviews/description/iteration_01.mo.json", pretty(&reviewed()));
        let stem = format!("w/copy/candidates/description/candidate_{ID}");
        sandbox.write(&format!("{stem}.json"), pretty(&candidate()));
        sandbox.write(&format!("{stem}.md"), "one é\n");
        sandbox.write(&format!("{stem}.html"), "<p>one é</p>\n");
        sandbox
    }
}

fn pretty(value: &Value) -> String {
    format!("{}\n", serde_json::to_string_pretty(value).unwrap())
}
