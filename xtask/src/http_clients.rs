//! Programs of others that talk to `redraft serve` in the deep tests: OpenAI's client, and a tester of OpenAPI documents.
//!
//! Absent here: starting them; the tests do that, and skip themselves where the variable is unset.

use crate::venv::{self, Package};
use anyhow::Result;
use std::path::PathBuf;

/// The variable that names the folder of their programs to the tests.
pub(crate) const VARIABLE: &str = "REDRAFT_HTTP_CLIENTS";

/// In the versions whose ways the tests know.
const CLIENTS: [Package; 2] = [
    Package { name: "openai", extra: "", version: "3.54.0" },
    Package { name: "schemathesis", extra: "", version: "4.32.5" },
];

/// The folder of the installed programs, or why there is none.
pub(crate) fn installed() -> Result<PathBuf> {
    venv::programs("http_clients", &CLIENTS)
}
