//! What a person sees while runs go on: one live line per asset on a terminal, one line per event otherwise.
//!
//! Invariant: everything here is talk, on stderr; what is shown is durable already.
//! Absent here: outcomes. The command prints them when all is done.

use crate::{
    commands::{
        money,
        review::stop_text,
        runs::{changed, ending},
    },
    say,
    signals::Signals,
};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use redraft_engine::{Cancel, Event, Events, News};
use redraft_loop::{Asked, Fact, Reading, Released, Replied, Reply, Verdict};
use redraft_workflows::{
    is_of_the_house,
    pair::{self, Reported, patch, reported},
    round_of,
};
use std::{collections::BTreeMap, io::IsTerminal, time::Duration};
use tokio::{sync::broadcast, task::JoinHandle};

/// What shows events until they end.
pub(crate) struct Screen {
    task: Option<JoinHandle<()>>,
    /// The live lines; other talk has to go above them.
    live: Option<MultiProgress>,
}

impl Screen {
    /// The live lines, for talk that has to go above them.
    pub(crate) fn live(&self) -> Option<MultiProgress> {
        self.live.clone()
    }

    /// Waits until everything that was sent is shown.
    pub(crate) async fn finish(self) {
        if let Some(task) = self.task {
            // A display that fails has nothing to lose.
            let _ = task.await;
        }
    }
}

/// A live line of a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// The subject of the run whose events it shows.
    pub(crate) subject: String,
    /// What stands before them.
    pub(crate) name: String,
}

/// Shows the events of runs, on a terminal in these lines.
pub(crate) fn show(events: &Events, lines: Vec<Line>, quiet: bool) -> Screen {
    if quiet {
        return Screen { task: None, live: None };
    }
    let watch = events.watch();
    let plain = !std::io::stderr().is_terminal()
        || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if plain {
        return Screen { task: Some(tokio::spawn(plainly(watch))), live: None };
    }
    let screen = MultiProgress::new();
    let task = tokio::spawn(live(watch, screen.clone(), lines));
    Screen { task: Some(task), live: Some(screen) }
}

async fn next(watch: &mut broadcast::Receiver<Event>) -> Option<Event> {
    loop {
        match watch.recv().await {
            Ok(event) => return Some(event),
            // What was missed is in the journal; a display can do without it.
            Err(broadcast::error::RecvError::Lagged(_)) => {}
            Err(broadcast::error::RecvError::Closed) => return None,
        }
    }
}

async fn plainly(mut watch: broadcast::Receiver<Event>) {
    while let Some(event) = next(&mut watch).await {
        if let Some(line) = line(&event) {
            say::err(&format!("{}: {line}", event.subject));
        }
    }
}

async fn live(mut watch: broadcast::Receiver<Event>, screen: MultiProgress, lines: Vec<Line>) {
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let template = if colour {
        "{spinner:.cyan} {prefix:20} {wide_msg}"
    } else {
        "{spinner} {prefix:20} {wide_msg}"
    };
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    let mut bars = BTreeMap::new();
    for Line { subject, name } in lines {
        let bar = screen.add(ProgressBar::new_spinner().with_style(style.clone()));
        bar.set_prefix(name);
        bar.set_message("waits for its turn");
        bar.enable_steady_tick(Duration::from_millis(120));
        bars.insert(subject, bar);
    }
    while let Some(event) = next(&mut watch).await {
        let Some(bar) = bars.get(&event.subject) else { continue };
        let Some(line) = line(&event) else { continue };
        let line = say::clean(&line).replace('\n', " ");
        if is_trouble(&event.news) {
            // The next event would take its place before anybody has read it.
            let told = format!("{}: {line}", bar.prefix());
            bar.suspend(|| say::err(&told));
        }
        match is_end(&event.news) {
            true => bar.finish_with_message(line),
            false => bar.set_message(line),
        }
    }
    bars.values().filter(|bar| !bar.is_finished()).for_each(ProgressBar::finish_and_clear);
}

fn is_end(news: &News) -> bool {
    match news {
        News::Stopped(_) => true,
        News::Fact { fact, .. } => matches!(**fact, Fact::Decided(_)),
        News::PromptChanged | News::BackingOff { .. } => false,
    }
}

