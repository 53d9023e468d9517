//! The shapes of the four workflows of the design, as data.

use redraft_loop::{
    Condition::{self, Accepted, After, All, CallsLeft, Cycle, Done, LastRound, Unchanged},
    Failing, Gate, Limits, Outcome, Player, Role, Rule, Shape, Step, Timing,
};

pub(crate) fn step(id: &str) -> Step {
    Step {
        id: id.into(),
        player: Player::Agent(Role::new(id)),
        gate: Gate::Open,
        reserve: 0,
        repairs: 1,
        failing: Failing::Stop,
        unreadable: Failing::Stop,
        capped: Failing::Stop,
    }
}

pub(crate) fn panel(id: &str, roles: &[&str]) -> Step {
    Step { player: Player::Panel(roles.iter().map(|role| Role::new(*role)).collect()), ..step(id) }
}

pub(crate) fn workflow(id: &str) -> Step {
    Step { player: Player::Workflow, ..step(id) }
}

fn gated(step: Step) -> Step {
    Step { gate: Gate::Person, ..step }
}

fn last(step: &str) -> Condition {
    LastRound { ends_with: step.into() }
}

fn limits(rounds: u32) -> Limits {
    Limits { rounds, calls: None, tokens: None, cost: None, time: None, attempts: 2, ask_again: 1 }
}

fn shape(name: &str, repeating: Vec<Step>, rules: Vec<Rule>, limits: Limits) -> Shape {
    Shape {
        workflow: name.into(),
        version: 1,
        opening: vec![],
        repeating,
        closing: vec![],
        rules,
        limits,
        timing: Timing::Driven,
    }
}

/// A creator and a reviewer; agreement or the last round ends it.
pub(crate) fn review(rounds: u32) -> Shape {
    let rules = vec![
        Rule::new(
            All(vec![Accepted("review".into()), Done("create".into())]),
            Outcome::Converged,
            "reviewer_ok_and_creator_done",
        ),
        Rule::new(last("review"), Outcome::NeedsHuman, "iteration_limit"),
        Rule::new(
            All(vec![After("review".into()), Cycle(vec!["create".into()])]),
            Outcome::NeedsHuman,
            "no_improvement",
        ),
    ];
    shape("review", vec![step("create"), step("review")], rules, limits(rounds))
}

/// The same with a panel of reviewers.
pub(crate) fn panel_review(rounds: u32, reviewers: &[&str]) -> Shape {
    Shape { repeating: vec![step("create"), panel("review", reviewers)], ..review(rounds) }
}

/// Plan, draft and criticise under a cap; one revision; assembled by the workflow.
pub(crate) fn solve(calls: u32) -> Shape {
    let fallback =
        |step: Step| Step { failing: Failing::Workflow, unreadable: Failing::Workflow, ..step };
    let rules = vec![
        Rule::new(Accepted("critique".into()), Outcome::Converged, "no_open_blocker"),
        Rule::new(last("critique"), Outcome::Ended, "revised_once"),
        Rule::new(
            All(vec![After("generate".into()), CallsLeft { below: 1 }]),
            Outcome::Ended,
            "not_criticised_again",
        ),
    ];
    Shape {
        opening: vec![workflow("normalize"), Step { reserve: 2, ..fallback(step("plan")) }],
        closing: vec![workflow("assemble")],
        ..shape(
            "solve",
            vec![Step { reserve: 1, ..fallback(step("generate")) }, fallback(step("critique"))],
            rules,
            Limits { calls: Some(calls), ..limits(2) },
        )
    }
}

/// An architect and a builder, with checks between them.
pub(crate) fn pair(turns: u32) -> Shape {
    let rules = vec![
        Rule::new(
            All(vec![After("implement".into()), Unchanged("implement".into())]),
            Outcome::Ended,
            "NO_IMPROVEMENT",
        ),
        Rule::new(
            All(vec![After("check".into()), Cycle(vec!["implement".into(), "check".into()])]),
            Outcome::Ended,
            "NO_IMPROVEMENT",
        ),
        Rule::new(
            All(vec![Accepted("verify".into()), Accepted("check".into())]),
            Outcome::Converged,
            "CONVERGED",
        ),
        Rule::new(last("verify"), Outcome::Ended, "MAX_TURNS"),
    ];
    Shape {
        opening: vec![step("propose")],
        ..shape(
            "pair",
            vec![step("implement"), step("check"), step("critique"), step("verify")],
            rules,
            limits(turns),
        )
    }
}

/// Gates of a run that a person may give up.
pub(crate) fn cancellable(iterations: u32) -> Shape {
    let mut shape = gates(iterations);
    let rule = Rule::new(redraft_loop::Condition::Cancelled, Outcome::Ended, "cancelled");
    shape.rules.insert(0, rule);
    shape
}

/// Every step waits for a person; a failed review leads to a revision.
pub(crate) fn gates(iterations: u32) -> Shape {
    let rules = vec![
        Rule::new(Accepted("review".into()), Outcome::Converged, "approved"),
        Rule::new(last("review"), Outcome::NeedsHuman, "iteration_limit"),
    ];
    Shape {
        opening: vec![gated(step("plan")), gated(step("generate"))],
        ..shape(
            "gated",
            vec![gated(step("review")), gated(step("revise"))],
            rules,
            limits(iterations),
        )
    }
}
