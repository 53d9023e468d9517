//! Kill -9 before, after and in the middle of git's own work, hand-over included.
//!
//! A program named git stands in the way of the real one; it counts, and kills whoever calls it.

use super::{
    stage::{Builder, DIFF, Stage, check_converged},
    writes::check_goes_on,
};
use crate::{durability::trace, sandbox::Ended};
use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Counts the commands, and does what the plan says of one of them.
const COUNTED: &str = r#"#!/bin/sh
n=$(wc -l < "$HOME/gits")
echo "$*" >> "$HOME/gits"
read -r at how k < "$HOME/plan"
[ "$n" = "$at" ] || exec "$REAL_GIT" "$@"
case $how in
    before) kill -9 $PPID; exec "$REAL_GIT" "$@" ;;
    after) "$REAL_GIT" "$@"; code=$?; kill -9 $PPID; exit $code ;;
    ctrl-c) kill -INT $$ ;;
    trace) exec strace -qq -o "$HOME/trace" --trace="$k" "$REAL_GIT" "$@" ;;
    mkdir|openat|write|rename)
        kill -9 $PPID
        exec strace -qq -o /dev/null --trace="$how" --inject="$how":signal=KILL:when="$k" "$REAL_GIT" "$@" ;;
esac
"#;

/// By what git makes a worktree: each of these is a place to be cut off.
const CUT: &str = "mkdir,openat,write,rename";

/// How a command of git is disturbed.
#[derive(Debug, Clone)]
enum How {
    /// The program is killed, and git goes on to its end without it.
    Before,
    /// The program is killed when git has ended.
    After,
    /// Ctrl-C at the terminal reaches git too.
    CtrlC,
    /// The program is killed, and git itself at its k-th call of this name.
    Cut(String, usize),
}

impl How {
    fn plan(&self) -> String {
        match self {
            Self::Before => "before".to_owned(),
            Self::After => "after".to_owned(),
            Self::CtrlC => "ctrl-c".to_owned(),
            Self::Cut(name, k) => format!("{name} {k}"),
        }
    }
}

fn real_git() -> PathBuf {
    let path = env::var_os("PATH").unwrap();
    env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.is_file()).unwrap()
}

/// The command with a git that counts.
fn counted(stage: &Stage, words: &[&str]) -> Command {
    let git = stage.sandbox.join("bin/git");
    stage.sandbox.write("bin/git", COUNTED);
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).unwrap();
    stage.sandbox.write("gits", "");
    let mut command = stage.command(words);
    let path = env::var_os("PATH").unwrap();
    let own = env::split_paths(&path);
    let path: OsString =
        env::join_paths([stage.sandbox.join("bin")].into_iter().chain(own)).unwrap();
    command.env("PATH", path).env("REAL_GIT", real_git());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The commands of a whole run.
fn gits(builder: Builder, more: &[&str]) -> Vec<String> {
    let stage = Stage::new(builder);
    stage.sandbox.write("plan", "none");
    assert!(counted(&stage, &stage.words(more)).status().unwrap().success());
    stage.sandbox.read("gits").lines().map(str::to_owned).collect()
}

fn disturbed(builder: Builder, at: usize, how: &How, more: &[&str]) -> (Stage, Ended) {
    let stage = Stage::new(builder);
    stage.sandbox.write("plan", format!("{at} {}\n", how.plan()));
    let mut command = counted(&stage, &stage.words(more));
    // What outlives the program must not hold its pipes.
    let out = fs::File::create(stage.sandbox.join("out")).unwrap();
    let err = fs::File::create(stage.sandbox.join("err")).unwrap();
    let status = command.stdout(out).stderr(err).status().unwrap();
    let (out, err) = (stage.sandbox.read("out"), stage.sandbox.read("err"));
    (stage, Ended { code: status.code().unwrap_or(-1), out, err })
}

fn killed(builder: Builder, at: usize, how: &How, more: &[&str]) -> Stage {
    let (stage, ended) = disturbed(builder, at, how, more);
    assert_eq!(ended.code, -1, "killed at {at}, {how:?}: {}", ended.err);
    stage
}

fn each(points: &[(usize, How)], play: impl Fn(usize, &How) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((at, how)) = points.get(next.fetch_add(1, Relaxed)) {
                    play(*at, how);
                }
            });
        }
    });
}

fn both(count: usize, stride: usize) -> Vec<(usize, How)> {
    let both = (0..count).flat_map(|at| [(at, How::Before), (at, How::After)]);
    both.step_by(stride).collect()
}

fn stride(usual: usize) -> usize {
    if env::var_os("REDRAFT_DEEP").is_some() { 1 } else { usual }
}

#[test]
fn killed_around_any_command_of_git_a_pair_goes_on_to_the_same_change() {
    for builder in [Builder::Edits, Builder::Tells] {
        let count = gits(builder, &[]).len();
        let points = both(count, stride(11));
        eprintln!("{builder:?}: {count} commands of git, {} kills", points.len());
        each(&points, |at, how| {
            let stage = killed(builder, at, how, &[]);
            check_goes_on(&stage, &format!("{builder:?}, killed at git {at}, {how:?}"));
        });
    }
}

