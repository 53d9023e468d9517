//! A small repository with a worktree beside it.

use redraft_agents::worktree::{Protected, Root, Worktree};
use redraft_workflows::pair::Outcome;
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A user's repository in a home of its own; the worktree stands in another folder of that home.
pub(crate) struct Ground {
    pub(crate) home: TempDir,
}

/// Every path below a folder, with its mode and content.
pub(crate) type Print = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl Ground {
    /// One commit with text files, some of them with names and line ends that need care.
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// The same, made by `git init` with these arguments.
    pub(crate) fn with(init: &[&str]) -> Self {
        let ground = Self { home: tempfile::tempdir().unwrap() };
        fs::create_dir(ground.root()).unwrap();
        ground.git(&[&["init", "-q", "-b", "main"], init].concat());
        for (path, text) in [
            (".gitignore", "target/\n*.log\n"),
            ("README.md", "# Tools\n\nSmall tools.\n"),
            ("src/lines.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"),
            ("src/crlf.txt", "one\r\ntwo\r\nthree\r\n"),
            ("with space.txt", "a\n"),
            ("\"quoted\".txt", "a\n"),
            ("näme.txt", "a\n"),
            ("new\nline.txt", "a\n"),
            ("secret/key.txt", "a\n"),
        ] {
            ground.write(path, text);
        }
        ground.commit();
        ground
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.home.path().join("user")
    }

    pub(crate) fn place(&self) -> PathBuf {
        self.home.path().join("kept/worktrees/run-1")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        write(&self.root(), path, text);
    }

    pub(crate) fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "state"]);
    }

    /// Git as the user runs it.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        git(&self.root(), args)
    }

    pub(crate) async fn found(&self) -> Root {
        Root::find(&self.root()).await.unwrap()
    }

    pub(crate) async fn tree(&self) -> Worktree {
        Worktree::open(&self.found().await, &self.place(), "HEAD").await.unwrap()
    }

    /// Everything that is the user's.
    pub(crate) fn print(&self) -> Print {
        print(&self.root())
    }

    /// The same without what git keeps of our worktree while it is there.
    pub(crate) fn users(&self) -> Print {
        let mut print = self.print();
        print.retain(|path, _| !path.starts_with(".git/worktrees"));
        print
    }
}

pub(crate) fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub(crate) fn read(tree: &Worktree, path: &str) -> String {
    fs::read_to_string(tree.place().join(path)).unwrap()
}

pub(crate) fn git(folder: &Path, args: &[&str]) -> String {
    let said = Command::new("git")
        .args(["-c", "user.name=Test", "-c", "user.email=test@localhost"])
        .args(["-c", "protocol.file.allow=always"])
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .output()
        .unwrap();
    assert!(said.status.success(), "{args:?}: {}", String::from_utf8_lossy(&said.stderr));
    String::from_utf8_lossy(&said.stdout).into_owned()
}

pub(crate) fn print(folder: &Path) -> Print {
    let mut print = Print::new();
    gather(folder, folder, &mut print);
    print
}

fn gather(root: &Path, path: &Path, print: &mut Print) {
    let found = fs::symlink_metadata(path).unwrap();
    let content = if found.is_symlink() {
        fs::read_link(path).unwrap().into_os_string().into_encoded_bytes()
    } else if found.is_file() {
        fs::read(path).unwrap()
    } else {
        Vec::new()
    };
    let name = path.strip_prefix(root).unwrap().to_owned();
    print.insert(name, (found.permissions().mode(), content));
    if found.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            gather(root, &entry.unwrap().path(), print);
        }
    }
}

/// Both are the same; if not, the paths are told that differ.
pub(crate) fn assert_same(now: &Print, before: &Print, what: &str) {
    let paths = now.keys().chain(before.keys());
    let differ: Vec<_> = paths.filter(|path| now.get(*path) != before.get(*path)).collect();
    assert!(differ.is_empty(), "{what}: {differ:?}");
}

/// The rules of these tests.
pub(crate) fn rules() -> Protected {
    Protected::new(&["secret/".to_owned()]).unwrap()
}

pub(crate) fn applied(outcome: Outcome) -> String {
    match outcome {
        Outcome::Applied(diff) => diff,
        Outcome::Refused(why) => panic!("refused: {why}"),
    }
}

pub(crate) fn refused(outcome: Outcome) -> String {
    match outcome {
        Outcome::Refused(why) => why,
        Outcome::Applied(diff) => panic!("applied: {diff}"),
    }
}

/// A change of the second line of seven.
pub(crate) const TWO: &str = "diff --git a/src/lines.txt b/src/lines.txt\n--- a/src/lines.txt\n+++ b/src/lines.txt\n@@ -1,5 +1,5 @@\n one\n-two\n+2\n three\n four\n five\n";
