//! Runs as they are listed, shown, recorded and exported: the built binary against a provider on loopback.

use crate::{
    dom::Dom,
    models::{command, configure},
    provider::{Does, Provider, Seen},
    sandbox::{Ended, Sandbox, ended},
    scene::{agrees, draft, final_draft, objects, review, scripted},
};
use serde_json::{Value, json};
use std::process::Stdio;

/// What a hostile model says.
const EVIL: &str =
    "</style><script>alert('1')</script> <a href=\"javascript:x\">\u{202e}gnp\u{202c} \u{1b}[31m";
const QUESTION: &str = "Why is </title><img src=x onerror=alert(1)>\nso \u{2066}strange?";

/// What a call is for, as its reply's form tells.
fn form(seen: &Seen) -> String {
    let form = &seen.body["response_format"]["json_schema"]["name"];
    form.as_str().unwrap_or_default().to_owned()
}

/// Plans and answers; the first version has a major and a broken constraint, the second is good. The revision
/// cannot be read at first.
fn hostile(seen: &Seen) -> Does {
    let says = |value: Value| Does::Says(value.to_string());
    match (form(seen).as_str(), seen.nth) {
        ("plan", _) => says(json!({"steps": [EVIL]})),
        ("candidate", 2) => Does::Says(format!("prose {EVIL}")),
        ("candidate", n) => says(json!({
            "answer_draft": format!("Version {n}: {EVIL}"),
            "assumptions": [format!("assumed {EVIL}")],
            "uncertainty_flags": [],
        })),
        (_, n) => says(json!({
            "issues": [{
                "role": "risk",
                "severity": if n == 0 { "major" } else { "minor" },
                "description": format!("found {EVIL}"),
                "suggested_fix": format!("mend {EVIL}"),
            }],
            "constraint_violations": [], "missing_roles": [], "suggested_fixes": [],
        })),
    }
}

fn desk(provider: &Provider) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    configure(&sandbox, provider, "");
    sandbox
}

fn solve(sandbox: &Sandbox, words: &[&str]) -> (Ended, Value) {
    let ended = ended(&command(sandbox, "solve --json").args(words).output().unwrap());
    let body = serde_json::from_str(&ended.out).unwrap_or_default();
    (ended, body)
}

/// The page of a run, which keeps every rule of pages.
fn page(sandbox: &Sandbox, words: &str) -> Dom {
    let ended = sandbox.expect(0, &format!("runs export {words} --html --output -"));
    let dom = Dom::parse(&ended.out);
    dom.check();
    dom
}

