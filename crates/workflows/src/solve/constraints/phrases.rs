//! Phrases that an answer must or must not have, as constraints name them.
//!
//! Invariant: a phrase without quotation marks is read only where it cannot be anything else.
//! Absent here: looking for them.

use super::{check::Check, cursor::Cursor, tokens::Token};

const NOT: &[&str] = &[
    "do not",
    "don't",
    "dont",
    "never",
    "not",
    "must not",
    "mustn't",
    "should not",
    "shouldn't",
    "may not",
    "cannot",
    "can't",
    "must never",
    "should never",
];
const REQUIRING: &[&str] = &[
    "include",
    "includes",
    "including",
    "mention",
    "mentions",
    "mentioning",
    "contain",
    "contains",
    "containing",
    "use",
    "using",
    "have",
    "quote",
    "say",
    "write",
    "erwähne",
    "erwähnt",
    "nenne",
    "enthält",
    "verwende",
    "benutze",
    "nutze",
    "zitiere",
    "make use of",
];
const REFUSING: &[&str] = &[
    "avoid",
    "avoid using",
    "avoid saying",
    "avoid mentioning",
    "without",
    "without using",
    "without mentioning",
    "without saying",
    "exclude",
    "omit",
    "vermeide",
    "ohne",
    "no mention of",
    "leave out",
    "refrain from using",
    "verwende nicht",
    "erwähne nicht",
    "nenne nicht",
    "benutze nicht",
    "kein",
    "keine",
    "no",
];
/// Verbs behind which a bare name can only be the name itself.
const NAMING: &[&str] =
    &["mention", "mentions", "mentioning", "erwähne", "erwähnt", "avoid mentioning"];
const KINDS: &[&str] = &[
    "the word",
    "the words",
    "the phrase",
    "the phrases",
    "the term",
    "the terms",
    "the name",
    "the names",
    "the keyword",
    "the keywords",
    "the text",
    "the string",
    "the sentence",
    "the exact phrase",
    "the exact word",
    "the exact words",
    "the exact text",
    "the following words",
    "the following phrases",
    "word",
    "words",
    "phrase",
    "das wort",
    "die wörter",
    "die worte",
    "den begriff",
    "die begriffe",
    "den satz",
    "den namen",
    "der begriff",
    "literally",
    "both",
    "the literal text",
    "the literal string",
    "the expression",
    "the expressions",
    "den ausdruck",
];
const APPEARS: &[&str] = &[
    "appear",
    "be mentioned",
    "be included",
    "occur",
    "be used",
    "be present",
    "enthalten",
    "erwähnen",
    "vorkommen",
    "verwenden",
    "nennen",
    "erwähnt werden",
    "enthalten sein",
    "benutzen",
    "verwendet werden",
    "genannt werden",
    "stehen",
];
const MUST: &[&str] = &[
    "must", "should", "shall", "has to", "have to", "needs to", "need to", "muss", "müssen",
    "soll", "sollen", "sollte",
];
const MUST_NOT: &[&str] = &[
    "must not",
    "should not",
    "shall not",
    "may not",
    "cannot",
    "must never",
    "should never",
    "darf nicht",
    "dürfen nicht",
    "soll nicht",
    "sollen nicht",
    "nicht",
    "niemals",
    "nie",
];
const IS_REFUSED: &[&str] = &[
    "is forbidden",
    "are forbidden",
    "is not allowed",
    "are not allowed",
    "ist verboten",
    "sind verboten",
];
const STARTS: &[&str] = &[
    "start with",
    "starts with",
    "starting with",
    "begin with",
    "begins with",
    "beginning with",
    "open with",
    "opens with",
    "beginne mit",
    "beginnt mit",
    "starte mit",
    "startet mit",
];
const ENDS: &[&str] = &[
    "end with",
    "ends with",
    "ending with",
    "finish with",
    "finishes with",
    "close with",
    "closes with",
    "conclude with",
    "ende mit",
    "endet mit",
    "schließe mit",
];
/// Words that begin the name of a thing.
const THINGS: &[&str] = &[
    "a", "an", "the", "your", "my", "our", "its", "some", "der", "die", "das", "dem", "den",
    "dein", "deinem", "deiner", "mein", "meinem",
];

