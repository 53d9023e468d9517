//! A session of the built-in Rust profile, played by hand.

use crate::sandbox::{Ended, Sandbox};

const TABLE: &str = "CREATE TABLE shop.orders (id uuid PRIMARY KEY, tenant_id uuid NOT NULL, name text NOT NULL);\n";

/// A session in a folder of its own.
pub(crate) struct Scene {
    pub(crate) sandbox: Sandbox,
    pub(crate) id: String,
}

impl Scene {
    /// A session that was begun.
    pub(crate) fn begun() -> Self {
        let sandbox = Sandbox::new();
        sandbox.expect(0, "init");
        sandbox.write("orders.sql", TABLE);
        let words = "gated init --profile sqlx-rust --scope domain --entity Order --table shop.orders --bounded-context shop --schema-file orders.sql --dev ada";
        let id = sandbox.expect(0, words).out.trim().to_owned();
        Self { sandbox, id }
    }

    /// A session whose plan was approved.
    pub(crate) fn planned() -> Self {
        let scene = Self::begun();
        scene.step(0);
        scene.respond("iteration-1/planning-response.md", "the plan\n");
        scene.pass();
        scene
    }

    /// A session that waits for approval of these files.
    pub(crate) fn generated(files: &[(&str, &str)]) -> Self {
        let scene = Self::planned();
        scene.respond("iteration-1/generation-response.md", &bundle(files));
        scene
    }

    /// Where a file of the session stands in the sandbox.
    pub(crate) fn at(&self, path: &str) -> String {
        format!(".redraft/gated/{}/{path}", self.id)
    }

    pub(crate) fn read(&self, path: &str) -> String {
        self.sandbox.read(&self.at(path))
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        self.sandbox.write(&self.at(path), bytes);
    }

    /// Runs a verb on the session.
    #[track_caller]
    pub(crate) fn gated(&self, code: i32, verb: &str) -> Ended {
        let (verb, more) = verb.split_once(' ').unwrap_or((verb, ""));
        self.sandbox.expect(code, &format!("gated {verb} {} {more}", self.id))
    }

    #[track_caller]
    pub(crate) fn step(&self, code: i32) -> Ended {
        self.gated(code, "step")
    }

    /// Answers, and has the answer read.
    #[track_caller]
    pub(crate) fn respond(&self, path: &str, text: &str) {
        self.write(path, text);
        self.step(0);
    }

    /// Approves what waits, and goes on.
    #[track_caller]
    pub(crate) fn pass(&self) {
        self.gated(0, "approve");
        self.step(0);
    }

    /// Reviews an iteration, with the token that its prompt asks for.
    #[track_caller]
    pub(crate) fn review(&self, iteration: u32, verdict: &str, text: &str) {
        let prompt = self.read(&format!("iteration-{iteration}/review-prompt.md"));
        let token = prompt.lines().find(|line| line.starts_with("review_token: ")).unwrap();
        let total = u32::from(verdict == "FAIL");
        let review = format!(
            "@@@REVIEW_META\nverdict: {verdict}\nissues_total: {total}\nissues_critical: 0\nmissing_inputs: 0\n{token}\n@@@\n\n{text}\n"
        );
        self.respond(&format!("iteration-{iteration}/review-response.md"), &review);
    }

    /// Revises with these files; they make the iteration of this number.
    #[track_caller]
    pub(crate) fn revise(&self, iteration: u32, files: &[(&str, &str)]) {
        self.respond(&format!("iteration-{iteration}/revision-response.md"), &bundle(files));
    }
}

fn bundle(files: &[(&str, &str)]) -> String {
    files.iter().map(|(name, text)| format!("<<<FILE: {name}>>>\n{text}")).collect()
}
