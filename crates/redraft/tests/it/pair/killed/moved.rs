//! What happens to the repository between a kill and the next command: other work, a lost worktree, new commits.

use super::stage::{ASKED, Builder, Stage, check_converged};
use std::{fs, path::PathBuf};

/// Killed in its second turn, with four calls answered and one on its way.
fn killed() -> (Stage, String) {
    let stage = Stage::new(Builder::Edits);
    stage.killed_at("implement 2", &[]);
    let run = stage.runs().remove(0);
    (stage, run)
}

/// The named run goes on to the same change, and asks only what is left.
fn check_resumed(stage: &Stage, run: &str, place: &str) {
    let before = stage.asked().len();
    check_converged(&stage.play(&["pair", "--repo", "user", "--resume", run]), place);
    assert_eq!(stage.asked()[before..], ASKED[5..], "{place}");
    stage.check_nothing_left(place);
}

#[test]
fn a_pair_on_another_task_takes_the_leftover_away_and_the_killed_one_goes_on_later() {
    let (stage, run) = killed();
    let other = ["pair", "another task", "--repo", "user", "--max-turns", "1"];
    let ended = stage.play(&other);
    assert_eq!(ended.code, 4, "{}", ended.err);
    stage.check_clean("after another task");
    check_resumed(&stage, &run, "after another task");
    stage.check_clean("in the end");
}

#[test]
fn a_worktree_that_was_deleted_by_hand_is_made_anew() {
    for prune in [false, true] {
        let (stage, run) = killed();
        fs::remove_dir_all(stage.sandbox.join(".redraft/worktrees")).unwrap();
        if prune {
            let kept = stage.sandbox.join("user/.git/worktrees");
            fs::remove_file(kept.join(&run).join("locked")).unwrap();
            stage.git(&["worktree", "prune", "--expire", "now"]);
            assert_eq!(stage.worktrees(), Vec::<PathBuf>::new());
        }
        check_resumed(&stage, &run, "deleted by hand");
        stage.check_clean("deleted by hand");
    }
}

#[test]
fn a_worktree_that_git_removed_is_made_anew() {
    let (stage, run) = killed();
    let place = stage.sandbox.join(".redraft/worktrees").join(&run);
    stage.git(&["worktree", "remove", "--force", "--force", place.to_str().unwrap()]);
    check_resumed(&stage, &run, "removed by git");
    stage.check_clean("removed by git");
}

#[test]
fn a_run_goes_on_from_its_own_commit_after_the_user_has_committed_and_the_command_says_so() {
    let (stage, run) = killed();
    stage.sandbox.write("user/more.txt", "more\n");
    stage.git(&["add", "-A"]);
    stage.git(&["commit", "-q", "-m", "more"]);
    let began = stage.git(&["rev-parse", "HEAD~"]).trim().to_owned();
    let ended = stage.again(&[]);
    check_converged(&ended, "on the new commit");
    for told in [
        format!("run {run} of this task is open on the commit {began}"),
        format!("redraft pair --resume {run}"),
    ] {
        assert!(ended.err.contains(&told), "{}", ended.err);
    }
    assert_eq!(stage.runs().len(), 2);
    stage.check_nothing_left("on the new commit");
    check_resumed(&stage, &run, "on its own commit");
    // What it made applies to the files as they are now.
    let applied = stage.play(&["pair", "--repo", "user", "--resume", &run, "--apply"]);
    check_converged(&applied, "applied");
    assert_eq!(stage.sandbox.read("user/answer.txt"), "right\n");
    assert_eq!(stage.sandbox.read("user/more.txt"), "more\n");
}

#[test]
fn a_run_whose_commit_is_gone_says_so_and_stays_open() {
    let (stage, run) = killed();
    stage.git(&["commit", "-q", "--amend", "-m", "anew"]);
    stage.git(&["reflog", "expire", "--expire=now", "--all"]);
    fs::remove_dir_all(stage.sandbox.join(".redraft/worktrees")).unwrap();
    fs::remove_dir_all(stage.sandbox.join("user/.git/worktrees")).unwrap();
    stage.git(&["gc", "--quiet", "--prune=now"]);
    let ended = stage.play(&["pair", "--repo", "user", "--resume", &run]);
    assert_eq!((ended.code, &*ended.out), (2, ""), "{}", ended.err);
    assert!(ended.err.contains("has no commit"), "{}", ended.err);
    assert!(stage.record(&run)["decision"].is_null());
}
