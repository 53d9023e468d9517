//! `episode.yaml`: what a person says about an episode.
//!
//! Invariant: the file is a person's. It is read and checked, never written again once it is there; keys that
//! are not known here stay where they are.
//! Absent here: the transcript and chapters it names.

use super::model::{ModelError, SCHEMA_VERSION, check_episode_id};
use serde::{Deserialize, de::DeserializeOwned};

/// The part of `episode.yaml` that is used here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpisodeYaml {
    /// The episode.
    pub episode_id: String,
    /// Where the transcript is, relative to the workspace.
    pub transcript: Option<String>,
    /// Where the chapters are, relative to the workspace.
    pub chapters: Option<String>,
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
    Ok(EpisodeYaml { episode_id: raw.episode_id, transcript, chapters })
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
