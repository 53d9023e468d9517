//! Chapter files as odd programs write them: BOM, CRLF, namespaces, comments, fractions, ends that are missing.

use super::check;

#[test]
fn a_bom_and_windows_line_ends_do_not_matter_in_any_format() {
    for (name, source) in [
        ("a.txt", "00:00 One\n00:05.5 Two\n"),
        (
            "a.json",
            "{\"version\": \"1.2.0\",\n\"chapters\": [{\"startTime\": 0, \"title\": \"One\"},\n{\"startTime\": 5.5, \"title\": \"Two\"}]}\n",
        ),
        (
            "a.psc",
            "<psc:chapters>\n<psc:chapter start=\"0:00\"\n title=\"One\"/>\n<psc:chapter\n\tstart='5.5' title='Two' />\n</psc:chapters>\n",
        ),
        (
            "a",
            ";FFMETADATA1\n[CHAPTER]\nSTART=0\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=5500\ntitle=Two\n",
        ),
    ] {
        let windows = format!("\u{feff}{}", source.replace('\n', "\r\n"));
        let old_mac = format!("\n \n{}", source.replace('\n', "\r"));
        for text in [source, &windows, &old_mac] {
            check(name, text, &["0 One", "5.5 Two"]);
        }
    }
}

#[test]
fn podlove_chapters_are_found_under_any_namespace() {
    for (open, name) in [
        ("<psc:chapters xmlns:psc=\"http://podlove.org/simple-chapters\">", "psc:chapter"),
        ("<chapters xmlns='http://podlove.org/simple-chapters'>", "chapter"),
        ("<x:chapters xmlns:x = \"http://podlove.org/simple-chapters\">", "x:chapter"),
    ] {
        let text = format!(
            "<?xml version='1.0'?>\n{open}\n<{name} start = \"00:00:01\" title=\"A\"></{name}>\n"
        );
        check("a.xml", &text, &["1 A"]);
    }
}

#[test]
fn what_is_no_tag_of_a_feed_hides_and_makes_no_chapter() {
    check(
        "feed.xml",
        "<?xml version=\"1.0\"?><?note it's?><!DOCTYPE rss><rss><!-- don't <psc:chapter start=\"0\" title=\"No\"/> -->\
         <description><![CDATA[It's > <psc:chapter start=\"1\" title=\"No\"/> here]]></description>\
         <t>it's</t><psc:chapters><psc:chapter start=\"2\" title=\"Yes\" href=\"https://a.example/?a=1&amp;b=2\"/></psc:chapters></rss>",
        &["2 Yes"],
    );
    check("a.xml", "<a><![CDATA[ > ", &["! line 1: the tag is not closed; close it with `>`"]);
}

#[test]
fn a_line_end_in_an_attribute_is_a_blank_and_a_reference_to_one_is_refused() {
    check("a.psc", "<chapter start=\"1\" title=\"One\n\ttwo\"/>", &["1 One  two"]);
    check(
        "a.psc",
        "<chapter start=\"1\" title=\"One&#10;two\"/>",
        &["! line 1: the title holds a control character or line end; remove it"],
    );
}

#[test]
fn podlove_times_are_clocks_or_seconds() {
    for (start, expected) in [
        ("00:01:02.500", "62.5 A"),
        ("1:02", "62 A"),
        ("62.5", "62.5 A"),
        ("62", "62 A"),
        ("100:00:00", "360000 A"),
    ] {
        check("a.psc", &format!("<chapter title=\"A\" start=\"{start}\"/>"), &[expected]);
    }
    for start in ["", ".", "-1", "1e9", "inf", "1:2:3:4", "1h"] {
        let problem = "! line 1: expected start=\"HH:MM:SS\"; add or correct it";
        check("a.psc", &format!("<chapter title=\"A\" start=\"{start}\"/>"), &[problem]);
    }
}

#[test]
fn ffmetadata_keeps_to_each_sections_time_base() {
    check(
        "a",
        ";FFMETADATA1\n\n# note\n[CHAPTER]\n; note\nTIMEBASE=1001/30000\nSTART=30000\nEND=60000\nTITLE=NTSC\n[CHAPTER]\nSTART=1062000000000\ntitle=Nanoseconds\n[CHAPTER]\nSTART=1063\nTIMEBASE = 1/1 \ntitle=Seconds\n",
        &["1001-2002 NTSC", "1062 Nanoseconds", "1063 Seconds"],
    );
}

#[test]
fn ffmetadata_without_an_end_has_none() {
    for end in ["", "END=-9223372036854775808\n"] {
        let text = format!(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=1\n{end}title=A\n");
        check("a", &text, &["1 A"]);
    }
    check(
        "a",
        ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=1\nEND=1\ntitle=A",
        &["! line 2: the chapter ends before it has begun; correct the end or leave it out"],
    );
}

#[test]
fn json_chapters_know_null_and_large_numbers() {
    check(
        "a.json",
        r#" {"chapters": [{"startTime": 1e2, "endTime": null, "title": "\u00e9", "toc": null}]}"#,
        &["100 é"],
    );
    check(
        "a.json",
        r#"{"chapters": [{"startTime": 1e400, "title": "x"}]}"#,
        &[
            "! line 1, column 33: not JSON: number out of range at line 1 column 33; give the file as it was exported",
        ],
    );
}
