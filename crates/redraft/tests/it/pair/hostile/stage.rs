//! A repository, a home above it, and two players who say and do what a test writes down for each of their calls.

use crate::{
    pair::pair,
    provider::Provider,
    sandbox::{Ended, Sandbox, ended},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{FileTypeExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

/// The nth call of a player is the script `n.sh` in its folder; what it was told goes beside it.
const PLAYER: &str = "n=$(ls \"$1\" | grep -c told)\ncat > \"$1/$n.told\"\nexec sh \"$1/$n.sh\"\n";

/// The rest of the repository's texts.
const LINES: &str = "one\ntwo\nthree\nfour\nfive\n";

/// A change of the second line of five.
pub(super) const TWO: &str = "diff --git a/src/lines.txt b/src/lines.txt\n--- a/src/lines.txt\n+++ b/src/lines.txt\n@@ -1,5 +1,5 @@\n one\n-two\n+2\n three\n four\n five\n";

/// The same as a program makes it.
pub(super) const EDITS_TWO: &str = "sed -i 's/two/2/' src/lines.txt";

/// Every path of a folder with its mode and content; what a run may write is left out.
type Print = BTreeMap<PathBuf, (u32, Vec<u8>)>;

/// How the builder builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builds {
    /// By messages of a program.
    Says,
    /// By its hands.
    Edits,
}

/// Where a pair plays.
pub(super) struct Stage {
    pub(super) sandbox: Sandbox,
}

impl Stage {
    /// A repository `desk/repo` of one commit, with the user's things around it, and a home above all.
    pub(super) fn new() -> Self {
        let stage = Self { sandbox: super::desk() };
        for (path, text) in [
            ("README.md", "# Tools\n"),
            ("src/lines.txt", LINES),
            ("secret/key.txt", "a\n"),
            (".gitignore", "target/\n"),
        ] {
            stage.sandbox.write(&format!("desk/repo/{path}"), text);
        }
        symlink("../..", stage.repo().join("way")).unwrap();
        stage.sandbox.write("desk/precious/letter", "mine\n");
        stage.git(&["init", "-q", "-b", "main"]);
        stage.git(&["config", "user.name", "Tess"]);
        stage.git(&["config", "user.email", "tess@localhost"]);
        stage.commit();
        stage.sandbox.write("desk/repo/README.md", "# Tools\n\nNever committed.\n");
        stage.sandbox.write("players/player.sh", PLAYER);
        stage.architect(&[proposes(), finds(1, &[]), verifies(1, "verified", "As asked.")]);
        stage
    }

    pub(super) fn repo(&self) -> PathBuf {
        self.sandbox.join("desk/repo")
    }

    pub(super) fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "state"]);
    }

    /// Git as the user runs it.
    pub(super) fn git(&self, args: &[&str]) -> String {
        let mut git = self.sandbox.command("git", "");
        let said = git.args(args).current_dir(self.repo()).output().unwrap();
        assert!(said.status.success(), "{args:?}: {}", String::from_utf8_lossy(&said.stderr));
        String::from_utf8_lossy(&said.stdout).into_owned()
    }

    /// What the architect says, call by call.
    pub(super) fn architect(&self, replies: &[String]) {
        self.player("architect", replies);
    }

    /// What the builder says, call by call.
    pub(super) fn says(&self, replies: &[String]) {
        self.player("builder", replies);
        self.configure(Builds::Says, "");
    }

    /// What the builder does, call by call: shell scripts, run in the worktree.
    pub(super) fn does(&self, plays: &[&str]) {
        self.scripts("builder", plays);
        self.configure(Builds::Edits, "");
    }

    fn player(&self, who: &str, replies: &[String]) {
        for (n, reply) in replies.iter().enumerate() {
            self.sandbox.write(&format!("players/{who}/{n}.reply"), reply);
        }
        let plays: Vec<String> = (0..replies.len())
            .map(|n| format!("cat '{}'", self.folder_of(who).join(format!("{n}.reply")).display()))
            .collect();
        self.scripts(who, &plays.iter().map(String::as_str).collect::<Vec<_>>());
    }

    /// What a player runs, call by call.
    pub(super) fn scripts(&self, who: &str, plays: &[&str]) {
        for (n, play) in plays.iter().enumerate() {
            self.sandbox.write(&format!("players/{who}/{n}.sh"), play);
        }
    }

    /// The same of one call.
    pub(super) fn script(&self, who: &str, call: usize, play: &str) {
        self.sandbox.write(&format!("players/{who}/{call}.sh"), play);
    }

    fn folder_of(&self, who: &str) -> PathBuf {
        self.sandbox.join("players").join(who)
    }

    /// Sets the user's configuration: both players are programs.
    pub(super) fn configure(&self, builds: Builds, more: &str) {
        let edits = format!("edits = {}\n", builds == Builds::Edits);
        let players = format!("{}{}{edits}", self.program("architect"), self.program("builder"));
        self.cast(&players, more);
    }

    /// The same, where the builder is a model of this provider.
    pub(super) fn with_model(&self, provider: &Provider) {
        let model = format!(
            "[agents.builder]\nkind = \"llm\"\nprovider = \"compatible\"\nmodel = \"builder\"\nbase_url = \"{}\"\n\
             key = {{ env = \"TEST_KEY\" }}\nmax_output_tokens = 1000\n",
            provider.base_url()
        );
        self.cast(&format!("{}{model}", self.program("architect")), "");
    }

    fn program(&self, name: &str) -> String {
        let args = [self.sandbox.join("players/player.sh"), self.folder_of(name)];
        let args = args.map(|path| path.display().to_string());
        format!("[agents.{name}]\nkind = \"command\"\nprogram = \"/bin/sh\"\nargs = {args:?}\n")
    }

    fn cast(&self, players: &str, more: &str) {
        let roles = "[roles]\narchitect = \"architect\"\nbuilder = \"builder\"\n";
        let pair = "[pair]\nprotected = [\"secret/\"]\ncheck_seconds = 1\n";
        let text = format!("{players}{roles}{pair}{more}");
        self.sandbox.write("config/redraft/config.toml", text);
    }

    /// The command, unstarted.
    pub(super) fn command(&self, words: &[&str]) -> Command {
        let mut command = pair(&self.sandbox, &["--repo", "desk/repo", "change the second line"]);
        command.args(words).stdin(Stdio::null());
        command.env("XDG_CONFIG_HOME", self.sandbox.join("config")).env("TEST_KEY", "sk-none");
        command
    }

    /// Plays it, with everything outside of the home looked at before and after.
    pub(super) fn plays(&self, words: &[&str]) -> Ended {
        let before = self.print();
        let ended = ended(&self.command(words).output().unwrap());
        self.assert_untouched(&before, &format!("{words:?}: {}", ended.err));
        ended
    }

    /// Everything outside of the home, the repository's own folder included.
    pub(super) fn print(&self) -> Print {
        let mut print = Print::new();
        gather(self.sandbox.path(), self.sandbox.path(), &mut print);
        print
    }

    /// Nothing is changed that stood at this print, and no worktree is left.
    pub(super) fn assert_untouched(&self, before: &Print, what: &str) {
        assert_eq!(self.touched(before), Vec::<PathBuf>::new(), "{what}");
        assert!(!self.sandbox.join(".redraft/worktrees").exists(), "{what}");
    }

    /// The paths that are not as they were at this print.
    pub(super) fn touched(&self, before: &Print) -> Vec<PathBuf> {
        let now = self.print();
        let paths = now.keys().chain(before.keys().filter(|path| !now.contains_key(*path)));
        paths.filter(|path| now.get(*path) != before.get(*path)).cloned().collect()
    }

    /// What a player was told, call by call.
    pub(super) fn told(&self, who: &str) -> Vec<String> {
        let told = |n: usize| fs::read(self.folder_of(who).join(format!("{n}.told"))).ok();
        (0..).map_while(told).map(|told| String::from_utf8_lossy(&told).into_owned()).collect()
    }

    /// The record of the newest run.
    pub(super) fn record(&self) -> Value {
        let run = self.sandbox.json("runs list")["runs"][0]["run_id"].as_str().unwrap().to_owned();
        self.sandbox.json(&format!("runs show {run}"))["record"].clone()
    }

    /// Why each unreadable reply of the newest run is.
    pub(super) fn refusals(&self) -> Vec<String> {
        let record = self.record();
        let calls = record["calls"].as_array().unwrap().iter();
        calls
            .filter_map(|call| call["state"]["unreadable"]["why"].as_str().map(str::to_owned))
            .collect()
    }

    /// How many bytes the home holds.
    pub(super) fn home_bytes(&self) -> u64 {
        let mut print = Print::new();
        let home = self.sandbox.join(".redraft");
        gather(&home, &home, &mut print);
        print.values().map(|(_, bytes)| bytes.len() as u64).sum()
    }
}

