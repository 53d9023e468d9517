//! How a pair ended, in the one word that scripts read.
//!
//! Invariant: a message that breaks its schema is never told as an ending of the loop (contract §6).
//! Absent here: printing.

use crate::exit::Code;
use redraft_engine::Rest;
use redraft_loop::Stop;
use redraft_workflows::pair::{MAX_TURNS, VALIDATION_FAILED, VERIFIED};

/// How a pair ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Converged,
    NoImprovement,
    MaxTurns,
    Budget,
    /// An agent could not do its part.
    Failed,
    /// A message broke the schema, and so did the one that was asked for in its place.
    Invalid,
    Waiting,
    Interrupted,
}

impl Status {
    pub(crate) fn of(rest: &Rest) -> Self {
        match rest {
            Rest::Decided(exit) if exit.reason == VERIFIED => Self::Converged,
            Rest::Decided(exit) if exit.reason == MAX_TURNS => Self::MaxTurns,
            Rest::Decided(_) => Self::NoImprovement,
            Rest::Stopped(Stop::Cap(_)) => Self::Budget,
            // Its reader says so before any word of an agent.
            Rest::Stopped(Stop::Failed { message, .. }) => {
                match message.starts_with(VALIDATION_FAILED) {
                    true => Self::Invalid,
                    false => Self::Failed,
                }
            }
            // Only a person can know whether to ask, and pay, once more.
            Rest::Stopped(Stop::Ambiguous { .. } | Stop::Person { .. }) | Rest::Waiting(_) => {
                Self::Waiting
            }
            Rest::Stopped(Stop::Interrupted) => Self::Interrupted,
        }
    }

    /// The last line that scripts read.
    pub(crate) fn line(self) -> &'static str {
        match self {
            Self::Converged => "CONVERGED",
            Self::NoImprovement => "FAILED NO_IMPROVEMENT",
            Self::MaxTurns => "FAILED MAX_TURNS",
            Self::Budget => "BUDGET",
            Self::Failed => "FAILED",
            Self::Invalid => VALIDATION_FAILED,
            Self::Waiting => "WAITING",
            Self::Interrupted => "INTERRUPTED",
        }
    }

    pub(crate) fn code(self) -> Code {
        match self {
            Self::Converged => Code::Done,
            Self::NoImprovement | Self::MaxTurns => Code::Ended,
            Self::Budget => Code::Budget,
            Self::Failed | Self::Invalid => Code::Failure,
            Self::Waiting => Code::Waiting,
            Self::Interrupted => Code::Interrupted,
        }
    }
}
