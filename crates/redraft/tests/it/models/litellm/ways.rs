//! Every way to ask the gateway, each a run of its own that converges.

use super::{
    WAIT,
    proxy::{PROTOCOLS, Proxy},
};
use crate::{
    models::{KEY, expect},
    provider::{Provider, Seen},
    sandbox::Sandbox,
    scene::workspace,
};
use serde_json::{Value, json};
use std::time::Duration;

/// How the upstream answers the writer's first call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    Answers,
    Fails(u16),
}

/// One way to ask.
#[derive(Debug)]
pub(super) struct Way {
    provider: &'static str,
    stream: bool,
    schema: bool,
    first: First,
}

impl Way {
    /// Protocols, whole or streamed, with a schema or without, through no failure, a 429 and a 500.
    pub(super) fn all() -> Vec<Self> {
        let mut ways = Vec::new();
        for (provider, _) in PROTOCOLS {
            for (stream, schema) in [(true, true), (true, false), (false, true), (false, false)] {
                let of = |first| Self { provider, stream, schema, first };
                ways.extend([First::Answers, First::Fails(429), First::Fails(500)].map(of));
            }
        }
        ways
    }

    /// A run of two calls and the failed one; what was sent, what is in the record.
    pub(super) fn play(&self, proxy: &Proxy, provider: &Provider) {
        let sandbox = self.studio(proxy);
        expect(&sandbox, 0, "podcast review -w w --asset-id talk");
        let mut seen = provider.seen();
        seen.retain(|seen| {
            ["writer", "critic"].iter().any(|role| self.model(role) == seen.model())
        });
        let record = record(&sandbox);
        assert_eq!(record["decision"]["outcome"], "converged", "{self:?}: {record}");
        let calls = record["calls"].as_array().unwrap();
        let failed = usize::from(self.first != First::Answers);
        assert_eq!((calls.len(), seen.len()), (2 + failed, 2 + failed), "{self:?}: {record}");
        for (call, seen) in calls.iter().zip(&seen) {
            self.check_request(seen);
            match self.first {
                First::Fails(status) if call["call"] == 1 => self.check_failure(call, status),
                First::Answers | First::Fails(_) => self.check_answer(call, seen),
            }
        }
        if self.first == First::Fails(429) && self.tells_waits() {
            let apart = seen[1].at - seen[0].at;
            assert!(apart >= Duration::from_secs(WAIT), "{self:?}: tried again after {apart:?}");
        }
    }

    fn studio(&self, proxy: &Proxy) -> Sandbox {
        let sandbox = workspace();
        let more = format!("stream = {}\njson_schema = {}\n", self.stream, self.schema);
        let agent = |name: &str| proxy.agent(name, &self.model(name), self.provider, &more);
        let (writer, critic) = (agent("writer"), agent("critic"));
        let roles = "[roles]\ncreator = \"writer\"\nreviewers = [\"critic\"]\n";
        sandbox.write("config/redraft/config.toml", format!("{writer}{critic}{roles}"));
        sandbox
    }

    /// The name tells the upstream what to do, and the test whose request it was.
    fn model(&self, agent: &str) -> String {
        let stream = if self.stream { "streamed" } else { "whole" };
        let form = if self.schema { "schema" } else { "prose" };
        let first = match self.first {
            First::Answers => String::new(),
            First::Fails(status) => format!("-{status}"),
        };
        format!("{agent}-{}-{stream}-{form}{first}", self.provider)
    }

    /// What the gateway made of our request.
    fn check_request(&self, seen: &Seen) {
        let role = if seen.model().starts_with("critic") { "critic" } else { "writer" };
        assert_eq!(
            (seen.model(), seen.path.as_str()),
            (&*self.model(role), "/v1/chat/completions")
        );
        assert_eq!(seen.body["stream"] == true, self.stream, "{self:?}: {}", seen.body);
        let bounds = [&seen.body["max_tokens"], &seen.body["max_completion_tokens"]];
        assert!(bounds.contains(&&json!(1000)), "{self:?}: {}", seen.body);
        let (form, tool) = (&seen.body["response_format"], &seen.body["tools"][0]["function"]);
        let schema = match self.provider {
            "anthropic" => &tool["parameters"],
            _ => &form["json_schema"]["schema"],
        };
        let field = if role == "critic" { "verdict" } else { "candidate" };
        assert_eq!(schema["properties"][field].is_object(), self.schema, "{self:?}: {}", seen.body);
        assert_eq!(form.is_null() && tool.is_null(), !self.schema, "{self:?}: {}", seen.body);
        let (system, user) = (&seen.body["messages"][0], &seen.body["messages"][1]);
        assert_eq!((&system["role"], &user["role"]), (&json!("system"), &json!("user")));
        assert!(seen.headers.iter().all(|(_, value)| !value.contains(KEY)), "the key went on");
    }

    fn check_failure(&self, call: &Value, status: u16) {
        let failed = &call["state"]["failed"];
        assert_eq!(failed["failure"], "transient", "{self:?}: {call}");
        let message = failed["message"].as_str().unwrap();
        let upstream = if status == 429 { "slow down" } else { "broken" };
        assert!(message.contains(&status.to_string()) && message.contains(upstream), "{message}");
        // The gateway names every request, and a refusal says that nothing was used.
        assert_eq!(call["served"]["request"].as_str().unwrap().len(), 36, "{self:?}: {call}");
        assert_eq!(call["usage"].is_object(), status == 429, "{self:?}: {call}");
    }

    fn check_answer(&self, call: &Value, seen: &Seen) {
        assert_eq!(call["state"], "answered", "{self:?}: {call}");
        let served = &call["served"];
        let named = match self.provider {
            // It tells no model where Gemini tells one.
            "gemini" => json!(null),
            _ => json!(seen.model()),
        };
        assert_eq!(served["model"], named, "{self:?}: {call}");
        assert_eq!(served["finish"], self.finish(), "{self:?}: {call}");
        let request = served["request"].as_str().unwrap_or_default();
        match self.tells_waits() {
            true => assert_eq!(request, format!("req-{}-{}", seen.model(), seen.nth)),
            false => assert_eq!(request.len(), 36, "the gateway's own: {self:?}: {call}"),
        }
        let used = match (self.provider, self.stream) {
            // It ends a stream of Gemini's with a count of zero for everything, which tells nothing.
            ("gemini", true) => json!(null),
            _ => json!({"input_tokens": 100, "output_tokens": 20}),
        };
        assert_eq!(call["usage"], used, "{self:?}: {call}");
    }

    fn finish(&self) -> &'static str {
        match (self.provider, self.schema) {
            ("anthropic", true) => "tool_use",
            ("anthropic", false) => "end_turn",
            ("gemini", _) => "STOP",
            _ => "stop",
        }
    }

    /// It hands the upstream's headers on over OpenAI's protocol, and over no other.
    fn tells_waits(&self) -> bool {
        matches!(self.provider, "openai" | "compatible")
    }
}

/// The record of the only run.
fn record(sandbox: &Sandbox) -> Value {
    let runs = sandbox.json("runs list -w w");
    let run = runs["runs"][0]["run_id"].as_str().unwrap();
    sandbox.json(&format!("runs show -w w {run}"))["record"].clone()
}
