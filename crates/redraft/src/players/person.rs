//! A person as an agent: each run has a folder of its own for what they are asked and answer.

use redraft_agents::human::{Human, Words};
use redraft_engine::{Agent, Answer, BoxFuture, Call, NoAnswer};
use redraft_workflows::review::by_hand;
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
            let words = Words { page: by_hand::page, reply: by_hand::reply };
            let person = Human::below(&self.inbox, call.run.as_str()).with_words(words);
            let mut call = call.clone();
            call.prompt.parts.extend(by_hand::places(&self.workspace, self.transcript.as_deref()));
            person.answer(&call).await
        })
    }

    fn costs_nothing(&self) -> bool {
        true
    }
}
