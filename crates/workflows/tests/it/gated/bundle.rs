//! Files of a response: read as they stand, or refused with the line.

use redraft_workflows::gated::bundle::{
    self, Bundle, MOST_FILES, NameFault, check_name, read, twin,
};

fn reads(response: &str) -> Bundle {
    read(response, "java").unwrap_or_else(|error| panic!("{error}\n{response}"))
}

fn refused(response: &str) -> String {
    read(response, "java").unwrap_err().to_string()
}

fn files(response: &str) -> Vec<(String, usize, String)> {
    let read = reads(response);
    read.files.into_iter().map(|file| (file.name, file.line, file.text)).collect()
}

fn file(name: &str) -> String {
    format!("<<<FILE: {name}>>>\nx\n")
}

#[test]
fn files_stand_between_their_markers_and_remarks_before_the_first() {
    let response = "Two files.\n\n<<<FILE: A.java>>>\nclass A {\n    int n;\n}\n\n  \t<<<FILE: B.java>>> \r\nclass B {}";
    assert_eq!(reads(response).remarks, "Two files.\n\n");
    assert_eq!(
        files(response),
        [
            ("A.java".into(), 3, "class A {\n    int n;\n}\n\n".into()),
            ("B.java".into(), 8, "class B {}".into())
        ]
    );
}

#[test]
fn four_spaces_that_begin_every_line_go_and_no_others() {
    for (text, wanted) in [
        ("    class A {\n        int n;\n    }\n", "class A {\n    int n;\n}\n"),
        ("    a\n\n    b\n", "a\n\nb\n"),
        ("    a\n  \n      \n    b", "a\n\n  \nb"),
        ("    a\r\n\r\n    b\r\n", "a\r\n\r\nb\r\n"),
        ("        a\n", "    a\n"),
        ("    a\n  b\n", "    a\n  b\n"),
        ("   a\n", "   a\n"),
        ("\ta\n", "\ta\n"),
    ] {
        assert_eq!(files(&format!("<<<FILE: A.java>>>\n{text}"))[0].2, wanted, "{text:?}");
    }
}

#[test]
fn a_mark_of_the_byte_order_and_an_extension_with_its_dot_do_not_matter() {
    let read = read("\u{feff}<<<FILE:A.rs>>>\nfn a() {}\n", ".rs").unwrap();
    assert_eq!((read.remarks.as_str(), read.files[0].name.as_str()), ("", "A.rs"));
}

#[test]
fn text_that_only_mentions_a_marker_is_text() {
    let text = "// see <<<FILE: B.java>>>\nString s = \"<<<FILE: C.java>>>\";\n * <<<FILE: D.java>>>\n<<<<<<< file\n";
    assert_eq!(files(&format!("<<<FILE: A.java>>>\n{text}")), [("A.java".into(), 1, text.into())]);
}

