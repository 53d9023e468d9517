//! All mistakes of a value as one message: equal ones of neighbouring list items are told together.
//!
//! Invariant: bounded, however many there are; every mistake is told or counted, and the first of each sort comes before
//! the second of any.
//! Absent here: what a mistake is.

use super::{
    mistakes::Mistake,
    telling::{ALL, quoted},
};
use serde_json::Value;
use std::collections::HashMap;

/// How many characters stay for what is said before and after the mistakes.
const ROOM: usize = 200;
/// How many sorts of mistakes are kept; more than a message holds.
const SORTS: usize = 1_000;
/// How many runs of neighbours are kept of one sort.
const RUNS: usize = 50;

/// Mistakes that differ in their list item alone.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Sort {
    /// The pointer to the list, or to the place itself where it is in none.
    list: String,
    /// The pointer within the item.
    field: String,
    what: String,
}

/// The first and the last of neighbouring list items; `None` for a place that is in no list.
#[derive(Clone, Copy)]
struct Neighbours(Option<(usize, usize)>);

/// Mistakes as they are met.
pub(super) struct Grouped<'a> {
    value: &'a Value,
    sorts: Vec<(Sort, Vec<Neighbours>)>,
    known: HashMap<Sort, usize>,
    left_out: usize,
}

impl<'a> Grouped<'a> {
    /// The mistakes of this value.
    pub(super) fn of(value: &'a Value, mistakes: impl Iterator<Item = Mistake>) -> Self {
        let mut all = Self { value, sorts: Vec::new(), known: HashMap::new(), left_out: 0 };
        mistakes.for_each(|mistake| all.add(mistake));
        all
    }

    fn add(&mut self, mistake: Mistake) {
        let (sort, item) = sorted(self.value, mistake);
        let Some(n) = self.known.get(&sort).copied().or_else(|| self.first(sort)) else {
            self.left_out += 1;
            return;
        };
        let runs = &mut self.sorts[n].1;
        if runs.last_mut().is_some_and(|last| last.takes(item)) {
            return;
        }
        match runs.len() < RUNS {
            true => runs.push(Neighbours(item.map(|item| (item, item)))),
            false => self.left_out += 1,
        }
    }

    /// The place of a sort that was not met before, if there is room.
    fn first(&mut self, sort: Sort) -> Option<usize> {
        let n = self.sorts.len();
        if n >= SORTS {
            return None;
        }
        self.sorts.push((sort.clone(), Vec::new()));
        self.known.insert(sort, n);
        Some(n)
    }

    /// As many as a message holds, and how many more there are.
    pub(super) fn told(&self) -> String {
        let (mut told, mut length, mut left_out) = (Vec::new(), ROOM, self.left_out);
        for (sort, run) in self.in_order() {
            let line = sort.told(run);
            length += line.chars().count() + "; ".len();
            match length <= ALL {
                true => told.push(line),
                false => left_out += run.count(),
            }
        }
        if left_out > 0 {
            told.push(format!("and {left_out} more"));
        }
        told.join("; ")
    }

    /// The first of each sort, then the second, and so on.
    fn in_order(&self) -> Vec<(&Sort, Neighbours)> {
        let runs = self
            .sorts
            .iter()
            .flat_map(|(sort, runs)| runs.iter().enumerate().map(move |(n, run)| (n, sort, *run)));
        let mut all: Vec<(usize, &Sort, Neighbours)> = runs.collect();
        all.sort_by_key(|(n, _, _)| *n);
        all.into_iter().map(|(_, sort, run)| (sort, run)).collect()
    }
}

impl Neighbours {
    /// Whether this item is among them, or is their next.
    fn takes(&mut self, item: Option<usize>) -> bool {
        match (&mut self.0, item) {
            (Some((_, last)), Some(item)) if item == *last || item == *last + 1 => {
                *last = item;
                true
            }
            (None, None) => true,
            (_, _) => false,
        }
    }

    fn count(self) -> usize {
        self.0.map_or(1, |(first, last)| last - first + 1)
    }
}

impl Sort {
    fn told(&self, Neighbours(run): Neighbours) -> String {
        let Self { list, field, what } = self;
        let item = |n: usize| quoted(&format!("{list}/{n}{field}"));
        match run {
            None => format!("{}: {what}", quoted(list)),
            Some((first, last)) if first == last => format!("{}: {what}", item(first)),
            Some((first, last)) => format!("{} to {}: {what}", item(first), item(last)),
        }
    }
}

/// A mistake's sort, and its list item where it is in a list.
fn sorted(value: &Value, Mistake { pointer, what }: Mistake) -> (Sort, Option<usize>) {
    let steps = pointer.match_indices('/').map(|(at, _)| at);
    let in_list = steps.skip(1).find_map(|at| {
        let (list, rest) = (&pointer[..at], &pointer[at + 1..]);
        let (item, field) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let item =
            item.parse().ok().filter(|_| value.pointer(list).is_some_and(Value::is_array))?;
        Some((list.to_owned(), field.to_owned(), item))
    });
    match in_list {
        Some((list, field, item)) => (Sort { list, field, what }, Some(item)),
        None => (Sort { list: pointer, field: String::new(), what }, None),
    }
}
