//! A configured program as the agent wants it.

use crate::config::{self, Launch};
use redraft_agents::command::{Input, Program, preset};
use std::time::Duration;

/// A program ends its call itself, a little before the engine would: then its last words can be told.
const BEFORE_THE_ENGINE: Duration = Duration::from_millis(500);

/// The program, with at most this long for a call.
pub(super) fn of(program: &config::Program, patience: Duration) -> Program {
    let base = match &program.launch {
        Launch::Preset(known) => preset(*known),
        Launch::Program(path) => Program::plain(path.display().to_string(), &[]),
    };
    let wanted = program.timeout_seconds.map_or(patience, Duration::from_secs);
    Program {
        args: base.args.iter().chain(&program.args).cloned().collect(),
        input: program.input.map_or(base.input, input),
        env: base.env.iter().chain(&program.env).cloned().collect(),
        deadline: wanted.min(patience.saturating_sub(BEFORE_THE_ENGINE)),
        max_output_bytes: usize::try_from(program.max_output_bytes).unwrap_or(usize::MAX),
        ..base
    }
}

fn input(input: config::Input) -> Input {
    match input {
        config::Input::Text => Input::Text,
        config::Input::Json => Input::Json,
    }
}