#[test]
fn every_refusal_names_its_line_and_what_to_write() {
    for (response, wanted) in [
        (
            String::new(),
            "line 1: the response has no file; begin each with a line `<<<FILE: Name>>>`",
        ),
        ("class A {}\n".into(), "line 1: the response has no file"),
        (
            format!("{}**<<<FILE: B.java>>>**\n", file("A.java")),
            "line 3: \"**<<<FILE: B.java>>>**\" is not a marker",
        ),
        (format!("\n`<<<FILE: A.java>>>`\n{}", file("A.java")), "line 2: "),
        ("<<<FILE: A.java>>> // first\n".into(), "line 1: "),
        ("<<<file: A.java>>>\n".into(), "is not a marker; write `<<<FILE: Name>>>` alone"),
        ("<<< FILE: A.java >>>\n".into(), "is not a marker"),
        ("<<<FILE A.java>>>\n".into(), "is not a marker"),
        ("＜＜＜FILE: A.java＞＞＞\n".into(), "is not a marker"),
        ("\u{200b}<<<FILE: A.java>>>\n".into(), "is not a marker"),
        ("<<<FILE: A.java\n>>>\n".into(), "is not a marker"),
        (
            format!("{}\n{}", file("A.java"), file("A.java")),
            "line 4: the file \"A.java\" stands in line 1 already",
        ),
        (
            "<<<FILE: A.java>>>\n \n\n<<<FILE: B.java>>>\nx".into(),
            "line 1: the file \"A.java\" has no text",
        ),
        ("<<<FILE: A.java>>>".into(), "has no text; write it or leave its marker out"),
        (
            "<<<FILE: A.java>>>\n\n```java\nclass A {}\n```\n".into(),
            "line 3: a code fence stands in the file \"A.java\"",
        ),
        ("```\n<<<FILE: A.java>>>\nclass A {}\n```\n".into(), "line 4: a code fence stands"),
        (
            (0..=MOST_FILES).map(|nth| file(&format!("A{nth}.java"))).collect(),
            "line 1025: these are too many",
        ),
        (" ".repeat(bundle::LONGEST + 1), "line 1: the response has 8388609 bytes"),
    ] {
        let told = refused(&response);
        assert!(told.contains(wanted) && told.starts_with("line "), "{told}\n{response:.200}");
    }
}

#[test]
fn one_bad_name_among_good_ones_is_no_file_at_all() {
    let told = refused(&format!("{}{}{}", file("A.java"), file("../B.java"), file("C.java")));
    assert!(told.starts_with("line 3: the file name \"../B.java\" has a path separator"), "{told}");
}

#[test]
fn a_bundle_of_markdown_may_have_fences() {
    assert!(read("<<<FILE: a.md>>>\n```\nx\n```\n", "md").is_ok());
}

/// Bad names by what is said of them.
const BAD_NAMES: [(&str, &[&str]); 9] = [
    ("is empty", &[""]),
    (
        "is not seen",
        &[
            "A\0.java",
            "A\t.java",
            "A\u{1b}.java",
            "A\u{200b}.java",
            "A\u{202e}avaj.java",
            "A\u{200d}.java",
            "A\u{fe0f}.java",
            "A\u{ad}.java",
            "A\u{feff}.java",
            "A\u{3164}.java",
            "A\r.java",
        ],
    ),
    (
        "path separator",
        &[
            "a/A.java",
            "/A.java",
            "\\A.java",
            "..\\A.java",
            "../A.java",
            "C:\\A.java",
            "a／A.java",
            "a∕A.java",
            "a⁄A.java",
            "＼A.java",
            "a⧵A.java",
        ],
    ),
    ("`..`", &["..A.java", "A..java", "..", "‥A.java", "A…java"]),
    (
        "not every system",
        &[
            "C:A.java",
            "A?.java",
            "A*.java",
            "A|.java",
            "A<.java",
            "A>.java",
            "\"A\".java",
            "A：b.java",
            "A.java:x",
        ],
    ),
    ("begins with", &[".A.java", ".java", "-A.java", "．A.java", "-o.java"]),
    ("dot or a blank", &["A.java.", "A.java ", "A.java\u{a0}", "\u{3000}A.java", "A.java．"]),
    (
        "device",
        &[
            "CON.java",
            "con.java",
            "NUL.x.java",
            "aux .java",
            "PRN.java",
            "COM1.java",
            "lpt9.java",
            "COM¹.java",
            "COM0.java",
            "CONIN$.java",
            "ＮＵＬ.java",
            "CLOCK$.java",
        ],
    ),
    (
        "extension `.java`",
        &["A", "A.rs", "A.JAVA", "A.java.txt", "Ajava", "A.jаva", "java", "A.java2", "Ａ.ｊａｖａ"],
    ),
];

