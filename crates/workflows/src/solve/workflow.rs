//! The solve workflow: what planner, generator and critics are asked, and how their replies are read.
//!
//! Invariant: the rules of the house look at every draft whatever a critic says, and a reply that cannot be read after
//! its repair is taken as text and told as an incident.
//! Absent here: files, and who the agents are.

use super::{
    forms,
    kept::{self, Incident, critique_reading, draft_reading, plan_reading},
    prompts,
    replies::{Candidate, Critique, CritiqueIssue, Plan, View, Weight},
    request::Problem,
    response, rules,
    shape::{CRITIQUE, GENERATE, NOT_REVISED, NOTHING, PLAN, RECRITIQUE, REVISE},
};
use crate::{
    Part, Prompt, Unreadable, Workflow,
    reply::{broken, read_as},
    review::{json, repair},
};
use redraft_loop::{Ask, Issue, Play, Reading, Run, Severity};
use serde::Serialize;

/// How much of a critique that nobody can read is kept as text, in bytes.
const LONGEST_REMARK: usize = 8 << 10;

/// A solve. What it is about stands in its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Solve;

/// A call, as programs of ours read it.
#[derive(Serialize)]
struct Asked<'a> {
    workflow: &'a str,
    step: &'a str,
    problem: &'a Problem,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Plan>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidate: Option<Candidate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    critique: Option<Critique>,
}

impl Solve {
    fn problem(run: &Run) -> Problem {
        kept::settings(run).map(|settings| settings.problem).unwrap_or_default()
    }

    /// The texts that a call works on, in order.
    fn parts(run: &Run, ask: &Ask, problem: &Problem) -> Vec<Part> {
        let step = ask.step.as_str();
        let part = |name: &str, text: &str| (!text.is_empty()).then(|| Part::new(name, text));
        // Lists of texts are always JSON.
        let constraints = json::write(&problem.constraints).unwrap_or_default();
        let constraints = (!problem.constraints.is_empty()).then_some(constraints);
        let plan = kept::plan(run).filter(|_| step != PLAN);
        let draft = kept::candidates(run).pop();
        let critique = kept::critiques(run).pop().filter(|_| [REVISE, RECRITIQUE].contains(&step));
        let told = |value: Option<String>, name: &str| value.map(|text| Part::new(name, text));
        let own = [
            part("problem", &problem.problem_statement),
            told(constraints, "constraints"),
            part("output format", &problem.output_spec),
            part("context", &problem.context),
            told(plan.and_then(|plan| json::write(&plan.steps).ok()), "plan"),
            told(draft.and_then(|draft| json::write(&draft).ok()), "candidate"),
            told(critique.and_then(|critique| json::write(&critique).ok()), "critique"),
        ];
        own.into_iter().flatten().chain(repair(ask)).collect()
    }

    fn read_draft(text: &str, shown: &[&str]) -> Result<Reading, Unreadable> {
        let draft: Candidate = read_as(forms::candidate(), text, shown)?;
        if draft.answer_draft.trim().is_empty() {
            return Err(broken("/answer_draft", "is empty; answer as far as you can"));
        }
        Ok(draft_reading(draft, None))
    }

    /// The rules speak once a turn, in the first seat's critique.
    fn criticised(run: &Run, seat: u32, critique: Critique, incident: Option<Incident>) -> Reading {
        let critique = match seat {
            0 => rules::merge(Self::by_the_rules(run), critique),
            _ => critique,
        };
        critique_reading(critique, incident)
    }

    fn by_the_rules(run: &Run) -> Critique {
        let draft = kept::candidates(run).pop().unwrap_or_default();
        rules::criticise(&Self::problem(run), &draft)
    }

    /// Stands in for a critic that cannot be had: what it said as a remark, what the rules find, and of a revised answer
    /// what was open before.
    fn criticise_instead(run: &Run, play: &Play, incident: Incident) -> Reading {
        let seat = play.instead.as_ref().map_or(0, |(seat, _)| *seat);
        let issues = play.reply.as_deref().map(remark).into_iter().collect();
        let own = Critique { issues, missing_roles: Some(all_views()), ..Critique::default() };
        let before = kept::critiques(run).pop().filter(|_| play.step.as_str() == RECRITIQUE);
        let own = match before {
            Some(before) => rules::merge(own, before),
            None => own,
        };
        Self::criticised(run, seat, own, Some(incident))
    }
}

