//! Texts as they look: two that a reader could take for each other are the same here.
//!
//! Case, blanks, marks, quotation, line ends and hidden characters are gone; look-alike letters are one letter (UTS #39
//! with compatibility forms); escapes of source code and HTML are read. So a text stays known however it was quoted,
//! indented, wrapped, split over string literals or disguised.
//!
//! Invariant: a line of ASCII letters, digits, blanks, `_` and `:` looks the same alone as it does in any text whose line
//! it is. Linear time. Absent here: paraphrases and encodings (base64, letters in other order).

use crate::{is_hidden, is_joiner};
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

/// Whether a character is not seen at all, wherever it stands.
pub(super) fn is_unseen(c: char) -> bool {
    let ignored = || skeleton(c.encode_utf8(&mut [0; 4])).next().is_none();
    is_hidden(c) || is_joiner(c) || !c.is_ascii() && ignored()
}

/// The letters and digits of a text, as they look.
pub(super) fn bare(text: &str) -> String {
    folded(text, char::is_alphanumeric)
}

/// The letters, digits and at signs of a text, as they look.
pub(super) fn with_at_signs(text: &str) -> String {
    folded(text, |c| c.is_alphanumeric() || c == '@')
}

fn folded(text: &str, kept: impl Fn(char) -> bool) -> String {
    // Most texts are ASCII without escapes, and need none of the tables.
    if text.is_ascii() && !text.contains(['\\', '&']) {
        return text.chars().filter(|c| kept(*c)).flat_map(ascii).collect();
    }
    // Signs of ASCII go first, since `|` would become a letter; other signs may stand for letters.
    let plain: String = unescaped(text).nfkd().filter(|c| !c.is_ascii() || kept(*c)).collect();
    // `M` has no prototype, `m` has one: hence twice.
    let lower: String = skeleton(&plain).flat_map(char::to_lowercase).collect();
    let looks: String = skeleton(&lower).flat_map(char::to_lowercase).collect();
    looks.chars().filter(|c| kept(*c)).map(slender).collect()
}

/// What the tables make of an ASCII letter, digit or at sign.
fn ascii(c: char) -> impl Iterator<Item = char> {
    let (first, second) = match c.to_ascii_lowercase() {
        'i' | '1' => ('l', None),
        '0' => ('o', None),
        'm' => ('r', Some('n')),
        lower => (lower, None),
    };
    std::iter::once(first).chain(second)
}

/// `I` looks like `l`; so `i` has to be one with them where case is gone.
fn slender(c: char) -> char {
    if c == 'i' { 'l' } else { c }
}

/// The text with the escapes of Java, JSON, Rust and HTML read.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '&']) {
        plain.push_str(&rest[..at]);
        let (read, length) = escape(&rest[at..]);
        plain.extend(read);
        rest = &rest[at + length..];
    }
    plain.push_str(rest);
    plain
}

/// What an escape stands for, and its length. What is none stands for nothing; at least a sign is passed over.
fn escape(text: &str) -> (Option<char>, usize) {
    let signs = text.len() - text.trim_start_matches('\\').len();
    let found = if signs > 0 { of_source(&text[signs..]) } else { of_html(text) };
    match found {
        Some((c, length)) => (c, signs + length),
        None => (None, signs.max(1)),
    }
}

/// An escape behind its backslashes, however many a quotation made of them. A blank's stands for nothing.
fn of_source(behind: &str) -> Option<(Option<char>, usize)> {
    if behind.starts_with(['n', 'r', 't']) {
        return Some((None, 1));
    }
    if let Some(code) = behind.strip_prefix("u{") {
        return closed(code, '}', 16).map(|(c, length)| (Some(c), "u{".len() + length));
    }
    let code = behind.trim_start_matches('u');
    let letters = behind.len() - code.len();
    let c = code.get(..4).filter(|_| letters > 0).and_then(|code| character(code, 16))?;
    Some((Some(c), letters + 4))
}

fn of_html(text: &str) -> Option<(Option<char>, usize)> {
    let (prefix, radix) = if text.starts_with("&#x") { ("&#x", 16) } else { ("&#", 10) };
    let (c, length) = closed(text.strip_prefix(prefix)?, ';', radix)?;
    Some((Some(c), prefix.len() + length))
}

/// A code of at most eight digits up to this sign.
fn closed(text: &str, sign: char, radix: u32) -> Option<(char, usize)> {
    let end = text.bytes().take(9).position(|byte| char::from(byte) == sign)?;
    character(text.get(..end)?, radix).map(|c| (c, end + 1))
}

fn character(code: &str, radix: u32) -> Option<char> {
    u32::from_str_radix(code, radix).ok().and_then(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "issues_total: 10";

    #[test]
    fn a_disguised_text_looks_as_it_does_bare() {
        for disguised in [
            "ISSUES_TOTAL : 10",
            "> * **issues_total:** `10`",
            "\"issues_\" + \"total\" : \"10\"",
            "issue\u{200b}s\u{ad}_to\u{2060}tal: 10",
            "\u{456}ssu\u{435}s_t\u{43e}t\u{430}l: 10",
            "ＩＳＳＵＥＳ＿ＴＯＴＡＬ：１０",
            "𝐢𝐬𝐬𝐮𝐞𝐬_𝘁𝗼𝘁𝗮𝗹: 𝟏𝟎",
            "issues\n_total:\r\n1\t0",
            "\\u0069ssues_total: \\uu0031\\u00300",
            "\\\\u0069ssues_total:\\\\n10",
            "&#105;ssues_total&#x3a; 1&#48;",
            "\\u{69}ssues_total: 10",
            "íssués_tötal: 10",
        ] {
            let found = bare(disguised);
            assert!(found.starts_with(&bare(LINE)), "{disguised}: {found}");
        }
    }

    #[test]
    fn every_ascii_sign_looks_the_same_alone_and_among_others() {
        for c in (0..128_u8).map(char::from).filter(|c| !['\\', '&'].contains(c)) {
            let among = with_at_signs(&format!("é\n{c}\né"));
            assert_eq!(among, format!("e{}e", with_at_signs(&c.to_string())), "{c:?}");
        }
    }

    #[test]
    fn selectors_fillers_and_joiners_are_not_seen_and_letters_are() {
        for c in "\u{fe0f}\u{34f}\u{3164}\u{200d}\u{200b}\u{e0101}\n".chars() {
            assert!(is_unseen(c), "{c:?}");
        }
        for c in "aé字\u{301} \u{a0}🙂".chars() {
            assert!(!is_unseen(c), "{c:?}");
        }
    }

    #[test]
    fn texts_that_look_different_are_different() {
        for other in ["issues_total: 11", "issues_critical: 10", "", "issue total 10"] {
            assert_ne!(bare(other), bare(LINE));
        }
        assert_eq!(with_at_signs("@@ @ REVIEW"), "@@@revlew");
    }
}
