//! What can be checked without a model.
//!
//! Absent here: how it is read and how an answer is held against it.

use super::language::Language;

/// Something an answer keeps to or does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Check {
    /// So many of something.
    Length(Length),
    /// This phrase stands in it.
    Contains(String),
    /// This phrase does not.
    Lacks(String),
    /// It begins with this.
    Starts(String),
    /// It ends with this.
    Ends(String),
    /// A section has this title.
    Section(String),
    /// It is JSON.
    Json(Keys),
    /// Its marks are such.
    Form(Form),
    /// It is written in this language.
    Language(Language),
}

impl Check {
    /// May text that comes below break it? What an answer has is still there, and so is its beginning.
    pub(super) fn is_broken_by_more(&self) -> bool {
        match self {
            Self::Contains(_) | Self::Starts(_) | Self::Section(_) => false,
            Self::Length(length) => length.most.is_some(),
            Self::Lacks(_) | Self::Ends(_) | Self::Json(_) | Self::Form(_) | Self::Language(_) => {
                true
            }
        }
    }
}

/// How many of something there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Length {
    /// Of what.
    pub(super) unit: Unit,
    /// So many at the least.
    pub(super) least: Option<usize>,
    /// So many at the most.
    pub(super) most: Option<usize>,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    /// Words.
    Words,
    /// Characters, blanks included.
    Characters,
    /// Sentences.
    Sentences,
    /// Paragraphs.
    Paragraphs,
    /// Lines.
    Lines,
    /// Items of a list.
    Bullets,
    /// Items, which need not be those of a list.
    Items,
}

impl Unit {
    /// All of them.
    pub(super) const ALL: [Self; 7] = [
        Self::Words,
        Self::Characters,
        Self::Sentences,
        Self::Paragraphs,
        Self::Lines,
        Self::Bullets,
        Self::Items,
    ];

    /// Its name behind this number.
    pub(super) fn name(self, number: usize) -> &'static str {
        let (one, many) = match self {
            Self::Words => ("word", "words"),
            Self::Characters => ("character", "characters"),
            Self::Sentences => ("sentence", "sentences"),
            Self::Paragraphs => ("paragraph", "paragraphs"),
            Self::Lines => ("line", "lines"),
            Self::Bullets => ("bullet point", "bullet points"),
            Self::Items => ("item", "items"),
        };
        if number == 1 { one } else { many }
    }
}

/// The keys that a JSON answer has to have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Keys {
    /// Their names.
    pub(super) named: Vec<String>,
    /// Whether no others may stand beside them.
    pub(super) no_others: bool,
}

/// Marks that an answer has or has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A list with bullets.
    Bullets,
    /// A list with numbers.
    Numbered,
    /// A list of either kind.
    List,
    /// A Markdown table.
    MarkdownTable,
    /// A table of any kind.
    Table,
    /// A code block.
    CodeBlock,
    /// No Markdown.
    Plain,
    /// No headings.
    NoHeadings,
    /// No lists.
    NoBullets,
    /// No tables.
    NoTables,
    /// No code blocks.
    NoCode,
    /// A machine's format that is not checked, such as YAML.
    Machine,
}
