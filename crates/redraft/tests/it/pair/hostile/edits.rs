//! Programs that edit the worktree as they may not: refused by the name of the path, and set back.
//!
//! A program has the user's rights, and nothing here confines it: what is shown is that none of it gets into the change,
//! and that what all worktrees of a repository share is watched.

use super::{
    last_line,
    stage::{EDITS_TWO, Stage},
};
use crate::sandbox::ended;
use std::{fs, os::unix::net::UnixListener, path::PathBuf};

/// What is done, and what the refusal names. `TOP` stands for the sandbox.
const ATTACKS: &[(&str, &str)] = &[
    ("ln -s /etc/passwd door", "door"),
    ("ln -s ../../../desk/precious door", "door"),
    ("rm README.md; ln -s TOP/desk/precious/letter README.md", "README.md"),
    ("rm -r src; ln -s TOP/desk/precious src", "src"),
    ("ln -s .git/config src/door", "src/door"),
    ("git init -q inner; echo x > inner/y", "inner"),
    ("git init -q src; echo x >> src/lines.txt", "src/.git"),
    ("echo '[submodule \"x\"]' > .gitmodules", ".gitmodules"),
    ("echo '[submodule \"x\"]' > .GitModules", ".GitModules"),
    ("mkdir .GIT; echo x > .GIT/config", ".GIT/config"),
    ("mkdir 'git~1'; echo x > 'git~1/config'", "git~1/config"),
    ("printf 'a\\0b' > x.bin", "x.bin"),
    ("printf '\\351t\\351\\n' > latin.txt", "latin.txt"),
    ("echo x >> secret/key.txt", "secret/key.txt"),
    ("mv README.md secret/new.txt", "secret/new.txt"),
    ("mkdir Secret; echo x > Secret/new.txt", "Secret/new.txt"),
    ("chmod +x secret/key.txt", "secret/key.txt"),
    ("rm secret/key.txt; mkdir secret/key.txt; echo x > secret/key.txt/y", "secret/key.txt"),
    ("mkfifo src/pipe", "src/pipe"),
    ("rm README.md; mkfifo README.md", "README.md"),
    ("ln TOP/players/socket src/socket", "src/socket"),
];

#[test]
fn what_may_not_be_is_refused_once_by_its_path_and_a_good_edit_goes_on_to_converge() {
    for (play, path) in ATTACKS {
        let stage = Stage::new();
        let _socket = UnixListener::bind(stage.sandbox.join("players/socket")).unwrap();
        let play = play.replace("TOP", &stage.sandbox.path().display().to_string());
        // The attack comes with a good change, which it must not be taken for.
        stage.does(&[&format!("{EDITS_TWO}\n{play}"), EDITS_TWO]);
        let ended = stage.plays(&[]);
        assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"), "{play}: {}", ended.err);
        assert_eq!(ended.out.matches("diff --git").count(), 1, "{play}: {}", ended.out);
        assert!(ended.err.contains(path), "{play}: {}", ended.err);
        let refusals = stage.refusals();
        assert!(refusals.len() == 1 && refusals[0].contains(path), "{play}: {refusals:?}");
        let told = stage.told("builder");
        let wrong = told[1].split("begin what is wrong").nth(1).unwrap_or_default();
        assert!(told.len() == 2 && wrong.contains(path), "{play}: {told:?}");
    }
}

#[test]
fn who_does_it_twice_fails_the_run() {
    for (play, path) in [ATTACKS[0], ATTACKS[5], ATTACKS[13]] {
        let stage = Stage::new();
        stage.does(&[play, play]);
        let ended = stage.plays(&["--apply", "--branch", "change"]);
        assert_eq!((ended.code, ended.out.as_str()), (1, "FAILED\n"), "{play}: {}", ended.err);
        assert!(ended.err.contains(path), "{play}: {}", ended.err);
        assert_eq!((stage.refusals().len(), stage.told("builder").len()), (2, 2), "{play}");
    }
}

/// These are put right without a word: nothing of them is left, and only the good edit is the change.
#[test]
fn what_is_bent_between_worktree_and_repository_is_put_right_and_nothing_of_it_runs() {
    for play in [
        "rm .git",
        "rm .git; mkdir .git; git init -q .",
        "rm .git; echo 'gitdir: TOP/desk/evil/.git' > .git",
        "echo x > \"$(git rev-parse --git-dir)/redraft-index\"",
        "GIT_INDEX_FILE=$(git rev-parse --git-dir)/redraft-index git update-index --assume-unchanged src/lines.txt",
        "rm \"$(git rev-parse --git-dir)/index\"; touch \"$(git rev-parse --git-dir)/index.lock\"",
        "git symbolic-ref HEAD refs/heads/main",
        "git checkout -q --orphan y",
        "git config --worktree core.fsmonitor 'touch TOP/desk/ran' 2> /dev/null; true",
        "rm README.md; ln TOP/desk/precious/letter README.md; rm README.md; git checkout README.md",
        "chmod 500 src; chmod 000 secret",
        "mkdir target; ln -s TOP/desk/precious target/out; mkfifo target/pipe",
    ] {
        let stage = Stage::new();
        evil(&stage);
        let top = stage.sandbox.path().display().to_string();
        stage.does(&[&format!("{EDITS_TWO}\n{}", play.replace("TOP", &top))]);
        let ended = stage.plays(&[]);
        assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"), "{play}: {}", ended.err);
        assert_eq!(ended.out.matches("diff --git").count(), 1, "{play}: {}", ended.out);
    }
}

