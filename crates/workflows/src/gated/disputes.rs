//! Disputes between reviser and reviewer: what was disputed, and what the reviewer answered.
//!
//! A reviser lists `- R2: reason` under `DISPUTED ISSUES`; the reviewer answers `R2: upheld` or `R2: withdrawn` under a
//! heading `Disputes`. An issue that was disputed twice and upheld twice is for a person.
//!
//! Invariant: only an answer to what the remarks dispute counts, and only where answers stand: what a review quotes of the
//! code above them answers nothing. Nothing below the heading takes an answer back; at worst a person is asked in vain.
//! Absent here: who waits.

use super::{code, profile::Phase, shape::step_of};
use redraft_loop::Run;
use std::collections::{BTreeMap, BTreeSet};

/// The issues that were disputed and upheld in at least two reviews, the newest of them among these; by id.
///
/// `newest` is the response of the review at hand, of this iteration.
pub(super) fn upheld_twice(
    run: &Run,
    iteration: u32,
    newest: &str,
    extension: &str,
) -> Vec<String> {
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    for earlier in 2..iteration {
        if let Some(review) = run.turn(earlier, &step_of(Phase::Review)) {
            for id in upheld(run, earlier, review.text(), extension) {
                *times.entry(id).or_default() += 1;
            }
        }
    }
    let mut now = upheld(run, iteration, newest, extension);
    now.retain(|id| times.contains_key(id));
    now
}

/// What a review of an iteration upholds of what its author disputed.
fn upheld(run: &Run, iteration: u32, review: &str, extension: &str) -> Vec<String> {
    let Some(Ok((_, disputed))) =
        code::turn_of(run, iteration).map(|turn| code::remarks(turn, extension))
    else {
        return Vec::new();
    };
    let disputed: BTreeSet<String> = disputed.iter().flat_map(|item| ids_of(item)).collect();
    let upheld: BTreeSet<String> = answers(review).flat_map(upheld_in).collect();
    upheld.intersection(&disputed).cloned().collect()
}

/// The lines below the heading, up to the end: a heading that is quoted there must not hide what follows.
fn answers(review: &str) -> impl Iterator<Item = &str> {
    let is_quoted = |line: &&str| line.trim_start().starts_with('>');
    review.lines().skip_while(|line| !is_heading(line)).skip(1).filter(move |line| !is_quoted(line))
}

/// `## Disputes`, in any case and dress.
fn is_heading(line: &str) -> bool {
    let words = line.trim().trim_matches(['#', '*', '_', ':', ' ', '\t']);
    ["Disputes", "Disputed issues"].iter().any(|heading| words.eq_ignore_ascii_case(heading))
}

/// The ids that a line upholds: `- **R2**: upheld, because …`, `R2, R3: upheld`, `| R2 | upheld |`.
fn upheld_in(line: &str) -> Vec<String> {
    let ids = ids_of(line);
    let behind_colon = line.split_once(':').and_then(|(_, answer)| words(answer).next());
    let behind_ids = words(unnumbered(line)).find(|word| id_of(word).is_none());
    let mut answers = [behind_colon, behind_ids].into_iter().flatten();
    let upheld = answers.any(|word| word.eq_ignore_ascii_case("upheld"));
    if upheld { ids } else { Vec::new() }
}

/// The ids that a line begins with.
fn ids_of(line: &str) -> Vec<String> {
    let words = words(unnumbered(line)).filter(|word| !word.eq_ignore_ascii_case("and"));
    words.map_while(id_of).collect()
}

/// A line without the number of a list.
fn unnumbered(line: &str) -> &str {
    let line = line.trim_start();
    let text = line.trim_start_matches(|c: char| c.is_ascii_digit());
    text.strip_prefix(['.', ')']).filter(|_| text.len() < line.len()).unwrap_or(line)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The id that a word is: `R` and a number.
fn id_of(word: &str) -> Option<String> {
    let digits = word.strip_prefix(['R', 'r'])?;
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    is_number.then(|| format!("R{}", digits.trim_start_matches('0')))
}
