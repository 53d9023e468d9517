//! A profile tried out: every phase with every mixture of materials, every choice, first to last iteration.
//!
//! Absent here: texts. Cases differ in what is there, never in what it says.

use super::{
    Profile,
    files::Files,
    finding::{Finding, Flaw},
    key::{Context, Key},
    phase::{Material, Phase, Presence},
    prompts::PROMPTS,
    tags::literal,
};

/// The most mixtures of choices that are tried; beyond them, one choice after the other.
const MIXTURES: usize = 64;

/// What goes wrong, the first of each phase.
pub(super) fn try_all(profile: &Profile, files: &Files) -> Vec<Finding> {
    let contexts = contexts(profile.keys());
    Phase::ALL.into_iter().filter_map(|phase| try_phase(profile, files, phase, &contexts)).collect()
}

fn try_phase(
    profile: &Profile,
    files: &Files,
    phase: Phase,
    contexts: &[Context],
) -> Option<Finding> {
    let known = profile.variable_keys();
    for materials in materials(profile, phase) {
        for context in contexts {
            for iteration in 1..=3 {
                let case = (phase, context, &*materials, iteration, 3);
                let text = match profile.fill_in(case, "the standards") {
                    Ok(text) => text,
                    Err(finding) => return Some(finding),
                };
                if let Some((_, told)) = literal(&text, &known) {
                    return Some(found_literal(files, profile.prompt_file(phase), told));
                }
            }
        }
    }
    None
}

/// Where the words stand that the rendered text has.
fn found_literal(files: &Files, prompt: &str, told: &str) -> Finding {
    let holds = |(_, text): &(&str, &str)| text.contains(told);
    let place = files.below(PROMPTS).find(holds);
    let line = |text: &str| text.lines().position(|line| line.contains(told)).unwrap_or(0) + 1;
    let (file, line) = place
        .map_or((prompt.to_owned(), 1), |(name, text)| (format!("{PROMPTS}{name}"), line(text)));
    Finding::new(&file, line, Flaw::Literal(told.to_owned()))
}

/// Every mixture of what a prompt of the phase can hold.
fn materials(profile: &Profile, phase: Phase) -> Vec<Vec<Material>> {
    let mut mixtures = vec![Vec::new()];
    for (material, presence) in phase.materials() {
        if *material == Material::Schema && profile.schema().is_none() {
            continue;
        }
        let with =
            mixtures.iter().map(|mixture: &Vec<Material>| [&mixture[..], &[*material]].concat());
        let with: Vec<_> = with.collect();
        match presence {
            Presence::Always => mixtures = with,
            Presence::Sometimes => mixtures.extend(with),
        }
    }
    mixtures
}

/// Every mixture of choices, where they are not too many.
fn contexts(keys: &[Key]) -> Vec<Context> {
    let first =
        keys.iter().fold(Context::default(), |made, key| made.with(&key.name, key.sample()));
    let count =
        keys.iter().map(|key| key.allowed.len().max(1)).try_fold(1_usize, usize::checked_mul);
    let is_few = count.is_some_and(|count| count <= MIXTURES);
    let mut all = vec![first.clone()];
    for key in keys.iter().filter(|key| !key.allowed.is_empty()) {
        let with = |context: &Context| {
            let values = key.allowed.iter();
            values.map(|value| context.clone().with(&key.name, value)).collect::<Vec<_>>()
        };
        if is_few {
            all = all.iter().flat_map(with).collect();
        } else {
            all.extend(with(&first));
        }
    }
    all
}
