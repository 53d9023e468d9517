//! Running other programs, each printed before it runs, so that a log can be replayed by hand.

use crate::house;
use anyhow::{Context, Result, bail};
use std::fmt::Write;
use std::process::{Command, Stdio};

/// A command line, run in the root of the house.
pub(crate) fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).current_dir(house::root());
    command
}

/// Prints the command, runs it with our own output, and fails when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    println!("+ {shown}");
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed: {status}");
    }
    Ok(())
}

/// Runs the command unseen and gives what it wrote to stdout.
pub(crate) fn read(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let output = command.output().with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`{shown}` failed: {}\n{}", output.status, said.trim_end());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{shown}` wrote no UTF-8"))
}

/// Whether the command line runs to success here: the way to ask if a tool is usable.
pub(crate) fn works(line: &str) -> bool {
    command(line)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The command as a person would type it, with the environment that was added to it.
pub(crate) fn shown(command: &Command) -> String {
    let mut line = String::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            let _ = write!(line, "{}={} ", name.display(), value.display());
        }
    }
    line.push_str(&command.get_program().to_string_lossy());
    for arg in command.get_args() {
        let _ = write!(line, " {}", arg.display());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let mut command = command("cargo test  --doc");
        assert_eq!(shown(command.env("DEEP", "1")), "DEEP=1 cargo test --doc");
    }

    #[test]
    fn a_missing_program_does_not_work_and_names_itself_when_run() {
        assert!(!works("no-such-program-here --version"));
        let error = run(&mut command("no-such-program-here")).unwrap_err();
        assert!(error.to_string().contains("no-such-program-here"));
    }

    #[test]
    fn what_failed_says_what_it_wrote_to_stderr() {
        let error = read(&mut command("cargo no-such-subcommand")).unwrap_err();
        assert!(error.to_string().contains("no-such-subcommand"), "{error}");
    }
}
