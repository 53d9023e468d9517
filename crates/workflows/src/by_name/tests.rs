use super::*;
use crate::solve::Bounds;
use redraft_loop::{CastMember, Epoch, Hash, Limits, RunId, Shape, Time};

const LIMITS: Limits = Limits {
    rounds: 1,
    calls: None,
    tokens: None,
    cost: None,
    time: None,
    attempts: 1,
    ask_again: 0,
};

fn member(role: &str, lens: Option<&str>) -> CastMember {
    CastMember {
        role: role.into(),
        agent: "a model".into(),
        model: None,
        provider: None,
        family: None,
        lens: lens.map(str::to_owned),
    }
}

fn opened(shape: Shape, sources: &[&str]) -> Opened {
    let source = |name: &&str| Source {
        name: (*name).to_owned(),
        version: "1".to_owned(),
        sha256: Hash::new("0"),
    };
    Opened {
        run: RunId::new("r"),
        at: Time(0),
        epoch: Epoch(1),
        subject: "slug".to_owned(),
        shape,
        cast: vec![member("creator", None), member("reviewer", Some("facts"))],
        sources: sources.iter().map(source).collect(),
        seed: None,
        past: Vec::new(),
        first_round: 1,
        settings: serde_json::Value::Null,
    }
}

#[track_caller]
fn check(opened: &Opened, step: &str, role: &str, read: &[&str]) {
    let (step, role) = (step.into(), role.into());
    let found: Vec<&str> =
        templates_of(opened, &step, &role).map(|source| source.name.as_str()).collect();
    assert_eq!(found, read, "{step:?} {role:?}");
}

#[test]
fn a_change_is_made_from_the_template_of_builders_that_answer_or_of_those_that_edit() {
    let sources = ["prompt/pair/propose", "prompt/pair/edit", "prompt/pair/verify"];
    let opened = opened(pair::shape(&pair::Bounds { limits: LIMITS, checks: false }), &sources);
    check(&opened, "implement", "builder", &["prompt/pair/edit"]);
    check(&opened, "verify", "architect", &["prompt/pair/verify"]);
}

#[test]
fn each_call_of_a_solve_is_made_from_the_template_of_its_step() {
    let sources = [
        "prompt/solve/planner",
        "prompt/solve/generator",
        "prompt/solve/critic",
        "prompt/solve/reviser",
        "names",
    ];
    let shape = solve::shape(&Bounds { critics: 1, limits: LIMITS, repairs: 0 });
    let opened = opened(shape, &sources);
    for (step, read) in [
        ("plan", "planner"),
        ("generate", "generator"),
        ("critique", "critic"),
        ("revise", "reviser"),
        ("recritique", "critic"),
    ] {
        check(&opened, step, "any", &[&format!("prompt/solve/{read}")]);
    }
    check(&opened, "assemble", "any", &[]);
}

#[test]
fn each_side_of_a_review_reads_its_own_template_its_rubric_and_its_lens() {
    let sources = [
        "prompt/creator",
        "prompt/kinds/slug",
        "prompt/reviewer",
        "prompt/lenses/facts",
        "prompt/lenses/names",
        "rubric/slug",
    ];
    let bounds = review::shape::Bounds { limits: LIMITS, repairs: 0, stop_on_stagnation: false };
    let opened = opened(review::shape::shape(1, &bounds), &sources);
    check(&opened, "create", "creator", &["prompt/creator", "prompt/kinds/slug"]);
    let reviewer = ["prompt/kinds/slug", "prompt/reviewer", "prompt/lenses/facts"];
    check(&opened, "review", "reviewer", &reviewer);
}

#[test]
fn each_workflow_has_its_own_word_for_a_round() {
    assert_eq!(round_of(pair::NAME, 2).as_deref(), Some("turn 2"));
    assert_eq!(round_of(gated::NAME, 2).as_deref(), Some("round 2"));
    assert_eq!(round_of(review::shape::NAME, 2).as_deref(), Some("iteration 2"));
    assert_eq!(round_of("a workflow of later", 1).as_deref(), Some("iteration 1"));
    for workflow in [pair::NAME, gated::NAME, review::shape::NAME, solve::NAME, summary::NAME] {
        assert_eq!(round_of(workflow, 0), None, "{workflow}");
    }
    assert_eq!((round_of(solve::NAME, 1), round_of(summary::NAME, 1)), (None, None));
}

#[test]
fn only_the_checks_of_a_pair_are_of_the_house() {
    assert!(is_of_the_house(pair::NAME, &pair::CHECKS.into()));
    assert!(!is_of_the_house(pair::NAME, &pair::BUILDER.into()));
    assert!(!is_of_the_house(review::shape::NAME, &pair::CHECKS.into()));
}
