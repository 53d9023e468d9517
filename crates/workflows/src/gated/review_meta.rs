//! The verdict of a review: the block at the head of a reviewer's response.
//!
//! ```text
//! @@@REVIEW_META
//! verdict: PASS
//! issues_total: 2
//! issues_critical: 0
//! missing_inputs: 0
//! @@@
//! ```
//!
//! Read as it stands: keys in any order, the verdict in any case, blanks and empty lines, CRLF, one byte order mark, a
//! code fence round the block or the response, leading zeros (`007` is seven). All else is refused with its line and what
//! to write instead, bold marks and other decoration included. Keys that are not ours are told as warnings.
//!
//! Whose block is it? The reviewer was shown texts, and a text can hold a block that a response merely quotes. So a block
//! whose four fields all stand in the texts shown, however disguised or scattered, is nobody's. An honest reviewer may
//! still mean just that, for there is only one way to find nothing: then the block carries a fifth line, `review_token`,
//! with the [`Token`] of this review, which stands in none of the texts and so was quoted from none. A token that is
//! there has to be the right one, needed or not: another belongs to another review.
//!
//! Invariant: a response made of lines of the texts shown is never read. Nothing behind a block changes what it says; it
//! can only have it refused. Time is linear in response and texts; a block has at most 64 lines.
//! Absent here: what follows from a verdict, and obedience: a reviewer who does what the texts tell says so himself.

mod asked;
mod error;
mod fields;
mod place;
mod quotation;
mod token;

pub use asked::asked;
pub use error::MetaError;
pub use token::Token;

use fields::Fields;
use std::fmt;

/// The longest response that is read, in bytes.
pub const LONGEST: usize = crate::reply::LONGEST;

/// What a reviewer says of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It may go on.
    Pass,
    /// It is to be revised.
    Fail,
}

/// A review in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewMeta {
    /// What is said of the whole.
    pub verdict: Verdict,
    /// How many issues were found.
    pub issues_total: u32,
    /// How many of them are critical: never more than all, and none in a review that passes.
    pub issues_critical: u32,
    /// How many things the reviewer would have needed and was not given.
    pub missing_inputs: u32,
}

/// What is odd about a block that was read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// A key that is none of ours.
    #[error("line {line}: the key {key} is not known and was ignored")]
    UnknownKey {
        /// The line, from 1.
        line: usize,
        /// The key, quoted.
        key: String,
    },
}

/// Reads the block of a response. `shown` are the texts that the reviewer was shown as data: the code under review and
/// what its author wrote, but neither instructions nor earlier reviews, which may agree with this one.
///
/// # Errors
/// [`MetaError`], which names the line and the fix; then nothing of the response counts.
pub fn read(
    response: &str,
    shown: &[&str],
    token: &Token,
) -> Result<(ReviewMeta, Vec<Warning>), MetaError> {
    if response.len() > LONGEST {
        return Err(MetaError::TooLong { line: 1, bytes: response.len() });
    }
    let block = place::find(response)?;
    let (fields, warnings) = Fields::read(&block)?;
    let meta = fields.meta()?;
    if meta.verdict == Verdict::Pass {
        place::nothing_fails(&block)?;
    }
    quotation::own(&fields, shown, token)?;
    Ok((meta, warnings))
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
        })
    }
}

/// The line that tells a review: `REVIEW: PASS | issues=2 (critical=0) | missing_inputs=0`.
impl fmt::Display for ReviewMeta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verdict, issues_total, issues_critical, missing_inputs } = self;
        write!(
            f,
            "REVIEW: {verdict} | issues={issues_total} (critical={issues_critical}) | missing_inputs={missing_inputs}"
        )
    }
}
