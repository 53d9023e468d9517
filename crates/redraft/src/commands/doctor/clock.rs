//! The clock against the journal, this version's date and itself, and how old the prices are.
//!
//! Absent here: the file system's clock, which is checked with the disk.

use super::check::Check;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use redraft_agents::llm::prices_taken;
use redraft_loop::Time;
use std::time::{Duration, Instant, SystemTime};

/// No clock that is right shows a day before this version was written.
const WRITTEN: Date = jiff::civil::date(2026, 11, 1);
/// Prices older than this are likely to have changed.
const FRESH_DAYS: i32 = 180;
/// A clock may be slewed a little.
const STEP: Duration = Duration::from_secs(2);

const SET: &str = "set the clock, for example: timedatectl set-ntp true";

/// Whether the system's clock can be right.
pub(super) fn system(newest: Option<Time>) -> Check {
    judge(Timestamp::now(), newest)
}

fn judge(now: Timestamp, newest: Option<Time>) -> Check {
    let today = now.to_zoned(TimeZone::UTC).date();
    if today < WRITTEN {
        let found = format!("it shows {today}, and this version was written on {WRITTEN}");
        return Check::warning("clock", found, SET);
    }
    let newest = newest.and_then(|Time(micros)| Timestamp::from_microsecond(micros).ok());
    match newest.filter(|newest| *newest > now) {
        Some(newest) => {
            let found = format!("it shows {now}, before the newest fact of the journal ({newest})");
            Check::warning("clock", found, SET)
        }
        None => Check::ok("clock", format!("{now:.0}")),
    }
}

/// How old the built-in prices are.
pub(super) fn prices() -> Check {
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    match prices_taken().parse() {
        Ok(table) => age(table, today),
        Err(_) => Check::warning("prices", "the price table has no date", "update Redraft"),
    }
}

fn age(table: Date, today: Date) -> Check {
    let days = table.until(today).map_or(0, |span| span.get_days());
    let found = format!("the price table is of {table}");
    match days > FRESH_DAYS {
        true => {
            let found = format!("{found}, {days} days ago");
            let fix = "update Redraft, or set the prices of your models under [prices]";
            Check::warning("prices", found, fix)
        }
        false => Check::ok("prices", found),
    }
}

/// Both clocks at one moment.
pub(super) struct Steadiness {
    wall: SystemTime,
    steady: Instant,
}

impl Steadiness {
    pub(super) fn begin() -> Self {
        Self { wall: SystemTime::now(), steady: Instant::now() }
    }

    /// Whether the system's clock went on evenly since then.
    pub(super) fn check(&self) -> Check {
        let wall = SystemTime::now().duration_since(self.wall).ok();
        evenness(wall, self.steady.elapsed())
    }
}

fn evenness(wall: Option<Duration>, steady: Duration) -> Check {
    let step = wall.map(|wall| wall.abs_diff(steady));
    match step {
        Some(step) if step <= STEP => Check::ok("clock steps", "none while this ran"),
        Some(_) | None => {
            let fix = "let one service set the clock; deadlines are kept by another clock and hold";
            Check::warning("clock steps", "the clock jumped while this ran", fix)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::check::State, *};

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_clock_before_this_version_or_before_the_newest_fact_is_told() {
        let now = at("2027-01-02T00:00:00Z");
        let fact = |text: &str| Some(Time(at(text).as_microsecond()));
        assert_eq!(judge(at("2001-01-01T00:00:00Z"), None).state, State::Warning);
        assert_eq!(judge(now, fact("2027-01-03T00:00:00Z")).state, State::Warning);
        assert_eq!(judge(now, fact("2027-01-01T00:00:00Z")).state, State::Ok);
        assert_eq!(judge(now, None).state, State::Ok);
    }

    #[test]
    fn prices_are_old_after_180_days() {
        let table = jiff::civil::date(2027, 1, 1);
        assert_eq!(age(table, jiff::civil::date(2027, 6, 30)).state, State::Ok);
        let old = age(table, jiff::civil::date(2027, 7, 1));
        assert_eq!(old.state, State::Warning);
        assert_eq!(old.found, "the price table is of 2027-01-01, 181 days ago");
        assert_eq!(age(table, jiff::civil::date(2026, 1, 1)).state, State::Ok);
    }

    #[test]
    fn a_clock_that_jumps_is_told() {
        let (second, hour) = (Duration::from_secs(1), Duration::from_secs(3600));
        assert_eq!(evenness(Some(second), second).state, State::Ok);
        assert_eq!(evenness(Some(hour), second).state, State::Warning);
        assert_eq!(evenness(None, second).state, State::Warning);
    }
}
