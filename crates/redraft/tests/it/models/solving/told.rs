//! What a person is told of a solve beside its answer: on stderr, with nothing else on stdout.

use super::{critique, desk, draft, honest, plan, step};
use crate::{
    models::{command, configure},
    provider::{Does, Provider, Seen},
    pty::{self, Terminal},
    sandbox::{Ended, Sandbox, ended},
};
use std::process::{Command, Stdio};

const WHY: &str = "What is six times seven?";

fn solve(sandbox: &Sandbox, words: &[&str]) -> Command {
    let mut command = command(sandbox, "solve");
    command.args(words);
    command
}

fn solved(sandbox: &Sandbox, words: &[&str]) -> Ended {
    ended(&solve(sandbox, words).output().unwrap())
}

/// Answers in JSON; its critic finds something small and something large, and goes on finding it.
fn faulty(seen: &Seen) -> Does {
    match step(seen).as_str() {
        "plan" => plan(),
        "candidate" => draft(r#"{"answer": 42}"#),
        _ => critique(&[("minor", "say why"), ("blocker", "it is one more")]),
    }
}

#[test]
fn beside_an_answer_without_a_footer_issues_and_assumptions_go_to_stderr() {
    let provider = Provider::new(faulty);
    let sandbox = desk(&provider);
    for words in [vec![WHY, "--output-format", "json"], vec![WHY, "--no-footer"], vec![WHY]] {
        let told = solved(&sandbox, &words);
        assert_eq!((told.code, told.out.as_str()), (0, "{\"answer\": 42}\n"), "{}", told.err);
        let lines = "known issue: blocker (risk): it is one more\nknown issue: minor (risk): say why\n\
                     assumption: it is 2026\n";
        assert!(told.err.contains(lines), "{words:?}: {}", told.err);
    }
}

#[test]
fn an_answer_with_a_footer_is_told_once() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let told = solved(&sandbox, &[WHY]);
    assert!(told.out.contains("- it is 2026\n"), "{}", told.out);
    assert!(!told.err.contains("assumption: "), "{}", told.err);
}

#[test]
fn without_a_critic_it_is_the_rules_alone_that_accept_it_also_in_the_list_of_runs() {
    let provider = Provider::new(|seen| match step(seen).as_str() {
        "critique" => Does::Fails(400, Vec::new(), String::new()),
        _ => honest(seen),
    });
    let sandbox = desk(&provider);
    let told = solved(&sandbox, &[WHY, "-c", "be kind", "-c", ""]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.err.contains("converged (accepted_by_the_rules_alone)"), "{}", told.err);
    assert!(told.out.contains("not checked by anybody: \"be kind\""), "{}", told.out);
    assert!(told.out.contains("constraint 2 is blank"), "{}", told.out);
    assert!(told.out.contains("degraded"), "{}", told.out);
    let list = sandbox.json("runs list")["runs"].to_string();
    assert!(list.contains("accepted_by_the_rules_alone"), "{list}");
}

#[test]
fn an_answer_that_waits_for_its_critic_says_that_it_is_not_finished() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let told = solved(&sandbox, &[WHY, "--critic", "human"]);
    assert_eq!(told.code, 3, "{}", told.err);
    let first = "Known issues:\n- the run is not finished: the answer is not criticised yet\n";
    assert!(told.out.contains(first), "{}", told.out);
    assert!(told.err.contains("not finished: the answer above is what there is so far"));
}

#[test]
fn time_that_is_given_to_a_run_that_waited_for_a_person_is_that_much_and_no_more() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let words = [WHY, "--critic", "human"];
    assert_eq!(solved(&sandbox, &words).code, 3);
    std::thread::sleep(std::time::Duration::from_secs(2)); // real time: a person lets it wait
    assert_eq!(solved(&sandbox, &[&words[..], &["--total-seconds", "1000"]].concat()).code, 3);
    let run = sandbox.json("runs list")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let record = &sandbox.json(&format!("runs record {run}"))["record"];
    let limit = record["limits"]["time"].as_i64().unwrap();
    let passed = record["worked_ms"].as_i64().unwrap() * 1_000;
    assert!(limit >= 1_000_000_000, "{record}");
    assert!(
        limit - 1_000_000_000 <= passed - 1_900_000,
        "the wait is not in it: {limit}, {passed}"
    );
}

#[test]
fn a_cap_that_cut_it_short_is_told_with_what_raises_it() {
    let provider = Provider::new(faulty);
    let sandbox = desk(&provider);
    let told = solved(&sandbox, &[WHY, "--max-calls", "3"]);
    assert_eq!(told.code, 5, "{}", told.err);
    assert!(
        told.err.contains("cut short: revise: 3 of 3 calls of this run are used"),
        "{}",
        told.err
    );
    let help = "help: redraft solve --again with --max-calls N, or budget.calls in a configuration";
    assert!(told.err.contains(help), "{}", told.err);
    sandbox.expect(0, "budget set --calls 6");
    let told = solved(&sandbox, &["And seven times six?"]);
    assert_eq!(told.code, 5, "{}", told.err);
    assert!(told.err.contains("help: redraft budget set --calls N raises"), "{}", told.err);
}

#[test]
fn a_run_of_the_same_question_that_is_passed_over_is_named_with_how_to_go_on_with_it() {
    let provider = Provider::new(|seen| match (step(seen).as_str(), seen.model(), seen.nth) {
        ("critique", "critic", 0) => Does::Hangs,
        _ => honest(seen),
    });
    let sandbox = desk(&provider);
    let mut first = solve(&sandbox, &[WHY]);
    let mut child = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while provider.asked() < 3 {
        std::thread::sleep(std::time::Duration::from_millis(5)); // real time: until the critic is asked
    }
    let run = sandbox.json("runs list")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let told = solved(&sandbox, &[WHY]).err;
    let busy = format!("run {run} of this question is driven by another process, and left to it");
    assert!(told.contains(&busy), "{told}");
    child.kill().unwrap();
    child.wait().unwrap();
    let told = solved(&sandbox, &[WHY, "--critic", "critic2"]).err;
    let other =
        format!("run {run} of this question is open with other agents (planner=writer (writer), ");
    assert!(told.contains(&other), "{told}");
    assert!(told.contains(&format!("redraft solve --resume {run} goes on with it")), "{told}");
}

#[test]
fn a_terminal_shows_who_is_asked_and_keeps_what_failed() {
    if !pty::works() {
        return;
    }
    let provider = Provider::new(|seen| match (step(seen).as_str(), seen.nth) {
        ("plan", 0) => Does::Fails(500, Vec::new(), "{\"error\": \"overheated\"}".into()),
        _ => honest(seen),
    });
    let sandbox = desk(&provider);
    configure(&sandbox, &provider, "");
    let config = sandbox.join("config").display().to_string();
    let environment = [("XDG_CONFIG_HOME", config.as_str()), ("TEST_KEY", crate::models::KEY)];
    let mut terminal = Terminal::start(&sandbox, "solve Why", &environment);
    terminal.shows("plan: planner is asked (call 1)");
    terminal.shows("solve: call 1: failed: ");
    terminal.shows("tries again in ");
    terminal.shows("plan: planner is asked (call 2, attempt 2)");
    terminal.shows("call 2: answered");
    terminal.shows("critique: critic is asked");
    terminal.shows("converged (accepted)");
    let ended = terminal.ends();
    assert_eq!(ended.code, 0, "{}", ended.out);
}
