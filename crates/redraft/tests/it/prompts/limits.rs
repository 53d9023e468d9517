//! The limits that models are told are those that the offline reviewer checks.

use redraft_agents::offline::{Check, Format, Rubric, kinds, rubric};
use redraft_workflows::review::{brief::Templates, model::AssetId};
use std::collections::BTreeSet;

/// The words in which a rubric's limit stands in the prompt of its kind; `None` for checks without a number.
fn words(check: &Check) -> Option<Vec<String>> {
    let words = match check {
        Check::MaxChars { chars } => vec![format!("at most {chars} characters")],
        Check::MinChars { chars } => vec![format!("at least {chars} characters")],
        Check::MaxSentences { sentences } => vec![format!("at most {sentences} sentences")],
        Check::MinSentences { sentences } => vec![format!("at least {sentences} sentences")],
        Check::MaxItems { items } => vec![format!("at most {items} items")],
        Check::MinItems { items } => vec![format!("at least {items} items")],
        Check::ItemChars { chars } => vec![format!("at most {chars} characters in an item")],
        Check::Hashtags { min, max } => vec![format!("{min} to {max} hashtags")],
        Check::SentenceWords { words } => vec![format!("at most {words} words in a sentence")],
        Check::Hook { chars } => vec![format!("first sentence of at most {chars} characters")],
        Check::ChapterForm { gap, least } => {
            vec![format!("at least {least} chapters"), format!("at least {gap} seconds")]
        }
        Check::Empty
        | Check::NearEmpty { .. }
        | Check::SingleLine
        | Check::Form { .. }
        | Check::RepeatedItem
        | Check::JunkItem
        | Check::Part { .. }
        | Check::Names
        | Check::Phrases { .. }
        | Check::Dangling
        | Check::Fragment
        | Check::Question
        | Check::FirstPerson
        | Check::TrailingOff
        | Check::LowercaseStart
        | Check::RepeatedSentence
        | Check::SaidSentences
        | Check::SaidWords
        | Check::PlainText
        | Check::Markers
        | Check::Characters { .. } => return None,
    };
    Some(words)
}

/// The section `Limits` of a kind's prompt, in lower case.
fn limits(kind: &str) -> String {
    let templates = Templates::built_in().unwrap();
    let body = templates.kind(&AssetId::parse(kind).unwrap()).body().to_owned();
    body.split_once("## Limits\n").unwrap_or_else(|| panic!("{kind}: no limits")).1.to_lowercase()
}

fn numbers(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty()).collect()
}

fn limits_of(rubric: &Rubric) -> Vec<String> {
    rubric.rules.iter().filter_map(|rule| words(&rule.check)).flatten().collect()
}

#[test]
fn every_limit_of_a_rubric_stands_in_the_prompt_of_its_kind() {
    for kind in kinds() {
        let (rubric, told) = (rubric(kind).unwrap(), limits(kind));
        for limit in limits_of(rubric) {
            assert!(told.contains(&limit), "{kind}: {limit:?} is not told:\n{told}");
        }
        let format = match rubric.format {
            Format::Markdown => "format: markdown",
            Format::Plain => "format: plain text",
        };
        assert!(told.contains(format), "{kind}: {format}");
    }
}

#[test]
fn no_limit_is_told_that_the_rubric_has_not() {
    for kind in kinds() {
        let (known, told) = (limits_of(rubric(kind).unwrap()).join(" "), limits(kind));
        let more: Vec<&str> = numbers(&told).difference(&numbers(&known)).copied().collect();
        assert!(more.is_empty(), "{kind}: {more:?}");
    }
}
