//! Programs that many people have as builders: scripts in their place, called as they are, write as they do.

use super::builders::implement;
use super::ground::*;
use redraft_agents::{
    Preset,
    command::{CommandAgent, Program, editing_preset},
    worktree::{InWorktree, Work, Worktree},
};
use redraft_engine::{Agent, Answer, AttemptError, NoAnswer};
use redraft_loop::{Failure, Usage};
use redraft_workflows::pair::Built;
use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, sync::Arc};

/// Notes down how it is called, edits a file, asks git, and then does as it is told.
const SCRIPT: &str = r#"#!/bin/sh
at=$(dirname "$0")
printf '%s\n' "$@" > "$at/args"
cat > "$at/stdin"
pwd -P > "$at/cwd"
env | cut -d= -f1 > "$at/env"
echo eight >> src/lines.txt
git status --porcelain > "$at/git" && git diff >> "$at/git"
. "$at/ends"
"#;

/// A script in the place of a preset's program, and a worktree for it.
struct Bench {
    ground: Ground,
    tree: Arc<Worktree>,
    known: Preset,
}

impl Bench {
    /// It ends by this script, with these words on stdout.
    async fn new(known: Preset, ends: &str) -> Self {
        let ground = Ground::new();
        let tree = Arc::new(ground.tree().await);
        let bench = Self { ground, tree, known };
        fs::create_dir(bench.at("")).unwrap();
        fs::write(bench.at(known.name()), SCRIPT).unwrap();
        fs::set_permissions(bench.at(known.name()), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(bench.at("ends"), ends).unwrap();
        bench
    }

    fn at(&self, file: &str) -> PathBuf {
        self.ground.home.path().join("bin").join(file)
    }

    fn noted(&self, file: &str) -> String {
        fs::read_to_string(self.at(file)).unwrap()
    }

    async fn answer(&self) -> Result<Answer, AttemptError> {
        let program = Program {
            name: self.at(self.known.name()).display().to_string(),
            ..editing_preset(self.known, self.tree.place())
        };
        let inner = Arc::new(CommandAgent::new(program));
        let agent = InWorktree::new(inner, Work::Edits, Arc::clone(&self.tree), rules());
        agent.answer(&implement("")).await.map_err(|error| match error {
            NoAnswer::Failed(error) => error,
            NoAnswer::Waits(what) => panic!("a program waits for nobody, and not for {what}"),
        })
    }
}

/// How each program ends when it is done, in its own form.
const DONE: [(Preset, &str); 3] = [
    (
        Preset::Claude,
        r#"echo '{"type":"result","is_error":false,"result":"Added a line.","total_cost_usd":0.02,"usage":{"input_tokens":7,"output_tokens":3}}'"#,
    ),
    (
        Preset::Codex,
        r#"echo '{"type":"thread.started","thread_id":"t"}'
echo '{"type":"item.completed","item":{"type":"file_change"}}'
echo '{"type":"item.completed","item":{"type":"agent_message","text":"Added a line."}}'
echo '{"type":"turn.completed","usage":{"input_tokens":7,"output_tokens":3}}'"#,
    ),
    (
        Preset::Gemini,
        r#"echo '{"response":"Added a line.","stats":{"models":{"m":{"tokens":{"prompt":7,"candidates":3}}}}}'"#,
    ),
];

#[tokio::test]
async fn each_program_edits_the_worktree_and_its_words_and_what_it_used_are_told() {
    for (known, done) in DONE {
        let bench = Bench::new(known, done).await;
        let users = bench.ground.users();
        let answer = bench.answer().await.unwrap();
        assert_eq!(answer.usage, Some(Usage { input_tokens: 7, output_tokens: 3 }), "{known:?}");
        assert_eq!(answer.cost, (known == Preset::Claude).then_some(20_000));
        let built: Built = serde_json::from_str(&answer.text).unwrap();
        assert_eq!((built.reply.as_str(), built.prose), ("Added a line.", true));
        assert!(applied(built.outcome).contains("\n+eight\n"), "{known:?}");
        assert_same(&bench.ground.users(), &users, "the user's");
    }
}

#[tokio::test]
async fn each_program_is_asked_once_on_stdin_in_the_worktree_where_git_works() {
    for (known, done) in DONE {
        let bench = Bench::new(known, done).await;
        bench.answer().await.unwrap();
        let args = editing_preset(known, bench.tree.place()).args;
        assert_eq!(bench.noted("args"), args.join("\n") + "\n", "{known:?}");
        let place = bench.tree.place().canonicalize().unwrap();
        assert_eq!(bench.noted("cwd").trim(), place.display().to_string());
        assert!(bench.noted("stdin").contains("[begin task "), "{known:?}");
        let git = bench.noted("git");
        assert!(git.starts_with(" M src/lines.txt\n") && git.contains("\n+eight\n"), "{git}");
    }
}

#[tokio::test]
async fn a_program_that_edits_sees_no_more_variables_than_one_that_answers() {
    for (known, done) in DONE {
        let bench = Bench::new(known, done).await;
        bench.answer().await.unwrap();
        let named = redraft_agents::command::preset(known).env;
        // The last three are the shell's own.
        let always = ["PATH", "HOME", "LANG", "TMPDIR", "TERM", "NO_COLOR", "REDRAFT_CALL"];
        let allowed: Vec<&str> =
            always.into_iter().chain(["PWD", "OLDPWD", "SHLVL", "_"]).collect();
        let env = bench.noted("env");
        let odd = |name: &&str| {
            !allowed.contains(name) && !name.starts_with("LC_") && !named.iter().any(|n| n == name)
        };
        assert_eq!(env.lines().filter(odd).collect::<Vec<_>>(), Vec::<&str>::new(), "{known:?}");
    }
}

#[tokio::test]
async fn a_program_that_says_nothing_has_edited_all_the_same() {
    let bench = Bench::new(Preset::Codex, r#"echo '{"type":"turn.completed"}'"#).await;
    let built: Built = serde_json::from_str(&bench.answer().await.unwrap().text).unwrap();
    assert_eq!(built.reply, "");
    assert!(applied(built.outcome).contains("\n+eight\n"));
}

#[tokio::test]
async fn what_a_program_says_of_its_failure_and_what_it_used_are_told_whatever_it_edited() {
    let cases = [
        (
            Preset::Claude,
            r#"echo '{"is_error":true,"result":"Credit is too low","total_cost_usd":0.5}'; exit 1"#,
            ("exited with status 1: Credit is too low", Some(500_000)),
        ),
        (
            Preset::Claude,
            r#"echo '{"is_error":true,"subtype":"error_max_turns","total_cost_usd":0.5}'"#,
            ("gave up: error_max_turns", Some(500_000)),
        ),
        (
            Preset::Codex,
            r#"echo '{"type":"turn.failed","error":{"message":"usage limit"}}'; exit 1"#,
            ("exited with status 1: usage limit", None),
        ),
        (
            Preset::Codex,
            r#"echo '{"type":"turn.started"}'"#,
            ("gave up: the turn did not end", None),
        ),
        (
            Preset::Gemini,
            r#"echo '{"error":{"message":"this folder is not trusted","code":55}}' >&2; exit 55"#,
            ("exited with status 55: this folder is not trusted", None),
        ),
        (Preset::Gemini, "true", ("wrote nothing", None)),
    ];
    for (known, ends, (why, cost)) in cases {
        let error = Bench::new(known, ends).await.answer().await.unwrap_err();
        assert!(error.message.ends_with(why), "{known:?}: {error}");
        assert_eq!((error.failure, error.cost), (Failure::Transient, cost), "{error}");
    }
}
