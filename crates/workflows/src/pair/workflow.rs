//! The pair workflow: what architect and builder are asked, and how their messages are read.
//!
//! Invariant: a message counts only if it passes the schema and belongs to the step and turn at hand, whoever wrote it.
//! Absent here: git, processes, and who answers.

use super::{
    asked::{Asked, turn},
    findings, forms,
    kept::{self, Settings, checks_reading, message_reading},
    message::{Kind, Message},
    prompts::template_of,
    shape::IMPLEMENT,
    verdict,
    work::{Built, Checked, Outcome},
};
use crate::{Prompt, Unreadable, Workflow, reply::broken, review::json};
use redraft_loop::{Ask, Play, Reading, Run, Verdict};

/// A pair. What it is about stands in its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair;

impl Workflow for Pair {
    fn write(&self, run: &Run, ask: &Ask) -> Prompt {
        let settings = kept::settings(run);
        let ask = &in_its_own_words(ask);
        let (step, asked) = (ask.step.as_str(), Asked::of(run, ask, settings.as_ref()));
        let kind = kept::kind(step);
        Prompt {
            instructions: instructions(step, settings.as_ref()),
            parts: match kind {
                Some(_) => asked.parts(ask),
                None => asked.change(),
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

/// Whether a builder's work ends up in a worktree, and its reply in a report of ours.
fn is_in_worktree(settings: Option<&Settings>) -> bool {
    settings.is_some_and(|settings| settings.repository.is_some())
}

/// Whoever builds in a worktree is asked again about its own reply, not about the report that it stands in.
fn in_its_own_words(ask: &Ask) -> Ask {
    let mut ask = ask.clone();
    if ask.step.as_str() == IMPLEMENT
        && let Some((_, reply)) = &mut ask.repair
        && let Ok(Built { reply: own, .. }) = serde_json::from_str(reply)
    {
        *reply = own;
    }
    ask
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
    let ask = &in_its_own_words(ask);
    let parts = Asked::of(run, ask, settings).parts(ask);
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
