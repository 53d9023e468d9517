//! A whole run of a review, without an engine: one text, one reviewer, and what the run makes of it.

use redraft_loop::*;
use redraft_workflows::{Part, Prompt, Workflow, review};
use serde_json::json;

/// What came of a run.
pub(crate) struct Ended {
    pub(crate) exit: Exit,
    /// The review of the last round, with the words of the refusal where it was unreadable.
    pub(crate) review: Reading,
    pub(crate) refusals: Vec<String>,
    /// The text as the run has it.
    pub(crate) candidate: String,
    /// All prompts that were written, with the repairs.
    pub(crate) prompts: Vec<Prompt>,
}

/// The review of an asset.
pub(crate) fn workflow() -> review::Review {
    let asset = review::model::AssetId::parse("description").unwrap();
    review::Review {
        asset,
        locked: None,
        taken: vec![],
        ours: ["creator", "reviewer"].map(Role::new).into(),
        names: Default::default(),
        brief: None,
    }
}

/// A run of so many iterations, not yet begun.
pub(crate) fn opened(rounds: u32, repairs: u32) -> Run {
    let limits = Limits {
        rounds,
        calls: None,
        tokens: None,
        cost: None,
        time: None,
        attempts: 1,
        ask_again: 1,
    };
    let bounds = review::shape::Bounds { limits, repairs, stop_on_stagnation: false };
    Run::open(Opened {
        run: RunId::new("run"),
        at: Time(0),
        epoch: Epoch(1),
        subject: "description".into(),
        shape: review::shape::shape(1, &bounds),
        cast: vec![],
        sources: vec![],
        seed: None,
        past: vec![],
        first_round: 1,
        settings: serde_json::Value::Null,
    })
    .unwrap()
}

/// A creator's reply that is done with this text.
pub(crate) fn creates(text: &str) -> String {
    json!({"done": true, "candidate": {"content": text}}).to_string()
}

/// Plays a run in which the creator writes this text and the reviewer gives these replies, one a call.
pub(crate) fn play(text: &str, replies: &[&str]) -> Ended {
    let repairs = u32::try_from(replies.len() - 1).unwrap();
    let (workflow, mut run) = (workflow(), opened(1, repairs));
    let (mut refusals, mut prompts, mut next) = (vec![], vec![], replies.iter());
    loop {
        match run.next() {
            Action::Ask(asks) => {
                let ask = asks[0].clone();
                prompts.push(workflow.write(&run, &ask));
                let creates_now = ask.step.as_str() == review::shape::CREATE;
                let said =
                    if creates_now { creates(text) } else { (*next.next().unwrap()).to_owned() };
                let read = workflow.read(&run, &ask, &said);
                let reply = match read {
                    Ok(reading) => Reply::Read(reading),
                    Err(refusal) => {
                        refusals.push(refusal.why.clone());
                        Reply::Unreadable { why: refusal.why, text: said }
                    }
                };
                answer(&mut run, ask, reply);
            }
            Action::Play(play) => {
                let reading = workflow.play(&run, &play);
                let seat = play.instead.map(|(seat, _)| seat);
                give(&mut run, Input::Play(Played { seat, reading, at: Time(1) }));
            }
            Action::Decide(_) => give(&mut run, Input::Decide { at: Time(1) }),
            Action::Done(exit) => {
                let review = run.newest(&review::shape::REVIEW.into()).unwrap().readings[0].clone();
                let candidate =
                    run.newest(&review::shape::CREATE.into()).unwrap().text().to_owned();
                return Ended { exit, review, refusals, candidate, prompts };
            }
            other => panic!("{other:?}"),
        }
    }
}

pub(crate) fn answer(run: &mut Run, ask: Ask, reply: Reply) {
    let (prompt, at) = (Hash::new("0".repeat(64)), Time(1));
    let claim = run.decide(Input::Claim { ask, prompt, reserve: Amount::FREE, at }).unwrap();
    run.apply(&claim);
    let Fact::Asked(asked) = claim else { panic!("{claim:?}") };
    let call = asked.call;
    give(run, Input::Reply(Replied { call, at, reply, usage: None, cost: None, served: None }));
}

pub(crate) fn give(run: &mut Run, input: Input) {
    let fact = run.decide(input).unwrap();
    run.apply(&fact);
}

/// A run whose creator has written this text, got this review, and is asked again.
pub(crate) fn asked_again(text: &str, review: &str) -> (Run, Ask) {
    let (workflow, mut run) = (workflow(), opened(2, 0));
    for said in [creates(text).as_str(), review] {
        let ask = asked(&run);
        let reading = workflow.read(&run, &ask, said).unwrap();
        answer(&mut run, ask, Reply::Read(reading));
    }
    let ask = asked(&run);
    (run, ask)
}

/// The call that a run wants made.
pub(crate) fn asked(run: &Run) -> Ask {
    match run.next() {
        Action::Ask(mut asks) => asks.remove(0),
        other => panic!("{other:?}"),
    }
}

/// The parts of a rendered prompt, read back by its nonce alone.
pub(crate) fn parts_of(rendered: &str, nonce: &str) -> Vec<Part> {
    let (mut parts, mut rest) = (vec![], rendered);
    while !rest.is_empty() {
        let (begin, inside) = rest.split_once(&format!(" {nonce}]\n")).expect("a mark begins it");
        let name = begin.strip_prefix("[begin ").expect("a beginning").to_owned();
        let end = format!("\n[end {name} {nonce}]\n");
        let (text, behind) = inside.split_once(&end).expect("a mark ends it");
        assert!(!text.contains(nonce), "the nonce stands in marks only");
        parts.push(Part { name, text: text.into() });
        rest = behind;
    }
    parts
}
