//! Clients that ask the same question again as soon as it is answered, each over a connection of its own.
//!
//! Invariant: one thread carries all clients; what is under way when the time begins or ends is not counted.
//! Absent here: what the server makes of it.

use super::{connection::Connection, question};
use crate::Outcome;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How long clients ask before the time begins.
const WARM_UP: Duration = Duration::from_millis(500);

/// What clients saw.
pub(crate) struct Load {
    /// In ms, sorted.
    times: Vec<f64>,
    took: Duration,
    /// Answers before the time began and after it was over.
    around: usize,
    /// Answers that were none.
    pub(crate) refused: usize,
}

/// What one client saw.
#[derive(Default)]
struct Seen {
    times: Vec<f64>,
    around: usize,
    refused: usize,
}

/// So many clients for so long.
pub(crate) fn on(port: u16, clients: usize, time: Duration) -> Outcome<Load> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let request = question::request(port, "");
        let from = Instant::now() + WARM_UP;
        let mut tasks = JoinSet::new();
        for _ in 0..clients {
            tasks.spawn(client(port, request.clone(), from, from + time));
        }
        let mut load = Load { times: Vec::new(), took: time, around: 0, refused: 0 };
        while let Some(seen) = tasks.join_next().await {
            let seen = seen??;
            load.times.extend(seen.times);
            load.around += seen.around;
            load.refused += seen.refused;
        }
        load.times.sort_by(f64::total_cmp);
        Ok(load)
    })
}

async fn client(port: u16, request: String, from: Instant, until: Instant) -> Outcome<Seen> {
    let mut connection = Connection::open(port).await?;
    let mut seen = Seen::default();
    loop {
        let begun = Instant::now();
        if begun >= until {
            return Ok(seen);
        }
        let answer = connection.ask(&request).await?;
        let ended = Instant::now();
        let is_answer =
            answer.status == 200 && answer.body.windows(14).any(|w| w == b"\"final_answer\"");
        match is_answer {
            false => seen.refused += 1,
            true if begun >= from && ended <= until => {
                seen.times.push((ended - begun).as_secs_f64() * 1000.0);
            }
            true => seen.around += 1,
        }
    }
}

impl Load {
    /// Answers, counted or not.
    pub(crate) fn all(&self) -> usize {
        self.times.len() + self.around
    }

    /// A second.
    pub(crate) fn rate(&self) -> f64 {
        self.times.len() as f64 / self.took.as_secs_f64()
    }

    /// In ms; 0.99 is what one in a hundred exceeds.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index of a list"
    )]
    pub(crate) fn quantile(&self, part: f64) -> f64 {
        let at = (self.times.len() as f64 * part) as usize;
        self.times.get(at).or(self.times.last()).copied().unwrap_or(f64::NAN)
    }
}
