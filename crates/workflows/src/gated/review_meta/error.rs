//! Why a review cannot be read: each reason with its line and what to write instead.
//!
//! Invariant: a message is one line, bounded, and free of characters that are not seen; see [`crate::reply`].
//! Absent here: how often a reviewer is asked again.

/// Why a response has no verdict that counts. Lines count from 1; what is quoted is fit to be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the line and what the message quotes")]
pub enum MetaError {
    /// It is longer than [`super::LONGEST`].
    #[error("line {line}: the response has {bytes} bytes, which is too long; write at most 8 MiB")]
    TooLong { line: usize, bytes: usize },
    /// It holds no block at all.
    #[error(
        "line {line}: the response has no review block; begin it with the line `@@@REVIEW_META`"
    )]
    NoBlock { line: usize },
    /// Something stands before the block.
    #[error(
        "line {line}: there is text before the review block of line {block}; \
         move the block to the start of the response"
    )]
    TextBefore { line: usize, block: usize },
    /// It begins with something like a block.
    #[error(
        "line {line}: {found} is not the start of a review block; write `@@@REVIEW_META` alone"
    )]
    LikeOpening { line: usize, found: String },
    /// The block's opening is named again, in whatever dress.
    #[error(
        "line {line}: a second review block, or the name of one, follows that of line {first}; \
         keep the first alone, and write REVIEW_META without at signs where you speak of it"
    )]
    TwoBlocks { line: usize, first: usize },
    /// The block has no end within 64 lines.
    #[error(
        "line {line}: the review block that begins here is not closed; \
         write `@@@` alone on the line after its last field"
    )]
    NoClosing { line: usize },
    /// The block ends with something like its end.
    #[error("line {line}: {found} does not close the review block; write `@@@` alone")]
    LikeClosing { line: usize, found: String },
    /// The fence round the block holds part of what follows.
    #[error(
        "line {line}: the code fence that begins here holds the block and more, but not all of the \
         response; close it right after `@@@` or leave it out"
    )]
    PartFenced { line: usize },
    /// A character in the block is not seen.
    #[error(
        "line {line}: U+{code:04X} stands there and is not seen; type the line again without it"
    )]
    Hidden { line: usize, code: u32 },
    /// A line of the block is no field.
    #[error("line {line}: {found} is not a field; write `key: value` or leave the line out")]
    NotAField { line: usize, found: String },
    /// A key looks like one of ours.
    #[error("line {line}: {found} is not a key; write plain `{key}:` and its value without marks")]
    LikeKey { line: usize, found: String, key: &'static str },
    /// A key stands twice.
    #[error("line {line}: the key {key} stands in line {first} already; keep one of them")]
    Duplicate { line: usize, first: usize, key: String },
    /// A field is not there.
    #[error("line {line}: the block that begins here has no `{key}`; write {wanted}")]
    Missing { line: usize, key: &'static str, wanted: &'static str },
    /// A field has no value.
    #[error("line {line}: `{key}` has no value; write {wanted}")]
    Empty { line: usize, key: &'static str, wanted: &'static str },
    /// A number is not of the digits 0 to 9 alone.
    #[error("line {line}: {found} is no number; write `{key}:` and plain digits, such as 0 or 12")]
    BadNumber { line: usize, key: &'static str, found: String },
    /// A number that nothing has so many of.
    #[error("line {line}: {found} is too large; write `{key}:` and a number up to 4294967295")]
    HugeNumber { line: usize, key: &'static str, found: String },
    /// The verdict is neither of the two.
    #[error("line {line}: {found} is no verdict; write `verdict: PASS` or `verdict: FAIL`")]
    BadVerdict { line: usize, found: String },
    /// More issues are critical than there are.
    #[error(
        "line {line}: {critical} critical issues of {total} in all cannot be; \
         write in `issues_total` how many there are with the critical ones"
    )]
    CriticalAboveTotal { line: usize, critical: u32, total: u32 },
    /// It passes in spite of critical issues.
    #[error(
        "line {line}: a review with {critical} critical issues cannot pass; \
         write `verdict: FAIL`, or `issues_critical: 0` if none is"
    )]
    CriticalPass { line: usize, critical: u32 },
    /// A line behind a block that passes says that the review fails.
    #[error(
        "line {line}: this line says FAIL, the block says PASS; write the same in both or leave it out"
    )]
    Contradicted { line: usize },
    /// The token is that of another review.
    #[error("line {line}: {found} is not the token of this review; write `review_token: {token}`")]
    WrongToken { line: usize, found: String, token: String },
    /// All that the block says stands in the texts under review.
    #[error(
        "line {line}: this block stands in the text under review and may be quoted from there; \
         if it is your own verdict, add the line `review_token: {token}` to it"
    )]
    Quoted { line: usize, token: String },
}

impl MetaError {
    /// The line that is to be changed, from 1.
    pub fn line(&self) -> usize {
        match self {
            Self::TooLong { line, .. }
            | Self::NoBlock { line }
            | Self::TextBefore { line, .. }
            | Self::LikeOpening { line, .. }
            | Self::TwoBlocks { line, .. }
            | Self::NoClosing { line }
            | Self::LikeClosing { line, .. }
            | Self::PartFenced { line }
            | Self::Hidden { line, .. }
            | Self::NotAField { line, .. }
            | Self::LikeKey { line, .. }
            | Self::Duplicate { line, .. }
            | Self::Missing { line, .. }
            | Self::Empty { line, .. }
            | Self::BadNumber { line, .. }
            | Self::HugeNumber { line, .. }
            | Self::BadVerdict { line, .. }
            | Self::CriticalAboveTotal { line, .. }
            | Self::CriticalPass { line, .. }
            | Self::Contradicted { line }
            | Self::WrongToken { line, .. }
            | Self::Quoted { line, .. } => *line,
        }
    }
}
