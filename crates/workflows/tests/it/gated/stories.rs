//! Whatever happens to a session, in whatever order.

use super::{
    block,
    play::{Play, fail, files, pass},
    setting::Setting,
};
use proptest::prelude::*;
use redraft_loop::{Failure, Input, Interrupted};
use redraft_workflows::gated::{
    Standing, State, code_folder, folder, meta_of, profile::Phase, review_meta::Verdict,
};
use std::{collections::BTreeSet, sync::Arc};

/// Anything that may happen; what does not fit where the session stands changes nothing.
#[derive(Debug, Clone)]
enum Happening {
    /// The player who is asked says what is asked for; a review passes or fails.
    Says(u8, bool),
    /// … or says what nobody can read.
    Mumbles,
    /// … or says what passes beside a critical issue, unsigned or quoted.
    Cheats,
    Fails(Failure),
    Dies,
    Interrupt,
    Approves,
    /// A person edits what stands there, then approves.
    Edits(u8),
    Rejects,
    Voids,
    Passes,
    Allows(u32),
    Cancels,
}

fn happening() -> impl Strategy<Value = Happening> {
    use Happening::*;
    prop_oneof![
        12 => (0u8..3, any::<bool>()).prop_map(|(n, passes)| Says(n, passes)),
        2 => Just(Mumbles),
        2 => Just(Cheats),
        1 => prop_oneof![Just(Failure::Transient), Just(Failure::Permanent), Just(Failure::Timeout)]
            .prop_map(Fails),
        3 => Just(Dies),
        1 => Just(Interrupt),
        8 => Just(Approves),
        3 => (0u8..4).prop_map(Edits),
        2 => Just(Rejects),
        1 => Just(Voids),
        10 => Just(Passes),
        1 => (1u32..5).prop_map(Allows),
        1 => prop_oneof![20 => Just(Dies), 1 => Just(Cancels)],
    ]
}

const NAMES: [&str; 3] = ["A.java", "B.java", "C.java"];

/// What the player who is asked would say.
fn response(play: &Play, n: u8, passes: bool) -> String {
    let name = NAMES[usize::from(n)];
    match play.session.asked() {
        Some((Phase::Planning, _)) | None => format!("plan {n}\n"),
        Some((Phase::Generation | Phase::Revision, _)) => {
            let remarks = "I changed it.\n\nDISPUTED ISSUES\n- R1: no\n";
            let text = format!("class {n} {{ {} }}", play.facts.len());
            format!("{remarks}{}", files(name, &text))
        }
        Some((Phase::Review, _)) if passes => pass(play),
        Some((Phase::Review, _)) => fail(play, "## Disputes\n- R1: upheld\n"),
    }
}

fn edited(play: &Play, how: u8) -> Standing {
    let mut standing = play.standing();
    let is_review = matches!(play.session.asked(), Some((Phase::Review, _)));
    match (how, &mut standing.code) {
        (0, Some(code)) => drop(code.pop_first()),
        (1, Some(code)) => drop(code.insert("New.java".into(), Arc::from("class New {}\n"))),
        (2, _) => standing.response = None,
        (0 | 1, None) if is_review => {
            standing.response = Some(if how == 0 { pass(play) } else { fail(play, "") });
        }
        (_, None) if !is_review => {
            standing.response.iter_mut().for_each(|response| response.push_str("more\n"));
        }
        (_, Some(_)) => {
            let remarked = standing.response.iter_mut();
            remarked.for_each(|response| response.insert_str(0, "A remark.\n"));
        }
        (_, None) => {}
    }
    standing
}

fn happen(play: &mut Play, happening: &Happening) {
    match *happening {
        Happening::Says(n, passes) => {
            play.says(&response(play, n, passes));
        }
        Happening::Mumbles => {
            play.says("hm");
        }
        Happening::Cheats => {
            play.says(&block("PASS", 1, 1, 0));
        }
        Happening::Fails(failure) => {
            play.fails(failure);
        }
        Happening::Dies => {
            play.drive();
        }
        Happening::Interrupt => {
            play.person(|_, at| Input::Interrupt(Interrupted { at }));
        }
        Happening::Approves => approves(play, &play.standing()),
        Happening::Edits(how) => approves(play, &edited(play, how)),
        Happening::Rejects => {
            play.rejects("again");
        }
        Happening::Voids => {
            play.voids();
        }
        Happening::Passes => {
            let passed = |_, at| Input::Pass(redraft_loop::Passed { at });
            play.person(passed);
        }
        Happening::Allows(rounds) => {
            play.allows(rounds);
        }
        Happening::Cancels => {
            play.cancels();
        }
    }
}

