//! The SQLite that is built in: its version and how it was compiled.
//!
//! Absent here: the journal.

use crate::db::error::{Fault, StoreError};
use rusqlite::Connection;
use std::path::Path;

/// The oldest version that the journal relies on.
pub const OLDEST_SQLITE: (u32, u32, u32) = (3, 51, 3);

/// The library as it is built in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteBuild {
    /// Major, minor and patch.
    pub version: (u32, u32, u32),
    /// What it was compiled with, without the `SQLITE_` before each name.
    pub options: Vec<String>,
}

/// Asks the library about itself.
///
/// # Errors
/// When it does not answer, which no sound build does.
pub fn sqlite_build() -> Result<SqliteBuild, StoreError> {
    let ask = || -> Result<Vec<String>, Fault> {
        let db = Connection::open_in_memory()?;
        let mut query = db.prepare("PRAGMA compile_options")?;
        let options = query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(options)
    };
    let options = ask().map_err(|fault| fault.at(Path::new(":memory:"), "ask SQLite"))?;
    let number = rusqlite::version_number().unsigned_abs();
    let version = (number / 1_000_000, number / 1_000 % 1_000, number % 1_000);
    Ok(SqliteBuild { version, options })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_library_is_new_enough_and_safe_for_threads() {
        let build = sqlite_build().unwrap();
        assert!(build.version >= OLDEST_SQLITE, "{build:?}");
        assert!(build.options.iter().any(|option| option == "THREADSAFE=1"), "{build:?}");
    }
}
