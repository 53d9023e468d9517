//! A person as an agent: each run has a folder of its own for what they are asked and answer.

use redraft_agents::human::{Human, Words};
use redraft_engine::{Agent, Answer, BoxFuture, Call, NoAnswer};
use redraft_workflows::{Prompt, review, solve};
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
            let words = Words { page, reply };
            let person = Human::below(&self.inbox, call.run.as_str()).with_words(words);
            let mut call = call.clone();
            if !solve::by_hand::is_of_solve(&call.prompt) {
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

fn page(prompt: &Prompt) -> Option<Prompt> {
    solve::by_hand::page(prompt).or_else(|| review::by_hand::page(prompt))
}

fn reply(prompt: &Prompt, text: &str) -> Result<String, String> {
    match solve::by_hand::is_of_solve(prompt) {
        true => solve::by_hand::reply(prompt, text),
        false => review::by_hand::reply(prompt, text),
    }
}
