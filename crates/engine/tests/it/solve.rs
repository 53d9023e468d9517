//! Solves whose calls fail in every position, in every way: what the contract promises holds in each.

use crate::house::{House, drive_opened, opened};
use futures::FutureExt;
use proptest::prelude::*;
use redraft_engine::*;
use redraft_loop::*;
use redraft_workflows::solve::{
    self, Bounds, Request, Response, Settings, Solve, candidates, critiques, normalize, response,
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

const STEPS: [&str; 5] = ["plan", "generate", "critique", "revise", "recritique"];
const DRAFT: &str = "The first answer, with 42 in it.";
const REVISED: &str = "The second answer, with 43 in it.";

/// How a call goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goes {
    Well,
    TimesOut,
    TooManyRequests,
    ServerError,
    Refused,
    Empty,
    Garbage,
    Truncated,
    WrongType,
}

const FAILURES: [Goes; 8] = [
    Goes::TimesOut,
    Goes::TooManyRequests,
    Goes::ServerError,
    Goes::Refused,
    Goes::Empty,
    Goes::Garbage,
    Goes::Truncated,
    Goes::WrongType,
];

/// Answers each step as it is told; counts what it is asked.
struct Cast {
    goes: BTreeMap<&'static str, Goes>,
    /// Whether the first critique finds a major.
    finds: bool,
    asked: Mutex<Vec<String>>,
}

impl Cast {
    fn reply(&self, step: &str) -> &'static str {
        match step {
            "plan" => r#"{"steps": ["look it up", "say it"]}"#,
            "generate" => {
                r#"{"answer_draft": "The first answer, with 42 in it.", "assumptions": ["a1"], "uncertainty_flags": []}"#
            }
            "revise" => {
                r#"{"answer_draft": "The second answer, with 43 in it.", "assumptions": ["a2"], "uncertainty_flags": []}"#
            }
            "critique" if self.finds => {
                r#"{"issues": [{"role": "risk", "severity": "major", "description": "it may be 43"}], "constraint_violations": [], "missing_roles": [], "suggested_fixes": []}"#
            }
            _ => {
                r#"{"issues": [], "constraint_violations": [], "missing_roles": [], "suggested_fixes": []}"#
            }
        }
    }
}