fn is_trouble(news: &News) -> bool {
    match news {
        News::Stopped(_) | News::PromptChanged | News::BackingOff { .. } => false,
        News::Fact { fact, .. } => matches!(
            **fact,
            Fact::Failed(_) | Fact::Replied(Replied { reply: Reply::Unreadable { .. }, .. })
        ),
    }
}

/// The event in one line; `None` where it is not worth one.
fn line(event: &Event) -> Option<String> {
    Some(match &event.news {
        News::Stopped(stop) => format!("stopped: {}", stop_text(stop)),
        News::PromptChanged => "prompts have changed since this call was first asked".to_owned(),
        News::BackingOff { delay } => format!("tries again in {:.1} s", delay.as_secs_f64()),
        News::Fact { fact, .. } => return fact_line(&event.workflow, fact),
    })
}

fn fact_line(workflow: &str, fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::Asked(asked) => asked_line(workflow, asked),
        Fact::Replied(replied) => {
            let said = match &replied.reply {
                Reply::Unreadable { why, .. } => format!("unreadable: {why}"),
                Reply::Read(reading) => said(workflow, reading),
            };
            format!("call {}: {said}{}", replied.call, money::of_call(replied.usage, replied.cost))
        }
        Fact::Released(Released { call, waits_for: Some(what), .. }) => {
            format!("call {call}: waits for {what}")
        }
        Fact::Failed(failed) => format!("call {}: failed: {}", failed.call, failed.message),
        Fact::Decided(decided) => ending(Some(&decided.exit)),
        Fact::Driven(_) => "resumed".to_owned(),
        Fact::Cancelled(cancelled) => format!("cancelled by {}", cancelled.by),
        Fact::Opened(_)
        | Fact::Released(_)
        | Fact::Played(_)
        | Fact::Approved(_)
        | Fact::Rejected(_)
        | Fact::Voided(_)
        | Fact::Passed(_)
        | Fact::CapReached(_)
        | Fact::Bounded(_)
        | Fact::Interrupted(_) => return None,
    })
}

fn asked_line(workflow: &str, asked: &Asked) -> String {
    let Asked { round, step, role, call, attempt, .. } = asked;
    let again = match attempt {
        0 | 1 => String::new(),
        attempt => format!(", attempt {attempt}"),
    };
    let at = round_of(workflow, *round).map_or(String::new(), |at| format!("{at}: "));
    match is_of_the_house(workflow, role) {
        true => format!("{at}{step}: runs (call {call}{again})"),
        false => format!("{at}{step}: {role} is asked (call {call}{again})"),
    }
}

fn said(workflow: &str, reading: &Reading) -> String {
    if let Some(reported) = reported(reading).filter(|_| workflow == pair::NAME) {
        return match reported {
            Reported::Change(diff) => changed::sum(&patch::read(diff)),
            Reported::Checks { failing: 0, of } => format!("{} passed", say::count(of, "check")),
            Reported::Checks { failing, of } => {
                format!("{failing} of {} failing", say::count(of, "check"))
            }
        };
    }
    match reading.verdict {
        Some(verdict) => verdict_text(verdict).to_owned(),
        // A plan is no text.
        None if reading.text.is_empty() => "answered".to_owned(),
        None => say::count(reading.text.chars().count(), "character"),
    }
}

pub(crate) fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "ok",
        Verdict::ChangesRequested => "changes_requested",
        Verdict::NeedsHuman => "needs_human",
    }
}

/// The first Ctrl-C or SIGTERM lets calls in flight finish and saves; the second stops at once.
/// `later`: when the same command goes on.
pub(crate) async fn listen_for_stop(cancel: Cancel, live: Option<MultiProgress>, later: String) {
    let mut signals = Signals::new();
    signals.next().await;
    let told = format!(
        "interrupted: finishing the calls in flight; the same command goes on {later}. Ctrl-C again stops now."
    );
    match live {
        // A terminal that cannot be written to has nobody to tell.
        Some(live) => drop(live.println(told)),
        None => say::err(&told),
    }
    cancel.soon.cancel();
    signals.next().await;
    cancel.now.cancel();
}
