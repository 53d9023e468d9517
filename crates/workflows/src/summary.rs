//! Summaries: each stretch of a transcript is summarised by one call, and the episode from those by one more.
//!
//! Invariant: a call sees one stretch, or the summaries, and never the whole transcript; an address that its summary
//! gives stands in what it saw.
//! Absent here: files, and how a transcript is cut into stretches.

use crate::{
    Part, Prompt, Unreadable, Workflow,
    reply::{Form, broken, read_as},
    review::{Repair, json, repair, shape::CREATOR},
};
use redraft_loop::{
    Ask, Condition::LastRound, Failing, Gate, Limits, Outcome, Play, Player, Reading, Rule, Run,
    Shape, Step, StepId, Timing,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::sync::LazyLock;

/// The workflow's name, and what its runs are about.
pub const NAME: &str = "summary";
/// The reason of a run that has summarised everything.
pub const SUMMARISED: &str = "summarised";
const STRETCH: &str = "stretch";
const EPISODE: &str = "episode";

/// The prompts by name, with the first line that tells their version.
pub const PROMPTS: [(&str, &str); 2] = [
    ("summary/chunk", include_str!("../prompts/summary/chunk.md")),
    ("summary/episode", include_str!("../prompts/summary/episode.md")),
];

/// The summarising of one episode.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The texts of the stretches, in their order.
    pub stretches: Vec<String>,
    /// What is known of the episode, as JSON.
    pub episode: Part,
}

/// An address with what it leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// What it leads to.
    pub label: String,
    /// The address.
    pub url: String,
}

/// What is said in a stretch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StretchSummary {
    /// The points that other texts may need.
    pub bullets: Vec<String>,
    /// Who and what is spoken of.
    pub entities: Vec<String>,
    /// The addresses in it.
    pub links: Vec<Link>,
    /// In sentences.
    pub summary_markdown: String,
}

/// What is said in an episode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodeSummary {
    /// Claims and results.
    pub key_points: Vec<String>,
    /// The addresses in it.
    pub links: Vec<Link>,
    /// In paragraphs.
    pub summary_markdown: String,
    /// What it is about.
    pub topics: Vec<String>,
}

/// What a call is asked, as one JSON document.
#[derive(Serialize)]
struct Request<'a> {
    step: &'a str,
    iteration: u32,
    role: &'a str,
    episode: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    stretch: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summaries: Option<Vec<StretchSummary>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repair: Option<Repair<'a>>,
}

/// The shape of a run over so many stretches as its limits have rounds.
pub fn shape(limits: Limits, repairs: u32) -> Shape {
    let step = |id: &str| Step {
        id: id.into(),
        player: Player::Agent(CREATOR.into()),
        gate: Gate::Open,
        reserve: 0,
        repairs,
        failing: Failing::Stop,
        unreadable: Failing::Stop,
        capped: Failing::Stop,
    };
    let all = LastRound { ends_with: STRETCH.into() };
    Shape {
        workflow: NAME.into(),
        version: 1,
        opening: vec![],
        repeating: vec![step(STRETCH)],
        closing: vec![step(EPISODE)],
        rules: vec![Rule::new(all, Outcome::Ended, SUMMARISED)],
        limits,
        timing: Timing::Driven,
    }
}

/// The summaries of the stretches that a run has, in their order.
pub fn of_stretches(run: &Run) -> Vec<StretchSummary> {
    let turns = run.turns().iter().filter(|turn| turn.step.as_str() == STRETCH);
    let readings = turns.flat_map(|turn| &turn.readings);
    readings.filter_map(|reading| StretchSummary::deserialize(&reading.details).ok()).collect()
}

/// The summary of the episode, once a run has it.
pub fn of_episode(run: &Run) -> Option<EpisodeSummary> {
    let turn = run.newest(&StepId::from(EPISODE))?;
    EpisodeSummary::deserialize(&turn.readings.first()?.details).ok()
}

