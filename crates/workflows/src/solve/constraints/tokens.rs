//! A constraint as the words, quotations and marks it is made of.
//!
//! Invariant: reading a text of any kind takes time in proportion to its length.
//! Absent here: what the words mean.

/// A piece of a constraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word or a number.
    Word {
        /// In lower case, with straight apostrophes.
        lower: String,
        /// As it stands.
        written: String,
    },
    /// What stands between quotation marks, without them.
    Quoted(String),
    /// Any other sign; a line break is `;`.
    Mark(char),
}

/// What opens a quotation, and what may close it.
const QUOTES: [(char, &[char]); 9] = [
    ('"', &['"']),
    ('“', &['”', '“', '"']),
    ('„', &['“', '”', '"']),
    ('«', &['»']),
    ('»', &['«']),
    ('‘', &['’', '\'']),
    ('‚', &['‘', '’']),
    ('`', &['`']),
    ('\'', &['\'']),
];

/// Signs that are also apostrophes: they close a quotation only at the end of a word.
const APOSTROPHES: [char; 2] = ['\'', '’'];

/// The pieces of a constraint, in order.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let unclosed = Unclosed::of(&chars);
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&sign) = chars.get(at) {
        let (token, next) = match quotation(&chars, at, &unclosed) {
            Some((quoted, next)) => (Some(Token::Quoted(quoted)), next),
            None if sign.is_alphanumeric() => word(&chars, at),
            None if sign == '\n' => (Some(Token::Mark(';')), at + 1),
            None if sign.is_whitespace() => (None, at + 1),
            None => (Some(Token::Mark(sign)), at + 1),
        };
        tokens.extend(token);
        at = next;
    }
    tokens
}

/// Where each closing sign stands last, so that a quotation that is never closed is not looked for twice.
struct Unclosed([usize; QUOTES.len()]);

impl Unclosed {
    fn of(chars: &[char]) -> Self {
        Self(QUOTES.map(|(_, closing)| {
            (0..chars.len()).rfind(|&end| closes(chars, end, closing)).unwrap_or_default()
        }))
    }
}

fn quotation(chars: &[char], at: usize, unclosed: &Unclosed) -> Option<(String, usize)> {
    let sign = chars.get(at)?;
    let kind = QUOTES.iter().position(|(opening, _)| opening == sign)?;
    let (_, closing) = QUOTES.get(kind)?;
    let starts_word = at.checked_sub(1).and_then(|before| chars.get(before));
    if APOSTROPHES.contains(sign) && starts_word.is_some_and(|sign| sign.is_alphanumeric()) {
        return None;
    }
    if unclosed.0.get(kind).is_none_or(|last| *last <= at) {
        return None;
    }
    let within = chars.get(at + 1..)?;
    let length = (0..within.len()).find(|&end| closes(within, end, closing))?;
    Some((within.iter().take(length).collect(), at + length + 2))
}

fn closes(within: &[char], end: usize, closing: &[char]) -> bool {
    let Some(sign) = within.get(end) else { return false };
    let inside_word = within.get(end + 1).is_some_and(|next| next.is_alphanumeric());
    closing.contains(sign) && !(APOSTROPHES.contains(sign) && inside_word)
}

fn word(chars: &[char], at: usize) -> (Option<Token>, usize) {
    let number = chars.get(at).is_some_and(char::is_ascii_digit);
    let mut end = at;
    while let Some(&sign) = chars.get(end) {
        let next = chars.get(end + 1).copied().unwrap_or(' ');
        let joins = match sign {
            '_' => true,
            '.' | ',' => number && next.is_ascii_digit(),
            '-' => next.is_alphanumeric() && !(number && next.is_ascii_digit()),
            '\'' | '’' => next.is_alphanumeric(),
            other => other.is_alphanumeric(),
        };
        if !joins {
            break;
        }
        end += 1;
    }
    let written: String = chars.get(at..end).unwrap_or_default().iter().collect();
    let lower = written.to_lowercase().replace('’', "'");
    (Some(Token::Word { lower, written }), end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let shown = tokens(text).into_iter().map(|token| match token {
            Token::Word { lower, .. } => lower,
            Token::Quoted(text) => format!("<{text}>"),
            Token::Mark(sign) => sign.to_string(),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_numbers_quotations_and_marks_are_told_apart() {
        for (text, expected) in [
            ("Don’t use \"a, b\", please.", "don't use <a, b> , please ."),
            ("Nenne „drei Dinge“ und »zwei«", "nenne <drei Dinge> und <zwei>"),
            ("it's 'no' isn't it", "it's <no> isn't it"),
            ("at most 1,000 words", "at most 1,000 words"),
            ("50-100 words. 3.5 lines", "50 - 100 words . 3.5 lines"),
            ("a 50-word text\nin German", "a 50-word text ; in german"),
            ("an \"open end", "an \" open end"),
            ("say 'don't' and `x`", "say <don't> and <x>"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
