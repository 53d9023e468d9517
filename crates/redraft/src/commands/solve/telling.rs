//! How a solve is told: the response, what it used, and what to do where it rests.
//!
//! Absent here: what stands in a response.

use super::COMMAND;
use crate::{
    clock,
    commands::{
        money,
        review::{Unblocks, stop_help, stop_text, unblocks},
    },
    config::Config,
    events::Face,
    exit::Code,
    say, solve,
};
use redraft_engine::Rest;
use redraft_loop::{Run, Spent, Stop};
use redraft_workflows::solve::{Response, incidents, response};
use serde_json::json;

/// Prints the response and gives the exit code.
pub(super) fn tell(rest: &Rest, run: &Run, config: &Config, face: Face) -> Code {
    let (code, response) = (solve::code(rest, run), response(run));
    let help = |stop| help(stop, run, config);
    if face.is_quiet() {
        // Texts and lists of texts are always JSON.
        let mut fields = serde_json::to_value(&response).unwrap_or_default();
        fields["decision"] = json!(run.decision());
        fields["calls"] = json!(run.calls());
        let Spent { tokens, cost, unpriced } = run.spent();
        fields["tokens"] = json!(tokens);
        // Millionths of a US dollar, of the calls whose price is known.
        fields["cost"] = json!(cost);
        fields["unpriced_calls"] = json!(unpriced);
        if let Rest::Stopped(stop) = rest {
            fields["stopped"] = json!(stop_text(stop));
            fields["help"] = json!(help(stop));
        }
        face.result(COMMAND, code, fields);
        return code;
    }
    response.final_answer.lines().for_each(say::out);
    beside(&response);
    say::err(&format!("run: {}", response.run_id));
    money::tell_used(run);
    match rest {
        Rest::Stopped(stop) => {
            say::err("not finished: the answer above is what there is so far");
            say::err(&format!("stopped: {}", stop_text(stop)));
            say::err(&format!("  help: {}", help(stop)));
            if !matches!(stop, Stop::Interrupted) {
                say::err(&format!(
                    "  the same command goes on, and so does redraft solve --resume {}",
                    response.run_id
                ));
            }
        }
        Rest::Decided(_) => cut_short(run),
        Rest::Waiting(_) => {}
    }
    code
}

/// What stands in the footer of an answer that can bear one: a reader is to know it anyway.
fn beside(response: &Response) {
    if response.has_footer() {
        return;
    }
    for (title, all) in
        [("known issue", &response.known_issues), ("assumption", &response.assumptions)]
    {
        all.iter().for_each(|one| say::err(&format!("{title}: {one}")));
    }
}

fn help(stop: &Stop, run: &Run, config: &Config) -> String {
    let id = &run.opened().run;
    match run.goes_on_until().filter(|_| *stop == Stop::Interrupted) {
        Some(until) => format!(
            "the same command goes on where it stopped until {}; later: redraft solve --resume {id} --total-seconds N",
            clock::told(until)
        ),
        None => stop_help(stop, Some(run), Some(config)),
    }
}

/// Which cap kept something from being done in a run that is decided, and what raises it for the next.
fn cut_short(run: &Run) {
    let Some(incident) = incidents(run).into_iter().find(|incident| incident.capped) else {
        return;
    };
    // Incidents begin with their step.
    let cap = incident.what.split_once(": ").map_or("", |(_, cap)| cap);
    let raises = match unblocks(&Stop::Cap(cap.to_owned())) {
        Unblocks::Flag(flag) => {
            let key = flag.trim_start_matches("--").trim_start_matches("max-").replace('-', "_");
            format!("redraft solve --again with {flag} N, or budget.{key} in a configuration")
        }
        Unblocks::OfHome(flag) => {
            format!("redraft budget set {flag} N raises the home's; then ask with --again")
        }
        Unblocks::Unsaid => {
            "give more, or a price where it is unknown; then ask with --again".into()
        }
    };
    say::err(&format!("cut short: {}", incident.what));
    say::err(&format!("  help: {raises}"));
}

/// Tells that a run ends now with what there is, where nobody drove it until its time was over.
pub(super) fn time_is_over(run: &Run) {
    let now = clock::now();
    let Some(until) = run.goes_on_until().filter(|until| *until <= now) else { return };
    let id = &run.opened().run;
    say::err(&format!(
        "the time of run {id} was over at {}: it is closed with what there is. --total-seconds N with the same command would have given it more; --again asks anew",
        clock::told(until)
    ));
}
