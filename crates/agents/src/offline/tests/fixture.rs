//! An invented episode with sentences that keep every rule, and sentences that break exactly one.

use redraft_workflows::episode::{Chapter, Link, SpeakerTurn, Transcript};

use crate::offline::Episode;

pub(super) const CLEAN: [&str; 6] = [
    "The parser reads the whole file before the tests run.",
    "A grammar with fewer rules is easier to change.",
    "Every token carries the line where the mistake began.",
    "Most readers never see how the grammar was written.",
    "Good messages name the mistake and the cure.",
    "Small files keep the reviewers awake and honest.",
];

/// A rule of sentences, and a sentence that breaks it alone.
pub(super) const FAULTY: [(&str, &str); 10] = [
    ("filler", "The parser reads the file, you know, before the tests run."),
    ("chatter", "The group in Oslo wrote the grammar, thank you, in one summer."),
    ("promo", "The sponsor of the grammar pays for two big machines."),
    ("dangling", "It keeps every token in memory until the file ends."),
    ("fragment", "A parser for every grammar under the sun."),
    ("question", "The parser reads which file before the tests run?"),
    ("first_person", "The parser taught me patience with slow machines."),
    ("lowercase_start", "the grammar decides which token comes after the comma."),
    ("trailing_off", "The grammar decides -- every time -- which token wins."),
    ("forbidden_character", "The parser keeps a < b in every table of the file."),
];

pub(super) const LONG_SENTENCE: &str = "The parser reads the file and the grammar and the table and the token and the line and the \
    mistake and the cure and the machine and the summer and the comma and the rules and the tests and the memory and the sun.";

/// One of many clean sentences, short.
pub(super) fn short(index: usize) -> String {
    format!("Module {index} of the parser hands token {index} to table {index} of the grammar.")
}

/// One of many clean sentences of more than 210 characters.
pub(super) fn long(index: usize) -> String {
    format!(
        "Module {index} of the international parser documentation describes the standardised administration of extraordinarily \
         complicated transformations between professional grammars, multinational organisations and experimental laboratories."
    )
}

pub(super) const CREDIT: &str = "With Linus Talvold.";
pub(super) const CHAPTERS: [&str; 3] = ["00:00 Parser", "01:00 Grammar", "02:00 Token"];
pub(super) const LINK: &str = "https://example.org/parser";

/// The episode with chapters and a link.
pub(super) fn episode() -> Episode {
    let chapter = |(index, title): (usize, &str)| Chapter {
        title: title.to_owned(),
        start_sec: index as f64 * 60.0,
        end_sec: None,
        summary: None,
    };
    let chapters = ["Parser", "Grammar", "Token"].into_iter().enumerate().map(chapter).collect();
    let links = vec![Link { label: "the parser".to_owned(), url: LINK.to_owned() }];
    Episode::new(transcript(links), chapters)
}

/// The episode with neither.
pub(super) fn bare() -> Episode {
    Episode::new(transcript(Vec::new()), Vec::new())
}

fn transcript(links: Vec<Link>) -> Transcript {
    let mut host =
        vec!["What does the parser do? Why does it matter? Who wrote it? Really?".to_owned()];
    host.extend(FAULTY.iter().map(|(_, sentence)| (*sentence).to_owned()));
    let mut guest: Vec<String> = CLEAN.iter().map(|sentence| (*sentence).to_owned()).collect();
    guest.push(LONG_SENTENCE.to_owned());
    guest.extend((0..330).map(short));
    guest.extend((0..6).map(long));
    let turn = |speaker: &str, texts: Vec<String>| SpeakerTurn {
        speaker: Some(speaker.to_owned()),
        start_ms: None,
        text: texts.join("\n\n"),
    };
    Transcript { turns: vec![turn("Grace Hopperton", host), turn("Linus Talvold", guest)], links }
}
