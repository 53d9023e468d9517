//! Every command of the README and the docs is run, in order, one folder a page.

use crate::sandbox::{REDRAFT, Sandbox, ended};
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
    for path in ["docs/how-to/configure-models.md", "docs/how-to/change-a-repository.md"] {
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
