//! The four phases that ask for something, who plays them, and what each is given.
//!
//! Invariant: a phase is given its materials and no others; all but the values of the context are data.
//! Absent here: the order of phases, which is the workflow's.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A phase with a prompt and a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// A plan is made.
    Planning,
    /// Files are made by the plan.
    Generation,
    /// Files are judged.
    Review,
    /// Files are made anew by the review.
    Revision,
}

/// Who plays a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Plans.
    Planner,
    /// Generates.
    Generator,
    /// Reviews.
    Reviewer,
    /// Revises.
    Reviser,
}

/// Who lets the workflow go on behind a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// A person approves.
    Person,
    /// Nobody is waited for.
    Auto,
}

/// A text that a phase works on: a part of its prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Material {
    /// The table as the schema file declares it.
    Schema,
    /// The approved plan.
    Plan,
    /// The files under review, or to be revised.
    Candidate,
    /// What the maker said beside the files; disputes stand there.
    Remarks,
    /// The last review.
    PreviousReview,
    /// Why a person wants another response.
    Feedback,
    /// The response that the person did not want.
    Rejected,
    /// Why the last response could not be read.
    WhatIsWrong,
}

/// Whether a material is always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// In every prompt of the phase; the schema only in profiles that have one.
    Always,
    /// In some.
    Sometimes,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Self; 4] = [Self::Planning, Self::Generation, Self::Review, Self::Revision];

    /// Its name in files, keys and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planning => "planning",
            Self::Generation => "generation",
            Self::Review => "review",
            Self::Revision => "revision",
        }
    }

    /// What a prompt of the phase can hold, in the order of its parts.
    pub fn materials(self) -> &'static [(Material, Presence)] {
        use Material::{Candidate, Feedback, Plan, PreviousReview, Rejected, Remarks, Schema};
        use Presence::{Always, Sometimes};
        const REJECTED: (Material, Presence) = (Rejected, Sometimes);
        const FEEDBACK: (Material, Presence) = (Feedback, Sometimes);
        const WRONG: (Material, Presence) = (Material::WhatIsWrong, Sometimes);
        match self {
            Self::Planning => &[(Schema, Always), REJECTED, FEEDBACK],
            Self::Generation => &[(Schema, Always), (Plan, Always), REJECTED, FEEDBACK, WRONG],
            Self::Review => &[
                (Schema, Always),
                (Plan, Always),
                (Candidate, Always),
                (Remarks, Sometimes),
                (PreviousReview, Sometimes),
                REJECTED,
                FEEDBACK,
                WRONG,
            ],
            Self::Revision => &[
                (Schema, Always),
                (Plan, Always),
                (Candidate, Always),
                (Remarks, Sometimes),
                (PreviousReview, Always),
                REJECTED,
                FEEDBACK,
                WRONG,
            ],
        }
    }
}

impl Role {
    /// Its name in files, keys and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planner => "planner",
            Self::Generator => "generator",
            Self::Reviewer => "reviewer",
            Self::Reviser => "reviser",
        }
    }
}

impl Material {
    /// The name of its part, by which templates ask for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Plan => "plan",
            Self::Candidate => "candidate",
            Self::Remarks => "remarks",
            Self::PreviousReview => "previous review",
            Self::Feedback => "feedback",
            Self::Rejected => "rejected response",
            Self::WhatIsWrong => "what is wrong",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
