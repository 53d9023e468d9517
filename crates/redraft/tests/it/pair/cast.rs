//! Who plays a pair in the tests: small programs that say one prepared reply after the other, and what they say.
//!
//! Absent here: models; see `by_models`.

use super::repositories::Repository;
use serde_json::{Value, json};
use std::fs;

/// The nth call is kept, and gets the nth reply; one too many fails.
const SPEAKER: &str = r#"n=$(($(ls "$1/asked" | wc -l) + 1))
cat > "$1/asked/$n"
cat "$1/replies/$n"
"#;

/// The nth call is kept, and makes the nth reply the content of a file in the present folder.
const EDITOR: &str = r#"n=$(($(ls "$1/asked" | wc -l) + 1))
cat > "$1/asked/$n"
cat "$1/replies/$n" > "$2" && echo "I have edited $2."
"#;

/// What a program reads.
#[derive(Clone, Copy)]
pub(super) enum Reads {
    /// The call as a document.
    Json,
    /// The prompt, as a model would.
    Text,
}

/// Casts an architect and a builder that say these replies.
pub(super) fn cast(repository: &Repository, architect: &[Value], builder: &[Value]) {
    cast_reading(repository, Reads::Json, architect, builder);
}

/// The same with programs that read the prompt in another way.
pub(super) fn cast_reading(
    repository: &Repository,
    reads: Reads,
    architect: &[Value],
    builder: &[Value],
) {
    let words = |replies: &[Value]| replies.iter().map(Value::to_string).collect::<Vec<_>>();
    let agents = [
        agent(repository, "architect", (SPEAKER, ""), reads, &words(architect)),
        agent(repository, "builder", (SPEAKER, ""), reads, &words(builder)),
    ];
    configure(repository, &agents.concat());
}

/// Casts an architect that says these replies, and a builder that gives the project's file these texts.
pub(super) fn cast_editing(repository: &Repository, architect: &[Value], texts: &[String]) {
    let words: Vec<String> = architect.iter().map(Value::to_string).collect();
    let source = repository.project.source;
    let agents = [
        agent(repository, "architect", (SPEAKER, ""), Reads::Json, &words),
        agent(repository, "builder", (EDITOR, source), Reads::Text, texts),
    ];
    configure(repository, &agents.concat());
}

fn configure(repository: &Repository, agents: &str) {
    let roles = "[roles]\narchitect = \"architect\"\nbuilder = \"builder\"\n";
    repository.sandbox.write("config/redraft/config.toml", format!("{agents}{roles}"));
}

fn agent(
    repository: &Repository,
    name: &str,
    (script, edits): (&str, &str),
    reads: Reads,
    replies: &[String],
) -> String {
    let sandbox = &repository.sandbox;
    // What an earlier cast was asked is not this one's.
    let _ = fs::remove_dir_all(sandbox.join(name));
    sandbox.write(&format!("{name}.sh"), script);
    fs::create_dir_all(sandbox.join(&format!("{name}/asked"))).unwrap();
    for (n, reply) in replies.iter().enumerate() {
        sandbox.write(&format!("{name}/replies/{}", n + 1), reply);
    }
    let path = |path: &str| sandbox.join(path).display().to_string();
    let args = json!([path(&format!("{name}.sh")), path(name), edits]);
    let input = match reads {
        Reads::Json => "json",
        Reads::Text => "text",
    };
    format!(
        "[agents.{name}]\nkind = \"command\"\nprogram = \"/bin/sh\"\nargs = {args}\n\
         input = \"{input}\"\nedits = {}\n",
        !edits.is_empty()
    )
}

/// What a program was asked, call by call, since it was cast.
pub(super) fn asked(repository: &Repository, name: &str) -> Vec<String> {
    let asked =
        |n: &usize| fs::read_to_string(repository.sandbox.join(&format!("{name}/asked/{n}"))).ok();
    (1..).map_while(|n| asked(&n)).collect()
}

/// How many calls both programs had.
pub(super) fn calls(repository: &Repository) -> usize {
    asked(repository, "architect").len() + asked(repository, "builder").len()
}

pub(super) fn proposes() -> Value {
    json!({"role": "architect", "type": "propose", "turn": 1, "content": "Mend the one line."})
}

pub(super) fn builds(turn: u32, diff: &str) -> Value {
    json!({"role": "builder", "type": "implement", "turn": turn, "content": "Mended.", "diff": diff})
}

pub(super) fn criticises(turn: u32, points: &[&str]) -> Value {
    let point = |message: &&str| json!({"severity": "error", "message": message});
    let issues: Vec<Value> = points.iter().map(point).collect();
    json!({"role": "architect", "type": "critique", "turn": turn, "content": "I have read it.", "issues": issues})
}

pub(super) fn verifies(turn: u32) -> Value {
    json!({"role": "architect", "type": "verify", "turn": turn, "content": "It does.", "verdict": "verified"})
}

pub(super) fn rejects(turn: u32) -> Value {
    json!({"role": "architect", "type": "verify", "turn": turn, "content": "Not yet.", "verdict": "rejected"})
}

/// An architect that rejects the first turn and verifies the second.
pub(super) fn content_with_the_second() -> [Value; 5] {
    [proposes(), criticises(1, &["the test fails"]), rejects(1), criticises(2, &[]), verifies(2)]
}
