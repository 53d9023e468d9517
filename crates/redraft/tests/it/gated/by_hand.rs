//! A session that a person plays by hand: prompts are read from its folder, responses are put there.

use crate::sandbox::Sandbox;

/// Tables of orders, as a team would have them.
pub(super) const SCHEMA: &str = include_str!("../../fixtures/gated/schema.sql");

/// A session about `sales.orders`.
pub(super) struct Session {
    pub(super) sandbox: Sandbox,
    id: String,
}

/// The verdict of a review.
#[derive(Debug, Clone, Copy)]
pub(super) enum Verdict {
    Pass,
    /// With one major issue.
    Fail,
}

impl Session {
    pub(super) fn begin(profile: &str, scope: &str) -> Self {
        let sandbox = Sandbox::new();
        sandbox.expect(0, "init");
        sandbox.write("schema.sql", SCHEMA);
        let begun = sandbox.expect(
            0,
            &format!(
                "gated init --profile {profile} --scope {scope} --entity Order --table sales.orders \
                 --bounded-context order-management --schema-file schema.sql"
            ),
        );
        let session = Self { id: begun.out.trim().to_owned(), sandbox };
        session.step();
        session
    }

    /// `redraft gated` with these words and the session's id.
    pub(super) fn gated(&self, verb: &str, more: &[&str]) {
        let mut command = self.sandbox.command(crate::sandbox::REDRAFT, &format!("gated {verb}"));
        let ended = crate::sandbox::ended(&command.arg(&self.id).args(more).output().unwrap());
        assert_eq!(ended.code, 0, "gated {verb}: {}{}", ended.out, ended.err);
    }

    pub(super) fn step(&self) {
        self.gated("step", &[]);
    }

    /// The path of a file of the session, within its sandbox.
    pub(super) fn path(&self, file: &str) -> String {
        format!(".redraft/gated/{}/{file}", self.id)
    }

    pub(super) fn read(&self, file: &str) -> String {
        self.sandbox.read(&self.path(file))
    }

    /// Puts a response where it is waited for, and lets it be read.
    pub(super) fn responds(&self, file: &str, response: &str) {
        self.sandbox.write(&self.path(&format!("{file}-response.md")), response);
        self.step();
    }

    /// Approves what was read, and goes on.
    pub(super) fn approves(&self) {
        self.gated("approve", &[]);
        self.step();
    }

    /// Reviews an iteration, with the token that its prompt asks for, and acts on it.
    pub(super) fn reviews(&self, iteration: u32, verdict: Verdict) {
        let file = format!("iteration-{iteration}/review");
        let asked = self.read(&format!("{file}-prompt.md"));
        let token = asked.lines().find(|line| line.starts_with("review_token: ")).unwrap();
        let (word, issues) = match verdict {
            Verdict::Pass => ("PASS", 0),
            Verdict::Fail => ("FAIL", 1),
        };
        let response = format!(
            "@@@REVIEW_META\nverdict: {word}\nissues_total: {issues}\nissues_critical: 0\n\
             missing_inputs: 0\n{token}\n@@@\n\n## Issues\n- **R1** (major) the note has no bound\n"
        );
        self.responds(&file, &response);
        self.approves();
    }
}
