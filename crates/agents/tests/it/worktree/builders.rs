//! Builders in a worktree: models by their diffs, programs by their hands.

use super::ground::*;
use crate::command::call;
use futures::FutureExt;
use redraft_agents::{
    command::{CommandAgent, Program},
    worktree::{InWorktree, Work, Worktree},
};
use redraft_engine::{Agent, Answer, AttemptError, BoxFuture, Call, NoAnswer};
use redraft_loop::{Amount, Failure, Served, Usage};
use redraft_workflows::{
    Part, Prompt, ReplyForm,
    pair::{Built, Kind, Message, Outcome},
};
use std::sync::Arc;

/// A model that answers with this text, at a price.
struct Model(String);

impl Agent for Model {
    fn answer<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        std::future::ready(Ok(Answer {
            text: self.0.clone(),
            usage: Some(Usage { input_tokens: 7, output_tokens: 5 }),
            cost: Some(11),
            served: Some(Served { model: Some("m".into()), ..Served::default() }),
        }))
        .boxed()
    }

    fn bound(&self, _: &Prompt) -> Amount {
        Amount { tokens: 99, cost: Some(98) }
    }
}

fn message(diff: &str) -> String {
    let message = Message { diff: Some(diff.into()), ..Message::new(Kind::Implement, 1, "done") };
    serde_json::to_string(&message).unwrap()
}

/// A call of the implement step, at the state of this diff.
pub(crate) fn implement(state: &str) -> Call {
    let mut call = call("");
    call.step = "implement".into();
    call.prompt.instructions = "Reply with a diff.".into();
    call.prompt.reply = Some(ReplyForm { name: "message".into(), schema: "{}".into() });
    call.prompt.parts = vec![Part::new("task", "t")];
    if !state.is_empty() {
        call.prompt.parts.push(Part::new("diff", state));
    }
    call
}

async fn ask(agent: &InWorktree, state: &str) -> Built {
    let answer = agent.answer(&implement(state)).await.unwrap();
    serde_json::from_str(&answer.text).unwrap()
}

fn model(text: String, tree: &Arc<Worktree>) -> InWorktree {
    InWorktree::new(Arc::new(Model(text)), Work::Answers, Arc::clone(tree), rules())
}

/// A program that edits its folder by this script.
fn program(script: &str, tree: &Arc<Worktree>) -> InWorktree {
    let program = Program::plain("sh", &["-c", script]).editing_at(tree.place());
    let inner = Arc::new(CommandAgent::new(program));
    InWorktree::new(inner, Work::Edits, Arc::clone(tree), rules())
}

#[tokio::test]
async fn the_diff_of_a_models_message_is_taken_and_its_words_and_price_are_kept() {
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let reply = format!("Here:\n\n```json\n{}\n```\n", message(&format!("```diff\n{TWO}```")));
    let agent = model(reply.clone(), &tree);
    let answer = agent.answer(&implement("")).await.unwrap();
    assert_eq!((answer.cost, answer.usage.unwrap().output_tokens), (Some(11), 5));
    assert_eq!(answer.served.unwrap().model.as_deref(), Some("m"));
    let built: Built = serde_json::from_str(&answer.text).unwrap();
    assert_eq!((built.reply, built.prose), (reply, false));
    assert!(applied(built.outcome).contains("\n-two\n+2\n"));
    assert_eq!(agent.bound(&Prompt::default()), Amount { tokens: 99, cost: Some(98) });
    assert!(!agent.costs_nothing());
}

#[tokio::test]
async fn a_refused_diff_leaves_the_last_turn() {
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let first = applied(ask(&model(message(TWO), &tree), "").await.outcome);
    let hostile = TWO.replace("src/lines.txt", "secret/key.txt");
    let why = refused(ask(&model(message(&hostile), &tree), &first).await.outcome);
    assert!(why.starts_with("secret/key.txt: "), "{why}");
    assert_eq!(applied(tree.changed(&rules()).await.unwrap()), first);
    refused(ask(&model("no message".into(), &tree), &first).await.outcome);
}

#[tokio::test]
async fn what_a_program_makes_of_the_files_is_the_change_and_it_may_say_nothing() {
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let first = ask(&program("echo new > new.txt", &tree), "").await;
    assert_eq!((first.reply.as_str(), first.prose), ("", true));
    let first = applied(first.outcome);
    assert!(first.contains("+++ b/new.txt\n"), "{first}");
    let second =
        ask(&program("cat > /dev/null; cat new.txt; echo more >> new.txt", &tree), &first).await;
    assert_eq!(second.reply, "new\n", "it begins at the last turn");
    assert!(applied(second.outcome).contains("+new\n+more\n"));
    let again = ask(&program("cat new.txt", &tree), &first).await;
    assert_eq!(again.reply, "new\n", "and not at what an undone call left");
    assert_eq!(applied(again.outcome), first);
}

#[tokio::test]
async fn a_program_that_touches_what_is_protected_is_refused_and_set_back() {
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let first = applied(ask(&program("echo new > new.txt", &tree), "").await.outcome);
    let before = print(tree.place());
    let why =
        refused(ask(&program("echo x >> secret/key.txt; rm new.txt", &tree), &first).await.outcome);
    assert!(why.starts_with("secret/key.txt: "), "{why}");
    assert_same(&print(tree.place()), &before, "set back");
}

#[tokio::test]
async fn a_program_that_plants_a_hook_is_refused_by_its_path() {
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let plant = "mkdir -p $(git rev-parse --git-common-dir)/hooks; echo 'touch ran' > $(git rev-parse --git-common-dir)/hooks/pre-commit; echo x > y";
    let why = refused(ask(&program(plant, &tree), "").await.outcome);
    assert!(why.contains(".git/hooks/pre-commit: was changed"), "{why}");
    let why = refused(ask(&program("git config core.pager 'touch ran'", &tree), "").await.outcome);
    assert!(why.contains(".git/config: was changed"), "{why}");
}

#[tokio::test]
async fn what_the_users_daily_work_writes_to_the_configuration_meanwhile_costs_no_answer() {
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let work = "git config branch.main.remote origin; git config branch.main.merge refs/heads/main; \
        git remote add fork ../fork; git config user.name Me; echo x > y";
    assert!(applied(ask(&program(work, &tree), "").await.outcome).contains("+++ b/y\n"));
    assert_eq!(ground.git(&["config", "branch.main.remote"]), "origin\n", "it was written");
    let agent = program("git config remote.fork.uploadpack 'touch ran'", &tree);
    let why = refused(ask(&agent, "").await.outcome);
    assert!(why.contains(".git/config: was changed"), "{why}");
    assert!(why.contains("by it or by somebody else"), "{why}");
}

#[tokio::test]
async fn a_program_that_fails_is_a_failed_attempt_and_the_next_begins_afresh() {
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let agent = program("echo half > half.txt; exit 3", &tree);
    let error = agent.answer(&implement("")).await.unwrap_err();
    assert!(error.to_string().contains("status 3"), "{error}");
    let next = ask(&program("ls half.txt 2> /dev/null; true", &tree), "").await;
    assert_eq!((next.reply.as_str(), next.outcome), ("", Outcome::Applied(String::new())));
}

#[tokio::test]
async fn a_worktree_that_cannot_be_set_fails_the_call_before_it_leaves() {
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let agent = model(message(TWO), &tree);
    let error = agent.answer(&implement("no diff at all")).await.unwrap_err();
    let NoAnswer::Failed(AttemptError { failure, unsent, .. }) = error else { panic!("{error}") };
    assert_eq!((failure, unsent), (Failure::Permanent, true));
}
