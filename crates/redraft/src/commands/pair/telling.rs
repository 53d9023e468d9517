//! How a pair is told: the change, what it used, where it went, and the status as the last line.
//!
//! Absent here: what a change is.

use super::{
    COMMAND,
    handing::{HandedOver, Went},
};
use crate::{
    commands::{
        money,
        review::{stop_help, stop_text},
    },
    config::Config,
    events::Face,
    exit::Code,
    pair::Status,
    say,
};
use redraft_engine::Rest;
use redraft_loop::{Run, Spent};
use redraft_workflows::pair::{self, Turn};
use serde_json::{Value, json};
use std::io::IsTerminal;

/// Prints what is handed over and the status, and gives the exit code.
pub(super) fn tell(rest: &Rest, run: &Run, over: &HandedOver, config: &Config, face: Face) -> Code {
    let code = code(over);
    let help = |stop| stop_help(stop, Some(run), Some(config));
    if face.is_quiet() {
        let mut fields = fields(run, over);
        if let Rest::Stopped(stop) = rest {
            fields["stopped"] = json!(stop_text(stop));
            fields["help"] = json!(help(stop));
        }
        face.result(COMMAND, code, fields);
        return code;
    }
    if let Some(handed) = &over.handed {
        print(&handed.diff);
        beside(handed, run, over.status);
    }
    went("applied to", "not applied", over.applied.as_ref());
    went("branch", "no branch", over.branch.as_ref());
    money::tell_used(run);
    if let Rest::Stopped(stop) = rest {
        say::err(&format!("stopped: {}", stop_text(stop)));
        say::err(&format!("  help: {}", help(stop)));
    }
    next(run, over);
    say::out(over.status.line());
    code
}

/// Where more is told, and how a change that converged is brought into the files.
fn next(run: &Run, over: &HandedOver) {
    let id = &run.opened().run;
    say::err(&format!("see redraft runs show {id}"));
    let has_repository = pair::settings(run).is_some_and(|kept| kept.repository.is_some());
    let waits = over.applied.is_none() && over.branch.is_none() && has_repository;
    if over.status == Status::Converged && waits {
        say::err(&format!("redraft pair --resume {id} --apply puts it into your files"));
    }
    if let Some(Went::Not(_)) = over.applied.as_ref().filter(|_| over.status == Status::Converged) {
        say::err(&format!(
            "  help: make room for it and run redraft pair --resume {id} --apply, or --branch NAME to have it beside yours"
        ));
    }
}

/// The change as it is, for git; on a terminal without what a terminal would act on.
fn print(diff: &str) {
    if std::io::stdout().is_terminal() {
        return diff.lines().for_each(say::out);
    }
    say::file(diff);
    if !diff.is_empty() && !diff.ends_with('\n') {
        say::file("\n");
    }
}

/// A change that converged and is not where it was wanted is no success.
fn code(over: &HandedOver) -> Code {
    let not = |went: &Option<Went>| matches!(went, Some(Went::Not(_)));
    let missed = not(&over.applied) || not(&over.branch);
    match over.status == Status::Converged && missed {
        true => Code::Failure,
        false => over.status.code(),
    }
}

fn fields(run: &Run, over: &HandedOver) -> Value {
    let Spent { tokens, cost, unpriced } = run.spent();
    // Texts and lists of texts are always JSON.
    let mut fields = serde_json::to_value(pair::record(run)).unwrap_or_default();
    fields["status"] = json!(over.status.line());
    fields["run_id"] = json!(run.opened().run);
    fields["diff"] = json!(over.handed.as_ref().map(|turn| &turn.diff));
    fields["applied"] = json!(over.applied);
    fields["branch"] = json!(over.branch);
    fields["decision"] = json!(run.decision());
    fields["calls"] = json!(run.calls());
    fields["tokens"] = json!(tokens);
    // Millionths of a US dollar, of the calls whose price is known.
    fields["cost"] = json!(cost);
    fields["unpriced_calls"] = json!(unpriced);
    fields
}

/// How the change that is handed over stands.
fn beside(handed: &Turn, run: &Run, status: Status) {
    let Turn { turn, failing, checks, open, .. } = handed;
    let open = say::count(*open, "finding");
    if status == Status::Converged {
        // The architect's verdict counts; what it left open is not kept quiet.
        if handed.open > 0 {
            say::err(&format!("verified with {open} of the architect's still open"));
        }
        return;
    }
    let which = if *turn == run.round() { "the newest" } else { "the best so far" };
    let all = match failing {
        None => "no checks run".to_owned(),
        Some(failing) => format!("{failing} of {} failing", say::count(*checks, "check")),
    };
    say::err(&format!("handed over: turn {turn}, {which}: {all}, {open} open"));
    let results = pair::checked(run, *turn).map(|checked| checked.checks).unwrap_or_default();
    for check in results.iter().filter(|check| !check.passed()) {
        say::err(&format!("  {}: {}", check.command, check.ending()));
    }
}

fn went(there: &str, not: &str, went: Option<&Went>) {
    match went {
        Some(Went::There(place)) => say::err(&format!("{there} {place}")),
        Some(Went::Not(why)) => say::err(&format!("{not}: {why}")),
        None => {}
    }
}
