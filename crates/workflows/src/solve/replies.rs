//! What planner, generator and critic reply, as the contract names it.
//!
//! Invariant: the schemas in `schemas/solve` are made from these types; a test compares them.
//! Absent here: what a reply leads to.

use serde::{Deserialize, Serialize};

/// The steps towards an answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// What to do, in order.
    pub steps: Vec<String>,
}

/// A draft of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The answer itself.
    pub answer_draft: String,
    /// What it takes for granted.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// Where its author is unsure.
    #[serde(default)]
    pub uncertainty_flags: Vec<String>,
}

/// What a critic says of a candidate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Critique {
    /// What is wrong.
    pub issues: Vec<CritiqueIssue>,
    /// Constraints that the candidate breaks, each in the user's words with what breaks it.
    #[serde(default)]
    pub constraint_violations: Vec<String>,
    /// Views that the critic has not looked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_roles: Option<Vec<String>>,
    /// What to change in all.
    #[serde(default)]
    pub suggested_fixes: Vec<String>,
}

impl Critique {
    /// Whether it says of itself that it looked from no view, and found nothing.
    pub(super) fn looked_at_nothing(&self) -> bool {
        let missing = self.missing_roles.as_deref().unwrap_or_default();
        let missed: Vec<View> = missing.iter().flat_map(|role| View::named_in(role)).collect();
        self.issues.is_empty()
            && self.constraint_violations.is_empty()
            && View::ALL.iter().all(|view| missed.contains(view))
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CritiqueIssue {
    /// The view it was seen from.
    pub role: String,
    /// How much it weighs.
    pub severity: Weight,
    /// What is wrong, and where.
    pub description: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_fix: Option<String>,
}

/// How much an issue weighs; later ones weigh less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// The answer is useless or wrong as it is.
    Blocker,
    /// The answer has to change.
    Major,
    /// Worth knowing.
    Minor,
}

impl Weight {
    /// All of them, the heaviest first.
    pub const ALL: [Self; 3] = [Self::Blocker, Self::Major, Self::Minor];

    /// Its word, in records and for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blocker => "blocker",
            Self::Major => "major",
            Self::Minor => "minor",
        }
    }
}

/// The sides from which a candidate is looked at, at the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// Does it answer what was asked, all of it and nothing else?
    Requirements,
    /// Does the whole hold together?
    Architecture,
    /// What can go wrong?
    Risk,
    /// Which rules and laws does it touch?
    Compliance,
    /// Is it safe, and can it be run?
    SecurityOps,
    /// How would one tell that it works?
    Evaluation,
}

impl View {
    /// All of them, in the contract's order.
    pub const ALL: [Self; 6] = [
        Self::Requirements,
        Self::Architecture,
        Self::Risk,
        Self::Compliance,
        Self::SecurityOps,
        Self::Evaluation,
    ];

    /// Its name in critiques.
    pub fn name(self) -> &'static str {
        match self {
            Self::Requirements => "requirements",
            Self::Architecture => "architecture",
            Self::Risk => "risk",
            Self::Compliance => "compliance",
            Self::SecurityOps => "security_ops",
            Self::Evaluation => "evaluation",
        }
    }
}
