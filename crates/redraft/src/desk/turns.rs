//! Requests with one key, one after another.
//!
//! Invariant: of all who take a turn under one name only one has it; a name that nobody waits under is not kept.
//! Absent here: what is done in a turn.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::OwnedMutexGuard;

type Gate = Arc<tokio::sync::Mutex<()>>;

#[derive(Default)]
pub(super) struct Turns(Mutex<BTreeMap<String, Gate>>);

/// A turn; it ends when this is dropped.
pub(super) struct Turn<'a> {
    turns: &'a Turns,
    name: String,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Turns {
    /// The next turn under this name.
    pub(super) async fn take(&self, name: &str) -> Turn<'_> {
        let gate = self.gates().entry(name.to_owned()).or_default().clone();
        let mut turn = Turn { turns: self, name: name.to_owned(), guard: None };
        turn.guard = Some(gate.lock_owned().await);
        turn
    }

    fn gates(&self) -> MutexGuard<'_, BTreeMap<String, Gate>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut gates = self.turns.gates();
        self.guard = None;
        // Whoever waits holds the gate too; it was taken from the map under the same lock.
        if gates.get(&self.name).is_some_and(|gate| Arc::strong_count(gate) == 1) {
            gates.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[tokio::test]
    async fn a_second_turn_under_a_name_comes_after_the_first_and_another_name_at_once() {
        let turns = Turns::default();
        let first = turns.take("a").await;
        let mut second = Box::pin(turns.take("a"));
        assert!((&mut second).now_or_never().is_none());
        drop(turns.take("b").now_or_never().unwrap());
        drop(first);
        drop(second.now_or_never().unwrap());
        assert!(turns.gates().is_empty());
    }
}
