//! Kill it anywhere, run it again: the same command goes on, and nothing is asked twice.

use super::{critique, desk, draft, honest, solve, solved, step};
use crate::{
    models::configure,
    provider::{Does, Provider},
    sandbox::Sandbox,
};
use std::process::{Child, Stdio};

const WHY: &str = "What is six times seven?";

/// A provider whose first critique never comes.
fn stuck() -> Provider {
    Provider::new(|seen| match (step(seen).as_str(), seen.model(), seen.nth) {
        ("critique", "critic", 0) => Does::Hangs,
        _ => honest(seen),
    })
}

/// Starts the command and waits until so many calls were asked.
fn started(sandbox: &Sandbox, provider: &Provider, words: &[&str], calls: usize) -> Child {
    let mut command = solve(sandbox, words);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while provider.asked() < calls {
        std::thread::sleep(std::time::Duration::from_millis(5)); // real time: until the critic is asked
    }
    child
}

/// Runs the command until its critic is asked, and kills it there.
fn killed(sandbox: &Sandbox, provider: &Provider, words: &[&str]) -> String {
    let mut child = started(sandbox, provider, words, provider.asked() + 3);
    child.kill().unwrap();
    child.wait().unwrap();
    newest(sandbox)
}

fn newest(sandbox: &Sandbox) -> String {
    sandbox.json("runs list")["runs"][0]["run_id"].as_str().unwrap().to_owned()
}

fn runs(sandbox: &Sandbox) -> usize {
    sandbox.json("runs list")["runs"].as_array().unwrap().len()
}

