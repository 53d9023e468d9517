//! Whole pairs on a repository: a builder that is wrong at first, checks that go from red to green, and a diff that
//! the user's own git takes.

use super::ground::*;
use crate::house::{House, drive_opened, opened};
use futures::FutureExt;
use redraft_agents::{
    command::{CommandAgent, Program},
    worktree::{Budget, Checks, InWorktree, Work, Worktree, told},
};
use redraft_engine::{Agent, Answer, BoxFuture, Call, NoAnswer, Rest};
use redraft_loop::{Fact, Limits, Role, Run};
use redraft_workflows::pair::{self, Bounds, Judgement, Kind, Message, Pair, Settings, turns};
use std::{fs, sync::Arc, time::Duration};

/// An architect who verifies whatever it sees, and a builder who has one diff for each turn.
struct Sides(Vec<String>);

impl Agent for Sides {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        let turn = call.round.max(1);
        let message = match call.step.as_str() {
            "propose" => Message::new(Kind::Propose, turn, "change the second line"),
            "implement" => {
                let n = usize::try_from(turn).unwrap().min(self.0.len()) - 1;
                let diff = Some(self.0[n].clone());
                Message { diff, ..Message::new(Kind::Implement, turn, "done") }
            }
            "critique" => Message {
                issues: Some(Vec::new()),
                ..Message::new(Kind::Critique, turn, "see the checks")
            },
            _ => Message {
                verdict: Some(Judgement::Verified),
                ..Message::new(Kind::Verify, turn, "fine")
            },
        };
        let text = serde_json::to_string(&message).unwrap();
        std::future::ready(Ok(Answer::text(text))).boxed()
    }
}

async fn settings(ground: &Ground, check: &str) -> Settings {
    let told = told(&ground.found().await, "HEAD", "t", Budget::USUAL).await.unwrap();
    Settings {
        task: "t".into(),
        repository: Some(told),
        checks: vec![check.to_owned()],
        ..Settings::default()
    }
}

/// Drives what the house holds, or a new pair, with this builder.
async fn drive(
    house: &House,
    settings: Settings,
    tree: &Arc<Worktree>,
    builder: InWorktree,
) -> (Rest, Run) {
    let architect: Arc<dyn Agent> = Arc::new(Sides(Vec::new()));
    let checks = Checks::new(Arc::clone(tree), 1, Duration::from_secs(60), Vec::new());
    let cast = [
        (Role::new(pair::ARCHITECT), architect),
        (Role::new(pair::BUILDER), Arc::new(builder) as Arc<dyn Agent>),
        (Role::new(pair::CHECKS), Arc::new(checks)),
    ];
    let limits = Limits {
        rounds: 3,
        calls: Some(40),
        tokens: None,
        cost: None,
        time: None,
        attempts: 2,
        ask_again: 1,
    };
    let shape = pair::shape(&Bounds { limits, checks: true });
    let settings = serde_json::to_value(settings).unwrap();
    let opened = redraft_loop::Opened { settings, ..opened(shape) };
    let rest = drive_opened(house, &cast.into(), opened, &Pair).await.unwrap();
    (rest, Run::replay(house.facts()).unwrap())
}

fn reason(rest: &Rest) -> &str {
    match rest {
        Rest::Decided(exit) => &exit.reason,
        rest => panic!("{rest:?}"),
    }
}

#[tokio::test]
async fn a_model_that_is_wrong_once_makes_the_checks_green_and_the_users_git_takes_its_diff() {
    let ground = Ground::new();
    let users = ground.print();
    let tree = Arc::new(ground.tree().await);
    let sides = Sides(vec![TWO.replace("+2", "+II"), format!("```diff\n{TWO}```\n")]);
    let builder = InWorktree::new(Arc::new(sides), Work::Answers, Arc::clone(&tree), rules());
    let settings = settings(&ground, "grep -qx 2 src/lines.txt").await;
    let (rest, run) = drive(&House::new(), settings, &tree, builder).await;
    assert_eq!(reason(&rest), pair::VERIFIED);
    let turns = turns(&run);
    assert_eq!(turns.iter().map(|turn| turn.failing).collect::<Vec<_>>(), [Some(1), Some(0)]);
    tree.remove().await.unwrap();
    assert_same(&ground.print(), &users, "the user's");
    fs::write(ground.home.path().join("best.diff"), &turns[1].diff).unwrap();
    ground.git(&["apply", "../best.diff"]);
    assert!(fs::read_to_string(ground.root().join("src/lines.txt")).unwrap().contains("\n2\n"));
}

#[tokio::test]
async fn a_program_that_edits_goes_on_from_the_last_turn_whenever_the_run_was_cut_off() {
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let builder = || {
        let program = Program::plain("sh", &["-c", "echo x >> count.txt"]);
        let inner = Arc::new(CommandAgent::new(program.editing_at(tree.place())));
        InWorktree::new(inner, Work::Edits, Arc::clone(&tree), rules())
    };
    let settings = settings(&ground, "test $(wc -l < count.txt) = 2").await;
    let whole = House::new();
    let (rest, run) = drive(&whole, settings.clone(), &tree, builder()).await;
    assert_eq!((reason(&rest), run.round()), (pair::VERIFIED, 2));
    let best = pair::best(&run).unwrap().diff;
    let facts = whole.facts();
    for kept in 2..facts.len() {
        let cut = House::new();
        *cut.journal.lock().unwrap() = facts[..kept].to_vec();
        write(tree.place(), "count.txt", "what a killed call left\n");
        let (rest, run) = drive(&cut, settings.clone(), &tree, builder()).await;
        assert_eq!(reason(&rest), pair::VERIFIED, "after {kept} of {} facts", facts.len());
        assert_eq!(pair::best(&run).unwrap().diff, best, "after {kept} facts");
    }
    assert!(matches!(facts.last(), Some(Fact::Decided(_))));
}

#[tokio::test]
async fn a_hostile_builder_is_asked_once_more_and_then_the_run_fails_by_the_path() {
    let ground = Ground::new();
    let users = ground.print();
    let tree = Arc::new(ground.tree().await);
    let hostile = "--- /dev/null\n+++ b/../outside\n@@ -0,0 +1 @@\n+x\n".to_owned();
    let builder = Arc::new(Sides(vec![hostile]));
    let builder = InWorktree::new(builder, Work::Answers, Arc::clone(&tree), rules());
    let settings = settings(&ground, "true").await;
    let (rest, run) = drive(&House::new(), settings, &tree, builder).await;
    let Rest::Stopped(stop) = rest else { panic!("{rest:?}") };
    assert!(format!("{stop:?}").contains("b/../outside"), "{stop:?}");
    assert_eq!(run.calls(), 3, "propose, implement and its repair");
    tree.remove().await.unwrap();
    assert_same(&ground.print(), &users, "the user's");
}
