//! The transcript as a part of a prompt, within a bound of bytes.
//!
//! Invariant: the part never has more bytes than its budget, and one that is not the whole says so in its
//! first line.
//! Absent here: making summaries.

use crate::{Part, episode::Transcript};

/// The bytes a transcript may take in a prompt, where nothing else is said.
pub const TRANSCRIPT_BUDGET: usize = 60_000;

/// The longest paragraph that is taken whole where only some are taken.
const PIECE: usize = 1_000;

/// The summaries of a workspace, as Markdown; empty where it has none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summaries {
    /// Of the whole episode.
    pub episode: String,
    /// Of its chunks, in order.
    pub chunks: Vec<String>,
}

/// The transcript, whole where it fits; else its summaries, or an even selection of its paragraphs.
pub fn excerpt(transcript: &Transcript, summaries: &Summaries, budget: usize) -> Part {
    let whole = paragraphs(transcript);
    let bytes: usize = whole.iter().map(|line| line.len() + 1).sum();
    if bytes <= budget {
        return Part::new("transcript", whole.join("\n"));
    }
    let given: Vec<String> = std::iter::once(&summaries.episode)
        .chain(&summaries.chunks)
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .collect();
    if !given.is_empty() {
        let note = format!("(Summaries; the transcript has {bytes} bytes, too many to show.)");
        return Part::new("transcript summary", selection(&note, &given, budget));
    }
    let pieces: Vec<String> = whole.iter().flat_map(|line| pieces(line)).collect();
    let note =
        format!("(A selection of paragraphs; the transcript has {bytes} bytes, too many to show.)");
    Part::new("transcript", selection(&note, &pieces, budget))
}

/// One line a paragraph, the first of a turn under its speaker's name.
fn paragraphs(transcript: &Transcript) -> Vec<String> {
    let mut lines = Vec::new();
    for turn in &transcript.turns {
        let spoken = turn.text.lines().map(str::trim).filter(|line| !line.is_empty());
        for (n, line) in spoken.enumerate() {
            lines.push(match turn.speaker.as_deref().filter(|_| n == 0) {
                Some(speaker) => format!("{speaker}: {line}"),
                None => line.to_owned(),
            });
        }
    }
    lines
}

/// As many lines as fit, evenly spread from the first on.
fn selection(note: &str, lines: &[String], budget: usize) -> String {
    let room = budget.saturating_sub(note.len() + 1);
    let mut count = lines.len();
    while count > 0 {
        let text = spread(lines, count);
        if text.len() <= room {
            return format!("{note}\n{text}");
        }
        // Lines differ in length, so the share that fits is approached from above.
        count = (count - 1).min(count * room / text.len());
    }
    let first = lines.first().map_or("", String::as_str);
    cut(&format!("{note}\n{}", cut(first, room)), budget).to_owned()
}

/// This many of the lines, with a mark wherever some are left out.
fn spread(lines: &[String], count: usize) -> String {
    let mut text = String::new();
    let mut follows = 0;
    for at in (0..count).map(|n| n * lines.len() / count) {
        let between = if at == follows { "\n" } else { GAP };
        text.push_str(if at == 0 { "" } else { between });
        text.push_str(lines.get(at).map_or("", String::as_str));
        follows = at + 1;
    }
    text
}

/// Between two lines that do not follow each other.
const GAP: &str = "\n[…]\n";

/// A long line in pieces that end with a sentence, or with a word where there is none.
fn pieces(line: &str) -> Vec<String> {
    let mut rest = line;
    let mut pieces = Vec::new();
    while rest.len() > PIECE {
        let head = cut(rest, PIECE);
        let sentence = head.rfind(". ").map(|at| at + 1);
        let at = sentence.or(head.rfind(' ')).filter(|at| *at > 0).unwrap_or(head.len());
        let (piece, after) = rest.split_at(at);
        pieces.push(piece.trim().to_owned());
        rest = after.trim_start();
    }
    pieces.push(rest.to_owned());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The text up to a bound, no character split.
fn cut(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::{SpeakerTurn, transcript};
    use proptest::prelude::*;

    fn long(turns: usize) -> Transcript {
        let turn = |n: usize| format!("Ada: Point {n} is here. It has a second sentence.\n\n");
        transcript::parse("t.txt", (0..turns).map(turn).collect::<String>().as_bytes()).unwrap()
    }

    #[test]
    fn a_transcript_that_fits_is_whole_and_without_times() {
        let said = "**Ada:** [00:01] One.\n\nTwo.\n\n**Bo:** [01:00] Three.\n";
        let transcript = transcript::parse("t.md", said.as_bytes()).unwrap();
        let part = excerpt(&transcript, &Summaries::default(), 1000);
        assert_eq!(
            (part.name.as_str(), &*part.text),
            ("transcript", "Ada: One.\nTwo.\nBo: Three.")
        );
    }

    #[test]
    fn one_that_does_not_fit_is_an_even_selection_that_says_so() {
        let part = excerpt(&long(200), &Summaries::default(), 2000);
        assert_eq!(part.name, "transcript");
        assert!(part.text.len() <= 2000 && part.text.len() > 1800, "{}", part.text.len());
        assert!(part.text.starts_with("(A selection of paragraphs; the transcript has "));
        let points: Vec<usize> =
            (0..200).filter(|n| part.text.contains(&format!("Point {n} "))).collect();
        assert_eq!(points.first(), Some(&0));
        let gaps: std::collections::BTreeSet<usize> =
            points.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (least, most) = (gaps.first().unwrap(), gaps.last().unwrap());
        assert!(most - least <= 1, "even: {points:?}");
        assert!(points.last().unwrap() + most >= 200, "to the end: {points:?}");
        assert_eq!(part.text.matches("\n[…]\n").count(), points.len() - 1);
    }

    #[test]
    fn summaries_stand_in_for_it_where_there_are_any() {
        let summaries =
            Summaries { episode: "All of it.\n".into(), chunks: vec!["A.".into(), "B.".into()] };
        let part = excerpt(&long(200), &summaries, 2000);
        assert_eq!(part.name, "transcript summary");
        assert!(
            part.text.starts_with("(Summaries; ") && part.text.ends_with("\nAll of it.\nA.\nB.")
        );
        assert_eq!(excerpt(&long(2), &summaries, 2000).name, "transcript");
    }

    proptest! {
        #[test]
        fn no_part_is_longer_than_its_budget(
            texts in proptest::collection::vec("[a-zé. ]{1,300}", 1..30), budget in 0usize..3000, summed in any::<bool>()
        ) {
            let turn = |text: &String| SpeakerTurn { speaker: Some("Zoë".into()), start_ms: None, text: text.repeat(5) };
            let transcript = Transcript { turns: texts.iter().map(turn).collect(), links: Vec::new() };
            let chunks = if summed { texts } else { Vec::new() };
            let part = excerpt(&transcript, &Summaries { episode: String::new(), chunks }, budget);
            prop_assert!(part.text.len() <= budget);
        }
    }
}
