//! What a pair would do and cost, told before; and nothing is done.

use super::{
    desk,
    ground::{desk_with_repository, git},
    last_line, pair, paired,
};
use crate::{
    models::{command, configure},
    provider::{Does, Provider, Seen},
    sandbox::{Ended, REDRAFT, Sandbox, ended},
};
use serde_json::{Value, json};
use std::fs;

const PRICES: &str =
    "[prices.writer]\ninput = 10.0\noutput = 100.0\n[prices.critic]\ninput = 1.0\noutput = 2.0\n";
const CHECK: &str = "grep -q 2 x";
const WORDS: [&str; 8] = [
    "make it 2",
    "--repo=repository",
    "--check",
    CHECK,
    "--architect",
    "critic",
    "--builder",
    "writer",
];
const BY_HAND: [&str; 6] =
    ["make it 2", "--repo=repository", "--architect", "human", "--builder", "human"];

/// Proposes, builds, criticises and verifies at once.
fn honest(seen: &Seen) -> Does {
    let kind = seen.body["response_format"]["json_schema"]["name"].as_str().unwrap_or_default();
    let role = if kind == "implement" { "builder" } else { "architect" };
    let mut message = json!({"role": role, "type": kind, "content": "so ".repeat(500), "turn": 1});
    match kind {
        "implement" => message["diff"] = json!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n"),
        "verify" => message["verdict"] = json!("verified"),
        _ => {}
    }
    let text = message.to_string();
    // As many as a tokenizer would count at least.
    let count = |bytes: usize| (bytes / 4) as u64;
    let (input, output) = (count(seen.body.to_string().len()), count(text.len()).min(1_000));
    Does::SaysFor { input, output, text }
}

/// A desk whose user has models at this provider.
fn studio(provider: &Provider) -> Sandbox {
    let sandbox = desk_with_repository();
    configure(&sandbox, provider, PRICES);
    sandbox
}

fn asked(sandbox: &Sandbox, words: &[&str]) -> Ended {
    ended(&command(sandbox, "pair").args(words).output().unwrap())
}

/// Everything in a folder: names and bytes, the home's too.
fn all(sandbox: &Sandbox) -> (Vec<String>, impl PartialEq) {
    let entries = fs::read_dir(sandbox.join(".redraft")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    (names, (sandbox.files("."), git(sandbox, &["worktree", "list"])))
}

/// Runs a dry run, which may write nothing.
fn dry_run(sandbox: &Sandbox, words: &[&str]) -> Value {
    let before = all(sandbox);
    let ended = asked(sandbox, &[words, &["--dry-run", "--json"]].concat());
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    let after = all(sandbox);
    assert_eq!(before.0, after.0, "the home has changed");
    assert!(before.1 == after.1, "{words:?}: files or worktrees have changed");
    serde_json::from_str(&ended.out).unwrap()
}

#[test]
fn a_dry_run_tells_who_would_be_called_what_is_checked_and_where_and_does_nothing() {
    let provider = Provider::new(honest);
    let sandbox = studio(&provider);
    let commit = git(&sandbox, &["rev-parse", "HEAD"]);
    let told = dry_run(&sandbox, &[&WORDS[..], &["--max-turns", "2"]].concat());
    let row = &told["dry_run"];
    assert_eq!(
        (&row["calls_without_retries"], &row["calls_at_most"], &row["run_id"]),
        (&json!(7), &json!(28), &Value::Null),
        "{row}"
    );
    assert_eq!((&row["unpriced_calls"], &row["caps"]["calls"]), (&json!(0), &Value::Null));
    let prompts: Vec<(&str, &str)> = row["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|prompt| {
            (prompt["role"].as_str().unwrap(), prompt["step"].as_str().unwrap_or_default())
        })
        .collect();
    let architect = ["propose", "critique", "verify"].map(|step| ("architect", step));
    assert_eq!(prompts, [architect[0], ("builder", ""), architect[1], architect[2]]);
    assert_eq!((&told["commit"], &told["checks"]), (&json!(commit), &json!([CHECK])));
    assert_eq!((&told["turns"], &told["check_seconds"]), (&json!(2), &json!(600)));
    assert!(told["worktrees"].as_str().unwrap().ends_with(".redraft/worktrees"), "{told}");
    assert_eq!(provider.asked(), 0);
}

#[test]
fn a_dry_run_is_told_in_words() {
    let provider = Provider::new(honest);
    let sandbox = studio(&provider);
    let commit = git(&sandbox, &["rev-parse", "HEAD"]);
    sandbox.expect(0, "budget set --calls 9");
    git(&sandbox, &["config", "user.name", "Ada"]);
    git(&sandbox, &["config", "user.email", "ada@example.org"]);
    let more = ["--dry-run", "--max-calls", "12", "--apply", "--branch", "two"];
    let ended = asked(&sandbox, &[&WORDS[..], &more].concat());
    assert_eq!(ended.code, 0, "{}", ended.err);
    for said in [
        "Would play 3 turns at most with architect=critic (critic), builder=writer (writer)\n",
        "up to 10 calls, 12 with every retry; at most ",
        "  architect (propose), critic: a prompt of ",
        "  builder, writer: a prompt of ",
        " bytes with task, paths, file x\n",
        "  cap of the run: 12 calls\n",
        "  cap of the home: 9 calls, 9 calls left; it may stand in the way\n",
        "  writes a run in ",
        &format!("/repository as it is at {commit}\n"),
        "/.redraft/worktrees, and removes it\n",
        "  checks each change for at most 600 s with: grep -q 2 x\n",
        "/repository where it converges\n",
        "  puts what it hands over on the branch two\n",
    ] {
        assert!(ended.out.contains(said), "{said}: {}", ended.out);
    }
    assert_eq!(git(&sandbox, &["branch", "--list", "two"]), "");
}

