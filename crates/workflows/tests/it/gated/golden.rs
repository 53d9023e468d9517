//! Whole sessions as earlier versions wrote them: facts that must fold to the same `session.json` for ever.
//!
//! Never edit a file in `golden/`. `REDRAFT_WRITE_GOLDEN=1 cargo test -p redraft-workflows golden` writes those that are
//! missing. A prompt is an artifact, so its words are part of it: whoever changes them for sessions that were begun
//! breaks these, and gives the new words a version of their own.

use super::{
    play::{Play, code, fail, files, pass},
    setting::Setting,
};
use redraft_loop::{Fact, Failure};
use redraft_workflows::gated::{Session, State};
use std::{fs, path::PathBuf};

fn check(name: &str, state: State, write: impl FnOnce() -> Play) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let (facts, told) =
        (folder.join(format!("{name}.jsonl")), folder.join(format!("{name}.session.json")));
    if !facts.exists() && std::env::var_os("REDRAFT_WRITE_GOLDEN").is_some() {
        let play = write();
        let line = |fact| serde_json::to_string(fact).unwrap() + "\n";
        fs::create_dir_all(&folder).unwrap();
        fs::write(&facts, play.facts.iter().map(line).collect::<String>()).unwrap();
        fs::write(&told, play.session.json()).unwrap();
    }
    let (journal, told) = (fs::read_to_string(&facts).unwrap(), fs::read_to_string(&told).unwrap());
    let facts: Vec<Fact> =
        journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let again: Vec<String> =
        facts.iter().map(|fact| serde_json::to_string(fact).unwrap()).collect();
    assert_eq!(again, journal.lines().collect::<Vec<_>>(), "facts are written as they were read");
    let session = Session::replay(facts).unwrap();
    assert_eq!(session.state, state);
    assert_eq!(session.json(), told);
}

#[test]
fn golden_gated_v1_a_session_with_every_kind_of_trouble() {
    check("gated-v1-complete", State::Complete, || {
        let mut play = Play::begin(Setting {
            context: vec![("occasion", "Orders are new.")],
            ..Setting::small(1)
        });
        play.drive().fails(Failure::Permanent);
        play.drive().says("A plan.\n").rejects("longer").says("A long plan.\n").let_pass();
        play.says("no files").says(&format!(
            "Two files.\n{}{}",
            files("A.java", "class A {}"),
            files("B.java", "class B {}")
        ));
        play.approve().voids();
        let mut standing = play.standing();
        standing.code =
            Some(code(&[("A.java", "class A { int n; }\n"), ("B.java", "class B {}\n")]));
        play.approve_as(&standing).unwrap();
        play.pass().says("no block").says("still none");
        play.at(State::Reviewed);
        standing = play.standing();
        standing.response = Some(fail(&play, "## Issues\n- **R1** (critical) `A.java`: wrong\n"));
        play.approve_as(&standing).unwrap();
        play.allows(3).pass();
        let response =
            format!("DISPUTED ISSUES\n- R1: it is right\n{}", files("B.java", "class B { }"));
        play.says(&response).let_pass();
        let review = fail(&play, "## Issues\n- **R1** (critical)\n\n## Disputes\n- R1: upheld\n");
        play.says(&review).let_pass().says(&files("C.java", "class C {}")).let_pass();
        let review = pass(&play);
        play.says(&review).let_pass();
        play
    });
}

#[test]
fn golden_gated_v1_a_session_by_hand_that_was_given_up() {
    check("gated-v1-cancelled", State::Cancelled, || {
        let mut play = Play::begin(Setting { by_hand: true, ..Setting::small(2) });
        play.drive().says("A plan.\n").let_pass();
        play.says("no files").drive().says(&files("A.java", "class A {}")).cancels();
        play
    });
}
