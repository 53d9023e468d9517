//! A run at earlier moments, for whoever asks what it may have written then.
//!
//! Invariant: one run is in memory at a time; a moment is found again by replaying the facts up to it.
//! Absent here: files.

use super::{StoredRun, facts};
use crate::exit::{Code, Failure};
use redraft_loop::{Fact, Run};
use redraft_store::{Store, StreamId};
use std::ops::Range;

/// A run and the moments after which its files may have been written.
pub(super) struct Past<'a> {
    pub(super) stored: &'a StoredRun,
    facts: Vec<Fact>,
    /// How many facts there were at each moment, after each fact that files follow from.
    moments: Vec<usize>,
}

impl<'a> Past<'a> {
    pub(super) fn of(stored: &'a StoredRun, store: &Store) -> Result<Self, Failure> {
        Self::with(stored, facts(store, &StreamId::from(&stored.id), 0)?)
    }

    fn with(stored: &'a StoredRun, facts: Vec<Fact>) -> Result<Self, Failure> {
        let mut run = replay(&facts[..facts.len().min(1)])?;
        let told = |run: &Run| (run.turns().len(), run.limits().clone(), run.decision().cloned());
        let (mut moments, mut last) = (vec![1], told(&run));
        for (n, fact) in (1..).zip(&facts).skip(1) {
            run.apply(fact);
            let now = told(&run);
            if now != last {
                moments.push(n);
                last = now;
            }
        }
        Ok(Self { stored, facts, moments })
    }

    /// The first moment at which something is so that stays so; the number of moments where it never is.
    pub(super) fn first(&self, is_so: impl Fn(&Run) -> bool) -> Result<usize, Failure> {
        let (mut from, mut to) = (0, self.moments.len());
        while from < to {
            let middle = from.midpoint(to);
            match is_so(&self.at(middle)?) {
                true => to = middle,
                false => from = middle + 1,
            }
        }
        Ok(from)
    }

    /// The run at a moment.
    pub(super) fn at(&self, moment: usize) -> Result<Run, Failure> {
        replay(&self.facts[..self.moments[moment]])
    }

    /// Whether something was so at one of these moments.
    pub(super) fn was(
        &self,
        moments: Range<usize>,
        is_so: impl Fn(&Run) -> bool,
    ) -> Result<bool, Failure> {
        if moments.is_empty() {
            return Ok(false);
        }
        let mut run = self.at(moments.start)?;
        for moment in moments.clone() {
            if is_so(&run) {
                return Ok(true);
            }
            if moment + 1 < moments.end {
                let new = self.moments[moment]..self.moments[moment + 1];
                self.facts[new].iter().for_each(|fact| run.apply(fact));
            }
        }
        Ok(false)
    }
}

fn replay(facts: &[Fact]) -> Result<Run, Failure> {
    Run::replay(facts.iter().cloned()).map_err(|error| Failure::of(Code::Damaged, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_loop::{Bounded, Epoch, Limits, Opened, RunId, Time};
    use redraft_workflows::review::{
        model::AssetId,
        shape::{self, Bounds},
    };
    use std::cell::Cell;

    fn limits(rounds: u32) -> Limits {
        Limits {
            rounds,
            calls: None,
            tokens: None,
            cost: None,
            time: None,
            attempts: 3,
            ask_again: 1,
        }
    }

    fn opened() -> Fact {
        let bounds = Bounds { limits: limits(1), repairs: 0, stop_on_stagnation: false };
        Fact::Opened(Opened {
            run: RunId::new("r"),
            at: Time(0),
            epoch: Epoch(1),
            subject: "slug".into(),
            shape: shape::shape(1, &bounds),
            cast: vec![],
            sources: vec![],
            seed: None,
            past: vec![],
            first_round: 1,
            settings: serde_json::Value::Null,
        })
    }

    #[test]
    fn of_two_hundred_moments_few_are_looked_at() {
        // Two moments of each length, and facts that no file follows from between them.
        let bound = |n: u32| Fact::Bounded(Bounded { limits: limits(n), at: Time(0) });
        let facts: Vec<Fact> =
            std::iter::once(opened()).chain((2..=200).flat_map(|n| [bound(n), bound(n)])).collect();
        let run = replay(&facts).unwrap();
        let asset = AssetId::parse("slug").unwrap();
        let stored = StoredRun { id: RunId::new("r"), asset, run };
        let past = Past::with(&stored, facts).unwrap();
        let looks = Cell::new(0);
        let length = |run: &Run| {
            looks.set(looks.get() + 1);
            run.limits().rounds / 2
        };
        let as_long = past.first(|run| length(run) >= 75).unwrap()
            ..past.first(|run| length(run) > 75).unwrap();
        assert_eq!(as_long.len(), 2);
        assert!(past.was(as_long.clone(), |run| length(run) == 75).unwrap());
        assert!(!past.was(as_long.clone(), |run| length(run) != 75).unwrap());
        assert_eq!(past.at(as_long.end).unwrap().limits().rounds, 152);
        assert!(looks.get() <= 2 * 8 + 3, "{} looks", looks.get());
        assert_eq!(past.first(|run| length(run) > 100).unwrap(), 200, "it never is");
        assert!(!past.was(200..200, |_| true).unwrap());
    }
}
