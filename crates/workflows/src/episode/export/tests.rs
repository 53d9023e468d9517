//! What is written is read back, and nothing gets out of its place.

use super::*;
use crate::episode::{Chapter, chapters};
use proptest::prelude::*;

fn chapter(start_sec: f64, end_sec: Option<f64>, title: &str) -> Chapter {
    Chapter { title: title.to_owned(), start_sec, end_sec, summary: None }
}

fn export(chapters: &[Chapter]) -> Export {
    Export { chapters: marks(chapters), ..Export::default() }
}

fn full(text: &str) -> Export {
    Export {
        title: Line::new(text),
        subtitle: Line::new(text),
        summary: Text::new(text),
        tags: Line::new(text).into_iter().collect(),
        slug: Line::new(text),
        show_notes: Text::new(text),
        youtube: Text::new(text),
        chapters: marks(&[chapter(0.0, None, text), chapter(61.5, Some(70.0), text)]),
    }
}

#[track_caller]
fn check(format: Format, export: &Export, expected: &str) {
    let document = format.write(export).unwrap().unwrap();
    assert_eq!(document.text, expected);
}

fn three() -> Vec<Chapter> {
    vec![
        chapter(0.0, None, "Tom & \"Jo\" <3"),
        chapter(62.5, Some(70.0), "a=b; c#d \\ e"),
        chapter(3723.0, None, "Last—ü"),
    ]
}

#[test]
fn auphonic_gets_one_production() {
    let export = Export {
        title: Line::new("A title"),
        tags: vec![Line::new("one").unwrap()],
        slug: Line::new("a-title"),
        chapters: marks(&[chapter(62.5, None, "Two")]),
        ..Export::default()
    };
    check(
        Format::Auphonic,
        &export,
        "{\n  \"chapters\": [\n    {\n      \"start\": \"00:01:02.500\",\n      \"title\": \"Two\"\n    }\n  ],\n  \"metadata\": {\n    \"tags\": [\n      \"one\"\n    ],\n    \"title\": \"A title\"\n  },\n  \"output_basename\": \"a-title\"\n}\n",
    );
}

#[test]
fn podlove_chapters_are_xml() {
    check(
        Format::Podlove,
        &export(&three()),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<psc:chapters version=\"1.2\" xmlns:psc=\"http://podlove.org/simple-chapters\">\n  <psc:chapter start=\"00:00:00.000\" title=\"Tom &amp; &quot;Jo&quot; &lt;3\"/>\n  <psc:chapter start=\"00:01:02.500\" title=\"a=b; c#d \\ e\"/>\n  <psc:chapter start=\"01:02:03.000\" title=\"Last—ü\"/>\n</psc:chapters>\n",
    );
}

#[test]
fn ffmetadata_escapes_what_ffmpeg_takes_for_its_own() {
    let export =
        Export { summary: Text::new("One.\n#Two"), title: Line::new("T=1"), ..export(&three()) };
    check(
        Format::Ffmetadata,
        &export,
        ";FFMETADATA1\ntitle=T\\=1\ndescription=One.\\\n\\#Two\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=62500\ntitle=Tom & \"Jo\" <3\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=62500\nEND=70000\ntitle=a\\=b\\; c\\#d \\\\ e\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=3723000\nEND=-9223372036854775808\ntitle=Last—ü\n",
    );
}

#[test]
fn podcasting_chapters_have_seconds() {
    check(
        Format::Chapters,
        &export(&three()[1..2]),
        "{\n  \"chapters\": [\n    {\n      \"endTime\": 70,\n      \"startTime\": 62.5,\n      \"title\": \"a=b; c#d \\\\ e\"\n    }\n  ],\n  \"version\": \"1.2.0\"\n}\n",
    );
}

