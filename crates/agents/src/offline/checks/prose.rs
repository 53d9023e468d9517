//! Sentences: filler, openings that hang in the air, questions, breaks.
//!
//! Invariant: each check looks at one sentence, so that the writer can ask the same of a replacement.
//! Absent here: whether the sentence was said (see `source`).

use std::collections::BTreeSet;

use super::excerpt;
use crate::offline::lexicon::PhraseList;
use crate::offline::lexicon::{find_phrase, is_first_name, is_function_word, is_verb};
use crate::offline::outline::Outline;
use crate::offline::rubric::Check;
use crate::offline::sentences::key;
use crate::offline::words::{is_capitalised, lower, padded, words};

/// What `check` has against `sentence`, when it is a check of single sentences.
pub(crate) fn fault(check: &Check, sentence: &str) -> Option<String> {
    match check {
        Check::Phrases { list } => phrase(*list, sentence),
        Check::Dangling => dangling(sentence),
        Check::Fragment => {
            let tokens: Vec<String> = words(sentence).map(lower).collect();
            (finite_verbs(&tokens) == 0).then(|| "no verb".to_owned())
        }
        Check::Question => sentence.contains('?').then(|| "a question".to_owned()),
        Check::FirstPerson => first_person(sentence),
        Check::TrailingOff => trailing(sentence),
        Check::LowercaseStart => {
            let first = words(sentence).next().and_then(|word| word.chars().next());
            first.filter(|c| c.is_lowercase()).map(|_| "a lower-case start".to_owned())
        }
        Check::SentenceWords { words: most } => {
            let count = words(sentence).count();
            (count > *most).then(|| format!("{count} words"))
        }
        Check::Empty
        | Check::NearEmpty { .. }
        | Check::MaxChars { .. }
        | Check::MinChars { .. }
        | Check::MaxSentences { .. }
        | Check::MinSentences { .. }
        | Check::SingleLine
        | Check::Form { .. }
        | Check::MaxItems { .. }
        | Check::MinItems { .. }
        | Check::ItemChars { .. }
        | Check::RepeatedItem
        | Check::JunkItem
        | Check::Hashtags { .. }
        | Check::Part { .. }
        | Check::ChapterForm { .. }
        | Check::Hook { .. }
        | Check::Names
        | Check::RepeatedSentence
        | Check::SaidSentences
        | Check::SaidWords
        | Check::PlainText
        | Check::Markers
        | Check::Characters { .. } => None,
    }
}

/// Sentences that stand in the outline more than once.
pub(super) fn repeated(outline: &Outline) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let again = outline.sentences().filter(|sentence| !seen.insert(key(sentence).to_lowercase()));
    again.map(|sentence| format!("“{}”", excerpt(sentence))).collect()
}

/// How many of the words (lower case) are finite verbs, as far as that shows without a grammar.
pub(crate) fn finite_verbs(tokens: &[String]) -> usize {
    const BEFORE_NOUN: [&str; 22] = [
        "to", "a", "an", "the", "of", "in", "on", "for", "with", "by", "at", "from", "my", "your",
        "our", "their", "his", "her", "its", "this", "some", "and",
    ];
    let before = |index: usize| {
        index.checked_sub(1).and_then(|at| tokens.get(at)).map_or("to", String::as_str)
    };
    let helped =
        |index: usize| tokens[index.saturating_sub(2)..index].iter().any(|word| is_auxiliary(word));
    let main = |index: usize| !BEFORE_NOUN.contains(&before(index)) && !helped(index);
    let finite =
        |(index, word): &(usize, &String)| is_verb(word) && (is_auxiliary(word) || main(*index));
    tokens.iter().enumerate().filter(finite).count()
}

fn is_auxiliary(word: &str) -> bool {
    const PLAIN: [&str; 20] = [
        "is", "are", "was", "were", "am", "has", "had", "does", "did", "can", "could", "will",
        "would", "should", "may", "might", "must", "cannot", "went", "came",
    ];
    PLAIN.contains(&word) || word.contains('\'')
}

fn phrase(list: PhraseList, sentence: &str) -> Option<String> {
    let comma_like = list == PhraseList::Filler && sentence.to_lowercase().contains(", like,");
    let found = find_phrase(list, &padded(sentence)).or(comma_like.then_some("like"));
    found.map(|phrase| format!("“{phrase}”"))
}

fn dangling(sentence: &str) -> Option<String> {
    let line = padded(sentence);
    if let Some(opening) = find_phrase(PhraseList::DanglingStarts, &line) {
        return Some(format!("“{opening}”"));
    }
    let found =
        pointer(sentence).or_else(|| demonstrative(sentence)).or_else(|| loose_end(sentence));
    found.map(|word| format!("“{word}”"))
}

/// `this`, `these` or `those` near the start, or without a noun behind it; `also` and the like up front.
fn demonstrative(sentence: &str) -> Option<String> {
    let tokens: Vec<String> = words(sentence).map(lower).collect();
    let leans =
        |word: &String| matches!(word.as_str(), "also" | "too" | "another" | "else" | "either");
    let early = tokens.iter().take(4).find(|word| leans(word));
    let points = tokens.iter().enumerate().find(|(index, word)| {
        let lone = tokens.get(index + 1).is_none_or(|next| is_function_word(next) || is_verb(next));
        matches!(word.as_str(), "this" | "these" | "those") && (*index < 2 || lone)
    });
    early.or(points.map(|(_, word)| word)).cloned()
}

/// A pronoun or a particle as the last word.
fn loose_end(sentence: &str) -> Option<String> {
    const LOOSE: [&str; 14] = [
        "that", "this", "those", "these", "one", "ones", "there", "here", "too", "either", "then",
        "though", "so", "right",
    ];
    let last = words(sentence).last().map(lower)?;
    LOOSE.contains(&last.as_str()).then_some(last)
}

/// A pronoun that comes before anything it could stand for.
fn pointer(sentence: &str) -> Option<String> {
    const PEOPLE: [&str; 6] = ["he", "she", "him", "her", "his", "he's"];
    const ALWAYS: [&str; 6] = ["it", "it's", "they", "they're", "them", "their"];
    let mut named = false;
    let mut content = 0;
    for (index, word) in words(sentence).enumerate() {
        let low = lower(word);
        let person = PEOPLE.contains(&low.as_str()) && !named;
        let thing = ALWAYS.contains(&low.as_str()) && content == 0;
        if person || thing {
            return Some(low);
        }
        named |= (index > 0 && is_capitalised(word) && word != "I") || is_first_name(&low);
        content += usize::from(!is_function_word(&low) && !is_verb(&low));
    }
    None
}

fn first_person(sentence: &str) -> Option<String> {
    const SELF: [&str; 8] = ["i", "i'm", "i've", "i'd", "i'll", "me", "my", "myself"];
    let mut said = words(sentence).map(lower);
    said.find(|word| SELF.contains(&word.as_str())).map(|word| format!("“{word}”"))
}

fn trailing(sentence: &str) -> Option<String> {
    let mark = ["...", "…", "--"].into_iter().find(|mark| sentence.contains(mark))?;
    Some(format!("“{mark}”"))
}
