//! A home with four programs that play the roles of a session, note what they are asked, and say what their files say.
//!
//! The first review fails, the second passes: a whole session has five calls.

use crate::sandbox::{Ended, REDRAFT, Sandbox, copy, ended};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The calls of a whole session, in order.
pub(crate) const CALLS: [&str; 5] =
    ["planning-1", "generation-1", "review-1", "revision-2", "review-2"];

pub(crate) const PASS: &str = "@@@REVIEW_META\nverdict: PASS\nissues_total: 0\nissues_critical: 0\nmissing_inputs: 0\n@@@\n\nNothing to mend.\n";
pub(crate) const FAIL: &str = "@@@REVIEW_META\nverdict: FAIL\nissues_total: 2\nissues_critical: 1\nmissing_inputs: 0\n@@@\n\nR1 (critical): the first file forgets the tenant.\nR2 (minor): say less.\n";
/// A review with no block.
pub(crate) const BLOCKLESS: &str = "It is fine as far as I can see.\n";

pub(crate) const PLAN: &str = "Two files, the first by the second.\n";

/// What all four programs do: note the call, then what the file of its n-th time says, else the file of all times.
const AGENT: &str = r#"
text=$(tr -d ' \n')
phase=${text##*'"phase":"'}; phase=${phase%%\"*}
iteration=${text##*'"iteration":'}; iteration=${iteration%%[,\}]*}
call="$phase-$iteration"
echo "$call" >> "$HOME/asked"
n=$(grep -cx "$call" "$HOME/asked")
for said in "$HOME/says/$call.$n" "$HOME/says/$call"; do
    [ ! -f "$said.sh" ] || { . "$said.sh"; exit; }
    [ ! -f "$said" ] || exec cat "$said"
done
exit 9
"#;

const DDL: &str = "CREATE TABLE sales.orders (\n    tenant_id uuid NOT NULL,\n    id uuid NOT NULL,\n    total numeric(12, 2) NOT NULL,\n    PRIMARY KEY (tenant_id, id)\n);\n";

/// What the built-in profiles need to know.
const CONTEXT: &str = "--scope domain --entity Order --table sales.orders --bounded-context order-management --schema-file schema.sql";

/// All roles by the program.
pub(crate) const PROGRAMS: &str =
    "--planner program --generator program --reviewer program --reviser program";

/// A home, its programs, and what they say.
pub(crate) struct Scene {
    pub(crate) sandbox: Sandbox,
}

impl Scene {
    /// Programs that write files of this kind.
    pub(crate) fn new(extension: &str) -> Self {
        let scene = Self { sandbox: Sandbox::new() };
        scene.expect(0, "init");
        scene.sandbox.write("schema.sql", DDL);
        scene.sandbox.write("agent", AGENT);
        scene.configure("");
        let file = |name: &str, text: &str| format!("<<<FILE: {name}.{extension}>>>\n{text}\n");
        scene.says("planning-1", PLAN);
        let files = [file("Order", "// the first"), file("OrderStore", "// the second")].concat();
        scene.says("generation-1", &format!("As planned.\n{files}"));
        scene.says("review-1", FAIL);
        scene
            .says("revision-2", &format!("R1: mended.\n{}", file("Order", "// the first, mended")));
        scene.says("review-2", PASS);
        scene
    }

    /// The user's configuration: the program, and this.
    pub(crate) fn configure(&self, more: &str) {
        let program = "[agents.program]\nkind = \"command\"\nprogram = \"/bin/sh\"\nargs = ['-c', '. \"$HOME/agent\"']\ninput = \"json\"\n";
        self.sandbox.write("config/redraft/config.toml", format!("{program}{more}"));
    }

    /// What is said to a call, such as `review-1`, or `review-1.2` the second time.
    pub(crate) fn says(&self, call: &str, text: &str) {
        self.sandbox.write(&format!("says/{call}"), text);
    }

    /// What is done at a call, in the words of the shell.
    pub(crate) fn does(&self, call: &str, script: &str) {
        self.sandbox.write(&format!("says/{call}.sh"), script);
    }

    /// What everybody was asked so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        let asked = fs::read_to_string(self.sandbox.join("asked")).unwrap_or_default();
        asked.lines().map(str::to_owned).collect()
    }

    /// The same scene in a folder of its own, with everything that stands there now.
    pub(crate) fn twin(&self) -> Self {
        let twin = Self { sandbox: Sandbox::new() };
        copy(self.sandbox.path(), twin.sandbox.path());
        twin
    }

    /// The program with these words.
    pub(crate) fn command(&self, words: &str) -> Command {
        self.under(Command::new(REDRAFT), words)
    }

    /// A program that is given these words more, as the user of this home starts it.
    pub(crate) fn under(&self, mut starter: Command, words: &str) -> Command {
        starter.args(words.split_whitespace()).current_dir(self.sandbox.path()).env_clear();
        starter.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        starter.env("HOME", self.sandbox.path());
        starter.env("XDG_CONFIG_HOME", self.sandbox.join("config"));
        starter
    }

    pub(crate) fn play(&self, words: &str) -> Ended {
        ended(&self.command(words).output().unwrap())
    }

    pub(crate) fn expect(&self, code: i32, words: &str) -> Ended {
        let ended = self.play(words);
        assert_eq!(ended.code, code, "redraft {words}\n{}\n{}", ended.out, ended.err);
        ended
    }

    /// Begins a session of a built-in profile, or of one with the same keys, with these words more; its id.
    pub(crate) fn begun(&self, profile: &str, more: &str) -> String {
        let words = format!("gated init --profile {profile} {CONTEXT} --dev Ada {more}");
        self.expect(0, &words).out.trim().to_owned()
    }

    /// The folder of a session, from the sandbox.
    pub(crate) fn folder(&self, id: &str) -> String {
        format!(".redraft/gated/{id}")
    }

    /// A file of a session.
    pub(crate) fn file(&self, id: &str, path: &str) -> String {
        self.sandbox.read(&format!("{}/{path}", self.folder(id)))
    }

    /// Whether a session has this file.
    pub(crate) fn has(&self, id: &str, path: &str) -> bool {
        self.sandbox.join(&format!("{}/{path}", self.folder(id))).exists()
    }

    pub(crate) fn session(&self, id: &str) -> Value {
        serde_json::from_str(&self.file(id, "session.json")).unwrap()
    }

    /// Phase and status of a session, as its file tells them.
    pub(crate) fn stands(&self, id: &str) -> (String, String) {
        let session = self.session(id);
        let word = |key: &str| session[key].as_str().unwrap().to_owned();
        (word("phase"), word("status"))
    }

    /// Who approved which phase, in order.
    pub(crate) fn approvals(&self, id: &str) -> Vec<(String, u64, String)> {
        let session = self.session(id);
        let approvals = session["approvals"].as_array().unwrap().iter();
        let told = approvals.map(|approval| {
            let word = |key: &str| approval[key].as_str().unwrap().to_owned();
            (word("phase"), approval["iteration"].as_u64().unwrap(), word("by"))
        });
        told.collect()
    }

    /// Approves and runs until the session is complete, through this many gates.
    pub(crate) fn on_through(&self, id: &str, gates: usize) {
        for gate in 1..=gates {
            self.expect(0, &format!("gated approve {id}"));
            let code = if gate == gates { 0 } else { 3 };
            self.expect(code, &format!("gated run {id}"));
        }
        assert_eq!(self.stands(id), ("COMPLETE".into(), "success".into()));
        self.expect(0, "verify");
    }

    /// A built-in profile under another name, with these words of its manifest replaced, in the project.
    pub(crate) fn varied(&self, profile: &str, name: &str, replaced: &[(&str, &str)]) {
        let of_ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workflows/profiles");
        let place: PathBuf = self.sandbox.join(".redraft/profiles").join(name);
        copy(&of_ours.join(profile), &place);
        let manifest = place.join("profile.toml");
        let mut text = fs::read_to_string(&manifest).unwrap();
        text = text.replace(&format!("name = \"{profile}\""), &format!("name = \"{name}\""));
        for (from, to) in replaced {
            assert!(text.contains(from), "{from}: {text}");
            text = text.replace(from, to);
        }
        fs::write(manifest, text).unwrap();
    }

    /// A profile like `jpa-mt` whose gates are all open.
    pub(crate) fn open_gates(&self) {
        self.varied("jpa-mt", "jpa-auto", &[("gate = \"person\"", "gate = \"auto\"")]);
    }
}
