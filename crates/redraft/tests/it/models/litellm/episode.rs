//! A whole episode through the gateway: one protocol writes, two review beside the rules.

use super::proxy::Proxy;
use crate::{
    models::expect,
    provider::{Provider, Seen},
    sandbox::Sandbox,
    scene::{asset, document},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};

/// The model that writes.
pub(super) const WRITER: &str = "writer-episode";

/// The kinds of assets.
const KINDS: usize = 13;

/// A writer that knows by heart what the offline agent makes of the bundled episode, so that the rules agree.
#[derive(Clone)]
pub(super) struct Known {
    sandbox: Arc<Sandbox>,
    /// Replies by asset.
    replies: Arc<BTreeMap<String, Value>>,
}

impl Known {
    /// Plays the demo and learns its selected texts.
    pub(super) fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.expect(0, "demo --dir demo");
        let state = document(&sandbox, "demo/quiet-machinery/state.json");
        let replies: BTreeMap<_, _> =
            state["assets"].as_array().unwrap().iter().map(reply).collect();
        assert_eq!(replies.len(), KINDS);
        Self { sandbox: Arc::new(sandbox), replies: Arc::new(replies) }
    }

    /// What is written for the asset that the prompt asks for.
    pub(super) fn written(&self, seen: &Seen) -> String {
        let text = seen.text();
        let asked = |id: &&String| text.contains(&format!("Write the text `{id}`"));
        self.replies[self.replies.keys().find(asked).unwrap()].to_string()
    }

    /// Reviews all assets of the episode through the gateway: every one converges and is selected, in one iteration.
    pub(super) fn review(&self, proxy: &Proxy, provider: &Provider) {
        let sandbox = &self.sandbox;
        sandbox.expect(0, "podcast init --episode-id e1 --workspace w");
        let sources = "--transcript demo/sources/episode.md --chapters demo/sources/chapters.txt";
        sandbox.expect(0, &format!("podcast ingest -w w {sources}"));
        sandbox.expect(0, "podcast summarize -w w");
        sandbox.write("config/redraft/config.toml", config(proxy));
        let before = provider.asked();
        expect(sandbox, 0, "podcast review -w w --all");
        let seen = provider.seen().split_off(before);
        for model in [WRITER, "critic-messages", "critic-contents"] {
            let asked = seen.iter().filter(|seen| seen.model() == model).count();
            assert_eq!(asked, KINDS, "{model}");
        }
        assert_eq!(seen.len(), 3 * KINDS);
        for (id, reply) in self.replies.iter() {
            let decision =
                &document(sandbox, &format!("w/copy/protocol/{id}/state.json"))["decision"];
            assert_eq!(decision["outcome"], "converged", "{id}: {decision}");
            let asset = asset(sandbox, id);
            assert_eq!(selected(&asset)["content"], reply["candidate"]["content"], "{id}");
            let review = document(sandbox, &format!("w/copy/protocol/{id}/iteration_01.json"));
            assert_eq!(review["reviewer"]["verdict"], "ok", "{id}: {review}");
        }
    }
}

/// Three protocols in one panel.
fn config(proxy: &Proxy) -> String {
    let agents = [
        proxy.agent("writer", WRITER, "openai", ""),
        proxy.agent("critic", "critic-messages", "anthropic", ""),
        proxy.agent("critic2", "critic-contents", "gemini", ""),
    ];
    let roles =
        "[roles]\ncreator = \"writer\"\nreviewers = [\"offline\", \"critic\", \"critic2\"]\n";
    format!("{}{roles}", agents.concat())
}

/// What a writer replies who wants the selected text of this asset.
fn reply(asset: &Value) -> (String, Value) {
    let chosen = selected(asset);
    let candidate = json!({"content": chosen["content"], "format": chosen["format"]});
    let id = asset["asset_id"].as_str().unwrap().to_owned();
    (id, json!({"done": true, "candidate": candidate}))
}

fn selected(asset: &Value) -> &Value {
    let mut candidates = asset["candidates"].as_array().unwrap().iter();
    let selected = &asset["selected_candidate_id"];
    candidates.find(|candidate| candidate["candidate_id"] == *selected).unwrap()
}
