//! The same fault mended by a program that edits the files itself; what it says is told, and git says what it did.

use super::{
    cast::{asked, cast_editing, content_with_the_second},
    projects::{JAVASCRIPT, PYTHON, Project, RUST},
    repositories::{Repository, differing},
};
use serde_json::{Value, json};

fn is_edited_and_applied(project: &'static Project) {
    let repository = Repository::of(project);
    let texts = [project.text(project.wrong), project.text(project.right)];
    cast_editing(&repository, &content_with_the_second(), &texts);
    let before = repository.snapshot();
    let ended = repository.pair(&["--apply", "--json"]);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    let source = repository.folder().join(project.source);
    assert_eq!(differing(&before, &repository.snapshot()), [source]);
    assert!(repository.passes_in(&repository.folder()));
    repository.assert_tidy();
    let document: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(document["status"], "CONVERGED");
    let failing = |turn: &Value| turn["failing"].clone();
    let turns: Vec<_> = document["turns"].as_array().unwrap().iter().map(failing).collect();
    assert_eq!(turns, [json!(1), json!(0)]);
    let first = document["messages"][1].clone();
    assert_eq!(first["content"], format!("I have edited {}.", project.source));
    let diff = document["turns"][0]["diff"].as_str().unwrap();
    assert!(diff.contains(&format!("+{}\n", project.wrong)), "{diff}");
    let told = &asked(&repository, "builder")[1];
    let failed = told.contains(&format!("{}: exit code", project.check));
    assert!(failed && told.contains(project.complaint), "{told}");
}

#[test]
fn a_program_edits_a_rust_project_from_red_to_green() {
    is_edited_and_applied(&RUST);
}

#[test]
fn a_program_edits_a_python_project_from_red_to_green() {
    is_edited_and_applied(&PYTHON);
}

#[test]
fn a_program_edits_a_javascript_project_from_red_to_green() {
    is_edited_and_applied(&JAVASCRIPT);
}

#[test]
fn a_program_that_leaves_the_files_as_they_were_has_improved_nothing() {
    let repository = Repository::of(&PYTHON);
    let text = PYTHON.text(PYTHON.wrong);
    cast_editing(&repository, &content_with_the_second(), &[text.clone(), text]);
    let ended = repository.pair(&["--apply"]);
    assert_eq!(super::last_line(&ended), "FAILED NO_IMPROVEMENT", "{}", ended.err);
    assert_eq!(repository.read(PYTHON.source), PYTHON.text(PYTHON.fault));
    assert!(ended.err.contains("not applied: the pair has not converged"), "{}", ended.err);
    repository.assert_tidy();
}
