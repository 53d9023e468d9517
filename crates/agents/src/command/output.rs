//! How a program's stdout is read: as the reply itself, or as a document of its own that has the reply in it.
//!
//! Invariant: a document that is not whole gives no reply, and no edits either. Tokens and money are taken where the program tells
//! them, also when it failed, and never guessed.
//! Absent here: the meaning of the reply; stderr, which is never read as one.

mod claude;
mod codex;
mod gemini;

use super::{failure::Cause, program::Wanted, said::last_line, secrets::Secrets};
use redraft_engine::Answer;
use redraft_loop::{Served, Usage};
use serde::de::DeserializeOwned;

/// How a program's stdout is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// All of it is the reply.
    Text,
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
        match self {
            Self::Text => Ok(Said { reply: Ok(stdout.to_owned()), used: Used::default() }),
            // A document says how it went, so one that is missing is no document without words.
            Self::Claude | Self::Codex | Self::Gemini if stdout.trim().is_empty() => {
                Err(Cause::Silent)
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
            Self::Text | Self::Claude | Self::Codex => None,
        };
        last_line(cause.as_ref().map_or(stderr, String::as_bytes))
    }
}

impl Said {
    /// The same, with a refusal that is cleaned before it is cut.
    pub(super) fn cleaned_of(self, secrets: &Secrets) -> Self {
        Self { reply: self.reply.map_err(|why| secrets.clean(&why)), ..self }
    }

    /// The answer, or why there is none, with what it used all the same. Edits are an answer without a word.
    pub(super) fn answer(self, wanted: Wanted, secrets: &Secrets) -> Result<Answer, (Cause, Used)> {
        let used = self.used;
        let echo = self.reply.as_ref().ok().and_then(|text| secrets.found_in(text));
        if let Some(variable) = echo {
            return Err((Cause::Echo { variable: variable.to_owned() }, used));
        }
        match self.reply {
            Ok(text) if text.trim().is_empty() && wanted == Wanted::Words => {
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

    fn answer(output: Output, stdout: &str, wanted: Wanted) -> Result<Answer, Cause> {
        let said = output.read(stdout)?;
        said.answer(wanted, &Secrets::default()).map_err(|(cause, _)| cause)
    }

    #[test]
    fn text_is_the_reply_word_for_word() {
        let text = "{\"verdict\": \"ok\"}\n{\"verdict\": \"changes_requested\"}\n";
        for wanted in [Wanted::Words, Wanted::Edits] {
            assert_eq!(answer(Output::Text, text, wanted).unwrap(), Answer::text(text));
        }
    }

    #[test]
    fn nothing_is_no_reply_in_any_form() {
        for output in [Output::Text, Output::Claude, Output::Codex, Output::Gemini] {
            let silent = answer(output, " \n", Wanted::Words);
            assert!(matches!(silent, Err(Cause::Silent)), "{output:?}");
        }
    }

    /// What each program writes when it ends well without a word.
    const WORDLESS: [(Output, &str); 4] = [
        (Output::Text, ""),
        (Output::Claude, r#"{"is_error":false,"result":""}"#),
        (Output::Codex, r#"{"type":"turn.completed"}"#),
        (Output::Gemini, r#"{"response":""}"#),
    ];

    #[test]
    fn a_program_whose_work_stands_in_its_folder_may_say_nothing() {
        for (output, stdout) in WORDLESS {
            assert_eq!(answer(output, stdout, Wanted::Edits).unwrap().text, "", "{output:?}");
            let silent = answer(output, stdout, Wanted::Words);
            assert!(matches!(silent, Err(Cause::Silent)), "{output:?}");
        }
    }

    #[test]
    fn a_document_that_is_missing_is_no_wordless_one() {
        for output in [Output::Claude, Output::Codex, Output::Gemini] {
            assert!(matches!(answer(output, "", Wanted::Edits), Err(Cause::Silent)), "{output:?}");
        }
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
