//! What stands where after a record was closed.

use super::{check_clean, check_ids, record, reopen, waits_for_a_person};
use crate::{
    sandbox::Sandbox,
    scene::{
        agrees, asked, asset, document, draft, expect_logged, final_draft, objects, refused,
        review, script,
    },
};
use rusqlite::Connection;
use serde_json::{Value, json};

/// The first fact of the workspace's newest run.
fn opened(sandbox: &Sandbox) -> Value {
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let db = Connection::open(sandbox.join("w/.redraft/journal.db")).unwrap();
    let query = "SELECT body FROM facts JOIN streams ON streams.key = facts.stream
        WHERE streams.id = ?1 AND facts.seq = 1";
    let body: String = db.query_row(query, [run], |row| row.get(0)).unwrap();
    serde_json::from_str::<Value>(&body).unwrap()["fact"]["opened"].clone()
}

#[test]
fn the_closed_record_moves_and_the_new_one_numbers_its_iterations_on() {
    let sandbox = waits_for_a_person();
    let (before, kept) = (record(&sandbox, ""), asset(&sandbox, "description"));
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        ["iteration_01.json", "redraft.json", "state.json"]
    );
    let ended = sandbox.expect(0, &reopen("shorter", ""));
    assert!(ended.out.contains("Outcome: converged (reviewer_ok_and_creator_done)\n"));
    assert_eq!(record(&sandbox, "closed_01"), before, "a closed outcome was written over");
    let files = record(&sandbox, "");
    assert_eq!(
        files.keys().collect::<Vec<_>>(),
        ["iteration_02.json", "redraft.json", "state.json"]
    );
    let protocol = document(&sandbox, "w/copy/protocol/description/state.json");
    let numbers: Vec<&Value> =
        protocol["iterations"].as_array().unwrap().iter().map(|i| &i["iteration"]).collect();
    assert_eq!((numbers, &protocol["max_iterations"]), (vec![&json!(2)], &json!(4)));
    assert_eq!(protocol["decision"]["final_iteration"], 2);
    let now = asset(&sandbox, "description");
    assert_eq!(check_ids(&now), 2);
    assert_eq!(now["candidates"][0], kept["candidates"][0]);
    assert_eq!(now["reviews"][0], kept["reviews"][0]);
    assert_eq!(now["reviews"][1]["iteration"], 2);
    assert_eq!(now["selected_candidate_id"], now["candidates"][1]["candidate_id"]);
    assert!(sandbox.join("w/copy/reviews/description/iteration_01.reviewer_a.json").exists());
    check_clean(&sandbox, "reopened");
    refused(&sandbox, 0, &review("description", ""), &["Outcome: converged"]);
}

#[test]
fn both_runs_are_listed_and_status_tells_who_reopened_and_why() {
    let sandbox = waits_for_a_person();
    sandbox.expect(0, &reopen("shorter", ""));
    let runs = sandbox.json("runs list -w w")["runs"].clone();
    let outcomes: Vec<&Value> =
        runs.as_array().unwrap().iter().map(|run| &run["decision"]["outcome"]).collect();
    assert_eq!(outcomes, ["converged", "needs_human"]);
    let status = sandbox.expect(0, "podcast status -w w");
    for line in ["Iteration: 2/4", "Record: 2, reopened by Ada: shorter"] {
        assert!(status.out.lines().any(|l| l == line), "{line}\n{}", status.out);
    }
    let status = sandbox.json("podcast status -w w")["assets"][0].clone();
    let [closed] = status["closed"].as_array().unwrap().as_slice() else { panic!("{status}") };
    assert_eq!(closed["number"], 1);
    assert_eq!(closed["folder"], "copy/protocol/description/closed_01");
    assert_eq!(closed["run_id"], runs[1]["run_id"]);
    assert_eq!(closed["decision"]["outcome"], "needs_human");
    assert_eq!((&closed["last_iteration"], &closed["reason"]), (&json!(1), &json!("shorter")));
    assert_eq!(closed["reopened_by"], "Ada");
    assert_eq!(status["outcome"], "converged");
}

