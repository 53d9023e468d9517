//! What a person's word binds, and when it is not taken.

use super::{
    play::{Play, code, fail, files, pass, under_review},
    setting::Setting,
};
use redraft_workflows::gated::{
    Kind, NotApproved, Standing, State, code_of_iteration, meta_of, review_meta::Verdict, seal,
    sha256,
};
use std::sync::Arc;

const A: &str = "class A {}\n";
const B: &str = "class B {}\n";

/// Two files wait for approval.
fn generated() -> Play {
    let mut play = Play::begin(Setting::small(3));
    play.drive().says("plan\n").let_pass();
    play.says(&format!("Two files.\n{}{}", files("A.java", A.trim()), files("B.java", B.trim())));
    play.at(State::Generated);
    play
}

fn refusal(play: &Play, standing: &Standing) -> NotApproved {
    let time = redraft_loop::Time(9_000_000);
    play.session.approve(standing, "ada", time).unwrap_err()
}

fn is_edited(play: &Play, standing: &Standing) -> bool {
    let time = redraft_loop::Time(9_000_000);
    play.session.approve(standing, "ada", time).unwrap().edited.is_some()
}

#[test]
fn an_approval_binds_the_bytes_that_stand_there() {
    let mut play = generated();
    let standing = play.standing();
    assert!(!is_edited(&play, &standing));
    let bound = play.session.bound(&standing);
    let paths: Vec<&str> = bound.keys().map(String::as_str).collect();
    let folder = "iteration-1";
    assert_eq!(
        paths,
        [
            format!("{folder}/code/A.java"),
            format!("{folder}/code/B.java"),
            format!("{folder}/generation-response.md")
        ]
    );
    assert_eq!(bound["iteration-1/code/A.java"], sha256(A));
    play.approve();
    assert_eq!(play.session.run.approval(), Some(("ada", &seal(&bound))));
    let approval = play.session.approvals.last().unwrap();
    assert_eq!((approval.phase, approval.iteration), (State::Generated, 1));
    assert_eq!(approval.files, bound);
    assert_eq!(refusal(&play, &standing), NotApproved::Already("ada".into()));
}

#[test]
fn every_byte_and_every_name_counts_in_the_seal() {
    let play = generated();
    let standing = play.standing();
    let sealed = |standing: &Standing| seal(&play.session.bound(standing));
    let as_it_is = sealed(&standing);
    let mut others = vec![];
    for (name, text) in [("A.java", "class A { }\n"), ("C.java", ""), ("B.java", "class B {}")] {
        let mut other = standing.clone();
        other.code.as_mut().unwrap().insert(name.into(), Arc::from(text));
        others.push(sealed(&other));
    }
    let mut gone = standing.clone();
    gone.code.as_mut().unwrap().remove("B.java");
    others.push(sealed(&gone));
    let mut said = standing.clone();
    said.response.as_mut().unwrap().push(' ');
    others.push(sealed(&said));
    let mut swapped = standing.clone();
    swapped.code = Some(code(&[("A.java", B), ("B.java", A)]));
    others.push(sealed(&swapped));
    others.push(as_it_is);
    let count = others.len();
    others.sort_by_key(ToString::to_string);
    others.dedup();
    assert_eq!(others.len(), count);
}

#[test]
fn files_are_edited_where_they_stand_and_so_approved() {
    let mut play = generated();
    let mut standing = play.standing();
    standing.code =
        Some(code(&[("A.java", "class A { int n; }\n"), ("New.java", "class New {}\n")]));
    play.approve_as(&standing).unwrap();
    assert_eq!(Some(play.session.code()), standing.code);
    let texts = &play.session.artifacts;
    assert!(!texts.contains_key("iteration-1/code/B.java"), "the person deleted it");
    assert_eq!(&*texts["iteration-1/code/New.java"].text, "class New {}\n");
    assert_eq!(texts["iteration-1/code/New.java"].kind, Kind::Input);
    assert_eq!(play.session.approvals.last().unwrap().files, play.session.bound(&standing));
    play.pass();
    assert_eq!(play.session.artifacts["iteration-1/code/New.java"].kind, Kind::Kept);
    assert_eq!(Some(code_of_iteration(&play.session.run, 1, "java")), standing.code);
}

