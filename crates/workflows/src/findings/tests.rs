use super::*;

fn issue(id: &str, code: Option<&str>, message: &str) -> Issue {
    Issue {
        id: id.into(),
        severity: Severity::Error,
        message: message.into(),
        code: code.map(Into::into),
        field: None,
    }
}

fn answer(id: &str, status: Status) -> Answer {
    Answer { id: id.into(), status, note: None }
}

fn dispute(id: &str) -> Dispute {
    Dispute { finding: id.into(), reason: "it was said so".into() }
}

fn two() -> Findings {
    let mut findings = Findings::default();
    findings.review(1, "anna", &[], &[issue("a", None, "too long"), issue("b", None, "too long")]);
    findings
}

fn standing(findings: &Findings) -> Vec<(&str, Status)> {
    findings.all().iter().map(|finding| (finding.id.as_str(), finding.status)).collect()
}

#[test]
fn two_findings_in_the_same_words_stay_two() {
    let mut findings = two();
    assert_eq!(standing(&findings), [("a", Status::Open), ("b", Status::Open)]);
    findings.review(2, "anna", &[answer("a", Status::Fixed), answer("b", Status::Open)], &[]);
    assert_eq!(standing(&findings), [("a", Status::Fixed), ("b", Status::Open)]);
}

#[test]
fn a_paraphrase_keeps_its_id() {
    let mut findings = two();
    let note = Some("still forty words more than fit".to_owned());
    findings.review(2, "anna", &[Answer { note, ..answer("a", Status::Open) }], &[]);
    assert_eq!(findings.all().len(), 2);
    assert_eq!(findings.all()[0].message, "still forty words more than fit");
    assert_eq!(findings.all()[0].as_issue().id, "a");
}

#[test]
fn an_id_that_was_not_shown_is_refused() {
    let findings = two();
    let answers = [answer("a", Status::Open), answer("x", Status::Fixed)];
    let refused = findings.check_answers("anna", &answers).unwrap_err();
    assert_eq!(refused.to_string(), "x: no finding of this id was shown; the ids are a, b");
    let refused = findings.check_answers("ben", &[answer("a", Status::Fixed)]).unwrap_err();
    assert_eq!(refused.to_string(), "a: no finding of this id was shown; the ids are none");
}

#[test]
fn every_open_finding_is_answered_once() {
    let findings = two();
    let one = [answer("a", Status::Open)];
    assert_eq!(findings.check_answers("anna", &one), Err(Misfit::Unanswered("b".into())));
    let twice = [answer("a", Status::Open), answer("a", Status::Fixed)];
    assert_eq!(findings.check_answers("anna", &twice), Err(Misfit::Twice("a".into())));
    let back = [answer("a", Status::Reopened), answer("b", Status::Open)];
    assert_eq!(findings.check_answers("anna", &back), Err(Misfit::NotFixedBefore("a".into())));
}

#[test]
fn what_was_fixed_may_come_back_and_need_not_be_answered() {
    let mut findings = two();
    findings.review(2, "anna", &[answer("a", Status::Fixed), answer("b", Status::Fixed)], &[]);
    assert_eq!(findings.check_answers("anna", &[]), Ok(()));
    let back = [answer("a", Status::Reopened)];
    assert_eq!(findings.check_answers("anna", &back), Ok(()));
    findings.review(3, "anna", &back, &[]);
    assert_eq!(standing(&findings), [("a", Status::Reopened), ("b", Status::Fixed)]);
    assert_eq!(findings.all()[0].history.len(), 3);
}

