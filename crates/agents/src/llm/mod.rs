//! Hosted and local models as players: one HTTP call per answer, over the provider's own protocol.
//!
//! Invariant: an answer is complete or it is no answer. What was used, what it cost and who served it is told with
//! failures too, as far as the other side told it. A key stands in one header of a request and nowhere else.
//! Absent here: retries, deadlines of a call, budgets, reading replies, and where configuration comes from.

mod agent;
mod anthropic;
mod base_url;
mod connections;
mod endpoint;
mod exchange;
mod family;
mod fault;
mod frames;
mod gemini;
mod key;
mod listing;
mod model;
mod ollama;
mod openai;
mod price;
mod prices;
mod protocol;
mod reply;
mod retry_after;
mod told;
mod unreached;

pub use agent::LlmAgent;
pub use base_url::{BaseUrlError, base_url};
pub use connections::Connections;
pub use family::family;
pub use key::{KeyError, KeySource};
pub use listing::ListError;
pub use model::{Model, ModelError, Provider, UnknownProvider};
pub use price::{LongPrompts, Price};
pub use prices::{listed_price, prices_taken};
