//! The scene of these plays: a table, a session about it, and a person with an editor.
//!
//! Absent here: what is expected of the program.

use crate::sandbox::{Ended, REDRAFT, Sandbox, ended};
use rusqlite::Connection;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A table of several tenants, and one that has no tenants.
pub(crate) const DDL: &str = "\
CREATE TABLE tenant (
    id uuid PRIMARY KEY,
    parent_id uuid
);

CREATE TABLE invoice (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenant (id),
    number varchar(40) NOT NULL,
    due_on date,
    CONSTRAINT invoice_number_per_tenant UNIQUE (tenant_id, number)
);
";

/// What `init` is told, its schema file apart.
pub(crate) const ABOUT_INVOICES: &str = "--profile jpa-mt --scope domain --entity Invoice \
     --table invoice --bounded-context billing --schema-file schema.sql";

pub(crate) const PLAN: &str = "# Purpose\n\nAn invoice of one tenant.\n";

/// Two files, and a word to the reviewer.
pub(crate) const FILES: &str = "\
The number is never changed.
<<<FILE: Invoice.java>>>
class Invoice {}
<<<FILE: Invoices.java>>>
interface Invoices {}
";

/// One of the two again, a new one, and a word to the reviewer.
pub(crate) const REVISED: &str = "\
R1: the tenant is in every query, in Invoices.java
<<<FILE: Invoices.java>>>
interface Invoices { int countByTenantId(); }
<<<FILE: InvoiceTest.java>>>
class InvoiceTest {}
";

/// A review that fails, with two issues, one of them critical.
pub(crate) const FAIL: &str = "\
@@@REVIEW_META
verdict: FAIL
issues_total: 2
issues_critical: 1
missing_inputs: 0
@@@
R1 (critical): a query forgets the tenant.
R2 (minor): a name.
";

/// A review that passes.
pub(crate) const PASS: &str = "\
@@@REVIEW_META
verdict: PASS
issues_total: 1
issues_critical: 0
missing_inputs: 0
@@@
R2 (minor): still open.
";

/// A session in a folder of its own.
pub(crate) struct Stage {
    pub(crate) sandbox: Sandbox,
    pub(crate) id: String,
}

impl Stage {
    /// A session about invoices, just begun.
    pub(crate) fn new() -> Self {
        Self::begun("")
    }

    /// A session about invoices that is begun with more words.
    pub(crate) fn begun(more: &str) -> Self {
        let sandbox = Sandbox::new();
        sandbox.write("schema.sql", DDL);
        let words = format!("gated init {ABOUT_INVOICES} --dev anna {more}");
        let id = sandbox.expect(0, &words).out.trim().to_owned();
        Self { sandbox, id }
    }

    /// A session whose plan is asked for.
    pub(crate) fn planning() -> Self {
        let stage = Self::new();
        stage.step(0);
        stage
    }

    /// A session whose plan waits.
    pub(crate) fn planned() -> Self {
        let stage = Self::planning();
        stage.respond("planning", 1, PLAN);
        stage.step(0);
        stage
    }

    /// A session whose files are asked for.
    pub(crate) fn generating() -> Self {
        let stage = Self::planned();
        stage.pass();
        stage
    }

    /// A session whose files wait.
    pub(crate) fn generated() -> Self {
        let stage = Self::generating();
        stage.respond("generation", 1, FILES);
        stage.step(0);
        stage
    }

    /// A session whose review is asked for.
    pub(crate) fn reviewing() -> Self {
        let stage = Self::generated();
        stage.pass();
        stage
    }

    /// A session whose review waits, whatever can be read of it.
    pub(crate) fn reviewed(review: &str) -> Self {
        let stage = Self::reviewing();
        stage.respond("review", 1, review);
        stage.gated("step", "");
        stage
    }

    /// A session whose revised files are asked for.
    pub(crate) fn revising() -> Self {
        let stage = Self::reviewed(FAIL);
        stage.pass();
        stage
    }

    /// A session whose second review is asked for.
    pub(crate) fn reviewing_again() -> Self {
        let stage = Self::revising();
        stage.respond("revision", 2, REVISED);
        stage.step(0);
        stage.pass();
        stage
    }

