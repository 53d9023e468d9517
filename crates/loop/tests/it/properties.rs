//! What holds for every run, whatever happens in it.

use crate::play::{Stage, reading};
use crate::shapes::{cancellable, gates, pair, panel_review, review, solve};
use proptest::prelude::*;
use redraft_loop::*;

/// Anything that may happen to a run; what does not fit is refused or skipped.
#[derive(Debug, Clone)]
enum Happening {
    Reply(u8, &'static str),
    Mumble(u8),
    Fail(u8, Failure),
    Release(u8),
    Dies,
    Interrupt,
    Cap,
    Person(&'static str),
    Rounds(u32),
}

fn happening() -> impl Strategy<Value = Happening> {
    let said = prop_oneof![
        Just("ok"),
        Just("change x"),
        Just("change y"),
        Just("human"),
        Just("a"),
        Just("b done"),
    ];
    prop_oneof![
        12 => (0u8..4, said).prop_map(|(n, what)| Happening::Reply(n, what)),
        2 => (0u8..4).prop_map(Happening::Mumble),
        2 => (0u8..4, prop_oneof![Just(Failure::Transient), Just(Failure::Timeout),
            Just(Failure::Permanent)]).prop_map(|(n, failure)| Happening::Fail(n, failure)),
        1 => (0u8..4).prop_map(Happening::Release),
        2 => Just(Happening::Dies),
        1 => Just(Happening::Interrupt),
        1 => Just(Happening::Cap),
        4 => prop_oneof![Just("approve"), Just("reject"), Just("void"), Just("pass")]
            .prop_map(Happening::Person),
        1 => Just(Happening::Person("cancel")),
        1 => (1u32..5).prop_map(Happening::Rounds),
    ]
}

fn shape() -> impl Strategy<Value = Shape> {
    (0u8..6, 1u32..4, proptest::option::of(0u32..9)).prop_map(|(which, rounds, calls)| {
        let mut shape = match which {
            0 => review(rounds),
            1 => panel_review(rounds, &["anna", "ben", "cleo"]),
            2 => solve(6),
            3 => pair(rounds),
            4 => cancellable(rounds),
            _ => gates(rounds),
        };
        shape.limits.calls = calls;
        shape
    })
}

/// Lets it happen; refusals are fine, and checked to change nothing.
fn happen(stage: &mut Stage, happening: &Happening) {
    let Some(input) = input(stage, happening) else { return };
    let before = stage.run.clone();
    if stage.give(input).is_err() {
        assert_eq!(stage.run, before);
    }
}

fn input(stage: &mut Stage, happening: &Happening) -> Option<Input> {
    let at = stage.now();
    let waiting = match stage.run.next() {
        Action::Await(calls) => calls,
        _ => vec![],
    };
    let pick = |n: u8| waiting.get(n as usize % waiting.len().max(1)).copied();
    // What is told of a call's use changes with its number: told in part, in full, or not at all.
    let told = u64::try_from(at.0).unwrap_or_default();
    let usage =
        (told % 3 > 0).then_some(Usage { input_tokens: told % 7, output_tokens: told % 50 });
    let (cost, served) = ((told % 3 > 1).then_some(told % 90), None);
    Some(match happening.clone() {
        Happening::Reply(n, what) => match (pick(n), stage.run.next()) {
            (Some(call), _) => Input::Reply(Replied {
                call,
                at,
                reply: Reply::Read(reading(what)),
                usage,
                cost,
                served,
            }),
            (None, Action::Play(play)) => {
                let seat = play.instead.map(|(seat, _)| seat);
                Input::Play(Played { seat, reading: reading(what), at })
            }
            _ => return None,
        },
        Happening::Mumble(n) => {
            let reply = Reply::Unreadable { why: "why".into(), text: "text".into() };
            Input::Reply(Replied { call: pick(n)?, at, reply, usage, cost, served })
        }
        Happening::Fail(n, failure) => Input::Fail(Failed {
            call: pick(n)?,
            at,
            failure,
            message: "m".into(),
            not_before: None,
            usage,
            cost,
            served,
            unsent: false,
        }),
        Happening::Release(n) => Input::Release(Released { call: pick(n)?, waits_for: None, at }),
        Happening::Dies => Input::Drive(Driven { epoch: Epoch(stage.run.epoch().0 + 1), at }),
        Happening::Interrupt => Input::Interrupt(Interrupted { at }),
        Happening::Cap => Input::Cap(CapReached { cap: "home".into(), at }),
        Happening::Person(verb) => person(verb, at),
        Happening::Rounds(rounds) => {
            let limits = Limits { rounds, ..stage.run.limits().clone() };
            Input::Bound(Bounded { limits, at })
        }
    })
}

fn person(verb: &str, at: Time) -> Input {
    let by = "ada".to_owned();
    match verb {
        "approve" => {
            Input::Approve(Approved { by, at, seal: Hash::new("1".repeat(64)), edited: None })
        }
        "reject" => Input::Reject(Rejected { by, at, feedback: "again".into(), edited: None }),
        "void" => Input::Void(Voided { why: "edited".into(), at }),
        "cancel" => Input::Cancel(Cancelled { by, at }),
        _ => Input::Pass(Passed { at }),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// `Stage::give` replays the journal after every fact and compares.
    #[test]
    fn replay_equals_live(shape in shape(), story in prop::collection::vec(happening(), 0..60)) {
        let mut stage = Stage::open(&shape);
        for event in &story {
            stage.prepare();
            happen(&mut stage, event);
        }
        prop_assert_eq!(stage.replayed(), stage.run);
    }

    #[test]
    fn a_decided_run_takes_no_input(
        shape in shape(), story in prop::collection::vec(happening(), 0..80),
        later in prop::collection::vec(happening(), 1..10),
    ) {
        let mut stage = Stage::open(&shape);
        for event in &story {
            stage.prepare();
            happen(&mut stage, event);
        }
        prop_assume!(stage.run.decision().is_some());
        let (decided, facts) = (stage.run.clone(), stage.journal.len());
        for event in &later {
            happen(&mut stage, event);
        }
        prop_assert_eq!(stage.run.decision(), decided.decision());
        prop_assert_eq!(stage.journal.len(), facts);
    }

    #[test]
    fn calls_never_exceed_the_cap(
        shape in shape(), story in prop::collection::vec(happening(), 0..80),
    ) {
        let mut stage = Stage::open(&shape);
        for event in &story {
            stage.prepare();
            happen(&mut stage, event);
            if let Some(cap) = shape.limits.calls {
                prop_assert!(stage.run.calls() <= cap);
            }
        }
    }

    /// Agents that use no more than they said keep the run under its caps, whatever else happens.
    #[test]
    fn tokens_and_money_never_exceed_their_caps(
        shape in shape(), story in prop::collection::vec(happening(), 0..80),
        tokens in proptest::option::of(0u64..500), cost in proptest::option::of(0u64..900),
    ) {
        let mut shape = shape;
        (shape.limits.tokens, shape.limits.cost) = (tokens, cost);
        let mut stage = Stage::open(&shape);
        stage.reserve = Amount { tokens: 60, cost: Some(100) };
        for event in &story {
            stage.prepare();
            happen(&mut stage, event);
            let spent = stage.run.spent();
            prop_assert!(tokens.is_none_or(|cap| spent.tokens <= cap), "{spent:?}");
            prop_assert!(cost.is_none_or(|cap| spent.cost <= cap), "{spent:?}");
        }
    }

    #[test]
    fn rounds_never_exceed_the_limit_in_force(
        shape in shape(), story in prop::collection::vec(happening(), 0..80),
    ) {
        let mut stage = Stage::open(&shape);
        for event in &story {
            stage.prepare();
            happen(&mut stage, event);
            prop_assert!(stage.run.rounds_begun() <= stage.run.limits().rounds);
        }
    }

    #[test]
    fn any_order_of_a_panels_replies_gives_the_same_turn(
        order in Just(vec!["anna", "ben", "cleo"]).prop_shuffle(),
        said in prop::collection::vec(prop_oneof![Just("ok"), Just("human"), Just("change x")], 3),
    ) {
        let shape = panel_review(1, &["anna", "ben", "cleo"]);
        let turn = |order: &[&str]| {
            let mut stage = Stage::open(&shape);
            stage.prepare();
            stage.reply("create", Reply::Read(reading("v1 done"))).unwrap();
            stage.prepare();
            for who in order {
                let n = ["anna", "ben", "cleo"].iter().position(|name| name == who).unwrap();
                stage.reply(who, Reply::Read(reading(said[n]))).unwrap();
            }
            stage.prepare();
            let turn = stage.run.last_turn().unwrap().clone();
            (turn.readings.clone(), turn.verdict(), stage.run.decision().cloned())
        };
        prop_assert_eq!(turn(&order), turn(&["anna", "ben", "cleo"]));
    }

    #[test]
    fn replaying_any_prefix_and_going_on_gives_the_same_run(
        shape in shape(), story in prop::collection::vec(happening(), 0..40), cut in 0usize..200,
    ) {
        let mut stage = Stage::open(&shape);
        for event in &story {
            stage.prepare();
            happen(&mut stage, event);
        }
        let facts: Vec<Fact> =
            stage.journal.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let cut = 1 + cut % facts.len();
        let mut run = Run::replay(facts[..cut].iter().cloned()).unwrap();
        facts[cut..].iter().for_each(|fact| run.apply(fact));
        prop_assert_eq!(run, stage.run);
    }
}