#[test]
fn a_dispute_is_upheld_by_an_answer_that_keeps_the_finding_open() {
    let mut findings = two();
    assert_eq!(findings.check_disputes(&[dispute("a")]), Ok(()));
    findings.dispute(2, "creator", &[dispute("a")]);
    assert_eq!(findings.all()[0].dispute(), Some("it was said so"));
    findings.review(2, "anna", &[answer("a", Status::Open), answer("b", Status::Open)], &[]);
    assert_eq!((findings.all()[0].upheld, findings.all()[0].dispute()), (1, None));
    findings.dispute(3, "creator", &[dispute("a")]);
    findings.review(3, "anna", &[answer("a", Status::Disputed), answer("b", Status::Open)], &[]);
    assert_eq!(findings.all()[0].upheld, 2);
    findings.review(4, "anna", &[answer("a", Status::Open), answer("b", Status::Open)], &[]);
    assert_eq!(findings.all()[0].upheld, 2, "nobody disputed it since");
}

#[test]
fn a_reviewer_that_gives_way_upholds_nothing() {
    let mut findings = two();
    findings.dispute(2, "creator", &[dispute("a")]);
    findings.review(2, "anna", &[answer("a", Status::Fixed), answer("b", Status::Open)], &[]);
    assert_eq!((findings.all()[0].upheld, findings.all()[0].status), (0, Status::Fixed));
}

#[test]
fn only_open_findings_can_be_disputed_and_each_once() {
    let mut findings = two();
    let twice = [dispute("a"), dispute("a")];
    assert_eq!(findings.check_disputes(&twice), Err(Misfit::Twice("a".into())));
    findings.review(2, "anna", &[answer("a", Status::Fixed), answer("b", Status::Open)], &[]);
    let refused = findings.check_disputes(&[dispute("a")]).unwrap_err();
    assert_eq!(refused.to_string(), "a: no finding of this id was shown; the ids are b");
}

#[test]
fn a_review_made_afresh_is_matched_by_what_its_issues_are_about() {
    let mut findings = Findings::default();
    let (long, twin) = (issue("a", Some("length"), "312 of 255"), issue("b", Some("length"), "x"));
    findings.review_afresh(1, "rules", &[long, twin]);
    let again = issue("c", Some("length"), "290 of 255");
    findings.review_afresh(2, "rules", std::slice::from_ref(&again));
    assert_eq!(standing(&findings), [("a", Status::Open), ("b", Status::Fixed)]);
    assert_eq!(findings.all()[0].message, "290 of 255");
    findings.review_afresh(3, "rules", &[]);
    findings.review_afresh(4, "rules", &[issue("d", Some("length"), "300 of 255")]);
    assert_eq!(standing(&findings), [("a", Status::Reopened), ("b", Status::Fixed)]);
}

#[test]
fn without_codes_the_words_count_and_figures_do_not() {
    let mut findings = Findings::default();
    findings.review_afresh(1, "rules", &[issue("a", None, "It has 12 words too many.")]);
    findings.review_afresh(2, "rules", &[issue("b", None, "it has 7 words  too many")]);
    findings.review_afresh(3, "rules", &[issue("c", None, "a name is missing")]);
    assert_eq!(standing(&findings), [("a", Status::Fixed), ("c", Status::Open)]);
}

#[test]
fn reviewers_do_not_touch_each_others_findings() {
    let mut findings = two();
    findings.review_afresh(1, "rules", &[issue("r", Some("length"), "long")]);
    findings.review_afresh(2, "rules", &[]);
    assert_eq!(
        standing(&findings),
        [("a", Status::Open), ("b", Status::Open), ("r", Status::Fixed)]
    );
    assert_eq!(findings.shown_to("rules").count(), 1);
}

#[test]
fn what_is_told_in_the_same_words_is_met_before_what_stands_first() {
    let mut findings = Findings::default();
    let (anna, bob) = (issue("a", Some("name"), "Anna"), issue("b", Some("name"), "Bob"));
    findings.review_afresh(1, "rules", &[anna, bob]);
    findings.review_afresh(2, "rules", &[issue("c", Some("name"), "Bob")]);
    assert_eq!(standing(&findings), [("a", Status::Fixed), ("b", Status::Open)]);
}
