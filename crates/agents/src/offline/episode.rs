//! An episode read once: its sentences ranked, its key phrases and names found, its links collected.
//!
//! Invariant: everything is a function of transcript and chapters; the same episode gives the same
//! order in every run. Bounded: the first [`RANKED_LIMIT`] sentences are ranked, whatever the length;
//! the whole transcript is known to the test whether a sentence was said. Absent here: asset kinds.

use std::collections::BTreeSet;

use redraft_workflows::episode::{Chapter, Link, Transcript};

use super::names::Names;
use super::phrases::{Phrase, phrases};
use super::rank::{content, salience};
use super::said::Said;
use super::sentences::{presentable, split_quoted, without_connective};
use super::shape::shape;

/// At most this many sentences are ranked, from the start of the episode: about ten hours of talk.
pub const RANKED_LIMIT: usize = 20_000;

/// A sentence that may stand in an asset.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sentence {
    /// As said; a pause at the end is a full stop.
    pub(crate) text: String,
    /// Folded words that carry meaning.
    pub(crate) content: BTreeSet<String>,
    /// Where in the ranked part it stands, from 0 to 1.
    pub(crate) place: f64,
    /// Salience times form; only the order matters.
    pub(crate) score: f64,
    /// Whether it tells who a speaker is.
    pub(crate) introduces: bool,
}

/// A transcript with everything the writer and the reviewer need to know about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Episode {
    /// Who said what.
    pub transcript: Transcript,
    /// Where the chapters begin.
    pub chapters: Vec<Chapter>,
    /// Sentences in order.
    pub(crate) sentences: Vec<Sentence>,
    /// Indexes of `sentences`, best first.
    pub(crate) ranking: Vec<usize>,
    /// Key phrases, best first.
    pub(crate) phrases: Vec<Phrase>,
    /// Speakers and guarded names.
    pub(crate) names: Names,
    /// The transcript's links in order, each address once.
    pub(crate) links: Vec<Link>,
    /// What was said.
    pub(crate) said: Said,
}

impl Episode {
    /// Reads and ranks `transcript`; linear in its length.
    pub fn new(transcript: Transcript, chapters: Vec<Chapter>) -> Self {
        let said = Said::new(&transcript, &chapters);
        let pieces = pieces(&transcript);
        let texts: Vec<String> = pieces.iter().map(|piece| piece.text.clone()).collect();
        let speakers = Names::new(&transcript, Vec::new());
        let phrases = phrases(&texts, &speakers);
        let names = Names::new(&transcript, prominent(&phrases));
        let sentences = ranked(&pieces, &texts, &phrases, &names);
        let mut ranking: Vec<usize> = (0..sentences.len()).collect();
        ranking.sort_by(|a, b| sentences[*b].score.total_cmp(&sentences[*a].score).then(a.cmp(b)));
        let links = distinct(&transcript.links);
        Self { transcript, chapters, sentences, ranking, phrases, names, links, said }
    }

    /// The ranked sentences, best first.
    pub(crate) fn best(&self) -> impl Iterator<Item = &Sentence> {
        self.ranking.iter().filter_map(|index| self.sentences.get(*index))
    }

    /// The ranked sentence with this text.
    pub(crate) fn sentence(&self, text: &str) -> Option<&Sentence> {
        self.sentences.iter().find(|sentence| sentence.text == text)
    }
}

/// A turn this short (in words) that speaks of a sponsor is a sponsor message.
const SPONSOR_TURN: usize = 400;

fn is_sponsored(text: &str) -> bool {
    let thanks =
        ["sponsor", "brought to you by"].iter().any(|word| text.to_lowercase().contains(word));
    thanks && text.split_whitespace().take(SPONSOR_TURN + 1).count() <= SPONSOR_TURN
}

struct Piece {
    text: String,
    speaker: Option<String>,
    /// Whether it stands inside a quotation that an earlier sentence opened.
    quoted: bool,
    /// Whether its turn is a sponsor message.
    sponsored: bool,
}

fn pieces(transcript: &Transcript) -> Vec<Piece> {
    let spoken = transcript.turns.iter().flat_map(|turn| {
        let speaker = turn.speaker.clone();
        let sponsored = is_sponsored(&turn.text);
        split_quoted(&turn.text).map(move |(text, quoted)| Piece {
            text,
            speaker: speaker.clone(),
            quoted,
            sponsored,
        })
    });
    spoken.take(RANKED_LIMIT).collect()
}

fn ranked(pieces: &[Piece], texts: &[String], phrases: &[Phrase], names: &Names) -> Vec<Sentence> {
    let topics: BTreeSet<String> =
        phrases.iter().take(15).flat_map(|phrase| phrase.terms.iter().cloned()).collect();
    let mut seen = BTreeSet::new();
    let mut sentences = Vec::new();
    for (index, (piece, salience)) in pieces.iter().zip(salience(texts)).enumerate() {
        let whole = without_connective(&piece.text).unwrap_or(&piece.text);
        let Some(text) = presentable(whole) else { continue };
        if piece.quoted || !seen.insert(text.clone()) {
            continue;
        }
        let guest = piece.speaker.as_deref().is_some_and(|name| names.is_guest(name));
        let favour = if guest { 1.1 } else { 1.0 };
        let paused = if whole == text { 1.0 } else { 0.85 };
        let place = index as f64 / pieces.len() as f64;
        let sponsor = if piece.sponsored { 0.05 } else { 1.0 };
        let role = names.introduction(&text, place) * names.address(&text);
        let content = content(&text);
        let dense = [0.3, 0.4, 0.55, 0.75, 0.9].get(content.len()).copied().unwrap_or(1.0);
        let score =
            dense * salience.sqrt() * shape(&text, &topics) * favour * paused * role * sponsor;
        sentences.push(Sentence { introduces: role > 1.0, content, text, place, score });
    }
    sentences
}

/// Words of proper nouns said at least three times.
fn prominent(phrases: &[Phrase]) -> Vec<String> {
    let proper = phrases.iter().filter(|phrase| phrase.proper && phrase.count >= 3);
    proper.flat_map(|phrase| phrase.text.split_whitespace().map(str::to_owned)).collect()
}

fn distinct(links: &[Link]) -> Vec<Link> {
    let mut seen = BTreeSet::new();
    links.iter().filter(|link| seen.insert(link.url.as_str())).cloned().collect()
}