const TEXT: &str = "the reply was taken as text";
const DEGRADED: &str = "the built-in rules criticised instead (degraded mode)";
const NOT_AGAIN: &str = "the revised answer was not criticised again, but by the built-in rules";

fn told(step: &str, why: &str, then: &str, capped: bool) -> Incident {
    Incident { what: format!("{step}: {why}; {then}"), capped }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// A critique that nobody can read is a remark that its reviser may make something of.
fn remark(text: &str) -> CritiqueIssue {
    let end = text.floor_char_boundary(LONGEST_REMARK);
    CritiqueIssue {
        role: View::Requirements.name().to_owned(),
        severity: Weight::Major,
        description: text[..end].trim().to_owned(),
        suggested_fix: None,
    }
}

fn all_views() -> Vec<String> {
    View::ALL.map(|view| view.name().to_owned()).to_vec()
}

/// An issue that leads the run somewhere.
fn leads(reading: Reading, code: &str, message: &str) -> Reading {
    let issue = Issue {
        id: code.to_owned(),
        severity: Severity::Error,
        message: message.to_owned(),
        code: Some(code.to_owned()),
        field: None,
    };
    Reading { issues: vec![issue], ..reading }
}

impl Workflow for Solve {
    fn write(&self, run: &Run, ask: &Ask) -> Prompt {
        let problem = Self::problem(run);
        let step = ask.step.as_str();
        let asked = Asked {
            workflow: super::NAME,
            step,
            problem: &problem,
            plan: kept::plan(run),
            candidate: kept::candidates(run).pop(),
            critique: kept::critiques(run).pop(),
        };
        let form = match step {
            PLAN => forms::plan(),
            GENERATE | REVISE => forms::candidate(),
            _ => forms::critique(),
        };
        let instructions = prompts::template(step).map_or("", |template| template.body());
        Prompt {
            instructions: instructions.to_owned(),
            parts: Self::parts(run, ask, &problem),
            reply: Some(form.asked()),
            request: json::write(&asked).unwrap_or_default(),
        }
    }

    fn read(&self, run: &Run, ask: &Ask, text: &str) -> Result<Reading, Unreadable> {
        let parts = Self::parts(run, ask, &Self::problem(run));
        let shown: Vec<&str> = parts.iter().map(|part| &*part.text).collect();
        match ask.step.as_str() {
            PLAN => Ok(plan_reading(read_as(forms::plan(), text, &shown)?, None)),
            GENERATE | REVISE => Self::read_draft(text, &shown),
            _ => {
                let critique = read_as(forms::critique(), text, &shown)?;
                Ok(Self::criticised(run, ask.seat, critique, None))
            }
        }
    }

    fn play(&self, run: &Run, play: &Play) -> Reading {
        let (step, why) = (play.step.as_str(), play.instead.as_ref().map_or("", |(_, why)| why));
        let capped = run.cap_reached().is_some_and(|cap| cap == why);
        let incident = |then: &str| Some(told(step, why, then, capped));
        let said = play.reply.as_deref().map(str::trim).filter(|said| !said.is_empty());
        match (step, said) {
            (PLAN, said) => {
                let steps = said.map_or_else(Vec::new, lines);
                let then =
                    if steps.is_empty() { "the answer was written without a plan" } else { TEXT };
                plan_reading(Plan { steps }, incident(then))
            }
            (GENERATE | REVISE, Some(said)) => {
                let draft = Candidate { answer_draft: said.to_owned(), ..Candidate::default() };
                draft_reading(draft, incident(TEXT))
            }
            (GENERATE, None) => {
                let none = draft_reading(Candidate::default(), incident("no answer was generated"));
                leads(none, NOTHING, why)
            }
            (REVISE, None) => {
                let draft = kept::candidates(run).pop().unwrap_or_default();
                leads(
                    draft_reading(draft, incident("the answer was not revised")),
                    NOT_REVISED,
                    why,
                )
            }
            (CRITIQUE, _) => Self::criticise_instead(run, play, told(step, why, DEGRADED, capped)),
            (RECRITIQUE, _) => {
                Self::criticise_instead(run, play, told(step, why, NOT_AGAIN, capped))
            }
            _ => {
                let details = kept::Kept::Response(response::assemble(run)).value();
                Reading { done: true, details, ..Reading::text("") }
            }
        }
    }
}