#[test]
fn show_notes_get_title_and_chapters_where_they_have_none() {
    let notes = |text| Export {
        title: Line::new("*A* title"),
        subtitle: Line::new("- sub"),
        show_notes: Text::new(text),
        ..export(&three()[..1])
    };
    check(
        Format::Markdown,
        &notes("Words."),
        "# \\*A\\* title\n\n*- sub*\n\nWords.\n\n## Chapters\n\n- 00:00:00 Tom \\& \"Jo\" \\<3\n",
    );
    check(Format::Markdown, &notes("# Own\n\n- 00:00 Own"), "# Own\n\n- 00:00 Own\n");
}

#[track_caller]
fn check_youtube(text: &str, chapters: &[Chapter], expected: &str, remarks: &[&str]) {
    let export = Export { youtube: Text::new(text), ..export(chapters) };
    let document = Format::Youtube.write(&export).unwrap().unwrap();
    assert_eq!(document.text, expected);
    let told: Vec<&str> =
        document.remarks.iter().map(|told| told.split(';').next().unwrap()).collect();
    assert_eq!(told, remarks);
}

#[test]
fn youtube_gets_lines_with_times_and_its_rules_are_told() {
    check_youtube(
        "Words.",
        &three(),
        "Words.\n\n0:00 Tom & \"Jo\" ‹3\n1:02 a=b; c#d \\ e\n1:02:03 Last—ü\n",
        &[],
    );
    check_youtube(
        "a > b",
        &[chapter(3.0, None, "x"), chapter(12.0, None, "y")],
        "a › b\n\n0:03 x\n0:12 y\n",
        &[
            "YouTube shows no chapters unless the first begins at 0:00",
            "YouTube shows no chapters unless there are at least 3",
            "YouTube shows no chapters unless each has at least 10 seconds",
        ],
    );
    check_youtube(
        "W.\n\n00:00 a\n(0:10) b\n- 0:20 c",
        &three(),
        "W.\n\n00:00 a\n(0:10) b\n- 0:20 c\n",
        &[],
    );
    check_youtube("Words.", &[], "Words.\n", &[]);
    let long = "é".repeat(5_001);
    check_youtube(
        &long,
        &[],
        &format!("{long}\n"),
        &["YouTube takes 5000 characters and this has 5001"],
    );
    check_youtube(&long[2..], &[], &format!("{}\n", &long[2..]), &[]);
}

#[test]
fn a_format_without_what_it_needs_is_not_written() {
    for format in Format::ALL {
        assert_eq!(format.write(&Export::default()).unwrap(), None, "{}", format.name());
        let missing: Vec<Part> = format.missing(&Export::default()).collect();
        let parts = format.needs().len() + format.takes().len();
        assert_eq!(missing.len(), parts, "{}", format.name());
        assert_eq!(format.missing(&full("x")).count(), 0, "{}", format.name());
    }
    let slug = Export { slug: Line::new("a"), chapters: marks(&three()), ..Export::default() };
    assert_eq!(Format::Auphonic.write(&slug).unwrap(), None, "chapters alone are no metadata");
}

#[test]
fn chapters_of_one_millisecond_stay_apart_and_untitled_ones_go() {
    let near = [
        chapter(1.0001, Some(1.0002), "a"),
        chapter(1.0002, None, "\u{202e}\u{7}"),
        chapter(1.0003, Some(f64::MAX), "b\n\u{200b}c"),
    ];
    let found: Vec<(u64, Option<u64>, String)> = marks(&near)
        .into_iter()
        .map(|mark| (mark.start_ms, mark.end_ms, mark.title.as_str().to_owned()))
        .collect();
    let expected = [(1000, None, "a".to_owned()), (1001, Some(u64::MAX), "b c".to_owned())];
    assert_eq!(found, expected);
}

#[test]
fn joiners_stay_and_hidden_characters_go() {
    assert_eq!(
        Line::new("\u{feff}👩\u{200d}🚀 \u{202e}x\u{2066}\r\n y\0").unwrap().as_str(),
        "👩\u{200d}🚀 x y"
    );
    assert_eq!(Text::new("\r\n a\r\n\u{85}b\tc \n\n").unwrap().as_str(), " a\n\nb\tc");
    assert_eq!(Line::new(" \u{200b}\n"), None);
    assert_eq!(Text::new(" \u{200b}\n"), None);
}

