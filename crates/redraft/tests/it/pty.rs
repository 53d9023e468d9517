//! The program in a pseudo-terminal, which `script` of util-linux makes.

use crate::sandbox::{Ended, REDRAFT, Sandbox, ended};
use std::{
    io::{Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
};

/// Whether there is a `script` that does what is asked of it here. Where there is none, the tests that need a
/// terminal say so and are skipped.
pub(crate) fn works() -> bool {
    let made = Command::new("script")
        .args(["-qefc", "test -t 0 && test -t 1", "/dev/null"])
        .stdin(Stdio::null())
        .output();
    let works = made.is_ok_and(|output| output.status.success());
    if !works {
        eprintln!("NO PSEUDO-TERMINAL HERE: this test is skipped");
    }
    works
}

/// `redraft` in a terminal that is being typed into.
pub(crate) struct Terminal {
    child: Child,
    keys: Option<ChildStdin>,
    shown: String,
}

impl Terminal {
    /// Starts the program with these words.
    pub(crate) fn start(sandbox: &Sandbox, words: &str, environment: &[(&str, &str)]) -> Self {
        let mut command = sandbox.command("script", "-qefc");
        // Without exec, the shell would take the Ctrl-C for its own.
        command.arg(format!("exec '{REDRAFT}' {words}")).arg("/dev/null");
        command.env("TERM", "xterm").envs(environment.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let keys = child.stdin.take();
        Self { child, keys, shown: String::new() }
    }

    /// Types this.
    pub(crate) fn types(&mut self, keys: &str) {
        let stdin = self.keys.as_mut().unwrap();
        stdin.write_all(keys.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    /// Waits until this is shown behind what was waited for before.
    pub(crate) fn shows(&mut self, words: &str) {
        let out = self.child.stdout.as_mut().unwrap();
        let mut bytes = Vec::new();
        let mut one = [0];
        while !String::from_utf8_lossy(&bytes).contains(words) {
            let read = out.read(&mut one).unwrap();
            let shown = String::from_utf8_lossy(&bytes);
            assert!(read > 0, "{words:?} is not shown:\n{shown}");
            bytes.push(one[0]);
        }
        self.shown += &String::from_utf8_lossy(&bytes);
    }

    /// Waits for the end. All that was shown is in `out`.
    pub(crate) fn ends(mut self) -> Ended {
        let output = self.child.wait_with_output().unwrap();
        drop(self.keys.take());
        let rest = ended(&output);
        Ended { out: format!("{}{}", self.shown, rest.out), ..rest }
    }
}
