//! A finished diff as a commit on a new branch, with everything else of the user's as it was.

use super::ground::*;
use redraft_agents::worktree::{Branched, Root, TreeError, branch, check_branch};
use std::{fs, os::unix::fs::PermissionsExt};

const NAME: &str = "redraft/task";
const MESSAGE: &str = "feat: count in digits\n\nWith a line on ümläuts.\n";

/// A repository whose user git knows.
fn known(init: &[&str]) -> Ground {
    let ground = Ground::with(init);
    ground.git(&["config", "user.name", "Somebody"]);
    ground.git(&["config", "user.email", "somebody@localhost"]);
    ground
}

async fn make(ground: &Ground, diff: &str) -> Result<Branched, TreeError> {
    branch(&ground.found().await, "HEAD", diff, NAME, MESSAGE).await
}

async fn made(ground: &Ground, diff: &str) -> String {
    match make(ground, diff).await.unwrap() {
        Branched::Now(commit) => commit,
        other => panic!("{other:?}"),
    }
}

/// Everything of the user's except objects.
fn everything_else(ground: &Ground) -> Print {
    let mut print = ground.print();
    print.retain(|path, _| !path.starts_with(".git/objects"));
    print
}

/// The same without branches and their logs.
fn rest(ground: &Ground) -> Print {
    let mut print = everything_else(ground);
    print.retain(|path, _| !path.starts_with(".git/refs") && !path.starts_with(".git/logs/refs"));
    print
}

#[tokio::test]
async fn a_branch_has_the_diff_on_its_parent_and_nothing_else_is_written() {
    let ground = known(&[]);
    ground.write("README.md", "staged\n");
    ground.git(&["add", "README.md"]);
    ground.write("src/lines.txt", "changed\n");
    ground.write("untracked.txt", "x\n");
    let head = ground.git(&["rev-parse", "HEAD"]);
    let before = (rest(&ground), ground.git(&["status", "--porcelain"]));
    check_branch(&ground.found().await, NAME).await.unwrap();
    let commit = made(&ground, TWO).await;
    assert_same(&rest(&ground), &before.0, "the user's");
    assert_eq!(ground.git(&["status", "--porcelain"]), before.1);
    assert_eq!(ground.git(&["rev-parse", NAME]).trim(), commit);
    assert_eq!(ground.git(&["rev-parse", &format!("{NAME}^@")]), head);
    assert_eq!(ground.git(&["diff", "--numstat", "main", NAME]), "1\t1\tsrc/lines.txt\n");
    assert_eq!(ground.git(&["log", "-1", "--format=%B", NAME]).trim(), MESSAGE.trim());
    let who = ground.git(&["log", "-1", "--format=%an %ae %cn %ce", NAME]);
    assert_eq!(who, "Somebody somebody@localhost Somebody somebody@localhost\n");
    ground.git(&["fsck", "--strict"]);
}

#[tokio::test]
async fn the_same_again_is_already_there() {
    let ground = known(&[]);
    let commit = made(&ground, TWO).await;
    let before = ground.print();
    assert_eq!(make(&ground, TWO).await.unwrap(), Branched::AlreadyThere(commit));
    assert_same(&ground.print(), &before, "made twice");
}

#[tokio::test]
async fn a_branch_that_is_there_is_never_moved() {
    let ground = known(&[]);
    let commit = made(&ground, TWO).await;
    let other = TWO.replace("+2\n", "+zwei\n");
    let error = make(&ground, &other).await.unwrap_err().to_string();
    assert!(error.contains(NAME) && error.contains("choose another name"), "{error}");
    // The same files, though on another parent.
    ground.git(&["commit", "-q", "--allow-empty", "-m", "next"]);
    assert!(matches!(make(&ground, TWO).await, Err(TreeError::BranchTaken { .. })));
    assert_eq!(ground.git(&["rev-parse", NAME]).trim(), commit);
}

#[tokio::test]
async fn names_in_the_way_are_told_before_anything_is_made() {
    let ground = known(&[]);
    ground.git(&["branch", "redraft"]);
    ground.git(&["branch", "a/b/c"]);
    ground.git(&["branch", "redraft-2"]);
    ground.git(&["worktree", "add", "-q", "--orphan", "-b", "unborn", "../unborn"]);
    let root = ground.found().await;
    let before = everything_else(&ground);
    for (name, by) in [
        ("redraft/task", "redraft"),
        ("redraft/task/deep", "redraft"),
        ("a", "a/b/c"),
        ("a/b", "a/b/c"),
        ("main", "main"),
        ("unborn", "unborn"),
    ] {
        let early = check_branch(&root, name).await.unwrap_err();
        let late = branch(&root, "HEAD", TWO, name, "x").await.unwrap_err();
        for error in [early, late] {
            let is_told = matches!(&error, TreeError::BranchTaken { by: found, .. } if found == by);
            assert!(is_told, "{name}: {error}");
        }
    }
    for name in ["redraft-3", "a/b/d", "b"] {
        check_branch(&root, name).await.unwrap();
    }
    assert_same(&everything_else(&ground), &before, "names in the way");
}

#[tokio::test]
async fn what_git_takes_for_no_name_is_refused() {
    let ground = known(&[]);
    ground.git(&["checkout", "-q", "-b", "earlier"]);
    ground.git(&["checkout", "-q", "main"]);
    let root = ground.found().await;
    for name in [
        "", "-x", "--help", "a..b", "a b", "a.lock", "HEAD", "@{-1}", "a~1", "/a", "a/", "a\nb",
        "a\0b", "a*", "a\\b", ".a",
    ] {
        let early = check_branch(&root, name).await.unwrap_err();
        let late = branch(&root, "HEAD", TWO, name, "x").await.unwrap_err();
        for error in [early, late] {
            assert!(matches!(error, TreeError::BranchName { .. }), "{name:?}: {error}");
        }
    }
    check_branch(&root, "näme").await.unwrap();
}

