//! Budgets count what was reserved in a scope and hold it under the scope's cap.
//!
//! Invariant: reservations of one append are taken all or none, in the append's own transaction. What has no price is
//! refused where money is capped, whoever set the cap and whenever.
//! Absent here: what a unit costs.

use super::append::Reservation;
use super::chain;
use super::error::{Fault, StoreError};
use crate::run_journal::{MICRODOLLARS, SERVER_SCOPE, UNPRICED};
use redraft_loop::dollars;
use rusqlite::{Connection, OptionalExtension, Statement, params};
use std::collections::BTreeMap;

/// The row of a budget as it stands.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    cap: Option<i64>,
    used: i64,
}

/// The statements over budgets.
pub(super) struct Budgets<'c> {
    get: Statement<'c>,
    put: Statement<'c>,
}

impl<'c> Budgets<'c> {
    pub(super) fn prepare(db: &'c Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            get: db
                .prepare("SELECT cap, used, seal FROM budgets WHERE scope = ?1 AND unit = ?2")?,
            put: db.prepare(
                "INSERT INTO budgets(scope, unit, cap, used, seal) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT(scope, unit) DO UPDATE SET
                 cap = excluded.cap, used = excluded.used, seal = excluded.seal",
            )?,
        })
    }

    /// Takes all reservations, or none and says which cap refused.
    pub(super) fn reserve(&mut self, asked: &[Reservation]) -> Result<Option<String>, Fault> {
        let mut rows = Vec::new();
        for ((scope, unit), amount) in sums(asked) {
            if unit == UNPRICED
                && let Some(cap) = self.row(scope, MICRODOLLARS)?.cap
            {
                return Ok(Some(no_price(scope, cap)));
            }
            let row = self.row(scope, unit)?;
            let used = row.used.saturating_add(amount);
            if let Some(cap) = row.cap.filter(|cap| used > *cap) {
                return Ok(Some(refusal(scope, unit, row.used, cap, amount)));
            }
            rows.push((scope, unit, Row { used, ..row }));
        }
        for (scope, unit, row) in rows {
            self.write(scope, unit, row)?;
        }
        Ok(None)
    }

    /// Gives reservations back.
    pub(super) fn refund(&mut self, given_back: &[Reservation]) -> Result<(), Fault> {
        for ((scope, unit), amount) in sums(given_back) {
            let row = self.row(scope, unit)?;
            self.write(scope, unit, Row { used: row.used.saturating_sub(amount).max(0), ..row })?;
        }
        Ok(())
    }

    /// Counts what was used beyond its reservation.
    pub(super) fn overdraw(&mut self, used: &[Reservation]) -> Result<(), Fault> {
        for ((scope, unit), amount) in sums(used) {
            let row = self.row(scope, unit)?;
            self.write(scope, unit, Row { used: row.used.saturating_add(amount), ..row })?;
        }
        Ok(())
    }

    /// Sets or lifts a cap; what is used stays.
    pub(super) fn set_cap(
        &mut self,
        scope: &str,
        unit: &str,
        cap: Option<u64>,
    ) -> Result<(), Fault> {
        let row = self.row(scope, unit)?;
        self.write(scope, unit, Row { cap: cap.map(clamp), ..row })
    }

    /// Sets a cap that is tighter than the one that stands; another one changes nothing.
    pub(super) fn tighten(&mut self, scope: &str, unit: &str, cap: u64) -> Result<(), Fault> {
        let (row, cap) = (self.row(scope, unit)?, clamp(cap));
        match row.cap {
            Some(stands) if stands <= cap => Ok(()),
            Some(_) | None => self.write(scope, unit, Row { cap: Some(cap), ..row }),
        }
    }

    fn row(&mut self, scope: &str, unit: &str) -> Result<Row, Fault> {
        let found = self.get.query_row([scope, unit], |row| {
            Ok((Row { cap: row.get(0)?, used: row.get(1)? }, row.get::<_, chain::Hash32>(2)?))
        });
        let Some((row, seal)) = found.optional()? else {
            return Ok(Row::default());
        };
        if seal != chain::budget(scope, unit, row.cap, row.used) {
            let (scope, unit) = (scope.to_owned(), unit.to_owned());
            return Err(StoreError::DamagedBudget { scope, unit }.into());
        }
        Ok(row)
    }

    fn write(&mut self, scope: &str, unit: &str, row: Row) -> Result<(), Fault> {
        let seal = chain::budget(scope, unit, row.cap, row.used);
        self.put.execute(params![scope, unit, row.cap, row.used, seal])?;
        Ok(())
    }
}

/// Which cap refuses so much more, in words; money in dollars.
fn refusal(scope: &str, unit: &str, used: i64, cap: i64, more: i64) -> String {
    let numbers = [used, cap, more];
    let (unit, [used, cap, more]) = match unit {
        MICRODOLLARS => ("money", numbers.map(|micros| dollars(micros.unsigned_abs()))),
        unit => (unit, numbers.map(|n| n.to_string())),
    };
    format!("{unit} of {scope}: {used} of {cap} used, {more} more asked")
}

/// That a cap on money refuses what has no price, and what helps. A higher cap does not, so it is worded apart from
/// [`refusal`].
fn no_price(scope: &str, cap: i64) -> String {
    let cap = dollars(cap.unsigned_abs());
    let flag = if scope == SERVER_SCOPE { "--server " } else { "" };
    format!(
        "the price of this call is unknown, and money of {scope} has a cap ({cap}): give the model's price ([prices.\"MODEL\"]), or lift the cap (redraft budget set {flag}--usd none)"
    )
}

/// SQLite's integers are signed; no real amount comes near the end of them.
pub(super) fn clamp(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn sums(all: &[Reservation]) -> BTreeMap<(&str, &str), i64> {
    let mut sums: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    for one in all {
        let sum = sums.entry((&one.scope, &one.unit)).or_default();
        *sum = sum.saturating_add(clamp(one.amount));
    }
    sums
}
