//! `session.json`: a session for people and programs.
//!
//! Invariant: it follows from the journal's first facts alone, and says how many they were.
//! Absent here: whether the files still are as it says.

use super::{
    artifact::STANDARDS,
    session::Session,
    shape::ROLES,
    state::{State, Status},
};
use crate::time::rfc3339;
use redraft_loop::Hash;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the form of `session.json`.
pub const SCHEMA_VERSION: u32 = 1;

/// A session as `session.json` tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The version of this form.
    pub schema_version: u32,
    /// The session's id.
    pub session_id: String,
    /// The name of its profile.
    pub profile: String,
    /// The values of the profile's keys.
    pub context: BTreeMap<String, String>,
    /// The developer whose session it is.
    pub developer: Option<String>,
    /// What it belongs to elsewhere.
    pub task_id: Option<String>,
    /// Where it stands.
    pub phase: State,
    /// How it is doing.
    pub status: Status,
    /// `manual` where people write all responses, `automatic` where agents do, else `mixed`.
    pub execution_mode: &'static str,
    /// The iteration at hand, from 1.
    pub current_iteration: u32,
    /// The last iteration that is allowed.
    pub max_iterations: u32,
    /// The SHA-256 of the standards.
    pub standards_hash: Hash,
    /// The approvals that hold.
    pub approvals: Vec<ToldApproval>,
    /// Which agent plays which role.
    pub providers: BTreeMap<String, String>,
    /// Its files as the journal has them.
    pub artifacts: Vec<ToldArtifact>,
    /// What went wrong last, and what to do.
    pub last_error: Option<String>,
    /// When it was begun.
    pub created_at: String,
    /// When something happened last.
    pub updated_at: String,
    /// Where it stood when.
    pub phase_history: Vec<ToldPassage>,
    /// How many facts of the journal are in this.
    pub facts: u64,
}

/// An approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToldApproval {
    /// Where the session stood.
    pub phase: State,
    /// The iteration, from 1.
    pub iteration: u32,
    /// The SHA-256 of each file that it binds, by path.
    pub files: BTreeMap<String, Hash>,
    /// Who approved.
    pub by: String,
    /// When.
    pub at: String,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToldArtifact {
    /// Its path in the session's folder.
    pub path: String,
    /// Where the session stood when it came about.
    pub phase: State,
    /// The iteration it belongs to, from 1.
    pub iteration: u32,
    /// The SHA-256 of its text.
    pub sha256: Hash,
    /// When it came about.
    pub created_at: String,
}

/// A passage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToldPassage {
    /// Where the session came to.
    pub phase: State,
    /// How it was doing then.
    pub status: Status,
    /// When.
    pub timestamp: String,
}

impl Session {
    /// The session as `session.json` tells it.
    pub fn told(&self) -> Told {
        let opened = self.run.opened();
        let settings = &self.begun.settings;
        let standards = self.artifacts.get(STANDARDS).map(|file| file.sha256.clone());
        Told {
            schema_version: SCHEMA_VERSION,
            session_id: opened.run.to_string(),
            profile: self.begun.profile.name().to_owned(),
            context: settings.context.clone(),
            developer: settings.developer.clone(),
            task_id: settings.task_id.clone(),
            phase: self.state,
            status: self.status(),
            execution_mode: self.execution_mode(),
            current_iteration: self.iteration(),
            max_iterations: self.run.limits().rounds,
            standards_hash: standards.unwrap_or_else(|| Hash::new("")),
            approvals: self.told_approvals(),
            providers: self.providers(),
            artifacts: self.told_artifacts(),
            last_error: self.last_error.clone(),
            created_at: rfc3339(opened.at),
            updated_at: rfc3339(self.run.now()),
            phase_history: self.told_passages(),
            facts: self.run.facts(),
        }
    }

    /// The bytes of `session.json`.
    pub fn json(&self) -> String {
        // These types have string keys only, which JSON always holds.
        let text = serde_json::to_string_pretty(&self.told()).unwrap_or_default();
        format!("{text}\n")
    }

    /// Which agent plays which role.
    pub fn providers(&self) -> BTreeMap<String, String> {
        let cast = &self.run.opened().cast;
        cast.iter().map(|member| (member.role.to_string(), member.agent.clone())).collect()
    }

    fn execution_mode(&self) -> &'static str {
        let by_hand = self.begun.settings.by_hand.len();
        let played = self.run.opened().cast.len();
        match by_hand {
            0 => "automatic",
            all if all >= played.min(ROLES.len()) => "manual",
            _ => "mixed",
        }
    }

    fn told_approvals(&self) -> Vec<ToldApproval> {
        let told = |approval: &super::approval::Approval| ToldApproval {
            phase: approval.phase,
            iteration: approval.iteration,
            files: approval.files.clone(),
            by: approval.by.clone(),
            at: rfc3339(approval.at),
        };
        self.approvals.iter().map(told).collect()
    }

    fn told_artifacts(&self) -> Vec<ToldArtifact> {
        let artifacts = self.artifacts.iter();
        let told = artifacts.map(|(path, artifact)| ToldArtifact {
            path: path.clone(),
            phase: artifact.phase,
            iteration: artifact.iteration,
            sha256: artifact.sha256.clone(),
            created_at: rfc3339(artifact.at),
        });
        told.collect()
    }

    fn told_passages(&self) -> Vec<ToldPassage> {
        let told = |passage: &super::session::Passage| ToldPassage {
            phase: passage.phase,
            status: passage.status,
            timestamp: rfc3339(passage.at),
        };
        self.passages.iter().map(told).collect()
    }
}
