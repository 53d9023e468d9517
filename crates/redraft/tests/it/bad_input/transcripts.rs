//! Transcripts and chapters that are none.

use crate::{
    sandbox::Sandbox,
    scene::{refused, workspace},
};

const GOOD: &str = "**Ada:** A sourdough starter is flour and water.\n\n**Bo:** Then it rises.\n";

/// Refused with path and place, with a transcript taken in before or not.
fn check(name: &str, bytes: &[u8], told: &str) {
    for before in [false, true] {
        let sandbox = workspace();
        sandbox.write("good.md", GOOD);
        if before {
            sandbox.expect(0, "podcast ingest -w w --transcript good.md");
        }
        sandbox.write(name, bytes);
        let known = facts(&sandbox);
        refused(&sandbox, 2, &format!("podcast ingest -w w --transcript {name}"), &[name, told]);
        assert_eq!(facts(&sandbox), known);
    }
}

fn facts(sandbox: &Sandbox) -> u64 {
    sandbox.json("verify -w w")["facts"].as_u64().unwrap()
}

#[test]
fn an_empty_transcript_is_refused() {
    for name in ["t.txt", "t.md", "t.vtt", "t.srt", "t.json"] {
        check(name, b"", "empty");
        check(name, b" \n\t\n", "");
    }
}

#[test]
fn a_transcript_with_nul_or_invalid_utf_8_is_refused_with_its_place() {
    for name in ["t.txt", "t.md", "t.vtt", "t.srt"] {
        let mut nul = GOOD.as_bytes().to_vec();
        nul[60] = 0;
        check(name, &nul, "line 3");
        let mut invalid = GOOD.as_bytes().to_vec();
        invalid[60] = 0xff;
        check(name, &invalid, "line 3");
    }
}

#[test]
fn a_transcript_of_50_mb_is_refused() {
    let line =
        "**Ada:** A sourdough starter is flour and water, fed every single day of the week.\n\n";
    let sandbox = workspace();
    sandbox.write("t.md", line.repeat(50 * 1024 * 1024 / line.len()));
    refused(&sandbox, 2, "podcast ingest -w w --transcript t.md", &["t.md", "the limit is"]);
    std::fs::File::create(sandbox.join("huge.txt")).unwrap().set_len(100 << 30).unwrap();
    let ended = sandbox.expect(2, "podcast ingest -w w --transcript huge.txt");
    assert!(ended.err.contains("huge.txt"), "{}", ended.err);
    std::fs::remove_file(sandbox.join("huge.txt")).unwrap();
}

#[test]
fn a_transcript_that_is_not_there_or_no_file_is_refused() {
    let sandbox = workspace();
    for name in ["none.md", "w"] {
        refused(&sandbox, 2, &format!("podcast ingest -w w --transcript {name}"), &[name]);
    }
}

#[test]
fn malformed_json_transcripts_are_refused_with_their_place() {
    for text in [
        "{",
        "[]",
        "{\"version\": \"1.0.0\"}",
        "{\"segments\": 7}",
        "{\"segments\": [{\"body\": 7}]}",
    ] {
        check("t.json", text.as_bytes(), "t.json: ");
    }
}

#[test]
fn malformed_chapters_are_refused_and_the_transcript_is_not_taken_in() {
    for (name, bytes) in [
        ("c.txt", &b"no chapters here\n"[..]),
        ("c.txt", b"00:00:10 Later\n00:00:05 Earlier\n"),
        ("c.txt", b"00:99:00 Title\n"),
        ("c.txt", b"00:00:00 \xff\n"),
        ("c.txt", b"00:00:00 a\0b\n"),
        ("c.json", b"{"),
        ("c.json", b"{\"chapters\": 7}"),
        (
            "c.json",
            b"{\"version\": \"1.2.0\", \"chapters\": [{\"startTime\": -1, \"title\": \"x\"}]}",
        ),
        ("c.xml", b"<psc:chapters"),
    ] {
        let sandbox = workspace();
        sandbox.write("good.md", GOOD);
        sandbox.write(name, bytes);
        let words = format!("podcast ingest -w w --transcript good.md --chapters {name}");
        refused(&sandbox, 2, &words, &[name]);
        assert_eq!(facts(&sandbox), 2, "{name}");
    }
}

#[test]
fn a_transcript_of_a_foreign_workspace_that_is_no_text_is_refused() {
    for bytes in [&b"\xff\xfe\xff"[..], b"", b"\0\0"] {
        let sandbox = crate::strangers::Stranger::open().build();
        sandbox.write("w/transcript/transcript.txt", bytes);
        let words = "podcast review -w w --asset-id shownotes";
        refused(&sandbox, 2, words, &["w/transcript/transcript.txt"]);
        assert!(!sandbox.join("w/.redraft").exists());
    }
}
