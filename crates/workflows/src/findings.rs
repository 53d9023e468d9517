//! Findings: what reviews find, followed by identity from round to round.
//!
//! A reviewer is shown its findings and answers id by id, so that a paraphrase keeps its id and two findings on
//! one line stay two. One that reviews afresh each time, as rules do, is matched by what each issue is about.
//! Invariant: the same turns give the same findings; a finding is never dropped, only closed.
//! Absent here: what a workflow calls its steps, and how replies spell findings.

use redraft_loop::{Issue, Severity};
use serde::{Deserialize, Serialize};

/// One thing that was found, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The id of the issue that raised it.
    pub id: String,
    /// Who raised it.
    pub by: String,
    /// The round in which it was raised.
    pub raised_in: u32,
    /// Its weight.
    pub severity: Severity,
    /// What is wrong, in the newest words.
    pub message: String,
    /// The rule, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The part it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// How it stands.
    pub status: Status,
    /// How it came to stand so, oldest first; one entry for each change.
    pub history: Vec<Change>,
    /// How often the creator disputed it and its reviewer upheld it.
    pub upheld: u32,
}

/// How a finding stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It has to be mended.
    Open,
    /// It was mended, or taken back.
    Fixed,
    /// One side says that it is wrong.
    Disputed,
    /// It was mended, and is back.
    Reopened,
}

/// One change of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The round.
    pub round: u32,
    /// Who said so.
    pub by: String,
    /// How it stands from here on.
    pub status: Status,
    /// Why, in their words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A reviewer's word on a finding that it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The finding's id.
    pub id: String,
    /// How it stands now.
    pub status: Status,
    /// The finding in new words, or why it stands so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A creator's objection to a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dispute {
    /// The finding's id.
    pub finding: String,
    /// Why it is wrong.
    pub reason: String,
}

/// Why answers or disputes do not fit the findings that were shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// Nobody showed this id.
    #[error("{0}: no finding of this id was shown; the ids are {1}")]
    NotShown(String, String),
    /// Two words on one finding.
    #[error("{0}: the finding is answered twice")]
    Twice(String),
    /// A finding that stands open was passed over.
    #[error("{0}: the finding is not answered; say fixed, open, disputed or reopened")]
    Unanswered(String),
    /// What was never mended cannot come back.
    #[error("{0}: the finding was not fixed before, so it cannot be reopened; say open")]
    NotFixedBefore(String),
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Open, Self::Fixed, Self::Disputed, Self::Reopened];

    /// The word in replies and on pages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Fixed => "fixed",
            Self::Disputed => "disputed",
            Self::Reopened => "reopened",
        }
    }

    /// Whether something is still to be done about it.
    pub fn is_open(self) -> bool {
        match self {
            Self::Open | Self::Disputed | Self::Reopened => true,
            Self::Fixed => false,
        }
    }
}

impl Finding {
    /// Why the creator disputes it, while its reviewer has not answered that.
    pub fn dispute(&self) -> Option<&str> {
        let last = self.history.last().filter(|last| last.by != self.by)?;
        last.note.as_deref().filter(|_| self.status == Status::Disputed)
    }

    /// How it stood at the end of a round; `None` before it was raised.
    pub fn stood_after(&self, round: u32) -> Option<Status> {
        let until = self.history.iter().rev().find(|change| change.round <= round);
        until.map(|change| change.status)
    }

    /// The finding as an issue of a review, under its own id.
    pub fn as_issue(&self) -> Issue {
        Issue {
            id: self.id.clone(),
            severity: self.severity,
            message: self.message.clone(),
            code: self.code.clone(),
            field: self.field.clone(),
        }
    }

    fn change(&mut self, round: u32, by: &str, status: Status, note: Option<String>) {
        self.status = status;
        self.history.push(Change { round, by: by.to_owned(), status, note });
    }

    /// Whether an issue of a review that was made afresh is the same in the same words.
    fn is_told_as(&self, issue: &Issue) -> bool {
        self.id == issue.id || (self.message == issue.message && self.is_about(issue))
    }

