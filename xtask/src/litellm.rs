//! LiteLLM, a gateway that speaks the protocols of hosted models: a real other side for the deep tests.
//!
//! It is installed by pip into a virtual environment below cargo's target folder, once.
//! Absent here: starting it; the tests do that, and skip themselves where its variable is unset.

use crate::{house, shell};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The variable that names the program to the tests.
pub(crate) const VARIABLE: &str = "REDRAFT_LITELLM";

/// The version whose ways the tests know.
const VERSION: &str = "1.106.2";

/// The installed program, or why there is none.
pub(crate) fn installed() -> Result<PathBuf, String> {
    let place = house::root().join(house::target()).join("litellm");
    if !is_current(&place) {
        if !shell::works("python3 -m venv --help") {
            return Err("python3 with venv is not installed (Debian: python3-venv)".to_owned());
        }
        install(&place).map_err(|error| format!("{error:#}"))?;
        if !is_current(&place) {
            return Err(format!("{} is not LiteLLM {VERSION}", place.display()));
        }
    }
    Ok(place.join("bin/litellm"))
}

/// Makes the environment anew, and puts the proxy into it.
fn install(place: &Path) -> anyhow::Result<()> {
    let wanted = format!("litellm[proxy]=={VERSION}");
    shell::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(place))?;
    shell::run(Command::new(python(place)).args(["-m", "pip", "install", "--quiet", &wanted]))
}

/// Whether this version stands there. It is whole then: pip installs what a package needs before it.
fn is_current(place: &Path) -> bool {
    const ASKED: &str = "import importlib.metadata as m; print(m.version('litellm'))";
    let version = shell::read(Command::new(python(place)).args(["-c", ASKED]));
    place.join("bin/litellm").is_file() && version.is_ok_and(|version| version.trim() == VERSION)
}

fn python(place: &Path) -> PathBuf {
    place.join("bin/python")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_without_it_is_not_current() {
        assert!(!is_current(&house::root().join("no-such-place")));
        assert!(!is_current(Path::new("/")));
    }
}
