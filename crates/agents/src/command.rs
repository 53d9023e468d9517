//! The command agent: a program reads the prompt on stdin and writes its reply to stdout.
//!
//! Invariant: when a call is over, answered or not, no process that it started is alive. It is over two seconds
//! after its deadline at the latest, also when whoever asked has stopped listening. What a program says is told
//! without the values of the variables that it was handed by name.
//! Absent here: a shell, the meaning of a reply, and where programs are configured.

mod census;
mod ending;
mod environment;
mod failure;
mod family;
mod launch;
#[cfg(target_os = "linux")]
mod leftovers;
pub(crate) mod live;
mod output;
mod preset;
#[cfg(target_os = "linux")]
mod processes;
mod program;
mod run;
mod said;
mod secrets;
mod shell;

pub use ending::settle;
pub use failure::CommandError;
pub use output::Output;
pub use preset::{editing_preset, preset};
pub use program::{Input, Program, Wanted, WorkingFolder};
pub(crate) use shell::{Ending, Heard, Shell};

use crate::nonce::{NoRandomBits, nonce};
use failure::Cause;
use futures::FutureExt;
use redraft_engine::{Agent, Answer, AttemptError, BoxFuture, Call, NoAnswer};
use redraft_loop::{Amount, Failure, Served};
use redraft_workflows::Prompt;
use secrets::Secrets;

/// Plays a role by running a program once per call.
#[derive(Debug, Clone)]
pub struct CommandAgent {
    program: Program,
}

impl CommandAgent {
    /// An agent that runs this program.
    pub fn new(program: Program) -> Self {
        Self { program }
    }

    /// The attempt, and nothing in it of what the program was trusted with.
    async fn attempt(&self, prompt: &Prompt) -> Result<Answer, AttemptError> {
        let secrets = Secrets::of(&self.program.env, std::env::vars_os());
        let kept = |served: Option<Served>| served.map(|served| secrets.clean_served(served));
        match self.hear(prompt, &secrets).await {
            Ok(answer) => Ok(Answer { served: kept(answer.served), ..answer }),
            Err(error) => Err(AttemptError {
                message: secrets.clean(&error.message),
                served: kept(error.served),
                ..error
            }),
        }
    }

    async fn hear(&self, prompt: &Prompt, secrets: &Secrets) -> Result<Answer, AttemptError> {
        let failed =
            |cause| CommandError { program: self.program.name.clone(), cause, survivors: 0 };
        let input = input(self.program.input, prompt)
            .map_err(|error| AttemptError::new(Failure::Permanent, error.to_string()))?;
        let ended = run::run(&self.program, input.as_deref(), secrets).await?;
        let read = std::str::from_utf8(&ended.stdout)
            .map_err(|error| Cause::NotText { at: error.valid_up_to() })
            .and_then(|text| self.program.output.read(text))
            .map(|said| said.cleaned_of(secrets));
        match (ended.failure(&self.program, secrets), read) {
            (None, Ok(said)) => said
                .answer(self.program.wanted, secrets)
                .map_err(|(cause, used)| failed(cause).having(used)),
            (None, Err(cause)) => Err(failed(cause).into()),
            (Some(cause), Ok(said)) => {
                Err(failed(cause.in_the_words_of(said.refusal())).having(said.used))
            }
            (Some(cause), Err(_)) => Err(failed(cause).into()),
        }
    }
}

impl Agent for CommandAgent {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        self.attempt(&call.prompt).map(|result| result.map_err(NoAnswer::from)).boxed()
    }

    /// What its model may use, and what that costs, is known to the program alone.
    fn bound(&self, _prompt: &Prompt) -> Amount {
        Amount { tokens: 0, cost: None }
    }
}

/// Ends what an earlier process of ours left behind when it was killed; once in the life of this one.
pub(crate) fn end_leftovers() {
    family::prepare();
}

/// The variable by which a later process of ours finds what is left of this one, and its value.
pub(crate) fn mark() -> (&'static str, String) {
    (census::MARK, family::new_mark())
}

/// What the program reads on stdin.
fn input(input: Input, prompt: &Prompt) -> Result<Option<Vec<u8>>, NoRandomBits> {
    Ok(match input {
        Input::Text => Some(text(prompt, &nonce(prompt)?).into_bytes()),
        Input::Json => Some(format!("{}\n", prompt.request).into_bytes()),
        Input::None => None,
    })
}

/// The prompt as one text: what is ours comes first, the texts of others last.
fn text(prompt: &Prompt, nonce: &str) -> String {
    let rendered = prompt.render(nonce);
    let form = prompt.reply.as_ref().map(|form| {
        let schema = &form.schema;
        format!(
            "\n\nReply with one JSON document and nothing else. Its form, as a JSON Schema:\n{schema}"
        )
    });
    format!("{}{}\n\n{}", rendered.system, form.unwrap_or_default(), rendered.user)
}

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_workflows::{Part, ReplyForm};

    fn prompt() -> Prompt {
        Prompt {
            instructions: "Review the candidate.".into(),
            parts: vec![Part { name: "candidate".into(), text: "A title.".into() }],
            reply: Some(ReplyForm { name: "review".into(), schema: r#"{"type":"object"}"#.into() }),
            request: r#"{"step":"review"}"#.into(),
        }
    }

    #[test]
    fn a_text_prompt_has_the_form_of_the_reply_before_the_texts_of_others() {
        let text = text(&prompt(), "0123");
        let at =
            |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} is missing: {text}"));
        assert!(at("Review the candidate.") < at(r#"{"type":"object"}"#));
        assert!(at(r#"{"type":"object"}"#) < at("A title."));
        assert!(text.contains("[begin candidate 0123]\nA title.\n"));
    }

    #[test]
    fn what_a_program_costs_is_not_known_before() {
        let bound = CommandAgent::new(Program::plain("any", &[])).bound(&prompt());
        assert_eq!(bound, Amount { tokens: 0, cost: None });
    }

    #[test]
    fn a_json_prompt_is_the_request_on_one_line() {
        assert_eq!(
            input(Input::Json, &prompt()).unwrap().as_deref(),
            Some("{\"step\":\"review\"}\n".as_bytes())
        );
        assert_eq!(input(Input::None, &prompt()).unwrap(), None);
    }
}
