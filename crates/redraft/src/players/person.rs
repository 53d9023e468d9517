//! A person as an agent: each run has a folder of its own for what they are asked and answer.

use redraft_agents::human::{Human, Words};
use redraft_engine::{Agent, Answer, BoxFuture, Call, NoAnswer};
use redraft_workflows::{Prompt, pair, review, solve};
use std::path::PathBuf;

/// Somebody who looks into the inbox.
pub(super) struct Person {
    pub(super) inbox: PathBuf,
    /// The words with which a command names the workspace.
    pub(super) workspace: String,
    /// The file of the transcript, where there is one.
    pub(super) transcript: Option<String>,
}

impl Agent for Person {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        Box::pin(async move {
            let words = words_of(&call.prompt);
            let person = Human::below(&self.inbox, call.run.as_str())
                .with_words(words.unwrap_or(OF_REVIEWS));
            let mut call = call.clone();
            if words.is_none() {
                let transcript = self.transcript.as_deref();
                call.prompt.parts.extend(review::by_hand::places(&self.workspace, transcript));
            }
            person.answer(&call).await
        })
    }

    fn costs_nothing(&self) -> bool {
        true
    }
}

/// How work in a workspace is put to a person.
const OF_REVIEWS: Words = Words { page: review::by_hand::page, reply: review::by_hand::reply };

/// How a call of a workflow without a workspace is put to a person; `None` for any other.
fn words_of(prompt: &Prompt) -> Option<Words> {
    if solve::by_hand::is_of_solve(prompt) {
        return Some(Words { page: solve::by_hand::page, reply: solve::by_hand::reply });
    }
    let of_pairs = Words { page: pair::by_hand::page, reply: pair::by_hand::reply };
    pair::by_hand::is_of_pair(prompt).then_some(of_pairs)
}
