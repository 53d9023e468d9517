//! Names are spelled as given, and nobody takes part who does not: whoever reviews.

use super::episode;
use crate::{
    sandbox::Sandbox,
    scene::{agrees, asset, final_draft, review, script, workspace},
};
use serde_json::Value;

const YAML: &str =
    "hosts: [Ada]\nguests: [María Córdoba]\nglossary: [{term: GitHub, wrong: [Git Hub]}]\n";

/// Reviews a text that its reviewer accepts, and gives what the rules have against it.
fn found(sandbox: &Sandbox, kind: &str, text: &str) -> Vec<(String, String)> {
    script(sandbox, &[final_draft(text), agrees()]);
    sandbox.redraft(&review(kind, "--max-iterations 1"));
    let reviews = asset(sandbox, kind)["reviews"].clone();
    let text = |issue: &Value, key: &str| issue[key].as_str().unwrap_or_default().to_owned();
    let issues = reviews[0]["issues"].as_array().unwrap().clone();
    issues.iter().map(|issue| (text(issue, "code"), text(issue, "message"))).collect()
}

fn check(kind: &str, text: &str, codes: &[&str]) {
    let sandbox = episode(YAML);
    let found = found(&sandbox, kind, text);
    let told: Vec<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
    assert_eq!(told, codes, "{text}: {found:?}");
    let verdict = if codes.is_empty() { "ok" } else { "changes_requested" };
    assert_eq!(asset(&sandbox, kind)["reviews"][0]["verdict"], verdict, "{text}");
}

#[test]
fn a_name_that_is_spelled_otherwise_is_an_error_with_the_right_spelling() {
    let sandbox = episode(YAML);
    let found = found(&sandbox, "description", "Maria Cordoba moves to Github.\n");
    let messages: Vec<&str> = found.iter().map(|(_, message)| message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "\"Maria Cordoba\" is spelled \"María Córdoba\": correct it",
            "\"Github\" is spelled \"GitHub\": correct it"
        ]
    );
    assert!(found.iter().all(|(code, _)| code == "name_spelling"));
}

#[test]
fn right_names_addresses_and_hashtags_pass() {
    check("mastodon", "María Córdoba on GitHub: https://github.com/x #github\n", &[]);
    check("slug", "maria-cordoba-on-github\n", &[]);
    check("cms_tags", "github, maria cordoba\n", &[]);
    check("cms_tags", "git hub, bread\n", &["name_spelling"]);
}

#[test]
fn somebody_who_does_not_take_part_may_not_be_presented() {
    check("description", "A conversation with Mary Shelley on bread.\n", &["unknown_speaker"]);
    check("shownotes", "Guests: María Córdoba and Mary Shelley\n", &["unknown_speaker"]);
    check("description", "A conversation with María Córdoba about Mary Shelley.\n", &[]);
}

#[test]
fn where_nothing_is_known_of_an_episode_its_names_are_free() {
    let sandbox = workspace();
    assert_eq!(found(&sandbox, "description", "Guest: Mary Shelley on Github.\n"), []);
}

#[test]
fn a_text_that_a_person_has_locked_stands_however_it_spells() {
    let sandbox = episode(YAML);
    sandbox.write("w/copy/selected/slug.txt", "git hub\n");
    assert_eq!(found(&sandbox, "slug", "git hub\n"), []);
}

#[test]
fn a_glossary_that_cannot_be_meant_is_refused_with_its_place() {
    let sandbox = workspace();
    let yaml = sandbox.read("w/episode.yaml");
    sandbox.write("w/episode.yaml", format!("{yaml}glossary: [{{term: GitHub, wrongs: [x]}}]\n"));
    let refused = sandbox.expect(2, "podcast status -w w");
    assert!(
        refused.err.contains("w/episode.yaml: glossary[0].wrongs: is not known"),
        "{}",
        refused.err
    );
}
