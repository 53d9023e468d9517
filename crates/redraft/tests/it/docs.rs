//! Every command of the README and the docs is run, in order, one folder a page.

use crate::sandbox::{REDRAFT, Sandbox, ended};
use serde_json::Value;
use std::{fs, path::PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The lines of the fenced blocks of one language.
fn fenced(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}");
    let mut lines = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line.trim() {
            "```" => inside = false,
            trimmed if trimmed == fence => inside = true,
            _ if inside => lines.push(line.to_owned()),
            _ => {}
        }
    }
    lines
}

/// Runs a page's commands in a folder that has what the page assumes.
fn check(path: &str, commands: usize) {
    let page = page(path);
    let sandbox = Sandbox::new();
    sandbox.write("episode.md", include_str!("../../demo/episode.md"));
    sandbox.write("chapters.txt", include_str!("../../demo/chapters.txt"));
    sandbox.write("script.json", fenced(&page, "json").join("\n"));
    let lines = fenced(&page, "console");
    assert_eq!(lines.len(), commands, "{path}");
    for line in lines {
        let words = line.strip_prefix("$ redraft ").unwrap_or_else(|| panic!("{path}: {line}"));
        let ended = ended(&sandbox.command(REDRAFT, words).output().unwrap());
        assert!([0, 3].contains(&ended.code), "{path}: {line}: {}\n{}", ended.code, ended.err);
    }
}

/// Plays a page of a gated session from top to bottom: a block below a line that is a path alone becomes that file,
/// commands are run, and `ID` is the id that the last `init` printed.
fn play(path: &str, commands: usize) -> (Sandbox, String) {
    let (page, sandbox) = (page(path), Sandbox::new());
    let (mut id, mut ran, mut named) = (String::new(), 0, None);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if let Some(file) = named.take() {
                sandbox.write(
                    &str::replace(file, "/ID/", &format!("/{id}/")),
                    block.join("\n") + "\n",
                );
            } else if language == "console" {
                block.iter().for_each(|line| enter(&sandbox, line, &mut id));
                ran += block.len();
            }
        } else if !line.is_empty() {
            named = line.strip_prefix('`').and_then(|line| line.strip_suffix("`:"));
        }
    }
    assert_eq!(ran, commands, "{path}");
    (sandbox, id)
}

fn enter(sandbox: &Sandbox, line: &str, id: &mut String) {
    let words = line.strip_prefix("$ redraft ").unwrap_or_else(|| panic!("{line}"));
    let mut command = sandbox.command(REDRAFT, "");
    for (nth, text) in words.split('"').enumerate() {
        let words: Vec<&str> =
            if nth % 2 == 0 { text.split_whitespace().collect() } else { vec![text] };
        command.args(words.iter().map(|word| if *word == "ID" { id.as_str() } else { word }));
    }
    let ended = ended(&command.output().unwrap());
    assert!([0, 3].contains(&ended.code), "{line}: {}\n{}", ended.code, ended.err);
    if words.starts_with("gated init ") {
        ended.out.trim_end().clone_into(id);
    }
}

#[test]
fn the_gated_sessions_how_to_ends_complete() {
    let (sandbox, id) = play("docs/how-to/gated-sessions.md", 21);
    let status = sandbox.json(&format!("gated status {id}"));
    assert_eq!((&status["phase"], &status["iteration"]), (&"COMPLETE".into(), &2.into()));
    sandbox.read(&format!(".redraft/gated/{id}/iteration-1/planning-response.rejected-1.md"));
    let (session, schema) = (&status["session"], session_schema());
    let keys = |of: &Value| of.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(session), keys(&schema["properties"]));
    for (list, kind) in
        [("approvals", "Approval"), ("artifacts", "Artifact"), ("phase_history", "Passage")]
    {
        assert_eq!(keys(&session[list][0]), keys(&schema["$defs"][kind]["properties"]), "{list}");
    }
}

fn session_schema() -> Value {
    serde_json::from_str(include_str!("../../../workflows/schemas/gated/session.json")).unwrap()
}

#[test]
fn the_profile_of_the_how_to_has_no_flaw() {
    let (sandbox, id) = play("docs/how-to/write-a-profile.md", 6);
    assert_eq!(sandbox.expect(0, "gated profiles lint notes").out, "notes: nothing to mend\n");
    let prompt = sandbox.read(&format!(".redraft/gated/{id}/iteration-1/planning-prompt.md"));
    assert!(prompt.starts_with("Outline the note on redraft: "), "{prompt}");
}

