//! A project's own prompts: in place of ours, beside them, or refused.

use super::{episode, shown};
use crate::{
    sandbox::{REDRAFT, Sandbox, ended},
    scene::{refused, workspace},
};

const SLUG: &str = "prompts/review/kinds/slug.md";

fn own(sandbox: &Sandbox, path: &str, text: &str) {
    sandbox.write(path, text);
}

#[test]
fn a_projects_file_stands_in_place_of_ours() {
    let sandbox = episode("");
    own(&sandbox, "redraft.toml", "");
    own(&sandbox, SLUG, "<!-- version: 12 -->\nThree words for {{ asset }}.\n");
    let (system, _) = shown(&sandbox, "slug");
    assert!(system.contains("# Rubric\n\nThree words for slug.\n"), "{system}");
    let listed = sandbox.json("prompts list -w w");
    let ours = listed["prompts"].as_array().unwrap().iter().find(|p| p["name"] == "kinds/slug");
    let ours = ours.unwrap();
    assert_eq!(ours["version"], 12);
    assert!(ours["path"].as_str().unwrap().ends_with(SLUG));
    let diff = sandbox.expect(0, "prompts diff -w w").out;
    for line in [
        "--- built-in/kinds/slug.md",
        "-<!-- version: 1 -->",
        "+<!-- version: 12 -->",
        "+Three words for {{ asset }}.",
    ] {
        assert!(diff.contains(line), "{line}: {diff}");
    }
    assert_eq!(sandbox.expect(0, "prompts diff -w w slug").out, diff);
    let same = sandbox.expect(0, "prompts diff -w w creator");
    assert!(same.out.is_empty() && same.err.contains("the same as the built-in prompt"));
}

#[test]
fn a_review_tells_of_the_projects_prompts_that_it_uses() {
    let sandbox = episode("");
    own(&sandbox, SLUG.replace("slug", "title_seo").as_str(), "<!-- version: 2 -->\nOthers.\n");
    own(&sandbox, "redraft.toml", "");
    let review = |reviewer: &str| {
        let words = format!("podcast review -w w --asset-id slug --reviewer {reviewer}");
        ended(&sandbox.command(REDRAFT, &words).output().unwrap()).err
    };
    assert!(!review("human").contains("prompts of this project"), "the slug's is ours");
    own(&sandbox, SLUG, "<!-- version: 2 -->\nThree words.\n");
    let told = review("human");
    let line = told.lines().find(|line| line.starts_with("prompts of this project are used: "));
    assert!(line.is_some_and(|line| line.ends_with(SLUG)), "{told}");
    assert!(!review("offline").contains("prompts of this project"), "rules read no prompts");
}

#[test]
fn without_files_of_its_own_a_project_uses_ours() {
    let sandbox = episode("");
    own(&sandbox, "prompts/review/kinds/.slug.md", "an editor's\n");
    own(&sandbox, "prompts/review/kinds/slug.txt", "no prompt\n");
    let diff = sandbox.expect(0, "prompts diff -w w");
    assert!(diff.out.is_empty() && diff.err.contains("the built-in ones hold"), "{}", diff.err);
}

#[test]
fn the_project_is_the_nearest_folder_with_its_file_else_with_a_home() {
    let sandbox = episode("");
    let file = "<!-- version: 2 -->\nOf the workspace.\n";
    own(&sandbox, &format!("w/{SLUG}"), file);
    assert!(shown(&sandbox, "slug").0.contains("Of the workspace."), "the home is in w");
    own(&sandbox, "redraft.toml", "");
    assert!(!shown(&sandbox, "slug").0.contains("Of the workspace."), "the project is above it");
    own(&sandbox, SLUG, "<!-- version: 2 -->\nOf the project.\n");
    assert!(shown(&sandbox, "slug").0.contains("Of the project."));
}

#[test]
fn a_project_may_add_assets_and_lenses() {
    let sandbox = episode("");
    own(&sandbox, "redraft.toml", "");
    own(&sandbox, "prompts/review/kinds/press_release.md", "<!-- version: 1 -->\nFor editors.\n");
    own(&sandbox, "prompts/review/lenses/law.md", "<!-- version: 1 -->\nLibel.\n");
    let (system, _) = shown(&sandbox, "press_release --role reviewer --lens law");
    assert!(system.contains("For editors.") && system.contains("Libel."));
    let (other, _) = shown(&sandbox, "invitation");
    assert!(other.contains("has no rubric of its own. Its id, `invitation`"), "{other}");
}

