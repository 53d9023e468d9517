//! The built binary as a server, in a home of its own and with nobody's configuration.
//!
//! Invariant: the server ends with its value; what it used is read from the system and from its own counters.
//! Absent here: clients.

use super::connection::Connection;
use crate::{Outcome, disk};
use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

/// A running server.
pub(crate) struct Served {
    process: Child,
    port: u16,
}

/// What a server has used so far, or for one load.
pub(crate) struct Usage {
    /// Durable commits.
    pub(crate) commits: u64,
    /// In ms.
    pub(crate) processor: u64,
}

impl Usage {
    pub(crate) fn since(self, before: &Self) -> Self {
        Self {
            commits: self.commits - before.commits,
            processor: self.processor - before.processor,
        }
    }
}

impl Served {
    /// A server in this folder. What it says for people goes to a file there.
    pub(crate) fn start(redraft: &Path, folder: &Path, more: &[&str]) -> Outcome<Self> {
        let redraft = std::fs::canonicalize(redraft)?;
        let command = |words: &[&str]| {
            let mut command = Command::new(&redraft);
            command.args(words).current_dir(folder).stdin(Stdio::null());
            command.env("HOME", folder).env("XDG_CONFIG_HOME", folder.join("config"));
            command
        };
        let made = command(&["init"]).output()?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into_owned().into());
        }
        let mut command = command(&["serve", "--listen", "127.0.0.1:0"]);
        command.args(more).stdout(Stdio::piped());
        let mut process = command.stderr(File::create(folder.join("stderr"))?).spawn()?;
        let said = process.stdout.take().ok_or("the server has no output")?;
        let mut served = Self { process, port: 0 };
        let mut line = String::new();
        BufReader::new(said).read_line(&mut line)?;
        let port = line.trim().rsplit(':').next().and_then(|port| port.parse().ok());
        served.port = port.ok_or_else(|| format!("the server said {line:?}"))?;
        Ok(served)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The most memory it ever held, in KiB.
    pub(crate) fn peak_memory(&self) -> Outcome<u64> {
        disk::peak_memory_of(&self.process.id().to_string())
    }

    pub(crate) fn usage(&self) -> Outcome<Usage> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let page = runtime.block_on(async {
            Connection::open(self.port).await?.get(self.port, "/metrics").await
        })?;
        let page = String::from_utf8(page.body)?;
        let mut counters = page.lines().filter_map(|line| line.split_once(' '));
        let commits = counters.find(|(name, _)| *name == "redraft_commits_total");
        let (_, commits) = commits.ok_or("the server counts no commits")?;
        let processor = disk::processor_ticks_of(&self.process.id().to_string())? * 10;
        Ok(Usage { commits: commits.parse()?, processor })
    }

    /// Ends it as a service manager does.
    pub(crate) fn stop(mut self) -> Outcome<()> {
        Command::new("kill").arg(self.process.id().to_string()).status()?;
        let ended = self.process.wait()?;
        if ended.success() { Ok(()) } else { Err(format!("the server ended with {ended}").into()) }
    }
}

impl Drop for Served {
    /// After an error.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
