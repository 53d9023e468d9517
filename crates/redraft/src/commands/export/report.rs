//! What an export has to tell: which files were written, what is missing in them, and how to get it.
//!
//! Absent here: writing.

use super::{Made, target::Target};
use crate::{
    episode::{Episode, View},
    exit::Code,
    say,
};
use redraft_workflows::{
    episode::export::Part,
    review::{
        export::{self, Selected},
        model::{AssetId, EpisodeWorkspace},
    },
};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// What is told at the end.
#[derive(Serialize)]
pub(super) struct Report {
    workspace: String,
    files: Vec<Written>,
    not_written: Vec<&'static str>,
    missing: Vec<Missing>,
    candidates: BTreeMap<AssetId, Uuid>,
    remarks: Vec<String>,
    next: Vec<String>,
}

#[derive(Serialize)]
struct Written {
    format: &'static str,
    path: String,
}

/// A part that nothing selected gives.
#[derive(Serialize)]
struct Missing {
    part: &'static str,
    /// The assets of which one would give it.
    assets: &'static [&'static str],
    /// The formats that have to do without it.
    formats: Vec<&'static str>,
}

impl Report {
    pub(super) fn of(
        episode: &Episode,
        view: &View,
        state: &EpisodeWorkspace,
        target: &Target,
        made: &[Made],
        selected: &Selected,
    ) -> Self {
        let (mut files, mut not_written, mut remarks) = (Vec::new(), Vec::new(), Vec::new());
        let mut missing: BTreeMap<Part, Vec<&'static str>> = BTreeMap::new();
        for Made { format, document } in made {
            let name = format.name();
            for part in format.missing(&selected.export) {
                missing.entry(part).or_default().push(name);
            }
            let Some(document) = document else {
                not_written.push(name);
                continue;
            };
            let path = target.place(episode, format.file_name()).display().to_string();
            files.push(Written { format: name, path });
            remarks.extend(document.remarks.iter().map(|remark| format!("{name}: {remark}")));
        }
        if selected.untitled > 0 {
            remarks.push(format!("{} chapters have no title and are left out", selected.untitled));
        }
        let next = missing.keys().map(|part| next(episode, view, state, *part)).collect();
        Self {
            workspace: episode.root.display().to_string(),
            files,
            not_written,
            missing: missing.into_iter().map(Missing::of).collect(),
            candidates: selected.candidates.clone(),
            remarks,
            next,
        }
    }

    /// Tells it, and gives the code back.
    pub(super) fn tell(&self, code: Code, as_json: bool) -> Code {
        if as_json {
            say::json("podcast export", code, json!(self));
            return code;
        }
        say::out(&format!("Workspace: {}", self.workspace));
        self.files.iter().for_each(|file| say::out(&format!("Written: {}", file.path)));
        for format in &self.not_written {
            say::out(&format!("Not written: {format}"));
        }
        for Missing { part, assets, formats } in &self.missing {
            let assets = match assets.is_empty() {
                true => String::new(),
                false => format!(" ({})", assets.join(" or ")),
            };
            say::out(&format!("Missing: {part}{assets} for {}", formats.join(", ")));
        }
        self.remarks.iter().for_each(|remark| say::out(&format!("Note: {remark}")));
        self.next.iter().for_each(|command| say::out(&format!("Next: {command}")));
        code
    }
}

impl Missing {
    fn of((part, formats): (Part, Vec<&'static str>)) -> Self {
        Self { part: name(part), assets: export::assets(part), formats }
    }
}

fn name(part: Part) -> &'static str {
    match part {
        Part::Title => "title",
        Part::Subtitle => "subtitle",
        Part::Summary => "summary",
        Part::Tags => "tags",
        Part::Slug => "slug",
        Part::ShowNotes => "show notes",
        Part::Youtube => "YouTube text",
        Part::Chapters => "chapters",
    }
}

/// The command that gets a part: a pick among candidates where a loop has ended, a review otherwise.
fn next(episode: &Episode, view: &View, state: &EpisodeWorkspace, part: Part) -> String {
    let at = say::at(&episode.root);
    let Some(best) = export::assets(part).first() else {
        return format!("redraft podcast ingest {at} --transcript FILE --chapters FILE");
    };
    let entry = state.assets.iter().find(|entry| entry.asset_id.as_str() == *best);
    let ended = entry.is_some_and(|entry| view.decision(&entry.asset_id).is_some());
    let command = if ended { "pick" } else { "review" };
    format!("redraft podcast {command} {at} --asset-id {best}")
}
