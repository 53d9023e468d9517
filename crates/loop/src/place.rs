//! Where a run stands: in which part of its shape, and what the step at hand waits for.
//!
//! Invariant: each variant holds exactly what is valid in it.
//! Absent here: the way from one place to the next, which is `apply`.

use crate::{Exit, Hash, Turn, seat::Seat};
use alloc::{string::String, vec::Vec};

/// The part of the shape that is being played.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Place {
    Opening {
        step: usize,
        stage: Stage,
    },
    Repeating {
        round: u32,
        step: usize,
        stage: Stage,
    },
    Closing {
        exit: Exit,
        step: usize,
        stage: Stage,
    },
    /// A rule has ended the run; the decision is not a fact yet.
    Ended(Exit),
    Decided(Exit),
}

/// What the step at hand waits for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stage {
    /// Seats are asked and answer.
    Seats(Vec<Seat>),
    /// The workflow plays it.
    Workflow,
    /// The turn is played and waits for a person.
    Gated(Turn),
    /// A person let the turn pass; what they saw is checked once more when it is used.
    Approved { turn: Turn, by: String, seal: Hash },
}

impl Place {
    pub(crate) fn stage(&self) -> Option<&Stage> {
        match self {
            Self::Opening { stage, .. }
            | Self::Repeating { stage, .. }
            | Self::Closing { stage, .. } => Some(stage),
            Self::Ended(_) | Self::Decided(_) => None,
        }
    }

    pub(crate) fn stage_mut(&mut self) -> Option<&mut Stage> {
        match self {
            Self::Opening { stage, .. }
            | Self::Repeating { stage, .. }
            | Self::Closing { stage, .. } => Some(stage),
            Self::Ended(_) | Self::Decided(_) => None,
        }
    }
}
