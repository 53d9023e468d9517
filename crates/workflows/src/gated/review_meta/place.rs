//! Where the block of a response stands, and that it stands alone.
//!
//! Invariant: whatever looks like the start of a block counts as one against the response, and never for it.
//! Absent here: what the fields say.

use super::{super::alike, MetaError};
use crate::reply::telling::quoted;

const OPENING: &str = "@@@REVIEW_META";
const CLOSING: &str = "@@@";
/// The most lines between the two, empty ones aside.
const MOST_LINES: usize = 64;

/// A line without its end and the blanks round it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// From 1.
    pub(super) number: usize,
    pub(super) text: &'a str,
}

/// The block of a response.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// The number of its first line.
    pub(super) line: usize,
    /// What stands in it, without empty lines.
    pub(super) lines: Vec<Line<'a>>,
    /// The lines behind it.
    behind: Lines<'a>,
}

/// The line of the code fence that the block stands in, and how the fence is closed.
struct Fence<'a> {
    line: usize,
    marks: &'a str,
}

/// The lines of a response that are not read yet.
#[derive(Debug, Clone)]
struct Lines<'a> {
    rest: Option<&'a str>,
    number: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.rest?;
        let (line, behind) = match rest.split_once('\n') {
            Some((line, behind)) => (line, Some(behind)),
            None => (rest, None),
        };
        self.rest = behind;
        self.number += 1;
        let text = line.strip_suffix('\r').unwrap_or(line).trim_matches([' ', '\t']);
        Some(Line { number: self.number, text })
    }
}

/// Finds the block: the first thing in the response, closed, and the only one of its kind.
pub(super) fn find(response: &str) -> Result<Block<'_>, MetaError> {
    let rest = response.strip_prefix('\u{feff}').unwrap_or(response);
    let mut lines = Lines { rest: Some(rest), number: 0 };
    let (line, fence) = opened(&mut lines)?;
    if let Some(second) = lines.clone().find(is_opening_like) {
        return Err(MetaError::TwoBlocks { line: second.number, first: line });
    }
    let block = closed(&mut lines, line)?;
    if let Some(fence) = fence {
        fence.ends_with_block_or_response(lines.clone())?;
    }
    Ok(Block { line, lines: block, behind: lines })
}

/// The line of the opening, and the fence round it.
fn opened<'a>(lines: &mut Lines<'a>) -> Result<(usize, Option<Fence<'a>>), MetaError> {
    let mut written = lines.by_ref().filter(|line| !line.text.is_empty());
    let Some(first) = written.next() else { return Err(MetaError::NoBlock { line: 1 }) };
    let fence = Fence::at(first).filter(|_| !is_opening_like(&first));
    let begins = if fence.is_some() { written.next() } else { Some(first) };
    match begins {
        Some(line) if line.text == OPENING => Ok((line.number, fence)),
        Some(line) if is_opening_like(&line) => {
            Err(MetaError::LikeOpening { line: line.number, found: quoted(line.text) })
        }
        Some(line) => Err(lines.find(is_opening_like).map_or(
            MetaError::NoBlock { line: line.number },
            |block| MetaError::TextBefore { line: line.number, block: block.number },
        )),
        None => Err(MetaError::NoBlock { line: first.number }),
    }
}

/// The lines up to the closing one.
fn closed<'a>(lines: &mut Lines<'a>, opening: usize) -> Result<Vec<Line<'a>>, MetaError> {
    let mut block = Vec::new();
    for line in lines.filter(|line| !line.text.is_empty()) {
        if line.text == CLOSING {
            return Ok(block);
        }
        if line.text.starts_with('@') {
            return Err(MetaError::LikeClosing { line: line.number, found: quoted(line.text) });
        }
        if block.len() == MOST_LINES {
            break;
        }
        block.push(line);
    }
    Err(MetaError::NoClosing { line: opening })
}

/// Whether a line could be taken for an opening, wherever in it that stands.
fn is_opening_like(line: &Line<'_>) -> bool {
    let plain = line.text.is_ascii() && !line.text.contains(['@', '\\', '&']);
    !plain && alike::with_at_signs(line.text).contains(&alike::with_at_signs(&OPENING[1..]))
}

/// No line behind a block that passes says that the review fails: of the two, one may be quoted.
pub(super) fn nothing_fails(block: &Block<'_>) -> Result<(), MetaError> {
    let fails = alike::bare("verdict: fail");
    let says_so = |line: &Line<'_>| alike::bare(line.text).starts_with(&fails);
    match block.behind.clone().find(says_so) {
        Some(line) => Err(MetaError::Contradicted { line: line.number }),
        None => Ok(()),
    }
}

impl<'a> Fence<'a> {
    fn at(line: Line<'a>) -> Option<Self> {
        let sign = ['`', '~'].into_iter().find(|sign| line.text.starts_with(*sign))?;
        let language = line.text.trim_start_matches(sign);
        let marks = &line.text[..line.text.len() - language.len()];
        (marks.len() >= 3 && !language.contains('`')).then_some(Self { line: line.number, marks })
    }

    fn is_closed_by(&self, line: &Line<'_>) -> bool {
        line.text.starts_with(self.marks)
            && line.text.trim_start_matches(&self.marks[..1]).is_empty()
    }

    /// A fence round a part of the response that begins with the block is a quoted file.
    fn ends_with_block_or_response(&self, behind: Lines<'_>) -> Result<(), MetaError> {
        let mut written = behind.filter(|line| !line.text.is_empty());
        let inside = written.by_ref().take_while(|line| !self.is_closed_by(line)).count();
        match written.next() {
            Some(_) if inside > 0 => Err(MetaError::PartFenced { line: self.line }),
            Some(_) | None => Ok(()),
        }
    }
}
