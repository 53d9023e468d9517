//! Profiles as people write them.

mod built_in_profiles;
mod contexts;
mod findings;
mod third_profile;

use super::*;

/// A small profile of three files that has nothing to do with Java or Rust.
const MANIFEST_TEXT: &str = r#"name = "letters"
description = "Letters to customers."
extension = "txt"
standards = ["standards/tone.md"]

[phases.planning]
prompt = "prompts/outline.md"
role = "planner"
gate = "auto"
[phases.generation]
prompt = "prompts/write.md"
role = "generator"
gate = "auto"
[phases.review]
prompt = "prompts/judge.md"
role = "reviewer"
gate = "person"
[phases.revision]
prompt = "prompts/write.md"
role = "reviser"
gate = "auto"

[[context]]
name = "recipient"
help = "who it goes to"
kind = "identifier"
[[context]]
name = "mood"
help = "how it sounds"
kind = "choice"
allowed = ["warm", "formal"]
default = "warm"
[[context]]
name = "occasion"
help = "why it is written"
kind = "text"
"#;

const FILES: [(&str, &str); 6] = [
    (MANIFEST, MANIFEST_TEXT),
    ("prompts/outline.md", "Outline a {{ mood }} letter to {{ recipient }}.\n{{ standards }}\n"),
    ("prompts/write.md", "{% include \"form.md\" %}\nWrite, round {{ iteration }}.\n"),
    ("prompts/judge.md", "Judge it.{% if \"remarks\" in parts %} Read the remarks.{% endif %}\n"),
    ("prompts/form.md", "Files end in .{{ extension }}.\n"),
    ("standards/tone.md", "Be brief.\n"),
];

fn letters() -> Files {
    FILES.into_iter().collect()
}

/// The small profile with another text in this file, or without it.
fn with(path: &str, text: Option<&str>) -> Files {
    let others = FILES.into_iter().filter(|(other, _)| *other != path);
    others.chain(text.map(|text| (path, text))).collect()
}

fn given(values: &[(&str, &str)]) -> BTreeMap<String, String> {
    values.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// Every material of the phase, with a text that names it.
fn all_materials(profile: &Profile, phase: Phase, text: &str) -> Vec<(Material, Arc<str>)> {
    let is_due =
        |it: &&(Material, Presence)| it.0 != Material::Schema || profile.schema().is_some();
    let of_phase = phase.materials().iter().filter(is_due);
    of_phase.map(|(it, _)| (*it, Arc::from(format!("{}: {text}", it.name())))).collect()
}
