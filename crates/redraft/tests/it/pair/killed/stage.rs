//! A small repository with a pair of programs beside it, who note what they are asked and stop where they are told to.
//!
//! The first change fails the check, the second passes it: a whole run has nine calls and ends with `CONVERGED`.

use crate::sandbox::{Ended, REDRAFT, Sandbox, ended};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

pub(super) const TASK: &str = "make it right";

/// What a whole run is asked, in order.
pub(super) const ASKED: [&str; 9] = [
    "propose 1",
    "implement 1",
    "check 1",
    "critique 1",
    "verify 1",
    "implement 2",
    "check 2",
    "critique 2",
    "verify 2",
];

/// What comes of it.
pub(super) const DIFF: &str = "\
diff --git a/answer.txt b/answer.txt
index bc31be0d8f0b9e2ed3a7d41764ea7a6962c5edde..c376d892e8b105bd712d06ec5162b5f31ce949c3 100644
--- a/answer.txt
+++ b/answer.txt
@@ -1 +1 @@
-hm
+right
";

/// Where everybody begins: who is asked for what is noted, and who is told to stop there stops, with a child of its own.
const NOTE: &str = r#"
note() {
    echo "$1" >> "$HOME/asked"
    if [ "$(cat "$HOME/stop" 2>/dev/null)" = "$1" ]; then
        rm "$HOME/stop"
        setsid sleep 600 &
        sleep 600 &
        : > "$HOME/stopped"
        sleep 600
    fi
}
told() { text=$(tr -d ' \n'); turn=${text##*'"turn":'}; turn=${turn%%[,\}]*}; }
"#;

const ARCHITECT: &str = r#"
told
step=${text#*'"step":"'}; step=${step%%\"*}
note "$step $turn"
case "$step $turn" in
    "verify 1") verdict=',"verdict":"rejected"' ;;
    "verify 2") verdict=',"verdict":"verified"' ;;
    *) verdict= ;;
esac
echo "{\"role\":\"architect\",\"type\":\"$step\",\"turn\":$turn,\"content\":\"$step\"$verdict}"
"#;

const EDITOR: &str = r#"
told
case $turn in 1) echo wrong > answer.txt ;; *) echo right > answer.txt ;; esac
note "implement $turn"
echo "Done."
"#;

const TELLER: &str = r#"
told
case $turn in 1) new=wrong ;; *) new=right ;; esac
note "implement $turn"
diff="--- a/answer.txt\\n+++ b/answer.txt\\n@@ -1 +1 @@\\n-hm\\n+$new\\n"
printf '%s\n' "{\"role\":\"builder\",\"type\":\"implement\",\"turn\":$turn,\"content\":\"Done.\",\"diff\":\"$diff\"}"
"#;

/// What it builds stays until the worktree goes, as the caches of real checks do.
const CHECK: &str = r#"
mkdir -p cache && : > cache/built
case $(cat answer.txt) in wrong) note "check 1" ;; *) note "check 2" ;; esac
grep -q right answer.txt
"#;

/// How the builder works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builder {
    /// It edits the files.
    Edits,
    /// It answers with a diff, as models do.
    Tells,
}

/// The repository `user`, the programs, and the home that keeps the journal.
pub(super) struct Stage {
    pub(super) sandbox: Sandbox,
    before: BTreeMap<String, Vec<u8>>,
}

impl Stage {
    /// A home that has a journal already.
    pub(super) fn new(builder: Builder) -> Self {
        let stage = Self::without_journal(builder);
        stage.sandbox.expect(0, "budget set --calls 1000");
        stage
    }

    /// A home whose journal the first run makes.
    pub(super) fn without_journal(builder: Builder) -> Self {
        let sandbox = Sandbox::new();
        sandbox.expect(0, "init");
        let (edits, body) = match builder {
            Builder::Edits => (true, EDITOR),
            Builder::Tells => (false, TELLER),
        };
        let agent = |name: &str, more: &str| {
            let path = sandbox.join(name);
            format!(
                "[agents.{name}]\nkind = \"command\"\nprogram = \"/bin/sh\"\n\
                 args = [\"{}\"]\ninput = \"json\"\n{more}",
                path.display()
            )
        };
        let config = format!(
            "{}{}[roles]\narchitect = \"architect\"\nbuilder = \"builder\"\n",
            agent("architect", ""),
            agent("builder", &format!("edits = {edits}\n")),
        );
        sandbox.write("config/redraft/config.toml", config);
        for (name, body) in [("architect", ARCHITECT), ("builder", body), ("check", CHECK)] {
            sandbox.write(name, format!("{NOTE}{body}"));
        }
        sandbox.write("user/answer.txt", "hm\n");
        sandbox.write("user/.gitignore", "cache/\n");
        let mut stage = Self { sandbox, before: BTreeMap::new() };
        stage.git(&["init", "-q", "-b", "main"]);
        stage.git(&["add", "-A"]);
        stage.git(&["commit", "-q", "-m", "state"]);
        // An edit of the user's own, which no run may touch.
        stage.sandbox.write("user/notes.txt", "mine\n");
        stage.before = stage.sandbox.files("user");
        stage
    }

    /// Git as the user runs it.
    pub(super) fn git(&self, args: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Ada", "-c", "user.email=ada@localhost"]).args(args);
        git.current_dir(self.sandbox.join("user"));
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_OPTIONAL_LOCKS", "0");
        let said = ended(&git.output().unwrap());
        assert_eq!(said.code, 0, "git {args:?}: {}", said.err);
        said.out
    }