#[test]
fn the_same_command_goes_on_with_the_run_that_a_killed_one_has_left() {
    let provider = stuck();
    let sandbox = desk(&provider);
    sandbox.write("facts.json", r#"{"six": 6}"#);
    let words = [
        WHY,
        "-c",
        "Be brief",
        "--context",
        "@facts.json",
        "--output-format",
        "one line",
        "--no-footer",
    ];
    let run = killed(&sandbox, &provider, &words);
    let (ended, body) = solved(&sandbox, &words);
    assert_eq!((ended.code, provider.asked()), (0, 4), "{}", ended.err);
    assert_eq!((body["run_id"].as_str().unwrap(), runs(&sandbox)), (run.as_str(), 1));
    assert_eq!(body["final_answer"], "Forty-two.");
    let told = format!(
        "run {run} of this question was left open after 3 calls, and goes on; --again begins anew"
    );
    assert!(ended.err.contains(&told), "{}", ended.err);
    // What is decided is no longer open.
    let (_, anew) = solved(&sandbox, &words);
    assert_eq!((provider.asked(), runs(&sandbox)), (7, 2));
    assert_ne!(anew["run_id"], body["run_id"]);
}

#[test]
fn killed_at_any_call_the_same_command_asks_for_that_call_alone_again() {
    for nth in 0..5 {
        let provider = Provider::new(move |seen| {
            let (step, call) =
                (step(seen), CALLS.iter().position(|call| *call == (seen.model(), seen.nth)));
            match step.as_str() {
                _ if call == Some(nth) => Does::Hangs,
                "critique" if seen.text().contains("Forty-one.") => {
                    critique(&[("major", "one more")])
                }
                "candidate" if seen.text().contains("one more") => draft("Forty-two."),
                "candidate" => draft("Forty-one."),
                _ => honest(seen),
            }
        });
        let sandbox = desk(&provider);
        let mut child = started(&sandbox, &provider, &[WHY], nth + 1);
        child.kill().unwrap();
        child.wait().unwrap();
        let (ended, body) = solved(&sandbox, &[WHY]);
        assert_eq!((ended.code, runs(&sandbox)), (0, 1), "{nth}: {}", ended.err);
        assert!(body["final_answer"].as_str().unwrap().starts_with("Forty-two."), "{nth}: {body}");
        assert_eq!(provider.asked(), 6, "{nth}: five calls, and one of them twice");
    }
}

/// The calls of a solve with a revision, by model and by how many of that model came before.
const CALLS: [(&str, usize); 5] =
    [("writer", 0), ("writer", 1), ("critic", 0), ("writer", 2), ("critic", 1)];

#[test]
fn another_question_form_or_context_and_again_open_a_run_of_their_own() {
    let provider = stuck();
    let sandbox = desk(&provider);
    let run = killed(&sandbox, &provider, &[WHY, "-c", "Be brief"]);
    for (n, words) in [
        vec![WHY],
        vec![WHY, "-c", "Be brief "],
        vec![WHY, "-c", "Be brief", "-c", "Be brief"],
        vec![WHY, "-c", "Be brief", "--output-format", "json"],
        vec![WHY, "-c", "Be brief", "--context", "Six is 6."],
        vec![WHY, "-c", "Be brief", "--no-footer"],
        vec![WHY, "-c", "Be brief", "--critic", "critic2"],
        vec![WHY, "-c", "Be brief", "--again"],
    ]
    .into_iter()
    .enumerate()
    {
        let (_, body) = solved(&sandbox, &words);
        assert_ne!(body["run_id"].as_str(), Some(run.as_str()), "{words:?}");
        assert_eq!(runs(&sandbox), n + 2, "{words:?}");
    }
    let (_, body) = solved(&sandbox, &[WHY, "-c", "Be brief", "--critic", "critic"]);
    assert_eq!(body["run_id"].as_str(), Some(run.as_str()), "its own critic may be named");
}

#[test]
fn a_run_that_somebody_drives_is_left_to_them() {
    let provider = stuck();
    let sandbox = desk(&provider);
    let mut first = started(&sandbox, &provider, &[WHY], 3);
    let run = newest(&sandbox);
    let (ended, body) = solved(&sandbox, &[WHY]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert_ne!(body["run_id"].as_str(), Some(run.as_str()));
    let (busy, _) = solved(&sandbox, &["--resume", &run]);
    assert_eq!(busy.code, 7, "{}", busy.out);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(solved(&sandbox, &["--resume", &run]).0.code, 0);
}

#[test]
fn a_run_goes_on_with_the_agents_it_was_opened_with_and_no_others() {
    let provider = stuck();
    let sandbox = desk(&provider);
    let run = killed(&sandbox, &provider, &[WHY]);
    for words in [
        vec!["--resume", &run, "--critic", "critic2"],
        vec!["--resume", &run, "--planner", "critic"],
    ] {
        let (ended, _) = solved(&sandbox, &words);
        let told = "was opened with planner=writer (writer), generator=writer (writer), critic=critic (critic), not with";
        assert!(ended.code == 2 && ended.out.contains(told), "{words:?}: {}", ended.out);
    }
    assert_eq!(provider.asked(), 3);
    // Whoever is configured meanwhile: the run keeps its own.
    configure(&sandbox, &provider, "critics = [\"critic2\"]\ngenerator = \"critic2\"\n");
    let (ended, body) = solved(&sandbox, &[WHY]);
    assert_eq!((ended.code, provider.asked()), (0, 4), "{}", ended.err);
    assert_eq!(body["run_id"].as_str(), Some(run.as_str()));
    assert_eq!(provider.seen()[3].model(), "critic");
}

#[test]
fn a_run_whose_model_is_another_now_is_refused_before_it_is_asked() {
    let provider = stuck();
    let sandbox = desk(&provider);
    let run = killed(&sandbox, &provider, &[WHY]);
    let text = sandbox.read("config/redraft/config.toml");
    sandbox.write(
        "config/redraft/config.toml",
        text.replace("model = \"critic\"", "model = \"other\""),
    );
    for words in [vec!["--resume", &run], vec![WHY]] {
        let (ended, _) = solved(&sandbox, &words);
        assert_eq!(ended.code, 2, "{words:?}: {}", ended.out);
        assert!(
            ended.out.contains("critic=critic (other)") && ended.out.contains("--again"),
            "{}",
            ended.out
        );
    }
    assert_eq!((provider.asked(), runs(&sandbox)), (3, 1));
    assert_eq!(solved(&sandbox, &[WHY, "--again"]).0.code, 0);
}

#[test]
fn a_run_goes_on_with_the_prompts_it_was_opened_with() {
    let provider = stuck();
    let sandbox = desk(&provider);
    sandbox.write("prompts/solve/critic.md", "<!-- version: 7 -->\nFind fault.\n");
    let run = killed(&sandbox, &provider, &[WHY]);
    sandbox.write("prompts/solve/critic.md", "<!-- version: 8 -->\nBe kind.\n");
    let (ended, _) = solved(&sandbox, &[WHY]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(
        ended.err.contains("prompts of this project are used: solve/critic\n"),
        "{}",
        ended.err
    );
    assert!(provider.seen()[3].text().contains("Find fault."), "{}", provider.seen()[3].text());
    let record = &sandbox.json(&format!("runs record {run}"))["record"];
    assert_eq!(record["calls"][3]["templates"][0]["version"], "7 (project)");
}

#[test]
fn a_decided_run_is_printed_again_by_whoever_is_configured_and_is_found_by_the_beginning_of_its_id()
{
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let (_, body) = solved(&sandbox, &[WHY, "--max-calls", "3"]);
    let run = body["run_id"].as_str().unwrap();
    sandbox.write("config/redraft/config.toml", "");
    let (ended, again) = solved(&sandbox, &["--resume", run]);
    assert_eq!((ended.code, &again["final_answer"]), (0, &body["final_answer"]), "{}", ended.out);
    let (ended, _) = solved(&sandbox, &["--resume", &run[..run.len() - 2]]);
    assert_eq!(ended.code, 0, "{}", ended.out);
    let (ended, _) = solved(&sandbox, &["--resume", "nothing"]);
    assert!(ended.code == 2 && ended.out.contains("there is no run nothing"), "{}", ended.out);
    assert_eq!(provider.asked(), 3);
}

#[test]
fn a_review_is_no_solve() {
    let sandbox = crate::scene::scripted(&[crate::scene::final_draft("a"), crate::scene::agrees()]);
    sandbox.expect(0, &crate::scene::review("slug", ""));
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let mut command = sandbox.command(crate::sandbox::REDRAFT, &format!("solve --resume {run}"));
    let ended = crate::sandbox::ended(&command.current_dir(sandbox.join("w")).output().unwrap());
    assert!(ended.code == 2 && ended.err.contains("is no solve"), "{} {}", ended.code, ended.err);
}

#[test]
fn the_killed_run_takes_the_caps_of_the_command_that_goes_on() {
    let provider = stuck();
    let sandbox = desk(&provider);
    let run = killed(&sandbox, &provider, &[WHY, "--max-calls", "3"]);
    let (refused, _) = solved(&sandbox, &[WHY, "--max-calls", "2"]);
    assert!(refused.code == 2 && refused.out.contains("give --max-calls 3 or more"));
    let (ended, body) = solved(&sandbox, &["--resume", &run, "--max-calls", "5"]);
    assert_eq!((ended.code, provider.asked()), (0, 4), "{}{body}", ended.err);
    let record = &sandbox.json(&format!("runs record {run}"))["record"];
    assert_eq!(record["limits"]["calls"], 5);
}
