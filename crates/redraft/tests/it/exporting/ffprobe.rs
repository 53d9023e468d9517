//! Exported chapters as other programs read them: ffmpeg, and the XML and JSON parsers of Python.

use super::{OUTPUTS, selected};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::process::{Command, Output};

/// Runs another program in the sandbox; `None`, loudly, where it is not installed. CI installs all that are used here.
fn other(sandbox: &Sandbox, program: &str, words: &[&str]) -> Option<Output> {
    match Command::new(program).args(words).current_dir(sandbox.path()).output() {
        Ok(output) => {
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{program} {words:?}\n{told}");
            Some(output)
        }
        Err(error) => {
            eprintln!("{program} DOES NOT RUN HERE ({error}): this test is skipped");
            None
        }
    }
}

/// Start, end and title of each chapter that ffprobe finds.
fn probed(sandbox: &Sandbox, file: &str) -> Option<Vec<(String, String, String)>> {
    let words = ["-v", "error", "-show_chapters", "-of", "json", file];
    let output = other(sandbox, "ffprobe", &words)?;
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let chapter = |one: &Value| {
        (text(&one["start_time"]), text(&one["end_time"]), text(&one["tags"]["title"]))
    };
    Some(found["chapters"].as_array().unwrap().iter().map(chapter).collect())
}

#[test]
fn ffmpeg_gives_the_same_chapters_back() {
    let sandbox = selected();
    sandbox.write("c.txt", "00:00 Tom & \"Jo\" <3\n00:10.5 a=b; c#d \\ e [CHAPTER]\n00:20 ;FFMETADATA1 # \\\n01:30 Last—ü 👩‍🚀\n");
    sandbox.expect(0, "podcast ingest -w w --transcript t.md --chapters c.txt --replace");
    sandbox.expect(0, "podcast export -w w --format ffmetadata");
    let metadata = format!("{OUTPUTS}/chapters.ffmetadata");
    let silence = "anullsrc=r=8000:cl=mono";
    for file in ["a.mka", "a.mp3", "a.m4a"] {
        let words = [
            "-v",
            "error",
            "-f",
            "lavfi",
            "-i",
            silence,
            "-i",
            &metadata,
            "-map",
            "0:a",
            "-map_metadata",
            "1",
            "-map_chapters",
            "1",
            "-t",
            "100",
            file,
        ];
        if other(&sandbox, "ffmpeg", &words).is_none() {
            return;
        }
        let Some(found) = probed(&sandbox, file) else { return };
        let starts: Vec<&str> = found.iter().map(|(start, ..)| start.as_str()).collect();
        assert_eq!(starts, ["0.000000", "10.500000", "20.000000", "90.000000"], "{file}");
        let titles: Vec<&str> = found.iter().map(|(.., title)| title.trim_end()).collect();
        let given =
            ["Tom & \"Jo\" <3", "a=b; c#d \\ e [CHAPTER]", ";FFMETADATA1 # \\", "Last—ü 👩‍🚀"];
        assert_eq!(titles, given, "{file}");
        let ends: Vec<&str> = found[..3].iter().map(|(_, end, _)| end.as_str()).collect();
        assert_eq!(ends, ["10.500000", "20.000000", "90.000000"], "{file}");
    }
}

#[test]
fn xml_and_json_are_well_formed_to_other_parsers() {
    let sandbox = selected();
    sandbox.expect(0, "podcast export -w w");
    let script = "import json, sys, xml.dom.minidom as dom\n\
        doc = dom.parse(sys.argv[1])\n\
        ns = 'http://podlove.org/simple-chapters'\n\
        psc = [c.getAttribute('title') for c in doc.getElementsByTagNameNS(ns, 'chapter')]\n\
        pc2 = [c['title'] for c in json.load(open(sys.argv[2], encoding='utf-8'))['chapters']]\n\
        auphonic = [c['title'] for c in json.load(open(sys.argv[3], encoding='utf-8'))['chapters']]\n\
        assert psc == pc2 == auphonic, (psc, pc2, auphonic)\n\
        print(len(psc))\n";
    let files = ["chapters.psc", "chapters.json", "production.json"]
        .map(|name| format!("{OUTPUTS}/{name}"));
    let words = ["-c", script, &files[0], &files[1], &files[2]];
    let Some(output) = other(&sandbox, "python3", &words) else { return };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "3");
}
