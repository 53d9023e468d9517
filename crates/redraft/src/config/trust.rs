//! What a project's file may say when nobody has said that the project is trusted.
//!
//! Why: a project may be somebody else's checkout. Its file must not start programs, send a key or a text to a
//! server of its choice, or lift the bounds that the user has set. It may choose among the user's agents and
//! tighten bounds.
//! Absent here: reading the files.

use super::{
    MAX_ITERATIONS,
    agent::Agent,
    cast::{BUILDER, Cast},
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

/// A project's file that nobody has trusted, beside what the user's file says and what was said for this command.
pub(super) struct Untrusted<'a> {
    pub(super) project: &'a Layer,
    pub(super) user: &'a Layer,
    pub(super) said: &'a Layer,
    pub(super) folder: &'a Path,
    pub(super) user_file: Option<&'a Path>,
}

impl Untrusted<'_> {
    /// What the file may not say; empty when it stays within bounds.
    pub(super) fn complaints(&self) -> Vec<Complaint> {
        let Self { project, user, said, .. } = self;
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
        let builder = project.builder.as_ref().filter(|_| said.builder.is_none());
        found.extend(builder.and_then(|name| self.edits(name)));
        found.extend(longer(project, user, said));
        found.extend(raised(&project.run, &user.run));
        found.extend(raised(&project.home, &user.home));
        found.extend(lifted(&project.call_seconds, &user.call_seconds));
        found.extend(lifted(&project.total_seconds, &user.total_seconds));
        found.extend(lifted(&project.check_seconds, &user.check_seconds));
        found.into_iter().map(|found| self.told(found)).collect()
    }

    /// Why the creator that the file names may not build in place of a builder, where nobody names one.
    pub(super) fn refused_builder(&self) -> Option<Complaint> {
        let Self { project, user, said, .. } = self;
        let is_named = [project, user, said].into_iter().any(|layer| layer.builder.is_some());
        let falls_to = project.creator.as_ref();
        let falls_to = falls_to.filter(|_| !is_named && said.creator.is_none())?;
        self.edits(falls_to).map(|found| self.told(found))
    }

    /// Whoever builds edits files and may run commands, which nobody does who was cast for words. So the user has to
    /// have cast them as builder.
    fn edits(&self, name: &Sourced<String>) -> Option<(Origin, String)> {
        let Self { project, user, said, .. } = self;
        let Sourced { value: name, origin } = name;
        let edits = match project.agents.get(name).or(user.agents.get(name)) {
            Some(defined) => match &defined.agent {
                Agent::Command(program) => program.edits,
                Agent::Llm(_) | Agent::Human | Agent::Offline | Agent::Scripted => false,
            },
            None => is_preset(name),
        };
        let builders = [user, said].into_iter();
        let mut builders = builders.filter_map(|own| own.builder.as_ref().or(own.creator.as_ref()));
        let is_cast = builders.any(|own| own.value == *name);
        (edits && !is_cast).then(|| {
            let message =
                format!("{name} edits files where it builds, and the project is not trusted");
            (origin.clone(), message)
        })
    }

    fn told(&self, (origin, message): (Origin, String)) -> Complaint {
        Complaint::new(origin, message).help(how_to_trust(self.folder, self.user_file))
    }
}

fn is_preset(name: &str) -> bool {
    Preset::ALL.iter().any(|preset| preset.name() == name)
}

/// Roles that start a preset's program which the user has not cast, and not defined as an agent of their own. Who
/// builds is looked at more closely.
fn presets(project: &Layer, user: &Layer, said: &Layer) -> Vec<(Origin, String)> {
    let speaks = project.cast().filter(|cast| cast.key != BUILDER);
    let wanted = names(speaks).filter(|(name, _)| {
        let is_defined = user.agents.contains_key(*name) || project.agents.contains_key(*name);
        let is_cast = names(user.cast().chain(said.cast())).any(|(other, _)| other == *name);
        is_preset(name) && !is_defined && !is_cast
    });
    let told = |(name, origin): (&str, &Origin)| {
        let message = format!("{name} starts a program, and the project is not trusted");
        (origin.clone(), message)
    };
    wanted.map(told).collect()
}

/// Who plays, and where it is said.
fn names<'a>(cast: impl Iterator<Item = Cast<'a>>) -> impl Iterator<Item = (&'a str, &'a Origin)> {
    cast.flat_map(|cast| cast.names.iter().map(move |name| (name.as_str(), cast.origin)))
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
