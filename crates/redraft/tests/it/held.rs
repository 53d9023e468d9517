//! A review whose agent is held at a call: its log is a FIFO, and opening that waits for a reader.

use crate::{
    sandbox::Sandbox,
    scene::{calls, logged},
};
use std::{
    fs::{File, OpenOptions},
    io::Read,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// A running review.
pub(crate) struct Held<'a> {
    sandbox: &'a Sandbox,
    pub(crate) child: Child,
}

impl<'a> Held<'a> {
    /// Starts a review of `w` that stands at its first call, the claim of it being durable.
    pub(crate) fn at_the_first_call(sandbox: &'a Sandbox, words: &str) -> Self {
        let log = sandbox.join("agent.log");
        assert!(Command::new("mkfifo").arg(log).status().unwrap().success());
        let mut command = logged(sandbox, words);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut held = Self { sandbox, child };
        held.until_claimed(1);
        held
    }

    /// Lets the agent take this many calls more.
    pub(crate) fn let_call(&self, count: usize) {
        let mut taken = 0;
        while taken < count {
            let mut lines = String::new();
            let mut log =
                OpenOptions::new().read(true).open(self.sandbox.join("agent.log")).unwrap();
            log.read_to_string(&mut lines).unwrap();
            taken += lines.lines().count();
        }
    }

    /// Lets all further calls go, as long as the file lives.
    pub(crate) fn let_go(&self) -> File {
        OpenOptions::new().read(true).write(true).open(self.sandbox.join("agent.log")).unwrap()
    }

    /// Waits until a file holds this text.
    pub(crate) fn until_written(&self, path: &str, text: &str) {
        let deadline = Instant::now() + Duration::from_secs(30);
        let read = || std::fs::read_to_string(self.sandbox.join(path)).unwrap_or_default();
        while !read().contains(text) {
            assert!(Instant::now() < deadline, "{path} never holds {text}");
            std::thread::sleep(Duration::from_millis(5)); // real time: another process is at work
        }
    }

    /// Waits until this many calls are claimed.
    pub(crate) fn until_claimed(&mut self, count: u64) {
        let deadline = Instant::now() + Duration::from_secs(30);
        let journal = self.sandbox.join("w/.redraft/journal.db");
        while !journal.exists() || calls(self.sandbox) < count {
            assert!(self.child.try_wait().unwrap().is_none(), "the review has ended");
            assert!(Instant::now() < deadline, "call {count} is never claimed");
            std::thread::sleep(Duration::from_millis(5)); // real time: another process is at work
        }
    }
}
