//! What the lines of a block say.
//!
//! Invariant: no field is guessed: what is not exactly a key of ours is told, or refused where it looks like one.
//! Absent here: where the block stands, and whose it is.

use super::{
    super::alike,
    MetaError, ReviewMeta, Verdict, Warning,
    place::{Block, Line},
};
use crate::reply::telling::quoted;

/// A key of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Verdict,
    IssuesTotal,
    IssuesCritical,
    MissingInputs,
    ReviewToken,
}

/// A field as it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) line: usize,
    pub(super) key: &'a str,
    pub(super) value: &'a str,
}

/// The fields of a block; no key twice.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    /// The line that the block begins in.
    pub(super) line: usize,
    fields: Vec<Field<'a>>,
}

impl Key {
    /// Those that every block has.
    pub(super) const REQUIRED: [Self; 4] =
        [Self::Verdict, Self::IssuesTotal, Self::IssuesCritical, Self::MissingInputs];
    const ALL: [Self; 5] = [
        Self::Verdict,
        Self::IssuesTotal,
        Self::IssuesCritical,
        Self::MissingInputs,
        Self::ReviewToken,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::IssuesTotal => "issues_total",
            Self::IssuesCritical => "issues_critical",
            Self::MissingInputs => "missing_inputs",
            Self::ReviewToken => "review_token",
        }
    }

    /// What to write, for a message.
    const fn wanted(self) -> &'static str {
        match self {
            Self::Verdict => "`verdict: PASS` or `verdict: FAIL`",
            Self::IssuesTotal => "`issues_total: 0` or how many there are",
            Self::IssuesCritical => "`issues_critical: 0` or how many there are",
            Self::MissingInputs => "`missing_inputs: 0` or how many there are",
            Self::ReviewToken => "`review_token:` and the token of this review",
        }
    }
}

impl<'a> Fields<'a> {
    /// Reads the lines, in order, up to the first mistake.
    pub(super) fn read(block: &Block<'a>) -> Result<(Self, Vec<Warning>), MetaError> {
        let mut read = Self { line: block.line, fields: Vec::with_capacity(block.lines.len()) };
        let mut warnings = Vec::new();
        for line in &block.lines {
            let field = field(*line)?;
            if !Key::ALL.iter().any(|key| key.name() == field.key) {
                warnings.push(unknown(field)?);
            }
            if let Some(first) = read.find(field.key) {
                let (line, first) = (field.line, first.line);
                return Err(MetaError::Duplicate { line, first, key: quoted(field.key) });
            }
            read.fields.push(field);
        }
        Ok((read, warnings))
    }

    fn find(&self, key: &str) -> Option<Field<'a>> {
        self.fields.iter().find(|field| field.key == key).copied()
    }

    /// The field of this key, if it is there.
    pub(super) fn get(&self, key: Key) -> Option<Field<'a>> {
        self.find(key.name())
    }

    fn value(&self, key: Key) -> Result<Field<'a>, MetaError> {
        let (name, wanted) = (key.name(), key.wanted());
        match self.get(key) {
            None => Err(MetaError::Missing { line: self.line, key: name, wanted }),
            Some(field) if field.value.is_empty() => {
                Err(MetaError::Empty { line: field.line, key: name, wanted })
            }
            Some(field) => Ok(field),
        }
    }

    fn number(&self, key: Key) -> Result<u32, MetaError> {
        let Field { line, value, .. } = self.value(key)?;
        let (key, found) = (key.name(), quoted(value));
        if !value.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(MetaError::BadNumber { line, key, found });
        }
        value.parse().map_err(|_| MetaError::HugeNumber { line, key, found })
    }

    /// The review that they make.
    pub(super) fn meta(&self) -> Result<ReviewMeta, MetaError> {
        let verdict = verdict(self.value(Key::Verdict)?)?;
        let total = self.number(Key::IssuesTotal)?;
        let critical = self.number(Key::IssuesCritical)?;
        let missing_inputs = self.number(Key::MissingInputs)?;
        let line = self.value(Key::IssuesCritical)?.line;
        if critical > total {
            return Err(MetaError::CriticalAboveTotal { line, critical, total });
        }
        if verdict == Verdict::Pass && critical > 0 {
            return Err(MetaError::CriticalPass { line, critical });
        }
        Ok(ReviewMeta { verdict, issues_total: total, issues_critical: critical, missing_inputs })
    }
}

fn field(line: Line<'_>) -> Result<Field<'_>, MetaError> {
    let Line { number, text } = line;
    if let Some(c) = text.chars().find(|c| *c != '\t' && alike::is_unseen(*c)) {
        return Err(MetaError::Hidden { line: number, code: u32::from(c) });
    }
    let Some((key, value)) = text.split_once(':') else {
        return Err(MetaError::NotAField { line: number, found: quoted(text) });
    };
    let blanks = [' ', '\t'];
    Ok(Field { line: number, key: key.trim_matches(blanks), value: value.trim_matches(blanks) })
}

/// What is told of a key that is not ours, unless a reader could take it for one, or for no key at all.
fn unknown(field: Field<'_>) -> Result<Warning, MetaError> {
    let Field { line, key, .. } = field;
    let look = alike::bare(key);
    if let Some(ours) = Key::ALL.into_iter().find(|ours| alike::bare(ours.name()) == look) {
        return Err(MetaError::LikeKey { line, found: quoted(key), key: ours.name() });
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-. ".contains(c);
    match key.starts_with(|c: char| c.is_ascii_alphabetic()) && key.chars().all(plain) {
        true => Ok(Warning::UnknownKey { line, key: quoted(key) }),
        false => Err(MetaError::NotAField { line, found: quoted(key) }),
    }
}

fn verdict(field: Field<'_>) -> Result<Verdict, MetaError> {
    let is = |word: &str| field.value.eq_ignore_ascii_case(word);
    match (is("PASS"), is("FAIL")) {
        (true, _) => Ok(Verdict::Pass),
        (_, true) => Ok(Verdict::Fail),
        (false, false) => {
            Err(MetaError::BadVerdict { line: field.line, found: quoted(field.value) })
        }
    }
}