#[test]
fn a_void_takes_the_approval_away_and_what_stands_there_is_approved_anew() {
    let mut play = generated();
    let untouched = play.standing();
    let mut standing = untouched.clone();
    standing.code = Some(code(&[("A.java", "class A { int n; }\n")]));
    play.approve_as(&standing).unwrap();
    play.voids();
    play.at(State::Generated);
    let of_plan = |play: &Play| play.session.approvals.iter().all(|it| it.phase == State::Planned);
    assert!(of_plan(&play));
    let told = play.session.last_error.clone().unwrap();
    assert_eq!(told, "a file has changed: approve it as it is now");
    // As the response tells it again: that is an edit of the edit.
    assert!(is_edited(&play, &untouched));
    play.approve_as(&untouched).unwrap();
    assert_eq!(Some(play.session.code()), untouched.code);
    assert!(!of_plan(&play));
    assert_eq!(play.session.last_error, None);
}

#[test]
fn remarks_may_be_edited_and_files_only_where_they_stand() {
    let play = generated();
    let mut remarked = play.standing();
    remarked.response.as_mut().unwrap().insert_str(0, "A word more.\n");
    assert!(is_edited(&play, &remarked));
    for (from, to, file) in [
        ("class A {}", "class A { int n; }", "A.java"),
        ("<<<FILE: B.java>>>", "<<<FILE: C.java>>>", "B.java"),
        ("<<<FILE: A.java>>>\nclass A {}\n", "", "A.java"),
    ] {
        let mut standing = play.standing();
        let response = standing.response.as_mut().unwrap();
        *response = response.replace(from, to);
        let told = refusal(&play, &standing);
        let NotApproved::ChangedInResponse { path, name, folder } = &told else { panic!("{told}") };
        assert_eq!(path, "iteration-1/generation-response.md");
        assert_eq!((name.as_str(), folder.as_str()), (file, "iteration-1/code"));
    }
}

#[test]
fn what_is_gone_or_cannot_be_read_is_not_approved() {
    let play = generated();
    let path = "iteration-1/generation-response.md".to_owned();
    let gone = Standing { response: None, ..play.standing() };
    assert_eq!(refusal(&play, &gone), NotApproved::NoResponse(path.clone()));
    let empty = Standing { code: Some(code(&[])), ..play.standing() };
    assert_eq!(refusal(&play, &empty), NotApproved::NoCode("iteration-1/code".into()));
    let broken = Standing { response: Some("no files".into()), ..play.standing() };
    let told = refusal(&play, &broken);
    assert!(matches!(&told, NotApproved::Unreadable { path: at, .. } if *at == path), "{told}");
    let fresh = Play::begin(Setting::small(3));
    assert_eq!(refusal(&fresh, &play.standing()), NotApproved::NoGate(State::Initialized));
}

/// A response of files is never approved without its files being looked at.
#[test]
fn files_that_nobody_looked_at_are_not_approved() {
    let mut play = generated();
    let unseen = Standing { code: None, ..play.standing() };
    assert_eq!(refusal(&play, &unseen), NotApproved::NoCode("iteration-1/code".into()));
    play.let_pass();
    play.at(State::Reviewing);
}

#[test]
fn a_plan_is_edited_but_not_emptied() {
    let mut play = Play::begin(Setting::small(3));
    play.drive().says("plan\n");
    let standing = |text: &str| Standing { response: Some(text.into()), code: None };
    assert!(!is_edited(&play, &standing("plan\n")));
    let told = refusal(&play, &standing(" \n"));
    assert!(told.to_string().contains("the plan is empty"), "{told}");
    play.approve_as(&standing("a better plan\n")).unwrap();
    play.pass();
    assert_eq!(&*play.session.artifacts["plan.md"].text, "a better plan\n");
    assert_eq!(
        &*play.session.artifacts["iteration-1/planning-response.md"].text,
        "a better plan\n"
    );
    let prompt = &play.session.artifacts["iteration-1/generation-prompt.md"].text;
    assert!(prompt.contains("a better plan"), "{prompt}");
}

