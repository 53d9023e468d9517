//! Python programs that deep tests play against, each in a virtual environment below cargo's target folder.
//!
//! pip installs them once; another version of any package makes the environment anew.
//! Absent here: which programs there are, and starting them; the tests do that.

use crate::{house, shell};
use anyhow::{Result, anyhow, bail};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// A package of the index, in the version whose ways the tests know.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: &'static str,
    /// What pip installs of it beside itself: `[proxy]`, or nothing.
    pub(crate) extra: &'static str,
    /// Its version.
    pub(crate) version: &'static str,
}

/// The folder of programs of the environment of this name, or why there is none.
pub(crate) fn programs(name: &str, packages: &[Package]) -> Result<PathBuf> {
    let place = house::root().join(house::target()).join(name);
    if !is_current(&place, packages) {
        if !shell::works("python3 -m venv --help") {
            bail!("python3 with venv is not installed (Debian: python3-venv)");
        }
        install(&place, packages)?;
        if !is_current(&place, packages) {
            return Err(anyhow!("{} has not what was installed there", place.display()));
        }
    }
    Ok(place.join("bin"))
}

/// Makes the environment anew, and puts the packages into it.
fn install(place: &Path, packages: &[Package]) -> Result<()> {
    let wanted =
        packages.iter().map(|Package { name, extra, version }| format!("{name}{extra}=={version}"));
    shell::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(place))?;
    shell::run(Command::new(python(place)).args(["-m", "pip", "install", "--quiet"]).args(wanted))
}

/// Whether these versions stand there. They are whole then: pip installs what a package needs before it.
fn is_current(place: &Path, packages: &[Package]) -> bool {
    const ASKED: &str = "import importlib.metadata as m, sys; print(*map(m.version, sys.argv[1:]))";
    let names = packages.iter().map(|package| package.name);
    let versions: Vec<_> = packages.iter().map(|package| package.version).collect();
    let found = shell::read(Command::new(python(place)).args(["-c", ASKED]).args(names));
    found.is_ok_and(|found| found.split_whitespace().eq(versions))
}

fn python(place: &Path) -> PathBuf {
    place.join("bin/python")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGE: Package = Package { name: "no-such-package", extra: "", version: "1.0" };

    #[test]
    fn a_place_without_it_is_not_current() {
        assert!(!is_current(&house::root().join("no-such-place"), &[PACKAGE]));
        assert!(!is_current(Path::new("/"), &[PACKAGE]));
    }
}
