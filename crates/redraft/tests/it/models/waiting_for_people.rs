//! A person as an agent: a prompt file, a response file, exit 3 while waiting, and nothing charged.

use super::{expect, studio};
use crate::{
    durability::trace::{self, Calls},
    provider::Provider,
    sandbox::Sandbox,
};
use std::{fs, path::PathBuf};

const REVIEW: &str = "podcast review -w w --asset-id talk --reviewer human";

fn inbox(folder: &std::path::Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn a_person_reviews_what_a_model_wrote() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let ended = expect(&sandbox, 3, REVIEW);
    assert!(ended.err.contains("reviewer waits for an answer in"), "{}", ended.err);
    assert_eq!(provider.asked(), 1);
    let prompts = inbox(&sandbox.join("w/.redraft"), ".prompt.md");
    assert_eq!(prompts.len(), 1);
    let prompt = fs::read_to_string(&prompts[0]).unwrap();
    assert!(prompt.contains("A plain text about the talk."), "{prompt}");
    expect(&sandbox, 3, REVIEW);
    assert_eq!(provider.asked(), 1, "the writer is not asked again");
    assert_eq!(sandbox.json("runs list -w w")["runs"][0]["calls"], 1, "waiting is not charged");
    let response = prompts[0].to_string_lossy().replace(".prompt.md", ".response.md");
    fs::write(&response, "I like it.\n\n```json\n{\"verdict\": \"ok\", \"issues\": []}\n```\n")
        .unwrap();
    let ended = expect(&sandbox, 0, REVIEW);
    assert!(ended.out.contains("Outcome: converged"), "{}", ended.out);
    assert!(std::path::Path::new(&response).exists(), "a person's words are never removed");
}

/// The one page that waits for a person, and where its answer goes.
fn page(sandbox: &crate::sandbox::Sandbox) -> (String, PathBuf) {
    let mut prompts = inbox(&sandbox.join("w/.redraft"), ".prompt.md");
    let answered = |prompt: &PathBuf| {
        PathBuf::from(prompt.to_string_lossy().replace(".prompt.md", ".response.md"))
    };
    prompts.retain(|prompt| !answered(prompt).exists());
    assert_eq!(prompts.len(), 1, "{prompts:?}");
    (fs::read_to_string(&prompts[0]).unwrap(), answered(&prompts[0]))
}

#[test]
fn a_person_writes_the_text_itself_from_a_short_page() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let words = "podcast review -w w --asset-id slug --creator human";
    expect(&sandbox, 3, words);
    let (page, place) = page(&sandbox);
    assert!(
        page.contains("At most 60 characters") || page.contains("at most 60 characters"),
        "{page}"
    );
    assert!(page.lines().count() < 40 && !page.contains("JSON"), "{page}");
    fs::write(&place, "{\"slug\": \"bread\"}").unwrap();
    let waits = expect(&sandbox, 3, words);
    assert!(waits.err.contains("write the text alone"), "{}", waits.err);
    fs::write(&place, "bread-and-bakers\n").unwrap();
    expect(&sandbox, 0, words);
    assert_eq!(sandbox.read("w/copy/selected/slug.txt").trim(), "bread-and-bakers");
    assert_eq!(provider.asked(), 1, "the critic once");
}

#[test]
fn commands_and_places_on_the_page_are_those_of_the_workspace() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    for words in [
        "review -w w --asset-id slug --creator offline",
        "summarize -w w --creator offline",
        "draft -w w --all --creator offline",
    ] {
        let told = expect(&sandbox, 2, &format!("podcast {words}")).err;
        let help = "redraft podcast ingest --workspace w --transcript FILE";
        assert!(told.contains(help), "{told}");
    }
    sandbox.write("talk.txt", "Ada: Bread is made of flour and water.\n");
    expect(&sandbox, 0, "podcast ingest -w w --transcript talk.txt");
    expect(&sandbox, 3, "podcast review -w w --asset-id slug --creator human");
    let (page, _) = page(&sandbox);
    for told in [
        "stands in w/transcript/transcript.txt.",
        "redraft prompts show --workspace w slug --role creator",
    ] {
        assert!(page.contains(told), "{page}");
    }
    expect(&sandbox, 0, "prompts show --workspace w slug --role creator");
}

