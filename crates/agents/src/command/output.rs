//! How a program's stdout is read: as the reply itself, or as a document of its own that has the reply in it.
//!
//! Invariant: a document that is not whole gives no reply. Tokens and money are taken where the program tells
//! them, also when it failed, and never guessed.
//! Absent here: the meaning of the reply; stderr, which is never read as one.

mod claude;
mod codex;
mod gemini;

use super::{failure::Cause, said::last_line, secrets::Secrets};
use redraft_engine::Answer;
use redraft_loop::{Served, Usage};
use serde::de::DeserializeOwned;

/// How a program's stdout is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// All of it is the reply.
    Text,
    /// All of it is the reply, and one that says nothing is a reply too: the program's work stands in its folder.
    Prose,
    /// The one JSON document of `claude --print --output-format json`.
    Claude,
    /// The events of `codex exec --json`, one a line.
    Codex,
    /// The one JSON document of `gemini --output-format json`.
    Gemini,
}

/// What a program's stdout says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// The reply, or why the program gave none.
    pub(super) reply: Result<String, String>,
    pub(super) used: Used,
}

/// What a call used, as far as the program tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Used {
    pub(super) usage: Option<Usage>,
    pub(super) cost: Option<u64>,
    pub(super) served: Option<Served>,
}

impl Output {
    pub(super) fn read(self, stdout: &str) -> Result<Said, Cause> {
        if stdout.trim().is_empty() && self != Self::Prose {
            return Err(Cause::Silent);
        }
        match self {
            Self::Text | Self::Prose => {
                Ok(Said { reply: Ok(stdout.to_owned()), used: Used::default() })
            }
            Self::Claude => claude::read(stdout),
            Self::Codex => codex::read(stdout),
            Self::Gemini => gemini::read(stdout),
        }
    }

    /// What a failed program says on stderr, as one line for a message.
    pub(super) fn complaint(self, stderr: &[u8]) -> String {
        let cause = match self {
            Self::Gemini => gemini::complaint(&String::from_utf8_lossy(stderr)),
            Self::Text | Self::Prose | Self::Claude | Self::Codex => None,
        };
        last_line(cause.as_ref().map_or(stderr, String::as_bytes))
    }
}

impl Said {
    /// The same, with a refusal that is cleaned before it is cut.
    pub(super) fn cleaned_of(self, secrets: &Secrets) -> Self {
        Self { reply: self.reply.map_err(|why| secrets.clean(&why)), ..self }
    }

    /// The answer, or why there is none, with what it used all the same.
    pub(super) fn answer(self, output: Output, secrets: &Secrets) -> Result<Answer, (Cause, Used)> {
        let used = self.used;
        let echo = self.reply.as_ref().ok().and_then(|text| secrets.found_in(text));
        if let Some(variable) = echo {
            return Err((Cause::Echo { variable: variable.to_owned() }, used));
        }
        match self.reply {
            Ok(text) if text.trim().is_empty() && output != Output::Prose => {
                Err((Cause::Silent, used))
            }
            Ok(text) => {
                let Used { usage, cost, served } = used;
                Ok(Answer { text, usage, cost, served })
            }
            Err(why) => Err((Cause::Refused(last_line(why.as_bytes())), used)),
        }
    }

    /// Why the program gave no reply, in its own words.
    pub(super) fn refusal(&self) -> Option<&str> {
        self.reply.as_ref().err().map(String::as_str)
    }
}

/// The one JSON document that a text is.
fn document<T: DeserializeOwned>(text: &str, wanted: &'static str) -> Result<T, Cause> {
    serde_json::from_str(text).map_err(|error| Cause::NotRead { wanted, why: error.to_string() })
}

/// Dollars in millionths, rounded up; `None` for what is not an amount.
fn micros(dollars: f64) -> Option<u64> {
    if !(0.0..1e9).contains(&dollars) {
        return None;
    }
    // Sums of prices have noise far below a millionth, which must not round up to one.
    Some((dollars * 1e6 - 1e-6).ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_the_reply_word_for_word() {
        let text = "{\"verdict\": \"ok\"}\n{\"verdict\": \"changes_requested\"}\n";
        let answer =
            Output::Text.read(text).unwrap().answer(Output::Text, &Secrets::default()).unwrap();
        assert_eq!(answer, Answer::text(text));
    }

    #[test]
    fn nothing_is_no_reply_in_any_form() {
        for output in [Output::Text, Output::Claude, Output::Codex, Output::Gemini] {
            assert!(matches!(output.read(" \n"), Err(Cause::Silent)), "{output:?}");
        }
    }

    #[test]
    fn a_program_whose_work_stands_in_its_folder_may_say_nothing() {
        let said = Output::Prose.read("").unwrap();
        assert_eq!(said.answer(Output::Prose, &Secrets::default()).unwrap(), Answer::text(""));
    }

    #[test]
    fn money_is_rounded_up_to_a_millionth() {
        assert_eq!(micros(0.0031), Some(3_100));
        assert_eq!(micros(0.1 + 0.2), Some(300_000));
        assert_eq!(micros(0.000_000_4), Some(1));
        assert_eq!(micros(0.0), Some(0));
        for odd in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(micros(odd), None, "{odd}");
        }
    }
}
