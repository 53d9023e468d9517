//! Chapter files as people and programs write them. A chapter is written `start[-end] title`.

use proptest::prelude::*;

use super::super::transcript;
use super::*;

fn show(chapters: &[Chapter]) -> Vec<String> {
    let show = |chapter: &Chapter| {
        let end = chapter.end_sec.map(|end| format!("-{end}")).unwrap_or_default();
        format!("{}{end} {}", chapter.start_sec, chapter.title)
    };
    chapters.iter().map(show).collect()
}

#[track_caller]
fn check(file_name: &str, source: &str, expected: &[&str]) {
    let told = match parse(file_name, source.as_bytes()) {
        Ok(chapters) => show(&chapters),
        Err(error) => vec![format!("! {error}")],
    };
    assert_eq!(told, expected, "{source}");
}

#[track_caller]
fn check_markers(source: &str, expected: &[&str]) {
    let transcript = transcript::parse("a.md", source.as_bytes()).unwrap();
    assert_eq!(show(&from_markers(&transcript)), expected, "{source}");
}

#[test]
fn a_line_is_a_time_and_a_title() {
    check(
        "chapters.txt",
        "00:00 Welcome\r\n\r\n04:18.5 - Two: the sequel\n01:02:03 Three <https://a.example>\n(1:10:00) Four <3\n",
        &["0 Welcome", "258.5 Two: the sequel", "3723 Three", "4200 Four <3"],
    );
}

#[test]
fn a_line_that_is_no_chapter_is_refused() {
    check(
        "a.txt",
        "00:00 A\n\nIntro",
        &["! line 3: `Intro` is no time; write `HH:MM:SS Title` or `MM:SS Title`"],
    );
    check(
        "a.txt",
        "00:00 A\n00:6",
        &["! line 2: `00:6` is no time; write `HH:MM:SS Title` or `MM:SS Title`"],
    );
    check(
        "a.txt",
        "00:00 A\n00:06",
        &["! line 2: the chapter has no title; write one behind its time"],
    );
    let order = "the chapter does not begin after the one before it; put them in order";
    check("a.txt", "00:05 A\n00:05 B", &[&format!("! line 2: {order}")]);
    check("a.txt", "00:05 A\n00:04 B", &[&format!("! line 2: {order}")]);
    check("a.txt", "\n", &["! the file is empty; give a file with text"]);
}

#[test]
fn json_chapters_may_carry_pictures_and_links() {
    check(
        "chapters.json",
        r#"{"version":"1.2.0","author":"x","chapters":[
            {"startTime":0,"title":"One","img":"https://a.example/1.png","toc":true},
            {"startTime":3.5,"img":"https://a.example/2.png","toc":false},
            {"startTime":4.25,"title":" Two ","endTime":9,"url":"https://a.example"}]}"#,
        &["0 One", "4.25-9 Two"],
    );
}

