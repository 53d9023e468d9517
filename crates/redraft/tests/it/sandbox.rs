//! A folder to play in, and the program to play with.

use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

pub(crate) const REDRAFT: &str = env!("CARGO_BIN_EXE_redraft");
pub(crate) const PODCAST: &str = env!("CARGO_BIN_EXE_podcast");

/// A folder of its own, removed at the end.
pub(crate) struct Sandbox(TempDir);

/// How a command ended.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn join(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    /// The program with these words, in this folder, unstarted.
    pub(crate) fn command(&self, program: &str, words: &str) -> Command {
        let mut command = Command::new(program);
        command.args(words.split_whitespace()).current_dir(self.path());
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    /// Runs `redraft` with these words.
    pub(crate) fn redraft(&self, words: &str) -> Ended {
        ended(&self.command(REDRAFT, words).output().unwrap())
    }

    /// Runs `redraft` and expects this exit code.
    pub(crate) fn expect(&self, code: i32, words: &str) -> Ended {
        let ended = self.redraft(words);
        assert_eq!(ended.code, code, "redraft {words}\n{}\n{}", ended.out, ended.err);
        ended
    }

    /// Runs `redraft … --json` and reads its document.
    pub(crate) fn json(&self, words: &str) -> Value {
        let ended = self.redraft(&format!("{words} --json"));
        serde_json::from_str(&ended.out)
            .unwrap_or_else(|_| panic!("{words}: {}{}", ended.out, ended.err))
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Every file below a folder, by its path, `.redraft` left out.
    pub(crate) fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.join(folder), "", &mut files);
        files
    }

    /// The one page that waits for a person, and where its answer goes.
    pub(crate) fn page_that_waits(&self) -> (String, PathBuf) {
        let mut pages: Vec<(PathBuf, PathBuf)> = Vec::new();
        for run in fs::read_dir(self.join(".redraft/inbox")).unwrap() {
            for file in fs::read_dir(run.unwrap().path()).unwrap() {
                let path = file.unwrap().path();
                let answer = path.to_string_lossy().replace(".prompt.md", ".response.md");
                if answer != path.to_string_lossy() && !Path::new(&answer).exists() {
                    pages.push((path, answer.into()));
                }
            }
        }
        assert_eq!(pages.len(), 1, "{pages:?}");
        (fs::read_to_string(&pages[0].0).unwrap(), pages[0].1.clone())
    }

    /// Copies a folder of this sandbox to another place.
    pub(crate) fn copy(&self, from: &str, to: &Path) {
        copy(&self.join(from), to);
    }
}

pub(crate) fn ended(output: &Output) -> Ended {
    Ended {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if name == ".redraft" {
            continue;
        }
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files);
        } else if kind.is_symlink() {
            let target = fs::read_link(entry.path()).unwrap();
            files.insert(path, target.into_os_string().into_encoded_bytes());
        } else {
            files.insert(path, fs::read(entry.path()).unwrap());
        }
    }
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A script of three iterations in which everything happens once.
pub(crate) const THREE_ITERATIONS: &str = r#"[
  {"creator": {"done": false, "candidate": {"content": "one\n"}}},
  {"review": {"verdict": "changes_requested", "reviewer": "reviewer_a", "issues": [{"severity": "error", "message": "say more"}]}},
  {"creator": {"done": false, "candidate": {"content": "one\n\ntwo é\n"}}},
  {"review": {"verdict": "needs_human", "reviewer": "reviewer_a", "summary": "hm"}},
  {"creator": {"done": true, "candidate": {"content": "three\n"}, "mutate_files": {"notes/a.txt": "kept\n", "notes/b/c.txt": "too\n"}}},
  {"review": {"verdict": "ok", "reviewer": "reviewer_a", "issues": [{"severity": "warning", "message": "short"}]}}
]"#;
