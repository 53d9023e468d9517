//! `episode.yaml`: what a person says about an episode.
//!
//! Invariant: the file is a person's. It is read and checked, never written again once it is there; keys that
//! are not known here stay where they are.
//! Absent here: the transcript and chapters it names.

mod glossary;

use super::{
    model::{ModelError, SCHEMA_VERSION, check_episode_id},
    names::Term,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

/// The part of `episode.yaml` that is used here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpisodeYaml {
    /// The episode.
    pub episode_id: String,
    /// Where the transcript is, relative to the workspace.
    pub transcript: Option<String>,
    /// Where the chapters are, relative to the workspace.
    pub chapters: Option<String>,
    /// The episode's title, where it has one already.
    pub title: Option<String>,
    /// Who hosts it.
    pub hosts: Vec<String>,
    /// Who is a guest.
    pub guests: Vec<String>,
    /// Names and terms, as they are spelled here.
    pub glossary: Vec<Term>,
    /// What matters to the editor.
    pub editorial_notes: Vec<String>,
}

/// Why `episode.yaml` cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EpisodeYamlError {
    /// It is no YAML, or of another form.
    #[error("{0}")]
    Yaml(String),
    /// It breaks a rule of the contract.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// An entry of the glossary cannot be used.
    #[error("{path}: {what}; an entry is a term, or has `term`, `note` and `wrong`")]
    Glossary {
        /// Where in the file, such as `glossary[2].wrong`.
        path: String,
        /// What is wrong there.
        what: String,
    },
}

#[derive(Deserialize)]
struct Version {
    schema_version: u64,
}

#[derive(Deserialize)]
struct Raw {
    episode_id: String,
    #[serde(default)]
    inputs: Option<Inputs>,
    // The contract leaves the form of these to whoever writes them.
    #[serde(default)]
    title: Value,
    #[serde(default)]
    hosts: Value,
    #[serde(default)]
    guests: Value,
    #[serde(default)]
    editorial_notes: Value,
    #[serde(default)]
    glossary: Value,
}

#[derive(Deserialize, Default)]
struct Inputs {
    transcript: Option<String>,
    chapters: Option<String>,
}

/// Reads `episode.yaml`.
///
/// # Errors
/// [`EpisodeYamlError`] with line and column, or the broken rule.
pub fn parse(text: &str) -> Result<EpisodeYaml, EpisodeYamlError> {
    // The version first: a newer file may have other fields.
    let Version { schema_version } = read(text)?;
    if schema_version != u64::from(SCHEMA_VERSION) {
        return Err(ModelError::SchemaVersion(schema_version).into());
    }
    let raw: Raw = read(text)?;
    check_episode_id(&raw.episode_id)?;
    let Inputs { transcript, chapters } = raw.inputs.unwrap_or_default();
    Ok(EpisodeYaml {
        episode_id: raw.episode_id,
        transcript,
        chapters,
        title: texts(&raw.title).into_iter().next(),
        hosts: texts(&raw.hosts),
        guests: texts(&raw.guests),
        glossary: glossary::read(&raw.glossary)?,
        editorial_notes: texts(&raw.editorial_notes),
    })
}

/// The texts of a value that may be one text, a list of them, or a list of maps with a `name`.
fn texts(value: &Value) -> Vec<String> {
    let entries = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let text = |entry: &Value| {
        let text = entry.get("name").unwrap_or(entry).as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    entries.iter().filter_map(text).collect()
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, EpisodeYamlError> {
    serde_saphyr::from_str(text).map_err(|error| EpisodeYamlError::Yaml(error.to_string()))
}

/// The file for a new episode.
///
/// # Errors
/// [`ModelError`] when the id is not allowed.
pub fn template(episode_id: &str) -> Result<String, ModelError> {
    check_episode_id(episode_id)?;
    // Quoted, so that an id of digits stays a text.
    Ok(format!(
        "schema_version: {SCHEMA_VERSION}\nepisode_id: \"{episode_id}\"\ninputs:\n  transcript: transcript/transcript.txt\n  chapters: transcript/chapters.txt\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_kept_and_not_refused() {
        let text = "schema_version: 1\nepisode_id: ep.1\nhosts: [Ada]\nanything: {a: 1}\ninputs: {transcript: t.txt, audio: a.wav}\n";
        let yaml = parse(text).unwrap();
        assert_eq!((yaml.episode_id.as_str(), yaml.transcript.as_deref()), ("ep.1", Some("t.txt")));
    }

    const KNOWN: &str = "schema_version: 1\nepisode_id: e\n";

    #[test]
    fn people_are_read_however_they_are_listed() {
        for (hosts, read) in [
            ("[Ada, Bo Li]", vec!["Ada", "Bo Li"]),
            ("Ada", vec!["Ada"]),
            ("[{name: Ada, url: x}, {role: y}, 7]", vec!["Ada"]),
            ("", vec![]),
        ] {
            let yaml = parse(&format!("{KNOWN}hosts: {hosts}\nguests: {hosts}\n")).unwrap();
            assert_eq!(yaml.hosts, read, "{hosts}");
            assert_eq!(yaml.guests, read, "{hosts}");
        }
        let yaml = parse(&format!("{KNOWN}title: One\neditorial_notes: [a, b]\n")).unwrap();
        assert_eq!((yaml.title.as_deref(), yaml.editorial_notes.len()), (Some("One"), 2));
    }

    #[test]
    fn a_glossary_holds_terms_with_what_is_wrong_for_them() {
        let text = "glossary:\n  - GitHub\n  - {term: Córdoba, note: the city, wrong: [Kordoba]}\n";
        let glossary = parse(&format!("{KNOWN}{text}")).unwrap().glossary;
        assert_eq!(glossary[0], Term { term: "GitHub".into(), note: None, wrong: vec![] });
        assert_eq!(glossary[1].wrong, ["Kordoba"]);
        assert_eq!(glossary[1].note.as_deref(), Some("the city"));
    }

    #[test]
    fn a_glossary_that_cannot_be_meant_is_told_with_its_place() {
        for (glossary, told) in [
            ("{a: b}", "glossary: expected a list"),
            ("[a, 7]", "glossary[1]: expected a term"),
            ("[{note: x}]", "glossary[0].term: is missing"),
            ("['']", "glossary[0]: is empty"),
            ("[{term: a, wrong: b}]", "glossary[0].wrong: expected a list of texts"),
            ("[{term: a, notes: b}]", "glossary[0].notes: is not known"),
            ("[{term: a, wrong: [a]}]", "glossary[0].wrong: \"a\" is the term itself"),
        ] {
            let error = parse(&format!("{KNOWN}glossary: {glossary}\n")).unwrap_err().to_string();
            assert!(error.contains(told), "{glossary}: {error}");
        }
    }

    #[test]
    fn a_new_episodes_file_reads_back() {
        for id in ["ep-1", "2024", "a.b_c"] {
            assert_eq!(parse(&template(id).unwrap()).unwrap().episode_id, id);
        }
    }

    #[test]
    fn what_is_not_allowed_is_told() {
        for (text, told) in [
            ("", "unexpected end of input"),
            ("schema_version: 1\n", "missing field `episode_id`"),
            ("episode_id: a\n", "missing field `schema_version`"),
            ("schema_version: 2\nepisode_id: a\n", "Unsupported schema_version 2; expected 1"),
            ("schema_version: 1\nepisode_id: ../a\n", "episode_id"),
            ("schema_version: 1\nepisode_id: .a\n", "episode_id"),
            ("schema_version: [\n", "line"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(told), "{text:?}: {error}");
        }
    }
}
