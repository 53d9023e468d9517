//! The podcast contract, word for word.

use crate::sandbox::{PODCAST, Sandbox, ended};

const FAKE: &str = "podcast review --fake-runner --asset-id description";

#[test]
fn the_fake_runner_converges_with_the_contracts_files_and_messages() {
    let sandbox = Sandbox::new();
    let ended = sandbox.expect(0, &format!("{FAKE} --max-iterations 2"));
    for line in [
        "Workspace: demo_workspace",
        "Outcome: converged (reviewer_ok_and_creator_done)",
        "Selected: demo_workspace/copy/selected/description.md",
    ] {
        assert!(ended.out.lines().any(|l| l == line), "{line}\n{}", ended.out);
    }
    let files: Vec<String> = sandbox.files("demo_workspace/copy").into_keys().collect();
    let (one, two) =
        ("2641202b-6fa0-53f9-b209-b71f722f6270", "5a2089a4-d67d-5a7a-aad8-2d687a4f3cf2");
    let mut expected = Vec::new();
    for id in [one, two] {
        for extension in ["html", "json", "md"] {
            expected.push(format!("candidates/description/candidate_{id}.{extension}"));
        }
    }
    expected.extend(
        ["iteration_01", "iteration_02", "redraft", "state"]
            .map(|f| format!("protocol/description/{f}.json")),
    );
    expected.extend([1, 2].map(|n| format!("reviews/description/iteration_0{n}.reviewer_a.json")));
    expected.extend(["html", "md"].map(|e| format!("selected/description.{e}")));
    assert_eq!(files, expected);
}

#[test]
fn at_the_limit_the_fake_runner_waits_for_a_person() {
    let sandbox = Sandbox::new();
    let ended = sandbox.expect(3, &format!("{FAKE} --max-iterations 1"));
    assert!(ended.out.contains("Outcome: needs_human (iteration_limit)\n"), "{}", ended.out);
}

#[test]
fn a_decided_workspace_is_reported_and_not_touched() {
    for (limit, code) in [(1, 3), (2, 0)] {
        let sandbox = Sandbox::new();
        sandbox.expect(code, &format!("{FAKE} --max-iterations {limit}"));
        let before = sandbox.files(".");
        let log = sandbox.join("agent.log");
        for more in ["--max-iterations 2", "--max-iterations 9", ""] {
            let words = format!("{FAKE} --workspace demo_workspace {more}");
            let output = sandbox
                .command(crate::sandbox::REDRAFT, &words)
                .env("REDRAFT_SCRIPT_LOG", &log)
                .output();
            assert_eq!(ended(&output.unwrap()).code, code, "{words}");
        }
        assert!(!log.exists(), "an agent was called");
        assert_eq!(sandbox.files("."), before);
    }
}

#[test]
fn each_fake_run_without_a_workspace_makes_a_new_one() {
    let sandbox = Sandbox::new();
    for name in ["demo_workspace", "demo_workspace_2", "demo_workspace_3"] {
        let ended = sandbox.expect(0, FAKE);
        assert!(ended.out.contains(&format!("Workspace: {name}\n")), "{}", ended.out);
    }
}

#[test]
fn the_second_program_has_the_same_subcommands() {
    let sandbox = Sandbox::new();
    let words = "review --fake-runner --asset-id description --max-iterations 2";
    assert_eq!(ended(&sandbox.command(PODCAST, words).output().unwrap()).code, 0);
    let words = "status --workspace demo_workspace";
    let status = ended(&sandbox.command(PODCAST, words).output().unwrap());
    for label in
        ["Asset: ", "Iteration: 2/2", "Verdict: ok", "Outcome: converged", "Blocking issues: 0"]
    {
        assert!(status.out.contains(label), "{label}\n{}", status.out);
    }
}
