//! Who plays in a session: files, the environment and flags, each over the ones before.

use crate::sandbox::{Ended, REDRAFT, Sandbox, ended};
use serde_json::Value;

/// A profile without a reviser: whoever generates revises.
const PROFILE: [(&str, &str); 6] = [
    (
        "profile.toml",
        r#"name = "notes"
description = "Short notes."
extension = "txt"
standards = ["standards/tone.md"]
[phases]
planning = { prompt = "prompts/plan.md", role = "planner", gate = "auto" }
generation = { prompt = "prompts/write.md", role = "generator", gate = "person" }
review = { prompt = "prompts/judge.md", role = "reviewer", gate = "person" }
revision = { prompt = "prompts/mend.md", role = "generator", gate = "person" }
"#,
    ),
    ("prompts/plan.md", "Outline a note.\n\n{{ standards }}\n"),
    ("prompts/write.md", "Write the note by `plan`.\n"),
    ("prompts/judge.md", "Judge `candidate`.\n"),
    ("prompts/mend.md", "Mend `candidate` by `previous review`.\n"),
    ("standards/tone.md", "Be brief.\n"),
];

/// The user's file: a program that plans, and a reviser that `notes` has no use for.
const USER: &str = r#"
[agents.thinker]
kind = "command"
program = "thinker"

[gated]
planner = "thinker"
generator = "human"
reviser = "thinker"
"#;

/// A project with the profile, whose user has a program that plans.
fn stage() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    for (path, text) in PROFILE {
        sandbox.write(&format!(".redraft/profiles/notes/{path}"), text);
    }
    sandbox.write("user/redraft/config.toml", USER);
    sandbox.write("bin/thinker", "#!/bin/sh\ncat >/dev/null\necho 'Say it in one line.'\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(sandbox.join("bin/thinker"), mode).unwrap();
    }
    sandbox
}

/// Runs `redraft` as that user, with these variables.
fn redraft(sandbox: &Sandbox, words: &str, variables: &[(&str, &str)]) -> Ended {
    let mut command = sandbox.command(REDRAFT, words);
    let path = format!("{}:/usr/bin:/bin", sandbox.join("bin").display());
    command.env("XDG_CONFIG_HOME", sandbox.join("user")).env("PATH", path);
    ended(&command.envs(variables.iter().copied()).output().unwrap())
}

fn json(ended: &Ended) -> Value {
    serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{}{}", ended.out, ended.err))
}

const INIT: &str = "gated init --profile notes --json";

#[test]
fn whoever_is_configured_plays_and_a_flag_names_another() {
    let sandbox = stage();
    let reviewed = [("REDRAFT_GATED_REVIEWER", "thinker")];
    let begun = json(&redraft(&sandbox, INIT, &reviewed));
    let providers = &begun["session"]["providers"];
    let roles =
        ["planner", "generator", "reviewer", "reviser"].map(|role| providers[role].as_str());
    assert_eq!(roles, [Some("thinker"), Some("manual"), Some("thinker"), None]);
    let id = begun["session_id"].as_str().unwrap();
    let run = json(&redraft(&sandbox, &format!("gated run {id} --json"), &[]));
    assert_eq!(
        (run["phase"].as_str(), run["waits"]["for"].as_str()),
        (Some("GENERATING"), Some("response"))
    );
    let plan = sandbox.read(&format!(".redraft/gated/{id}/plan.md"));
    assert_eq!(plan, "Say it in one line.\n", "the program has planned, and the profile passed it");
    let begun = json(&redraft(&sandbox, &format!("{INIT} --planner manual"), &reviewed));
    assert_eq!(begun["session"]["providers"]["planner"], "manual");
}

#[test]
fn where_each_name_came_from_is_shown() {
    let sandbox = stage();
    let shown = redraft(&sandbox, "config show --origin", &[("REDRAFT_GATED_REVIEWER", "codex")]);
    for (key, origin) in [
        ("gated.planner = \"thinker\"", "user/redraft/config.toml:7"),
        ("gated.generator = \"human\"", "user/redraft/config.toml:8"),
        ("gated.reviewer = \"codex\"", "# REDRAFT_GATED_REVIEWER"),
    ] {
        let line = shown.out.lines().find(|line| line.starts_with(key));
        assert!(line.is_some_and(|line| line.ends_with(origin)), "{key}\n{}", shown.out);
    }
    let unknown = redraft(&sandbox, INIT, &[("REDRAFT_GATED_REVIEWER", "thinke")]);
    assert_eq!(unknown.code, 2);
    let told = json(&unknown)["error"]["message"].to_string();
    assert!(told.contains("REDRAFT_GATED_REVIEWER: gated.reviewer: there is no agent"), "{told}");
    assert!(told.contains("did you mean `thinker`?"), "{told}");
}

#[test]
fn somebody_for_a_role_that_the_profile_lacks_is_a_mistake_only_on_the_command_line() {
    let sandbox = stage();
    assert_eq!(redraft(&sandbox, INIT, &[("REDRAFT_GATED_REVISER", "thinker")]).code, 0);
    let refused = redraft(&sandbox, &format!("{INIT} --reviser thinker"), &[]);
    assert_eq!(refused.code, 2);
    let told = json(&refused)["error"]["message"].to_string();
    assert!(told.contains("profile notes has no phase for a reviser"), "{told}");
    assert!(json(&redraft(&sandbox, "gated list --json", &[]))["sessions"][1].is_null());
}