#[test]
fn the_new_run_goes_on_from_the_last_candidate_the_last_review_and_the_wish() {
    let sandbox = waits_for_a_person();
    sandbox.expect(0, &reopen("shorter", ""));
    let opened = opened(&sandbox);
    assert_eq!((&opened["seed"]["text"], &opened["first_round"]), (&json!("one\n"), &json!(2)));
    assert_eq!(opened["settings"]["reopened"], json!({"by": "Ada", "reason": "shorter"}));
    assert_eq!(opened["settings"]["closed_review"]["issues"][0]["message"], "more");
}

#[test]
fn a_pick_is_what_the_new_run_begins_with_and_no_answer_to_how_it_ends() {
    let sandbox = waits_for_a_person();
    let replies = [draft("a\n"), objects("x"), draft("b\n"), objects("y")];
    script(&sandbox, &replies);
    sandbox.expect(3, &reopen("longer", "--max-iterations 3"));
    let id = asset(&sandbox, "description")["candidates"][0]["candidate_id"].clone();
    let pick = "podcast pick -w w --asset-id description --candidate-id";
    sandbox.expect(0, &format!("{pick} {} --by Bo", id.as_str().unwrap()));
    let told = sandbox.expect(0, &review("description", ""));
    assert!(told.out.contains("Outcome: selected by Bo"), "{}", told.out);
    let told = sandbox.expect(3, &reopen("other", "--max-iterations 5"));
    assert!(told.out.contains("Outcome: needs_human (iteration_limit)"), "{}", told.out);
    assert_eq!(opened(&sandbox)["seed"]["text"], "one\n");
    let kept = asset(&sandbox, "description");
    assert_eq!((check_ids(&kept), &kept["selected_candidate_id"]), (5, &id));
    assert_eq!(sandbox.read("w/copy/selected/description.md"), "one\n");
    check_clean(&sandbox, "picked and reopened");
}

#[test]
fn a_draft_made_after_the_decision_is_what_the_new_run_begins_with() {
    let sandbox = waits_for_a_person();
    let id = asset(&sandbox, "description")["candidates"][0]["candidate_id"].clone();
    let path = format!("copy/candidates/description/candidate_{}.md", id.as_str().unwrap());
    sandbox.write(&format!("w/{path}"), "one, by hand\n");
    sandbox.expect(0, &format!("adopt -w w {path}"));
    sandbox.expect(0, &reopen("mine", ""));
    assert_eq!(opened(&sandbox)["seed"]["text"], "one, by hand\n");
}

#[test]
fn a_second_reopening_gets_a_number_of_its_own() {
    let sandbox = waits_for_a_person();
    sandbox.expect(0, &reopen("shorter", ""));
    let (first, second) = (record(&sandbox, "closed_01"), record(&sandbox, ""));
    let told = ["Outcome: converged", "was reopened for this reason already"];
    refused(&sandbox, 0, &reopen("shorter", ""), &told);
    sandbox.expect(0, &reopen("funnier", ""));
    assert_eq!(record(&sandbox, "closed_01"), first);
    assert_eq!(record(&sandbox, "closed_02"), second);
    assert_eq!(
        record(&sandbox, "").keys().collect::<Vec<_>>(),
        ["iteration_03.json", "redraft.json", "state.json"]
    );
    let status = sandbox.json("podcast status -w w")["assets"][0].clone();
    assert_eq!(status["closed"].as_array().unwrap().len(), 2);
    assert_eq!(check_ids(&asset(&sandbox, "description")), 3);
    assert!(sandbox.expect(0, "podcast status -w w").out.contains("Record: 3, reopened by Ada"));
    check_clean(&sandbox, "reopened twice");
}

