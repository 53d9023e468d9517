//! Which selected text gives which part of an export.
//!
//! Invariant: only selected candidates leave, and each part comes from the first asset of its list that is selected.
//! Absent here: the formats; `episode::export` writes them.

use super::{
    model::{AssetId, Candidate, EpisodeWorkspace, TextFormat},
    plain_text::plain_text,
};
use crate::episode::{
    Chapter,
    export::{Export, Line, Part, Text, marks},
};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// An export, and where its parts come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    /// What there is to publish.
    pub export: Export,
    /// The candidate of each asset that gave a text.
    pub candidates: BTreeMap<AssetId, Uuid>,
    /// Chapters that have no visible title and stay behind.
    pub untitled: usize,
}

/// The assets that give a part, the best first; none for the chapters.
pub fn assets(part: Part) -> &'static [&'static str] {
    match part {
        Part::Title => &["title_detail", "title_seo"],
        Part::Subtitle => &["subtitle_auphonic"],
        Part::Summary => &["description", "summary_short"],
        Part::Tags => &["audio_tags", "itunes_keywords", "cms_tags"],
        Part::Slug => &["slug"],
        Part::ShowNotes => &["shownotes", "description"],
        Part::Youtube => &["youtube_description", "description"],
        Part::Chapters => &[],
    }
}

/// What an episode has to publish as its selections stand, for formats that take these parts.
pub fn selected(state: &EpisodeWorkspace, parts: &BTreeSet<Part>) -> Selected {
    let mut candidates = BTreeMap::new();
    let mut text = |part: Part| {
        let candidate = candidate(state, part).filter(|_| parts.contains(&part))?;
        candidates.insert(candidate.asset_id.clone(), candidate.candidate_id);
        Some(candidate)
    };
    let plain = |candidate: &Candidate| plain_text(candidate.format, &candidate.content);
    let line = |candidate: Option<&Candidate>| Line::new(&plain(candidate?));
    let chapters: Vec<Chapter> = match parts.contains(&Part::Chapters) {
        true => state.chapters.iter().cloned().map(Chapter::from).collect(),
        false => Vec::new(),
    };
    let export = Export {
        title: line(text(Part::Title)),
        subtitle: line(text(Part::Subtitle)),
        summary: text(Part::Summary).and_then(|candidate| Text::new(&plain(candidate))),
        tags: text(Part::Tags).map(|candidate| tags(&plain(candidate))).unwrap_or_default(),
        slug: line(text(Part::Slug)),
        show_notes: text(Part::ShowNotes).and_then(markdown),
        youtube: text(Part::Youtube).and_then(|candidate| Text::new(&plain(candidate))),
        chapters: marks(&chapters),
    };
    let untitled = chapters.len() - export.chapters.len();
    Selected { export, candidates, untitled }
}

fn candidate(state: &EpisodeWorkspace, part: Part) -> Option<&Candidate> {
    let mut selected = assets(part).iter().filter_map(|asset| {
        state.assets.iter().find(|entry| entry.asset_id.as_str() == *asset)?.selected()
    });
    selected.find(|candidate| Text::new(&candidate.content).is_some())
}

/// Plain text is Markdown of sorts; HTML is not.
fn markdown(candidate: &Candidate) -> Option<Text> {
    match candidate.format {
        TextFormat::Markdown | TextFormat::Plain => Text::new(&candidate.content),
        TextFormat::Html => Text::new(&plain_text(candidate.format, &candidate.content)),
    }
}

/// Key words, by commas or one a line, each once.
fn tags(text: &str) -> Vec<Line> {
    let mut tags: Vec<Line> = Vec::new();
    for word in text.split([',', ';', '\n']) {
        let word = word.trim().trim_start_matches(['-', '*', '#', '•']);
        tags.extend(Line::new(word).filter(|word| !tags.contains(word)));
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::model::Asset;

    fn state(selected: &[(&str, TextFormat, &str)]) -> EpisodeWorkspace {
        let json = r#"{"schema_version": 1, "episode_id": "e1", "root_dir": "w", "created_at": "2000-01-01T00:00:00Z",
            "chapters": [{"start_sec": 0.0, "title": "One"}, {"start_sec": 5.0, "title": "\u202e"}]}"#;
        let mut state: EpisodeWorkspace = serde_json::from_str(json).unwrap();
        for (id, format, content) in selected {
            let mut asset = Asset::new(AssetId::parse(id).unwrap());
            let candidate_id = crate::review::kept::named_uuid(id);
            asset.candidates.push(Candidate {
                asset_id: asset.asset_id.clone(),
                candidate_id,
                content: (*content).to_owned(),
                created_at: state.created_at,
                format: *format,
                provenance: Vec::new(),
            });
            asset.selected_candidate_id = Some(candidate_id);
            state.assets.push(asset);
        }
        state
    }

    fn all() -> BTreeSet<Part> {
        let formats = crate::episode::export::Format::ALL;
        formats
            .iter()
            .flat_map(|format| format.needs().iter().chain(format.takes()))
            .copied()
            .collect()
    }

    #[test]
    fn the_first_selected_asset_of_a_part_counts() {
        use TextFormat::{Html, Markdown, Plain};
        let state = state(&[
            ("title_seo", Plain, "second best\n"),
            ("description", Markdown, "**About** it\n"),
            ("shownotes", Html, "<h2>Notes</h2>"),
            ("cms_tags", Plain, "- one\n- two, one\n#three"),
            ("title_detail", Plain, " \n"),
        ]);
        let Selected { export, candidates, untitled } = selected(&state, &all());
        assert_eq!(export.title.unwrap().as_str(), "second best");
        assert_eq!(export.summary.unwrap().as_str(), "About it");
        assert_eq!(export.youtube.unwrap().as_str(), "About it");
        assert_eq!(export.show_notes.unwrap().as_str(), "Notes");
        let tags: Vec<&str> = export.tags.iter().map(Line::as_str).collect();
        assert_eq!(tags, ["one", "two", "three"]);
        assert_eq!((export.chapters.len(), untitled), (1, 1));
        let from: Vec<&str> = candidates.keys().map(AssetId::as_str).collect();
        assert_eq!(from, ["cms_tags", "description", "shownotes", "title_seo"]);
    }

    #[test]
    fn what_is_not_selected_or_not_asked_for_does_not_leave() {
        let mut state = state(&[("slug", TextFormat::Plain, "a-slug")]);
        let only = selected(&state, &BTreeSet::from([Part::Title]));
        assert_eq!((only.export, only.candidates.len()), (Export::default(), 0));
        state.assets[0].selected_candidate_id = None;
        assert_eq!(selected(&state, &all()).export.slug, None);
    }
}
