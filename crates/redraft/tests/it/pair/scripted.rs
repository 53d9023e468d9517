//! A fault of a real repository mended in two turns by scripted programs: red, then green, and the user's tree untouched.

use super::{
    cast::{asked, builds, cast, content_with_the_second},
    last_line,
    projects::{JAVASCRIPT, PYTHON, Project, RUST},
    repositories::{Repository, differing},
};
use crate::sandbox::Ended;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A repository whose pair gives a wrong diff and then a right one.
fn wrong_then_right(project: &'static Project) -> Repository {
    let repository = Repository::of(project);
    let builder =
        [builds(1, &project.diff(project.wrong)), builds(2, &project.diff(project.right))];
    cast(&repository, &content_with_the_second(), &builder);
    repository
}

/// What stands before the status, which must be this one.
fn diff_before<'a>(ended: &'a Ended, status: &str) -> &'a str {
    assert_eq!(last_line(ended), status, "{}{}", ended.out, ended.err);
    ended.out.strip_suffix(&format!("{status}\n")).unwrap()
}

/// The plain command: a diff that anybody can apply, and nothing else anywhere.
fn is_printed_and_touches_nothing(project: &'static Project) {
    let repository = wrong_then_right(project);
    let before = repository.snapshot();
    let ended = repository.pair(&[]);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    assert_eq!(differing(&before, &repository.snapshot()), Vec::<PathBuf>::new());
    repository.assert_tidy();
    let diff = diff_before(&ended, "CONVERGED");
    let (old, new) = (format!("\n-{}\n", project.fault), format!("+{}\n", project.right));
    assert!(diff.contains(&format!("{old}{new}")), "{diff}");
    assert!(repository.passes_in(&repository.fresh_clone_with(diff)));
}

/// With `--apply`: the user's tests pass, his own edits stay, and the document tells how it went.
fn is_applied_beside_his_own_edits(project: &'static Project) {
    let repository = wrong_then_right(project);
    let before = repository.snapshot();
    let ended = repository.pair(&["--apply", "--json"]);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    let source = repository.folder().join(project.source);
    assert_eq!(differing(&before, &repository.snapshot()), [source]);
    assert_eq!(repository.read(project.source), project.text(project.right));
    repository.assert_tidy();
    let document: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((&document["status"], &document["handed_over"]), (&json!("CONVERGED"), &json!(2)));
    let failing = |turn: &Value| (turn["failing"].clone(), turn["checks"].as_array().map(Vec::len));
    let turns: Vec<_> = document["turns"].as_array().unwrap().iter().map(failing).collect();
    assert_eq!(turns, [(json!(1), Some(1)), (json!(0), Some(1))]);
    let folder = repository.folder().canonicalize().unwrap().display().to_string();
    assert_eq!(document["applied"], json!({"there": folder}));
    assert!(repository.passes_in(&repository.folder()));
}

#[test]
fn a_rust_project_goes_from_red_to_green_and_the_user_is_left_alone() {
    is_printed_and_touches_nothing(&RUST);
}

#[test]
fn a_python_project_goes_from_red_to_green_and_the_user_is_left_alone() {
    is_printed_and_touches_nothing(&PYTHON);
}

#[test]
fn a_javascript_project_goes_from_red_to_green_and_the_user_is_left_alone() {
    is_printed_and_touches_nothing(&JAVASCRIPT);
}

#[test]
fn a_mended_rust_project_is_applied_beside_the_users_edits() {
    is_applied_beside_his_own_edits(&RUST);
}

#[test]
fn a_mended_python_project_is_applied_beside_the_users_edits() {
    is_applied_beside_his_own_edits(&PYTHON);
}

#[test]
fn a_mended_javascript_project_is_applied_beside_the_users_edits() {
    is_applied_beside_his_own_edits(&JAVASCRIPT);
}

#[test]
fn the_document_has_every_message_the_change_and_what_it_took() {
    let repository = wrong_then_right(&PYTHON);
    let document: Value = serde_json::from_str(&repository.pair(&["--json"]).out).unwrap();
    let messages = document["messages"].as_array().unwrap();
    let of = |message: &Value| (message["type"].clone(), message["turn"].clone());
    let wanted = [
        ("propose", 1),
        ("implement", 1),
        ("critique", 1),
        ("verify", 1),
        ("implement", 2),
        ("critique", 2),
        ("verify", 2),
    ];
    let wanted = wanted.map(|(kind, turn)| (json!(kind), json!(turn)));
    assert_eq!(messages.iter().map(of).collect::<Vec<_>>(), wanted);
    assert_eq!(document["turns"][1]["diff"], document["diff"]);
    assert_eq!(document["messages"][2]["issues"][0]["message"], "the test fails");
    let verified = |turn: &Value| (turn["verified"].clone(), turn["open"].clone());
    let turns: Vec<_> = document["turns"].as_array().unwrap().iter().map(verified).collect();
    assert_eq!(turns, [(json!(false), json!(1)), (json!(true), json!(0))]);
    assert_eq!(document["calls"], 7);
    assert_eq!((&document["applied"], &document["branch"]), (&Value::Null, &Value::Null));
    let asked: Value = serde_json::from_str(&asked(&repository, "builder")[1]).unwrap();
    let said = [&asked["workflow"], &asked["step"], &asked["task"], &asked["critique"]];
    assert_eq!(said, ["pair", "implement", PYTHON.task, "I have read it."]);
    assert_eq!((&asked["turn"], &asked["diff"]), (&json!(2), &document["turns"][0]["diff"]));
    assert_eq!(asked["check_results"][0]["exit"], 1);
    assert_eq!(asked["findings"][1]["message"], "the test fails");
}

#[test]
fn a_branch_holds_what_converged_and_the_user_stays_where_he_is() {
    let repository = wrong_then_right(&JAVASCRIPT);
    let before = repository.snapshot();
    let ended = repository.pair(&["--branch", "mended"]);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    let shown = repository.git(&format!("show mended:{}", JAVASCRIPT.source));
    assert_eq!(shown, JAVASCRIPT.text(JAVASCRIPT.right));
    assert_eq!(repository.git("log --format=%s main..mended"), format!("{}\n", JAVASCRIPT.task));
    assert_eq!(repository.git("diff --name-only main mended"), "slug.js\n");
    let git_keeps = |path: &PathBuf| {
        let name = path.strip_prefix(repository.folder()).unwrap();
        ["objects", "refs", "logs"].iter().any(|kept| name.starts_with(format!(".git/{kept}")))
    };
    let after = repository.snapshot();
    let elsewhere: Vec<PathBuf> =
        differing(&before, &after).into_iter().filter(|path| !git_keeps(path)).collect();
    assert_eq!(elsewhere, Vec::<PathBuf>::new());
    repository.assert_tidy();
}