fn gather(root: &Path, path: &Path, print: &mut Print) {
    let found = fs::symlink_metadata(path).unwrap();
    let name = path.strip_prefix(root).unwrap().to_owned();
    if name == Path::new(".redraft") || name == Path::new("players") {
        return;
    }
    let content = match found.file_type() {
        kind if kind.is_symlink() => {
            fs::read_link(path).unwrap().into_os_string().into_encoded_bytes()
        }
        kind if kind.is_file() => fs::read(path).unwrap(),
        kind if kind.is_fifo() || kind.is_socket() => b"special".to_vec(),
        _ => Vec::new(),
    };
    print.insert(name, (found.permissions().mode(), content));
    if found.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            gather(root, &entry.unwrap().path(), print);
        }
    }
}

/// A child's ending, and the most memory that it ever had, in bytes.
pub(super) fn weighed(mut command: Command, sandbox: &Sandbox) -> (Ended, u64) {
    let file = |name: &str| fs::File::create(sandbox.join("players").join(name)).unwrap();
    let mut child = command.stdout(file("out")).stderr(file("err")).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    let code = loop {
        let kib = fs::read_to_string(&status).ok().and_then(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
            line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
        });
        most = most.max(kib.unwrap_or(0) * 1024);
        if let Some(status) = child.try_wait().unwrap() {
            break status.code().unwrap_or(-1);
        }
        std::thread::sleep(Duration::from_millis(2)); // real time: memory is read while the child lives
    };
    let read = |name: &str| {
        String::from_utf8_lossy(&fs::read(sandbox.join("players").join(name)).unwrap()).into_owned()
    };
    (Ended { code, out: read("out"), err: read("err") }, most)
}

pub(super) fn proposes() -> String {
    json!({"role": "architect", "type": "propose", "content": "Change it.", "turn": 1}).to_string()
}

pub(super) fn implements(turn: u32, diff: &str) -> String {
    json!({"role": "builder", "type": "implement", "content": "Done.", "turn": turn, "diff": diff})
        .to_string()
}

pub(super) fn finds(turn: u32, issues: &[&str]) -> String {
    let issue = |text: &&str| json!({"severity": "error", "message": text});
    let issues: Vec<Value> = issues.iter().map(issue).collect();
    json!({"role": "architect", "type": "critique", "content": "Looked at.", "turn": turn, "issues": issues})
        .to_string()
}

pub(super) fn verifies(turn: u32, verdict: &str, content: &str) -> String {
    json!({"role": "architect", "type": "verify", "content": content, "turn": turn, "verdict": verdict})
        .to_string()
}
