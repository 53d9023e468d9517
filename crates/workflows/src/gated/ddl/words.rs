//! The tokens of one statement, read from left to right.
//!
//! Invariant: comments and blanks are gone; a token knows its line in the file.
//! Absent here: what the words mean.

use super::names::{TableName, folded, kept};
use sqlparser::{
    ast::{Ident, ObjectName},
    dialect::PostgreSqlDialect,
    keywords::Keyword,
    parser::{Parser, ParserError},
    tokenizer::{Token, TokenWithSpan, Tokenizer},
};
use std::fmt::Write;

static DIALECT: PostgreSqlDialect = PostgreSqlDialect {};

/// The most signs and keywords that go to the parser at once: what it makes recurses along a chain of operators.
const LONGEST: usize = 80;

/// How deep an expression may be nested: each level takes tens of kilobytes of stack in a build for tests.
const DEEPEST: usize = 16;

/// Why words could not be read.
pub(super) type Unread = String;

/// The tokens of a statement, lines counted from the statement's first.
pub(super) fn tokens(text: &str) -> Result<Vec<TokenWithSpan>, Unread> {
    let all = Tokenizer::new(&DIALECT, text).tokenize_with_location();
    let mut all = all.map_err(|error| error.message)?;
    all.retain(|token| !matches!(token.token, Token::Whitespace(_)));
    Ok(all)
}

/// A place in tokens.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    rest: &'a [TokenWithSpan],
    /// The line of the file on which the statement begins.
    first: usize,
    /// The schema of names that name none.
    pub(super) schema: Option<&'a str>,
}

impl<'a> Words<'a> {
    pub(super) fn new(tokens: &'a [TokenWithSpan], first: usize, schema: Option<&'a str>) -> Self {
        Self { rest: tokens, first, schema }
    }

    /// The same place with other tokens of the statement.
    pub(super) fn of<'b>(self, tokens: &'b [TokenWithSpan]) -> Words<'b>
    where
        'a: 'b,
    {
        Words { rest: tokens, ..self }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The line in the file of the next token.
    pub(super) fn line(&self) -> usize {
        let line = self.rest.first().map_or(1, |token| token.span.start.line);
        self.first + usize::try_from(line).unwrap_or(1).saturating_sub(1)
    }

    /// Whether the next words are these, bare and in any case.
    pub(super) fn sees(&self, words: &str) -> bool {
        let mut rest = self.rest.iter();
        words.split(' ').all(|word| rest.next().is_some_and(|token| is_bare(&token.token, word)))
    }

    /// Steps over these words if they are next.
    pub(super) fn eat(&mut self, words: &str) -> bool {
        let sees = self.sees(words);
        if sees {
            self.rest = &self.rest[words.split(' ').count()..];
        }
        sees
    }

    /// Steps over this sign if it is next.
    pub(super) fn sign(&mut self, sign: &Token) -> bool {
        let sees = self.rest.first().is_some_and(|token| token.token == *sign);
        if sees {
            self.rest = &self.rest[1..];
        }
        sees
    }

    /// The next token.
    pub(super) fn next(&self) -> Option<&'a TokenWithSpan> {
        self.rest.first()
    }

    /// Steps over these words, which are next, and gives them.
    pub(super) fn take(&mut self, words: &str) -> Vec<TokenWithSpan> {
        let (taken, rest) = self.rest.split_at(words.split(' ').count().min(self.rest.len()));
        self.rest = rest;
        taken.to_vec()
    }

    /// Steps over one token.
    pub(super) fn skip(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
    }

    /// A name without a dot.
    pub(super) fn name(&mut self) -> Option<String> {
        let Token::Word(word) = &self.rest.first()?.token else { return None };
        self.rest = &self.rest[1..];
        let bare = word.quote_style.is_none();
        Some(if bare { folded(&word.value) } else { kept(&word.value) })
    }

    /// The parts of a name, two at least having a dot between them.
    pub(super) fn path(&mut self) -> Option<Vec<String>> {
        let mut path = vec![self.name()?];
        while self.sign(&Token::Period) {
            path.push(self.name()?);
        }
        Some(path)
    }

    /// A table's name, in the schema of names that name none.
    pub(super) fn table(&mut self) -> Option<TableName> {
        self.path().and_then(|path| table_name(path, self.schema))
    }

    /// A text in quotes.
    pub(super) fn string(&mut self) -> Option<String> {
        let token = &self.rest.first()?.token;
        let text = if let Token::SingleQuotedString(text)
        | Token::EscapedStringLiteral(text)
        | Token::UnicodeStringLiteral(text) = token
        {
            text
        } else if let Token::DollarQuotedString(text) = token {
            &text.value
        } else {
            return None;
        };
        self.skip();
        Some(text.clone())
    }

    /// What stands in the parentheses that are next.
    pub(super) fn group(&mut self) -> Option<Words<'a>> {
        let end = closing(self.rest)?;
        let inner = self.of(&self.rest[1..end]);
        self.rest = &self.rest[end + 1..];
        Some(inner)
    }

    /// The pieces between the commas that stand in no parentheses.
    pub(super) fn elements(self) -> Vec<Words<'a>> {
        let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
        for (at, TokenWithSpan { token, .. }) in self.rest.iter().enumerate() {
            if matches!(token, Token::LParen | Token::LBracket) {
                depth += 1;
            } else if matches!(token, Token::RParen | Token::RBracket) {
                depth = depth.saturating_sub(1);
            } else if *token == Token::Comma && depth == 0 {
                found.push(self.of(&self.rest[start..at]));
                start = at + 1;
            }
        }
        found.push(self.of(&self.rest[start..]));
        found.retain(|piece| !piece.is_empty());
        found
    }

    /// The words up to this one, all where it does not occur.
    pub(super) fn before(self, word: &str) -> Self {
        let is_it = |token: &TokenWithSpan| is_bare(&token.token, word);
        let end = self.rest.iter().position(is_it).unwrap_or(self.rest.len());
        self.of(&self.rest[..end])
    }

    /// The words without these at their end.
    pub(super) fn without_end(self, words: &str) -> Self {
        let end = self.rest.len().saturating_sub(words.split(' ').count());
        let is_there = self.of(&self.rest[end..]).sees(words);
        if is_there { self.of(&self.rest[..end]) } else { self }
    }

    /// Steps behind the first place where these words stand in no parentheses; `None` where they do not.
    pub(super) fn behind(self, words: &str) -> Option<Self> {
        let mut rest = self;
        while !rest.is_empty() {
            if rest.eat(words) {
                return Some(rest);
            }
            if rest.group().is_none() {
                rest.skip();
            }
        }
        None
    }

    /// Reads all of the words by the parser.
    pub(super) fn parse<T>(
        &self,
        read: impl FnOnce(&mut Parser<'_>) -> Result<T, ParserError>,
    ) -> Result<T, Unread> {
        if self.rest.iter().filter(|token| links(&token.token)).count() > LONGEST {
            return Err(format!("it has more than {LONGEST} operators"));
        }
        let mut parser = Parser::new(&DIALECT)
            .with_recursion_limit(DEEPEST)
            .with_tokens_with_locations(self.rest.to_vec());
        let read = read(&mut parser).map_err(|error| plain(&error))?;
        let next = parser.next_token();
        let is_end = next.token == Token::EOF;
        if is_end { Ok(read) } else { Err(format!("`{next}` is not expected there")) }
    }

    /// The words as one line of SQL.
    pub(super) fn text(&self) -> String {
        let (mut text, mut tight, mut after) = (String::new(), true, None);
        for token in self.rest {
            // A function's parenthesis stays where it was written: at its name.
            let touches = token.token == Token::LParen && after == Some(token.span.start);
            after = Some(token.span.end);
            tight |= touches;
            let token = &token.token;
            let joins = matches!(
                token,
                Token::Comma | Token::RParen | Token::RBracket | Token::Period | Token::DoubleColon
            );
            if !tight && !joins {
                text.push(' ');
            }
            let _ = write!(text, "{token}");
            tight = matches!(
                token,
                Token::LParen | Token::LBracket | Token::Period | Token::DoubleColon
            );
        }
        text
    }
}

