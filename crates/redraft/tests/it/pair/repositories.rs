//! A project in the repository of a user who has work under way.
//!
//! Absent here: what is wrong with it, and who mends it; see `projects` and `cast`.

use super::{desk, pair, projects::Project};
use crate::{
    models::KEY,
    sandbox::{Ended, Sandbox, ended},
};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

/// The user's folder below the sandbox.
const REPO: &str = "repo";

/// Every path below a folder, folders too, with its mode and content.
pub(super) type Snapshot = BTreeMap<PathBuf, (u32, Vec<u8>)>;

/// A project in a user's repository, which is not clean: an edited file, a staged one, one that git does not know, one that it
/// ignores, a stash, and a second branch.
pub(super) struct Repository {
    pub(super) sandbox: Sandbox,
    pub(super) project: &'static Project,
}

impl Repository {
    pub(super) fn of(project: &'static Project) -> Self {
        assert_installed(project.needs);
        let repository = Self { sandbox: desk(), project };
        let about = [
            // Not Python's caches: what a check leaves behind is no part of a change.
            (".gitignore", "target/\n*.secret\n"),
            ("README.md", "# A project\n\nSmall.\n"),
            ("CHANGES.md", "# Changes\n"),
        ];
        project.files.iter().chain(&about).for_each(|(path, text)| repository.write(path, text));
        for words in [
            "init -q -b main",
            "config user.name Ada",
            "config user.email ada@example.org",
            "add .",
            "commit -q -m begun",
            "branch side",
        ] {
            repository.git(words);
        }
        repository.write("README.md", "# A project\n\nPut away for later.\n");
        repository.git("stash -q");
        repository.write("CHANGES.md", "# Changes\n\n- staged\n");
        repository.git("add CHANGES.md");
        repository.write("README.md", "# A project\n\nSmall, and being edited.\n");
        repository.write("notes.txt", "not known to git\n");
        repository.write("keys.secret", "ignored\n");
        repository
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.sandbox.join(REPO)
    }

    fn write(&self, path: &str, text: &str) {
        self.sandbox.write(&format!("{REPO}/{path}"), text);
    }

    pub(super) fn read(&self, path: &str) -> String {
        self.sandbox.read(&format!("{REPO}/{path}"))
    }

    /// `redraft pair` on the repository, its task and its check, with these words too.
    pub(super) fn pair(&self, words: &[&str]) -> Ended {
        self.pair_checked(&[self.project.check], words)
    }

    /// The same with these checks.
    pub(super) fn pair_checked(&self, checks: &[&str], words: &[&str]) -> Ended {
        self.pair_for(self.project.task, checks, words)
    }

    /// The same for this task.
    pub(super) fn pair_for(&self, task: &str, checks: &[&str], words: &[&str]) -> Ended {
        let mut command = pair(&self.sandbox, &["--repo", REPO]);
        command.args(checks.iter().flat_map(|check| ["--check", check])).args(words);
        command.args(["--", task]);
        command.env("XDG_CONFIG_HOME", self.sandbox.join("config")).env("TEST_KEY", KEY);
        ended(&with_toolchain(&mut command).output().unwrap())
    }

    /// What git prints in the user's repository.
    pub(super) fn git(&self, words: &str) -> String {
        git(&self.folder(), words)
    }

    /// Whether the project's own test passes in this folder.
    pub(super) fn passes_in(&self, folder: &Path) -> bool {
        let mut command = self.sandbox.command("sh", "");
        command.args(["-c", self.project.check]).current_dir(folder);
        with_toolchain(&mut command).output().unwrap().status.success()
    }

    /// A clone in which git applies this diff.
    pub(super) fn fresh_clone_with(&self, diff: &str) -> PathBuf {
        let fresh = self.sandbox.join("fresh");
        git(self.sandbox.path(), &format!("clone -q {REPO} fresh"));
        self.sandbox.write("handed_over.diff", diff);
        git(&fresh, "apply --index ../handed_over.diff");
        fresh
    }

    /// All that stands in the user's folder, git's own files included.
    pub(super) fn snapshot(&self) -> Snapshot {
        let mut all = Snapshot::new();
        look(&self.folder(), &mut all);
        all
    }

    /// Asserts that nothing of a run is left: no worktree, and nothing that git knows of one.
    pub(super) fn assert_tidy(&self) {
        assert_eq!(self.git("worktree list").lines().count(), 1);
        assert!(!self.folder().join(".git/worktrees").exists());
        assert!(!self.sandbox.join(".redraft/worktrees").exists());
    }
}

/// The paths whose mode or content differ.
pub(super) fn differing(before: &Snapshot, after: &Snapshot) -> Vec<PathBuf> {
    let paths =
        before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path));
    let mut paths: Vec<PathBuf> = paths.cloned().collect();
    paths.sort();
    paths.dedup();
    paths
}

fn look(folder: &Path, all: &mut Snapshot) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let about = fs::symlink_metadata(&path).unwrap();
        let content = if about.is_dir() { Vec::new() } else { fs::read(&path).unwrap() };
        if about.is_dir() {
            look(&path, all);
        }
        all.insert(path, (about.permissions().mode(), content));
    }
}

/// Git, deaf to the configuration of whoever runs the tests.
fn git(folder: &Path, words: &str) -> String {
    let mut command = Command::new("git");
    command.args(words.split_whitespace()).current_dir(folder);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let output = command.output().expect("git is not installed; these tests need it");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {words}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// With what rustup needs to find the toolchain that runs these tests.
fn with_toolchain(command: &mut Command) -> &mut Command {
    let names = ["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"];
    command.envs(names.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
}

/// A project cannot be tested without its language; a test that passed all the same would show nothing.
fn assert_installed(program: &str) {
    let version = Command::new(program).arg("--version").output();
    let is_there = version.is_ok_and(|output| output.status.success());
    assert!(
        is_there,
        "{program} is not installed: the tests of pairs need cargo, python3 and node (18 or newer)"
    );
}
