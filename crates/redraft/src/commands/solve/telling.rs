//! How a solve is told: the response, what it used, and what to do where it rests.
//!
//! Absent here: what stands in a response.

use super::COMMAND;
use crate::{
    commands::{
        money,
        review::{stop_help, stop_text},
    },
    config::Config,
    exit::Code,
    say, solve,
};
use redraft_engine::Rest;
use redraft_loop::Run;
use redraft_workflows::solve::response;
use serde_json::json;

/// Prints the response and gives the exit code.
pub(super) fn tell(rest: &Rest, run: &Run, config: &Config, as_json: bool) -> Code {
    let (code, response) = (solve::code(rest, run), response(run));
    let help = |stop| stop_help(stop, Some(run), Some(config));
    if as_json {
        // Texts and lists of texts are always JSON.
        let mut fields = serde_json::to_value(&response).unwrap_or_default();
        fields["decision"] = json!(run.decision());
        fields["calls"] = json!(run.calls());
        if let Rest::Stopped(stop) = rest {
            fields["stopped"] = json!(stop_text(stop));
            fields["help"] = json!(help(stop));
        }
        say::json(COMMAND, code, fields);
        return code;
    }
    response.final_answer.lines().for_each(say::out);
    say::err(&format!("run: {}", response.run_id));
    let (calls, spent) = (say::count(run.calls(), "call"), run.spent());
    match spent.tokens {
        0 => say::err(&format!("used: {calls}")),
        tokens => {
            let tokens = say::count(tokens, "token");
            say::err(&format!("used: {calls}, {tokens}, {}", money::cost(spent)));
        }
    }
    if let Rest::Stopped(stop) = rest {
        say::err(&format!("stopped: {}", stop_text(stop)));
        say::err(&format!("  help: {}", help(stop)));
        say::err(&format!(
            "  the same command goes on, and so does redraft solve --resume {}",
            response.run_id
        ));
    }
    code
}
