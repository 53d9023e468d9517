//! A constraint's words as checks.
//!
//! Invariant: a clause counts only when each of its words is understood, and none counts when a word elsewhere in the
//! constraint may narrow it (`per`, `if`, `each`, `or`). What is left out is never checked.
//! Absent here: answers.

use super::{
    check::{Check, Form, Length, Unit},
    cursor::{Cursor, JOINING},
    forms,
    language::Language,
    lengths, phrases,
    tokens::{Token, tokens},
    vocabulary::{FILLING, NARROWING, NEGATING},
};

/// A constraint longer than this, in bytes, is a text of its own, which no rule claims to understand.
const LONGEST: usize = 4_000;

/// The checks that a constraint asks for; none where it is not understood.
pub(super) fn checks(constraint: &str) -> Vec<Check> {
    if constraint.len() > LONGEST {
        return Vec::new();
    }
    let tokens = tokens(constraint);
    let mut cursor = Cursor::new(&tokens);
    let mut reading = Reading::default();
    while cursor.peek().is_some() {
        let clause = Clause::read(&mut cursor);
        reading.take(clause, cursor.peek());
        cursor.skip();
    }
    if reading.narrowed { Vec::new() } else { reading.told() }
}

/// Is a constraint made of nothing but these words and such as say nothing?
pub(super) fn is_only(constraint: &str, words: &[&str]) -> bool {
    let tokens = tokens(constraint);
    let mut found = false;
    let understood = tokens.iter().all(|token| match token {
        Token::Word { lower, .. } => {
            let named = words.contains(&lower.as_str());
            found |= named;
            named || FILLING.contains(&lower.as_str()) || JOINING.contains(&lower.as_str())
        }
        Token::Mark(sign) => matches!(sign, '.' | '!' | ',' | ';' | ':'),
        Token::Quoted(_) => false,
    });
    understood && found
}

/// Goes over words that say nothing.
pub(super) fn skip_filling(cursor: &mut Cursor<'_>) {
    while cursor.eat(FILLING) {}
}

/// What has been understood so far.
#[derive(Default)]
struct Reading {
    checks: Vec<Check>,
    narrowed: bool,
    /// A word before this one may turn an imperative into its opposite: `do not do this and mention that`.
    negated: bool,
    /// The clause follows `and`.
    joined: bool,
}

impl Reading {
    fn take(&mut self, clause: Clause, end: Option<&Token>) {
        self.narrowed |= clause.narrowed;
        if clause.understood {
            let kept = clause.checks.into_iter().filter(|check| self.keeps(check, clause.only));
            self.checks.extend(kept.collect::<Vec<_>>());
        }
        self.joined = matches!(end, Some(Token::Word { .. }));
        let over = match end {
            Some(Token::Mark(sign)) => matches!(sign, '.' | ';' | '!'),
            Some(Token::Word { lower, .. }) => matches!(lower.as_str(), "but" | "aber"),
            Some(Token::Quoted(_)) | None => false,
        };
        self.negated = !over && (self.negated || clause.negated);
    }

    fn keeps(&self, check: &Check, only: bool) -> bool {
        match check {
            Check::Lacks(_) | Check::Language(_) => true,
            Check::Length(length) => !self.is_within_items(*length),
            Check::Form(_) => !self.negated || refuses(check),
            Check::Contains(_) | Check::Starts(_) | Check::Ends(_) | Check::Section(_) => {
                !self.negated
            }
            Check::Json(_) => !self.negated || only,
        }
    }

    /// `3 bullet points, at most 10 words`: ten words may be meant for each. Behind `and`, sentences hold no words of
    /// their own.
    fn is_within_items(&self, length: Length) -> bool {
        let larger = |check: &Check| match check {
            Check::Length(before) if self.joined && rank(before.unit) < rank(Unit::Bullets) => {
                false
            }
            Check::Length(before) => rank(before.unit) > rank(length.unit).max(1),
            Check::Form(_) => !refuses(check),
            Check::Section(_) => true,
            Check::Contains(_) | Check::Lacks(_) | Check::Starts(_) | Check::Ends(_) => false,
            Check::Json(_) | Check::Language(_) => false,
        };
        rank(length.unit) < rank(Unit::Lines) && self.checks.iter().any(larger)
    }