#[test]
fn a_person_overrides_a_verdict_by_editing_it_before_the_approval() {
    let mut play = under_review(Setting::small(3), "plan", &files("A.java", "class A {}"));
    let review = fail(&play, "");
    play.says(&review);
    let standing = Standing { response: Some(pass(&play)), code: None };
    assert!(is_edited(&play, &standing));
    let contradiction = super::block("PASS", 1, 1, 0);
    let told = refusal(&play, &Standing { response: Some(contradiction), code: None });
    assert!(told.to_string().contains("cannot pass"), "{told}");
    play.approve_as(&standing).unwrap();
    let meta = meta_of(&play.session.at_gate().unwrap().readings[0]).unwrap();
    assert_eq!(meta.verdict, Verdict::Pass);
    play.pass();
    play.at(State::Complete);
}

#[test]
fn files_are_carried_over_from_one_iteration_to_the_next() {
    let mut play = generated();
    let mut standing = play.standing();
    standing.code = Some(code(&[("A.java", "class A { int n; }\n"), ("B.java", B)]));
    play.approve_as(&standing).unwrap();
    play.pass();
    let review = fail(&play, "");
    play.says(&review).let_pass();
    play.at(State::Revising);
    assert_eq!(Some(play.session.code()), standing.code, "carried over, a person's edits too");
    assert_eq!(&*play.session.artifacts["iteration-2/code/B.java"].text, B);
    let mut both = files("B.java", "class B { int m; }");
    both.push_str(&files("C.java", "class C {}"));
    play.says(&both);
    let revised = code(&[
        ("A.java", "class A { int n; }\n"),
        ("B.java", "class B { int m; }\n"),
        ("C.java", "class C {}\n"),
    ]);
    assert_eq!(play.session.code(), revised, "the response lies over what was carried");
    play.let_pass();
    assert_eq!(code_of_iteration(&play.session.run, 2, "java"), revised);
    assert_eq!(Some(code_of_iteration(&play.session.run, 1, "java")), standing.code);
    assert_eq!(&*play.session.artifacts["iteration-1/code/B.java"].text, B, "kept as it was");
    let prompt = &play.session.artifacts["iteration-2/review-prompt.md"].text;
    assert!(prompt.contains("class B { int m; }") && prompt.contains("class A { int n; }"));
}

#[test]
fn a_revision_that_is_sent_back_leaves_what_was_carried_over() {
    let mut play = generated();
    play.let_pass();
    let review = fail(&play, "");
    play.says(&review).let_pass().says(&files("C.java", "class C {}")).rejects("no C");
    play.at(State::Revising);
    assert_eq!(play.session.code(), code(&[("A.java", A), ("B.java", B)]));
    assert!(!play.session.artifacts.contains_key("iteration-2/code/C.java"));
    assert!(play.session.artifacts.contains_key("iteration-2/code/A.java"));
    assert!(!play.session.artifacts.contains_key("iteration-2/revision-response.md"));
    let prompt = &play.session.artifacts["iteration-2/revision-prompt.md"].text;
    assert!(prompt.contains("no C") && prompt.contains("class C {}"), "{prompt}");
}

#[test]
fn a_file_under_another_spelling_of_a_carried_one_is_refused() {
    let mut play = generated();
    play.let_pass();
    let review = fail(&play, "");
    play.says(&review).let_pass().says(&files("a.java", "class A {}"));
    play.at(State::Revising);
    let told = play.session.last_error.clone().unwrap();
    assert!(told.starts_with("line 1: the file a.java is A.java of the last iteration"), "{told}");
}
