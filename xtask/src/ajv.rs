//! Ajv, another validator of JSON Schema, for the deep tests and a benchmark: npm installs it below cargo's target.
//!
//! Absent here: running it; a test does that, and skips itself where the variable is unset.

use crate::{house, shell};
use anyhow::{Result, bail};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The variable that names the folder with its `node_modules` to the tests.
pub(crate) const VARIABLE: &str = "REDRAFT_AJV";

/// The version whose strict mode the test knows.
const VERSION: &str = "8.20.0";

/// The folder it stands in, or why there is none.
pub(crate) fn installed() -> Result<PathBuf> {
    let place = house::root().join(house::target()).join("ajv");
    if !is_current(&place) {
        if !shell::works("npm --version") {
            bail!("npm is not installed (Debian: npm)");
        }
        std::fs::create_dir_all(&place)?;
        let package = format!("ajv@{VERSION}");
        let quiet = ["install", "--silent", "--no-audit", "--no-fund", "--prefix"];
        shell::run(Command::new("npm").args(quiet).arg(&place).arg(package))?;
    }
    Ok(place)
}

fn is_current(place: &Path) -> bool {
    let manifest = std::fs::read_to_string(place.join("node_modules/ajv/package.json"));
    manifest.is_ok_and(|text| text.contains(&format!("\"version\": \"{VERSION}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_without_it_is_not_current() {
        assert!(!is_current(&house::root().join("no-such-place")));
    }
}
