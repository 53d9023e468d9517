//! The table of findings: what was found, how it stands, and how it came to stand so.

use redraft_loop::Severity;
pub(crate) use redraft_workflows::findings::Status;
use redraft_workflows::{
    findings::{Change, Finding},
    pair::{Standing, Stood},
};

/// One line for each finding, oldest first, with the agents that play the roles as far as they are known.
pub(crate) fn table<'a>(
    findings: &[Finding],
    agent_of: impl Fn(&str) -> Option<&'a str>,
) -> Vec<String> {
    findings.iter().map(|finding| line(finding, agent_of(&finding.by))).collect()
}

/// How many stand how, in one line; nothing where there are none.
pub(crate) fn sum(findings: &[Finding]) -> Option<String> {
    let count = |status: Status| findings.iter().filter(|f| f.status == status).count();
    let words = [Status::Open, Status::Reopened, Status::Disputed, Status::Fixed].map(|status| {
        let n = count(status);
        (n > 0).then(|| format!("{n} {}", status.name()))
    });
    let words: Vec<String> = words.into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn line(finding: &Finding, agent: Option<&str>) -> String {
    let id: String = finding.id.chars().take(8).collect();
    let (status, by, message) = (finding.status.name(), &finding.by, &finding.message);
    let weight = weight(finding.severity);
    let way = way(finding);
    let agent = agent.map_or(String::new(), |agent| format!(" ({agent})"));
    format!("{id}  {status}  {weight} by {by}{agent}: {message} ({way})")
}

/// How much a finding weighs, in a word.
pub(crate) fn weight(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error | Severity::Blocker => "error",
    }
}

/// How a finding came to stand as it does.
pub(crate) fn way(finding: &Finding) -> String {
    finding.history.iter().map(step).collect::<Vec<_>>().join(", ")
}

fn step(change: &Change) -> String {
    format!("{} in {}", change.status.name(), change.round)
}

/// What a finding was in one turn, in words, in order.
pub(crate) fn stood(stood: &Stood) -> String {
    let word = |standing: &Standing| match standing {
        Standing::New => "new",
        Standing::Open => Status::Open.name(),
        Standing::Fixed => Status::Fixed.name(),
        Standing::Disputed => Status::Disputed.name(),
        Standing::Reopened => Status::Reopened.name(),
    };
    stood.was.iter().map(word).collect::<Vec<_>>().join(", ")
}
