//! A text of others as the page shows it: whole, with what has changed in it marked, folded where it is long.
//!
//! Invariant: the pieces of a passage are the text, word for word.
//! Absent here: comparing; see `compared`.

use redraft_workflows::review::comparison::Change;
use std::borrow::Cow;

/// Longer texts are folded, in bytes and lines.
const SHORT: (usize, usize) = (2_000, 40);
/// Longer texts are folded even where they are what a page is about, in bytes.
const LONG: usize = 24_000;

/// A text, in stretches.
pub(super) struct Passage<'a> {
    pub(super) pieces: Vec<Stretch<'a>>,
    pub(super) fold: Option<Fold>,
}

/// A part of a text.
pub(super) struct Stretch<'a> {
    pub(super) change: Change,
    pub(super) text: Cow<'a, str>,
}

/// A text that can be folded away.
pub(super) struct Fold {
    pub(super) size: String,
    pub(super) is_open: bool,
}

impl<'a> Passage<'a> {
    /// A text that stands beside others: folded where it is long.
    pub(super) fn aside(text: &'a str) -> Self {
        Self::new(vec![kept(text)], |fold| Fold { is_open: false, ..fold })
    }

    /// A text that the page is about: open unless it is very long.
    pub(super) fn shown(text: &'a str) -> Self {
        Self::of(vec![kept(text)])
    }

    /// The same, with changes.
    pub(super) fn of(pieces: Vec<Stretch<'a>>) -> Self {
        Self::new(pieces, |fold| fold)
    }

    fn new(pieces: Vec<Stretch<'a>>, folded: impl FnOnce(Fold) -> Fold) -> Self {
        let bytes: usize = pieces.iter().map(|piece| piece.text.len()).sum();
        let ends = |piece: &Stretch<'_>| piece.text.bytes().filter(|byte| *byte == b'\n').count();
        let lines = 1 + pieces.iter().map(ends).sum::<usize>();
        let is_short = bytes <= SHORT.0 && lines <= SHORT.1;
        let fold = Fold {
            size: format!("{lines} lines, {:.1} KB", bytes as f64 / 1000.0),
            is_open: bytes <= LONG,
        };
        let fold = (!is_short).then(|| folded(fold));
        Self { pieces, fold }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pieces.iter().all(|piece| piece.text.is_empty())
    }
}

fn kept(text: &str) -> Stretch<'_> {
    Stretch { change: Change::Kept, text: Cow::Borrowed(text) }
}
