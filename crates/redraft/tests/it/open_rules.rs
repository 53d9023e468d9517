//! An open run goes on with the rules and the agents it was opened with.

use crate::{
    sandbox::THREE_ITERATIONS,
    scene::{asset, draft, objects, refused, review, scripted, workspace},
};

#[test]
fn an_open_run_takes_no_new_rule() {
    let sandbox = scripted(&[draft("one\n"), objects("more"), draft("one\n"), objects("more")]);
    sandbox.expect(5, &review("description", "--max-calls 2"));
    let words = review("description", "--max-calls 9 --stop-on-stagnation");
    refused(&sandbox, 2, &words, &["the run was opened without --stop-on-stagnation"]);
}

#[test]
fn a_script_plays_new_runs_and_no_open_run_of_other_agents() {
    let sandbox = workspace();
    sandbox.write("t.md", "**Ada:** A sourdough starter is flour and water, fed every day.\n");
    sandbox.write("script.json", THREE_ITERATIONS);
    sandbox.expect(0, "podcast ingest -w w --transcript t.md");
    sandbox.expect(5, "podcast review -w w --asset-id slug --max-calls 1");
    let slug = asset(&sandbox, "slug");
    let words = "podcast review -w w --fake-runner --asset-id description --asset-id slug";
    let ended = sandbox.expect(2, words);
    assert!(ended.err.contains("slug: the run was opened with"), "{}", ended.err);
    assert_eq!(asset(&sandbox, "slug"), slug);
    assert!(ended.out.contains("Outcome: converged"), "{}", ended.out);
    let runs = sandbox.json("runs list -w w")["runs"].as_array().unwrap().clone();
    let run = runs.iter().find(|run| run["subject"] == "description").unwrap();
    let shown = sandbox.json(&format!("runs show -w w {}", run["run_id"].as_str().unwrap()));
    let cast = shown["record"].to_string();
    assert!(cast.contains("scripted") && !cast.contains("offline"), "{cast}");
}
