//! The parts of an asset: which lines are prose, labels, chapters, links, names or hashtags.
//!
//! Writer and reviewer share it: the writer edits an outline and renders it, the reviewer reads one.
//! Invariant: rendering an outline and parsing the text gives the same outline. Absent here: Markdown
//! beyond headings and bullets, and any judgement.

use super::Format;
use super::lexicon::labels;
use super::sentences::split;
use super::words::enumerate;

/// One line of an asset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// An empty line.
    Blank,
    /// A section label of the closed list.
    Label(String),
    /// A chapter, `MM:SS Title`.
    Chapter(String),
    /// A link, with or without a label.
    Link(String),
    /// Hashtags.
    Hashtags(Vec<String>),
    /// The people, `With A and B.`
    Credit(Vec<String>),
    /// A name or a phrase in a list of such.
    Entry(String),
    /// Sentences in a bullet.
    Bullet(Vec<String>),
    /// Sentences of a paragraph.
    Prose(Vec<String>),
}

/// The lines of an asset.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Outline {
    /// Lines in order.
    pub(crate) lines: Vec<Line>,
}

impl Outline {
    /// Reads `text`; `names` are the speakers, whose enumeration after `With` is a credit.
    pub(crate) fn parse(text: &str, names: &[&str]) -> Self {
        let mut section = String::new();
        let mut lines: Vec<Line> = Vec::new();
        for raw in text.lines() {
            let line = read(raw.trim(), &section, names);
            if let Line::Label(label) = &line {
                section.clone_from(label);
            }
            lines.push(line);
        }
        Self { lines }
    }

    /// The text of the outline; labels are headings in Markdown and end with a colon in plain text.
    pub(crate) fn render(&self, format: Format) -> String {
        let mut text = String::new();
        let mut blank = true;
        for line in &self.lines {
            let rendered = write(line, format);
            if rendered.is_empty() && blank {
                continue;
            }
            blank = rendered.is_empty();
            text.push_str(&rendered);
            text.push('\n');
        }
        text.trim_end().to_owned()
    }

    /// Every sentence of prose and bullets.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = &String> {
        self.lines.iter().flat_map(|line| match line {
            Line::Bullet(sentences) | Line::Prose(sentences) => sentences.as_slice(),
            Line::Blank
            | Line::Label(_)
            | Line::Chapter(_)
            | Line::Link(_)
            | Line::Hashtags(_)
            | Line::Credit(_)
            | Line::Entry(_) => &[],
        })
    }

    /// Keeps the sentences that `keep` keeps, in lines that have any left.
    pub(crate) fn retain_sentences(&mut self, mut keep: impl FnMut(&str) -> bool) {
        for line in &mut self.lines {
            if let Line::Bullet(sentences) | Line::Prose(sentences) = line {
                sentences.retain(|sentence| keep(sentence));
                if sentences.is_empty() {
                    *line = Line::Blank;
                }
            }
        }
        self.lines.dedup_by(|a, b| *a == Line::Blank && *b == Line::Blank);
    }

    /// All hashtags.
    pub(crate) fn hashtags(&self) -> impl Iterator<Item = &String> {
        self.lines
            .iter()
            .flat_map(|line| if let Line::Hashtags(tags) = line { tags.as_slice() } else { &[] })
    }
}

fn read(raw: &str, section: &str, names: &[&str]) -> Line {
    let bullet = raw
        .strip_prefix("- ")
        .or_else(|| raw.strip_prefix("* "))
        .or_else(|| raw.strip_prefix("• "));
    let body = bullet.unwrap_or(raw).trim();
    if body.is_empty() {
        return Line::Blank;
    }
    if let Some(label) = as_label(body) {
        return Line::Label(label);
    }
    if stamp_of(body).is_some() {
        return Line::Chapter(body.to_owned());
    }
    if is_link(body) {
        return Line::Link(body.to_owned());
    }
    if body
        .split_whitespace()
        .all(|word| word.len() > 1 && word.starts_with('#') && !word.starts_with("##"))
    {
        return Line::Hashtags(body.split_whitespace().map(str::to_owned).collect());
    }
    if let Some(people) = as_credit(body, names) {
        return Line::Credit(people);
    }
    let sentences: Vec<String> = split(&without_emphasis(body)).collect();
    match bullet {
        Some(_) if matches!(section, "People" | "Topics") => Line::Entry(body.to_owned()),
        Some(_) => Line::Bullet(sentences),
        None => Line::Prose(sentences),
    }
}

fn as_label(body: &str) -> Option<String> {
    let bare = body.trim_start_matches('#').trim().trim_end_matches(':');
    let marked = body.starts_with("# ") || body.starts_with("##") || body.ends_with(':');
    labels().find(|label| marked && *label == bare).map(str::to_owned)
}

/// The seconds of the time a chapter line starts with, and its title.
pub(crate) fn stamp_of(body: &str) -> Option<(u64, &str)> {
    let (stamp, title) = body.split_once(' ')?;
    let fields: Vec<u64> =
        stamp.split(':').map(|field| field.parse().ok()).collect::<Option<_>>()?;
    let seconds =
        fields.iter().fold(0u64, |sum, field| sum.saturating_mul(60).saturating_add(*field));
    (2..=3).contains(&fields.len()).then_some((seconds, title.trim()))
}

/// The address of a line that is only a link: `https://…`, `label: https://…` or `[label](https://…)`.
pub(crate) fn url_of(body: &str) -> Option<&str> {
    let at = body.find("http://").or_else(|| body.find("https://"))?;
    let url = body[at..].trim_end_matches(')');
    (!url.contains(char::is_whitespace)).then_some(url)
}

fn is_link(body: &str) -> bool {
    let Some(url) = url_of(body) else { return false };
    let before = body.split(url).next().unwrap_or_default().trim();
    before.is_empty()
        || before.ends_with(':')
        || (before.starts_with('[') && before.ends_with("]("))
}

fn as_credit(body: &str, names: &[&str]) -> Option<Vec<String>> {
    let list = body.strip_prefix("With ")?.trim_end_matches('.').replace(" and ", ", ");
    let people: Vec<String> = list.split(", ").map(str::to_owned).collect();
    people.iter().all(|name| names.contains(&name.as_str())).then_some(people)
}

fn without_emphasis(body: &str) -> String {
    body.replace("**", "").replace(['*', '`'], "")
}

fn write(line: &Line, format: Format) -> String {
    match (line, format) {
        (Line::Blank, _) => String::new(),
        (Line::Label(label), Format::Markdown) => format!("## {label}"),
        (Line::Label(label), Format::Plain) => format!("{label}:"),
        (Line::Chapter(text) | Line::Link(text), Format::Plain) => text.clone(),
        (Line::Chapter(text) | Line::Link(text) | Line::Entry(text), _) => format!("- {text}"),
        (Line::Hashtags(tags), _) => tags.join(" "),
        (Line::Credit(people), _) => format!("With {}.", enumerate(people)),
        (Line::Bullet(sentences), _) => format!("- {}", sentences.join(" ")),
        (Line::Prose(sentences), _) => sentences.join(" "),
    }
}