    /// What a command is told of this stage. Everybody who is started in it inherits the home, and is known by it.
    fn dress(&self, command: &mut Command) {
        command.current_dir(self.sandbox.path()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.sandbox.path());
        command.env("XDG_CONFIG_HOME", self.sandbox.join("config"));
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Ada");
            command.env(format!("GIT_{who}_EMAIL"), "ada@localhost");
        }
    }

    /// The words of the command that all of these plays give.
    pub(super) fn words<'a>(&self, more: &[&'a str]) -> Vec<&'a str> {
        [&["pair", TASK, "--repo", "user", "--check", "sh -c '. $HOME/check'"], more].concat()
    }

    /// A command with these words.
    pub(super) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(REDRAFT);
        command.args(words);
        self.dress(&mut command);
        command
    }

    /// The same, started by another program.
    pub(super) fn under(&self, mut starter: Command, words: &[&str]) -> Command {
        starter.arg(REDRAFT).args(words);
        self.dress(&mut starter);
        starter
    }

    pub(super) fn play(&self, words: &[&str]) -> Ended {
        ended(&self.command(words).output().unwrap())
    }

    /// The same command as before, with these words more.
    pub(super) fn again(&self, more: &[&str]) -> Ended {
        self.play(&self.words(more))
    }

    /// Starts the command and waits until somebody has stopped where he is asked for this.
    pub(super) fn stopped_at(&self, asked: &str, more: &[&str]) -> Child {
        self.sandbox.write("stop", asked);
        let mut command = self.command(&self.words(more));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stopped = self.sandbox.join("stopped");
        wait_for(asked, || stopped.exists());
        fs::remove_file(stopped).unwrap();
        child
    }

    /// Killed there, and nobody else: the program and its two children outlive it, until any later command of ours
    /// finds them, on any stage.
    pub(super) fn killed_at(&self, asked: &str, more: &[&str]) {
        let mut child = self.stopped_at(asked, more);
        wait_for("a program and its children at work", || self.living().len() >= 4);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// What everybody was asked so far.
    pub(super) fn asked(&self) -> Vec<String> {
        let asked = fs::read_to_string(self.sandbox.join("asked")).unwrap_or_default();
        asked.lines().map(str::to_owned).collect()
    }

    /// The ids of all runs, the newest first.
    pub(super) fn runs(&self) -> Vec<String> {
        let listed = self.sandbox.redraft("runs list --json");
        let listed: Value = serde_json::from_str(&listed.out).unwrap_or_default();
        let runs = listed["runs"].as_array().cloned().unwrap_or_default();
        runs.iter().map(|run| run["run_id"].as_str().unwrap().to_owned()).collect()
    }

    pub(super) fn record(&self, run: &str) -> Value {
        self.sandbox.json(&format!("runs show {run}"))["record"].clone()
    }

    /// What was answered durably, in the words of those who note it; and whether the run is decided.
    pub(super) fn durable(&self) -> (BTreeSet<String>, bool) {
        let runs = self.runs();
        let Some(run) = runs.first() else { return (BTreeSet::new(), false) };
        let record = self.record(run);
        let calls = record["calls"].as_array().unwrap().iter();
        let answered = calls.filter(|call| call["state"] == "answered").map(|call| {
            let turn = call["round"].as_u64().unwrap().max(1);
            format!("{} {turn}", call["step"].as_str().unwrap())
        });
        (answered.collect(), !record["decision"].is_null())
    }

    /// Every process that was started on this stage and is alive.
    pub(super) fn living(&self) -> Vec<String> {
        let home = format!("HOME={}", self.sandbox.path().display());
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let of_ours = entries.filter(|entry| {
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|variable| variable == home.as_bytes())
        });
        let words = |path: PathBuf| fs::read(path.join("cmdline")).unwrap_or_default();
        of_ours.map(|entry| String::from_utf8_lossy(&words(entry.path())).into_owned()).collect()
    }

    /// Nobody is left at work, no worktree, and nothing in the user's repository is otherwise than before.
    pub(super) fn check_clean(&self, place: &str) {
        self.check_nothing_left(place);
        assert!(self.sandbox.files("user") == self.before, "{place}: the user's files");
    }

    /// The same, where the user or the command has changed files of the repository.
    pub(super) fn check_nothing_left(&self, place: &str) {
        assert_eq!(self.living(), Vec::<String>::new(), "{place}");
        assert_eq!(self.worktrees(), Vec::<PathBuf>::new(), "{place}");
        let list = self.git(&["worktree", "list", "--porcelain"]);
        let listed = list.lines().filter(|line| line.starts_with("worktree ")).count();
        assert_eq!(listed, 1, "{place}: {list}");
        self.git(&["fsck", "--strict", "--no-dangling"]);
        self.sandbox.expect(0, "verify");
    }

    /// What stands where worktrees do, in the home and in git's own folder.
    pub(super) fn worktrees(&self) -> Vec<PathBuf> {
        let folders = [".redraft/worktrees", "user/.git/worktrees"];
        let entries = folders.iter().flat_map(|folder| fs::read_dir(self.sandbox.join(folder)));
        entries.flatten().flatten().map(|entry| entry.path()).collect()
    }
}

/// It ended with the change that a whole run makes.
pub(super) fn check_converged(ended: &Ended, place: &str) {
    let expected = format!("{DIFF}CONVERGED\n");
    assert_eq!((ended.code, &*ended.out), (0, &*expected), "{place}: {}", ended.err);
}

pub(super) fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "still waiting for {what}");
        std::thread::sleep(Duration::from_millis(5)); // real time: another process takes its own
    }
}