    /// All that is left; of `two sentences and a table`, the table.
    fn told(mut self) -> Vec<Check> {
        let block = |check: &Check| matches!(check, Check::Form(_)) && !refuses(check);
        if self.checks.iter().any(block) {
            let beside = [Unit::Sentences, Unit::Paragraphs, Unit::Lines];
            let stays = |check: &Check| !matches!(check, Check::Length(length) if beside.contains(&length.unit));
            self.checks.retain(stays);
        }
        self.checks
    }
}

/// Larger units hold smaller ones.
fn rank(unit: Unit) -> u8 {
    match unit {
        Unit::Characters => 0,
        Unit::Words => 1,
        Unit::Sentences => 2,
        Unit::Lines | Unit::Paragraphs => 3,
        Unit::Bullets | Unit::Items => 4,
    }
}

/// Does it say what must not be?
fn refuses(check: &Check) -> bool {
    match check {
        Check::Lacks(_) => true,
        Check::Form(form) => match form {
            Form::NoHeadings | Form::NoBullets | Form::NoTables | Form::NoCode => true,
            Form::Bullets | Form::Numbered | Form::List | Form::MarkdownTable | Form::Table => {
                false
            }
            Form::CodeBlock | Form::Plain | Form::Machine => false,
        },
        Check::Length(_) | Check::Contains(_) | Check::Starts(_) | Check::Ends(_) => false,
        Check::Section(_) | Check::Json(_) | Check::Language(_) => false,
    }
}

/// Is it about words that stand in the answer?
fn quotes(check: &Check) -> bool {
    match check {
        Check::Contains(_) | Check::Lacks(_) | Check::Starts(_) | Check::Ends(_) => true,
        Check::Section(_) => true,
        Check::Length(_) | Check::Json(_) | Check::Form(_) | Check::Language(_) => false,
    }
}

/// What stands between two marks.
#[derive(Default)]
struct Clause {
    checks: Vec<Check>,
    understood: bool,
    negated: bool,
    narrowed: bool,
    only: bool,
}

impl Clause {
    fn read(cursor: &mut Cursor<'_>) -> Self {
        let mut clause = Self { understood: true, ..Self::default() };
        let mut patterns = Vec::new();
        while !cursor.at_end() {
            let here = *cursor;
            if let Some(checks) = pattern(cursor) {
                clause.negated |= NEGATING.contains(&here.word()) || checks.iter().any(refuses);
                patterns.push(checks);
            } else if cursor.eat(FILLING) {
                clause.only |= matches!(cursor.before(), "only" | "nur");
            } else {
                clause.leave(cursor);
            }
        }
        clause.understood &= go_together(&patterns, clause.negated, clause.only);
        clause.checks = patterns.into_iter().flatten().collect();
        clause
    }

    fn leave(&mut self, cursor: &mut Cursor<'_>) {
        self.understood = false;
        let word = cursor.word();
        self.narrowed |= NARROWING.contains(&word) || Language::named(word).is_some();
        self.negated |= NEGATING.contains(&cursor.word());
        cursor.skip();
    }
}

/// Do the patterns of one clause mean side by side what each means alone? Not in `one sentence must mention "X"`, `do
/// not mention "X" without "Y"`, `no list longer than 5 items`, `5 paragraphs of 50 words`.
fn go_together(patterns: &[Vec<Check>], negated: bool, only: bool) -> bool {
    let quoting = patterns.iter().flatten().any(quotes);
    let lengths = patterns.iter().flatten().filter(|check| matches!(check, Check::Length(_)));
    let alone = patterns.len() < 2;
    let of_items = patterns.iter().flatten().skip_while(|check| !lists(check));
    lengths.count() < 2
        && (alone || !(quoting || negated))
        && !(only && quoting)
        && !of_items.into_iter().any(is_of_words)
}

/// Does it ask for items?
fn lists(check: &Check) -> bool {
    matches!(check, Check::Form(Form::Bullets | Form::Numbered | Form::List))
}

/// Is it a length that an item has as well as an answer?
fn is_of_words(check: &Check) -> bool {
    matches!(check, Check::Length(length) if rank(length.unit) < rank(Unit::Lines))
}

/// Reads whatever can be checked from here.
fn pattern(cursor: &mut Cursor<'_>) -> Option<Vec<Check>> {
    let length =
        |cursor: &mut Cursor<'_>| lengths::length(cursor).map(|found| vec![Check::Length(found)]);
    [length, forms::form, phrases::forbidden, phrases::edge, phrases::required, phrases::passive]
        .into_iter()
        .chain([forms::machine, forms::sections, forms::language])
        .find_map(|read| read(cursor))
}
