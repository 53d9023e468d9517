//! Messages that say what to do next.

use crate::sandbox::{REDRAFT, Sandbox, ended};

#[test]
fn a_mistake_in_a_question_is_told_with_its_option_and_a_way_on() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    sandbox.write("torn.txt", [0xff, 0xfe, b'a']);
    for (words, told) in [
        ("solve Why? --critic scripted", "name a model or a program, offline or human"),
        ("solve @", "the question: no file is named behind the @"),
        ("solve Why? --context @", "--context: no file is named behind the @"),
        ("solve Why? --context @missing.txt", "--context: missing.txt: "),
        ("solve @torn.txt", "texts are UTF-8"),
        ("solve Why? --max-usd -1", "an amount cannot be negative"),
        ("prompts show critic", "redraft prompts show solve/critic shows"),
        ("prompts show solve/critic --lens facts", "leave --lens out"),
    ] {
        let refused = sandbox.expect(2, words);
        assert!(refused.err.contains(told), "{words}: {}", refused.err);
    }
}

#[test]
fn too_few_calls_are_told_with_where_they_stand() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    sandbox.write("redraft.toml", "[budget]\ncalls = 2\n");
    let refused = sandbox.expect(2, "solve Why?");
    assert!(
        refused.err.contains("redraft.toml:2 says so: make its budget.calls 3 or more"),
        "{}",
        refused.err
    );
    let mut command = sandbox.command(REDRAFT, "solve Why? --max-calls 2");
    let refused = ended(&command.env("REDRAFT_BUDGET_CALLS", "2").output().unwrap());
    assert!(refused.err.contains("help: give --max-calls 3 or more"), "{}", refused.err);
}

#[test]
fn a_context_that_is_the_name_of_a_file_is_warned_of() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    sandbox.write("ep.md", "It is blue.");
    let asked = sandbox.redraft("solve What? --context ep.md");
    assert!(asked.err.contains("--context @ep.md reads it"), "{}", asked.err);
    let asked = sandbox.redraft("solve What? --context @ep.md");
    assert!(!asked.err.contains("warning"), "{}", asked.err);
}

#[test]
fn an_empty_list_says_why() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    sandbox.redraft("solve What? --context What-is-blue.");
    let list = sandbox.expect(0, "runs list --workflow nope");
    assert!(list.out.is_empty() && list.err.contains("there are runs of: solve"), "{}", list.err);
    let list = sandbox.expect(0, "runs list --limit 0");
    assert!(
        list.out.is_empty() && list.err.contains("leaves out what there is: 1 run"),
        "{}",
        list.err
    );
}

#[test]
fn a_run_that_waits_for_a_person_says_so_and_how_it_goes_on() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    sandbox.expect(3, "solve Why? --generator human");
    let run = sandbox.json("runs list")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let list = sandbox.expect(0, "runs list");
    assert!(list.out.contains("waits for a person"), "{}", list.out);
    let shown = sandbox.expect(0, &format!("runs show {run}"));
    assert!(shown.out.contains("Waits: generator waits for "), "{}", shown.out);
    assert!(shown.out.contains(&format!("Next: redraft solve --resume {run}")), "{}", shown.out);
    assert_eq!(sandbox.json(&format!("solve --resume {run}"))["tokens"], 0);
}
