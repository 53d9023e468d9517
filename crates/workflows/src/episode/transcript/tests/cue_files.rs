//! WebVTT, SRT and JSON, as subtitle programs and hosts of podcasts write them.

use super::{check, told};

#[test]
fn voices_of_web_vtt_are_speakers() {
    check(
        "a.vtt",
        "WEBVTT - Show\nKind: captions\n\nNOTE made by hand\n\nSTYLE\n::cue {}\n\n1\n00:01.000 --> 00:03.500 align:start\n<v.loud Ann Lee>Hello &amp; <i>welcome</i>\nto the show.</v>\n\n00:03.500 --> 00:04.000\n<v Ann Lee>Today</v>\n\n00:00:04.000 --> 00:00:05.000\n<v Bo>Hi.\n\n00:05.000 --> 00:06.000\n[music]\n\n00:06.000 --> 00:07.000\nNo voice",
        &["1000 Ann Lee: Hello & welcome to the show. Today", "4000 Bo: Hi.", "6000 No voice"],
    );
}

#[test]
fn two_voices_may_share_a_cue() {
    check(
        "talk.vtt",
        "WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ann>One.</v> <v Bo>Two.</v> Three.",
        &["1000 Ann: One.", "1000 Bo: Two.", "1000 Three."],
    );
}

#[test]
fn cues_of_srt_are_gathered_into_turns() {
    check(
        "a.srt",
        "1\r\n00:00:01,000 --> 00:00:03,000\r\nAnn: <i>Hello</i>\r\n{\\an8}there\r\n\r\n2\r\n00:00:03,000 --> 00:00:05,000\r\nyou.\r\n\r\n3\r\n00:00:06.000 --> 00:00:07.000\r\nBo: Hi.\r\n",
        &["1000 Ann: Hello there you.", "6000 Bo: Hi."],
    );
    check("dump", "1\n00:00:01,000 --> 00:00:03,000\nHi", &["1000 Hi"]);
}

#[test]
fn a_long_run_of_cues_is_parted_at_a_sentence() {
    let cues = "00:00:01,000 --> 00:00:20,000\nOne.\n\n00:00:20,000 --> 00:00:40,000\nTwo\n\n00:00:40,000 --> 00:00:50,000\nthree.\n\n00:00:50,000 --> 00:00:55,000\nFour.";
    check("a.srt", cues, &["1000 One. Two three.", "50000 Four."]);
}

#[test]
fn captions_without_points_are_parted_after_a_while() {
    let cue =
        |minute: u32| format!("00:0{minute}:00,000 --> 00:0{minute}:59,000\nword {minute}\n\n");
    let source: String = (0..5).map(cue).collect();
    check("a.srt", &source, &["0 word 0 word 1", "120000 word 2 word 3", "240000 word 4"]);
}

#[test]
fn text_of_srt_may_hold_blank_lines_and_miss_them_between_cues() {
    check(
        "a.srt",
        "1\n00:00:01,000 --> 00:00:02,000\nOne\n\nmore\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n3\n00:00:03,000 --> 00:00:04,000\nThree",
        &["1000 One more Two Three"],
    );
}

#[test]
fn a_cue_that_cannot_be_read_is_refused_with_its_line() {
    let vtt = |line: &str| format!("WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\n{line}\nTwo");
    let srt = |line: &str| format!("1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n{line}\nTwo");
    let expected = "expected a time such as `00:01:02";
    for (name, source, line, problem) in [
        ("a.vtt", vtt("00:02.000 --> 00:0"), 6, expected),
        ("a.vtt", vtt("00:02.000 -->"), 6, expected),
        ("a.vtt", vtt("00:02.000"), 6, "text without a time line"),
        ("a.vtt", vtt("00:03.000 --> 00:02.000"), 6, "the cue ends before it begins"),
        (
            "a.vtt",
            vtt("99999999999:00:03.000 --> 00:02.000"),
            6,
            "the time is beyond any recording",
        ),
        ("a.vtt", vtt("99999999999999999999:00:03.000 --> 00:02.000"), 6, expected),
        ("a.srt", srt("00:00:02,000 --> 00:00:0"), 6, expected),
        ("a.srt", srt("00:00:61,000 --> 00:01:02,000"), 6, expected),
        ("a.srt", srt("00:00:02"), 5, "text without a time line"),
        ("a.srt", "Hello\n".to_owned(), 1, "text without a time line"),
    ] {
        let found = told(name, source.as_bytes());
        let start = format!("! line {line}: {problem}");
        assert!(found[0].starts_with(&start), "{source}: {found:?}");
    }
    check(
        "a.vtt",
        "1\n",
        &["! line 1: a WebVTT file begins with `WEBVTT`; add that line, or rename the file"],
    );
}

#[test]
fn a_marker_in_a_cue_is_refused_near_its_line() {
    let found = told("a.srt", b"1\n00:00:01,000 --> 00:00:02,000\nOne [12:99]");
    assert!(found[0].starts_with("! line 3, column 5: `[12:99]`"), "{found:?}");
}

#[test]
fn json_segments_are_gathered_like_cues() {
    check(
        "a.json",
        r#"{"version":"1.0.0","segments":[
            {"speaker":"Ann","startTime":0.5,"endTime":0.75,"body":"I"},
            {"speaker":"Ann","startTime":0.75,"body":"say. [laughs]"},
            {"speaker":"Bo","startTime":2,"body":"You."},
            {"startTime":3,"body":"Hm."}]}"#,
        &["500 Ann: I say.", "2000 Bo: You.", "3000 Hm."],
    );
}

#[test]
fn json_that_is_no_transcript_is_refused_at_its_path() {
    for (source, start) in [
        (r#"{"segments":"#, "! line 1, column 12: not JSON: EOF"),
        (r#"{"version":1}"#, "! segments: expected a list"),
        (r#"{"segments":[{"body":"a"}]}"#, "! segments[0].startTime: expected seconds"),
        (
            r#"{"segments":[{"startTime":-1,"body":"a"}]}"#,
            "! segments[0].startTime: expected seconds",
        ),
        (r#"{"segments":[{"startTime":1}]}"#, "! segments[0].body: expected text"),
        (
            r#"{"segments":[{"startTime":1,"body":"a","speaker":1}]}"#,
            "! segments[0].speaker: expected text",
        ),
        (
            r#"{"segments":[{"startTime":1,"body":"[12:"}]}"#,
            "! segments[0].body: `[12:` is no time",
        ),
        (r#"{"segments":[]}"#, "! the file holds markers but no speech"),
    ] {
        let found = told("a.json", source.as_bytes());
        assert!(found[0].starts_with(start), "{source}: {found:?}");
    }
}

#[test]
fn json_of_odd_programs_is_read_the_same() {
    let text = "\u{feff}\r\n{ \"version\": \"1.0.0\",\r\n \"segments\": [\r\n{\"startTime\": 1e0, \"endTime\": null, \"speaker\": null, \"body\": \"One\\r\\ntwo.\", \"more\": {}},\r\n{\"startTime\": 2.5, \"speaker\": \" \", \"body\": \" \"},\r\n{\"startTime\": 3, \"speaker\": \"Ann\\nLee\", \"body\": \"Three \\u00e9\\u0007\\u001b[0m.\\u0000\"}]}";
    check("a.json", text, &["1000 One two.", "3000 Ann Lee: Three é [0m."]);
}
