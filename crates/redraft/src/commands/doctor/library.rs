//! The SQLite that is built in.

use super::check::Check;
use redraft_store::{OLDEST_SQLITE, sqlite_build};

const FIX: &str = "build Redraft with the SQLite that it bundles";

pub(super) fn check() -> Check {
    let build = match sqlite_build() {
        Ok(build) => build,
        Err(error) => return Check::error("sqlite", error.to_string(), FIX),
    };
    let text = |(major, minor, patch): (u32, u32, u32)| format!("{major}.{minor}.{patch}");
    let version = text(build.version);
    if build.version < OLDEST_SQLITE {
        let found = format!("version {version}, older than {}", text(OLDEST_SQLITE));
        return Check::error("sqlite", found, FIX);
    }
    // Without mutexes, the connections of two threads share unguarded memory.
    if build.options.iter().any(|option| option == "THREADSAFE=0") {
        let found = format!("version {version}, compiled without thread safety");
        return Check::error("sqlite", found, FIX);
    }
    let found = format!("version {version}; --json lists what it was compiled with");
    Check { details: build.options, ..Check::ok("sqlite", found) }
}