/// A refused approval leaves the session as it was: it is given no fact.
fn approves(play: &mut Play, standing: &Standing) {
    let facts = play.facts.len();
    let gives_way = play.session.run.approval().is_some();
    let due = if play.approve_as(standing).is_ok() { 1 + usize::from(gives_way) } else { 0 };
    assert_eq!(play.facts.len(), facts + due);
}

/// What holds of a session wherever it stands.
fn check(play: &Play) {
    let session = &play.session;
    let last = session.run.limits().rounds;
    assert!(session.iteration() <= last, "iteration {} of {last}", session.iteration());
    if session.state == State::Complete {
        let turn = session.run.last_turn().unwrap();
        let meta = meta_of(&turn.readings[0]).unwrap();
        assert_eq!((turn.step.as_str(), meta.verdict), ("review", Verdict::Pass));
        assert_eq!(meta.issues_critical, 0);
        let approval = session.approvals.last().unwrap();
        assert_eq!((approval.phase, approval.iteration), (State::Reviewed, turn.round));
    }
    for approval in &session.approvals {
        assert!(approval.phase.is_gate() && !approval.files.is_empty(), "{approval:?}");
        let prefix = format!("{}/", folder(approval.iteration));
        for (path, sha256) in &approval.files {
            assert!(path.starts_with(&prefix), "{path} is of no iteration {}", approval.iteration);
            let stands = session.artifacts.get(path).map(|file| &file.sha256);
            assert_eq!(stands, Some(sha256), "{path} is as it was approved");
        }
    }
    let mut paths = BTreeSet::new();
    for (path, file) in &session.artifacts {
        assert!(paths.insert(path.to_lowercase()), "{path} is there twice");
        let is_ours = path == "plan.md" || path == "standards-bundle.md";
        let inside = format!("{}/", folder(file.iteration));
        assert!(is_ours || path.starts_with(&inside), "{path} of iteration {}", file.iteration);
        assert!(!path.contains("..") && !path.contains('\\'), "{path}");
    }
    let code = session.code();
    if session.at_gate().is_some() {
        let prefix = format!("{}/", code_folder(session.iteration()));
        let stand = session.artifacts.iter().filter_map(|(path, file)| {
            Some((path.strip_prefix(&prefix)?.to_owned(), Arc::clone(&file.text)))
        });
        assert_eq!(stand.collect::<redraft_workflows::gated::Code>(), code);
    }
}

/// Folded anew from its journal, it is the same.
fn check_replay(play: &Play) {
    let (live, again) = (&play.session, play.replayed());
    assert_eq!(again.run, live.run);
    assert_eq!(again.state, live.state);
    assert_eq!(again.passages, live.passages);
    assert_eq!(again.approvals, live.approvals);
    assert_eq!(again.artifacts, live.artifacts);
    assert_eq!((&again.last_error, &again.refused), (&live.last_error, &live.refused));
    assert_eq!(again.rejections, live.rejections);
    assert_eq!(again.json(), live.json());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// [`Play::give`] compares what is kept, and the ways that a session goes, fact by fact.
    #[test]
    fn a_session_keeps_its_promises_whatever_happens(
        iterations in 1u32..4,
        by_hand in any::<bool>(),
        story in prop::collection::vec(happening(), 0..70),
    ) {
        let mut play = Play::begin(Setting { by_hand, ..Setting::small(iterations) });
        play.drive();
        check(&play);
        for event in &story {
            happen(&mut play, event);
            check(&play);
        }
        check_replay(&play);
    }
}

/// The stories above would prove little if none came far.
#[test]
fn stories_come_to_every_end() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let stories = prop::collection::vec(happening(), 60..90);
    let (mut ends, mut farthest) = (BTreeSet::new(), 0);
    for _ in 0..150 {
        let mut play = Play::begin(Setting::small(3));
        play.drive();
        let story = stories.new_tree(&mut runner).unwrap().current();
        story.iter().for_each(|event| happen(&mut play, event));
        farthest = farthest.max(play.session.iteration());
        if play.session.run.decision().is_some() {
            ends.insert(play.session.state);
        }
    }
    assert_eq!(ends, BTreeSet::from([State::Reviewed, State::Complete, State::Cancelled]));
    assert!(farthest >= 3, "{farthest}");
}