#[test]
fn closed_files_are_known_restored_and_not_written_over() {
    let sandbox = waits_for_a_person();
    sandbox.expect(0, &reopen("shorter", ""));
    let before = sandbox.files("w");
    let path = "w/copy/protocol/description/closed_01/state.json";
    sandbox.write(path, "{}\n");
    refused(&sandbox, 6, &review("description", ""), &["closed_01/state.json"]);
    refused(&sandbox, 6, &reopen("again", ""), &["closed_01/state.json"]);
    sandbox.expect(0, "repair -w w");
    assert_eq!(sandbox.read(&format!("{path}.damaged-1")), "{}\n");
    std::fs::remove_file(sandbox.join(&format!("{path}.damaged-1"))).unwrap();
    std::fs::remove_file(sandbox.join("w/copy/protocol/description/closed_01/iteration_01.json"))
        .unwrap();
    sandbox.expect(0, "repair -w w");
    assert!(sandbox.files("w") == before);
}

#[test]
fn a_reopened_review_that_was_stopped_goes_on_as_the_same_record() {
    let sandbox = waits_for_a_person();
    let words = reopen("shorter", "--max-calls 1");
    expect_logged(&sandbox, 5, &words);
    let status = sandbox.json("podcast status -w w")["assets"][0].clone();
    assert_eq!(status["outcome"], "in_progress");
    expect_logged(&sandbox, 5, &words);
    refused(&sandbox, 2, &reopen("other", ""), &["is reopened already, by Ada: shorter"]);
    expect_logged(&sandbox, 0, &reopen("shorter", "--max-calls 9"));
    assert_eq!(
        asked(&sandbox),
        ["description creator ordinal=0 attempt=1", "description reviewer ordinal=0 attempt=1"]
    );
    assert!(!sandbox.join("w/copy/protocol/description/closed_02").exists());
    assert_eq!(sandbox.json("runs list -w w")["runs"].as_array().unwrap().len(), 2);
    check_clean(&sandbox, "stopped and gone on");
}

#[test]
fn a_folder_that_bears_the_number_already_is_left_alone() {
    let sandbox = waits_for_a_person();
    sandbox.write("w/copy/protocol/description/closed_01/state.json", "somebody's\n");
    let before = record(&sandbox, "");
    sandbox.expect(0, &reopen("shorter", ""));
    assert_eq!(sandbox.read("w/copy/protocol/description/closed_01/state.json"), "somebody's\n");
    assert_eq!(record(&sandbox, "closed_02"), before);
    check_clean(&sandbox, "a number was taken");
}

#[test]
fn with_all_the_decided_are_reopened_and_the_others_go_on() {
    let sandbox = Sandbox::new();
    let fake = "podcast review --fake-runner";
    sandbox.expect(0, &format!("{fake} --asset-id description --asset-id slug"));
    let words = format!("{fake} -w demo_workspace --all --reopen --reason anew");
    sandbox.expect(3, &format!("{words} --max-iterations 3"));
    let status = sandbox.json("podcast status -w demo_workspace")["assets"].clone();
    for asset in status.as_array().unwrap() {
        let reopened = ["description", "slug"].contains(&asset["asset_id"].as_str().unwrap());
        assert_eq!(asset["closed"].as_array().unwrap().len(), usize::from(reopened), "{asset}");
        assert_eq!(asset["outcome"], if reopened { "needs_human" } else { "converged" }, "{asset}");
    }
    assert_eq!(status.as_array().unwrap().len(), 13);
}

#[test]
fn a_reopened_review_of_the_offline_agent_sees_the_last_review() {
    let sandbox = crate::scene::workspace();
    let text = "**Ada:** A sourdough starter is flour and water, fed every single day.\n\n**Bo:** Bread rises by itself, says the baker from next door.\n";
    sandbox.write("a.md", text);
    sandbox.expect(0, "podcast ingest -w w --transcript a.md");
    let words = "podcast review -w w --asset-id mastodon";
    let first = sandbox.redraft(words);
    assert!([0, 3].contains(&first.code), "{}", first.err);
    let again = sandbox.redraft(&format!("{words} --reopen --reason anew"));
    assert!([0, 3].contains(&again.code), "{}", again.err);
    assert_eq!(opened(&sandbox)["settings"]["closed_review"]["reviewer"], "offline");
    script(&sandbox, &[final_draft("x\n"), agrees()]);
    check_clean(&sandbox, "offline");
}
