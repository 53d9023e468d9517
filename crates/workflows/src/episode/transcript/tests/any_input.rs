//! What holds for every input, however damaged.

use proptest::prelude::*;

use super::parse;

const GOOD: &[(&str, &str)] = &[
    (
        "a.md",
        "**Ann:** \\[04:18\\] Hé *yes* \\[laughs\\], [it](https://a.example).\n\n**Break:** [05:00]\n\n**Bo:** No.",
    ),
    ("a.txt", "[00:01] Ann: One [unintelligible 00:00:02.10] two.\n\nBo (00:03): Three."),
    (
        "a.vtt",
        "WEBVTT\n\n1\n00:01.000 --> 00:02.000\n<v Ann>One é</v>\n\n2\n00:02.000 --> 00:03.000\n<v Bo>Two",
    ),
    (
        "a.srt",
        "1\n00:00:01,000 --> 00:00:02,000\nAnn: One\n\n2\n00:00:02,000 --> 00:00:03,000\nBo: [04:18] Two",
    ),
    (
        "a.json",
        r#"{"version":"1.0.0","segments":[{"speaker":"Ann","startTime":0.5,"body":"I say \u0041"}]}"#,
    ),
];

/// A time marker that is still in a text: `[`, two digits, a colon.
pub(super) fn holds_marker(text: &str) -> bool {
    text.match_indices('[').any(|(at, _)| {
        let after = &text.as_bytes()[at + 1..];
        after.len() > 2 && after[..2].iter().all(u8::is_ascii_digit) && after[2] == b':'
    })
}

#[track_caller]
fn check_any(file_name: &str, source: &[u8]) {
    let transcript = match parse(file_name, source) {
        Ok(transcript) => transcript,
        Err(error) => return assert!(error.to_string().contains("; "), "no advice in: {error}"),
    };
    assert!(!transcript.turns.is_empty());
    for turn in &transcript.turns {
        let name = turn.speaker.clone().unwrap_or_default();
        assert!(!turn.text.trim().is_empty(), "a blank turn in {source:?}");
        assert!(!holds_marker(&turn.text) && !holds_marker(&name), "a marker in {turn:?}");
        assert!(!turn.text.replace("\n\n", "").contains(char::is_control), "control in {turn:?}");
    }
    for link in &transcript.links {
        assert!(link.url.to_lowercase().starts_with("http") && !link.label.trim().is_empty());
    }
}

#[test]
fn a_good_file_cut_at_any_byte_is_read_or_refused() {
    for (name, source) in GOOD {
        assert!(parse(name, source.as_bytes()).is_ok(), "{name}");
        for end in 0..source.len() {
            check_any(name, &source.as_bytes()[..end]);
        }
    }
}

fn extension() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a.md", "a.txt", "a.vtt", "a.srt", "a.json", "", "a.docx"])
        .prop_map(str::to_owned)
}

/// Pieces that parsers trip over.
#[rustfmt::skip]
const CROOKED: &[&str] = &[
    "**", "__", "*", "_", "`", "[", "]", "\\[", "\\]", "\\", "(", ")", "<", ">", "#", "- ", "1. ",
    "12:02", "12:", "00:01:02.03", "--> ", "00:00:01,000 --> 00:00:02,000",
    "00:01.000 --> 00:02.000", ":", "：", "Ann", "Break", "laughs", "unintelligible", " ", "\n",
    "\n\n", "\r\n", ". ", "...", "https://a.example", "WEBVTT\n", "<v Ann>", "</v>", "&#91;",
    "&#x1b;", "é", "💚", "\u{feff}", "\u{200b}", "---\n", "{", "\"", "    ", "\t", "![", "](",
    "<!--", "-->", "```\n", "1\n", "{\"segments\":[", "word",
];

fn crooked() -> impl Strategy<Value = String> {
    let bits = CROOKED.to_vec();
    prop::collection::vec(prop::sample::select(bits), 0..40).prop_map(|bits| bits.concat())
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(name in extension(), source in prop::collection::vec(any::<u8>(), 0..200)) {
        check_any(&name, &source);
    }

    #[test]
    fn no_text_makes_it_panic_or_keeps_a_marker(name in extension(), source in "\\PC*") {
        check_any(&name, source.as_bytes());
    }

    #[test]
    fn no_crooked_text_makes_it_panic_or_keeps_a_marker(name in extension(), source in crooked()) {
        check_any(&name, source.as_bytes());
    }

    #[test]
    fn words_of_a_turn_come_through(words in prop::collection::vec("[a-z]{1,8}", 1..30)) {
        let text = words.join(" ");
        let transcript = parse("a.md", format!("**Ann:** {text}").as_bytes()).unwrap();
        prop_assert_eq!(&transcript.turns[0].text, &text);
    }
}
