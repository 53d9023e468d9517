//! A critique by view and weight.
//!
//! Invariant: every issue stands in it once; a view that nobody looked from is named.
//! Absent here: what a critique leads to.

use redraft_workflows::solve::{Critique, CritiqueIssue, View, Weight};

/// A critique, ready to be shown.
pub(super) struct CritiqueShown<'a> {
    pub(super) groups: Vec<Group<'a>>,
    /// Views from which nothing was found.
    pub(super) clear: Vec<&'static str>,
    pub(super) missing: &'a [String],
    pub(super) violations: &'a [String],
    /// What to change, beside what each issue says.
    pub(super) fixes: Vec<&'a str>,
    pub(super) sum: String,
}

/// What was seen from one view, the heaviest first.
pub(super) struct Group<'a> {
    pub(super) view: &'static str,
    pub(super) issues: Vec<&'a CritiqueIssue>,
}

/// The name of a weight, in words and in the style sheet.
pub(super) fn weight(weight: &Weight) -> &'static str {
    match weight {
        Weight::Blocker => "blocker",
        Weight::Major => "major",
        Weight::Minor => "minor",
    }
}

/// A critique by view and weight.
pub(super) fn shown(critique: &Critique) -> CritiqueShown<'_> {
    let missing = critique.missing_roles.as_deref().unwrap_or_default();
    let of = |view: Option<View>| {
        let seen = |issue: &&CritiqueIssue| View::named_in(&issue.role).first().copied() == view;
        let mut issues: Vec<&CritiqueIssue> = critique.issues.iter().filter(seen).collect();
        issues.sort_by_key(|issue| issue.severity);
        Group { view: view.map_or("other", View::name), issues }
    };
    let groups: Vec<Group<'_>> = View::ALL.into_iter().map(Some).chain([None]).map(of).collect();
    let is_clear = |group: &&Group<'_>| {
        group.issues.is_empty() && group.view != "other" && !missing.iter().any(|m| m == group.view)
    };
    let clear = groups.iter().filter(is_clear).map(|group| group.view).collect();
    let told = |fix: &&str| {
        !critique.issues.iter().any(|issue| issue.suggested_fix.as_deref() == Some(*fix))
    };
    CritiqueShown {
        clear,
        groups: groups.into_iter().filter(|group| !group.issues.is_empty()).collect(),
        missing,
        violations: &critique.constraint_violations,
        fixes: critique.suggested_fixes.iter().map(String::as_str).filter(told).collect(),
        sum: sum(critique),
    }
}

/// How many issues there are of each weight.
fn sum(critique: &Critique) -> String {
    let all = [Weight::Blocker, Weight::Major, Weight::Minor].map(|wanted| {
        let n = critique.issues.iter().filter(|issue| issue.severity == wanted).count();
        (n > 0).then(|| crate::say::count(n, weight(&wanted)))
    });
    match all.into_iter().flatten().collect::<Vec<_>>() {
        none if none.is_empty() => "no issues".to_owned(),
        some => some.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issue(role: &str, severity: Weight) -> CritiqueIssue {
        let description = format!("{role} is bad");
        CritiqueIssue { role: role.into(), severity, description, suggested_fix: None }
    }

    #[test]
    fn issues_stand_under_their_view_the_heaviest_first() {
        let issues = vec![
            issue("Risk and Compliance", Weight::Minor),
            issue("tone", Weight::Major),
            issue("risk", Weight::Blocker),
        ];
        let missing_roles = Some(vec!["evaluation".to_owned()]);
        let critique = Critique { issues, missing_roles, ..Critique::default() };
        let shown = shown(&critique);
        let told: Vec<(&str, Vec<&str>)> = shown
            .groups
            .iter()
            .map(|group| (group.view, group.issues.iter().map(|issue| &*issue.role).collect()))
            .collect();
        assert_eq!(told, [("risk", vec!["risk", "Risk and Compliance"]), ("other", vec!["tone"])]);
        assert_eq!(shown.sum, "1 blocker, 1 major, 1 minor");
        assert_eq!(shown.clear, ["requirements", "architecture", "compliance", "security_ops"]);
    }
}
