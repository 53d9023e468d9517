//! Ways to play a role. Each agent only turns a call into a reply.
//!
//! Absent here: the journal, rounds and verdicts; no agent knows where a run stands.

#[cfg(unix)]
pub mod command;
pub mod human;
pub mod llm;
mod mock_pair;
#[cfg(unix)]
mod nonce;
pub mod offline;
mod offline_agent;
mod offline_answerer;
mod preset;
pub mod scripted;
#[cfg(unix)]
pub mod worktree;

pub use mock_pair::MockPair;
pub use offline_agent::{OfflineAgent, format_name, provenance};
pub use offline_answerer::OfflineAnswerer;
pub use preset::Preset;
