//! How a session of the tests begins: a small profile, or one that comes with the program.

use redraft_loop::*;
use redraft_workflows::gated::{
    Bounds, ROLES, Schema, Settings,
    profile::{self, Files, Phase, Profile, built_in},
    shape,
};
use std::collections::BTreeMap;

/// A profile of little text, with a word of the person who begins a session in it.
const SMALL: [(&str, &str); 4] = [
    (
        "profile.toml",
        r#"name = "small"
description = "Java files, briefly."
extension = "java"
standards = ["standards/all.md"]
[phases.planning]
prompt = "prompts/make.md"
role = "planner"
gate = "auto"
[phases.generation]
prompt = "prompts/make.md"
role = "generator"
gate = "person"
[phases.review]
prompt = "prompts/judge.md"
role = "reviewer"
gate = "auto"
[phases.revision]
prompt = "prompts/make.md"
role = "reviser"
gate = "person"
[[context]]
name = "occasion"
help = "why"
kind = "text"
default = ""
"#,
    ),
    ("prompts/make.md", "Make it, round {{ iteration }}.\n\n{{ standards }}\n"),
    ("prompts/judge.md", "Judge it, round {{ iteration }}.\n\n{{ standards }}\n"),
    ("standards/all.md", "Be brief.\n"),
];

pub(crate) fn small() -> Files {
    SMALL.into_iter().collect()
}

/// How a session begins.
pub(crate) struct Setting {
    pub(crate) profile: Files,
    pub(crate) context: Vec<(&'static str, &'static str)>,
    pub(crate) iterations: u32,
    /// Whether people write all responses.
    pub(crate) by_hand: bool,
}

impl Setting {
    pub(crate) fn small(iterations: u32) -> Self {
        Self { profile: small(), context: vec![], iterations, by_hand: false }
    }

    /// A profile that comes with the program.
    pub(crate) fn built_in(name: &str, scope: &'static str) -> Self {
        let context = vec![
            ("scope", scope),
            ("entity", "Order"),
            ("table", "sales.orders"),
            ("bounded_context", "sales"),
            ("schema_file", "schema.sql"),
        ];
        Self { profile: built_in(name).unwrap(), context, iterations: 3, by_hand: false }
    }

    pub(crate) fn opened(self) -> Opened {
        let profile = Profile::read(&self.profile).unwrap();
        let given: BTreeMap<String, String> =
            self.context.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let context = profile.context(&given).unwrap();
        let keys = profile.keys().iter();
        let settings = Settings {
            profile: self.profile.iter().map(|(p, t)| (p.to_owned(), t.to_owned())).collect(),
            context: keys
                .filter_map(|key| Some((key.name.clone(), context.get(&key.name)?.to_owned())))
                .collect(),
            schema: profile.schema().map(|_| Schema {
                file: "schema.sql".into(),
                sha256: "0".repeat(64),
                table: "| column | type |\n| --- | --- |\n| tenant_id | bigint |\n".into(),
            }),
            developer: Some("ada".into()),
            task_id: None,
            by_hand: match self.by_hand {
                true => ROLES.map(|role| role.name().to_owned()).into(),
                false => vec![],
            },
        };
        let limits = Limits {
            rounds: self.iterations,
            calls: None,
            tokens: None,
            cost: None,
            time: None,
            attempts: 2,
            ask_again: 1,
        };
        let players =
            Phase::ALL.map(|phase| (phase, profile.phase(phase).role, self.by_hand)).into();
        let member = |role: profile::Role| CastMember {
            role: Role::from(role.name()),
            agent: if self.by_hand { "manual".into() } else { "model".into() },
            model: None,
            provider: None,
            family: None,
            lens: None,
        };
        Opened {
            run: RunId::new("session-1"),
            at: Time(1_000_000),
            epoch: Epoch(1),
            subject: profile.name().into(),
            shape: shape(&Bounds { limits, players }),
            cast: ROLES.map(member).into(),
            sources: vec![],
            seed: None,
            past: vec![],
            first_round: 1,
            settings: serde_json::to_value(settings).unwrap(),
        }
    }
}