/// Whether the token can make an expression deeper: neither names and values nor the commas between them do.
fn links(token: &Token) -> bool {
    let is_value = matches!(token, Token::Comma | Token::Number(..) | Token::SingleQuotedString(_));
    let is_name = matches!(token, Token::Word(word) if word.keyword == Keyword::NoKeyword);
    !is_value && !is_name
}

/// What went wrong without the place, which is counted from another beginning.
fn plain(error: &ParserError) -> Unread {
    match error {
        ParserError::TokenizerError(what) | ParserError::ParserError(what) => {
            what.split(" at Line").next().unwrap_or_default().to_owned()
        }
        ParserError::RecursionLimitExceeded => "it is nested too deep".to_owned(),
    }
}

fn is_bare(token: &Token, word: &str) -> bool {
    let Token::Word(found) = token else { return false };
    found.quote_style.is_none() && found.value.eq_ignore_ascii_case(word)
}

/// Where the parenthesis closes that is first.
fn closing(tokens: &[TokenWithSpan]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        if token.token == Token::LParen {
            depth += 1;
        } else if token.token == Token::RParen {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 {
            return (at > 0).then_some(at);
        }
    }
    None
}

/// A name of the parser as PostgreSQL keeps it.
pub(super) fn ident(ident: &Ident) -> String {
    match ident.quote_style {
        None => folded(&ident.value),
        Some(_) => kept(&ident.value),
    }
}

/// A table's name of the parser.
pub(super) fn object(name: &ObjectName, schema: Option<&str>) -> Option<TableName> {
    let path: Option<Vec<String>> = name.0.iter().map(|part| part.as_ident().map(ident)).collect();
    table_name(path?, schema)
}

fn table_name(mut path: Vec<String>, schema: Option<&str>) -> Option<TableName> {
    let name = path.pop()?;
    let schema = path.pop().or(schema.map(str::to_owned));
    Some(TableName { schema, name })
}
