//! The names that critics give to the views.
//!
//! Invariant: a name may stand for several views, and a name that is none of them stands for none.
//! Absent here: what is seen from a view.

use super::replies::View;

/// Words by which each view is known.
const WORDS: [(View, &[&str]); 6] = [
    (View::Requirements, &["requirement", "requirements", "scope", "requirementsscope"]),
    (View::Architecture, &["architecture", "architectural", "design", "structure", "architect"]),
    (View::Risk, &["risk", "risks", "riskmanagement"]),
    (View::Compliance, &["compliance", "legal", "regulatory", "privacy"]),
    (
        View::SecurityOps,
        &[
            "security",
            "ops",
            "operations",
            "secops",
            "securityops",
            "operational",
            "securityoperations",
        ],
    ),
    (View::Evaluation, &["evaluation", "eval", "evals", "evaluator", "testing"]),
];

impl View {
    /// The views that a critic's name for one stands for: `security/ops`, `Risk & Compliance`.
    pub fn named_in(role: &str) -> Vec<Self> {
        let lower = role.to_lowercase();
        let words: Vec<&str> = lower.split(|sign: char| !sign.is_alphanumeric()).collect();
        let named = WORDS.iter().filter(|(_, names)| words.iter().any(|word| names.contains(word)));
        named.map(|(view, _)| *view).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_matched_leniently() {
        for (role, views) in [
            ("requirements", vec![View::Requirements]),
            ("Requirements/Scope", vec![View::Requirements]),
            ("security/ops", vec![View::SecurityOps]),
            ("Security & Ops", vec![View::SecurityOps]),
            ("securityOps", vec![View::SecurityOps]),
            ("Risk and Compliance", vec![View::Risk, View::Compliance]),
            ("risky business", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(View::named_in(role), views, "{role}");
        }
    }

    #[test]
    fn each_view_knows_its_own_name() {
        for view in View::ALL {
            assert_eq!(View::named_in(view.name()), [view]);
        }
    }
}
