//! LiteLLM, a gateway that speaks the protocols of hosted models: a real other side for the deep tests.
//!
//! Absent here: starting it; the tests do that, and skip themselves where its variable is unset.

use crate::venv::{self, Package};
use anyhow::Result;
use std::path::PathBuf;

/// The variable that names the program to the tests.
pub(crate) const VARIABLE: &str = "REDRAFT_LITELLM";

/// In the version whose ways the tests know.
const LITELLM: Package = Package { name: "litellm", extra: "[proxy]", version: "1.106.2" };

/// The installed program, or why there is none.
pub(crate) fn installed() -> Result<PathBuf> {
    Ok(venv::programs("litellm", &[LITELLM])?.join("litellm"))
}
