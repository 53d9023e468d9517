//! A table of a file, read key by key: each key that is asked for is known, and all others are complained about.
//!
//! Invariant: whatever is wrong is noted with its place, and reading goes on; a key is read once.
//! Absent here: which keys there are.

use super::{
    complaint::Complaint,
    document::{Document, Show},
    money::MicroUsd,
    origin::{Origin, Place, Sourced},
    suggest,
};
use std::{cell::RefCell, ops::Range};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// A table, its name and the keys that were asked for.
pub(super) struct Table<'a> {
    pub(super) document: &'a Document,
    complaints: &'a RefCell<Vec<Complaint>>,
    /// Dotted, empty for the file itself.
    name: String,
    /// Where the table begins.
    head: Range<usize>,
    entries: &'a DeTable<'a>,
    asked: Vec<&'static str>,
}

type Found<'a> = (&'a DeValue<'a>, Range<usize>);

impl<'a> Table<'a> {
    /// The file itself.
    pub(super) fn root(
        document: &'a Document,
        entries: &'a DeTable<'a>,
        complaints: &'a RefCell<Vec<Complaint>>,
    ) -> Self {
        Self { document, complaints, name: String::new(), head: 0..0, entries, asked: Vec::new() }
    }

    pub(super) fn text(&mut self, key: &'static str) -> Option<Sourced<String>> {
        let (value, span) = self.find(key)?;
        self.text_of(key, value, &span)
    }

    /// A text below a free name.
    pub(super) fn text_of(
        &self,
        name: &str,
        value: &DeValue<'_>,
        span: &Range<usize>,
    ) -> Option<Sourced<String>> {
        let DeValue::String(text) = value else {
            return self.mistyped(name, span, "a text in quotes", value);
        };
        self.sourced(text.clone().into_owned(), span)
    }

    pub(super) fn texts(&mut self, key: &'static str) -> Option<Sourced<Vec<String>>> {
        let (value, span) = self.find(key)?;
        let expected = "a list of texts";
        let DeValue::Array(items) = value else {
            return self.mistyped(key, &span, expected, value);
        };
        let mut texts = Vec::new();
        for item in items {
            let DeValue::String(text) = item.get_ref() else {
                return self.mistyped(key, &item.span(), expected, item.get_ref());
            };
            texts.push(text.clone().into_owned());
        }
        self.sourced(texts, &span)
    }

    pub(super) fn switch(&mut self, key: &'static str) -> Option<Sourced<bool>> {
        let (value, span) = self.find(key)?;
        let DeValue::Boolean(on) = value else {
            return self.mistyped(key, &span, "true or false", value);
        };
        self.sourced(*on, &span)
    }

