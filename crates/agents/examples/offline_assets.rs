//! Prints every asset of Markdown transcripts, with its iterations: `offline_assets FILE…`

use std::io::Write;

use redraft_workflows::episode::transcript;

use redraft_agents::offline::{
    Draft, Episode, Finding, Previous, Severity, draft, kinds, review, suggest_chapters,
};

/// As many rounds as a run has by default.
const ROUNDS: u32 = 3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for path in std::env::args().skip(1) {
        let transcript = transcript::parse(&path, &std::fs::read(&path)?)?;
        let chapters = suggest_chapters(&transcript);
        let episode = Episode::new(transcript, chapters);
        writeln!(out, "===== {path}")?;
        for kind in kinds() {
            print_asset(&mut out, kind, &episode)?;
        }
    }
    Ok(())
}

fn print_asset(out: &mut impl Write, kind: &str, episode: &Episode) -> std::io::Result<()> {
    let mut last: Option<(Draft, Vec<Finding>)> = None;
    let mut trace = Vec::new();
    for iteration in 1..=ROUNDS {
        let previous = last.as_ref().map(|(draft, findings)| Previous {
            text: &draft.text,
            findings,
            iteration,
        });
        let Some(next) = draft(kind, episode, previous) else { return Ok(()) };
        let findings = review(kind, episode, &next.text);
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
        trace.push(if codes.is_empty() { "ok".to_owned() } else { codes.join(" ") });
        let blocked = findings.iter().any(|finding| finding.severity == Severity::Error);
        last = Some((next, findings));
        if !blocked {
            break;
        }
    }
    let Some((draft, findings)) = last else { return Ok(()) };
    writeln!(out, "--- {kind} [{}] {} characters", trace.join(" | "), draft.text.chars().count())?;
    writeln!(out, "{}", draft.text)?;
    findings
        .iter()
        .try_for_each(|finding| writeln!(out, "!! {}: {}", finding.code, finding.message))
}