/// Every field of a session's own document, and every verb.
#[test]
fn the_reference_of_gated_names_every_field_and_verb() {
    let page = page("docs/reference/gated.md");
    let schema = session_schema();
    let fields = |of: &Value| of["properties"].as_object().unwrap().clone();
    let inner =
        schema["$defs"].as_object().unwrap().values().filter(|of| of["properties"].is_object());
    for (field, _) in inner.flat_map(fields).chain(fields(&schema)) {
        let is_named =
            page.contains(&format!("`{field}`")) || page.contains(&format!("`{field}[]`"));
        assert!(is_named, "{field}");
    }
    let sandbox = Sandbox::new();
    let help = sandbox.expect(0, "gated --help").out;
    let verbs = help.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let verbs: Vec<&str> = verbs.filter(|verb| verb.chars().all(char::is_lowercase)).collect();
    for verb in verbs.iter().filter(|verb| !verb.is_empty() && **verb != "help") {
        assert!(page.contains(&format!("| `{verb}")), "{verb}");
    }
    assert!(verbs.contains(&"approve"), "{help}");
}

#[test]
fn the_readmes_commands_run() {
    check("README.md", 9);
}

#[test]
fn the_readme_begins_with_the_demo_and_the_tests() {
    let shell = fenced(&page("README.md"), "sh");
    assert_eq!(shell[..2], ["cargo run -- demo", "cargo xtask test"]);
}

#[test]
fn the_tutorials_commands_run() {
    check("docs/tutorial/first-review.md", 10);
}

#[test]
fn the_how_tos_commands_run() {
    check("docs/how-to/script-an-agent.md", 3);
    check("docs/how-to/recover.md", 3);
    check("docs/how-to/write-your-own-prompts.md", 7);
    check("docs/how-to/export.md", 7);
    check("docs/how-to/ask-questions.md", 3);
    check("docs/how-to/reopen.md", 6);
    check("docs/how-to/change-a-repository.md", 4);
    check("docs/how-to/configure-models.md", 7);
}

#[test]
fn the_references_commands_run() {
    check("docs/reference/configuration.md", 3);
}

#[test]
fn the_how_tos_configuration_is_good() {
    for path in [
        "docs/how-to/configure-models.md",
        "docs/how-to/change-a-repository.md",
        "docs/how-to/gated-sessions.md",
    ] {
        let sandbox = Sandbox::new();
        let text = fenced(&page(path), "toml").join("\n");
        sandbox.write("user/redraft/config.toml", text);
        let mut command = sandbox.command(REDRAFT, "config check");
        let user = sandbox.join("user");
        let checked = ended(&command.env("XDG_CONFIG_HOME", user).output().unwrap());
        assert_eq!(checked.code, 0, "{path}: {}", checked.err);
    }
}

/// The keys that `config show` prints, without the names that are free.
#[test]
fn the_reference_names_every_setting_that_is_shown() {
    let page = page("docs/reference/configuration.md");
    let sandbox = Sandbox::new();
    let shown =
        sandbox.json("config show --max-calls 1 --max-tokens 1 --max-usd 1 --total-seconds 1");
    for setting in shown["settings"].as_array().unwrap() {
        let key = setting["key"].as_str().unwrap();
        assert!(page.contains(&format!("`{key}`")), "{key}");
    }
    for role in ["planner", "generator", "reviewer", "reviser"] {
        let variable = format!("REDRAFT_GATED_{}", role.to_uppercase());
        let mut command = sandbox.command(REDRAFT, "config show");
        let shown = ended(&command.env(&variable, "manual").output().unwrap()).out;
        assert!(shown.contains(&format!("gated.{role} = \"manual\"")), "{shown}");
        assert!(page.contains(&format!("`gated.{role}`")) && page.contains(&variable), "{role}");
    }
    let help = sandbox.expect(0, "config show --help").out;
    for flag in help.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2) {
        let own = ["--workspace", "--origin", "--json", "--help"];
        assert!(own.contains(&flag) || page.contains(&format!("`{flag}`")), "{flag}");
    }
}

#[test]
fn the_demo_runs_to_its_end_and_names_three_commands_that_run() {
    let sandbox = Sandbox::new();
    let demo = sandbox.expect(0, "demo --dir d");
    let next: Vec<&str> =
        demo.out.lines().filter_map(|l| l.trim().strip_prefix("redraft ")).collect();
    assert_eq!(next.len(), 3, "{}", demo.out);
    for words in next {
        sandbox.expect(0, words);
    }
    assert_eq!(demo.out.matches("Outcome: converged").count(), 14, "{}", demo.out);
    let shown = demo.out.lines().filter_map(|line| line.strip_prefix("$ redraft podcast "));
    let shown: Vec<&str> = shown.filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(shown, ["review", "init", "ingest", "summarize", "review"]);
}
