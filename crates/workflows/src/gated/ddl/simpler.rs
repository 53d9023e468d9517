//! An element in the words of the parser: what it does not know and no class maps is left out before it reads.
//!
//! Invariant: words in parentheses, names and types stay; what is left out changes neither columns nor keys.
//! Absent here: what has to be told all the same; see `element`.

use super::words::Words;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Phrases that are left out, with how many words behind them.
const STORAGE: [(&str, usize); 5] = [
    ("COMPRESSION", 1),
    ("STORAGE", 1),
    ("NO INHERIT", 0),
    ("NULLS NOT DISTINCT", 0),
    ("USING INDEX TABLESPACE", 1),
];

/// Phrases whose parentheses are left out: a sequence's options stand in any order, the parser wants one.
const OPTIONS: [&str; 3] = ["AS IDENTITY", "SET NULL", "SET DEFAULT"];

/// The tokens that are left of a column.
pub(super) fn column(words: Words<'_>) -> Vec<TokenWithSpan> {
    // A column may be called like any of the phrases, and so may its type.
    simpler(words, 2, &STORAGE)
}

/// The tokens that are left of a constraint.
pub(super) fn constraint(words: Words<'_>) -> Vec<TokenWithSpan> {
    let of_constraints: Vec<_> =
        STORAGE.into_iter().filter(|it| it.0 != "NULLS NOT DISTINCT").collect();
    simpler(words, 1, &of_constraints)
}

fn simpler(words: Words<'_>, first: usize, phrases: &[(&str, usize)]) -> Vec<TokenWithSpan> {
    let (mut rest, mut left) = (words, Vec::new());
    let mut depth = 0_usize;
    while let Some(token) = rest.next() {
        let may_begin = depth == 0 && left.len() >= first;
        let storage = phrases.iter().find(|(phrase, _)| may_begin && rest.sees(phrase));
        let options = OPTIONS.iter().find(|phrase| may_begin && rest.sees(phrase));
        if let Some((phrase, more)) = storage {
            rest.eat(phrase);
            (0..*more).for_each(|_| rest.skip());
        } else if let Some(phrase) = options {
            left.extend(rest.take(phrase));
            let _options = rest.group();
        } else if may_begin && has_parameters(rest) {
            rest.skip();
            let _parameters = rest.group();
        } else if may_begin && rest.sees("VIRTUAL") {
            let stored = Token::make_keyword("STORED");
            left.push(TokenWithSpan { token: stored, span: token.span });
            rest.skip();
        } else {
            depth = deeper(depth, &token.token);
            left.push(token.clone());
            rest.skip();
        }
    }
    left
}

/// `WITH (fillfactor = 70)`, which is no `with time zone`.
fn has_parameters(mut rest: Words<'_>) -> bool {
    rest.eat("WITH") && rest.group().is_some()
}

fn deeper(depth: usize, token: &Token) -> usize {
    if *token == Token::LParen {
        depth + 1
    } else if *token == Token::RParen {
        depth.saturating_sub(1)
    } else {
        depth
    }
}
