//! The language of an answer, where it can be told.
//!
//! Invariant: short texts, code and data are in no language; where the halves of a text disagree, nothing is said.
//! Absent here: anything but the languages that requests commonly name.

use whatlang::{Detector, Lang};

/// A language that a request may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Language {
    lang: Lang,
}

/// Languages with their names in English and, in any case, in German.
const NAMES: [(Lang, &str, &[&str]); 16] = [
    (Lang::Eng, "english", &["englisch", "englischer"]),
    (Lang::Deu, "german", &["deutsch", "deutscher"]),
    (Lang::Fra, "french", &["französisch", "französischer"]),
    (Lang::Spa, "spanish", &["spanisch", "spanischer"]),
    (Lang::Ita, "italian", &["italienisch", "italienischer"]),
    (Lang::Por, "portuguese", &["portugiesisch", "portugiesischer"]),
    (Lang::Nld, "dutch", &["niederländisch", "niederländischer"]),
    (Lang::Pol, "polish", &["polnisch", "polnischer"]),
    (Lang::Swe, "swedish", &["schwedisch", "schwedischer"]),
    (Lang::Tur, "turkish", &["türkisch", "türkischer"]),
    (Lang::Rus, "russian", &["russisch", "russischer"]),
    (Lang::Ukr, "ukrainian", &["ukrainisch", "ukrainischer"]),
    (Lang::Ces, "czech", &["tschechisch", "tschechischer"]),
    (Lang::Jpn, "japanese", &["japanisch", "japanischer"]),
    (Lang::Cmn, "chinese", &["chinesisch", "chinesischer"]),
    (Lang::Kor, "korean", &["koreanisch", "koreanischer"]),
];

/// Letters below which no text is long enough to tell.
const LETTERS: usize = 120;
/// Letters of which the library gets to see so many: more tell no more.
const SEEN: usize = 6_000;

impl Language {
    /// The language of this name in lower case, and whether the name is the German one.
    pub(super) fn named(word: &str) -> Option<(Self, bool)> {
        NAMES.iter().find_map(|(lang, english, german)| {
            let is_german = german.contains(&word);
            (is_german || *english == word).then_some((Self { lang: *lang }, is_german))
        })
    }

    /// Its name, as English writes it.
    pub(super) fn name(self) -> &'static str {
        self.lang.eng_name()
    }

    /// The language that a text is in, where that is beyond doubt.
    pub(super) fn of(text: &str) -> Option<Self> {
        let prose = prose(text);
        let letters: Vec<char> = prose.chars().take(SEEN).collect();
        if letters.iter().filter(|sign| sign.is_alphabetic()).count() < LETTERS {
            return None;
        }
        let (first, second) = letters.split_at(letters.len() / 2);
        let whole = told(&letters).filter(|(_, reliable)| *reliable)?.0;
        let halves = [first, second].map(|half| told(half).map(|(lang, _)| lang));
        (halves == [Some(whole); 2]).then_some(Self { lang: whole })
    }
}

fn told(letters: &[char]) -> Option<(Lang, bool)> {
    let text: String = letters.iter().collect();
    let detector = Detector::with_allowlist(NAMES.iter().map(|(lang, ..)| *lang).collect());
    detector.detect(&text).map(|found| (found.lang(), found.is_reliable()))
}

/// The text without its code; nothing where it is data.
fn prose(text: &str) -> String {
    if text.starts_with(['{', '[', '<']) {
        return String::new();
    }
    let mut code = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    });
    lines.collect::<Vec<_>>().join("\n")
}
