//! Following a run: its facts as they are made durable, whoever drives it.
//!
//! Invariant: every fact behind the one that is asked for comes once, in order; what is driven here is waited for.
//! Absent here: how facts are shown.

use super::{House, Seen, aside::read_aside, reading};
use futures::{StreamExt, stream};
use redraft_loop::RunId;
use redraft_server::{DeskError, FactLine, FactStream};
use serde_json::Value;

/// Where a fact says which file of a person is waited for.
const WAITS_FOR: &str = "/released/waits_for";

impl House {
    pub(super) fn facts_of(&self, run: &RunId, after: u64) -> Result<FactStream, DeskError> {
        read_aside(|| reading::run(&self.0.store, run))?;
        let reader =
            Reader { house: self.clone(), run: run.clone(), after, ready: Vec::new(), over: false };
        Ok(stream::unfold(reader, |mut reader| async move {
            reader.next().await.map(|line| (line, reader))
        })
        .boxed())
    }

    /// The facts with numbers above this one, without the place of the home on this machine.
    fn lines(&self, run: &RunId, above: u64) -> Result<Vec<FactLine>, DeskError> {
        let mut lines = reading::facts(&self.0.store, run, above)?;
        for line in &mut lines {
            if let Some(Value::String(place)) = line.json.pointer_mut(WAITS_FOR) {
                *place = self.0.inbox.within(place);
            }
        }
        Ok(lines)
    }
}

/// A stream of facts: a page of them at most is held.
struct Reader {
    house: House,
    run: RunId,
    after: u64,
    /// In reverse.
    ready: Vec<FactLine>,
    over: bool,
}

impl Reader {
    async fn next(&mut self) -> Option<Result<FactLine, DeskError>> {
        loop {
            if let Some(line) = self.ready.pop() {
                self.after = line.number;
                return Some(Ok(line));
            }
            if self.over {
                return None;
            }
            // Looked at before reading: what comes between is read, or waited for.
            let watcher = self.house.0.known.watcher(&self.run);
            match read_aside(|| self.house.lines(&self.run, self.after)) {
                Ok(lines) => self.ready = lines,
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            }
            self.ready.reverse();
            if self.ready.is_empty() {
                let after = self.after;
                let more = |seen: &Seen| !matches!(seen, Seen::Driven(newest) if *newest <= after);
                match watcher {
                    Some(mut watcher) => drop(watcher.wait_for(more).await),
                    None => self.over = true,
                }
            }
        }
    }
}
