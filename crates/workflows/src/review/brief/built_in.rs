//! The templates that come with the program, one file each.
//!
//! Absent here: reading them; see `templates`.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// Name and text of every file.
        pub(super) const FILES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../prompts/review/", $name, ".md")))),*];
    };
}

files!(
    "creator",
    "reviewer",
    "kinds/general",
    "kinds/description",
    "kinds/shownotes",
    "kinds/summary_short",
    "kinds/title_detail",
    "kinds/title_seo",
    "kinds/subtitle_auphonic",
    "kinds/slug",
    "kinds/cms_tags",
    "kinds/audio_tags",
    "kinds/itunes_keywords",
    "kinds/mastodon",
    "kinds/linkedin",
    "kinds/youtube_description",
    "lenses/facts",
    "lenses/names",
    "lenses/style",
    "lenses/audience",
    "lenses/platform",
);