/// On a terminal Ctrl-C reaches git as well: what is paid for is saved all the same.
#[test]
fn git_that_is_cut_off_by_ctrl_c_is_run_again_and_nobody_is_asked_again() {
    let gits = gits(Builder::Edits, &[]);
    let points = (0..gits.len()).filter(|at| !gits[*at].contains(" worktree add "));
    let points: Vec<_> = points.map(|at| (at, How::CtrlC)).step_by(stride(7)).collect();
    each(&points, |at, how| {
        let (_stage, ended) = disturbed(Builder::Edits, at, how, &[]);
        check_converged(&ended, &format!("{how:?} at git {at}: {}", gits[at]));
    });
}

/// The calls by which git makes a worktree, once it has begun to write.
fn cuts(at: usize) -> Vec<(usize, How)> {
    let stage = Stage::new(Builder::Edits);
    stage.sandbox.write("plan", format!("{at} trace {CUT}\n"));
    assert!(counted(&stage, &stage.words(&[])).status().unwrap().success());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut cuts = Vec::new();
    for line in stage.sandbox.read("trace").lines() {
        let (name, rest) = line.split_once('(').unwrap();
        let k = counts.entry(name.to_owned()).or_default();
        *k += 1;
        if name != "openat" || rest.contains("O_CREAT") {
            cuts.push((at, How::Cut(name.to_owned(), *k)));
        }
    }
    cuts
}

#[test]
fn killed_with_git_in_the_middle_of_making_a_worktree_a_pair_leaves_none() {
    if !trace::works() {
        return;
    }
    let gits = gits(Builder::Edits, &[]);
    let at = gits.iter().position(|git| git.contains(" worktree add ")).unwrap();
    let points = cuts(at);
    eprintln!("{} places to cut git off", points.len());
    assert!(points.len() > 10, "{points:?}");
    each(&points, |at, how| {
        let stage = killed(Builder::Edits, at, how, &[]);
        check_goes_on(&stage, &format!("git was killed too, {how:?}"));
    });
}

#[test]
fn what_git_was_cut_off_at_goes_with_the_next_pair_on_any_task() {
    if !trace::works() {
        return;
    }
    let gits = gits(Builder::Edits, &[]);
    let at = gits.iter().position(|git| git.contains(" worktree add ")).unwrap();
    // Made and nothing in it; marked as locked, and not yet whose it is.
    let points = cuts(at).into_iter().filter(|(_, how)| {
        matches!(how, How::Cut(name, k) if name == "mkdir" || (name == "write" && *k == 1))
    });
    each(&points.collect::<Vec<_>>(), |at, how| {
        let stage = killed(Builder::Edits, at, how, &[]);
        let ended = stage.play(&["pair", "another task", "--repo", "user", "--max-turns", "1"]);
        assert_eq!(ended.code, 4, "{}", ended.err);
        stage.check_clean(&format!("another task, {how:?}"));
    });
}

/// What is handed over is where it was wanted, once.
fn check_there(stage: &Stage, place: &str) {
    assert_eq!(stage.sandbox.read("user/answer.txt"), "right\n", "{place}");
    assert_eq!(stage.sandbox.read("user/notes.txt"), "mine\n", "{place}");
    assert_eq!(stage.git(&["show", "made:answer.txt"]), "right\n", "{place}");
    assert_eq!(stage.git(&["rev-list", "--count", "main..made"]), "1\n", "{place}");
    let mut status = stage.git(&["status", "--porcelain"]);
    status.retain(|c| c != '\n');
    assert_eq!(status, " M answer.txt?? notes.txt", "{place}");
    stage.check_nothing_left(place);
}

#[test]
fn killed_between_its_decision_and_its_end_a_pair_can_still_be_handed_over() {
    let wishes = ["--apply", "--branch", "made"];
    let whole = gits(Builder::Edits, &wishes);
    let count = whole.len();
    // Those that a run without wishes does not have come last; the first looks at the branch's name.
    let last = gits(Builder::Edits, &[]).len();
    let points: Vec<_> =
        both(count, stride(3)).into_iter().filter(|(at, _)| *at + 3 > last).collect();
    eprintln!("{} kills around the commands that hand over", points.len());
    each(&points, |at, how| {
        let place = format!("killed at git {at} ({}), {how:?}", whole[at]);
        let stage = killed(Builder::Edits, at, how, &wishes);
        let run = stage.runs().remove(0);
        let resume = [&["pair", "--repo", "user", "--resume", &run], &wishes[..]].concat();
        let (_, decided) = stage.durable();
        let asked = stage.asked().len();
        let ended = stage.play(&resume);
        check_converged(&ended, &place);
        assert!(!decided || stage.asked().len() == asked, "{place}: somebody was asked again");
        check_there(&stage, &place);
        let ended = stage.play(&resume);
        assert!(ended.out.starts_with(DIFF), "{place}: {}", ended.out);
        assert!(ended.err.contains("which had it before"), "{place}: {}", ended.err);
        assert!(ended.err.contains("which was there before"), "{place}: {}", ended.err);
        check_there(&stage, &place);
    });
}
