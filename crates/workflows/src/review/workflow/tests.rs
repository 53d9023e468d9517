//! What calls of a run are asked, from its turns and its cast.

use super::*;
use crate::review::{
    brief::{EpisodeCard, Templates},
    episode_yaml,
    shape::{self, Bounds, CREATOR},
};
use redraft_loop::{
    Action, Amount, CastMember, Epoch, Fact, Hash, Input, Limits, Opened, Replied, Reply, RunId,
    Time, Turn,
};

fn opened(past: Vec<Turn>) -> Opened {
    let member = |role: &str, lens: Option<&str>| CastMember {
        role: role.into(),
        agent: "a model".into(),
        model: None,
        provider: None,
        family: None,
        lens: lens.map(str::to_owned),
    };
    let limits = Limits {
        rounds: 3,
        calls: None,
        tokens: None,
        cost: None,
        time: None,
        attempts: 3,
        ask_again: 1,
    };
    let bounds = Bounds { limits, repairs: 1, stop_on_stagnation: false };
    Opened {
        run: RunId::new("r"),
        at: Time(0),
        epoch: Epoch(1),
        subject: "slug".into(),
        shape: shape::shape(2, &bounds),
        cast: vec![
            member(CREATOR, None),
            member("reviewer", Some("facts")),
            member("reviewer_2", Some("names")),
        ],
        sources: Vec::new(),
        seed: None,
        first_round: past.last().map_or(0, |turn| turn.round) + 1,
        past,
        settings: serde_json::Value::Null,
    }
}

fn written(text: &str) -> Reading {
    let value = serde_json::json!({"asset_id": "slug", "candidate_id": kept::named_uuid(text),
        "content": text, "created_at": "2000-01-01T00:00:00Z", "format": "plain", "provenance": []});
    kept::reading_of_candidate(&serde_json::from_value(value).unwrap(), false)
}

fn turn(step: &str, reading: Reading) -> Turn {
    Turn { round: 1, step: step.into(), at: Time(0), readings: vec![reading] }
}

fn workflow() -> Review {
    let yaml = episode_yaml::parse("schema_version: 1\nepisode_id: e1\n").unwrap();
    let names = Names::new(&yaml, &[]);
    let brief = Brief {
        templates: Templates::built_in().unwrap(),
        episode: EpisodeCard::new(&yaml, &names, &[]).part(),
        transcript: None,
    };
    Review {
        asset: AssetId::parse("slug").unwrap(),
        locked: None,
        taken: Vec::new(),
        ours: [].into(),
        names: Arc::new(names),
        brief: Some(Arc::new(brief)),
    }
}

/// The prompts of the calls that a run with this past wants next.
fn asked(workflow: &Review, past: Vec<Turn>) -> Vec<crate::Prompt> {
    let run = Run::open(opened(past)).unwrap();
    let Action::Ask(asks) = run.next() else { panic!("the run asks") };
    asks.iter().map(|ask| workflow.write(&run, ask)).collect()
}

fn past() -> Vec<Turn> {
    let review = Reading {
        verdict: Some(Verdict::ChangesRequested),
        issues: vec![Issue {
            id: kept::named_uuid("i").to_string(),
            severity: Severity::Error,
            message: "too dull".into(),
            code: None,
            field: None,
        }],
        ..kept::standing_in(Time(0))
    };
    vec![turn(CREATE, written("first-slug")), turn(REVIEW, review)]
}

#[test]
fn the_creator_goes_on_from_the_last_candidate_and_its_review() {
    let prompts = asked(&workflow(), past());
    let [prompt] = &prompts[..] else { panic!("one call: {prompts:?}") };
    assert!(prompt.instructions.contains("iteration 2 of at most 3"));
    assert_eq!(prompt.part("previous candidate"), Some("first-slug"));
    assert!(prompt.part("previous review").unwrap().contains("too dull"));
    assert!(
        !prompt.instructions.contains("first-slug") && !prompt.instructions.contains("too dull")
    );
    assert_eq!(prompt.reply, Some(forms::creator().asked()));
    assert!(prompt.request.contains("\"previous_candidate\""), "programs of ours read the request");
}

#[test]
fn each_reviewer_of_a_panel_has_the_lens_of_its_cast() {
    let (workflow, mut run) = (workflow(), Run::open(opened(Vec::new())).unwrap());
    let Action::Ask(mut asks) = run.next() else { panic!("the creator is asked") };
    let ask = asks.remove(0);
    let (prompt, reserve) = (Hash::new("0".repeat(64)), Amount::FREE);
    let claim = Input::Claim { ask, prompt, reserve, at: Time(1) };
    let Fact::Asked(asked) = run.decide(claim).unwrap() else { panic!("a claim") };
    run.apply(&Fact::Asked(asked.clone()));
    let reply = Reply::Read(written("first-slug"));
    let replied =
        Replied { call: asked.call, at: Time(2), reply, usage: None, cost: None, served: None };
    run.apply(&run.decide(Input::Reply(replied)).unwrap());
    let Action::Ask(asks) = run.next() else { panic!("the reviewers are asked") };
    let prompts: Vec<crate::Prompt> = asks.iter().map(|ask| workflow.write(&run, ask)).collect();
    for (prompt, lens) in prompts.iter().zip(["**Facts.**", "**Names.**"]) {
        assert_eq!(prompt.part("candidate"), Some("first-slug"));
        let lenses = prompt.instructions.split_once("# Your lens").unwrap().1;
        let begins = lenses.lines().any(|line| line.starts_with(lens));
        assert!(begins, "{lens}: {}", prompt.instructions);
    }
    assert_eq!(prompts.len(), 2);
}

#[test]
fn a_repair_is_shown_the_reply_and_what_was_wrong_and_told_what_to_do() {
    let (workflow, run) = (workflow(), Run::open(opened(past())).unwrap());
    let Action::Ask(asks) = run.next() else { panic!("the creator is asked") };
    let plain = workflow.write(&run, &asks[0]);
    let wrong = Ask { repair: Some(("no JSON".into(), "Sure!".into())), ..asks[0].clone() };
    let repair = workflow.write(&run, &wrong);
    assert_eq!(repair.part("your reply"), Some("Sure!"));
    assert_eq!(repair.part("what is wrong"), Some("no JSON"));
    assert!(repair.instructions.contains("change nothing but the form"));
    assert!(!plain.instructions.contains("change nothing but the form"));
    assert_eq!(repair.part("previous candidate"), plain.part("previous candidate"));
}

#[test]
fn without_a_brief_there_is_the_request_alone() {
    let prompts = asked(&Review { brief: None, ..workflow() }, past());
    assert!(prompts[0].instructions.is_empty() && prompts[0].parts.is_empty());
    assert!(!prompts[0].request.is_empty());
}
