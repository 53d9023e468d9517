//! For each rule of each rubric: a text that breaks it and no other.

use std::collections::BTreeSet;

use super::fixture::{
    CHAPTERS, CLEAN, CREDIT, FAULTY, LINK, LONG_SENTENCE, bare, episode, long, short,
};
use crate::offline::{Episode, kinds, parse, review, rubric, rubric_source};

/// A prose text of `kind` that keeps every rule, around `sentences`.
fn prose(kind: &str, sentences: &[&str]) -> String {
    let text = sentences.join(" ");
    let points: String = CLEAN[3..]
        .iter()
        .chain([&short(1).as_str(), &short(2).as_str(), &short(3).as_str()])
        .map(|s| format!("- {s}\n"))
        .collect();
    let chapters =
        |mark: &str| CHAPTERS.iter().map(|line| format!("{mark}{line}\n")).collect::<String>();
    match kind {
        "description" => format!("{text}\n\n{CREDIT}"),
        "summary_short" => text,
        "shownotes" => format!(
            "## In this episode\n\n{text}\n\n## Key points\n\n{points}\n## Chapters\n\n{}\n## People\n\n- Linus Talvold\n\n## Links\n\n- [the parser]({LINK})",
            chapters("- ")
        ),
        "mastodon" => format!("{text}\n\n{CREDIT}\n\n#Parser"),
        "linkedin" => format!("{text}\n\n{points}\n{CREDIT}\n\n#Parser #Grammar #Token"),
        _ => format!(
            "{text}\n\n{CREDIT}\n\nChapters:\n\n{}\nLinks:\n\nthe parser: {LINK}\n\n#Parser",
            chapters("")
        ),
    }
}

fn is_prose(kind: &str) -> bool {
    matches!(
        kind,
        "description"
            | "summary_short"
            | "shownotes"
            | "mastodon"
            | "linkedin"
            | "youtube_description"
    )
}

fn base(kind: &str) -> String {
    match kind {
        "slug" => "parser-grammar".to_owned(),
        "cms_tags" | "audio_tags" | "itunes_keywords" => "parser, grammar, token".to_owned(),
        _ if is_prose(kind) => prose(kind, &usual(kind)),
        _ => "Parser and Grammar with Linus Talvold".to_owned(),
    }
}

fn usual(kind: &str) -> Vec<&'static str> {
    let count = if kind == "description" { 5 } else { 3 };
    CLEAN[..count].to_vec()
}

/// The text of `kind` that breaks `rule` alone.
fn breaking(kind: &str, rule: &str) -> String {
    match rule {
        "empty" => " \n".to_owned(),
        "near_empty" if is_prose(kind) => "The file.".to_owned(),
        "near_empty" => "—".to_owned(),
        _ if is_prose(kind) => breaking_prose(kind, rule),
        _ if base(kind).contains(',') => breaking_list(rule),
        "not_in_transcript" => base(kind).replace("arser", "ebra"),
        "name_spelling" => "Parser with Linus Tallvold".to_owned(),
        "markdown_in_plain" => "Parser with **Linus Talvold**".to_owned(),
        "single_line" => "Parser with\nLinus Talvold".to_owned(),
        "form" => base(kind)
            .replace("arser", "arser-")
            .replace("parser--", "Parser-")
            .replace("Parser- and", "Parser:: and"),
        "too_short" => base(kind)
            .chars()
            .take_while(|c| c.is_alphabetic())
            .take(6)
            .collect::<String>()
            .replace("parser", "file"),
        "too_long" if kind == "slug" => ["grammar"; 9].join("-"),
        "too_long" => ["Grammar"; 18].join(" "),
        _ => String::new(),
    }
}

fn breaking_list(rule: &str) -> String {
    let many = |count: usize, item: &str| {
        (0..count).map(|index| format!("{item} {index}")).collect::<Vec<_>>().join(", ")
    };
    match rule {
        "not_in_transcript" => "zebra, grammar, token".to_owned(),
        "name_spelling" => "Linus Tallvold, grammar, token".to_owned(),
        "markdown_in_plain" => "**parser**, grammar, token".to_owned(),
        "single_line" => "parser,\ngrammar, token".to_owned(),
        "form" => "parser,, grammar, token".to_owned(),
        "repeated_item" => {
            "parser, Parsers, grammar, token".to_owned().replace("Parsers", "Parser")
        }
        "junk_item" => "really, parser, grammar, token".to_owned(),
        "long_item" => "international parser documentation describes, grammar, token".to_owned(),
        "too_many_items" => many(13, "token"),
        "too_few_items" => "parser, grammar".to_owned(),
        _ => many(8, "international parser module token"),
    }
}

