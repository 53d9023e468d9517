//! Constraints that can be checked without a model.
//!
//! Absent here: judging. What no rule understands is left to the critic.

/// What is odd about the constraints of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Oddities {
    /// How ambiguous ones are taken.
    pub(super) assumptions: Vec<String>,
    /// Which contradict each other.
    pub(super) contradictions: Vec<String>,
}

/// What is odd about these constraints and this form of the answer.
pub(super) fn oddities(_constraints: &[String], _output_spec: &str) -> Oddities {
    Oddities::default()
}