#[test]
fn a_file_that_is_no_template_is_refused_with_its_line() {
    for (path, text, told) in [
        (SLUG, "Three words.\n", "kinds/slug.md:1: the first line has to be `<!-- version: N -->`"),
        (
            SLUG,
            "<!-- version: 1 -->\n\n{{ transcript }}\n",
            "kinds/slug.md:3: there is no variable \"transcript\"",
        ),
        (SLUG, "<!-- version: 1 -->\n{% if lens %}\n", "kinds/slug.md:2: syntax error"),
        (
            "prompts/review/creators.md",
            "<!-- version: 1 -->\nWrite.\n",
            "creators.md: no prompt is called \"creators\"",
        ),
    ] {
        let sandbox = workspace();
        own(&sandbox, "redraft.toml", "");
        own(&sandbox, path, text);
        for words in ["prompts list -w w", "prompts show -w w slug", "prompts diff -w w"] {
            refused(&sandbox, 2, words, &[told]);
        }
    }
}

#[test]
fn what_has_changed_since_a_run_was_opened_is_told() {
    let sandbox = episode("hosts: [Ada]\n");
    sandbox.expect(3, "podcast review -w w --asset-id description");
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let states = || -> Vec<(String, String)> {
        let document = sandbox.json(&format!("prompts diff -w w --run {run}"));
        let rows = document["sources"].as_array().unwrap().clone();
        let text = |row: &serde_json::Value, key: &str| row[key].as_str().unwrap().to_owned();
        rows.iter().map(|row| (text(row, "name"), text(row, "state"))).collect()
    };
    let named: Vec<String> = states().into_iter().map(|(name, _)| name).collect();
    assert_eq!(named, ["transcript", "rubric/description", "rubric/word lists", "names"]);
    assert!(states().iter().all(|(_, state)| state == "unchanged"));
    let yaml = sandbox.read("w/episode.yaml");
    sandbox.write("w/episode.yaml", format!("{yaml}glossary: [GitHub]\n"));
    let changed: Vec<(String, String)> =
        states().into_iter().filter(|(_, state)| state != "unchanged").collect();
    assert_eq!(changed, [("names".to_owned(), "changed".to_owned())]);
    let told = sandbox.expect(0, &format!("prompts diff -w w --run {}", &run[..13])).out;
    assert!(
        told.contains("changed: names version episode.yaml, now version episode.yaml"),
        "{told}"
    );
    sandbox.expect(2, "prompts diff -w w --run nothing");
}

#[test]
fn offline_reviews_name_no_prompts_and_read_none() {
    let sandbox = episode("");
    own(&sandbox, "redraft.toml", "");
    own(&sandbox, SLUG, "broken\n");
    sandbox.expect(3, "podcast review -w w --asset-id description");
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let shown = sandbox.json(&format!("runs show -w w {run}"));
    let sources = shown["record"]["sources"].as_array().unwrap();
    assert!(!sources.is_empty());
    let prompts = |name: &str| name.starts_with("prompt/");
    assert!(!sources.iter().any(|source| prompts(source["name"].as_str().unwrap())));
}

#[test]
fn the_template_in_force_and_the_built_in_one_can_both_be_read() {
    let sandbox = episode("");
    own(&sandbox, "redraft.toml", "");
    let built_in = sandbox.expect(0, "prompts show -w w slug --template").out;
    own(&sandbox, SLUG, "<!-- version: 12 -->\nThree words for {{ asset }}.\n");
    let show = "prompts show -w w slug --template";
    let in_force = sandbox.expect(0, show).out;
    assert_eq!(in_force, "<!-- version: 12 -->\nThree words for {{ asset }}.\n");
    assert_eq!(sandbox.expect(0, &format!("{show} --built-in")).out, built_in);
    sandbox.expect(2, "prompts show -w w slug --built-in");
}

#[test]
fn an_empty_file_is_refused_and_the_built_in_one_can_be_put_in_its_place() {
    let sandbox = episode("");
    own(&sandbox, "redraft.toml", "");
    for empty in ["", " \n\n", "<!-- version: 2 -->\n", "<!-- version: 2 -->\n \n"] {
        own(&sandbox, SLUG, empty);
        refused(&sandbox, 2, "prompts show -w w slug", &[SLUG, "the file is empty", "--built-in"]);
    }
    // As a shell does it: the file is there and empty when the program starts.
    let show = "prompts show -w w slug --template --built-in";
    let file = std::fs::File::create(sandbox.join(SLUG)).unwrap();
    assert!(sandbox.command(REDRAFT, show).stdout(file).status().unwrap().success());
    sandbox.expect(0, "prompts show -w w slug");
    assert!(sandbox.expect(0, "prompts diff -w w").out.is_empty());
}
