//! `podcast status --watch`: a page at each change of the journal, until Ctrl-C.

use crate::{
    pty::{self, Terminal},
    sandbox::{REDRAFT, Sandbox},
    scene::{agrees, final_draft, review, script, scripted, workspace},
};
use serde_json::Value;
use std::{
    io::{BufRead, BufReader},
    process::{Child, ChildStdout, Command, Stdio},
};

/// `status --watch` that prints to a pipe.
struct Watch {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Watch {
    fn start(sandbox: &Sandbox, words: &str) -> Self {
        let mut command = sandbox.command(REDRAFT, &format!("podcast status --watch {words}"));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.lines.read_line(&mut line).unwrap() > 0, "it has ended");
        line
    }

    /// Reads up to a line that holds this.
    fn until(&mut self, words: &str) -> String {
        let mut read = String::new();
        while !read.contains(words) {
            read += &self.line();
        }
        read
    }

    /// Ctrl-C; all that is printed from then on.
    fn interrupted(mut self) -> String {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let rest: Vec<String> = self.lines.lines().map(Result::unwrap).collect();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        rest.join("\n")
    }
}

#[test]
fn each_change_of_the_journal_is_a_page_and_ctrl_c_is_no_failure() {
    let sandbox = scripted(&[final_draft("x\n"), agrees()]);
    let mut watch = Watch::start(&sandbox, "-w w");
    let first = watch.until("Next: ");
    assert!(!first.contains("Asset: "), "{first}");
    sandbox.expect(0, &review("description", ""));
    let second = watch.until("Outcome: converged");
    assert!(!second.contains('\u{1b}'), "no terminal, nothing cleared: {second:?}");
    let rest = watch.interrupted();
    assert!(!rest.contains("Watching"), "{rest}");
}

#[test]
fn json_is_one_document_a_line() {
    let sandbox = scripted(&[final_draft("x\n"), agrees()]);
    let mut watch = Watch::start(&sandbox, "-w w --json");
    let document = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let first = document(&watch.line());
    assert_eq!(
        (&first["command"], first["assets"].as_array().unwrap().len()),
        (&Value::from("podcast status"), 0)
    );
    sandbox.expect(0, &review("description", ""));
    let last = document(watch.until("\"outcome\":\"converged\"").lines().last().unwrap());
    assert_eq!(last["assets"][0]["asset_id"], "description");
    for line in watch.interrupted().lines() {
        assert_eq!(document(line)["exit_code"], 0);
    }
}

#[test]
fn a_workspace_that_is_not_there_is_not_waited_for() {
    let sandbox = workspace();
    crate::scene::refused(&sandbox, 2, "podcast status --watch -w none", &["no workspace at none"]);
}

#[test]
fn a_reader_that_goes_away_ends_the_watch_at_the_next_change() {
    let sandbox = scripted(&[final_draft("x\n"), agrees()]);
    let mut watch = Watch::start(&sandbox, "-w w");
    watch.until("Next: ");
    drop(watch.lines);
    sandbox.expect(0, &review("description", ""));
    assert_eq!(watch.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_terminal_is_drawn_anew_and_keeps_the_last_state() {
    if !pty::works() {
        return;
    }
    let sandbox = workspace();
    script(&sandbox, &[final_draft("x\n"), agrees()]);
    let mut terminal = Terminal::start(&sandbox, "podcast status --watch -w w", &[]);
    terminal.shows("Watching; Ctrl-C ends.");
    sandbox.expect(0, &review("description", ""));
    terminal.shows("Outcome: converged");
    terminal.shows("Watching; Ctrl-C ends.");
    terminal.types("\u{3}");
    let ended = terminal.ends();
    assert_eq!(ended.code, 0, "{}", ended.out);
    let last = ended.out.rsplit("\u{1b}[H\u{1b}[2J").next().unwrap();
    assert!(last.contains("Outcome: converged") && !last.contains("Watching"), "{last}");
}
