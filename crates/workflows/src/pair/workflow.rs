//! The pair workflow: what architect and builder are asked, and how their messages are read.
//!
//! Invariant: a message counts only if it passes the schema and belongs to the step and turn at hand, whoever wrote it.
//! Absent here: git, processes, and who answers.

use super::{
    findings, forms,
    kept::{self, Settings, checks_reading, message_reading},
    message::{Kind, Message},
    prompts::template_of,
    shape::{CHECK, CRITIQUE, IMPLEMENT},
    verdict,
    work::{Built, Checked, Outcome},
};
use crate::{
    Part, Prompt, Unreadable, Workflow,
    reply::broken,
    review::{json, repair},
};
use redraft_loop::{Ask, Play, Reading, Run, Verdict};
use serde::Serialize;

/// A pair. What it is about stands in its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair;

/// A call, as programs of ours read it.
#[derive(Serialize)]
struct Asked<'a> {
    workflow: &'a str,
    step: &'a str,
    turn: u32,
    task: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<String>,
}

impl Workflow for Pair {
    fn write(&self, run: &Run, ask: &Ask) -> Prompt {
        let settings = kept::settings(run);
        let (step, turn) = (ask.step.as_str(), turn(ask));
        let task = settings.as_ref().map_or("", |settings| &settings.task);
        let checks = settings.as_ref().filter(|_| step == CHECK);
        let checks = checks.map(|settings| settings.checks.clone()).unwrap_or_default();
        let asked = Asked { workflow: super::NAME, step, turn, task, checks };
        let kind = kept::kind(step);
        Prompt {
            instructions: instructions(step, settings.as_ref()),
            parts: match kind {
                Some(_) => parts(run, ask, settings.as_ref()),
                None => newest_diff(run).into_iter().collect(),
            },
            reply: kind
                .filter(|kind| !edits(*kind, settings.as_ref()))
                .map(|kind| forms::of(kind).asked()),
            request: json::write(&asked).unwrap_or_default(),
        }
    }

    fn read(&self, run: &Run, ask: &Ask, text: &str) -> Result<Reading, Unreadable> {
        let step = ask.step.as_str();
        let settings = kept::settings(run);
        let Some(kind) = kept::kind(step) else { return read_checks(text) };
        if step == IMPLEMENT && is_in_worktree(settings.as_ref()) {
            return read_built(run, ask, settings.as_ref(), text);
        }
        read_message(run, ask, settings.as_ref(), kind, text)
    }

    /// Every step is an agent's; where one fails for good the run stops.
    fn play(&self, _run: &Run, _play: &Play) -> Reading {
        Reading::text("")
    }
}

/// What a step is told to do, in the project's own words where it has some.
fn instructions(step: &str, settings: Option<&Settings>) -> String {
    let edits = settings.is_some_and(|settings| settings.edits);
    let Some(template) = template_of(step, edits) else { return String::new() };
    settings.map_or_else(|| template.body().to_owned(), |settings| template.told(&settings.prompts))
}

/// Whoever edits would be misled by the form of a message with a diff.
fn edits(kind: Kind, settings: Option<&Settings>) -> bool {
    kind == Kind::Implement && settings.is_some_and(|settings| settings.edits)
}

/// The proposal belongs to the first turn.
fn turn(ask: &Ask) -> u32 {
    ask.round.max(1)
}

/// The part that holds the newest change; absent while there is none, or it is empty.
pub const DIFF: &str = "diff";

fn newest_diff(run: &Run) -> Option<Part> {
    let text = run.newest(&IMPLEMENT.into())?.text();
    (!text.is_empty()).then(|| Part::new(DIFF, text))
}

/// The texts that a call works on, in order.
fn parts(run: &Run, ask: &Ask, settings: Option<&Settings>) -> Vec<Part> {
    let (step, now) = (ask.step.as_str(), turn(ask));
    let mut parts = Vec::new();
    let mut add = |name: &str, text: String| {
        if !text.is_empty() {
            parts.push(Part::new(name, text));
        }
    };
    if let Some(settings) = settings {
        add("task", settings.task.clone());
        if let Some(repository) = &settings.repository {
            add("paths", repository.paths.join("\n"));
            for file in &repository.files {
                add(&format!("file {}", file.path), file.text.clone());
            }
        }
    }
    let newest = |step| kept::newest(run, step).map(|message| message.content);
    if step == IMPLEMENT && now == 1 || step == CRITIQUE {
        add("proposal", newest(super::shape::PROPOSE).unwrap_or_default());
    }
    add(DIFF, newest_diff(run).map(|part| part.text.to_string()).unwrap_or_default());
    let checked = kept::checked(run, if step == IMPLEMENT { now.saturating_sub(1) } else { now });
    add("checks", checked.map(|checked| told(&checked)).unwrap_or_default());
    if step != CRITIQUE {
        add("critique", newest(CRITIQUE).unwrap_or_default());
    }
    let known = findings::of_run(run);
    let shown: Vec<_> = match step {
        IMPLEMENT => known.open().collect(),
        CRITIQUE => known.shown_to(super::ARCHITECT).collect(),
        _ => Vec::new(),
    };
    if !shown.is_empty() {
        add("findings", json::write(&shown).unwrap_or_default());
    }
    parts.extend(if step == IMPLEMENT && is_in_worktree(settings) {
        repair(&in_own_words(ask))
    } else {
        repair(ask)
    });
    parts
}

