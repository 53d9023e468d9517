//! The solve workflow: what planner, generator and critics are asked, and how their replies are read.
//!
//! Invariant: the rules of the house look at every draft whatever a critic says, and a reply that cannot be read after
//! its repair is taken as text and told as an incident.
//! Absent here: files, and who the agents are.

use super::{
    format, forms,
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

/// What a call works on, as programs of ours read it. It is read once from the run.
#[derive(Serialize)]
struct Asked {
    workflow: &'static str,
    step: String,
    problem: Problem,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Plan>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidate: Option<Candidate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    critique: Option<Critique>,
}

impl Asked {
    fn of(run: &Run, ask: &Ask) -> Self {
        Self {
            workflow: super::NAME,
            step: ask.step.to_string(),
            problem: problem(run),
            plan: kept::plan(run),
            candidate: kept::candidate(run),
            critique: kept::critique(run),
        }
    }

    /// The texts that the call works on, in order.
    fn parts(&self, ask: &Ask) -> Vec<Part> {
        let Self { problem, plan, candidate, critique, .. } = self;
        let part = |name: &str, text: &str| (!text.is_empty()).then(|| Part::new(name, text));
        let told = |value: Option<String>, name: &str| value.map(|text| Part::new(name, text));
        // Lists of texts are always JSON.
        let constraints = json::write(&problem.constraints).unwrap_or_default();
        let constraints = (!problem.constraints.is_empty()).then_some(constraints);
        let own = [
            part("problem", &problem.problem_statement),
            told(constraints, "constraints"),
            part("output format", &problem.output_spec),
            part("context", &problem.context),
            told(plan.as_ref().and_then(|plan| json::write(&plan.steps).ok()), "plan"),
            told(candidate.as_ref().and_then(|draft| json::write(draft).ok()), "candidate"),
            told(critique.as_ref().and_then(|critique| json::write(critique).ok()), "critique"),
        ];
        own.into_iter().flatten().chain(repair(ask)).collect()
    }
}

fn problem(run: &Run) -> Problem {
    kept::settings(run).map(|settings| settings.problem).unwrap_or_default()
}

impl Solve {
    fn read_draft(problem: &Problem, text: &str, shown: &[&str]) -> Result<Reading, Unreadable> {
        let draft: Candidate = read_as(forms::candidate(), text, shown)?;
        if draft.answer_draft.trim().is_empty() {
            return Err(broken("/answer_draft", "is empty; answer as far as you can"));
        }
        Ok(Self::drafted(problem, draft, None))
    }

    /// A draft is what a program can read where one will read it: without a fence around it.
    fn drafted(problem: &Problem, draft: Candidate, incident: Option<Incident>) -> Reading {
        let unfenced = format::unfenced(problem, &draft.answer_draft).map(str::to_owned);
        let answer_draft = unfenced.filter(|inner| !inner.trim().is_empty());
        let answer_draft = answer_draft.unwrap_or(draft.answer_draft);
        draft_reading(Candidate { answer_draft, ..draft }, incident)
    }

    /// The rules speak once a turn, in the first seat's critique.
    fn joined_by_the_rules(
        critique: Critique,
        seat: u32,
        problem: &Problem,
        draft: Option<&Candidate>,
    ) -> Critique {
        match seat {
            0 => {
                let of_rules = rules::criticise(problem, draft.unwrap_or(&Candidate::default()));
                rules::merge(of_rules, critique)
            }
            _ => critique,
        }
    }

    /// Stands in for a critic that cannot be had: what it said as a remark, what the rules find, and of a revised answer
    /// what this critic held against it before. What the rules found before is theirs to find again.
    fn criticise_instead(run: &Run, play: &Play, incident: Incident) -> Reading {
        let problem = problem(run);
        let seat = play.instead.as_ref().map_or(0, |(seat, _)| *seat);
        let issues = play.reply.as_deref().map(remark).into_iter().collect();
        let own = Critique { issues, missing_roles: Some(all_views()), ..Critique::default() };
        let drafts = kept::candidates(run);
        let again = play.step.as_str() == RECRITIQUE;
        let before = kept::first_critique_by(run, seat).filter(|_| again);
        let own = match (before, drafts.first()) {
            (Some(before), Some(first)) => {
                let of_rules = rules::criticise(&problem, first);
                rules::merge(own, rules::without(before, &of_rules))
            }
            (Some(_) | None, _) => own,
        };
        let critique = Self::joined_by_the_rules(own, seat, &problem, drafts.last());
        critique_reading(critique, Some(incident))
    }
}

const TEXT: &str = "the reply was taken as text";
const DEGRADED: &str = "the built-in rules criticised instead (degraded mode)";
const NOT_AGAIN: &str = "the revised answer was not criticised again, but by the built-in rules";

/// The step, and of a panel the one who sits there.
fn seat_name(run: &Run, play: &Play) -> String {
    let step = run.shape().steps().find(|step| step.id == play.step);
    let seats = step.map(|step| step.player.seats()).unwrap_or_default();
    let seat = play.instead.as_ref().and_then(|(seat, _)| seats.get(*seat as usize));
    match seat.filter(|_| seats.len() > 1) {
        Some(role) => format!("{} by {role}", play.step),
        None => play.step.to_string(),
    }
}

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
        let own = kept::settings(run).map(|settings| settings.prompts).unwrap_or_default();
        let (asked, step) = (Asked::of(run, ask), ask.step.as_str());
        let form = match step {
            PLAN => forms::plan(),
            GENERATE | REVISE => forms::candidate(),
            _ => forms::critique(),
        };
        let template = prompts::template_of(step).unwrap_or(&prompts::CRITIC);
        Prompt {
            instructions: template.told(&own),
            parts: asked.parts(ask),
            reply: Some(form.asked()),
            request: json::write(&asked).unwrap_or_default(),
        }
    }

    fn read(&self, run: &Run, ask: &Ask, text: &str) -> Result<Reading, Unreadable> {
        let asked = Asked::of(run, ask);
        let parts = asked.parts(ask);
        let shown: Vec<&str> = parts.iter().map(|part| &*part.text).collect();
        match ask.step.as_str() {
            PLAN => Ok(plan_reading(read_as(forms::plan(), text, &shown)?, None)),
            GENERATE | REVISE => Self::read_draft(&asked.problem, text, &shown),
            _ => {
                let own = read_as(forms::critique(), text, &shown)?;
                let Asked { problem, candidate, .. } = &asked;
                let draft = candidate.as_ref();
                let critique = Self::joined_by_the_rules(own, ask.seat, problem, draft);
                Ok(critique_reading(critique, None))
            }
        }
    }

    fn play(&self, run: &Run, play: &Play) -> Reading {
        let (step, why) = (play.step.as_str(), play.instead.as_ref().map_or("", |(_, why)| why));
        let capped = run.cap_reached().is_some_and(|cap| cap == why);
        let seat = seat_name(run, play);
        let incident = |then: &str| Some(told(&seat, why, then, capped));
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
                Self::drafted(&problem(run), draft, incident(TEXT))
            }
            (GENERATE, None) => {
                let none = draft_reading(Candidate::default(), incident("no answer was generated"));
                leads(none, NOTHING, why)
            }
            (REVISE, None) => {
                let draft = kept::candidate(run).unwrap_or_default();
                leads(
                    draft_reading(draft, incident("the answer was not revised")),
                    NOT_REVISED,
                    why,
                )
            }
            (CRITIQUE, _) => Self::criticise_instead(run, play, told(&seat, why, DEGRADED, capped)),
            (RECRITIQUE, _) => {
                Self::criticise_instead(run, play, told(&seat, why, NOT_AGAIN, capped))
            }
            _ => {
                let details = kept::Kept::Response(response::assemble(run)).value();
                Reading { done: true, details, ..Reading::text("") }
            }
        }
    }
}
