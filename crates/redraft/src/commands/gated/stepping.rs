//! `redraft gated step` and `redraft gated run`: one transition, or as many as there are before a gate.

use super::{Where, telling};
use crate::{
    commands::{
        block_on, configured,
        review::{home_caps, stop_help, stop_text},
        together,
    },
    config::{CallFlags, Flags},
    display::{self, Line},
    exit::{Code, Failure},
    gated::{Allowed, Company, Desk, Stepped, allow, step as one_step},
    say,
};
use redraft_engine::{Cancel, Events};
use redraft_loop::Reading;
use redraft_workflows::gated::State;
use serde_json::json;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session; the beginning of its id is enough
    id: String,
    /// The most iterations from now on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_iterations: Option<u32>,
    /// How often a call that was cut off by a crash may be asked again
    #[arg(long, value_name = "N")]
    ask_again: Option<u32>,
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    calls: CallFlags,
}

pub(super) fn step(args: &Args, as_json: bool) -> Result<Code, Failure> {
    go_on("gated step", args, as_json, |_| false)
}

pub(super) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    go_on("gated run", args, as_json, |stepped| stepped.moved && stepped.code == Code::Done)
}

fn go_on(
    command: &'static str,
    args: &Args,
    as_json: bool,
    goes_on: impl Fn(&Stepped) -> bool,
) -> Result<Code, Failure> {
    let config = configured(&args.place.workspace, &Flags::from(args.calls.clone()))?;
    let mut desk = args.place.open(&args.id)?;
    let subject = desk.session.run.opened().subject.clone();
    let line = Line { subject, name: "gated".to_owned() };
    let (events, cancel) = (Events::new(256), Cancel::default());
    let allowed = Allowed { iterations: args.max_iterations, ask_again: args.ask_again };
    let stepped = block_on(async {
        home_caps::hold(&desk.house.store, &config).await?;
        // Where nobody is asked but people there is nothing to watch.
        let quiet = as_json || desk.session.told().execution_mode == "manual";
        let screen = display::show(&events, vec![line], quiet);
        let later = "later".to_owned();
        let signals = tokio::spawn(display::listen_for_stop(cancel.clone(), screen.live(), later));
        let company =
            Company { config: &config, flags: &args.calls, events: &events, cancel: &cancel };
        let stepped = steps(&mut desk, &company, allowed, as_json, &goes_on).await;
        signals.abort();
        drop(events);
        screen.finish().await;
        stepped
    });
    together::settle_programs();
    let (stepped, acted) = stepped?;
    let acted = acted.as_ref();
    if as_json {
        let mut fields = telling::fields(&desk, &stepped, acted);
        if let Some(stop) = &stepped.stop {
            fields["stopped"] = json!(stop_text(stop));
            fields["help"] = json!(stop_help(stop, Some(&desk.session.run), Some(&config)));
        }
        say::json_line(command, stepped.code, fields);
        return Ok(stepped.code);
    }
    telling::tell(&desk, &stepped, acted);
    if let Some(stop) = &stepped.stop {
        say::err(&format!("stopped: {}", stop_text(stop)));
        say::err(&format!("  help: {}", stop_help(stop, Some(&desk.session.run), Some(&config))));
    }
    Ok(stepped.code)
}

/// Steps as long as there is one more to make, and gives the last, with the review that it acted on.
async fn steps(
    desk: &mut Desk,
    company: &Company<'_>,
    allowed: Allowed,
    as_json: bool,
    goes_on: &impl Fn(&Stepped) -> bool,
) -> Result<(Stepped, Option<Reading>), Failure> {
    // Whoever takes a session up begins its planning: that is a transition of its own, and asks nobody.
    let is_new = desk.session.state == State::Initialized;
    let begun = if is_new { Some(one_step(desk, company).await?) } else { None };
    allow(desk, company.flags, allowed).await?;
    if let Some(stepped) = begun {
        if !goes_on(&stepped) {
            return Ok((stepped, None));
        }
        tell_passage(desk, None, as_json);
    }
    loop {
        let review = telling::review(desk);
        let stepped = one_step(desk, company).await?;
        let acted = review.filter(|_| stepped.moved && desk.session.state != State::Reviewed);
        if !goes_on(&stepped) || desk.session.run.decision().is_some() {
            return Ok((stepped, acted));
        }
        if company.cancel.soon.is_cancelled() {
            return Ok((Stepped { code: Code::Interrupted, ..stepped }, acted));
        }
        tell_passage(desk, acted.as_ref(), as_json);
    }
}

fn tell_passage(desk: &Desk, acted: Option<&Reading>, as_json: bool) {
    if !as_json {
        telling::tell_passage(desk, acted);
    }
}
