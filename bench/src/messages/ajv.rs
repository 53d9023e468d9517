//! Ajv in a process of its own, which measures itself when it is asked to.
//!
//! Absent here: installing it; see `cargo xtask ajv`.

use crate::Outcome;
use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// How Ajv validates.
#[derive(Clone, Copy)]
pub(super) enum How {
    /// Until something is wrong.
    First,
    /// All that is wrong.
    All,
}

/// The process.
pub(super) struct Ajv {
    process: Child,
    asked: ChildStdin,
    told: BufReader<ChildStdout>,
}

/// What it says at first.
pub(super) struct Greeting {
    pub(super) versions: String,
    /// For each message of the first part, JSON pointers of what is wrong, sorted, each once.
    pub(super) places: Vec<Vec<String>>,
}

impl Ajv {
    /// Starts `program` with the Ajv of this folder, the schema and the parts.
    pub(super) fn start(
        program: &str,
        folder: &str,
        schema: &Path,
        parts: &Path,
    ) -> Outcome<(Self, Greeting)> {
        let mut command = Command::new("node");
        command.arg(program).arg(folder).arg(schema).arg(parts);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (asked, told) = pipes.ok_or("node has no pipes")?;
        let mut ajv = Self { process, asked, told: BufReader::new(told) };
        let first = ajv.answer()?;
        let versions = format!("Ajv {}, node {}", word(&first, "ajv")?, word(&first, "node")?);
        let places = first["places"].as_array().into_iter().flatten().map(sorted).collect();
        Ok((ajv, Greeting { versions, places }))
    }

    /// The seconds that so many passes over a part take.
    pub(super) fn measure(&mut self, how: How, part: usize, passes: usize) -> Outcome<f64> {
        let how = match how {
            How::First => "first",
            How::All => "all",
        };
        writeln!(self.asked, "{how} {part} {passes}")?;
        self.asked.flush()?;
        let answer = self.answer()?;
        answer["seconds"].as_f64().ok_or_else(|| "Ajv told no time".into())
    }

    fn answer(&mut self) -> Outcome<Value> {
        let mut line = String::new();
        match self.told.read_line(&mut line)? {
            0 => Err(format!("Ajv ended early: {}", self.process.wait()?).into()),
            _ => Ok(serde_json::from_str(&line)?),
        }
    }
}

impl Drop for Ajv {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn word<'a>(answer: &'a Value, name: &str) -> Outcome<&'a str> {
    answer[name].as_str().ok_or_else(|| format!("Ajv did not tell its {name}").into())
}

fn sorted(places: &Value) -> Vec<String> {
    let words = places.as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut places: Vec<String> = words.map(str::to_owned).collect();
    places.sort();
    places.dedup();
    places
}