#[tokio::test]
async fn a_diff_that_changes_nothing_makes_no_branch() {
    let ground = known(&[]);
    let before = ground.print();
    assert_eq!(make(&ground, "").await.unwrap(), Branched::Nothing);
    assert_same(&ground.print(), &before, "empty");
}

#[tokio::test]
async fn a_diff_that_does_not_apply_makes_no_branch() {
    let ground = known(&[]);
    let before = ground.git(&["for-each-ref"]);
    let error = make(&ground, &TWO.replace("-two", "-zwei")).await.unwrap_err().to_string();
    assert!(error.contains("src/lines.txt: patch does not apply"), "{error}");
    let root = ground.found().await;
    let error = branch(&root, "none", TWO, NAME, "x").await.unwrap_err();
    assert!(matches!(error, TreeError::NoSuchCommit { .. }), "{error}");
    assert_eq!(ground.git(&["for-each-ref"]), before);
}

/// Set where the surroundings name a user.
const SURROUNDED: &str = "REDRAFT_TEST_SURROUNDED";

#[tokio::test]
async fn who_commits_is_known_by_configuration_or_surroundings_and_else_asked_for() {
    let ground = Ground::new();
    ground.git(&["config", "user.name", ""]);
    if std::env::var_os(SURROUNDED).is_some() {
        let commit = made(&ground, TWO).await;
        let who = ground.git(&["log", "-1", "--format=%an %ce", &commit]);
        assert_eq!(who, "Author committer@localhost\n");
        return;
    }
    let before = ground.git(&["for-each-ref"]);
    let early = check_branch(&ground.found().await, NAME).await.unwrap_err().to_string();
    let late = make(&ground, TWO).await.unwrap_err().to_string();
    for error in [early, late] {
        assert!(error.contains("git config user.name"), "{error}");
    }
    assert_eq!(ground.git(&["for-each-ref"]), before);
    let this = "worktree::branches::who_commits_is_known_by_configuration_or_surroundings_and_else_asked_for";
    let said = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", this])
        .env(SURROUNDED, "1")
        .envs([("GIT_AUTHOR_NAME", "Author"), ("GIT_AUTHOR_EMAIL", "author@localhost")])
        .envs([("GIT_COMMITTER_NAME", "Comm"), ("GIT_COMMITTER_EMAIL", "committer@localhost")])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&said.stdout);
    assert!(said.status.success() && text.contains("1 passed"), "{text}");
}

#[tokio::test]
async fn neither_hooks_nor_signing_nor_an_encoding_take_part() {
    let ground = known(&[]);
    let trace = ground.home.path().join("trace");
    for hook in ["reference-transaction", "pre-commit", "commit-msg", "post-commit"] {
        let path = ground.root().join(".git/hooks").join(hook);
        ground.write(
            &format!(".git/hooks/{hook}"),
            &format!("#!/bin/sh\necho {hook} >> '{}'\nexit 1\n", trace.display()),
        );
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    ground.write(".git/sign", &format!("#!/bin/sh\necho sign >> '{}'\nexit 1\n", trace.display()));
    let signer = ground.root().join(".git/sign");
    fs::set_permissions(&signer, fs::Permissions::from_mode(0o755)).unwrap();
    ground.git(&["config", "commit.gpgSign", "true"]);
    ground.git(&["config", "gpg.program", &signer.display().to_string()]);
    ground.git(&["config", "i18n.commitEncoding", "ISO-8859-1"]);
    let commit = made(&ground, TWO).await;
    assert!(!trace.exists(), "{:?}", fs::read_to_string(&trace));
    let raw = ground.git(&["cat-file", "commit", &commit]);
    assert!(!raw.contains("gpgsig") && !raw.contains("encoding"), "{raw}");
    assert!(raw.ends_with(MESSAGE), "{raw}");
}

#[tokio::test]
async fn repositories_of_other_formats_subfolders_and_linked_worktrees_will_do() {
    for init in ["--object-format=sha256", "--ref-format=reftable"] {
        let ground = known(&[init]);
        let commit = made(&ground, TWO).await;
        assert_eq!(make(&ground, TWO).await.unwrap(), Branched::AlreadyThere(commit), "{init}");
    }
    let ground = known(&[]);
    ground.git(&["worktree", "add", "-q", "-b", "side", "../side"]);
    for (n, folder) in ["side", "side/src", "user/src"].into_iter().enumerate() {
        let root = Root::find(&ground.home.path().join(folder)).await.unwrap();
        let name = format!("name-{n}");
        branch(&root, "HEAD", TWO, &name, "x").await.unwrap();
        assert_eq!(ground.git(&["diff", "--numstat", "main", &name]), "1\t1\tsrc/lines.txt\n");
    }
    assert_eq!(ground.git(&["status", "--porcelain"]), "");
}

#[tokio::test]
async fn what_an_attribute_or_a_sparse_checkout_says_of_files_does_not_change_the_commit() {
    let ground = known(&[]);
    ground.git(&["config", "core.autocrlf", "true"]);
    ground.git(&["sparse-checkout", "set", "secret"]);
    made(&ground, TWO).await;
    let changed = ground.git(&["show", &format!("{NAME}:src/lines.txt")]);
    assert_eq!(changed, "one\n2\nthree\nfour\nfive\nsix\nseven\n");
}
