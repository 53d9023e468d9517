//! The same fault mended by models on both sides, over the wire: what each of them is told, and what their words lead to.

use super::{
    cast::{builds, content_with_the_second, criticises, proposes, verifies},
    last_line,
    projects::{JAVASCRIPT, PYTHON, Project, RUST},
    repositories::{Repository, differing},
};
use crate::{
    models::{KEY, configure},
    provider::{Does, Provider, Seen},
};
use serde_json::{Value, json};

/// A repository whose builder is the model `writer` and whose architect is the model `critic`, each with its replies in
/// order; one too many is refused.
fn modelled(
    project: &'static Project,
    architect: &[Value],
    builder: &[Value],
) -> (Repository, Provider) {
    let (architect, builder) = (architect.to_vec(), builder.to_vec());
    let provider = Provider::new(move |seen| {
        let replies = if seen.model() == "critic" { &architect } else { &builder };
        match replies.get(seen.nth) {
            Some(reply) => Does::Says(reply.to_string()),
            None => Does::Fails(400, Vec::new(), "no reply is left".to_owned()),
        }
    });
    let repository = Repository::of(project);
    let roles = "architect = \"critic\"\nbuilder = \"writer\"\n";
    configure(&repository.sandbox, &provider, roles);
    (repository, provider)
}

/// The step that a request asks for, by the form that it demands.
fn step(seen: &Seen) -> String {
    let format = &seen.body["response_format"];
    assert_eq!(
        (&format["type"], &format["json_schema"]["strict"]),
        (&json!("json_schema"), &json!(true))
    );
    format["json_schema"]["name"].as_str().unwrap().to_owned()
}

fn is_mended_by_models(project: &'static Project) {
    let builder =
        [builds(1, &project.diff(project.wrong)), builds(2, &project.diff(project.right))];
    let (repository, provider) = modelled(project, &content_with_the_second(), &builder);
    let before = repository.snapshot();
    let ended = repository.pair(&["--apply"]);
    assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"), "{}", ended.err);
    let source = repository.folder().join(project.source);
    assert_eq!(differing(&before, &repository.snapshot()), [source]);
    assert!(repository.passes_in(&repository.folder()));
    repository.assert_tidy();
    told_what_they_need(project, &provider.seen());
}

/// What each model is told at each step.
fn told_what_they_need(project: &Project, seen: &[Seen]) {
    let steps: Vec<String> = seen.iter().map(step).collect();
    let wanted = ["propose", "implement", "critique", "verify", "implement", "critique", "verify"];
    assert_eq!(steps, wanted);
    let told: Vec<String> = seen.iter().map(Seen::text).collect();
    let (wrong, right) = (format!("\n+{}\n", project.wrong), format!("\n+{}\n", project.right));
    let red = format!("{}: exit code", project.check);
    let green = format!("{}: passed", project.check);
    for text in &told {
        assert!(text.contains(project.task), "{text}");
    }
    assert!(told[0].contains(&project.text(project.fault)), "{}", told[0]);
    assert!(told[1].contains("Mend the one line."), "{}", told[1]);
    for text in &told[2..5] {
        assert!(text.contains(&wrong) && text.contains(&red), "{text}");
        assert!(text.contains(project.complaint), "{text}");
    }
    for text in &told[3..5] {
        assert!(text.contains("I have read it."), "{text}");
    }
    assert!(told[4].contains("the test fails"), "{}", told[4]);
    for text in &told[5..] {
        assert!(text.contains(&right) && text.contains(&green), "{text}");
        assert!(!text.contains(&wrong) && !text.contains(&red), "{text}");
    }
}

#[test]
fn models_mend_a_rust_project() {
    is_mended_by_models(&RUST);
}

#[test]
fn models_mend_a_python_project() {
    is_mended_by_models(&PYTHON);
}

#[test]
fn models_mend_a_javascript_project() {
    is_mended_by_models(&JAVASCRIPT);
}

#[test]
fn no_check_sees_the_key_of_a_model() {
    let architect = [proposes(), criticises(1, &[]), verifies(1)];
    let (repository, _provider) =
        modelled(&PYTHON, &architect, &[builds(1, &PYTHON.diff(PYTHON.right))]);
    let ended = repository.pair_checked(&["env > ../../../seen_by_the_check"], &[]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let seen = repository.sandbox.read("seen_by_the_check");
    assert!(seen.contains("REDRAFT_PAIR=1") && !seen.contains(KEY), "{seen}");
    assert!(!seen.contains("TEST_KEY"), "{seen}");
}
