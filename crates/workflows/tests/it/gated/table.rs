//! The phase table: every way of it is walked by real facts, none beside it, and the drawing shows them all.

use super::{
    play::{Play, fail, files, pass, under_review},
    setting::Setting,
};
use redraft_loop::Failure;
use redraft_workflows::gated::{EDGES, State, graph};
use std::collections::BTreeSet;

type Way = (State, State);

fn generating() -> Play {
    let mut play = Play::begin(Setting::small(3));
    play.drive().says("plan").let_pass();
    play
}

fn reviewing() -> Play {
    under_review(Setting::small(3), "plan", &files("A.java", "class A {}"))
}

fn revising() -> Play {
    let mut play = reviewing();
    let review = fail(&play, "- **R1** (critical) wrong");
    play.says(&review).let_pass();
    play.at(State::Revising);
    play
}

/// Sessions that go every way of the table between them.
fn plays() -> Vec<Play> {
    let mut plays = vec![];
    // All is sent back once, then passes, in two iterations.
    let mut long = Play::begin(Setting::small(3));
    long.drive().says("plan").rejects("longer").says("long plan").let_pass();
    long.says(&files("A.java", "class A {}")).rejects("no").says(&files("A.java", "class A { }"));
    long.let_pass();
    let review = fail(&long, "- **R1** (critical) wrong");
    long.says(&review).rejects("say why");
    let review = fail(&long, "- **R1** (critical) wrong: it is");
    long.says(&review).let_pass();
    long.says(&files("A.java", "class A {  }")).rejects("no").says(&files("B.java", "class B {}"));
    long.let_pass();
    let review = pass(&long);
    long.says(&review).let_pass();
    long.at(State::Complete);
    plays.push(long);
    // No iteration is left.
    let mut last = under_review(Setting::small(1), "plan", &files("A.java", "class A {}"));
    let review = fail(&last, "");
    last.says(&review).let_pass();
    last.at(State::Reviewed);
    plays.push(last);
    // Each player fails for good, and is asked again by the next driver.
    for (mut play, state) in [
        (Play::begin(Setting::small(3)), State::Planning),
        (generating(), State::Generating),
        (reviewing(), State::Reviewing),
        (revising(), State::Revising),
    ] {
        play.drive().fails(Failure::Permanent);
        play.at(State::Error);
        assert_eq!(play.session.last_error.as_deref(), Some("it fell over"));
        play.drive();
        play.at(state);
        plays.push(play);
    }
    plays.extend(given_up());
    plays
}

/// A session given up in each state that is open.
fn given_up() -> Vec<Play> {
    let mut at = vec![Play::begin(Setting::small(3))];
    let says = |mut play: Play, text: &str| {
        let asked = play.clone();
        play.says(text);
        [asked, play]
    };
    let mut planning = Play::begin(Setting::small(3));
    planning.drive();
    at.extend(says(planning, "plan"));
    at.extend(says(generating(), &files("A.java", "class A {}")));
    let play = reviewing();
    let review = fail(&play, "");
    at.extend(says(play, &review));
    at.extend(says(revising(), &files("A.java", "class A { }")));
    let mut failed = revising();
    failed.fails(Failure::Permanent);
    at.push(failed);
    for play in &mut at {
        play.cancels();
        play.at(State::Cancelled);
        assert!(play.session.run.decision().is_some());
    }
    at
}

/// The table with what holds for many states.
fn ways() -> BTreeSet<Way> {
    let mut ways: BTreeSet<Way> = EDGES.iter().map(|edge| (edge.from, edge.to)).collect();
    for state in State::ALL {
        if state.is_asking() {
            ways.extend([(state, State::Error), (State::Error, state)]);
        }
        if state.is_open() {
            ways.insert((state, State::Cancelled));
        }
    }
    ways
}

/// [`Play::give`] refuses any way beside the table.
#[test]
fn every_way_of_the_table_is_walked_by_facts_and_no_other() {
    let walked: BTreeSet<Way> = plays().into_iter().flat_map(|play| play.walked).collect();
    let missing: Vec<Way> = ways().difference(&walked).copied().collect();
    assert_eq!(missing, [], "not walked");
    assert_eq!(walked, ways());
}

#[test]
fn a_way_leads_on_exactly_where_the_table_has_it() {
    let all = State::ALL.into_iter();
    let pairs = all.flat_map(|from| State::ALL.into_iter().map(move |to| (from, to)));
    let leads: BTreeSet<Way> = pairs.filter(|(from, to)| from.leads_to(*to)).collect();
    assert_eq!(leads, ways());
}

#[test]
fn the_drawing_has_every_way_once_and_nothing_else() {
    let graph = graph();
    let mut lines = graph.lines();
    assert_eq!(lines.next(), Some("stateDiagram-v2"));
    let state = |name: &str| State::ALL.into_iter().find(|state| state.name() == name);
    let (mut drawn, mut begins, mut ends) = (vec![], vec![], vec![]);
    for line in lines {
        let (from, rest) = line.trim().split_once(" --> ").unwrap();
        let to = rest.split(": ").next().unwrap();
        match (state(from), state(to)) {
            (Some(from), Some(to)) => {
                assert!(rest.contains(": "), "{line}: it says what it takes");
                drawn.push((from, to));
            }
            (None, Some(to)) => begins.push((from, to)),
            (Some(from), None) => ends.push((from, to)),
            (None, None) => panic!("{line}"),
        }
    }
    let count = drawn.len();
    let drawn: BTreeSet<Way> = drawn.into_iter().collect();
    assert_eq!(drawn.len(), count, "each once");
    assert_eq!(drawn, ways());
    assert_eq!(begins, [("[*]", State::Initialized)]);
    assert_eq!(ends, [(State::Complete, "[*]"), (State::Cancelled, "[*]")]);
}

#[test]
fn where_a_session_was_and_when_is_told_in_order() {
    for play in plays() {
        let passages = &play.session.passages;
        assert_eq!(passages[0].phase, State::Initialized);
        assert_eq!(passages.last().unwrap().phase, play.session.state);
        for pair in passages.windows(2) {
            assert!(pair[0].phase.leads_to(pair[1].phase), "{pair:?}");
            assert!(pair[0].at <= pair[1].at, "{pair:?}");
        }
    }
}