    /// `redraft gated VERB ID …`.
    pub(crate) fn gated(&self, verb: &str, more: &str) -> Ended {
        self.sandbox.redraft(&format!("gated {verb} {} {more}", self.id))
    }

    /// The same, which has to end with this code.
    pub(crate) fn expect(&self, code: i32, verb: &str, more: &str) -> Ended {
        self.sandbox.expect(code, &format!("gated {verb} {} {more}", self.id))
    }

    /// One step.
    pub(crate) fn step(&self, code: i32) -> Ended {
        self.expect(code, "step", "")
    }

    /// Steps up to a gate.
    pub(crate) fn run(&self, code: i32) -> Ended {
        self.expect(code, "run", "")
    }

    pub(crate) fn approve(&self, code: i32) -> Ended {
        self.expect(code, "approve", "")
    }

    /// Approves what waits, and steps past its gate.
    pub(crate) fn pass(&self) {
        self.approve(0);
        self.step(0);
    }

    /// Sends back what waits, with a sentence.
    pub(crate) fn reject(&self, code: i32, feedback: &str) -> Ended {
        let mut command = self.command(&format!("gated reject {} --feedback", self.id));
        let told = ended(&command.arg(feedback).output().unwrap());
        assert_eq!(told.code, code, "reject {feedback:?}\n{}\n{}", told.out, told.err);
        told
    }

    /// `redraft` with these words, unstarted.
    pub(crate) fn command(&self, words: &str) -> Command {
        self.sandbox.command(REDRAFT, words)
    }

    /// `redraft gated VERB ID … --json`: the code, and the one line of it.
    pub(crate) fn json(&self, verb: &str, more: &str) -> (i32, Value) {
        one_line(&self.gated(verb, &format!("{more} --json")))
    }

    /// Writes a response.
    pub(crate) fn respond(&self, phase: &str, iteration: u32, text: impl AsRef<[u8]>) {
        self.write(&format!("iteration-{iteration}/{phase}-response.md"), text);
    }

    /// Writes a file of the session.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        self.sandbox.write(&self.below(path), bytes);
    }

    pub(crate) fn read(&self, path: &str) -> String {
        self.sandbox.read(&self.below(path))
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.place(path)).unwrap();
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.place(path).exists()
    }

    /// Where a file of the session stands, as the program names it.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        let root = fs::canonicalize(self.sandbox.path()).unwrap();
        root.join(self.below(path))
    }

    /// The paths of all files of the session, in order.
    pub(crate) fn files(&self) -> Vec<String> {
        self.sandbox.files(&self.below("")).into_keys().collect()
    }

    /// All files of the session with their bytes, to be compared.
    pub(crate) fn bytes(&self) -> impl PartialEq + std::fmt::Debug + use<> {
        self.sandbox.files(&self.below(""))
    }

    pub(crate) fn session_json(&self) -> Value {
        serde_json::from_str(&self.read("session.json")).unwrap()
    }

    /// Where the session stands by its own file.
    pub(crate) fn phase(&self) -> String {
        self.session_json()["phase"].as_str().unwrap().to_owned()
    }

    /// How many facts the journal has of all its runs.
    pub(crate) fn facts(&self) -> i64 {
        let db = Connection::open(self.sandbox.join(".redraft/journal.db")).unwrap();
        db.query_row("SELECT count(*) FROM facts", [], |row| row.get(0)).unwrap()
    }

    fn below(&self, path: &str) -> String {
        Path::new(".redraft/gated").join(&self.id).join(path).display().to_string()
    }
}

/// A document on one line, which says what the program ended with.
pub(crate) fn one_line(told: &Ended) -> (i32, Value) {
    let shown = format!("{}\n{}", told.out, told.err);
    assert_eq!(told.out.lines().count(), 1, "{shown}");
    let document: Value = serde_json::from_str(&told.out).expect(&shown);
    assert_eq!(document["exit_code"], told.code, "{shown}");
    (told.code, document)
}
