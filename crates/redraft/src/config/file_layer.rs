//! Reads what a file says.
//!
//! Invariant: every key of the format is asked for here or in the tables of agents; others are refused.
//! Absent here: what a project's file may say; see `trust`.

use super::{
    agent_table,
    complaint::{Complaint, ConfigError},
    document::Document,
    gated::GatedRoles,
    layer::{Caps, Layer, Price, trusted_folder},
    origin::{Origin, Sourced},
    table::Table,
};
use redraft_workflows::gated::{ROLES, profile::Role};
use std::cell::RefCell;

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The user's own.
    User,
    /// The project's, which may be somebody else's.
    Project,
}

/// The longest time in seconds that a bound may have: a week.
pub(super) const LONGEST_SECONDS: u64 = 7 * 24 * 3600;
/// As the flag `--max-iterations` allows.
pub(super) const MOST_ITERATIONS: u64 = 1000;
/// As many as the journal can count.
pub(super) const MOST: u64 = i64::MAX as u64;

/// The layer of a file.
///
/// # Errors
/// All that is wrong in it, by place.
pub(super) fn read(document: &Document, owner: Owner) -> Result<Layer, ConfigError> {
    let entries = document.parse()?;
    let complaints = RefCell::new(Vec::new());
    let layer = root(Table::root(document, &entries, &complaints), owner);
    let mut complaints = complaints.into_inner();
    complaints.sort_by_key(|complaint| match &complaint.origin {
        Origin::File(place) => (place.line, place.column),
        Origin::BuiltIn | Origin::Variable(_) | Origin::Flag(_) => (0, 0),
    });
    if complaints.is_empty() { Ok(layer) } else { Err(ConfigError { complaints }) }
}

fn root(mut table: Table<'_>, owner: Owner) -> Layer {
    let mut layer = Layer::default();
    if let Some(agents) = table.table("agents") {
        for (name, span, (value, at)) in agents.named() {
            let agent = agents.below(name, value, &at);
            let agent = agent.and_then(|table| agent_table::read(table, name, &span));
            layer.agents.extend(agent.map(|agent| (name.to_owned(), agent)));
        }
    }
    if let Some(mut roles) = table.table("roles") {
        layer.creator = roles.text("creator");
        layer.reviewers = roles.texts("reviewers");
        layer.planner = roles.text("planner");
        layer.generator = roles.text("generator");
        layer.critics = roles.texts("critics");
        layer.architect = roles.text("architect");
        layer.builder = roles.text("builder");
        roles.finish();
    }
    if let Some(lenses) = table.table("lenses") {
        for (name, _, (value, span)) in lenses.named() {
            let lens = lenses.text_of(name, value, &span);
            layer.lenses.extend(lens.map(|lens| (name.to_owned(), lens)));
        }
    }
    budget(&mut table, &mut layer);
    prices(&mut table, &mut layer);
    if let Some(mut review) = table.table("review") {
        layer.max_iterations = review.whole("max_iterations", 1..=MOST_ITERATIONS);
        layer.stop_on_stagnation = review.switch("stop_on_stagnation");
        review.finish();
    }
    if let Some(mut pair) = table.table("pair") {
        layer.protected = pair.texts("protected").map(each).unwrap_or_default();
        layer.check_seconds = pair.whole("check_seconds", 1..=LONGEST_SECONDS);
        pair.finish();
    }
    layer.gated = gated(&mut table);
    trust(&mut table, &mut layer, owner);
    table.finish();
    layer
}

fn gated(table: &mut Table<'_>) -> GatedRoles {
    let Some(mut gated) = table.table("gated") else { return GatedRoles::default() };
    let named = |role: Role| Some((role, gated.text(role.name())?));
    let roles = ROLES.into_iter().filter_map(named).collect();
    gated.finish();
    roles
}

fn each(Sourced { value, origin }: Sourced<Vec<String>>) -> Vec<Sourced<String>> {
    let one = |value| Sourced { value, origin: origin.clone() };
    value.into_iter().map(one).collect()
}

fn budget(table: &mut Table<'_>, layer: &mut Layer) {
    let Some(mut budget) = table.table("budget") else { return };
    layer.run = caps(&mut budget);
    layer.call_seconds = budget.whole("call_seconds", 1..=LONGEST_SECONDS);
    layer.total_seconds = budget.whole("total_seconds", 1..=LONGEST_SECONDS);
    if let Some(mut home) = budget.table("home") {
        layer.home = caps(&mut home);
        home.finish();
    }
    budget.finish();
}

fn caps(table: &mut Table<'_>) -> Caps {
    Caps {
        calls: table.whole("calls", 0..=u64::from(u32::MAX)),
        tokens: table.whole("tokens", 0..=MOST),
        usd: table.money("usd"),
    }
}

fn prices(table: &mut Table<'_>, layer: &mut Layer) {
    let Some(prices) = table.table("prices") else { return };
    for (model, _, (value, span)) in prices.named() {
        let Some(mut price) = prices.below(model, value, &span) else { continue };
        match (price.money("input"), price.money("output")) {
            (Some(input), Some(output)) => {
                layer.prices.insert(model.to_owned(), Price { input, output });
            }
            (input, output) => {
                let halves = [("input", input), ("output", output)];
                for (key, _) in halves.iter().filter(|(_, found)| found.is_none()) {
                    if price.find(key).is_none() {
                        price.missing(key);
                    }
                }
            }
        }
        price.finish();
    }
}

fn trust(table: &mut Table<'_>, layer: &mut Layer, owner: Owner) {
    match owner {
        Owner::User => trusted(table, layer),
        Owner::Project => {
            if let Some((_, span)) = table.find("trust") {
                table.refuse::<()>(&span, "a project cannot trust itself".to_owned());
            }
        }
    }
}

fn trusted(table: &mut Table<'_>, layer: &mut Layer) {
    let Some(mut trust) = table.table("trust") else { return };
    layer.trusted = trust.texts("projects");
    if let Some(trusted) = &layer.trusted
        && trusted.value.iter().any(|path| trusted_folder(path).is_none())
    {
        let message = "trust.projects: expected folders from the root on, or from ~/";
        trust.complain(Complaint::new(trusted.origin.clone(), message));
    }
    trust.finish();
}
