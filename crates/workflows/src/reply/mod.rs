//! Reading replies: the one place where a reply becomes JSON, for all workflows.
//!
//! A reply that is JSON as a whole is read as given. Otherwise the reply is the last JSON object in it, if that stands
//! on lines of its own, and everything before it that does is quoted from a text under review. Then the form's schema
//! has the word. What is wrong is told so that a repair call can quote it.
//!
//! Invariant: what stands in a text under review is never taken for the reply, unless it is the whole reply; of two
//! objects that both could be the reply, none is read. Time and memory are linear in the reply and the texts.
//! Absent here: repair. Nothing is added, closed or guessed; what a reply means is its workflow's to say.

mod form;
mod grouped;
mod mistakes;
mod place;
mod quotation;
pub(crate) mod telling;

pub use form::Form;

use crate::{Unreadable, unique};
use place::{Document, Place};
use quotation::Texts;
use serde::de::DeserializeOwned;
use serde_json::Value;
use telling::{MESSAGE, told};

/// The longest reply that is read, in bytes.
pub const LONGEST: usize = 8 << 20;

/// Reads a reply in this form. `under_review` are the texts that the one who replied was shown.
///
/// # Errors
/// [`Unreadable`] with at most some 1,000 characters (16,384 where the form tells all mistakes), free of control
/// characters: where the reply departs from the form (as JSON pointers), or why no JSON in it can be taken for the reply.
pub fn read(form: &Form, text: &str, under_review: &[&str]) -> Result<Value, Unreadable> {
    if text.len() > LONGEST {
        return Err(unlike(&format!("{} bytes are too many; at most {LONGEST}", text.len())));
    }
    // Nearly every reply is good JSON as a whole, and is then looked at once.
    let value = match unique::parse(place::trimmed(text)) {
        Ok(value) => value,
        Err(_) => found(text, under_review)?,
    };
    match form.mistakes(&value) {
        None => Ok(value),
        Some(mistakes) => Err(unlike_within(form.longest_message(), &mistakes)),
    }
}

/// Reads a reply in this form as a type of the workflow's.
///
/// # Errors
/// As [`read`], and where the type is narrower than the form: with the JSON pointer.
pub fn read_as<T: DeserializeOwned>(
    form: &Form,
    text: &str,
    under_review: &[&str],
) -> Result<T, Unreadable> {
    let value = read(form, text, under_review)?;
    serde_path_to_error::deserialize(value).map_err(|error| {
        let pointer = pointer(error.path());
        unlike(&at(&pointer, &error.into_inner().to_string()))
    })
}

/// A reply that parsed and still cannot count: a rule of its workflow's, at this JSON pointer.
pub(crate) fn broken(pointer: &str, rule: &str) -> Unreadable {
    unlike(&at(pointer, rule))
}

fn unlike(why: &str) -> Unreadable {
    unlike_within(MESSAGE, why)
}

/// The same in at most so many characters.
fn unlike_within(most: usize, why: &str) -> Unreadable {
    Unreadable { why: told(&format!("the reply is not as asked for: {why}"), most) }
}

fn at(pointer: &str, what: &str) -> String {
    format!("{}: {}", telling::quoted(pointer), telling::line(what))
}

fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment::{Enum, Map, Seq, Unknown};
    let step = |segment: &serde_path_to_error::Segment| match segment {
        Seq { index } => Some(index.to_string()),
        Map { key } => Some(unique::escaped(key)),
        Enum { .. } | Unknown => None,
    };
    path.iter().filter_map(step).map(|step| format!("/{step}")).collect()
}

/// The value of a reply that is no good JSON as a whole, or why it has none.
fn found(text: &str, under_review: &[&str]) -> Result<Value, Unreadable> {
    let document = match place::find(text) {
        Place::Whole(document) => document,
        Place::Among(found) => only(&found, &Texts::new(under_review))?,
    };
    unique::parse(document).map_err(|error| unlike(&at(&error.pointer, &error.what)))
}

/// The one document among the others that is nobody else's: the last, and all before it quotations.
fn only<'a>(found: &place::Among<'a>, texts: &Texts) -> Result<&'a str, Unreadable> {
    if found.too_much {
        return Err(unlike(
            "it holds more broken or quoted JSON than can be told apart; answer with one JSON object",
        ));
    }
    if let Some(line) = found.cut_short {
        return Err(unlike(&format!("the JSON that begins in line {line} is cut short")));
    }
    let is_quoted = |document: &Document<'_>| texts.hold(document.text);
    let own: Vec<&Document<'_>> = found.documents.iter().filter(|one| !is_quoted(one)).collect();
    let last = found.documents.last();
    match (own.as_slice(), last) {
        ([], None) => Err(unlike(&found.broken.as_ref().map_or_else(
            || "it holds no JSON object on lines of its own".to_owned(),
            |(line, what)| format!("the JSON that begins in line {line} is broken: {what}"),
        ))),
        ([], Some(_)) => Err(unlike(
            "its JSON is quoted from the text under review, and is nobody's reply; answer with your own JSON object alone",
        )),
        ([one], Some(last)) => the_last(found, one, last),
        (_, _) => {
            Err(unlike("the reply holds two JSON documents; answer with one JSON object alone"))
        }
    }
}

/// Whoever answers says its own word last: what is quoted comes before it.
fn the_last<'a>(
    found: &place::Among<'a>,
    own: &Document<'a>,
    last: &Document<'a>,
) -> Result<&'a str, Unreadable> {
    let line = own.line;
    if own.line != last.line {
        return Err(unlike(&format!(
            "a quotation follows the JSON of line {line}; answer with the JSON alone"
        )));
    }
    if let Some((broken, what)) = found.broken.as_ref().filter(|(broken, _)| *broken > line) {
        return Err(unlike(&format!("the JSON that begins in line {broken} is broken: {what}")));
    }
    if !own.stands_alone {
        return Err(unlike(&format!(
            "the JSON of line {line} does not stand on lines of its own; answer with the JSON alone"
        )));
    }
    Ok(own.text)
}
