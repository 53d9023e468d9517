//! Checks the tables that belong to no stream: budgets and captured bytes.

use super::{Finding, VerifyReport, guarded};
use crate::db::chain::{self, Hash32};
use rusqlite::Connection;

/// Every budget is what was written last, and not below zero.
pub(super) fn budgets(db: &Connection, report: &mut VerifyReport) -> rusqlite::Result<()> {
    guarded(report, "the table budgets", |report| {
        let mut query = db.prepare("SELECT scope, unit, cap, used, seal FROM budgets")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let (scope, unit): (String, String) = (row.get(0)?, row.get(1)?);
            let (cap, used, seal): (_, i64, Hash32) = (row.get(2)?, row.get(3)?, row.get(4)?);
            let what = if chain::budget(&scope, &unit, cap, used) != seal {
                "it is not what was written"
            } else if used < 0 {
                "it is below zero"
            } else {
                continue;
            };
            report.findings.push(Finding::of_home(format!("budget {unit} of {scope}: {what}")));
        }
        Ok(())
    })
}

/// Captured bytes are those that were captured.
pub(super) fn contents(db: &Connection, report: &mut VerifyReport) -> rusqlite::Result<()> {
    guarded(report, "the table contents", |report| {
        let mut query = db.prepare("SELECT sha256, bytes FROM contents NOT INDEXED")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let (sha256, bytes): (Vec<u8>, Vec<u8>) = (row.get(0)?, row.get(1)?);
            if chain::content(&bytes)[..] != sha256[..] {
                let what = "its bytes are not what was captured";
                report
                    .findings
                    .push(Finding::of_home(format!("content {}: {what}", chain::hex(&sha256))));
            }
        }
        Ok(())
    })
}
