use super::*;
use proptest::prelude::*;

fn problem(statement: &str, constraints: &[&str]) -> Problem {
    Problem {
        problem_statement: statement.into(),
        constraints: constraints.iter().map(|&words| words.into()).collect(),
        output_spec: String::new(),
        context: String::new(),
        assumptions: vec![],
        known_issues: vec![],
    }
}

fn candidate(answer: &str) -> Candidate {
    Candidate { answer_draft: answer.into(), ..Candidate::default() }
}

fn told(statement: &str, answer: &str) -> Vec<(Weight, String)> {
    let critique = criticise(&problem(statement, &[]), &candidate(answer));
    critique.issues.into_iter().map(|issue| (issue.severity, issue.description)).collect()
}

const QUESTION: &str = "Which store do we use for the journal of our runs?";

#[test]
fn a_broken_constraint_is_a_blocker_and_a_violation_in_its_own_words() {
    let critique =
        criticise(&problem(QUESTION, &["At most 3 words!"]), &candidate("We use SQLite for it."));
    let expected = "At most 3 words!: it has 5 words; at most 3 are asked for";
    assert_eq!(critique.constraint_violations, [expected]);
    let [issue] = critique.issues.as_slice() else { panic!("{:?}", critique.issues) };
    assert_eq!((issue.severity, issue.description.as_str()), (Weight::Blocker, expected));
    assert_eq!(issue.suggested_fix.as_deref(), Some("Shorten it to at most 3 words."));
    assert_eq!(issue.role, "requirements");
}

#[test]
fn rules_cover_the_requirements_and_nothing_else() {
    let missing = criticise(&problem(QUESTION, &[]), &candidate("SQLite.")).missing_roles.unwrap();
    assert_eq!(missing, ["architecture", "risk", "compliance", "security_ops", "evaluation"]);
}

#[test]
fn an_empty_answer_is_a_blocker() {
    for empty in ["", " \n\t", "\u{a0}"] {
        assert_eq!(told(QUESTION, empty), [(Weight::Blocker, "the answer is empty".into())]);
    }
}

#[test]
fn answers_that_answer_nothing_are_majors() {
    for (answer, part) in [
        ("I’m sorry, but I can't help with that.", "refusal"),
        ("As an AI language model, I have no opinions.", "refusal"),
        ("Ich kann dabei nicht helfen.", "refusal"),
        ("Which stores do you have? How many runs are there?", "a question back"),
        ("Which store do we use for the journal of our runs.", "says the question again"),
        ("We use [insert name of store].", "placeholder"),
        ("SQLite. TODO: say why.", "placeholder"),
        ("Lorem ipsum dolor sit amet.", "placeholder"),
    ] {
        let told = told(QUESTION, answer);
        assert_eq!(told.len(), 1, "{answer:?}: {told:?}");
        assert!(told[0].0 == Weight::Major && told[0].1.contains(part), "{answer:?}: {told:?}");
    }
}

#[test]
fn what_was_asked_for_is_no_evasion() {
    for (statement, answer) in [
        (QUESTION, "SQLite. Is that what you had in mind?"),
        (
            QUESTION,
            "Use SQLite: an outage would mean that we are unable to write, and I cannot see another risk.",
        ),
        (
            "Write three questions for a quiz on stores.",
            "What is a store? What is a log? What is a fact?",
        ),
        ("Correct the spelling: we use a stor for the runs", "we use a store for the runs"),
        ("What does TODO mean in our code?", "TODO marks what is still open."),
        ("Fill the template [insert name] for us, please, today", "Here: [insert name] it stays."),
        ("Is Rust or Go better?", "Rust"),
        ("A or B?", "A or B"),
    ] {
        assert_eq!(told(statement, answer), [], "{answer:?}");
    }
}

fn critique(
    issues: &[(&str, Weight, &str)],
    violations: &[&str],
    missing: Option<&[&str]>,
) -> Critique {
    let issue = |(role, severity, description): &(&str, Weight, &str)| CritiqueIssue {
        role: (*role).into(),
        severity: *severity,
        description: (*description).into(),
        suggested_fix: None,
    };
    Critique {
        issues: issues.iter().map(issue).collect(),
        constraint_violations: violations.iter().map(|&told| told.into()).collect(),
        missing_roles: missing.map(|roles| roles.iter().map(|&role| role.into()).collect()),
        suggested_fixes: vec![],
    }
}