/// Reads the first words of an answer, or its last.
pub(super) fn edge(cursor: &mut Cursor<'_>) -> Option<Vec<Check>> {
    let mut ahead = *cursor;
    let starts = ahead.eat(STARTS);
    if !starts && !ahead.eat(ENDS) {
        return None;
    }
    ahead.eat(KINDS);
    let phrase = ahead.quoted()?.to_owned();
    if !starts && goes_on(ahead) {
        return None;
    }
    *cursor = ahead;
    Some(vec![if starts { Check::Starts(phrase) } else { Check::Ends(phrase) }])
}

/// Does more stand at the end of the answer: `end with "Yours," and your name`?
fn goes_on(mut cursor: Cursor<'_>) -> bool {
    let comma = cursor.eat(&[","]);
    let joined = cursor.eat(&["and", "und", "sowie", "plus", "then", "followed by"]);
    let thing = cursor.quoted().is_some() || cursor.eat(THINGS) || cursor.number().is_some();
    (comma || joined) && thing
}

/// Reads phrases that must not be there.
pub(super) fn forbidden(cursor: &mut Cursor<'_>) -> Option<Vec<Check>> {
    let mut ahead = *cursor;
    let named = if ahead.eat(NOT) {
        let naming = Cursor::eat(&mut { ahead }, NAMING);
        ahead.eat(REQUIRING).then_some(naming)?
    } else {
        let naming =
            Cursor::eat(&mut { ahead }, &["avoid mentioning", "no mention of", "erwähne nicht"]);
        ahead.eat(REFUSING).then_some(naming)?
    };
    let phrases = phrases(&mut ahead, named)?;
    *cursor = ahead;
    Some(phrases.into_iter().map(Check::Lacks).collect())
}

/// Reads phrases that must be there.
pub(super) fn required(cursor: &mut Cursor<'_>) -> Option<Vec<Check>> {
    let mut ahead = *cursor;
    let naming = Cursor::eat(&mut { ahead }, NAMING);
    if !ahead.eat(REQUIRING) {
        return None;
    }
    let phrases = phrases(&mut ahead, naming)?;
    *cursor = ahead;
    Some(phrases.into_iter().map(Check::Contains).collect())
}

/// Reads phrases with what is said of them behind: `"X" must not appear`.
pub(super) fn passive(cursor: &mut Cursor<'_>) -> Option<Vec<Check>> {
    let mut ahead = *cursor;
    ahead.eat(KINDS);
    let phrases = ahead.list(|at| at.quoted().map(str::to_owned));
    let lacks = if ahead.eat(IS_REFUSED) {
        true
    } else if ahead.eat(MUST_NOT) {
        ahead.eat(APPEARS).then_some(true)?
    } else {
        ahead.eat(MUST);
        ahead.eat(APPEARS).then_some(false)?
    };
    if phrases.is_empty() {
        return None;
    }
    *cursor = ahead;
    let check = if lacks { Check::Lacks } else { Check::Contains };
    Some(phrases.into_iter().map(check).collect())
}

/// The phrases behind a verb. `naming`: a bare name will do, where it can be nothing else.
fn phrases(cursor: &mut Cursor<'_>, naming: bool) -> Option<Vec<String>> {
    let announced = cursor.eat(KINDS);
    cursor.eat(&[":"]);
    let phrases = cursor.list(|at| {
        at.eat(KINDS);
        at.quoted().map(str::to_owned).or_else(|| bare(at, announced, naming))
    });
    Some(phrases).filter(|phrases| !phrases.is_empty())
}

fn bare(cursor: &mut Cursor<'_>, announced: bool, naming: bool) -> Option<String> {
    let mut ahead = *cursor;
    let Some(Token::Word { written, .. }) = ahead.peek() else { return None };
    ahead.skip();
    let taken = ahead.at_end() && is_a_name(written, announced) && (announced || naming);
    *cursor = if taken { ahead } else { *cursor };
    taken.then(|| written.clone())
}

/// `GDPR`, `SQLite`, `OAuth2`: spelt as no common word is; one that is announced as a word needs a capital alone.
fn is_a_name(word: &str, announced: bool) -> bool {
    let odd = |sign: char| sign.is_uppercase() || sign.is_ascii_digit();
    word.chars().any(char::is_alphabetic) && word.chars().skip(usize::from(!announced)).any(odd)
}