#[test]
fn json_that_is_wrong_is_refused_at_its_path() {
    let file = |chapters: &str| format!(r#"{{"version":"1.2.0","chapters":[{chapters}]}}"#);
    let number = "expected seconds as a number";
    for (source, start) in [
        ("{\"chapters\":".to_owned(), "! line 1, column 12: not JSON: EOF"),
        (r#"{"version":"2.0.0","chapters":[]}"#.to_owned(), "! version: expected"),
        (r#"{"version":2,"chapters":[]}"#.to_owned(), "! version: expected"),
        (r#"{"chapters":{}}"#.to_owned(), "! chapters: expected a list"),
        (file(""), "! the file holds no chapter"),
        (file(r#"{"title":"a"}"#), &format!("! chapters[0].startTime: {number}")),
        (file(r#"{"startTime":"0","title":"a"}"#), &format!("! chapters[0].startTime: {number}")),
        (file(r#"{"startTime":-1,"title":"a"}"#), "! chapters[0].startTime: the start is no time"),
        (
            file(r#"{"startTime":1,"endTime":"2","title":"a"}"#),
            &format!("! chapters[0].endTime: {number}"),
        ),
        (
            file(r#"{"startTime":1,"endTime":1,"title":"a"}"#),
            "! chapters[0].endTime: the chapter ends before",
        ),
        (file(r#"{"startTime":1}"#), "! chapters[0].title: expected text"),
        (file(r#"{"startTime":1,"title":" "}"#), "! chapters[0].title: the chapter has no title"),
        (
            file(r#"{"startTime":1,"title":"a\nb"}"#),
            "! chapters[0].title: the title holds a control",
        ),
        (
            file(r#"{"startTime":1,"title":"a"},{"startTime":1,"title":"b"}"#),
            "! chapters[1].startTime: the chapter does not begin after",
        ),
    ] {
        let error = parse("a.json", source.as_bytes()).unwrap_err();
        assert!(format!("! {error}").starts_with(start), "{source}: {error}");
    }
}

#[test]
fn podlove_chapters_are_found_in_a_file_or_feed() {
    check(
        "a.psc",
        "<?xml version=\"1.0\"?>\n<psc:chapters version=\"1.2\">\n<!-- <psc:chapter/> -->\n<psc:chapter start=\"0\" title=\"A > B\"/>\n<psc:chapter title='Tom &amp; &#74;o &x;' href=\"https://a.example\" start=\"00:01:02.500\"></psc:chapter>\n</psc:chapters>",
        &["0 A > B", "62.5 Tom & Jo &x;"],
    );
    check(
        "a.xml",
        "<a>\n<chapter title=\"x\"/></a>",
        &["! line 2: expected start=\"HH:MM:SS\"; add or correct it"],
    );
    check(
        "a.xml",
        "<a>\n<chapter title=\"x",
        &["! line 2: the tag is not closed; close it with `>`"],
    );
    check(
        "a.xml",
        "<rss></rss>",
        &["! the file holds no chapter; leave it out, or write lines such as `00:00 Welcome`"],
    );
}

#[test]
fn ffmetadata_chapters_are_read_with_their_time_base() {
    check(
        "meta.txt",
        ";FFMETADATA1\ntitle=Show\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\n#END\nEND=60000\ntitle=One \\= \\\\ two\n[STREAM]\ntitle=x\n[CHAPTER]\nSTART=60000000000\ntitle=Line\\\nbreak\n",
        &["0-60 One = \\ two", "60 Line break"],
    );
    check("a", ";FFMETADATA1\n[CHAPTER]\ntitle=a", &["! line 2: the chapter has no START; add it"]);
    check(
        "a",
        ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/0",
        &["! line 3: expected TIMEBASE=1/1000 or the like; correct it"],
    );
    check(
        "a",
        ";FFMETADATA1\n[CHAPTER]\nSTART=x",
        &["! line 3: expected START=number; correct it"],
    );
}

#[test]
fn markers_begin_chapters_named_by_what_was_said() {
    check_markers(
        "**Ann:** Hello.\n\n**Bo:** [00:10] Right. So we begin with the boat. Then more.\n\n**Ann:** [00:05] Back in time.\n\n[01:00] ...and this sentence goes on and on, well beyond any title, you see.",
        &[
            "10 Right. So we begin with the boat.",
            "60 and this sentence goes on and on, well beyond any title, you",
        ],
    );
    check_markers("**Ann:** Hello.", &[]);
    check_markers("**Ann:** [00:10] Yeah.\n\n**Bo:** [00:20] Very well.", &["20 Very well."]);
    check_markers("**Ann:** [00:10] Yeah.", &["10 Yeah."]);
}

#[test]
fn many_markers_become_a_dozen_chapters_over_the_whole_time() {
    let source: String =
        (0..100).map(|at| format!("[{at:02}:00] Turn number {at} is this.\n\n")).collect();
    let chapters = from_markers(&transcript::parse("a.md", source.as_bytes()).unwrap());
    assert_eq!(chapters.len(), 12);
    assert_eq!(chapters[0].title, "Turn number 0 is this.");
    assert!(chapters[11].start_sec > 80.0 * 60.0, "{chapters:?}");
}

fn check_invariants(chapters: &[Chapter]) {
    assert!(chapters.windows(2).all(|pair| pair[0].start_sec < pair[1].start_sec), "{chapters:?}");
    for chapter in chapters {
        assert!(
            chapter.start_sec >= 0.0 && chapter.end_sec.is_none_or(|end| end > chapter.start_sec)
        );
        assert!(!chapter.title.trim().is_empty() && !chapter.title.contains(char::is_control));
    }
}

#[test]
fn a_good_file_cut_at_any_byte_is_read_or_refused() {
    for source in [
        "00:00 Wé\n01:02.5 - Two <https://a.example>",
        r#"{"version":"1.2.0","chapters":[{"startTime":0,"title":"Wé","endTime":2}]}"#,
        "<psc:chapters><psc:chapter start=\"0:01\" title=\"W&#233;\"/></psc:chapters>",
        ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1\nEND=2\ntitle=Wé\\=",
    ] {
        check_invariants(&parse("a", source.as_bytes()).unwrap());
        for end in 0..source.len() {
            if let Ok(chapters) = parse("a", &source.as_bytes()[..end]) {
                check_invariants(&chapters);
            }
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(head in prop::sample::select(vec!["", "{", "<", ";FFMETADATA1\n[CHAPTER]\n", "00:01 "]), tail in prop::collection::vec(any::<u8>(), 0..200)) {
        let source = [head.as_bytes(), &tail].concat();
        if let Ok(chapters) = parse("a.txt", &source) {
            check_invariants(&chapters);
        }
    }

    #[test]
    fn chapters_of_any_marked_transcript_are_in_order_and_said(turns in prop::collection::vec((0_u64..6000, "[a-zé .,!?-]{0,150}"), 1..60)) {
        let source: String = turns.iter().map(|(at, text)| format!("[{}:{:02}] x{text}\n\n", at / 60, at % 60)).collect();
        let transcript = transcript::parse("a.txt", source.as_bytes()).unwrap();
        let chapters = from_markers(&transcript);
        check_invariants(&chapters);
        prop_assert!(chapters.len() <= 12);
        for chapter in &chapters {
            prop_assert!(chapter.title.chars().count() <= 60);
            prop_assert!(transcript.turns.iter().any(|turn| turn.text.contains(&chapter.title)));
        }
    }
}

mod odd_files;
