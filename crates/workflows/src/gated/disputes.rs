//! Disputes between reviser and reviewer: what was disputed, and what the reviewer answered.
//!
//! A reviser lists `- R2: reason` under `DISPUTED ISSUES`; the reviewer answers `R2: upheld` or `R2: withdrawn`. An issue
//! that was disputed twice and upheld twice is for a person.
//!
//! Invariant: only an answer to what the remarks dispute counts.
//! Absent here: who waits.

use super::{code, profile::Phase, shape::step_of};
use redraft_loop::Run;
use std::collections::BTreeMap;

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
    let disputed: Vec<String> = disputed.iter().filter_map(|item| id_of(item)).collect();
    let mut upheld: Vec<String> = review.lines().filter_map(upheld_in).collect();
    upheld.retain(|id| disputed.contains(id));
    upheld.sort();
    upheld.dedup();
    upheld
}

/// The id that a line upholds: `- **R2**: upheld, because …`.
fn upheld_in(line: &str) -> Option<String> {
    let id = id_of(line)?;
    let rest = line.split_once(':')?.1;
    let word = rest.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?;
    word.eq_ignore_ascii_case("upheld").then_some(id)
}

/// The id that a line begins with: `R` and a number, whatever marks stand around it.
fn id_of(line: &str) -> Option<String> {
    let word = line.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?;
    let digits = word.strip_prefix(['R', 'r'])?;
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    is_number.then(|| format!("R{digits}"))
}