#[test]
fn a_dry_run_is_an_upper_bound_of_what_the_pair_then_uses() {
    let provider = Provider::new(honest);
    let sandbox = studio(&provider);
    let row = dry_run(&sandbox, &WORDS)["dry_run"].clone();
    let played = asked(&sandbox, &WORDS);
    assert_eq!((played.code, last_line(&played)), (0, "CONVERGED"), "{}", played.err);
    let cost = ended(&command(&sandbox, "runs cost --json").output().unwrap()).out;
    let spent = serde_json::from_str::<Value>(&cost).unwrap()["total"]["spent"].clone();
    assert!(spent["tokens"].as_u64().unwrap() > 1_000, "{spent}");
    assert!(spent["tokens"].as_u64() <= row["tokens_at_most"].as_u64(), "{spent} {row}");
    assert!(spent["cost"].as_u64() <= row["cost_at_most"].as_u64(), "{spent} {row}");
    assert_eq!(provider.asked(), 4);
}

#[test]
fn a_dry_run_tells_of_the_open_run_that_the_command_would_go_on_with() {
    let sandbox = desk_with_repository();
    assert_eq!(paired(&sandbox, &BY_HAND).code, 3);
    fs::write(sandbox.page_that_waits().1, "Turn 1 into 2.\n").unwrap();
    assert_eq!(paired(&sandbox, &BY_HAND).code, 3);
    let run = sandbox.json("runs list")["runs"][0]["run_id"].clone();
    let row = dry_run(&sandbox, &BY_HAND)["dry_run"].clone();
    assert_eq!((&row["run_id"], &row["calls_without_retries"]), (&run, &json!(9)));
    let told = paired(&sandbox, &[&BY_HAND[..], &["--dry-run"]].concat()).out;
    let begins = format!("Would go on with run {}, 3 turns at most: ", run.as_str().unwrap());
    assert!(told.starts_with(&begins) && told.contains("free of charge"), "{told}");
    let anew = dry_run(&sandbox, &[&BY_HAND[..], &["--again"]].concat())["dry_run"].clone();
    assert_eq!((&anew["run_id"], &anew["calls_without_retries"]), (&Value::Null, &json!(10)));
    // Another commit is another change.
    git(&sandbox, &["commit", "--quiet", "--allow-empty", "-m", "two"]);
    assert_eq!(dry_run(&sandbox, &BY_HAND)["dry_run"]["run_id"], Value::Null);
}

#[test]
fn a_dry_run_where_there_is_no_home_makes_none() {
    let sandbox = desk_with_repository();
    fs::remove_dir_all(sandbox.join(".redraft")).unwrap();
    let mut command = pair(&sandbox, &[&BY_HAND[..], &["--dry-run"]].concat());
    let told = ended(&command.env("XDG_DATA_HOME", sandbox.join("data")).output().unwrap());
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.contains("data/redraft/.redraft/worktrees"), "{}", told.out);
    assert!(!sandbox.join("data").exists() && !sandbox.join(".redraft").exists());
}

#[test]
fn a_dry_run_of_the_mock_is_free_and_has_no_repository() {
    let sandbox = desk();
    let ended = paired(&sandbox, &["--mock", "--dry-run"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let calls = "Would play 3 turns at most with architect=mock, builder=mock\nup to 10 calls, 40 with every retry; free of charge\n";
    assert!(ended.out.starts_with(calls), "{}", ended.out);
    assert!(!ended.out.contains("worktree"), "{}", ended.out);
    sandbox.expect(2, "runs list");
}

#[test]
fn a_dry_run_refuses_what_the_run_would_refuse() {
    let provider = Provider::new(honest);
    let sandbox = studio(&provider);
    git(&sandbox, &["branch", "taken"]);
    let no_prices = "config/redraft/config.toml";
    let configured = sandbox.read(no_prices);
    for (words, told) in [
        (vec!["  ", "--repo=repository"], "the task is empty"),
        (vec!["t", "--repo=repository", "--branch", "taken"], "taken"),
        (vec!["t"], "repository"),
        (vec!["t", "--repo=repository", "--builder", "offline"], "changes no repository"),
        (vec!["--resume", "x"], "cannot be used with"),
    ] {
        let refused = asked(&sandbox, &[&words[..], &["--dry-run"]].concat());
        assert_ne!(refused.code, 0, "{words:?}: {}", refused.out);
        assert!(refused.err.contains(told), "{words:?}: {}", refused.err);
    }
    sandbox.write(no_prices, configured.replace(PRICES, ""));
    let refused = asked(&sandbox, &[&WORDS[..], &["--dry-run", "--max-usd", "1"]].concat());
    assert!(refused.code == 2 && refused.err.contains("is unknown"), "{}", refused.err);
    let command = sandbox.command(REDRAFT, "pair t --repo repository --dry-run").output().unwrap();
    assert_ne!(ended(&command).code, 0, "nobody is configured there");
    assert_eq!(provider.asked(), 0);
}
