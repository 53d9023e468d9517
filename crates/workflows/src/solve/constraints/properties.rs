//! What holds for every constraint and every answer.

use super::*;
use crate::solve::{Problem, Request, normalize};
use proptest::prelude::*;

fn problem(constraints: Vec<String>) -> Problem {
    Problem {
        problem_statement: "Which store do we use?".into(),
        constraints,
        output_spec: String::new(),
        context: String::new(),
        assumptions: vec![],
        known_issues: vec![],
    }
}

/// A constraint with an answer that keeps to it and one that breaks it.
type Case = (String, String, String);

fn length() -> impl Strategy<Value = Case> {
    let units = [
        ("words", "Word", " "),
        ("paragraphs", "Stores keep things.", "\n\n"),
        ("sentences", "Stores keep things.", " "),
        ("bullet points", "- thing", "\n"),
        ("lines", "line", "\n"),
    ];
    let most = prop_oneof![
        Just("at most"),
        Just("no more than"),
        Just("max."),
        Just("höchstens"),
        Just("bis zu")
    ];
    let least = prop_oneof![Just("at least"), Just("a minimum of"), Just("mindestens")];
    let text = |text: &str, joint: &str, number: usize| vec![text; number].join(joint);
    let case =
        (most, least, 0..3_u8, 1..40_usize, 1..9_usize, proptest::sample::select(units.to_vec()));
    case.prop_map(move |(most, least, kind, number, off, (unit, one, joint))| {
        let number = number + 1;
        let (prefix, good, bad) = match kind {
            0 => (most, number, number + off),
            1 => (least, number + off, number - 1),
            _ => ("exactly", number, number + off),
        };
        (format!("{prefix} {number} {unit}"), text(one, joint, good), text(one, joint, bad))
    })
}

fn phrase() -> impl Strategy<Value = Case> {
    let quote = prop_oneof![Just(('"', '"')), Just(('“', '”')), Just(('„', '“')), Just(('«', '»'))];
    ("[a-z]{2,9}( [a-z]{2,9}){0,2}", quote, any::<bool>()).prop_map(
        |(phrase, (open, close), wanted)| {
            let (with, without) = (format!("It is so: {phrase}."), "0 1 2".to_owned());
            let quoted = format!("{open}{phrase}{close}");
            if wanted {
                (format!("The answer must include {quoted}."), with, without)
            } else {
                (format!("Never use {quoted}"), without, with)
            }
        },
    )
}

fn keys() -> impl Strategy<Value = Case> {
    proptest::collection::btree_set("[a-z]{3,8}", 1..5).prop_map(|names| {
        let members: Vec<String> = names.iter().map(|name| format!("{name:?}: 1")).collect();
        let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
        let fewer = members.get(1..).unwrap_or_default().join(",");
        let constraint = format!("Return valid JSON with the keys {}.", quoted.join(", "));
        (constraint, format!("{{{}}}", members.join(",")), format!("{{{fewer}}}"))
    })
}

proptest! {
    #[test]
    fn an_answer_made_for_a_constraint_keeps_to_it_and_one_made_against_it_breaks_it_once(
        (constraint, good, bad) in prop_oneof![length(), phrase(), keys()]
    ) {
        let problem = problem(vec!["be kind".into(), constraint.clone(), "use sources".into()]);
        prop_assert_eq!(breaches(&problem, &good), []);
        let told = breaches(&problem, &bad);
        prop_assert_eq!(told.len(), 1, "{:?}", told);
        prop_assert_eq!(&told[0].constraint, &constraint);
    }

    #[test]
    fn no_text_is_too_strange_to_be_read(
        constraints in proptest::collection::vec("(?s).{0,60}", 0..6),
        spec in "\\PC{0,20}",
        answer in "(?s).{0,200}",
    ) {
        let problem = Problem { output_spec: spec.clone(), ..problem(constraints.clone()) };
        for breach in breaches(&problem, &answer) {
            prop_assert!(constraints.contains(&breach.constraint) || breach.constraint == spec);
        }
        oddities(&constraints, &spec);
    }

    #[test]
    fn no_mixture_of_known_words_is_too_strange_either(
        words in proptest::collection::vec(proptest::sample::select(&[
            "at most", "at least", "between", "and", "3", "ten", "0", "words", "sentences", "\"x\"", "\"",
            ",", ".", "not", "do not", "use", "mention", "JSON", "with", "keys", "a", "sections", "A", "in",
            "German", "max", "list", "start with", "must", "18446744073709551615", "more than", "under",
        ][..]), 0..12),
        answer in "(?s).{0,60}",
    ) {
        let constraint = words.join(" ");
        breaches(&problem(vec![constraint.clone()]), &answer);
        oddities(&[constraint.clone(), constraint], "json");
    }

    #[test]
    fn no_constraint_is_lost(constraints in proptest::collection::vec("(?s).{0,20}|at most 3 words|short|", 0..6)) {
        let request = Request {
            prompt: "why?".into(),
            constraints: constraints.clone(),
            output_format: None,
            context: None,
        };
        prop_assert_eq!(normalize(&request).unwrap().constraints, constraints);
    }

    #[test]
    fn a_constraint_never_contradicts_its_like(
        (constraint, ..) in prop_oneof![length(), phrase(), keys()]
    ) {
        let twice = [constraint.clone(), format!("{constraint} ")];
        prop_assert_eq!(oddities(&twice, "").contradictions, [""; 0]);
        prop_assert_eq!(oddities(&twice, "").assumptions.len(), 1);
    }
}

