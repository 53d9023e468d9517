//! A configured program as the agent wants it.

use crate::config::{self, Launch};
use redraft_agents::command::{Input, Program, editing_preset, preset};
use std::{path::Path, time::Duration};

/// A program ends its call itself, a little before the engine would: then its last words can be told.
const BEFORE_THE_ENGINE: Duration = Duration::from_millis(500);

/// The program, asked for words, with at most this long for a call.
pub(super) fn of(program: &config::Program, patience: Duration) -> Program {
    let base = match &program.launch {
        Launch::Preset(known) => preset(*known),
        Launch::Program(path) => plain(path),
    };
    configured(base, program, patience)
}

/// The program, at work on the files of this folder, with at most this long for a call.
pub(super) fn editing(program: &config::Program, patience: Duration, folder: &Path) -> Program {
    let base = match &program.launch {
        Launch::Preset(known) => editing_preset(*known, folder),
        Launch::Program(path) => plain(path).editing_at(folder),
    };
    configured(base, program, patience)
}

fn plain(path: &Path) -> Program {
    Program::plain(path.display().to_string(), &[])
}

/// The same with what the configuration says of it.
fn configured(base: Program, program: &config::Program, patience: Duration) -> Program {
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

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_agents::{
        Preset,
        command::{Wanted, WorkingFolder},
    };

    #[test]
    fn what_is_configured_holds_for_a_program_that_edits_as_for_one_that_answers() {
        let launches = [Launch::Preset(Preset::Codex), Launch::Program("/bin/tool".into())];
        for launch in launches {
            let program = config::Program {
                launch,
                args: vec!["--model".into(), "m".into()],
                input: Some(config::Input::Json),
                env: vec!["TOOL_KEY".into()],
                max_output_bytes: 10,
                timeout_seconds: Some(100),
                edits: true,
            };
            let (answers, edits) = (
                of(&program, Duration::from_secs(60)),
                editing(&program, Duration::from_secs(60), Path::new("/tree")),
            );
            assert_eq!(
                (answers.wanted, answers.folder.clone()),
                (Wanted::Words, WorkingFolder::Empty)
            );
            assert!(edits.args.ends_with(&program.args));
            assert_eq!(edits.deadline, Duration::from_millis(59_500), "before the engine");
            let same = Program { args: edits.args.clone(), ..answers };
            assert_eq!(edits, same.editing_at(Path::new("/tree")));
        }
    }
}
