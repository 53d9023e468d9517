//! What a provider has told of its reply so far, and whether that is an answer.
//!
//! Invariant: only a reply that ended by itself, with text and without refusal, is an answer. Its text is bounded.

use super::fault::Fault;
use redraft_loop::{Served, Usage};

/// What a provider has told of its reply so far, whole or in pieces.
#[derive(Debug, Default)]
pub(super) struct Reply {
    text: String,
    /// What stands in the place of text where the form of the reply was asked for as the input of a tool.
    tool: String,
    refusal: String,
    /// The model that answers.
    pub model: Option<String>,
    /// The provider's id of the request, or of the reply.
    pub id: Option<String>,
    /// Why it ended; `None` as long as it has not.
    pub finish: Option<Finish>,
    /// Tokens read.
    pub input_tokens: Option<u64>,
    /// Tokens written.
    pub output_tokens: Option<u64>,
}

/// Why a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finish {
    /// The provider's word.
    pub word: String,
    /// What it means.
    pub end: End,
}

/// How a reply can end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It was complete.
    Complete,
    /// It reached the bound on its tokens.
    Length,
    /// The provider or the model would not.
    Filter,
    /// Some other way.
    Other,
}

/// The longest text of a reply, in bytes.
const LONGEST: usize = 8 * 1024 * 1024;

impl Reply {
    /// Adds to its text.
    pub(super) fn say(&mut self, piece: &str) -> Result<(), Fault> {
        push(&mut self.text, piece)
    }

    /// Adds to the input of its tool.
    pub(super) fn fill_tool(&mut self, piece: &str) -> Result<(), Fault> {
        push(&mut self.tool, piece)
    }

    /// Adds to its refusal.
    pub(super) fn refuse(&mut self, piece: &str) -> Result<(), Fault> {
        push(&mut self.refusal, piece)
    }

    /// Tokens read and written, as far as told now. Counts told in the midst of a reply are overwritten.
    pub(super) fn count(&mut self, input: Option<u64>, output: Option<u64>) {
        self.input_tokens = input.or(self.input_tokens);
        self.output_tokens = output.or(self.output_tokens);
    }

    /// What it used. Nothing is told before it has ended: counts before that are too low. Who says that the prompt
    /// had no tokens does not know: gateways do.
    pub(super) fn usage(&self) -> Option<Usage> {
        self.finish.as_ref()?;
        let input_tokens = self.input_tokens.filter(|count| *count > 0)?;
        Some(Usage { input_tokens, output_tokens: self.output_tokens? })
    }

    /// Who served it; `None` while nothing is known.
    pub(super) fn served(&self) -> Option<Served> {
        let finish = self.finish.as_ref().map(|finish| finish.word.clone());
        let served = Served { model: self.model.clone(), request: self.id.clone(), finish };
        (served != Served::default()).then_some(served)
    }

    /// Its text, where it is an answer.
    pub(super) fn answer(&mut self) -> Result<String, Fault> {
        if !self.refusal.trim().is_empty() {
            return Err(Fault::Refusal(std::mem::take(&mut self.refusal)));
        }
        let finish = self.finish.as_ref().ok_or(Fault::Missing("reason for its end"))?;
        if finish.end != End::Complete {
            return Err(Fault::Ended(finish.clone()));
        }
        let text = if self.tool.is_empty() { &mut self.text } else { &mut self.tool };
        if text.trim().is_empty() {
            return Err(Fault::Empty);
        }
        Ok(std::mem::take(text))
    }
}

fn push(text: &mut String, piece: &str) -> Result<(), Fault> {
    if text.len() + piece.len() > LONGEST {
        return Err(Fault::TooLong { what: "text", limit: LONGEST });
    }
    text.push_str(piece);
    Ok(())
}
