//! A person's answer as the message it stands for.
//!
//! Absent here: answers in JSON.

use super::Request;
use crate::{
    by_hand::item,
    findings::{Answer, Dispute, Findings, Status},
    pair::{
        diff,
        message::{Kind, Message, Point},
        shape::ARCHITECT,
        verdict::Judgement,
    },
};
use redraft_loop::Severity;

/// Words and a diff, with disputes among the words.
pub(super) fn implemented(asked: Request, text: &str) -> Result<Message, String> {
    let (words, diff) = diff::apart(text);
    if diff.is_empty() {
        return Err(
            "it has no diff; write the whole change as `git diff` prints it, from `diff --git` or `---` on".to_owned(),
        );
    }
    let (mut said, mut disputes) = (Vec::new(), Vec::new());
    for line in words.lines() {
        match status(line) {
            Some((Status::Disputed, finding, "")) => {
                return Err(format!("say why {finding} is wrong, after its id"));
            }
            Some((Status::Disputed, finding, reason)) => {
                disputes.push(Dispute { finding: finding.to_owned(), reason: reason.to_owned() });
            }
            Some((Status::Open | Status::Fixed | Status::Reopened, _, _)) | None => said.push(line),
        }
    }
    let known = Findings::of(asked.findings);
    known.check_disputes(&disputes).map_err(|misfit| misfit.to_string())?;
    let content = match said.join("\n").trim() {
        "" => "The change is the diff.".to_owned(),
        said => said.to_owned(),
    };
    Ok(Message { diff: Some(diff), disputes, ..Message::new(Kind::Implement, asked.turn, content) })
}

/// Words, points and answers to findings.
pub(super) fn criticised(asked: Request, text: &str) -> Result<Message, String> {
    let mut critique = Critique::default();
    for (n, line) in (1..).zip(text.lines()) {
        critique.add(line, !asked.findings.is_empty()).map_err(|why| format!("line {n}: {why}"))?;
    }
    let Critique { words, points, answers, .. } = critique;
    let known = Findings::of(asked.findings);
    known.check_answers(ARCHITECT, &answers).map_err(|misfit| misfit.to_string())?;
    let words = words.join("\n");
    // A critique of points alone is told by them.
    let content = if words.trim().is_empty() { text } else { &words };
    let message = Message::new(Kind::Critique, asked.turn, content.trim());
    Ok(Message { issues: Some(points), findings: Some(answers), ..message })
}

/// A word, and why.
pub(super) fn verified(asked: &Request, text: &str) -> Result<Message, String> {
    let (first, why) = text.trim().split_once('\n').unwrap_or((text.trim(), ""));
    let (verdict, alone) =
        match first.trim_end().trim_end_matches(['.', ':']).to_lowercase().as_str() {
            "verified" => (Judgement::Verified, "Verified."),
            "rejected" => (Judgement::Rejected, "Rejected."),
            _ => return Err("its first line has to be verified or rejected, alone".to_owned()),
        };
    let why = if why.trim().is_empty() { alone } else { why.trim() };
    Ok(Message { verdict: Some(verdict), ..Message::new(Kind::Verify, asked.turn, why) })
}

/// A critique as far as it is read.
#[derive(Default)]
struct Critique<'a> {
    words: Vec<&'a str>,
    points: Vec<Point>,
    answers: Vec<Answer>,
    /// Where an indented line goes.
    newest: Newest,
    fenced: bool,
}

#[derive(Default, Clone, Copy)]
enum Newest {
    #[default]
    Words,
    Point,
    Answer,
}

impl<'a> Critique<'a> {
    fn add(&mut self, line: &'a str, has_findings: bool) -> Result<(), String> {
        let is_fence = line.starts_with("```") || line.starts_with("~~~");
        self.fenced ^= is_fence;
        if self.fenced || is_fence {
            self.newest = Newest::Words;
            self.words.push(line);
            return Ok(());
        }
        if line.starts_with([' ', '\t']) && self.goes_on(line.trim()) {
            return Ok(());
        }
        let text = item(line);
        if has_findings && let Some((status, id, note)) = status(text.unwrap_or(line)) {
            let note = (!note.is_empty()).then(|| note.to_owned());
            self.answers.push(Answer { id: id.to_owned(), status, note });
            self.newest = Newest::Answer;
        } else if let Some(text) = text {
            self.points.push(point(text)?);
            self.newest = Newest::Point;
        } else {
            self.words.push(line);
            // A blank line between the paragraphs of an item does not end it.
            self.newest = if line.trim().is_empty() { self.newest } else { Newest::Words };
        }
        Ok(())
    }

    /// Adds an indented line to the item above it; `false` where there is none.
    fn goes_on(&mut self, line: &str) -> bool {
        match self.newest {
            Newest::Words => return false,
            Newest::Point => {
                if let Some(point) = self.points.last_mut() {
                    point.message = format!("{}\n{line}", point.message);
                }
            }
            Newest::Answer => {
                if let Some(answer) = self.answers.last_mut() {
                    let before = answer.note.take().map_or(String::new(), |note| note + "\n");
                    answer.note = Some(before + line);
                }
            }
        }
        true
    }
}

/// A point, with its weight and its file where it has them; without a weight it has to be mended.
fn point(text: &str) -> Result<Point, String> {
    let (severity, file, message) = weighed(text).unwrap_or((Severity::Error, None, text));
    if message.trim().is_empty() {
        return Err("say what is wrong".to_owned());
    }
    let message = message.trim().to_owned();
    Ok(Point { severity, message, file: file.map(str::to_owned) })
}

/// `WEIGHT: …` or `WEIGHT (FILE): …`.
fn weighed(text: &str) -> Option<(Severity, Option<&str>, &str)> {
    let end = text.find(|c: char| !c.is_alphabetic())?;
    let (word, rest) = text.split_at(end);
    let severity = match word.to_lowercase().as_str() {
        "blocker" => Severity::Blocker,
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => return None,
    };
    let rest = rest.trim_start();
    let in_file = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let (file, rest) = in_file.map_or((None, rest), |(file, rest)| (Some(file.trim()), rest));
    let message = rest.trim_start().strip_prefix(':')?;
    Some((severity, file.filter(|file| !file.is_empty()), message))
}

/// `STATUS: ID why`.
fn status(line: &str) -> Option<(Status, &str, &str)> {
    let (word, rest) = line.split_once(':')?;
    let word = word.trim().to_lowercase();
    let status = Status::ALL.into_iter().find(|status| status.name() == word)?;
    let rest = rest.trim();
    let end = rest.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(rest.len());
    let (id, why) = rest.split_at(end);
    (!id.is_empty()).then(|| (status, id, why.trim_start_matches(',').trim()))
}
