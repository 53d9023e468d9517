//! What a publisher takes: an episode's selected texts and its chapters, in the formats they are written in.
//!
//! Invariant: writing is a pure function of the [`Export`], and what is written reads back to the same chapters, to the
//! millisecond, wherever there is a reader for it.
//! Absent here: which asset gives which text (`review::export` knows), paths and files.

mod auphonic;
mod ffmetadata;
mod marks;
mod podcasting;
mod podlove;
mod show_notes;
mod visible;
mod youtube;

#[cfg(test)]
mod tests;

pub use marks::{Mark, marks};
pub use visible::{Line, Text};

/// A part of an episode that a format may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The title of the episode.
    Title,
    /// The subtitle.
    Subtitle,
    /// What it is about.
    Summary,
    /// Key words.
    Tags,
    /// The name for files and addresses.
    Slug,
    /// The show notes.
    ShowNotes,
    /// The description under a video.
    Youtube,
    /// The chapters.
    Chapters,
}

/// What an episode has to publish.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Export {
    /// The title of the episode.
    pub title: Option<Line>,
    /// The subtitle.
    pub subtitle: Option<Line>,
    /// What it is about, as plain text.
    pub summary: Option<Text>,
    /// Key words.
    pub tags: Vec<Line>,
    /// The name for files and addresses.
    pub slug: Option<Line>,
    /// The show notes, as Markdown.
    pub show_notes: Option<Text>,
    /// The description under a video, as plain text.
    pub youtube: Option<Text>,
    /// The chapters, starts strictly increasing.
    pub chapters: Vec<Mark>,
}

impl Export {
    /// Whether there is something of this part.
    #[must_use]
    pub fn has(&self, part: Part) -> bool {
        match part {
            Part::Title => self.title.is_some(),
            Part::Subtitle => self.subtitle.is_some(),
            Part::Summary => self.summary.is_some(),
            Part::Tags => !self.tags.is_empty(),
            Part::Slug => self.slug.is_some(),
            Part::ShowNotes => self.show_notes.is_some(),
            Part::Youtube => self.youtube.is_some(),
            Part::Chapters => !self.chapters.is_empty(),
        }
    }
}

/// A format of files that publishers take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// A production of Auphonic, as its JSON API takes it.
    Auphonic,
    /// Podcasting 2.0 JSON chapters.
    Chapters,
    /// Podlove Simple Chapters.
    Podlove,
    /// The description of a YouTube video.
    Youtube,
    /// The metadata file of ffmpeg.
    Ffmetadata,
    /// Show notes as Markdown.
    Markdown,
}

/// A file in one format, as it is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The whole text.
    pub text: String,
    /// What whoever publishes it should know, in whole sentences without a full stop.
    pub remarks: Vec<String>,
}

impl Format {
    /// All formats, in the order they are told.
    pub const ALL: [Self; 6] = [
        Self::Auphonic,
        Self::Chapters,
        Self::Podlove,
        Self::Youtube,
        Self::Ffmetadata,
        Self::Markdown,
    ];

    /// The format's name on the command line and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auphonic => "auphonic",
            Self::Chapters => "chapters",
            Self::Podlove => "podlove",
            Self::Youtube => "youtube",
            Self::Ffmetadata => "ffmetadata",
            Self::Markdown => "markdown",
        }
    }

    /// The name of the file that is written.
    #[must_use]
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Auphonic => "production.json",
            Self::Chapters => "chapters.json",
            Self::Podlove => "chapters.psc",
            Self::Youtube => "youtube.txt",
            Self::Ffmetadata => "chapters.ffmetadata",
            Self::Markdown => "shownotes.md",
        }
    }

    /// Of these parts one at least has to be there; without any the format has nothing to say.
    #[must_use]
    pub fn needs(self) -> &'static [Part] {
        match self {
            Self::Auphonic => &[Part::Title, Part::Subtitle, Part::Summary, Part::Tags],
            Self::Chapters | Self::Podlove | Self::Ffmetadata => &[Part::Chapters],
            Self::Youtube => &[Part::Youtube],
            Self::Markdown => &[Part::ShowNotes],
        }
    }

    /// Further parts that it takes where they are there.
    #[must_use]
    pub fn takes(self) -> &'static [Part] {
        match self {
            Self::Auphonic => &[Part::Slug, Part::Chapters],
            Self::Chapters => &[Part::Title],
            Self::Podlove => &[],
            Self::Youtube => &[Part::Chapters],
            Self::Ffmetadata => &[Part::Title, Part::Summary],
            Self::Markdown => &[Part::Title, Part::Subtitle, Part::Chapters],
        }
    }

    /// The parts that the format would have taken and that are not there.
    pub fn missing(self, export: &Export) -> impl Iterator<Item = Part> {
        self.needs().iter().chain(self.takes()).copied().filter(|part| !export.has(*part))
    }

    /// Writes the format; `None` where nothing is there of what it needs.
    ///
    /// # Errors
    /// The JSON writer's message; texts and numbers of an export never give one.
    pub fn write(self, export: &Export) -> Result<Option<Document>, serde_json::Error> {
        if !self.needs().iter().any(|part| export.has(*part)) {
            return Ok(None);
        }
        Ok(Some(match self {
            Self::Auphonic => plain(auphonic::write(export)?),
            Self::Chapters => plain(podcasting::write(export)?),
            Self::Podlove => plain(podlove::write(&export.chapters)),
            Self::Youtube => youtube::write(export),
            Self::Ffmetadata => plain(ffmetadata::write(export)),
            Self::Markdown => plain(show_notes::write(export)),
        }))
    }
}

fn plain(text: String) -> Document {
    Document { text, remarks: Vec::new() }
}

/// JSON with two spaces and one newline at the end. The writers' fields stand in alphabetical order.
fn pretty(value: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
