//! What the environment says: one variable for each setting that makes sense there.
//!
//! Invariant: an empty variable says nothing; an unknown `REDRAFT_` variable is told, never fatal.
//! Absent here: variables that hold keys; those are named by agents.

use super::{
    complaint::{Complaint, ConfigError},
    file_layer::{LONGEST_SECONDS, MOST, MOST_ITERATIONS},
    layer::Layer,
    money::MicroUsd,
    origin::{Origin, Sourced},
    suggest,
};
use redraft_workflows::gated::profile::Role;
use std::{collections::BTreeMap, ops::RangeInclusive};

/// The variables that begin so are ours.
pub(super) const PREFIX: &str = "REDRAFT_";
/// Trusts the project for one command.
pub(super) const TRUST: &str = "REDRAFT_TRUST_PROJECT";

const CREATOR: &str = "REDRAFT_CREATOR";
const REVIEWERS: &str = "REDRAFT_REVIEWERS";
const PLANNER: &str = "REDRAFT_PLANNER";
const GENERATOR: &str = "REDRAFT_GENERATOR";
const CRITICS: &str = "REDRAFT_CRITICS";
const ARCHITECT: &str = "REDRAFT_ARCHITECT";
const BUILDER: &str = "REDRAFT_BUILDER";
const GATED: [(Role, &str); 4] = [
    (Role::Planner, "REDRAFT_GATED_PLANNER"),
    (Role::Generator, "REDRAFT_GATED_GENERATOR"),
    (Role::Reviewer, "REDRAFT_GATED_REVIEWER"),
    (Role::Reviser, "REDRAFT_GATED_REVISER"),
];
const CALLS: &str = "REDRAFT_BUDGET_CALLS";
const TOKENS: &str = "REDRAFT_BUDGET_TOKENS";
const USD: &str = "REDRAFT_BUDGET_USD";
const CALL_SECONDS: &str = "REDRAFT_CALL_SECONDS";
const TOTAL_SECONDS: &str = "REDRAFT_TOTAL_SECONDS";
const MAX_ITERATIONS: &str = "REDRAFT_MAX_ITERATIONS";

/// The variables that set something.
pub(super) const SETTINGS: [&str; 18] = [
    CREATOR,
    REVIEWERS,
    PLANNER,
    GENERATOR,
    CRITICS,
    ARCHITECT,
    BUILDER,
    GATED[0].1,
    GATED[1].1,
    GATED[2].1,
    GATED[3].1,
    CALLS,
    TOKENS,
    USD,
    CALL_SECONDS,
    TOTAL_SECONDS,
    MAX_ITERATIONS,
    TRUST,
];

/// Variables that mean something elsewhere: to the server, to the scripted agent and to the tests.
const ELSEWHERE: [&str; 10] = [
    "REDRAFT_SERVER_TOKEN",
    "REDRAFT_SCRIPT_LOG",
    "REDRAFT_TRANSCRIPTS",
    "REDRAFT_WORKSPACES",
    "REDRAFT_DEEP",
    "REDRAFT_LITELLM",
    "REDRAFT_HTTP_CLIENTS",
    "REDRAFT_WRITE_GOLDEN",
    "REDRAFT_TEST_ROLE",
    "REDRAFT_TEST_ROOT",
];

/// The variables of ours, by name.
pub(super) type Variables = BTreeMap<String, String>;

/// The layer of the environment, and whether it trusts the project, where it says.
///
/// # Errors
/// All variables that cannot be used.
pub(super) fn read(variables: &Variables) -> Result<(Layer, Option<bool>), ConfigError> {
    let mut reading = Reading { variables, complaints: Vec::new() };
    let mut layer = Layer {
        creator: reading.text(CREATOR),
        reviewers: reading.names(REVIEWERS),
        planner: reading.text(PLANNER),
        generator: reading.text(GENERATOR),
        critics: reading.names(CRITICS),
        architect: reading.text(ARCHITECT),
        builder: reading.text(BUILDER),
        ..Layer::default()
    };
    let named = |(role, variable)| Some((role, reading.text(variable)?));
    layer.gated = GATED.into_iter().filter_map(named).collect();
    layer.run.calls = reading.whole(CALLS, 0..=u64::from(u32::MAX));
    layer.run.tokens = reading.whole(TOKENS, 0..=MOST);
    layer.run.usd = reading.parsed(USD, |text| MicroUsd::parse(text).map_err(|e| e.to_string()));
    layer.call_seconds = reading.whole(CALL_SECONDS, 1..=LONGEST_SECONDS);
    layer.total_seconds = reading.whole(TOTAL_SECONDS, 1..=LONGEST_SECONDS);
    layer.max_iterations = reading.whole(MAX_ITERATIONS, 1..=MOST_ITERATIONS);
    let trust = reading.parsed(TRUST, |text| match text {
        "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err("expected 1 or 0".to_owned()),
    });
    match reading.complaints.is_empty() {
        true => Ok((layer, trust.map(|trust| trust.value))),
        false => Err(ConfigError { complaints: reading.complaints }),
    }
}

/// A remark on each variable of ours that nothing reads.
pub(super) fn unknown(variables: &Variables) -> Vec<String> {
    let known: Vec<&str> = SETTINGS.into_iter().chain(ELSEWHERE).collect();
    let unknown = variables.keys().filter(|name| !known.contains(&name.as_str()));
    let remark = |name: &String| match suggest::nearest(name, known.iter().copied()) {
        Some(near) => format!("{name}: nothing reads this variable; did you mean {near}?"),
        None => format!("{name}: nothing reads this variable"),
    };
    unknown.map(remark).collect()
}

struct Reading<'a> {
    variables: &'a Variables,
    complaints: Vec<Complaint>,
}

impl Reading<'_> {
    fn text(&mut self, name: &'static str) -> Option<Sourced<String>> {
        self.parsed(name, |text| Ok(text.to_owned()))
    }

    fn names(&mut self, name: &'static str) -> Option<Sourced<Vec<String>>> {
        let Sourced { value, origin } = self.text(name)?;
        let names = value.split(',').map(|name| name.trim().to_owned()).collect();
        Some(Sourced { value: names, origin })
    }

    fn whole(&mut self, name: &'static str, range: RangeInclusive<u64>) -> Option<Sourced<u64>> {
        self.parsed(name, |text| match text.parse() {
            Ok(number) if range.contains(&number) => Ok(number),
            Ok(_) | Err(_) => {
                Err(format!("expected a whole number from {} to {}", range.start(), range.end()))
            }
        })
    }

    fn parsed<T>(
        &mut self,
        name: &'static str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<Sourced<T>> {
        let text =
            self.variables.get(name).map(|text| text.trim()).filter(|text| !text.is_empty())?;
        let origin = Origin::Variable(name.to_owned());
        match parse(text) {
            Ok(value) => Some(Sourced { value, origin }),
            Err(message) => {
                self.complaints.push(Complaint::new(origin, message));
                None
            }
        }
    }
}
