//! What people give, and the turns it makes. A turn is written `time speaker: text`.

use super::*;

/// The transcript as one line per turn, then its links; or the error.
fn told(file_name: &str, source: &[u8]) -> Vec<String> {
    let transcript = match parse(file_name, source) {
        Ok(transcript) => transcript,
        Err(error) => return vec![format!("! {error}")],
    };
    let turns = transcript.turns.iter().map(|turn| {
        let time = turn.start_ms.map(|ms| format!("{ms} ")).unwrap_or_default();
        let name = turn.speaker.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        format!("{time}{name}{}", turn.text.replace("\n\n", " // "))
    });
    let links = transcript.links.iter().map(|link| format!("{} -> {}", link.label, link.url));
    turns.chain(links).collect()
}

#[track_caller]
fn check(file_name: &str, source: &str, expected: &[&str]) {
    assert_eq!(told(file_name, source.as_bytes()), expected, "{source}");
}

#[track_caller]
fn check_markdown(source: &str, expected: &[&str]) {
    check("episode.md", source, expected);
}

#[test]
fn a_bold_name_begins_a_turn_on_its_line_or_above_its_paragraphs() {
    check_markdown(
        "**Ann Lee:** Hello.\n\n**Bo Q. Ray, Psy.D:**\n\nHi there.\n\nSecond paragraph\nwrapped.",
        &["Ann Lee: Hello.", "Bo Q. Ray, Psy.D: Hi there. // Second paragraph wrapped."],
    );
    check_markdown("**Ann:** One.\n**Bo:** Two.", &["Ann: One.", "Bo: Two."]);
    check_markdown("**Ann**: One.\n\n__Bo:__ Two.", &["Ann: One.", "Bo: Two."]);
}

#[test]
fn times_begin_turns_and_leave_the_text() {
    check_markdown(r"**Ann:** \[04:18\] Hello.", &["258000 Ann: Hello."]);
    check_markdown("[00:04:18.25] **Ann:** Hello.", &["258250 Ann: Hello."]);
    check_markdown(
        "**Ann [04:18]:** Hello.\n\n**Bo (04:20):** Yes.",
        &["258000 Ann: Hello.", "260000 Bo: Yes."],
    );
    check_markdown("[04:18]\n\n**Ann:** Hello.", &["258000 Ann: Hello."]);
    check_markdown("**Ann:** Hello. \\[04:18]\n\nMore.", &["Ann: Hello.", "258000 Ann: More."]);
    check_markdown(
        "**Ann:** Hello.\n\n[04:18]\n\nMore.\n\n[04:30]",
        &["Ann: Hello.", "258000 Ann: More."],
    );
}

#[test]
fn a_time_in_the_middle_of_a_sentence_waits_for_its_end() {
    check_markdown(
        r"**Ann:** It is Node \[01:02\] for us... But then no.",
        &["Ann: It is Node for us...", "62000 Ann: But then no."],
    );
    check_markdown(
        "**Ann:** It is Node [01:02] for us\n\n**Bo:** Yes.",
        &["Ann: It is Node for us", "62000 Bo: Yes."],
    );
}

#[test]
fn parts_of_the_programme_are_no_speakers() {
    check_markdown(
        "**Ann:** One.\n\n**Break:** \\[23:50\\]\n\n**Bo:** Two.\n\n**Outro:**\n",
        &["Ann: One.", "1430000 Bo: Two."],
    );
    check_markdown(
        "**Intro:**\n\nWelcome.\n\n**Ann:** One.\n\n**MUSIC:**\n\nTwo.\n\n**Jingle:** [56:27]",
        &["Welcome.", "Ann: One.", "Ann: Two."],
    );
    check("a.txt", "Ann: One.\nBreak:\nBo: Two.", &["Ann: One.", "Bo: Two."]);
}

#[test]
fn parts_of_the_programme_may_stand_on_lines_of_their_own() {
    check_markdown(
        "Intro\n\n**Ann:** One.\n\n**Break**\n\n[05:00]\n\nMusic:\n\nTwo.\n\n**Bo:**\n\nMusic\n\n**Ann:** Break",
        &["Ann: One.", "300000 Ann: Two.", "Bo: Music", "Ann: Break"],
    );
}

#[test]
fn stage_directions_are_not_said() {
    check_markdown(
        r"**Ann:** Yes \[laughter\]. And \[unintelligible 00:10\] then.\[laughs\] **so**",
        &["Ann: Yes. And then. so"],
    );
    check_markdown(
        "**Ann:** \\[laughs\\]\n\n**Bo:** *[crosstalk]* I told [Ann] so.",
        &["Bo: I told [Ann] so."],
    );
}

#[test]
fn links_keep_their_address_beside_the_text() {
    check_markdown(
        "**Ann:** See [the _new_ site](https://a.example/x_y?b=1&amp;c \"T\") and <http://b.example>.",
        &[
            "Ann: See the new site and http://b.example.",
            "the new site -> https://a.example/x_y?b=1&c",
            "http://b.example -> http://b.example",
        ],
    );
    check_markdown(
        "**Ann:** Go [up](#top), [mail](mailto:a@b.example), [x](javascript:y).",
        &["Ann: Go up, mail, x."],
    );
    check_markdown(
        "**Ann:** See [it][1].\n\n[1]: https://a.example",
        &["Ann: See it.", "it -> https://a.example"],
    );
    check_markdown(
        "**Ann:** One. [04:18](https://a.example?t=258) Two.",
        &["Ann: One.", "258000 Ann: Two.", "https://a.example?t=258 -> https://a.example?t=258"],
    );
}

