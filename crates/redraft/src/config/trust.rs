//! What a project's file may say when nobody has said that the project is trusted.
//!
//! Why: a project may be somebody else's checkout. Its file must not start programs, send a key or a text to a
//! server of its choice, or lift the bounds that the user has set. It may choose among the user's agents and
//! tighten bounds.
//! Absent here: reading the files.

use super::{
    MAX_ITERATIONS,
    agent::Agent,
    complaint::Complaint,
    layer::{Caps, Layer, trusted_folder},
    origin::{Origin, Sourced},
    variables::TRUST,
};
use redraft_agents::Preset;
use std::path::Path;

/// Whether the user's file lists the project's folder or one above it.
pub(super) fn is_listed(user: &Layer, project: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let Some(project) = real(project) else { return false };
    let listed = user.trusted.iter().flat_map(|trusted| &trusted.value);
    let mut folders = listed.filter_map(|text| real(&trusted_folder(text)?));
    folders.any(|folder| project.starts_with(folder))
}

/// What an untrusted project's file may not say, beside what the user's file says and what was said for this command;
/// empty when it stays within bounds.
pub(super) fn complaints(
    project: &Layer,
    user: &Layer,
    said: &Layer,
    folder: &Path,
    user_file: Option<&Path>,
) -> Vec<Complaint> {
    let mut found: Vec<(Origin, String)> = Vec::new();
    for (name, defined) in &project.agents {
        let what = match &defined.agent {
            Agent::Llm(_) => "sends texts to a server",
            Agent::Command(_) => "starts a program",
            Agent::Human | Agent::Offline | Agent::Scripted => continue,
        };
        let message = format!("the agent {name} {what}, and the project is not trusted");
        found.push((Origin::File(defined.place.clone()), message));
    }
    for (model, price) in &project.prices {
        let message = format!("the price of {model} is set, and the project is not trusted");
        found.push((price.input.origin.clone(), message));
    }
    found.extend(presets(project, user, said));
    found.extend(longer(project, user, said));
    found.extend(raised(&project.run, &user.run));
    found.extend(raised(&project.home, &user.home));
    found.extend(lifted(&project.call_seconds, &user.call_seconds));
    found.extend(lifted(&project.total_seconds, &user.total_seconds));
    found.extend(lifted(&project.check_seconds, &user.check_seconds));
    let help = how_to_trust(folder, user_file);
    found.into_iter().map(|(origin, message)| Complaint::new(origin, message).help(&help)).collect()
}

/// Roles that start a preset's program which the user has not cast, and not defined as an agent of their own.
fn presets(project: &Layer, user: &Layer, said: &Layer) -> Vec<(Origin, String)> {
    let wanted = cast(project).filter(|(name, _)| {
        let is_preset = Preset::ALL.iter().any(|preset| preset.name() == *name);
        let is_defined = user.agents.contains_key(*name) || project.agents.contains_key(*name);
        is_preset && !is_defined && !cast(user).chain(cast(said)).any(|(other, _)| other == *name)
    });
    let told = |(name, origin): (&str, &Origin)| {
        let message = format!("{name} starts a program, and the project is not trusted");
        (origin.clone(), message)
    };
    wanted.map(told).collect()
}

/// Who plays by this layer, and where it says so.
fn cast(layer: &Layer) -> impl Iterator<Item = (&str, &Origin)> {
    layer.cast().flat_map(|cast| cast.names.iter().map(move |name| (name.as_str(), cast.origin)))
}

/// Reviews that would go on for longer than the user wants; what was said for this command is over the project's.
fn longer(project: &Layer, user: &Layer, said: &Layer) -> Vec<(Origin, String)> {
    let built_in = Some(Sourced::built_in(MAX_ITERATIONS));
    let iterations = user.max_iterations.clone().or(built_in);
    let iterations = lifted(&project.max_iterations, &iterations);
    let goes_on = |layer: &Layer| {
        let stops = layer.stop_on_stagnation.clone();
        stops.map(|stops| Sourced { value: !stops.value, origin: stops.origin })
    };
    let stagnation = lifted(&goes_on(project), &goes_on(user));
    let iterations = iterations.filter(|_| said.max_iterations.is_none());
    iterations.into_iter().chain(stagnation.filter(|_| said.stop_on_stagnation.is_none())).collect()
}

fn raised(project: &Caps, user: &Caps) -> Vec<(Origin, String)> {
    let lifted = [
        lifted(&project.calls, &user.calls),
        lifted(&project.tokens, &user.tokens),
        lifted(&project.usd, &user.usd),
    ];
    lifted.into_iter().flatten().collect()
}

fn lifted<T: PartialOrd>(
    project: &Option<Sourced<T>>,
    user: &Option<Sourced<T>>,
) -> Option<(Origin, String)> {
    let (project, user) = (project.as_ref()?, user.as_ref()?);
    (project.value > user.value).then(|| {
        let message = format!("lifts the bound of {}, and the project is not trusted", user.origin);
        (project.origin.clone(), message)
    })
}

fn how_to_trust(folder: &Path, user_file: Option<&Path>) -> String {
    let folder = folder.display();
    let once = format!("for one command, set {TRUST}=1");
    match user_file {
        Some(file) => format!(
            "read the file; if you trust it, write this to {}, or {once}:\n[trust]\nprojects = [\"{folder}\"]",
            file.display()
        ),
        None => format!("read the file; if you trust it, {once}"),
    }
}
