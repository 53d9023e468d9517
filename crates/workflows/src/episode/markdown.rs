//! Markdown transcripts: `**Speaker:**` at the head of a line, then what they said.
//!
//! Invariant: all inline markup is resolved by a CommonMark parser (links, emphasis, escapes, code,
//! entities), never by patterns; what is left is text with its markers. Headings, rules, front matter
//! and comments are not speech. Absent: the meaning of brackets, and turns.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::inline_html;
use super::markers::{self, Piece};
use super::names;
use super::passage::Passage;
use super::plain;
use super::turns::Part;
use super::{Link, clock};

/// The parts of a Markdown text, and its links. The text has gone through [`prepared`].
pub(super) fn parts(text: &str) -> (Vec<Part>, Vec<Link>) {
    let mut reader = Reader::default();
    for (event, range) in Parser::new(text).into_offset_iter() {
        reader.read(event, &range, text);
    }
    reader.end_line();
    (reader.parts, reader.links)
}

/// Whether a line of the text begins as a bold name does.
pub(super) fn has_lead_ins(text: &str) -> bool {
    let (parts, _) = parts(text);
    parts.iter().any(|part| matches!(part, Part::Speaker(_)))
}

/// The text with its lines in place, kept from reading as what no transcript means: front matter is
/// gone, `[12:02]: hi` is no link definition, and an indented paragraph is no code.
pub(super) fn prepared(text: &str) -> String {
    let skip = front_matter_lines(text);
    let lines = text.split('\n').enumerate().map(|(at, line)| {
        if at < skip {
            String::new()
        } else if reads_as_definition(line) {
            shallow(line).replacen('[', "\\[", 1)
        } else {
            shallow(line)
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The line with at most three blanks before it.
fn shallow(line: &str) -> String {
    let text = line.trim_start_matches([' ', '\t']);
    let depth = line.len() - text.len();
    if depth > 3 || line.starts_with('\t') { format!("   {text}") } else { line.to_owned() }
}

/// Lines of the `---` block of settings at the head of the text; 0 when there is none.
fn front_matter_lines(text: &str) -> usize {
    let mut lines = text.split('\n');
    if lines.next().map(str::trim_end) != Some("---") {
        return 0;
    }
    for (at, line) in lines.enumerate() {
        if line.trim_end() == "---" {
            return at + 2;
        }
        let key = line.split_once(':').map_or("", |(key, _)| key);
        let is_key =
            !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c));
        if !is_key && !line.is_empty() && !line.starts_with([' ', '\t', '-', '#']) {
            return 0;
        }
    }
    0
}

fn reads_as_definition(line: &str) -> bool {
    let line = line.trim_start();
    let target = line.strip_prefix('[').and_then(|rest| rest.split_once("]:"));
    let is_address = |target: &str| {
        ["http://", "https://", "<", "mailto:", "#", "/"]
            .iter()
            .any(|start| target.starts_with(start))
    };
    target.is_some_and(|(_, target)| !is_address(target.trim_start()))
}

/// Bold text at the head of a line, until it shows whether it names a speaker.
#[derive(Default)]
struct Lead {
    text: Passage,
    /// How many bold spans are open; 0 when a colon may follow.
    depth: usize,
}

#[derive(Default)]
struct Reader {
    parts: Vec<Part>,
    links: Vec<Link>,
    line: Passage,
    /// The number of a list item, until text follows it.
    number: Passage,
    lead: Option<Lead>,
    /// The open link: its address, and its label so far.
    link: Option<(String, String)>,
    /// Inside a heading that is no speech.
    heading: bool,
}

impl Reader {
    fn read(&mut self, event: Event<'_>, range: &Range<usize>, source: &str) {
        match event {
            Event::Start(tag) => self.open(&tag, range, source),
            Event::End(end) => self.shut(end),
            Event::Text(text) if text.contains('\n') => self.raw_lines(&text, range.start),
            Event::Text(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text, range.start);
            }
            Event::Code(text) => self.raw_lines(&text, range.start),
            Event::Html(html) | Event::InlineHtml(html) => {
                self.raw_lines(&inline_html::without_tags(&html), range.start);
            }
            Event::SoftBreak | Event::HardBreak => self.end_line(),
            Event::Rule => self.end_paragraph(),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn open(&mut self, tag: &Tag<'_>, range: &Range<usize>, source: &str) {
        let own = source.get(range.clone()).unwrap_or_default();
        if matches!(tag, Tag::Strong) {
            self.open_bold();
        } else if let Tag::Link { dest_url, .. } = tag {
            self.link = Some((dest_url.to_string(), String::new()));
        } else if matches!(tag, Tag::Item) {
            self.end_paragraph();
            let number = own
                .split_whitespace()
                .next()
                .filter(|n| n.starts_with(|c: char| c.is_ascii_digit()));
            self.number =
                number.map(|n| Passage::new(&format!("{n} "), range.start)).unwrap_or_default();
        } else if matches!(tag, Tag::Heading { .. }) {
            self.end_paragraph();
            self.heading = own.starts_with('#');
        } else if !matches!(tag, Tag::Paragraph | Tag::Emphasis | Tag::Image { .. }) {
            self.end_paragraph();
        }
    }

    fn shut(&mut self, end: TagEnd) {
        if matches!(end, TagEnd::Strong) {
            self.shut_bold();
        } else if matches!(end, TagEnd::Link) {
            self.shut_link();
        } else if matches!(end, TagEnd::Heading(_)) {
            self.end_paragraph();
            self.heading = false;
        } else if !matches!(end, TagEnd::Emphasis | TagEnd::Image) {
            self.end_paragraph();
        }
    }

    /// Text that Markdown does not read, such as code: its lines are lines.
    fn raw_lines(&mut self, text: &str, source: usize) {
        let mut offset = source;
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.end_line();
            }
            self.text(&plain::unescaped_brackets(line), offset);
            offset += line.len() + 1;
        }
    }

    fn text(&mut self, text: &str, source: usize) {
        if let Some((_, label)) = &mut self.link {
            label.push_str(text);
        }
        match self.lead.take() {
            Some(mut lead) if lead.depth > 0 => {
                lead.text.push(text, source);
                self.lead = Some(lead);
            }
            Some(lead) if text.starts_with([':', '：']) && is_name(lead.text.as_str()) => {
                self.speaker(lead.text);
                let rest = text.trim_start_matches([':', '：']);
                self.line.push(rest, source + text.len() - rest.len());
            }
            Some(lead) => {
                self.keep(&lead.text);
                self.line.push(text, source);
            }
            None => self.keep(&Passage::new(text, source)),
        }
    }

    fn keep(&mut self, text: &Passage) {
        if !text.is_blank() {
            self.line.append(&std::mem::take(&mut self.number));
        }
        self.line.append(text);
    }

    fn open_bold(&mut self) {
        match &mut self.lead {
            Some(lead) => lead.depth += 1,
            None if markers::is_silent(&self.line) => {
                self.lead = Some(Lead { text: Passage::default(), depth: 1 });
            }
            None => {}
        }
    }

    fn shut_bold(&mut self) {
        let Some(mut lead) = self.lead.take() else { return };
        lead.depth = lead.depth.saturating_sub(1);
        let text = lead.text.as_str().trim_end();
        if lead.depth == 0 && text.ends_with([':', '：']) && is_name(text) {
            self.speaker(lead.text);
        } else {
            self.lead = Some(lead);
        }
    }

    /// Keeps a web link; a link whose label is a time is a marker.
    fn shut_link(&mut self) {
        let Some((url, label)) = self.link.take() else { return };
        if clock::parse(label.trim()).is_some() {
            let text = self.lead.as_mut().map_or(&mut self.line, |lead| &mut lead.text);
            text.bracket_tail(label.len());
        }
        self.links.extend(web_link(&label, url));
    }

    fn speaker(&mut self, name: Passage) {
        self.end_line();
        self.number = Passage::default();
        self.parts.push(Part::Speaker(name));
    }

    fn end_line(&mut self) {
        if let Some(lead) = self.lead.take() {
            self.keep(&lead.text);
        }
        let line = std::mem::take(&mut self.line);
        if self.heading {
            self.parts.extend(times(line));
        } else if !line.is_blank() {
            self.parts.push(Part::Line(line));
        }
    }

    fn end_paragraph(&mut self) {
        self.end_line();
        self.parts.push(Part::Paragraph);
    }
}

/// The markers of a heading; the heading itself when one of them is broken, so that it is refused.
fn times(line: Passage) -> Vec<Part> {
    let Ok(pieces) = markers::pieces(&line) else { return vec![Part::Line(line)] };
    let time = |piece| match piece {
        Piece::Time(ms) => Some(Part::Time(ms)),
        Piece::Said(_) => None,
    };
    pieces.into_iter().filter_map(time).collect()
}

fn is_name(text: &str) -> bool {
    let (name, _) = names::without_clock(text);
    !name.is_empty() && name.chars().count() <= names::MAX_NAME_CHARS
}

fn web_link(label: &str, url: String) -> Option<Link> {
    let lower = url.to_ascii_lowercase();
    let is_web = lower.starts_with("http://") || lower.starts_with("https://");
    let is_clean = !url.contains(|c: char| c.is_whitespace() || c.is_control());
    let said =
        markers::pieces(&Passage::new(label, 0)).ok()?.into_iter().map(|piece| match piece {
            Piece::Said(text) => text,
            Piece::Time(_) => String::new(),
        });
    let label = said.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
    let label =
        if label.is_empty() || clock::parse(&label).is_some() { url.clone() } else { label };
    (is_web && is_clean).then_some(Link { label, url })
}