#[test]
fn a_violation_without_an_issue_becomes_a_blocker() {
    let model = critique(
        &[("risk", Weight::Minor, "at most 3 words")],
        &["at most 3 words", "in German"],
        None,
    );
    let own =
        critique(&[("requirements", Weight::Blocker, "in German: it is in English")], &[], None);
    let merged = merge(own, model);
    let shown: Vec<_> =
        merged.issues.iter().map(|issue| (issue.severity, issue.description.as_str())).collect();
    assert_eq!(
        shown,
        [
            (Weight::Blocker, "in German: it is in English"),
            (Weight::Minor, "at most 3 words"),
            (Weight::Blocker, "at most 3 words"),
        ]
    );
}

#[test]
fn a_view_is_covered_when_an_issue_names_it_or_the_model_does_not_miss_it() {
    let own = || criticise(&problem(QUESTION, &[]), &candidate("SQLite."));
    let missing = |model| merge(own(), model).missing_roles.unwrap();
    assert_eq!(missing(critique(&[], &[], Some(&[]))), [""; 0]);
    assert_eq!(
        missing(critique(&[], &[], Some(&["Security & Ops", "requirements"]))),
        ["security_ops"]
    );
    let named =
        critique(&[("Security/Ops", Weight::Minor, "x"), ("risks", Weight::Minor, "y")], &[], None);
    assert_eq!(missing(named), ["architecture", "compliance", "evaluation"]);
    let strange = critique(&[], &[], Some(&["performance"]));
    assert_eq!(missing(strange), ["performance"]);
    let both = critique(&[("evaluation", Weight::Minor, "x")], &[], Some(&["evaluation", "risk"]));
    assert_eq!(missing(both), ["risk"]);
}

fn any_critique() -> impl Strategy<Value = Critique> {
    let weight = prop_oneof![Just(Weight::Blocker), Just(Weight::Major), Just(Weight::Minor)];
    let role = prop_oneof!["risk", "security/ops", "\\PC{0,8}"];
    let issue = (role.clone(), weight, "[ab]{0,2}|\\PC{0,6}", proptest::option::of("[ab]{0,1}"));
    let issue = issue.prop_map(|(role, severity, description, suggested_fix)| CritiqueIssue {
        role,
        severity,
        description,
        suggested_fix,
    });
    let texts = || proptest::collection::vec("[ab]{0,2}|\\PC{0,6}", 0..4);
    let missing = proptest::option::of(proptest::collection::vec(role, 0..4));
    (proptest::collection::vec(issue, 0..5), texts(), missing, texts()).prop_map(
        |(issues, constraint_violations, missing_roles, suggested_fixes)| Critique {
            issues,
            constraint_violations,
            missing_roles,
            suggested_fixes,
        },
    )
}

proptest! {
    #[test]
    fn nothing_is_dropped_and_no_twin_stands_twice(own in any_critique(), model in any_critique()) {
        let merged = merge(own.clone(), model.clone());
        for side in [&own, &model] {
            prop_assert!(side.issues.iter().all(|issue| merged.issues.contains(issue)));
            let violations = &merged.constraint_violations;
            prop_assert!(side.constraint_violations.iter().all(|told| violations.contains(told)));
            prop_assert!(side.suggested_fixes.iter().all(|fix| merged.suggested_fixes.contains(fix)));
        }
        for (at, issue) in merged.issues.iter().enumerate() {
            prop_assert!(!merged.issues[..at].contains(issue), "{issue:?} stands twice");
        }
        for violation in &merged.constraint_violations {
            let told = merged.issues.iter().any(|issue| {
                issue.severity == Weight::Blocker && fold(&issue.description).starts_with(&fold(violation))
            });
            prop_assert!(told, "{violation:?} blocks nothing");
        }
    }

    #[test]
    fn a_critique_joined_with_itself_again_says_the_same(own in any_critique(), model in any_critique()) {
        let merged = merge(own, model.clone());
        prop_assert_eq!(merge(merged.clone(), merged.clone()), merged);
    }

    #[test]
    fn no_answer_is_too_strange_to_be_criticised(words in "\\PC{0,80}", answer in "(?s).{0,120}") {
        let critique = criticise(&problem(&words, &[words.as_str()]), &candidate(&answer));
        for violation in &critique.constraint_violations {
            prop_assert!(violation.starts_with(&words));
            prop_assert!(critique.issues.iter().any(|issue| &issue.description == violation));
        }
    }
}