impl Agent for Cast {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        let step = call.step.as_str();
        self.asked.lock().unwrap().push(step.to_owned());
        let goes = self.goes.get(step).copied().unwrap_or(Goes::Well);
        let failed = |failure, message: &str| Err(AttemptError::new(failure, message).into());
        let answer = match goes {
            Goes::Well => Ok(Answer::text(self.reply(step))),
            Goes::TimesOut => return std::future::pending().boxed(),
            Goes::TooManyRequests => failed(Failure::Transient, "HTTP 429"),
            Goes::ServerError => failed(Failure::Transient, "HTTP 500"),
            Goes::Refused => failed(Failure::Permanent, "it refuses"),
            Goes::Empty => failed(Failure::Transient, "an empty reply"),
            Goes::Garbage => Ok(Answer::text("I had rather not say it in JSON.")),
            Goes::Truncated => Ok(Answer::text(&self.reply(step)[..self.reply(step).len() - 9])),
            Goes::WrongType => Ok(Answer::text(r#"{"steps": 1, "answer_draft": 2, "issues": 3}"#)),
        };
        std::future::ready(answer).boxed()
    }
}

/// What came of a solve.
struct Came {
    run: Run,
    response: Response,
    asked: Vec<String>,
}

fn solved(goes: BTreeMap<&'static str, Goes>, finds: bool, calls: u32) -> Came {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(true).build().unwrap();
    let cast = Arc::new(Cast { goes, finds, asked: Mutex::default() });
    let roles = ["planner", "generator", "critic"].map(Role::new);
    let players = roles.map(|role| (role, Arc::clone(&cast) as Arc<dyn Agent>)).into();
    let limits = Limits {
        rounds: 1,
        calls: Some(calls),
        tokens: None,
        cost: None,
        time: Some(300_000_000),
        attempts: 3,
        ask_again: 1,
    };
    let shape = solve::shape(&Bounds { critics: 1, limits, repairs: 1 });
    let request = Request {
        prompt: "What is six times seven?".into(),
        constraints: vec!["Name a number".into()],
        output_format: None,
        context: None,
    };
    let problem = normalize(&request).unwrap();
    let settings = Settings { request, problem, footer: true, prompts: Default::default() };
    let settings = serde_json::to_value(settings).unwrap();
    let house = House::new();
    let opened = Opened { settings, ..opened(shape) };
    let rest = runtime.block_on(drive_opened(&house, &players, opened, &Solve)).unwrap();
    assert!(matches!(rest, Rest::Decided(_)), "it always ends with a response: {rest:?}");
    let run = Run::replay(house.facts()).unwrap();
    let asked = cast.asked.lock().unwrap().clone();
    Came { response: response(&run), run, asked }
}

/// What holds of every solve, however it went.
fn promised(came: &Came, place: &str) {
    let Came { run, response, asked } = came;
    let drafts = candidates(run);
    if let Some(draft) = drafts.last() {
        assert!(response.final_answer.contains(&draft.answer_draft), "{place}: {response:?}");
        assert!(!critiques(run).is_empty(), "{place}: every answer is criticised");
    } else {
        let reason = &run.decision().unwrap().reason;
        assert_eq!(reason, solve::NOTHING_GENERATED, "{place}");
    }
    assert_eq!(response.run_id, run.opened().run.as_str(), "{place}");
    let cap = run.limits().calls.unwrap();
    assert_eq!(run.calls() as usize, asked.len(), "{place}: every call is charged, and no other");
    assert!(run.calls() <= cap, "{place}: {} of {cap} calls", run.calls());
    let revised = asked.iter().filter(|step| *step == "revise").count();
    assert!(drafts.len() <= 2 && (revised == 0 || asked.contains(&"critique".into())), "{place}");
}

#[test]
fn every_failure_in_every_position_gives_a_response_that_names_it() {
    for step in STEPS {
        for goes in FAILURES {
            let place = format!("{step} {goes:?}");
            let came = solved([(step, goes)].into(), true, 12);
            promised(&came, &place);
            let names = |issue: &String| issue.starts_with(&format!("{step}: "));
            assert!(came.response.known_issues.iter().any(names), "{place}: {:#?}", came.response);
        }
    }
}

#[test]
fn without_a_failure_the_answer_is_revised_once_and_criticised_twice() {
    let came = solved(BTreeMap::new(), true, 6);
    assert_eq!(came.asked, STEPS);
    assert_eq!(came.run.decision().unwrap().reason, solve::ACCEPTED_REVISED);
    assert!(came.response.final_answer.starts_with(REVISED));
    assert_eq!(came.response.assumptions, ["a2"]);
    assert!(came.response.known_issues.is_empty(), "{:?}", came.response);
    let accepted = solved(BTreeMap::new(), false, 6);
    assert_eq!(accepted.asked, STEPS[..3]);
    assert!(accepted.response.final_answer.starts_with(DRAFT));
}

#[test]
fn without_calls_for_a_second_critique_the_answer_is_told_not_to_have_had_one() {
    let came = solved(BTreeMap::new(), true, 4);
    assert_eq!(came.asked, STEPS[..4]);
    let known = came.response.known_issues.join("\n");
    assert!(came.response.final_answer.starts_with(REVISED));
    assert!(known.contains("not criticised again"), "{known}");
    assert!(known.contains("it may be 43"), "what was open stays told: {known}");
    assert_eq!(solve::end(&came.run), solve::End::CutShort);
}

#[test]
fn a_critic_that_never_answers_leaves_an_answer_in_degraded_mode() {
    let came = solved([("critique", Goes::TimesOut)].into(), true, 6);
    let known = came.response.known_issues.join("\n");
    assert!(known.contains("degraded"), "{known}");
    assert_eq!(solve::end(&came.run), solve::End::Answered);
}

#[test]
fn the_critics_call_is_kept_back_while_the_others_fail() {
    let came = solved([("plan", Goes::ServerError), ("generate", Goes::Garbage)].into(), true, 3);
    promised(&came, "a cap of three");
    assert_eq!(came.asked.last().unwrap(), "critique", "{:?}", came.asked);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_fails_the_promises_hold(
        goes in prop::collection::vec(prop::option::of(0..FAILURES.len()), 5),
        finds in any::<bool>(),
        calls in 3_u32..14,
    ) {
        let goes = STEPS.into_iter().zip(goes).filter_map(|(step, n)| Some((step, FAILURES[n?])));
        let goes: BTreeMap<_, _> = goes.collect();
        let place = format!("{goes:?} finds {finds} calls {calls}");
        promised(&solved(goes, finds, calls), &place);
    }
}
