//! Chunks of small transcripts. A chunk is written `start turns: text`.

use proptest::prelude::*;

use super::*;

fn transcript(turns: &[(&str, Option<u64>, &str)]) -> Transcript {
    let turn = |(name, start_ms, text): &(&str, Option<u64>, &str)| SpeakerTurn {
        speaker: Some((*name).to_owned()).filter(|name| !name.is_empty()),
        start_ms: *start_ms,
        text: (*text).to_owned(),
    };
    Transcript { turns: turns.iter().map(turn).collect(), links: Vec::new() }
}

#[track_caller]
fn check(turns: &[(&str, Option<u64>, &str)], max_chars: usize, expected: &[&str]) {
    let show = |chunk: &Chunk| {
        let start = chunk.start_sec.map(|start| format!("{start} ")).unwrap_or_default();
        format!("{start}{:?}: {}", chunk.turns, chunk.text.replace("\n\n", " // "))
    };
    let found: Vec<String> = chunks(&transcript(turns), max_chars).iter().map(show).collect();
    assert_eq!(found, expected);
}

#[test]
fn turns_are_gathered_up_to_the_bound() {
    let turns = [("Ann", Some(1500), "One."), ("Bo", None, "Two."), ("", None, "Three.")];
    check(&turns, 100, &["1.5 0..3: Ann: One. // Bo: Two. // Three."]);
    check(&turns, 20, &["1.5 0..2: Ann: One. // Bo: Two.", "1.5 2..3: Three."]);
    check(&turns, 10, &["1.5 0..1: Ann: One.", "1.5 1..2: Bo: Two.", "1.5 2..3: Three."]);
}

#[test]
fn ids_count_from_one() {
    let chunks = chunks(&transcript(&[("", None, "a"), ("", None, "b")]), 1);
    assert_eq!(
        chunks.iter().map(|chunk| chunk.chunk_id.as_str()).collect::<Vec<_>>(),
        ["chunk_0001", "chunk_0002"]
    );
}

#[test]
fn a_turn_over_the_bound_is_split_where_it_hurts_least() {
    check(
        &[("Ann", None, "One two. Three four.")],
        16,
        &["0..1: Ann: One two.", "0..1: Ann: Three four."],
    );
    check(&[("", None, "Paragraph\n\nnext one")], 15, &["0..1: Paragraph", "0..1: next one"]);
    check(&[("", None, "one two three")], 8, &["0..1: one two", "0..1: three"]);
    check(&[("", None, "abcdéfgh")], 5, &["0..1: abcdé", "0..1: fgh"]);
    check(&[("", None, "一。二三")], 3, &["0..1: 一。", "0..1: 二三"]);
}

#[test]
fn a_name_that_leaves_no_room_is_left_out_of_split_turns() {
    check(&[("Annabel", None, "one two")], 9, &["0..1: one two"]);
    check(&[("Annabel", None, "one")], 12, &["0..1: Annabel: one"]);
    check(&[("Ann", None, "ab")], 0, &["0..1: a", "0..1: b"]);
}

#[test]
fn a_chunk_begins_at_the_last_time_known() {
    let turns = [("", None, "aa"), ("", Some(2000), "bb"), ("", None, "cc")];
    check(&turns, 2, &["0..1: aa", "2 1..2: bb", "2 2..3: cc"]);
}

fn turn() -> impl Strategy<Value = SpeakerTurn> {
    let text = "[a-zé。.?]{1,12}( |\n\n)?([a-zé。.?]{1,12}[ ][a-z.]{1,9}){0,6}";
    (prop::option::of("[A-Z][a-z]{0,12}"), prop::option::of(0_u64..10_000), text).prop_map(
        |(speaker, start_ms, text)| SpeakerTurn { speaker, start_ms, text: text.trim().to_owned() },
    )
}

/// What was said, without the names that chunks put before it and without blanks.
fn said(text: &str, names: &[&str]) -> String {
    let lines = text.split("\n\n").map(|line| {
        let name = names.iter().find_map(|name| line.strip_prefix(name)?.strip_prefix(": "));
        name.unwrap_or(line)
    });
    lines.collect::<String>().split_whitespace().collect()
}

proptest! {
    #[test]
    fn no_text_is_lost_and_no_chunk_is_too_long(
        turns in prop::collection::vec(turn(), 0..12),
        max_chars in 0_usize..120,
    ) {
        let transcript = Transcript { turns, links: Vec::new() };
        let chunks = chunks(&transcript, max_chars);
        let names = transcript.speakers();
        let whole: String = transcript.turns.iter().map(|turn| said(&turn.text, &[])).collect();
        let found: String = chunks.iter().map(|chunk| said(&chunk.text, &names)).collect();
        prop_assert_eq!(found, whole);
        prop_assert!(chunks.iter().all(|chunk| chunk.text.chars().count() <= max_chars.max(1)));
        prop_assert!(chunks.iter().all(|chunk| !chunk.text.trim().is_empty()));
    }

    #[test]
    fn whole_words_come_through_where_they_fit(words in prop::collection::vec("[a-z]{1,8}[.?]?", 1..60)) {
        let transcript = transcript(&[("Ann", None, &words.join(" "))]);
        let found: Vec<String> = chunks(&transcript, 20)
            .iter()
            .flat_map(|chunk| chunk.text.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>())
            .collect();
        prop_assert_eq!(found, words);
    }
}