    /// Whether an issue of a review that was made afresh is about the same thing.
    fn is_about(&self, issue: &Issue) -> bool {
        match (&self.code, &issue.code) {
            (Some(ours), Some(theirs)) => ours == theirs && self.field == issue.field,
            (None, None) => {
                self.field == issue.field && words(&self.message) == words(&issue.message)
            }
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

/// A message without what changes from one telling to the next: case, spaces and figures.
fn words(message: &str) -> String {
    let letters = message.chars().map(|c| if c.is_alphabetic() { c } else { ' ' });
    let letters: String = letters.flat_map(char::to_lowercase).collect();
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All findings of a run, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    all: Vec<Finding>,
}

impl Findings {
    /// These, as somebody was shown them; oldest first.
    pub fn of(all: Vec<Finding>) -> Self {
        Self { all }
    }

    /// All of them, oldest first.
    pub fn all(&self) -> &[Finding] {
        &self.all
    }

    /// Those that are still to be mended.
    pub fn open(&self) -> impl Iterator<Item = &Finding> {
        self.all.iter().filter(|finding| finding.status.is_open())
    }

    /// What a reviewer is shown: all that it has raised, the mended ones too, since they may be back.
    pub fn shown_to<'a>(&'a self, by: &'a str) -> impl Iterator<Item = &'a Finding> {
        self.all.iter().filter(move |finding| finding.by == by)
    }

    /// Checks a reviewer's answers against what it was shown.
    ///
    /// # Errors
    /// The first [`Misfit`], in words that a repair can quote.
    pub fn check_answers(&self, by: &str, answers: &[Answer]) -> Result<(), Misfit> {
        for (n, answer) in answers.iter().enumerate() {
            let Some(finding) = self.shown_to(by).find(|finding| finding.id == answer.id) else {
                return Err(not_shown(&answer.id, self.shown_to(by)));
            };
            if answers[..n].iter().any(|earlier| earlier.id == answer.id) {
                return Err(Misfit::Twice(answer.id.clone()));
            }
            if answer.status == Status::Reopened && finding.status != Status::Fixed {
                return Err(Misfit::NotFixedBefore(answer.id.clone()));
            }
        }
        let mut open = self.shown_to(by).filter(|finding| finding.status.is_open());
        match open.find(|finding| !answers.iter().any(|answer| answer.id == finding.id)) {
            Some(finding) => Err(Misfit::Unanswered(finding.id.clone())),
            None => Ok(()),
        }
    }

    /// Checks a creator's disputes: of open findings only, each once.
    ///
    /// # Errors
    /// The first [`Misfit`].
    pub fn check_disputes(&self, disputes: &[Dispute]) -> Result<(), Misfit> {
        for (n, dispute) in disputes.iter().enumerate() {
            if !self.open().any(|finding| finding.id == dispute.finding) {
                return Err(not_shown(&dispute.finding, self.open()));
            }
            if disputes[..n].iter().any(|earlier| earlier.finding == dispute.finding) {
                return Err(Misfit::Twice(dispute.finding.clone()));
            }
        }
        Ok(())
    }

    /// Folds a creator's disputes in.
    pub fn dispute(&mut self, round: u32, by: &str, disputes: &[Dispute]) {
        for dispute in disputes {
            let disputed = self.all.iter_mut().find(|finding| finding.id == dispute.finding);
            if let Some(finding) = disputed.filter(|finding| finding.status.is_open()) {
                finding.change(round, by, Status::Disputed, Some(dispute.reason.clone()));
            }
        }
    }

    /// Folds a review in that answers findings by id and raises what is new.
    pub fn review(&mut self, round: u32, by: &str, answers: &[Answer], issues: &[Issue]) {
        for answer in answers {
            if let Some(finding) = self.all.iter_mut().find(|finding| finding.id == answer.id) {
                let disputed = finding.dispute().is_some();
                finding.upheld += u32::from(disputed && answer.status.is_open());
                if let (Some(note), true) = (&answer.note, answer.status.is_open()) {
                    finding.message.clone_from(note);
                }
                if disputed || finding.status != answer.status {
                    finding.change(round, by, answer.status, answer.note.clone());
                }
            }
        }
        let new = issues.iter().filter(|issue| !self.all.iter().any(|f| f.id == issue.id));
        let new: Vec<Finding> = new.map(|issue| raised(round, by, issue)).collect();
        self.all.extend(new);
    }

    /// Folds a review in that looked at the candidate afresh: what it names again stands on, what it does not
    /// name any more is mended. Issues in the same words are met first; then the n-th issue about a thing is the n-th
    /// finding about it.
    pub fn review_afresh(&mut self, round: u32, by: &str, issues: &[Issue]) {
        let mut met = vec![false; self.all.len()];
        let mut unmatched = Vec::new();
        for issue in issues {
            match self.meet(&mut met, by, |finding| finding.is_told_as(issue)) {
                Some(n) => self.all[n].stands(round, by, issue),
                None => unmatched.push(issue),
            }
        }
        let mut new = Vec::new();
        for issue in unmatched {
            match self.meet(&mut met, by, |finding| finding.is_about(issue)) {
                Some(n) => self.all[n].stands(round, by, issue),
                None => new.push(raised(round, by, issue)),
            }
        }
        let gone = self.all.iter_mut().zip(met).filter(|(finding, met)| !met && finding.by == by);
        for (finding, _) in gone.filter(|(finding, _)| finding.status.is_open()) {
            finding.change(round, by, Status::Fixed, None);
        }
        self.all.extend(new);
    }
}

impl Findings {
    /// The first finding of a reviewer that fits and was not met before in this review.
    fn meet(&self, met: &mut [bool], by: &str, fits: impl Fn(&Finding) -> bool) -> Option<usize> {
        let mut known = self.all.iter().zip(met.iter());
        let n = known.position(|(finding, met)| !met && finding.by == by && fits(finding))?;
        met[n] = true;
        Some(n)
    }
}

impl Finding {
    /// The issue was named again by a review that was made afresh.
    fn stands(&mut self, round: u32, by: &str, issue: &Issue) {
        self.message.clone_from(&issue.message);
        self.severity = issue.severity;
        match self.status {
            Status::Open | Status::Reopened => {}
            Status::Fixed => self.change(round, by, Status::Reopened, None),
            Status::Disputed => {
                self.upheld += 1;
                self.change(round, by, Status::Open, None);
            }
        }
    }
}

fn raised(round: u32, by: &str, issue: &Issue) -> Finding {
    let status = Status::Open;
    Finding {
        id: issue.id.clone(),
        by: by.to_owned(),
        raised_in: round,
        severity: issue.severity,
        message: issue.message.clone(),
        code: issue.code.clone(),
        field: issue.field.clone(),
        status,
        history: vec![Change { round, by: by.to_owned(), status, note: None }],
        upheld: 0,
    }
}

fn not_shown<'a>(id: &str, shown: impl Iterator<Item = &'a Finding>) -> Misfit {
    let ids: Vec<&str> = shown.map(|finding| finding.id.as_str()).collect();
    let ids = if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
    Misfit::NotShown(id.to_owned(), ids)
}

#[cfg(test)]
mod tests;