#[test]
fn a_person_reviews_in_plain_lines_and_is_told_what_is_wrong_with_them() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    expect(&sandbox, 3, REVIEW);
    let (first, place) = page(&sandbox);
    assert!(
        first.lines().count() < 60 && first.contains("A plain text about the talk."),
        "{first}"
    );
    for (text, told) in [
        ("Looks good.\n", "its first line has to be ok"),
        ("ok\nerror: too short\n", "contradict each other"),
        ("changes_requested\ntoo short\n", "line 2 has to be"),
    ] {
        fs::write(&place, text).unwrap();
        let waits = expect(&sandbox, 3, REVIEW);
        assert!(waits.err.contains(told), "{text}: {}", waits.err);
        assert_eq!(fs::read_to_string(&place).unwrap(), text, "it is only read");
    }
    assert_eq!(sandbox.json("runs list -w w")["runs"][0]["calls"], 1, "waiting is not charged");
    fs::write(&place, "changes_requested\nerror: too short\nwarning: a bit dull\n").unwrap();
    expect(&sandbox, 3, REVIEW);
    let (second, place) = page(&sandbox);
    assert!(second.contains("open  error: too short"), "{second}");
    let line = second.lines().find(|line| line.ends_with("error: too short")).unwrap();
    let id = &line[..8];
    fs::write(&place, format!("ok\nfixed: {id}\n")).unwrap();
    let ended = expect(&sandbox, 0, REVIEW);
    assert!(ended.out.contains("Outcome: converged"), "{}", ended.out);
    let findings = sandbox.json("podcast status -w w")["assets"][0]["findings"].clone();
    let told = findings.as_array().unwrap().iter();
    assert!(told.clone().all(|finding| finding["status"] == "fixed"), "{findings}");
    assert_eq!(told.count(), 2);
}

const FREE: &str =
    "podcast review -w w --asset-id slug --creator offline --reviewer human --max-calls 2";
const ANSWER: &str = r#"{"verdict": "ok", "issues": []}"#;

/// A workspace with a transcript.
fn with_transcript() -> Sandbox {
    let sandbox = crate::scene::workspace();
    let text = "**Ada:** Sourdough is flour and water.\n\n**Bo:** Then the dough rises.\n";
    sandbox.write("t.md", text);
    sandbox.expect(0, "podcast ingest -w w --transcript t.md");
    sandbox
}

#[test]
fn however_often_a_driver_is_killed_a_question_to_a_person_costs_nothing() {
    if !trace::works() {
        return;
    }
    let template = with_transcript();
    let copy = || {
        let sandbox = Sandbox::new();
        template.copy(".", sandbox.path());
        sandbox
    };
    let names = |names| Calls { names, on: vec![] };
    let points = ["fdatasync", "renameat2", "rename", "write"].into_iter().flat_map(|name| {
        let sandbox = copy();
        let (_, lines) = trace::lines(sandbox.path(), FREE, &names(name));
        (1..=lines.len()).map(move |k| (name, k))
    });
    let stride = if std::env::var_os("REDRAFT_DEEP").is_some() { 1 } else { 4 };
    for (name, k) in points.step_by(stride) {
        let (sandbox, place) = (copy(), format!("killed thrice at {name} number {k}"));
        for _ in 0..3 {
            trace::interfere(sandbox.path(), FREE, &names(name), "signal=KILL", k);
        }
        let ended = sandbox.redraft(FREE);
        assert_eq!(ended.code, 3, "{place}: {}", ended.err);
        let prompts = inbox(&sandbox.join("w/.redraft"), ".prompt.md");
        assert_eq!(prompts.len(), 1, "{place}: it is one question");
        let response = prompts[0].to_string_lossy().replace(".prompt.md", ".response.md");
        fs::write(&response, ANSWER).unwrap();
        for _ in 0..3 {
            trace::interfere(sandbox.path(), FREE, &names(name), "signal=KILL", k);
        }
        let ended = sandbox.redraft(FREE);
        assert_eq!(ended.code, 0, "{place}: {}", ended.err);
        assert_eq!(sandbox.json("runs list -w w")["runs"][0]["calls"], 2, "{place}");
        assert_eq!(sandbox.json("budget show -w w")["home"][0]["used"], 2, "{place}");
        sandbox.expect(0, "verify -w w");
    }
}
