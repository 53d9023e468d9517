//! Folders that are links out of the workspace are refused before anything is written.

use crate::{
    sandbox::Sandbox,
    scene::{asked, logged, workspace},
    strangers::Stranger,
};
use std::{fs, os::unix::fs::symlink};

const TRANSCRIPT: &str = "**Ada:** A sourdough starter is flour and water, fed every day.\n\n**Bo:** Then the dough rises slowly overnight.\n";

/// Refused with code 2, a message that names the link, no call, and no byte written; not even a home.
fn check(sandbox: &Sandbox, words: &str, link: &str) {
    let before = (sandbox.files("."), facts(sandbox));
    let output = logged(sandbox, words).output().unwrap();
    let ended = crate::sandbox::ended(&output);
    assert_eq!(ended.code, 2, "{words}\n{}{}", ended.out, ended.err);
    assert!(
        ended.err.contains(&format!("w/{link} is a link that leads")),
        "{words}: {}",
        ended.err
    );
    assert!((sandbox.files("."), facts(sandbox)) == before, "{words}: something was written");
    assert_eq!(asked(sandbox), Vec::<String>::new(), "{words}: an agent was called");
}

/// How many facts the journal holds; `None` without a journal.
fn facts(sandbox: &Sandbox) -> Option<u64> {
    let there = sandbox.join("w/.redraft").exists();
    there.then(|| sandbox.json("verify -w w")["facts"].as_u64().unwrap())
}

fn linked(link: &str) -> Sandbox {
    let sandbox = workspace();
    sandbox.write("t.md", TRANSCRIPT);
    sandbox.expect(0, "podcast ingest -w w --transcript t.md");
    link_out(&sandbox, link);
    sandbox
}

fn link_out(sandbox: &Sandbox, link: &str) {
    fs::create_dir_all(sandbox.join("elsewhere")).unwrap();
    let place = sandbox.join(&format!("w/{link}"));
    let _ = fs::remove_dir_all(&place);
    let _ = fs::remove_file(&place);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    symlink(sandbox.join("elsewhere"), place).unwrap();
}

#[test]
fn a_review_refuses_folders_that_lead_out() {
    for link in [
        "copy",
        "copy/candidates",
        "copy/candidates/description",
        "copy/reviews",
        "copy/protocol/description",
        "copy/selected",
        "state.json",
    ] {
        for agents in ["--fake-runner", ""] {
            let words = format!("podcast review -w w --asset-id description {agents}");
            check(&linked(link), &words, link);
        }
    }
}

#[test]
fn a_link_that_leads_nowhere_is_refused() {
    let sandbox = workspace();
    symlink("nowhere", sandbox.join("w/copy")).unwrap();
    check(&sandbox, "podcast review -w w --asset-id description --fake-runner", "copy");
}

#[test]
fn every_command_that_writes_refuses_folders_that_lead_out() {
    for (words, link) in [
        ("podcast draft -w w --asset-id description", "copy"),
        ("podcast draft -w w --asset-id description", "copy/candidates"),
        ("podcast summarize -w w", "summaries"),
        ("podcast summarize -w w", "summaries/episode"),
        ("podcast ingest -w w --transcript t.md", "transcript"),
        ("podcast ingest -w w --transcript t.md", "state.json"),
        ("podcast status -w w", "transcript"),
        ("repair -w w", "transcript"),
    ] {
        check(&linked(link), words, link);
    }
}

#[test]
fn pick_refuses_a_folder_that_leads_out() {
    let sandbox = linked("notes");
    sandbox.expect(0, "podcast draft -w w --asset-id description");
    link_out(&sandbox, "copy/selected");
    let id = crate::scene::asset(&sandbox, "description")["candidates"][0]["candidate_id"].clone();
    let words =
        format!("podcast pick -w w --asset-id description --candidate-id {}", id.as_str().unwrap());
    check(&sandbox, &words, "copy/selected");
}

#[test]
fn a_foreign_workspace_with_a_folder_that_leads_out_is_refused() {
    let sandbox = Stranger::open().build();
    fs::rename(sandbox.join("w/copy"), sandbox.join("elsewhere")).unwrap();
    symlink(sandbox.join("elsewhere"), sandbox.join("w/copy")).unwrap();
    check(&sandbox, "podcast review -w w --asset-id description --fake-runner", "copy");
    check(&sandbox, "podcast status -w w", "copy");
    assert!(!sandbox.join("w/.redraft").exists());
}

#[test]
fn a_link_that_stays_inside_is_followed() {
    let sandbox = workspace();
    fs::create_dir(sandbox.join("w/texts")).unwrap();
    symlink("texts", sandbox.join("w/copy")).unwrap();
    sandbox.expect(0, "podcast review -w w --asset-id description --fake-runner");
    assert!(sandbox.join("w/texts/selected/description.md").exists());
    sandbox.expect(0, "podcast review -w w --asset-id description --fake-runner");
}

#[test]
fn a_workspace_may_itself_be_reached_through_a_link() {
    let sandbox = workspace();
    symlink("w", sandbox.join("alias")).unwrap();
    sandbox.expect(0, "podcast review -w alias --asset-id description --fake-runner");
    sandbox.expect(0, "podcast review -w w --asset-id description --fake-runner");
    assert_eq!(sandbox.json("runs list -w w")["runs"].as_array().unwrap().len(), 1);
}