/// The name of the template that a step's prompt is made from.
pub(crate) fn template(step: &str) -> &'static str {
    let [(of_stretch, _), (of_episode, _)] = PROMPTS;
    if step == EPISODE { of_episode } else { of_stretch }
}

impl Summary {
    /// The part that a call works on.
    fn subject(&self, run: &Run, ask: &Ask) -> Part {
        let (name, text) = match ask.step.as_str() {
            // Texts are always JSON.
            EPISODE => ("summaries", json::write(&of_stretches(run)).unwrap_or_default()),
            _ => (STRETCH, self.stretch(ask).to_owned()),
        };
        Part::new(name, text)
    }

    fn stretch(&self, ask: &Ask) -> &str {
        self.stretches.get(ask.round as usize - 1).map_or("", String::as_str)
    }

    fn request(&self, run: &Run, ask: &Ask) -> String {
        let whole = ask.step.as_str() == EPISODE;
        let request = Request {
            step: ask.step.as_str(),
            iteration: ask.round,
            role: ask.role.as_str(),
            // It is JSON already.
            episode: serde_json::from_str(&self.episode.text).unwrap_or_default(),
            stretch: (!whole).then(|| self.stretch(ask)),
            summaries: whole.then(|| of_stretches(run)),
            repair: Repair::of(ask),
        };
        // Texts are always JSON.
        json::write(&request).unwrap_or_default()
    }
}

impl Workflow for Summary {
    fn write(&self, run: &Run, ask: &Ask) -> Prompt {
        let [(_, of_stretch), (_, of_episode)] = PROMPTS;
        let (file, form) = match ask.step.as_str() {
            EPISODE => (of_episode, episode_form()),
            _ => (of_stretch, stretch_form()),
        };
        let own = [self.episode.clone(), self.subject(run, ask)];
        Prompt {
            instructions: file.split_once('\n').map_or("", |(_, body)| body).to_owned(),
            parts: own.into_iter().chain(repair(ask)).collect(),
            reply: Some(form.asked()),
            request: self.request(run, ask),
        }
    }

    fn read(&self, run: &Run, ask: &Ask, text: &str) -> Result<Reading, Unreadable> {
        let subject = self.subject(run, ask).text;
        let shown = [&*self.episode.text, &subject];
        match ask.step.as_str() {
            EPISODE => read(episode_form(), text, &shown, &subject, |summary: &EpisodeSummary| {
                (&summary.summary_markdown, &summary.links)
            }),
            _ => read(stretch_form(), text, &shown, &subject, |summary: &StretchSummary| {
                (&summary.summary_markdown, &summary.links)
            }),
        }
    }

    /// Its steps stop where their agent fails, so that nobody has to be stood in for.
    fn play(&self, _: &Run, _: &Play) -> Reading {
        Reading::text("")
    }
}

fn read<T: DeserializeOwned + Serialize>(
    form: &Form,
    text: &str,
    shown: &[&str],
    subject: &str,
    kept: impl Fn(&T) -> (&String, &Vec<Link>),
) -> Result<Reading, Unreadable> {
    let summary: T = read_as(form, text, shown)?;
    let (markdown, links) = kept(&summary);
    if let Some(n) = links.iter().position(|link| !subject.contains(&link.url)) {
        let why = "is not in the text; give addresses as they stand there, or none";
        return Err(broken(&format!("/links/{n}/url"), why));
    }
    // These types have string keys only, which JSON always holds.
    let details = serde_json::to_value(&summary).unwrap_or_default();
    Ok(Reading { done: true, details, ..Reading::text(markdown.clone()) })
}

fn stretch_form() -> &'static Form {
    static FORM: LazyLock<Form> = LazyLock::new(|| {
        let schema = include_str!("../schemas/summary/chunk.json");
        Form::new("stretch_summary", schema, schema)
    });
    &FORM
}

fn episode_form() -> &'static Form {
    static FORM: LazyLock<Form> = LazyLock::new(|| {
        let schema = include_str!("../schemas/summary/episode.json");
        Form::new("episode_summary", schema, schema)
    });
    &FORM
}
