//! Repositories whose settings would run programs or change what git says: none runs when a pair opens, plays and ends,
//! and the diff is what it is without them.

use super::{
    last_line,
    stage::{EDITS_TWO, Stage, TWO, implements},
};
use std::{fs, os::unix::fs::PermissionsExt};

/// The hooks of git that checkouts, commits and updates of references run.
const HOOKS: [&str; 6] = [
    "post-checkout",
    "post-index-change",
    "pre-commit",
    "post-commit",
    "reference-transaction",
    "fsmonitor-watchman",
];

/// The diff that a pair makes of the second line.
fn made(stage: &Stage) -> String {
    let ended = stage.plays(&["--check", "true"]);
    assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"), "{}", ended.err);
    ended.out
}

fn expected() -> String {
    let (edits, says) = (Stage::new(), Stage::new());
    edits.does(&[EDITS_TWO]);
    says.says(&[implements(1, TWO)]);
    let expected = made(&edits);
    assert_eq!(made(&says), expected);
    expected
}

#[test]
fn nothing_that_the_repository_sets_runs() {
    let expected = expected();
    for edits in [true, false] {
        let stage = Stage::new();
        let ran = stage.sandbox.join("desk/ran").display().to_string();
        let run = format!("touch '{ran}'; cat");
        let hooks = stage.sandbox.join("desk/hooks");
        for folder in [hooks.clone(), stage.repo().join(".git/hooks")] {
            for hook in HOOKS {
                stage.sandbox.write("hook", format!("#!/bin/sh\ntouch '{ran}'\n"));
                fs::create_dir_all(&folder).unwrap();
                let path = folder.join(hook);
                fs::copy(stage.sandbox.join("hook"), &path).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        stage.sandbox.write("desk/repo/.gitattributes", "*.txt diff=shown\n");
        stage.commit();
        stage.sandbox.write("desk/repo/README.md", "# Tools\n\nNever committed.\n");
        let more = stage.sandbox.join("desk/more");
        stage
            .sandbox
            .write("desk/more", format!("[core]\nfsmonitor = \"{run}\"\npager = \"{run}\"\n"));
        let included = format!("includeIf.gitdir:{}/.path", stage.repo().join(".git").display());
        let hooks = hooks.display().to_string();
        for (name, value) in [
            ("diff.shown.textconv", &*run),
            ("diff.shown.command", &run),
            ("diff.external", &run),
            ("core.fsmonitor", &run),
            ("core.editor", &run),
            ("core.pager", &run),
            ("core.sshCommand", &run),
            ("core.alternateRefsCommand", &run),
            ("gpg.program", &run),
            ("commit.gpgSign", "true"),
            ("alias.diff-tree", &format!("!{run}")),
            ("core.hooksPath", &hooks),
            (&included, &more.display().to_string()),
            ("include.path", &more.display().to_string()),
        ] {
            stage.git(&["-c", "core.fsmonitor=false", "config", name, value]);
        }
        let _ = fs::remove_file(&ran);
        match edits {
            true => stage.does(&[EDITS_TWO]),
            false => stage.says(&[implements(1, TWO)]),
        }
        assert_eq!(made(&stage), expected);
        assert!(!fs::exists(&ran).unwrap());
        let ended = crate::sandbox::ended(
            &stage.command(&["--again", "--branch", "made"]).output().unwrap(),
        );
        assert!(!fs::exists(&ran).unwrap(), "{}", ended.err);
    }
}

#[test]
fn the_diff_is_the_same_whatever_is_set() {
    let expected = expected();
    for settings in [
        &[
            ("diff.noprefix", "true"),
            ("diff.mnemonicPrefix", "true"),
            ("color.ui", "always"),
            ("color.diff", "always"),
            ("core.quotepath", "false"),
            ("diff.context", "0"),
            ("diff.algorithm", "patience"),
            ("diff.orderFile", "/nowhere"),
            ("diff.colorMoved", "zebra"),
            ("diff.wordRegex", "."),
            ("core.bigFileThreshold", "1"),
            ("core.abbrev", "4"),
            ("apply.whitespace", "error-all"),
            ("core.whitespace", "tab-in-indent"),
            ("core.preloadIndex", "false"),
            ("index.version", "4"),
            ("feature.manyFiles", "true"),
        ][..],
        &[("core.autocrlf", "true"), ("core.safecrlf", "true"), ("core.eol", "crlf")],
        &[("core.fileMode", "false"), ("core.symlinks", "false"), ("core.ignoreCase", "true")],
    ] {
        for edits in [true, false] {
            let stage = Stage::new();
            settings.iter().for_each(|(name, value)| drop(stage.git(&["config", name, value])));
            match edits {
                true => stage.does(&[EDITS_TWO]),
                false => stage.says(&[implements(1, TWO)]),
            }
            assert_eq!(made(&stage), expected, "{settings:?}");
        }
    }
}

/// Filters are the user's own way to have files, as large ones, in his worktrees: they run, as in any worktree of his,
/// and one that fails is told by what it fails on.
#[test]
fn a_required_filter_that_fails_is_told_by_name_and_nothing_is_left() {
    let stage = Stage::new();
    stage.sandbox.write("desk/repo/.git/info/attributes", "lines.txt filter=large\n");
    for (name, value) in [("clean", "cat"), ("smudge", "false"), ("required", "true")] {
        stage.git(&["config", &format!("filter.large.{name}"), value]);
    }
    stage.does(&[EDITS_TWO]);
    let ended = stage.plays(&[]);
    assert_eq!((ended.code, ended.out.as_str()), (1, ""), "{}", ended.err);
    assert!(ended.err.contains("src/lines.txt: smudge filter large failed"), "{}", ended.err);
}

/// Files that stand elsewhere are somebody else's: their folder leads to no repository, or to another one.
#[test]
fn a_work_tree_elsewhere_is_refused_before_anything_is_made() {
    let stage = Stage::new();
    stage.does(&[EDITS_TWO]);
    let other = stage.sandbox.join("desk/other");
    fs::create_dir(&other).unwrap();
    let made = stage.sandbox.command("git", "init -q").arg(&other).status().unwrap();
    assert!(made.success());
    for (folder, top) in [("../..", stage.sandbox.join("desk")), ("../../other", other)] {
        stage.git(&["config", "core.worktree", folder]);
        let ended = stage.plays(&[]);
        assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{folder}: {}", ended.err);
        assert!(ended.err.contains(&top.display().to_string()), "{folder}: {}", ended.err);
    }
}