/// Whether a builder's work ends up in a worktree, and its reply in a report of ours.
fn is_in_worktree(settings: Option<&Settings>) -> bool {
    settings.is_some_and(|settings| settings.repository.is_some())
}

/// A builder's reply stands in a report of ours; it is shown its own words alone.
fn in_own_words(ask: &Ask) -> Ask {
    let own = ask.repair.as_ref().and_then(|(why, report)| {
        let built: Built = of_ours(report).ok()?;
        Some((why.clone(), said(&built.reply).to_owned()))
    });
    Ask { repair: own.or_else(|| ask.repair.clone()), ..ask.clone() }
}

/// The checks as a model reads them: how each ended, and the end of what a failing one printed.
fn told(checked: &Checked) -> String {
    let one = |check: &super::CheckResult| match check.passed() {
        true => format!("{}: passed\n", check.command),
        false => format!("{}: {}\n{}\n", check.command, check.ending(), check.tail.trim_end()),
    };
    checked.checks.iter().map(one).collect()
}

/// The diff of a builder's reply, read as strictly as the message itself; `None` where the reply is no message with
/// one. `shown` are the texts that the builder was shown.
pub fn diff_of(reply: &str, shown: &[&str]) -> Option<String> {
    forms::read(reply, shown).ok()?.diff
}

fn read_message(
    run: &Run,
    ask: &Ask,
    settings: Option<&Settings>,
    kind: Kind,
    text: &str,
) -> Result<Reading, Unreadable> {
    let parts = parts(run, ask, settings);
    let shown: Vec<&str> = parts.iter().map(|part| &*part.text).collect();
    let message = forms::read(text, &shown)?;
    accept(run, ask, kind, message).map_err(forms::refused)
}

/// The message that belongs here, with what follows from it.
fn accept(run: &Run, ask: &Ask, kind: Kind, message: Message) -> Result<Reading, Unreadable> {
    if message.kind != kind {
        let wanted = json::write(&kind).unwrap_or_default();
        return Err(broken("/type", &format!("must be {} now", wanted.trim())));
    }
    if message.turn != turn(ask) {
        return Err(broken("/turn", &format!("must be {} now", turn(ask))));
    }
    let known = findings::of_run(run);
    match kind {
        Kind::Propose => Ok(message_reading(message)),
        Kind::Implement => {
            findings::check_disputes(&known, &message)?;
            Ok(message_reading(message))
        }
        Kind::Critique => {
            let issues = findings::issues(run, &known, &message)?;
            Ok(Reading { issues, ..message_reading(message) })
        }
        Kind::Verify => {
            let verdict = Some(verdict::of(&message));
            Ok(Reading { verdict, ..message_reading(message) })
        }
    }
}

/// A builder's message with the diff that the worktree has.
fn read_built(
    run: &Run,
    ask: &Ask,
    settings: Option<&Settings>,
    text: &str,
) -> Result<Reading, Unreadable> {
    let built: Built = of_ours(text)?;
    let reading = match built.prose {
        true => accept(
            run,
            ask,
            Kind::Implement,
            Message::new(Kind::Implement, turn(ask), said(&built.reply)),
        )?,
        false => read_message(run, ask, settings, Kind::Implement, &built.reply)?,
    };
    match built.outcome {
        Outcome::Applied(diff) => Ok(Reading { text: diff, ..reading }),
        Outcome::Refused(why) => Err(broken("/diff", &why)),
    }
}

/// What a program said, where it said anything.
fn said(prose: &str) -> &str {
    match prose.trim() {
        "" => "The worktree was edited.",
        prose => prose,
    }
}

fn read_checks(text: &str) -> Result<Reading, Unreadable> {
    let checked: Checked = of_ours(text)?;
    let reading = checks_reading(checked);
    let issues = findings::of_checks(&reading);
    let verdict = if issues.is_empty() { Verdict::Ok } else { Verdict::ChangesRequested };
    Ok(Reading { verdict: Some(verdict), issues, ..reading })
}

fn of_ours<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Unreadable> {
    serde_json::from_str(text)
        .map_err(|error| Unreadable { why: format!("a program of ours answered badly: {error}") })
}
