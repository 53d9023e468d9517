//! What can be asked of a run of any workflow here, by the name in its shape.

use crate::{
    findings::Findings,
    gated, pair,
    review::{self, shape::CREATOR},
    solve, summary,
};
use redraft_loop::{Opened, Role, Run, Source, StepId};

/// The findings of a run; none where its workflow has none, or is not known here.
pub fn findings_of(run: &Run) -> Findings {
    match run.shape().workflow.as_str() {
        review::shape::NAME => review::findings::of_run(run),
        pair::NAME => pair::findings_of_run(run),
        _ => Findings::default(),
    }
}

/// Where in a run of this workflow a round is, in words: `iteration 2`, `turn 2`. `None` for what stands before the
/// first round, and in a workflow whose steps say by themselves where they are.
pub fn round_of(workflow: &str, round: u32) -> Option<String> {
    let word = round_word(workflow).filter(|_| round > 0)?;
    Some(format!("{word} {round}"))
}

/// What this workflow calls a round; `None` where no step is played in more than one.
pub fn round_word(workflow: &str) -> Option<&'static str> {
    match workflow {
        pair::NAME => Some("turn"),
        // A round reviews an iteration and makes the next.
        gated::NAME => Some("round"),
        solve::NAME | summary::NAME => None,
        _ => Some("iteration"),
    }
}

/// Whether this role is a program of the workflow's own, which is run where agents are asked.
pub fn is_of_the_house(workflow: &str, role: &Role) -> bool {
    workflow == pair::NAME && role.as_str() == pair::CHECKS
}

/// What stands before the name of a prompt's template among a run's sources.
const PROMPT: &str = "prompt/";

/// The templates that the prompt of a call was made from, among the sources of its run.
pub fn templates_of<'a>(
    opened: &'a Opened,
    step: &'a StepId,
    role: &'a Role,
) -> impl Iterator<Item = &'a Source> {
    opened.sources.iter().filter(move |source| {
        source.name.strip_prefix(PROMPT).is_some_and(|name| reads(opened, step, role, name))
    })
}

/// Whether a call of this step to this role is made from the template.
fn reads(opened: &Opened, step: &StepId, role: &Role, template: &str) -> bool {
    match opened.shape.workflow.as_str() {
        solve::NAME => solve::template_of(step.as_str()).is_some_and(|own| own.name == template),
        pair::NAME => pair::reads(step.as_str(), template),
        summary::NAME => summary::template(step.as_str()) == template,
        _ => {
            let member = opened.cast.iter().find(|member| member.role == *role);
            let lens = member.and_then(|member| member.lens.as_deref());
            review::brief::reads(template, role.as_str() == CREATOR, lens)
        }
    }
}

#[cfg(test)]
mod tests;
