//! Cuts spoken text into sentences, and says which of them may stand in an asset.
//!
//! Boundaries are those of Unicode UAX #29, corrected for abbreviations (`Ph.D.`, `U.S.`), initials and
//! quoted questions; a note in brackets such as `[laughter]` always cuts. Invariant: every sentence is
//! a word-for-word part of the text. Absent here: ranking, and any judgement of what a sentence says.

use unicode_segmentation::UnicodeSegmentation;

use super::lexicon::is_abbreviation;
use super::words::{lower, one_spaced, words};

/// The sentences of `text` in order, white space normalised, bracketed notes left out.
pub(crate) fn split(text: &str) -> impl Iterator<Item = String> {
    split_quoted(text).map(|(sentence, _)| sentence)
}

/// As [`split`], and whether a sentence begins inside a quotation that an earlier one opened.
pub(crate) fn split_quoted(text: &str) -> impl Iterator<Item = (String, bool)> {
    paragraphs(text).flat_map(|paragraph| {
        let mut open = false;
        let sentences = without_notes(&paragraph).into_iter().flat_map(|run| cut(&run));
        let marked = sentences.map(|sentence| {
            let inside = open;
            open = quotation_open(open, &sentence);
            (sentence, inside)
        });
        marked.collect::<Vec<_>>()
    })
}

fn quotation_open(open: bool, sentence: &str) -> bool {
    sentence.chars().fold(open, |open, c| match c {
        '"' => !open,
        '“' => true,
        '”' => false,
        _ => open,
    })
}

fn paragraphs(text: &str) -> impl Iterator<Item = String> {
    text.split("\n\n").map(one_spaced).filter(|paragraph| !paragraph.is_empty())
}

/// The stretches of `text` between notes such as `\[laughter\]` and `[03:57]`; links stay.
fn without_notes(text: &str) -> Vec<String> {
    let mut runs = Vec::new();
    let mut run = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at(open);
        let Some(close) = from.find(']') else { break };
        let (note, after) = from.split_at(close + 1);
        run.push_str(before);
        if after.starts_with('(') {
            run.push_str(note);
        } else {
            runs.push(run.trim_end_matches('\\').trim().to_owned());
            run = String::new();
        }
        rest = after;
    }
    run.push_str(rest);
    runs.push(run.trim().to_owned());
    runs.retain(|run| !run.is_empty());
    runs
}

fn cut(run: &str) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    for bound in run.split_sentence_bounds() {
        match sentences.last_mut() {
            Some(last) if goes_on(last, bound) => last.push_str(bound),
            _ => sentences.push(bound.to_owned()),
        }
    }
    sentences.iter().map(|sentence| sentence.trim().to_owned()).filter(|s| !s.is_empty()).collect()
}

/// Whether the boundary between `sentence` and `next` is none.
fn goes_on(sentence: &str, next: &str) -> bool {
    let glued = !sentence.ends_with(char::is_whitespace);
    let small = next.trim_start().chars().next().is_some_and(|c| c.is_lowercase() || c == ',');
    glued || small || ends_with_abbreviation(sentence)
}

fn ends_with_abbreviation(sentence: &str) -> bool {
    let Some(last) = sentence.split_whitespace().next_back() else { return false };
    let Some(stem) = last.strip_suffix('.') else { return false };
    let stem = stem.trim_start_matches(|c: char| !c.is_alphanumeric());
    let initial = stem.chars().count() == 1 && stem.chars().all(|c| c.is_uppercase() && c != 'I');
    initial || is_abbreviation(&lower(stem))
}

/// The key under which a sentence counts as said: its words and punctuation, without the full stops
/// or ellipsis it ends with.
pub(crate) fn key(sentence: &str) -> &str {
    sentence.trim().trim_end_matches(['.', '…', ' '])
}

/// `piece` as it may stand in an asset, or `None` when it is a fragment or carries markup.
///
/// A pause at the end (`choices...`) becomes a full stop, which is still word for word.
pub(crate) fn presentable(piece: &str) -> Option<String> {
    let paused = piece.ends_with("...") || piece.ends_with('…');
    let text = if paused { format!("{}.", key(piece)) } else { piece.trim().to_owned() };
    let complete =
        text.ends_with(['.', '!', '?']) && !text.ends_with("-.") && !text.ends_with("..");
    let opens = text.chars().next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit());
    let plain = !text.contains(['[', ']', '*', '_', '<', '>', '|', '\\', '`', '#', '{', '}'])
        && !text.contains("://");
    let balanced = text.matches('"').count() % 2 == 0
        && text.matches('(').count() == text.matches(')').count()
        && text.matches('“').count() == text.matches('”').count();
    let count = words(&text).count();
    let broken_off = paused && words(&text).last().is_some_and(|word| breaks_off(&lower(word)));
    (complete && !broken_off && opens && plain && balanced && (5..=45).contains(&count))
        .then_some(text)
        .filter(|text| stands_alone(text))
}

/// Whether the sentence is the same one between others. One that ends with an abbreviation is taken together with
/// what comes next, and `7 of them went.` with what stood before it.
fn stands_alone(sentence: &str) -> bool {
    let between = ["Before.", sentence, "After."];
    split(&between.join(" ")).eq(between)
}

/// What stands behind a leading connective, when it begins with a capital letter of its own:
/// `Google Cloud has …` of `And Google Cloud has …`. Still word for word, and still a sentence.
pub(crate) fn without_connective(sentence: &str) -> Option<&str> {
    const LEADS: [&str; 15] = [
        "And",
        "So",
        "But",
        "Or",
        "Yeah,",
        "Well,",
        "Now,",
        "Then",
        "then",
        "Because",
        "Okay,",
        "in fact,",
        "In fact,",
        "You know,",
        "Obviously,",
    ];
    let mut rest = sentence;
    while let Some(shorter) =
        LEADS.iter().find_map(|lead| rest.strip_prefix(lead)?.strip_prefix(' '))
    {
        rest = shorter;
    }
    if rest.len() == sentence.len() {
        return None;
    }
    let first = rest.split_whitespace().next()?;
    let named = first.chars().next().is_some_and(char::is_uppercase)
        && !first.starts_with("I'")
        && first != "I";
    named.then_some(rest)
}

/// Whether a pause after `word` leaves the sentence open: `with...`, `and...`, `the...`.
fn breaks_off(word: &str) -> bool {
    const OPEN: [&str; 44] = [
        "a", "an", "the", "and", "or", "but", "so", "because", "if", "when", "while", "as", "than",
        "that", "which", "who", "of", "in", "on", "at", "by", "for", "with", "from", "to", "into",
        "about", "like", "is", "are", "was", "were", "be", "have", "has", "had", "my", "your",
        "our", "their", "just", "then", "really", "very",
    ];
    OPEN.contains(&word)
}
