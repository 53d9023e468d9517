//! `redraft solve`: an answer, criticised from six sides, with what it takes for granted and what is wrong with it.
//!
//! Invariant: the response is printed in every case that has one, whatever the exit code says.
//! Absent here: playing the run; see `crate::solve`.

use super::{block_on, review::stop_text};
use crate::{
    config::{CallFlags, Config, Flags, Surroundings},
    display,
    exit::{Code, Failure},
    players::OFFLINE,
    say,
    solve::{self, Table},
};
use redraft_engine::{Cancel, Events, Rest};
use redraft_loop::{Opened, Run, RunId};
use redraft_store::{Home, Store, Wait};
use redraft_workflows::{
    review::model::AssetId,
    solve::{Request, response},
};
use serde_json::{Value, json};
use std::{io::Read, path::Path};

/// The longest text that is read from a file or from stdin, in bytes.
const LONGEST: u64 = 16 << 20;

/// Answer a question: plan, write, criticise from six sides, revise at most once
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The question; `-` reads it from stdin
    #[arg(required_unless_present = "resume")]
    prompt: Option<String>,
    /// What the answer has to keep to, word for word; may be given several times
    #[arg(long = "constraint", short = 'c', value_name = "TEXT")]
    constraints: Vec<String>,
    /// The form of the answer, such as `json` or `a Markdown table`
    #[arg(long, value_name = "FORM")]
    output_format: Option<String>,
    /// What the answer may rest on: a text, or @FILE
    #[arg(long, value_name = "TEXT|@FILE")]
    context: Option<String>,
    /// Leave the footer with assumptions and known issues out
    #[arg(long)]
    no_footer: bool,
    /// Who criticises; several side by side
    #[arg(long, value_name = "AGENT")]
    reviewer: Vec<String>,
    /// Go on with a run that was cut off
    #[arg(long, value_name = "RUN", conflicts_with_all = ["prompt", "constraints", "output_format", "context", "no_footer"])]
    resume: Option<String>,
    #[command(flatten)]
    calls: CallFlags,
}

const COMMAND: &str = "solve";

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let here = Path::new(".");
    let flags =
        Flags { calls: args.calls.clone(), reviewer: args.reviewer.clone(), ..Flags::default() };
    let config = Config::load(&Surroundings::of_process(here), &flags)?;
    let request = args.prompt.as_deref().map(|prompt| request(args, prompt)).transpose()?;
    let home = solve::home(here)?;
    let table = solve::table(&config, &args.calls, &home)?;
    let begin = match (&request, &args.resume) {
        (Some(request), _) => Ok(solve::opened(request.clone(), !args.no_footer, &table)?),
        (None, Some(id)) => Err(solve::stored(&Store::open(&home)?, &RunId::new(id.as_str()))?),
        (None, None) => return Err(Failure::usage("there is no question")),
    };
    if table.writer == OFFLINE {
        say::err(
            "The offline agent writes: sentences of the context, word for word. Configure a model for more.",
        );
    }
    let (rest, run) = played(&home, &config, begin, &table, as_json)?;
    super::together::settle_programs();
    Ok(tell(&rest, &run, as_json))
}

fn request(args: &Args, prompt: &str) -> Result<Request, Failure> {
    let prompt = match prompt {
        "-" => read_text("stdin", std::io::stdin())?,
        prompt => prompt.to_owned(),
    };
    let context = match args.context.as_deref() {
        Some(given) => Some(match given.strip_prefix('@') {
            Some(path) => {
                let file = std::fs::File::open(path)
                    .map_err(|error| Failure::in_file(Code::Usage, Path::new(path), &error))?;
                read_text(path, file)?
            }
            None => given.to_owned(),
        }),
        None => None,
    };
    Ok(Request {
        prompt,
        constraints: args.constraints.clone(),
        output_format: args.output_format.clone(),
        context: context.map(as_context),
    })
}

/// An object where it is one; any other text is a text.
fn as_context(text: String) -> Value {
    match serde_json::from_str(&text) {
        Ok(object @ Value::Object(_)) => object,
        Ok(_) | Err(_) => Value::String(text),
    }
}

fn read_text(name: &str, from: impl Read) -> Result<String, Failure> {
    let mut text = String::new();
    let read = from.take(LONGEST + 1).read_to_string(&mut text);
    read.map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    if text.len() as u64 > LONGEST {
        return Err(Failure::usage(format!("{name}: longer than {LONGEST} bytes")));
    }
    Ok(text)
}

/// Drives the run as its one driver, with somebody watching who may interrupt.
fn played(
    home: &Home,
    config: &Config,
    begin: Result<Opened, Run>,
    table: &Table,
    quiet: bool,
) -> Result<(Rest, Run), Failure> {
    let id = match &begin {
        Ok(opened) => opened.run.clone(),
        Err(run) => run.opened().run.clone(),
    };
    let _guard = home.lock(&format!("run:{id}"), Wait::No)?;
    if let Err(run) = &begin
        && let Some(exit) = run.decision()
    {
        return Ok((Rest::Decided(exit.clone()), run.clone()));
    }
    let store = Store::open(home)?;
    let subject = AssetId::parse(COMMAND).map_err(|e| Failure::of(Code::Failure, &e))?;
    block_on(async {
        super::review::home_caps::hold(&store, config).await?;
        let (events, cancel) = (Events::new(256), Cancel::default());
        let screen = display::show(&events, &[subject], quiet);
        let signals = tokio::spawn(display::listen_for_ctrl_c(cancel.clone(), screen.live()));
        let played = solve::play(&store, begin, table, &events, &cancel).await;
        signals.abort();
        drop(events);
        screen.finish().await;
        played
    })
}

/// Prints the response and gives the exit code.
fn tell(rest: &Rest, run: &Run, as_json: bool) -> Code {
    let (code, response) = (solve::code(rest, run), response(run));
    if as_json {
        // Texts and lists of texts are always JSON.
        let mut fields = serde_json::to_value(&response).unwrap_or_default();
        fields["decision"] = json!(run.decision());
        fields["calls"] = json!(run.calls());
        if let Rest::Stopped(stop) = rest {
            fields["stopped"] = json!(stop_text(stop));
        }
        say::json(COMMAND, code, fields);
        return code;
    }
    response.final_answer.lines().for_each(say::out);
    say::err(&format!("run: {}", response.run_id));
    say::err(&format!("used: {}", say::count(run.calls(), "call")));
    if let Rest::Stopped(stop) = rest {
        say::err(&format!("stopped: {}", stop_text(stop)));
        say::err(&format!("  help: redraft solve --resume {} goes on", response.run_id));
    }
    code
}