/// Chapters as a recording may have them, titles of anything.
fn any_chapters() -> impl Strategy<Value = Vec<Chapter>> {
    let title = prop_oneof!["\\PC{1,20}", "[-=;#\\\\<>&\"'\\[\\]*_ a\n\r]{1,20}", any::<String>()];
    let one = (1_u64..4_000_000, prop::option::of(1_u64..100_000), title);
    prop::collection::vec(one, 1..20).prop_map(|all| {
        let mut at = 0;
        let mut chapters = Vec::new();
        for (gap, length, title) in all {
            at += gap;
            let start_sec = at as f64 / 1000.0;
            let end_sec = length.map(|length| (at + length) as f64 / 1000.0);
            chapters.push(Chapter { title, start_sec, end_sec, summary: None });
        }
        chapters
    })
}

fn read(format: Format, export: &Export) -> Vec<Mark> {
    let document = format.write(export).unwrap().unwrap();
    marks(&chapters::parse(format.file_name(), document.text.as_bytes()).unwrap())
}

proptest! {
    #[test]
    fn podcasting_chapters_come_back_as_they_were(chapters in any_chapters()) {
        let export = export(&chapters);
        prop_assume!(export.has(Part::Chapters));
        prop_assert_eq!(read(Format::Chapters, &export), export.chapters);
    }

    #[test]
    fn podlove_chapters_come_back_without_their_ends(chapters in any_chapters()) {
        let mut export = export(&chapters);
        prop_assume!(export.has(Part::Chapters));
        let found = read(Format::Podlove, &export);
        export.chapters.iter_mut().for_each(|mark| mark.end_ms = None);
        prop_assert_eq!(found, export.chapters);
    }

    #[test]
    fn ffmetadata_chapters_come_back_with_each_end_known_but_the_last(chapters in any_chapters(), text in any::<String>()) {
        let mut export = Export { title: Line::new(&text), summary: Text::new(&text), ..export(&chapters) };
        prop_assume!(export.has(Part::Chapters));
        let found = read(Format::Ffmetadata, &export);
        let starts: Vec<u64> = export.chapters.iter().skip(1).map(|mark| mark.start_ms).collect();
        for (mark, next) in export.chapters.iter_mut().zip(starts) {
            mark.end_ms = mark.end_ms.or(Some(next));
        }
        prop_assert_eq!(found, export.chapters);
    }

    #[test]
    fn youtube_lines_come_back_to_the_second(gaps in prop::collection::vec((1_u64..4_000, "[A-Za-z0-9&;=#é][A-Za-z é&;=#*\\\\]{0,20}[a-z]"), 1..20)) {
        let mut at = 0;
        let chapters: Vec<Chapter> = gaps.into_iter().map(|(gap, title)| {
            at += gap;
            chapter(at as f64, None, &title)
        }).collect();
        let export = Export { youtube: Text::new("Words."), ..export(&chapters) };
        let text = Format::Youtube.write(&export).unwrap().unwrap().text;
        let lines = text.strip_prefix("Words.\n\n").unwrap();
        prop_assert_eq!(marks(&chapters::parse("a.txt", lines.as_bytes()).unwrap()), export.chapters);
    }

    #[test]
    fn nothing_hidden_leaves_in_any_format(text in "[\\PC\u{0}-\u{1f}\u{7f}-\u{9f}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}\u{feff}x]{1,40}") {
        let export = full(&text);
        for format in Format::ALL {
            let Some(document) = format.write(&export).unwrap() else { continue };
            let odd = document.text.chars().find(|c| {
                (c.is_control() && *c != '\n' && *c != '\t')
                    || ('\u{202a}'..='\u{202e}').contains(c)
                    || ('\u{2066}'..='\u{2069}').contains(c)
                    || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
            });
            prop_assert_eq!(odd, None, "{}", format.name());
        }
    }
}