fn breaking_prose(kind: &str, rule: &str) -> String {
    if let Some((_, sentence)) = FAULTY.iter().find(|(id, _)| *id == rule) {
        return with_sentence(kind, sentence, usize::from(rule != "lowercase_start"));
    }
    let twice = [CLEAN[0], CLEAN[1], CLEAN[0], CLEAN[2], CLEAN[3]];
    match rule {
        "not_in_transcript" => with_second(kind, "The parser was written by a robot in Norway."),
        "long_sentence" => with_second(kind, LONG_SENTENCE),
        "repeated_sentence" => prose(kind, &twice[..usual(kind).len()]),
        "name_spelling" if base(kind).contains("Talvold") => {
            base(kind).replace("Talvold", "Tallvold")
        }
        "name_spelling" => base(kind) + "\n\nWith Linus Tallvold.",
        "marker" => base(kind).replacen(CLEAN[0], &format!("{} [04:11]", CLEAN[0]), 1),
        "markdown_in_plain" => base(kind).replacen(CLEAN[0], &format!("**{}**", CLEAN[0]), 1),
        "too_many_sentences" => prose(kind, &CLEAN[..if kind == "description" { 6 } else { 4 }]),
        "too_few_sentences" => prose(kind, &[&long(1)]),
        "too_long" => too_long(kind),
        "too_short" if kind == "summary_short" => CLEAN[0].to_owned(),
        "missing_names" => base(kind).replace(CREDIT, "").replace("- Linus Talvold", ""),
        "missing_key_points" => {
            let text = prose(kind, &[&long(1), &long(2)]);
            let kept = text.lines().filter(|line| !(line.starts_with("- ") && line.ends_with('.')));
            kept.collect::<Vec<_>>().join("\n")
        }
        "missing_chapters" => CHAPTERS.iter().fold(base(kind), |text, line| {
            text.replace(&format!("- {line}"), "").replace(line, "")
        }),
        "missing_links" => base(kind)
            .replace(&format!("- [the parser]({LINK})"), "")
            .replace(&format!("the parser: {LINK}"), ""),
        "chapter_form" => base(kind).replace("00:00 Parser", "00:05 Parser"),
        "hook" => prose(kind, &[&long(1)]),
        "hashtags" if kind == "youtube_description" => base(kind) + &" #Token".repeat(16),
        "hashtags" => base(kind)
            .replace('#', "")
            .replace("Parser Grammar Token", "")
            .trim_end_matches("Parser")
            .to_owned(),
        _ => short_text(kind),
    }
}

fn with_second(kind: &str, sentence: &str) -> String {
    with_sentence(kind, sentence, 1)
}

fn with_sentence(kind: &str, sentence: &str, at: usize) -> String {
    let mut sentences = usual(kind);
    sentences[at] = sentence;
    prose(kind, &sentences)
}

fn too_long(kind: &str) -> String {
    let (shorts, longs) = match kind {
        "description" => (0, 5),
        "summary_short" => (0, 3),
        "mastodon" => (0, 3),
        _ => (330, 0),
    };
    let texts: Vec<String> = (0..shorts).skip(4).map(short).chain((0..longs).map(long)).collect();
    prose(kind, &texts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Too short, for an episode without chapters and links.
fn short_text(kind: &str) -> String {
    match kind {
        "shownotes" => format!("{}\n\n- {}\n\n{CREDIT}", CLEAN[0], CLEAN[1]),
        "linkedin" => format!("{}\n\n{CREDIT}\n\n#Parser #Grammar #Token", CLEAN[0]),
        "mastodon" => format!("{}\n\n{CREDIT}\n\n#Parser", CLEAN[1]),
        _ => format!("{} {}\n\n{CREDIT}", CLEAN[0], CLEAN[1]),
    }
}

fn codes(kind: &str, episode: &Episode, text: &str) -> BTreeSet<String> {
    review(kind, episode, text).into_iter().map(|finding| finding.code).collect()
}

#[test]
fn a_clean_text_of_each_kind_has_no_findings() {
    let episode = episode();
    for kind in kinds() {
        let text = base(kind);
        assert_eq!(codes(kind, &episode, &text), BTreeSet::new(), "{kind}:\n{text}");
    }
}

#[test]
fn each_rule_is_broken_by_a_text_that_breaks_no_other() {
    let (full, bare) = (episode(), bare());
    for kind in kinds() {
        for rule in &rubric(kind).unwrap().rules {
            let text = breaking(kind, &rule.id);
            let episode = if rule.id == "too_short" { &bare } else { &full };
            assert_eq!(
                codes(kind, episode, &text),
                BTreeSet::from([rule.id.clone()]),
                "{kind} {}:\n{text}",
                rule.id
            );
        }
    }
}

#[test]
fn every_rubric_file_can_be_read_and_is_for_its_kind() {
    for kind in kinds() {
        let (name, text) = rubric_source(kind).unwrap();
        let rubric = parse(name, text).unwrap();
        assert_eq!(rubric.kind, kind);
        let ids: BTreeSet<&str> = rubric.rules.iter().map(|rule| rule.id.as_str()).collect();
        assert_eq!(ids.len(), rubric.rules.len(), "{kind}: an id stands twice");
    }
}

#[test]
fn a_rubric_with_an_unknown_field_is_an_error_that_names_the_kind() {
    let error =
        parse("slug", "version = 1\nkind = \"slug\"\nformat = \"plain\"\nrules = []\nmood = 1")
            .unwrap_err();
    assert_eq!(error.to_string(), "rubric slug.toml cannot be read");
}

#[test]
fn an_unknown_kind_has_no_findings() {
    assert!(review("haiku", &bare(), "").is_empty());
}
