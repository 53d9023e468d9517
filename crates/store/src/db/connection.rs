//! Connections to the journal's database: how they are opened, and how they wait for each other.
//!
//! Invariant: a journal comes into being complete, by a rename, so a file that is empty or lacks
//! its tables is damage and never a new journal. Nobody sees "database is locked" unless another
//! process holds the journal for a whole minute.
//! Absent here: queries.

use super::error::{Fault, StoreError};
use crate::home::Home;
use crate::lock::Wait;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `RDRF`, so that other programs can tell what the file is.
pub(crate) const APPLICATION_ID: i64 = 0x5244_5246;
/// The format of the tables.
pub(crate) const FORMAT: i64 = 1;
/// The tables, their indexes and triggers.
pub(crate) const SCHEMA: &str = include_str!("schema.sql");
/// How long to wait for another process.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Short and even: a growing pause would starve whoever has waited longest.
const PAUSE: Duration = Duration::from_millis(2);

/// The log is copied back and begun anew at this length, in pages. Measured: a short log is written
/// over again and again, which syncs faster than one that grows, and a killed process leaves little
/// to recover. Much shorter, and the copying would cost more than it saves.
const LOG_PAGES: u32 = 400;

/// Where the journal of a home is.
pub(crate) fn path_in(home: &Home) -> PathBuf {
    home.dir().join("journal.db")
}

/// Opens the journal for reading, `None` when there is none.
pub(crate) fn open_existing(home: &Home) -> Result<Option<Connection>, StoreError> {
    let path = path_in(home);
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            refuse_orphaned_log(&path)?;
            Ok(None)
        }
        Err(error) => Err(StoreError::io(&path, "look at the journal")(error)),
        Ok(found) if !found.is_file() => {
            Err(StoreError::NotAJournal { path, what: "not a regular file".into() })
        }
        Ok(_) => open_to_read(&path).map(Some),
    }
}

/// Makes the journal if there is none yet; several processes may try at once.
pub(crate) fn create(home: &Home) -> Result<(), StoreError> {
    let path = path_in(home);
    let refuse = |error: crate::lock::LockError| StoreError::Io {
        path: path.clone(),
        doing: "lock the making of the journal",
        source: std::sync::Arc::new(std::io::Error::other(error)),
    };
    let _held = home.lock("making of the journal", Wait::For(PATIENCE)).map_err(refuse)?;
    if path.exists() {
        return Ok(());
    }
    refuse_orphaned_log(&path)?;
    let new = home.dir().join("journal.db.new");
    for leftover in ["", "-wal", "-shm", "-journal"] {
        let mut name = new.clone().into_os_string();
        name.push(leftover);
        let _ = fs::remove_file(name);
    }
    lay_tables(&new).map_err(|fault| fault.at(&new, "make the journal"))?;
    let io = |doing| StoreError::io(&path, doing);
    File::open(&new).and_then(|file| file.sync_all()).map_err(io("sync the new journal"))?;
    fs::rename(&new, &path).map_err(io("put the new journal in place"))?;
    for folder in [home.dir(), home.root()] {
        File::open(folder).and_then(|f| f.sync_all()).map_err(io("sync the journal's folder"))?;
    }
    Ok(())
}

/// A log without its database means that the database was lost; a new one would take it in.
fn refuse_orphaned_log(path: &Path) -> Result<(), StoreError> {
    let log = path.with_file_name("journal.db-wal");
    if log.exists() && !path.exists() {
        let what = "it is missing, but its log journal.db-wal is there".into();
        return Err(StoreError::NotAJournal { path: path.to_path_buf(), what });
    }
    Ok(())
}

fn lay_tables(path: &Path) -> Result<(), Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let db = Connection::open_with_flags(path, flags)?;
    db.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    db.execute_batch("PRAGMA synchronous = FULL; BEGIN")?;
    db.execute_batch(SCHEMA)?;
    db.pragma_update(None, "application_id", APPLICATION_ID)?;
    db.pragma_update(None, "user_version", FORMAT)?;
    db.execute_batch("COMMIT")?;
    db.close().map_err(|(_, error)| Fault::Sqlite(error))
}

/// A connection that only reads and leaves the log as it is.
pub(crate) fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    let open = || -> Result<Connection, Fault> {
        let mut db = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        db.busy_handler(Some(wait))?;
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        db.execute_batch("PRAGMA trusted_schema = OFF")?;
        check_format(&db, path)?;
        Ok(db)
    };
    open().map_err(|fault| fault.at(path, "open the journal"))
}

/// The connection of the writer.
pub(crate) fn open_to_write(path: &Path) -> Result<Connection, StoreError> {
    let open = || -> Result<Connection, Fault> {
        let mut db = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        db.busy_handler(Some(wait))?;
        check_format(&db, path)?;
        db.execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF",
        )?;
        db.pragma_update_and_check(None, "wal_autocheckpoint", LOG_PAGES, |_| Ok(()))?;
        Ok(db)
    };
    open().map_err(|fault| fault.at(path, "open the journal for writing"))
}

fn wait(count: i32) -> bool {
    std::thread::sleep(PAUSE);
    u128::from(count.unsigned_abs()) * PAUSE.as_millis() < PATIENCE.as_millis()
}

fn check_format(db: &Connection, path: &Path) -> Result<(), Fault> {
    let number = |name| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let path = || path.to_path_buf();
    let format = number("user_version")?;
    if number("application_id")? != APPLICATION_ID {
        let what = "another program's database, or an empty one".into();
        return Err(StoreError::NotAJournal { path: path(), what }.into());
    }
    if format > FORMAT {
        return Err(StoreError::Newer { path: path(), found: format, known: FORMAT }.into());
    }
    if format < FORMAT {
        let what = format!("its format is {format}, which no version has written");
        return Err(StoreError::NotAJournal { path: path(), what }.into());
    }
    let mode: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode != "wal" {
        let what = format!("its journal mode is {mode}, not wal");
        return Err(StoreError::NotAJournal { path: path(), what }.into());
    }
    Ok(())
}