    /// A whole number in a range.
    pub(super) fn whole(
        &mut self,
        key: &'static str,
        range: std::ops::RangeInclusive<u64>,
    ) -> Option<Sourced<u64>> {
        let (value, span) = self.find(key)?;
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let DeValue::Integer(number) = value else {
            return self.mistyped(key, &span, &expected, value);
        };
        match u64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) if range.contains(&number) => self.sourced(number, &span),
            Ok(_) | Err(_) => {
                self.refuse(&span, format!("{}: expected {expected}", self.path(key)))
            }
        }
    }

    /// A decimal number in a range.
    pub(super) fn decimal(
        &mut self,
        key: &'static str,
        range: std::ops::RangeInclusive<f64>,
    ) -> Option<Sourced<f64>> {
        let (value, span) = self.find(key)?;
        let expected = format!("a number from {} to {}", range.start(), range.end());
        let Some(text) = number(value) else {
            return self.mistyped(key, &span, &expected, value);
        };
        match text.parse::<f64>() {
            Ok(number) if range.contains(&number) => self.sourced(number, &span),
            Ok(_) | Err(_) => {
                self.refuse(&span, format!("{}: expected {expected}", self.path(key)))
            }
        }
    }

    pub(super) fn money(&mut self, key: &'static str) -> Option<Sourced<MicroUsd>> {
        let (value, span) = self.find(key)?;
        let Some(text) = number(value) else {
            return self.mistyped(key, &span, "an amount in US dollars, such as 1.50", value);
        };
        match MicroUsd::parse(text) {
            Ok(amount) => self.sourced(amount, &span),
            Err(error) => self.refuse(&span, format!("{}: {error}", self.path(key))),
        }
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(
        &mut self,
        key: &'static str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Option<Sourced<T>> {
        let Sourced { value, origin } = self.text(key)?;
        if let Some(known) = all.iter().copied().find(|known| name(*known) == value) {
            return Some(Sourced { value: known, origin });
        }
        let names: Vec<&str> = all.iter().copied().map(name).collect();
        let near = suggest::did_you_mean(&value, &names);
        self.complain(Complaint::new(origin, format!("{}: not known; {near}", self.path(key))));
        None
    }

    /// A table below this one.
    pub(super) fn table(&mut self, key: &'static str) -> Option<Table<'a>> {
        let (value, span) = self.find(key)?;
        self.below(key, value, &span)
    }

    /// The tables and values below this one, whose names are free.
    pub(super) fn named(&self) -> Vec<(&'a str, Range<usize>, Found<'a>)> {
        let entry = |(name, value): (&'a Spanned<_>, &'a Spanned<DeValue<'a>>)| {
            let text: &'a std::borrow::Cow<'a, str> = name.get_ref();
            (&**text, name.span(), (value.get_ref(), value.span()))
        };
        self.entries.iter().map(entry).collect()
    }

    /// A value below this one as a table.
    pub(super) fn below(
        &self,
        name: &str,
        value: &'a DeValue<'a>,
        span: &Range<usize>,
    ) -> Option<Table<'a>> {
        let DeValue::Table(entries) = value else {
            let message = format!("{}: expected a table", self.path(name));
            let place = self.document.place(span, Show::Name);
            self.complain(Complaint::new(Origin::File(place), message));
            return None;
        };
        let (document, complaints) = (self.document, self.complaints);
        let (name, head) = (self.path(name), span.clone());
        Some(Table { document, complaints, name, head, entries, asked: Vec::new() })
    }

    /// Looks a key up as it is.
    pub(super) fn find(&mut self, key: &'static str) -> Option<Found<'a>> {
        if !self.asked.contains(&key) {
            self.asked.push(key);
        }
        self.entries.get(key).map(|value| (value.get_ref(), value.span()))
    }

    /// Complains about every key that nobody asked for.
    pub(super) fn finish(self) {
        for (key, _) in self.entries {
            let name = key.get_ref();
            if self.asked.iter().any(|asked| asked == name) {
                continue;
            }
            let place = self.document.place(&key.span(), Show::Name);
            let table = match self.name.as_str() {
                "" => String::new(),
                table => format!(" in [{table}]"),
            };
            let near = suggest::did_you_mean(name, &self.asked);
            self.complain(Complaint::new(
                Origin::File(place),
                format!("unknown key{table}; {near}"),
            ));
        }
    }

    /// Notes a key that must be there and is not.
    pub(super) fn missing(&self, key: &str) {
        let place = self.document.place(&self.head, Show::Name);
        let message = format!("{}: missing", self.path(key));
        self.complain(Complaint::new(Origin::File(place), message));
    }

    /// Where the table's keys stand.
    pub(super) fn places(&self) -> Vec<(&'static str, Place)> {
        let place = |key: &&'static str| {
            let (name, _) = self.entries.get_key_value(*key)?;
            Some((*key, self.document.place(&name.span(), Show::Name)))
        };
        self.asked.iter().filter_map(place).collect()
    }

    /// The dotted name of a key of this table.
    pub(super) fn path(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    pub(super) fn complain(&self, complaint: Complaint) {
        self.complaints.borrow_mut().push(complaint);
    }

    /// Notes what is wrong with a value that may be shown.
    pub(super) fn refuse<T>(&self, span: &Range<usize>, message: String) -> Option<T> {
        let place = self.document.place(span, Show::Thing);
        self.complain(Complaint::new(Origin::File(place), message));
        None
    }

    /// Notes what is wrong with a value that may be a key.
    pub(super) fn refuse_hidden<T>(
        &self,
        span: &Range<usize>,
        message: String,
        help: &str,
    ) -> Option<T> {
        let place = self.document.place(span, Show::Name);
        self.complain(Complaint::new(Origin::File(place), message).help(help));
        None
    }

    fn mistyped<T>(
        &self,
        key: &str,
        span: &Range<usize>,
        expected: &str,
        found: &DeValue<'_>,
    ) -> Option<T> {
        let message = format!("{}: expected {expected}, not {}", self.path(key), kind(found));
        // What stands in an agent's table by mistake may be its key.
        let show = if self.name.starts_with("agents") { Show::Name } else { Show::Thing };
        let place = self.document.place(span, show);
        self.complain(Complaint::new(Origin::File(place), message));
        None
    }

    fn sourced<T>(&self, value: T, span: &Range<usize>) -> Option<Sourced<T>> {
        Some(Sourced { value, origin: Origin::File(self.document.place(span, Show::Thing)) })
    }
}

/// The digits of a number, as they stand in the file.
fn number<'a>(value: &'a DeValue<'_>) -> Option<&'a str> {
    match value {
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str()),
        DeValue::Float(number) => Some(number.as_str()),
        DeValue::Integer(_)
        | DeValue::String(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_)
        | DeValue::Table(_) => None,
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
