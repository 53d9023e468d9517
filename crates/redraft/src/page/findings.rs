//! The findings of a run and how each came to stand so.
//!
//! Absent here: how findings are followed.

use crate::commands::findings::way;
use redraft_engine::RunRecord;
use redraft_loop::Severity;
use redraft_workflows::findings::Finding;

/// A finding as its row shows it.
pub(super) struct FindingRow<'a> {
    pub(super) finding: &'a Finding,
    pub(super) status: &'static str,
    pub(super) severity: &'static str,
    /// The agent that plays the role that raised it.
    pub(super) agent: Option<&'a str>,
    pub(super) way: String,
}

/// How much an issue weighs, in a word that the style sheet knows too.
pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
        Severity::Blocker => "blocker",
    }
}

/// The findings of a run, oldest first.
pub(super) fn rows<'a>(record: &'a RunRecord) -> Vec<FindingRow<'a>> {
    let agent = |by: &str| {
        let member = record.cast.iter().find(|member| member.role.as_str() == by);
        member.map(|member| member.agent.as_str())
    };
    let row = |finding: &'a Finding| {
        let Finding { by, status, severity: weight, .. } = finding;
        let agent = agent(by);
        FindingRow {
            finding,
            status: status.name(),
            severity: severity(*weight),
            agent,
            way: way(finding),
        }
    };
    record.findings.iter().map(row).collect()
}
