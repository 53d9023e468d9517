//! What can be asked of a run of any workflow here, by the name in its shape.

use crate::{
    findings::Findings,
    pair,
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