#[test]
fn inline_markup_is_resolved_as_markdown_says() {
    check_markdown(
        r"**Ann:** A **tiny** _bit_ *more*, `snake_case`, snake_case, 2 \* 3, \#tag, Tom &amp; Jo.",
        &["Ann: A tiny bit more, snake_case, snake_case, 2 * 3, #tag, Tom & Jo."],
    );
    check_markdown(
        "**Ann:** A Vec<T>, <b>bold</b><br>text. <!-- [99:99] -->",
        &["Ann: A Vec<T>, bold text."],
    );
    check_markdown(
        "**20 minute talk** will show\n\n**Ann:** Yes",
        &["20 minute talk will show", "Ann: Yes"],
    );
    check_markdown("**Ann:** The **last:** word", &["Ann: The last: word"]);
}

#[test]
fn blocks_of_markdown_become_paragraphs() {
    check_markdown(
        "**Ann:** One\n\n> quoted\n>\n> - first\n> - second\n\n---\n\n1986. A year\n\n```\ncode. \\[01:02\\] end\n```",
        &["Ann: One // quoted // first // second // 1986. A year // code.", "62000 Ann: end"],
    );
    check_markdown(
        "**Ann:** One\n\n\tTwo *three*\n\n     \\[04:18\\] Four",
        &["Ann: One // Two three", "258000 Ann: Four"],
    );
    check_markdown("1. **Ann:** One\n2. **Bo:** Two", &["Ann: One", "Bo: Two"]);
}

#[test]
fn headings_rules_and_front_matter_are_not_speech() {
    check_markdown(
        "---\ntitle: Show\ntags:\n  - a\n---\n# Show [00:01]\n\n**Ann:** One\n---\n\n## Part [04:18]\n\nTwo",
        &["1000 Ann: One", "258000 Ann: Two"],
    );
    check_markdown("---\n**Ann:** One\n\n---\n\n**Bo:** Two", &["Ann: One", "Bo: Two"]);
    check_markdown("[04:18]: Welcome", &["258000 Welcome"]);
}

#[test]
fn a_source_without_speakers_is_one_turn_per_paragraph() {
    check_markdown("First\nline.\n\nSecond.", &["First line.", "Second."]);
    check("a.txt", "First\nline: more.\n\n\nSecond.\n", &["First line: more.", "Second."]);
    check("no extension", "Only *this*.", &["Only *this*."]);
}

#[test]
fn plain_lines_name_their_speakers() {
    check(
        "a.txt",
        "Speaker 1: Hello\nthere.\n\nSpeaker 2:\nHi you.",
        &["Speaker 1: Hello there.", "Speaker 2: Hi you."],
    );
    check("a.md", "Ann Lee: Hello\nBo: Hi", &["Ann Lee: Hello", "Bo: Hi"]);
    check(
        "a.txt",
        "[00:12] Ann: Hello\n\n00:15 Bo: Hi\n\n00:20\nMore",
        &["12000 Ann: Hello", "15000 Bo: Hi", "20000 Bo: More"],
    );
    check("a.txt", "Ann (00:12):\nHello\nBo (0:15): Hi", &["12000 Ann: Hello", "15000 Bo: Hi"]);
    check("a.txt", "主持人：你好。\n\n嘉宾：你好。", &["主持人: 你好。", "嘉宾: 你好。"]);
}

#[test]
fn a_colon_alone_makes_no_speaker() {
    check("a.txt", "So it begins.\n\nRemember: be kind.", &["So it begins.", "Remember: be kind."]);
    check(
        "a.txt",
        "Hm.\n\nAnn: One\n\nBo: Two\n\nAnn: Three",
        &["Hm.", "Ann: One // Bo: Two", "Ann: Three"],
    );
    check("a.txt", "Here is the thing: it works", &["Here is the thing: it works"]);
    check("a.txt", "https://a.example is up", &["https://a.example is up"]);
}

#[test]
fn bold_names_are_found_in_text_files_too() {
    check("a.txt", "**Ann:** Hello \\[00:05\\] you", &["Ann: Hello you"]);
}

#[test]
fn a_bom_and_windows_line_ends_do_not_matter() {
    check_markdown(
        "\u{feff}**Ann:** One.\r\n\r\n\\[00:05\\] Two.\r\n",
        &["Ann: One.", "5000 Ann: Two."],
    );
}

#[test]
fn each_refusal_names_its_place() {
    let time = "is no time; write [MM:SS] or [HH:MM:SS], or take the bracket away";
    check_markdown("**Ann:** Hi.\n\nSo \\[00:1", &[&format!("! line 3, column 5: `[00:1` {time}")]);
    check_markdown(
        "---\na: b\n---\n**Ann [12:99]:** Hi.",
        &[&format!("! line 4, column 7: `[12:99]` {time}")],
    );
    check("a.txt", "Ann: Hi\nyou [12:", &[&format!("! line 2, column 5: `[12:` {time}")]);
    let silent = "! the file holds markers but no speech; give a file that says what was said";
    for source in ["**Ann:**", "**Break:** [00:12]", "[laughter]", "# Title", "<!-- x -->", "..."] {
        check_markdown(source, &[silent]);
    }
    check("a.vtt", "WEBVTT\n", &[silent]);
    check_markdown(" \n ", &["! the file is empty; give a file with text"]);
    check_markdown(
        "a\0",
        &["! line 1: the file holds a NUL byte; give a text file, not a binary or UTF-16 one"],
    );
}

#[test]
fn speakers_stand_once_in_the_order_of_their_first_turn() {
    let transcript = parse("a.md", b"Hm.\n\n**Bo:** a\n\n**Ann:** b\n\n**Bo:** c").unwrap();
    assert_eq!(transcript.speakers(), ["Bo", "Ann"]);
}

mod any_input;
mod cue_files;
mod real_files;
