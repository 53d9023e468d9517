//! A place in the pieces of a constraint, and what can be read from there.
//!
//! Invariant: what is not there is not read; the cursor then stands where it stood.
//! Absent here: which words mean what.

use super::tokens::Token;

/// A place in the pieces of a constraint.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'t> {
    tokens: &'t [Token],
    at: usize,
}

/// Words for numbers, from zero on.
const NUMBERS: [&[&str]; 21] = [
    &["zero", "null"],
    &["one", "single", "ein", "eine", "einen", "einem", "einer"],
    &["two", "zwei"],
    &["three", "drei"],
    &["four", "vier"],
    &["five", "fünf"],
    &["six", "sechs"],
    &["seven", "sieben"],
    &["eight", "acht"],
    &["nine", "neun"],
    &["ten", "zehn"],
    &["eleven", "elf"],
    &["twelve", "zwölf"],
    &["thirteen", "dreizehn"],
    &["fourteen", "vierzehn"],
    &["fifteen", "fünfzehn"],
    &["sixteen", "sechzehn"],
    &["seventeen", "siebzehn"],
    &["eighteen", "achtzehn"],
    &["nineteen", "neunzehn"],
    &["twenty", "zwanzig"],
];

/// So many items are read at once, or a list that leads to nothing would be read from each of its items to its end.
const LONGEST_LIST: usize = 100;

/// Words that join two clauses.
pub(super) const JOINING: [&str; 6] = ["and", "und", "but", "aber", "also", "sowie"];

impl<'t> Cursor<'t> {
    pub(super) fn new(tokens: &'t [Token]) -> Self {
        Self { tokens, at: 0 }
    }

    /// The piece that comes next.
    pub(super) fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    /// The word that comes next, in lower case; empty where none does.
    pub(super) fn word(&self) -> &'t str {
        lower(self.peek())
    }

    /// The word just read, in lower case; empty where there is none.
    pub(super) fn before(&self) -> &'t str {
        lower(self.at.checked_sub(1).and_then(|before| self.tokens.get(before)))
    }

    /// Goes on by one piece.
    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    /// Is this the end of a clause?
    pub(super) fn at_end(&self) -> bool {
        match self.peek() {
            None => true,
            Some(Token::Word { lower, .. }) => JOINING.contains(&lower.as_str()),
            Some(Token::Mark(sign)) => {
                matches!(sign, ',' | ';' | '.' | '!' | '(' | ')' | '—' | '–')
            }
            Some(Token::Quoted(_)) => false,
        }
    }

    /// Reads the longest of these phrases that stands here.
    pub(super) fn eat(&mut self, phrases: &[&str]) -> bool {
        let Some(token) = self.peek() else { return false };
        let may_begin = |phrase: &&&str| match token {
            Token::Word { lower, .. } => phrase.starts_with(lower.as_str()),
            Token::Mark(sign) => phrase.starts_with(*sign),
            Token::Quoted(_) => false,
        };
        let ends = phrases.iter().filter(may_begin).filter_map(|phrase| self.after(phrase));
        let Some(end) = ends.max() else { return false };
        self.at = end;
        true
    }

    fn after(&self, phrase: &str) -> Option<usize> {
        phrase.split(' ').try_fold(self.at, |at, part| {
            let there = match self.tokens.get(at)? {
                Token::Word { lower, .. } => lower == part,
                Token::Mark(sign) => part.chars().eq([*sign]),
                Token::Quoted(_) => false,
            };
            there.then_some(at + 1)
        })
    }

    /// Reads a number, in digits or as a word up to twenty.
    pub(super) fn number(&mut self) -> Option<usize> {
        let word = self.word();
        let named = NUMBERS.iter().position(|names| names.contains(&word));
        let number = named.or_else(|| digits(word))?;
        self.skip();
        Some(number)
    }

    /// Reads a quotation that is not blank.
    pub(super) fn quoted(&mut self) -> Option<&'t str> {
        let Some(Token::Quoted(text)) = self.peek() else { return None };
        let text = Some(text.trim()).filter(|text| !text.is_empty())?;
        self.skip();
        Some(text)
    }

    /// Reads a word as it is written.
    pub(super) fn written(&mut self) -> Option<&'t str> {
        let Some(Token::Word { written, .. }) = self.peek() else { return None };
        self.skip();
        Some(written)
    }

    /// Reads a list: `A, B and C`. An item that cannot be read ends it before the mark that led there.
    pub(super) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Vec<T> {
        let mut items = Vec::new();
        let mut next = *self;
        while items.len() < LONGEST_LIST
            && let Some(read) = item(&mut next)
        {
            items.push(read);
            *self = next;
            let comma = next.eat(&[","]);
            if !next.eat(&["and", "und", "sowie", "as well as"]) && !comma {
                break;
            }
        }
        items
    }
}

fn lower(token: Option<&Token>) -> &str {
    match token {
        Some(Token::Word { lower, .. }) => lower,
        Some(Token::Quoted(_) | Token::Mark(_)) | None => "",
    }
}

/// `1000`, `1,000` or `1.000`; nothing else that has marks in it.
fn digits(word: &str) -> Option<usize> {
    let mut groups = word.split([',', '.']);
    let first = groups.next()?;
    let grouped = word.len() > first.len();
    if (grouped && first.len() > 3) || !groups.all(|group| group.len() == 3) {
        return None;
    }
    let plain: String = word.chars().filter(|sign| !matches!(sign, ',' | '.')).collect();
    plain.bytes().all(|digit| digit.is_ascii_digit()).then(|| plain.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::constraints::tokens::tokens;

    #[test]
    fn numbers_come_in_digits_and_in_words() {
        for (text, number) in [
            ("12", Some(12)),
            ("1,000", Some(1000)),
            ("1.000.000", Some(1_000_000)),
            ("twenty", Some(20)),
            ("fünf", Some(5)),
            ("1.5", None),
            ("12,5", None),
            ("1000,000", None),
            ("twenty-one", None),
            ("99999999999999999999999", None),
            ("3rd", None),
        ] {
            assert_eq!(Cursor::new(&tokens(text)).number(), number, "{text}");
        }
    }

    #[test]
    fn a_list_ends_before_the_mark_that_leads_to_no_item() {
        let tokens = tokens("\"a\", \"b\" and \"c\", and at most");
        let mut cursor = Cursor::new(&tokens);
        assert_eq!(cursor.list(Cursor::quoted), ["a", "b", "c"]);
        assert!(cursor.at_end() && cursor.eat(&[", and at"]));
    }
}
