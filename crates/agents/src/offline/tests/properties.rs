//! What no transcript may bring about: a panic, an invented sentence, a bad slug.

use std::sync::LazyLock;

use proptest::prelude::*;
use redraft_workflows::episode::{SpeakerTurn, Transcript};

use crate::offline::words::one_spaced;
use crate::offline::{
    Episode, Previous, draft, kinds, review, suggest_chapters, summarize_chunk, summarize_episode,
};

fn transcripts() -> impl Strategy<Value = Transcript> {
    let word = prop_oneof![
        Just("Parser".to_owned()),
        Just("grammar".to_owned()),
        Just("is".to_owned()),
        Just("the".to_owned()),
        Just("It".to_owned()),
        Just("so...".to_owned()),
        Just("--".to_owned()),
        Just("Ph.D.".to_owned()),
        Just("\"".to_owned()),
        Just("end.".to_owned()),
        Just("why?".to_owned()),
        Just("[x](".to_owned()),
        Just("#tag".to_owned()),
        Just("\n\n".to_owned()),
        "\\PC{1,8}",
    ];
    let text = prop::collection::vec(word, 1..60).prop_map(|words| words.join(" "));
    let turn = (
        prop::option::of("[A-Z][a-z]{0,6}( [A-Zé][a-z]{1,8})?"),
        prop::option::of(0u64..9_000_000),
        text,
    )
        .prop_map(|(speaker, start_ms, text)| SpeakerTurn { speaker, start_ms, text });
    prop::collection::vec(turn, 1..12).prop_map(|turns| Transcript { turns, links: Vec::new() })
}

static EPISODE: LazyLock<Episode> = LazyLock::new(super::fixture::episode);

/// Writes and revises every kind; nothing of it may be unsaid.
fn check(transcript: &Transcript) -> Result<(), TestCaseError> {
    let episode = Episode::new(transcript.clone(), suggest_chapters(transcript));
    for kind in kinds() {
        let mut draft = draft(kind, &episode, None).unwrap();
        for iteration in 1..=3 {
            let findings = review(kind, &episode, &draft.text);
            prop_assert!(
                findings.iter().all(|finding| finding.code != "not_in_transcript"),
                "{kind}: {}",
                draft.text
            );
            prop_assert!(
                kind != "slug" || findings.iter().all(|finding| finding.code != "form"),
                "{}",
                draft.text
            );
            let previous = Previous { text: &draft.text, findings: &findings, iteration };
            draft = crate::offline::draft(kind, &episode, Some(previous)).unwrap();
        }
    }
    Ok(())
}

/// An episode in which these texts are said, one after the other.
fn said(texts: &[&str]) -> Transcript {
    let turn =
        |text: &&str| SpeakerTurn { speaker: None, start_ms: None, text: (*text).to_owned() };
    Transcript { turns: texts.iter().map(turn).collect(), links: Vec::new() }
}

#[test]
fn a_sentence_that_ends_with_an_abbreviation_is_not_joined_with_the_next_paragraph() {
    let text = "Parser \" Parser Parser \" Parser Ph.D. \n\n Ph.D. 7Ü𞹰ฟ×ൌ why? end. why? Parser";
    check(&said(&[text])).unwrap();
    check(&said(&[text, "The grammar is the parser so why?"])).unwrap();
}

#[test]
fn a_sentence_that_begins_with_a_number_is_not_joined_with_the_one_before() {
    check(&said(&["The parser reads the whole file.", "7 grammars are what the parser reads."]))
        .unwrap();
}

#[test]
fn a_hashtag_is_the_phrase_in_any_case() {
    for word in ["ὐtokens", "ıtokens", "ſtokens", "ŉtokens"] {
        let sentence = format!("The parser reads {word} before the grammar reads {word} again.");
        check(&said(&[&sentence, &sentence, &sentence])).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_transcript_makes_the_agent_panic_or_invent(transcript in transcripts()) {
        let whole = one_spaced(&transcript.turns.iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>().join(" "));
        check(&transcript)?;
        let episode = Episode::new(transcript.clone(), suggest_chapters(&transcript));
        let digest = summarize_episode(&episode);
        prop_assert!(digest.key_points.iter().all(|point| whole.contains(point.trim_end_matches('.'))));
        let chunk = summarize_chunk(&whole, &episode);
        prop_assert!(chunk.bullets.len() <= 5);
    }

    #[test]
    fn no_text_makes_the_reviewer_or_the_reviser_panic(text in "(\\PC|\n|[#*\\[\\]():,.-]){0,200}") {

        for kind in kinds() {
            let findings = review(kind, &EPISODE, &text);
            draft(kind, &EPISODE, Some(Previous { text: &text, findings: &findings, iteration: 1 })).unwrap();
        }
    }
}
