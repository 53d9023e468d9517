//! What another implementation wrote stays byte for byte, whatever happens while the loop goes on.

use crate::{
    durability::trace::{self, Calls},
    sandbox::Sandbox,
    scene::{
        agrees, asked, asset, document, draft, expect_logged, final_draft, objects, review, script,
    },
    strangers::{Stranger, candidate},
};
use serde_json::json;
use std::collections::BTreeMap;

const RENAMES: &str = "renameat";

fn stem() -> String {
    format!(
        "w/copy/candidates/description/candidate_{}",
        candidate()["candidate_id"].as_str().unwrap()
    )
}

/// A loop in progress whose files are none that Redraft would write: HTML of its own, a panel's merged review.
fn in_progress() -> Sandbox {
    let mut stranger = Stranger::open();
    let name = json!("a+b");
    stranger.state["assets"][0]["reviews"][0]["reviewer"] = name.clone();
    stranger.protocol["iterations"][0]["reviewer"]["reviewer"] = name;
    let sandbox = stranger.build();
    std::fs::remove_file(sandbox.join("w/copy/reviews/description/iteration_01.mo.json")).unwrap();
    for reviewer in ["a", "b"] {
        let path = format!("w/copy/reviews/description/iteration_01.{reviewer}.json");
        sandbox.write(&path, format!("{{\"by\": \"{reviewer}\"}}"));
    }
    let first = &stranger.protocol["iterations"][0];
    sandbox.write("w/copy/protocol/description/iteration_01.json", first.to_string());
    sandbox.write(&format!("{}.html", stem()), "<section>one, in their own words</section>");
    script(&sandbox, &[draft("unused\n"), objects("unused"), final_draft("two\n"), agrees()]);
    sandbox
}

/// The files of the past: all but the two that tell how things stand.
fn past(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    let mut files = sandbox.files("w");
    files.retain(|path, _| !path.ends_with("state.json"));
    files
}

/// Every file of the past is as it was, and none is there twice.
fn check(sandbox: &Sandbox, before: &BTreeMap<String, Vec<u8>>, place: &str) {
    let after = past(sandbox);
    for (path, bytes) in before {
        assert!(after.get(path) == Some(bytes), "{place}: {path} has changed");
    }
    let new = after.keys().filter(|path| !before.contains_key(*path));
    let again: Vec<&String> = new.filter(|path| path.contains("iteration_01")).collect();
    assert_eq!(again, Vec::<&String>::new(), "{place}");
}

#[test]
fn a_foreign_past_is_never_written_over() {
    let sandbox = in_progress();
    let before = past(&sandbox);
    for turn in ["the first time", "again"] {
        sandbox.expect(0, &review("description", ""));
        check(&sandbox, &before, turn);
    }
    sandbox.expect(0, "repair -w w");
    check(&sandbox, &before, "repaired");
    sandbox.expect(0, "verify -w w");
}

#[test]
fn a_foreign_past_survives_a_kill_at_every_rename() {
    if !trace::works() {
        return;
    }
    let (words, renames) = (review("description", ""), Calls { names: RENAMES, on: vec![] });
    let (template, expected) = (in_progress(), in_progress());
    let before = past(&template);
    let count = trace::count(expected.path(), &words, &renames);
    assert!(count > 5, "{count} renames");
    for k in 1..=count {
        let (sandbox, place) = (Sandbox::new(), format!("killed at rename {k} of {count}"));
        template.copy(".", sandbox.path());
        let killed = trace::interfere(sandbox.path(), &words, &renames, "signal=KILL", k);
        assert!(!killed.status.success(), "{place}: it came too late");
        check(&sandbox, &before, &place);
        for _ in ["resumed", "again"] {
            let ended = sandbox.expect(0, &words);
            assert!(ended.out.contains("Outcome: converged"), "{place}: {}", ended.out);
            assert_eq!(sandbox.files("w"), expected.files("w"), "{place}");
        }
        sandbox.expect(0, "verify -w w");
    }
}

#[test]
fn a_candidate_that_was_edited_by_hand_before_the_first_run_stays_edited() {
    let sandbox = Stranger::open().build();
    std::fs::remove_dir_all(sandbox.join("w/copy/protocol")).unwrap();
    let edited = format!("{}.md", stem());
    sandbox.write(&edited, "edited by hand\n");
    let before = past(&sandbox);
    script(&sandbox, &[final_draft("two\n"), agrees()]);
    for turn in ["the first time", "again"] {
        sandbox.expect(0, &review("description", ""));
        check(&sandbox, &before, turn);
    }
    sandbox.expect(0, "repair -w w");
    assert_eq!(sandbox.read(&edited), "edited by hand\n");
}

#[test]
fn a_foreign_loop_that_agreed_and_was_not_decided_converges_without_a_call() {
    for more in ["", "--max-iterations 1"] {
        let mut stranger = Stranger::open();
        let mut agreed = stranger.protocol["iterations"][0]["reviewer"].clone();
        (agreed["verdict"], agreed["issues"]) = (json!("ok"), json!([]));
        stranger.state["assets"][0]["reviews"][0] = agreed.clone();
        stranger.protocol["iterations"][0]["reviewer"] = agreed;
        stranger.protocol["iterations"][0]["creator"]["done"] = json!(true);
        let sandbox = stranger.build();
        let before = past(&sandbox);
        script(&sandbox, &[]);
        let told = "Outcome: converged (reviewer_ok_and_creator_done)";
        for _ in ["the first time", "again"] {
            let ended = expect_logged(&sandbox, 0, &review("description", more));
            assert!(ended.out.contains(told), "{more}: {}", ended.out);
        }
        assert_eq!(asked(&sandbox), Vec::<String>::new());
        check(&sandbox, &before, more);
        let protocol = document(&sandbox, "w/copy/protocol/description/state.json");
        assert_eq!(protocol["decision"]["final_iteration"], 1);
        assert_eq!(protocol["iterations"], stranger.protocol["iterations"]);
        let kept = asset(&sandbox, "description");
        assert_eq!(kept["selected_candidate_id"], candidate()["candidate_id"]);
        assert_eq!(sandbox.read("w/copy/selected/description.md"), "one é\n");
    }
}