fn only_run(sandbox: &Sandbox, at: &str) -> String {
    let runs = sandbox.json(&format!("runs list {at}"))["runs"].clone();
    runs[0]["run_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_solve_whose_model_is_hostile_is_a_page_of_texts() {
    let provider = Provider::new(hostile);
    let sandbox = desk(&provider);
    let words = [QUESTION, "-c", "at most 3 words", "-c", "be <b>kind</b>", "--context", EVIL];
    let (ended, body) = solve(&sandbox, &words);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let run = body["run_id"].as_str().unwrap();
    let dom = page(&sandbox, run);
    for text in [QUESTION, "at most 3 words", "be <b>kind</b>", run, "Incidents and warnings"] {
        dom.check_says(text);
    }
    let version = |n: u32| format!("Version {n}: {EVIL}");
    for text in
        [EVIL, &version(1), &version(3), &format!("assumed {EVIL}"), &format!("mend {EVIL}")]
    {
        dom.check_says(text);
    }
    dom.check_says(body["final_answer"].as_str().unwrap());
    for known in body["known_issues"].as_array().unwrap() {
        dom.check_says(known.as_str().unwrap());
    }
    assert!(dom.named("ins").count() > 0 && dom.named("del").count() > 0, "versions are compared");
    dom.check_says("accepted_after_revision");
}

#[test]
fn the_record_of_a_solve_has_every_field_of_the_contract() {
    let provider = Provider::new(hostile);
    let sandbox = desk(&provider);
    let (_, body) = solve(&sandbox, &[QUESTION, "-c", "at most 3 words"]);
    let run = body["run_id"].as_str().unwrap();
    let record = sandbox.json(&format!("runs record {run}"))["record"].clone();
    let own = &record["solve"];
    assert_eq!(record["schema_version"], 1);
    assert_eq!((&record["run_id"], &body["run_id"]), (&json!(run), &json!(run)));
    assert!(record["opened_at"].as_str() < record["finished_at"].as_str(), "{record}");
    assert_eq!(own["request"]["prompt"], QUESTION);
    assert_eq!(own["normalized_problem"]["constraints"], json!(["at most 3 words"]));
    assert_eq!(own["plan"]["steps"], json!([EVIL]));
    assert_eq!(own["candidates"].as_array().unwrap().len(), 2);
    assert_eq!(own["critiques"].as_array().unwrap().len(), 2);
    assert_eq!(own["final_response"]["final_answer"], body["final_answer"]);
    assert_eq!(own["final_response"]["known_issues"], body["known_issues"]);
    assert!(own["incidents"].is_array() && record["warnings"].is_array(), "errors and warnings");
    check_calls(record["calls"].as_array().unwrap());
    for name in ["shape", "cast", "sources"] {
        assert!(!record["config"][name].is_null(), "the configuration has {name}");
    }
    assert_eq!(record["config_sha256"].as_str().unwrap().len(), 64);
    assert_eq!(record["limits"]["calls"], 6);
    assert!(record["limits"]["time"].as_i64() > record["worked_ms"].as_i64(), "caps and usage");
    assert_eq!(record["calls_charged"], provider.asked());
    for name in ["usage", "spent", "maybe_billed", "stops", "decision"] {
        assert!(!record[name].is_null(), "{name}");
    }
}

/// Checks that each call tells stage, agent, model, provider, template, attempt, latency, tokens, cost and outcome.
#[track_caller]
fn check_calls(calls: &[Value]) {
    let stages: Vec<&str> = calls.iter().map(|call| call["step"].as_str().unwrap()).collect();
    assert_eq!(stages, ["plan", "generate", "critique", "revise", "revise", "recritique"]);
    let templates = ["planner", "generator", "critic", "reviser", "reviser", "critic"];
    for (call, template) in calls.iter().zip(templates) {
        let critic = template == "critic";
        assert_eq!(call["model"], if critic { "critic" } else { "writer" });
        assert_eq!(call["agent"], call["model"]);
        assert_eq!(call["provider"], "compatible");
        assert_eq!(call["templates"].as_array().unwrap().len(), 1);
        assert_eq!(call["templates"][0]["name"], format!("prompt/solve/{template}"));
        assert!(!call["templates"][0]["version"].as_str().unwrap().is_empty());
        assert_eq!(call["templates"][0]["sha256"].as_str().unwrap().len(), 64);
        assert!(call["attempt"].as_u64() >= Some(1));
        assert!(call["latency_ms"].is_u64());
        assert!(call["usage"]["input_tokens"].is_u64());
        assert!(call.get("cost").is_some(), "null where nobody knows the price");
        assert!(!call["state"].is_null() && call["prompt"].as_str().unwrap().len() == 64);
    }
}

#[test]
fn a_run_that_was_killed_and_one_that_gave_nothing_have_pages_too() {
    let provider = Provider::new(|seen| match form(seen).as_str() {
        "plan" => hostile(seen),
        _ => Does::Hangs,
    });
    let sandbox = desk(&provider);
    let mut solve = command(&sandbox, "solve Why?");
    let mut child = solve.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while provider.asked() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(5)); // real time: until the answer is asked for
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let dom = page(&sandbox, &only_run(&sandbox, ""));
    dom.check_says("not answered yet");
    dom.check_says("Somebody is at work on it, or was cut off.");
    let refusing = Provider::new(|_| Does::Fails(400, Vec::new(), "{}".into()));
    let sandbox = desk(&refusing);
    let (ended, _) = self::solve(&sandbox, &["Why?"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    let dom = page(&sandbox, &only_run(&sandbox, ""));
    dom.check_says("ended (nothing_generated)");
    dom.check_says("No answer was generated.");
}

#[test]
fn a_review_is_a_page_with_its_iterations_verdicts_and_findings() {
    let sandbox = scripted(&[
        draft("one <b>x</b>\n"),
        objects("say more"),
        final_draft("one <i>y</i>\n"),
        agrees(),
    ]);
    sandbox.expect(0, &review("description", ""));
    let dom = page(&sandbox, &format!("-w w {}", only_run(&sandbox, "-w w")));
    for text in [
        "one <b>x</b>",
        "one <i>y</i>",
        "changes_requested",
        "say more",
        "Iteration 2",
        "open in 1, fixed in 2",
        "converged (reviewer_ok_and_creator_done)",
    ] {
        dom.check_says(text);
    }
    assert!(dom.named("ins").any(|ins| ins.text.contains('y')), "what is new is marked");
}

#[test]
fn an_export_is_written_over_an_older_page_of_its_run_and_over_nothing_else() {
    let sandbox = scripted(&[final_draft("x"), agrees()]);
    sandbox.expect(0, &review("description", ""));
    let run = only_run(&sandbox, "-w w");
    let words = format!("runs export -w w {run} --html");
    let written = sandbox.json(&words);
    let name = format!("run_{run}.html");
    assert_eq!(written["files"][0]["path"], name.as_str());
    let page = sandbox.read(&name);
    assert_eq!(written["files"][0]["bytes"], page.len());
    sandbox.write(&name, page.replace("<h1", "<h1 class=\"old\""));
    sandbox.expect(0, &words);
    assert_eq!(sandbox.read(&name), page, "an older page gives way");
    sandbox.write("mine.html", "mine");
    let refused = sandbox.expect(2, &format!("{words} --output mine.html"));
    assert!(refused.err.contains("is no page of this run"), "{}", refused.err);
    assert_eq!(sandbox.read("mine.html"), "mine");
    sandbox.expect(0, &format!("{words} --output mine.html --replace"));
    assert_eq!(sandbox.read("mine.html"), page);
    for (more, told) in [
        ("--output none/x.html", "there is no such folder"),
        ("--output w", "is no name of a file"),
        ("--output w/.redraft/x.html", "belongs to a journal or a repository"),
        ("--output - --json", "both want stdout"),
    ] {
        let ended = sandbox.expect(2, &format!("{words} {more}"));
        assert!(format!("{}{}", ended.err, ended.out).contains(told), "{more}: {}", ended.err);
    }
    let unnamed = sandbox.expect(2, &format!("runs export -w w {run}"));
    assert!(
        unnamed.err.contains("--html") && unnamed.err.contains("runs record"),
        "{}",
        unnamed.err
    );
}

#[test]
fn lists_have_a_header_are_newest_first_and_can_be_of_one_workflow() {
    let provider = Provider::new(hostile);
    let sandbox = desk(&provider);
    for question in ["First?", "Second <i>one</i>\nwith a line"] {
        solve(&sandbox, &[question]);
    }
    let told = sandbox.expect(0, "runs list").out;
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert!(lines[0].starts_with("RUN ") && lines[0].ends_with("SUBJECT"), "{told}");
    assert!(
        lines[1].contains("  solve  ") && lines[1].ends_with("Second <i>one</i> with a line"),
        "{told}"
    );
    assert!(lines[2].ends_with("First?"), "{told}");
    assert_eq!(sandbox.expect(0, "runs list --workflow solve --limit 1").out.lines().count(), 2);
    assert!(sandbox.expect(0, "runs list --workflow review").out.is_empty());
}

#[test]
fn a_solve_is_shown_with_its_question_versions_critiques_and_answer() {
    let provider = Provider::new(hostile);
    let sandbox = desk(&provider);
    let (_, body) = solve(&sandbox, &["Why?", "-c", "at most 3 words"]);
    let shown = sandbox.expect(0, &format!("runs show {}", body["run_id"].as_str().unwrap())).out;
    for told in [
        "Question: Why?",
        "Constraint: at most 3 words (broken: ",
        "Version 1: ",
        "  major (risk): found ",
        "Version 2: ",
        "Known issue: blocker (requirements): at most 3 words",
        "Answer: Version 3: ",
        "revise by generator attempt 2: answered",
    ] {
        assert!(shown.contains(told), "{told:?} is not in\n{shown}");
    }
    assert!(!shown.contains(['\u{202e}', '\u{1b}']), "nothing hidden reaches a terminal");
}
