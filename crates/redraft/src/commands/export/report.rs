//! What an export has to tell: which files were written, what is missing in them, and how to get it.
//!
//! Absent here: writing.

use super::{Made, target::Target};
use crate::{
    commands::stale,
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
    /// What is exported though it was written from another transcript.
    pub(super) stale: Vec<AssetId>,
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
        let written = made.iter().filter_map(|made| {
            let path = target.place(episode, made.format.file_name()).display().to_string();
            made.document.as_ref().map(|_| Written { format: made.format.name(), path })
        });
        let without = made.iter().filter(|made| made.document.is_none());
        let missing = missing(made, selected);
        Self {
            workspace: episode.root.display().to_string(),
            files: written.collect(),
            not_written: without.map(|made| made.format.name()).collect(),
            candidates: selected.candidates.clone(),
            stale: stale::decided(selected.candidates.keys(), view),
            remarks: remarks(made, selected.untitled),
            next: missing.keys().map(|part| next(episode, view, state, *part)).collect(),
            missing: missing.into_iter().map(Missing::of).collect(),
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

/// The parts that nothing selected gives, with the formats that would have taken them.
fn missing(made: &[Made], selected: &Selected) -> BTreeMap<Part, Vec<&'static str>> {
    let mut missing: BTreeMap<Part, Vec<&'static str>> = BTreeMap::new();
    for Made { format, .. } in made {
        for part in format.missing(&selected.export) {
            missing.entry(part).or_default().push(format.name());
        }
    }
    missing
}

fn remarks(made: &[Made], untitled: usize) -> Vec<String> {
    let of = |made: &Made| {
        let name = made.format.name();
        let remarks = made.document.iter().flat_map(|document| &document.remarks);
        remarks.map(|remark| format!("{name}: {remark}")).collect::<Vec<_>>()
    };
    let mut remarks: Vec<String> = made.iter().flat_map(of).collect();
    if untitled > 0 {
        remarks.push(format!("{untitled} chapters have no title and are left out"));
    }
    remarks
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