fn contradict(rows: &[(&[&str], &str, &str)]) {
    for (constraints, spec, expected) in rows {
        let constraints: Vec<String> = constraints.iter().map(|&words| words.into()).collect();
        assert_eq!(oddities(&constraints, spec).contradictions, [*expected]);
    }
}

#[test]
fn contradictions_name_both_sides_word_for_word_with_their_numbers() {
    contradict(&[
        (
            &["at most 50 words", "be kind", "at least 100 words"],
            "",
            "constraint 1 (\"at most 50 words\") contradicts constraint 3 (\"at least 100 words\")",
        ),
        (
            &["must include \"cheap\"", "never use \"Cheap\""],
            "",
            "constraint 1 (\"must include \"cheap\"\") contradicts constraint 2 (\"never use \"Cheap\"\")",
        ),
        (
            &["must include \"a cheap store\"", "avoid \"cheap\""],
            "",
            "constraint 1 (\"must include \"a cheap store\"\") contradicts constraint 2 (\"avoid \"cheap\"\")",
        ),
        (
            &["in German", "in English"],
            "",
            "constraint 1 (\"in German\") contradicts constraint 2 (\"in English\")",
        ),
        (
            &["valid JSON", "as a Markdown table"],
            "",
            "constraint 1 (\"valid JSON\") contradicts constraint 2 (\"as a Markdown table\")",
        ),
    ]);
}

#[test]
fn formats_counts_and_edges_contradict_each_other_too() {
    contradict(&[
        (
            &["as a Markdown table"],
            "json",
            "constraint 1 (\"as a Markdown table\") contradicts the output format (\"json\")",
        ),
        (
            &["exactly 3 sentences", "at least 5 sentences"],
            "",
            "constraint 1 (\"exactly 3 sentences\") contradicts constraint 2 (\"at least 5 sentences\")",
        ),
        (
            &["at most 4 words", "at least 5 sentences"],
            "",
            "constraint 1 (\"at most 4 words\") contradicts constraint 2 (\"at least 5 sentences\")",
        ),
        (
            &["at most 4 words and at least 5 words"],
            "",
            "constraint 1 (\"at most 4 words and at least 5 words\") contradicts itself",
        ),
        (
            &["no bullet points", "as a bullet list"],
            "",
            "constraint 1 (\"no bullet points\") contradicts constraint 2 (\"as a bullet list\")",
        ),
        (
            &["start with \"A\"", "begin with \"B\""],
            "",
            "constraint 1 (\"start with \"A\"\") contradicts constraint 2 (\"begin with \"B\"\")",
        ),
    ]);
}

#[test]
fn what_can_be_kept_together_is_no_contradiction() {
    let constraints = [
        "at most 50 words",
        "at least 10 words",
        "exactly 3 sentences",
        "in German",
        "no headings",
        "must include \"cheap\"",
        "never use \"cheaper\"",
        "as a bullet list",
        "start with \"A\"",
        "plain text",
        "start with \"A b\"",
    ];
    assert_eq!(oddities(&constraints.map(str::to_owned), "text").contradictions, [""; 0]);
}

#[test]
fn each_of_three_that_clash_is_told() {
    let constraints = ["at most 5 words", "at most 6 words", "at least 9 words"].map(str::to_owned);
    assert_eq!(oddities(&constraints, "").contradictions.len(), 2);
}

#[test]
fn what_is_ambiguous_is_told_with_how_it_is_taken() {
    for (constraint, part) in [
        ("short", "(\"short\") names no length"),
        ("Keep it brief and concise.", "names no length"),
        ("Die Antwort soll kurz sein", "names no length"),
        ("detailed", "no part of the question left out"),
        ("50", "taken as about 50 words"),
        ("at most 50", "taken as at most 50 words"),
        ("50 words", "taken as about 50 words"),
        (" ", "is blank"),
        ("", "is blank"),
    ] {
        let told = oddities(&[constraint.to_owned()], "").assumptions;
        assert!(told.len() == 1 && told[0].contains(part), "{constraint:?}: {told:?}");
        assert!(told[0].starts_with("constraint 1 "), "{told:?}");
    }
    for clear in ["at most 50 words", "friendly", "a short title", "50 users", "in German"] {
        assert_eq!(oddities(&[clear.to_owned()], "").assumptions, [""; 0]);
    }
    let twice = ["friendly", "calm", "friendly"].map(str::to_owned);
    let told = oddities(&twice, "").assumptions;
    assert_eq!(told, ["constraint 3 (\"friendly\") repeats constraint 1: it is taken once"]);
}