#[test]
fn a_bad_name_is_refused_with_what_is_wrong() {
    for (wanted, names) in BAD_NAMES {
        for name in names {
            let told = check_name(name, "java").map_err(|fault| fault.to_string());
            assert!(told.as_ref().is_err_and(|told| told.contains(wanted)), "{name:?}: {told:?}");
        }
    }
}

#[test]
fn a_bad_name_in_a_marker_is_refused_with_its_line() {
    for (_, names) in BAD_NAMES {
        for name in names.iter().filter(|name| !name.contains('\r')) {
            let told = refused(&format!("{}\n{}", file("Good.java"), file(name)));
            assert!(told.starts_with("line 4: "), "{name:?}: {told}");
            assert!(!told.contains(char::is_control) && told.chars().count() < 400, "{told:?}");
        }
    }
}

#[test]
fn usual_names_are_good_up_to_a_length() {
    for name in [
        "A.java",
        "Order_Item-2.java",
        "package-info.java",
        "Größe.java",
        "注文.java",
        "A$1.java",
        "A b.java",
        "Console.java",
        "Com1x.java",
        "COM10.java",
        "A.test.java",
    ] {
        assert_eq!(check_name(name, "java"), Ok(()), "{name}");
    }
    assert_eq!(check_name(&format!("{}.java", "a".repeat(195)), "java"), Ok(()));
    for long in [format!("{}.java", "a".repeat(196)), "é".repeat(5_000)] {
        assert_eq!(check_name(&long, "java"), Err(NameFault::TooLong { bytes: long.len() }));
    }
    assert_eq!(check_name("A.rs", "java"), Err(NameFault::Extension { wanted: "java".into() }));
}

#[test]
fn names_that_are_one_file_on_some_system_are_twins() {
    for (one, other) in [
        ("A.java", "a.java"),
        ("Größe.java", "Gro\u{308}ße.java"),
        ("É.java", "e\u{301}.java"),
        ("Straße.java", "STRASSE.java"),
        ("K.java", "\u{212a}.java"),
        ("ſ.java", "S.java"),
        ("ﬁ.java", "FI.java"),
        ("Σ.java", "ς.java"),
        ("İ.java", "i\u{307}.java"),
        ("Å.java", "\u{212b}.java"),
    ] {
        assert_eq!(twin(one), twin(other), "{one} {other}");
        let told = refused(&format!("{}{}", file(one), file(other)));
        assert!(
            told.starts_with("line 3: ") && told.contains("stands in line 1 already"),
            "{told}"
        );
    }
    assert_ne!(twin("A.java"), twin("B.java"));
    assert_ne!(twin("e.java"), twin("é.java"));
}

#[test]
fn disputed_issues_are_read_from_the_remarks() {
    let of = |remarks: &str| reads(&format!("{remarks}\n{}", file("A.java"))).disputed;
    assert_eq!(
        of(
            "Done.\n\n## Disputed Issues\n\n- I-2: the key is\n  composite on purpose.\n\n  See the plan.\n* I-3: no\n\n## Notes\n- x"
        ),
        ["I-2: the key is composite on purpose. See the plan.", "I-3: no"]
    );
    assert_eq!(
        of("**DISPUTED ISSUES:**\n1. one\n2) two\n\nThat is all.\n- not this"),
        ["one", "two"]
    );
    assert_eq!(of("DISPUTED ISSUES\r\n+ one\r\n"), ["one"]);
    assert_eq!(of("DISPUTED ISSUES:\n- a\n\nDISPUTED ISSUES:\n- b\n"), ["a", "b"]);
    for nothing in [
        "",
        "- an item",
        "DISPUTED ISSUES\n- none",
        "DISPUTED ISSUES\nN/A",
        "There are no disputed issues\n- x",
    ] {
        assert_eq!(of(nothing), [""; 0], "{nothing}");
    }
    let inside = reads(&format!("{}DISPUTED ISSUES\n- x\n", file("A.java")));
    assert_eq!(inside.disputed, [""; 0], "a file is no remark");
}
