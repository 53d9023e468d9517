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

/// Whether nothing may stand beside the answer.
pub(super) fn is_machine_format(output_spec: &str, _constraints: &[String]) -> bool {
    output_spec.to_lowercase().contains("json")
}

/// What is odd about these constraints and this form of the answer.
pub(super) fn oddities(_constraints: &[String], _output_spec: &str) -> Oddities {
    Oddities::default()
}