/// A repository whose every setting that runs a program leaves a trace.
fn evil(stage: &Stage) {
    let evil = stage.sandbox.join("desk/evil");
    fs::create_dir(&evil).unwrap();
    let git = |words: &[&str]| {
        let done = stage.sandbox.command("git", "").args(words).current_dir(&evil).status();
        assert!(done.unwrap().success(), "{words:?}");
    };
    git(&["init", "-q"]);
    let ran = format!("touch '{}'; cat", stage.sandbox.join("desk/ran").display());
    for name in ["core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "diff.external"] {
        git(&["config", name, &ran]);
    }
    stage.sandbox.write("desk/evil/.git/info/attributes", "* filter=evil diff=evil\n");
}

/// Each is named until it stands as before; only the user knows what it is to be, so nobody sets it back for him.
const SHARED: &[(&str, &str)] = &[
    ("mkdir -p COMMON/hooks; printf x > COMMON/hooks/pre-commit", "hooks/pre-commit"),
    ("chmod +x COMMON/config", "config"),
    ("git config core.hooksPath TOP/desk/evil", "config"),
    ("git config core.fsmonitor 'touch TOP/desk/ran'", "config"),
    ("mkdir -p COMMON/info; echo '* -text' >> COMMON/info/attributes", "info/attributes"),
    ("echo TOP/desk/evil/.git > \"$(git rev-parse --git-dir)/commondir\"", "commondir"),
    ("echo x > \"$(git rev-parse --git-dir)/config.worktree\"", "config.worktree"),
];

fn play(stage: &Stage, script: &str) -> String {
    let common = stage.repo().join(".git").display().to_string();
    let top = stage.sandbox.path().display().to_string();
    format!("{EDITS_TWO}\n{}", script.replace("COMMON", &common).replace("TOP", &top))
}

#[test]
fn what_decides_how_git_works_is_named_and_a_good_edit_does_not_cover_it() {
    for (script, file) in SHARED {
        let stage = Stage::new();
        evil(&stage);
        stage.does(&[&play(&stage, script), EDITS_TWO]);
        let before = stage.print();
        let ended = ended(&stage.command(&[]).output().unwrap());
        assert_eq!((ended.code, ended.out.as_str()), (1, "FAILED\n"), "{script}: {}", ended.err);
        let named = |text: &String| text.contains(&format!("{file}: was changed"));
        assert!(named(&ended.err), "{script}: {}", ended.err);
        let refusals = stage.refusals();
        assert!(refusals.len() == 2 && refusals.iter().all(named), "{script}: {refusals:?}");
        assert!(stage.told("builder").get(1).is_some_and(named), "{script}");
        let planted = PathBuf::from("desk/repo/.git").join(file);
        let is_folder = |path: &PathBuf| stage.sandbox.path().join(path).is_dir();
        let touched = stage.touched(&before);
        assert!(
            touched.iter().all(|path| *path == planted || is_folder(path)),
            "{script}: {touched:?}"
        );
    }
}

#[test]
fn a_program_that_puts_it_back_may_go_on() {
    let stage = Stage::new();
    let plant = play(&stage, "cp COMMON/config COMMON/config.kept; git config core.pager evil");
    // A call that fails covers nothing either.
    let fails = "exit 3";
    let mend = play(&stage, "mv COMMON/config.kept COMMON/config");
    stage.does(&[&plant, fails, &mend]);
    let ended = stage.plays(&[]);
    assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"), "{}", ended.err);
    assert_eq!(stage.told("builder").len(), 3);
}

#[test]
fn a_check_that_runs_what_plants_a_hook_ends_the_run_by_name() {
    for (script, file) in SHARED {
        let stage = Stage::new();
        evil(&stage);
        stage.does(&[EDITS_TWO]);
        let script = play(&stage, script);
        let before = stage.print();
        let mut command =
            stage.command(&["--check", "true", "--check", &script, "--check", "true"]);
        let ended = ended(&command.output().unwrap());
        assert_eq!((ended.code, last_line(&ended)), (1, "FAILED"), "{script}: {}", ended.err);
        assert!(ended.err.contains(&format!("{file}: was changed")), "{script}: {}", ended.err);
        assert!(!stage.touched(&before).contains(&PathBuf::from("desk/ran")), "{script}");
    }
}
